// What comes next in a run of very many clients, seen ahead of time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/world/messages.hpp"

namespace holdfast {

class Foresight {
 public:
  // So many clients stay near to the processor anyway.
  static constexpr std::size_t clients_nearby = 1'000;

  // To be called in each step. What comes next is shown to `first`, to `second` when so many more have been
  // seen, and to `third` after as many again. May show what has been cancelled.
  template <class First, class Second, class Third>
  void go_on(const Later& later, Instant now, const First& first, const Second& second, const Third& third) {
    while (passed_ < count_ && at(passed_).due <= now) ++passed_;
    // Two at once, so that it catches up, and no more, so that the fetching never waits for itself.
    for (int i = 0; i < 2 && count_ - passed_ < 3 * apart; ++i) {
      const Due* const next = later.look_further(preview_);
      if (next == nullptr) return;
      at(count_) = {*next, Later::due(preview_)};
      first(*next);
      if (count_ >= apart) second(at(count_ - apart).what);
      if (count_ >= 2 * apart) third(at(count_ - 2 * apart).what);
      ++count_;
    }
  }

 private:
  static constexpr std::uint64_t apart = 20;
  struct Seen {
    Due what;
    Instant due;
  };
  static constexpr std::size_t remembered = 64;
  static_assert(3 * apart <= remembered);
  Seen& at(std::uint64_t number) { return seen_[number % remembered]; }

  Later::Preview preview_;
  std::array<Seen, remembered> seen_;  // the last ones
  std::uint64_t count_ = 0;            // that were seen
  std::uint64_t passed_ = 0;           // of these, are not ahead any more
};

}  // namespace holdfast
