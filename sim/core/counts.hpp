// Numbers that a store counts up for a lock, as a search for any number of rounds sees them: how far they are
// from the greatest one, which has no end, does not matter.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace holdfast {

// What such a counter has counted before a run: no other number that a lock meets is as large and no time.
inline constexpr std::uint64_t first_count = 5'000'000'000;
inline constexpr std::uint64_t counts_max = 500'000'000;
// Under this name a scenario says with which revision an etcd begins.
inline constexpr std::string_view counter_of_etcd = ":revision";
// … and a ZooKeeper, which counts its writes.
inline constexpr std::string_view counter_of_zookeeper = ":zxid";
// What is so far apart, or farther, is far.
inline constexpr std::uint64_t far_counts = 4;
constexpr bool is_count(std::uint64_t number) {
  return number >= first_count && number < first_count + counts_max;
}

// Those that somebody refers to in one state: clients, messages, a store, the resource, the judge.
class Counts {
 public:
  // Forgets all. Before the first call, counts are numbers like all others. `only_order`: they are compared
  // with each other, and nothing else is done to them, so all distances are equal.
  void begin(bool only_order = false) {
    only_order_ = only_order;
    size_ = 0;
    least_kept_ = first_count + counts_max;
    are_ranked_ = true;
    is_full_ = false;
  }
  // Numbers that are no counts are left out.
  void note(std::uint64_t number) {
    if (!are_ranked_ || !is_count(number)) return;
    auto* const end = noted_.data() + size_;
    auto* const place = std::lower_bound(noted_.data(), end, number);
    if (place != end && *place == number) return;
    is_full_ |= size_ == noted_.size();
    if (is_full_) return;
    std::copy_backward(place, end, end + 1);
    *place = number;
    ++size_;
  }
  // A store keeps it, and may count on from it.
  void note_kept(std::uint64_t number) {
    note(number);
    if (is_count(number)) least_kept_ = std::min(least_kept_, number);
  }
  // There was no room for so many.
  bool is_full() const { return is_full_; }
  // As a state says it: of a count, how far it is before the greatest. Below all that a store keeps none will
  // be made, so distances that are far stay so, and are equal. Above, a gap may close.
  // REQUIRES: it was noted.
  std::uint64_t seen(std::uint64_t number) const {
    return are_ranked_ && is_count(number) ? std::uint64_t{1} << 63 | age_of(number) : number;
  }
  std::uint64_t age_of(std::uint64_t number) const {
    std::uint64_t age = 0;
    for (std::size_t i = size_; i > 1 && noted_[i - 1] > number; --i) {
      const std::uint64_t distance = only_order_ ? 1 : noted_[i - 1] - noted_[i - 2];
      age += noted_[i - 1] <= least_kept_ ? std::min(distance, far_counts) : distance;
    }
    return age;
  }

 private:
  std::array<std::uint64_t, 32> noted_{};  // in order, each once
  std::size_t size_ = 0;
  std::uint64_t least_kept_ = 0;
  bool are_ranked_ = false;
  bool only_order_ = false;
  bool is_full_ = false;
};

}  // namespace holdfast
