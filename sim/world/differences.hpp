// By how much unknown instants are later than others, at most, or by less than how much: a difference-bound
// matrix, which is kept canonical (Dill 1989).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace holdfast {

// By how much an instant is later than another: twice the milliseconds, and one more where exactly so much
// is possible.
using Bound = std::int32_t;
// One unknown is later than the other by at most so much.
struct Limit {
  int one;
  int other;
  Bound by;
};

class Differences {
 public:
  // So many unknowns at once; the first is the beginning of the run.
  static constexpr int most = 26;
  static constexpr Bound unbounded = 1 << 30;
  // What is farther away is as far.
  static constexpr std::int64_t far = unbounded / 4;
  static constexpr Bound bound(std::int64_t milliseconds, bool is_closed) {
    return static_cast<Bound>(2 * std::clamp(milliseconds, -far, far) + (is_closed ? 1 : 0));
  }

  Differences();
  // False: then nothing satisfies them any more.
  bool limit(const Limit& limit);
  // Whether something satisfies them then.
  bool allows(const Limit& limit) const;
  // Whether something satisfies them and all of these. REQUIRES: the hub is in each.
  bool allow(std::span<const Limit> limits, int hub) const;
  Bound between(int one, int other) const { return at_[one][other]; }
  // REQUIRES: all bounds together stay canonical.
  void set(int one, int other, Bound by) { at_[one][other] = by; }
  // An unknown of which nothing is known.
  void forget(int one);

 private:
  // So many fit into whole instructions.
  static constexpr int width = (most + 3) / 4 * 4;
  using Row = std::array<Bound, width>;
  std::array<Row, most> at_;
};

}  // namespace holdfast
