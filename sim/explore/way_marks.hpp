// Copies of states on ways that a thread has gone. Ranks send each other states that lie near each other, and
// a search that goes on after it was saved comes back the way it went: the way to such a state has often been
// gone almost to its end.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast {

class WayMarks {
 public:
  struct Mark {
    std::vector<std::uint8_t> picks;  // the answers that lead there
    std::uint32_t steps = 0;
    std::vector<std::byte> copy;
    std::uint64_t used = 0;  // when
  };

  // The last one on the way of so many steps that these answers lead; null when there is none.
  const Mark* nearest(std::span<const std::uint8_t> picks, std::uint32_t steps) {
    Mark* nearest = nullptr;
    for (Mark& mark : marks_) {
      const bool is_nearer = mark.steps > (nearest == nullptr ? 0 : nearest->steps);
      if (is_nearer && mark.steps <= steps && mark.picks.size() <= picks.size() &&
          std::equal(mark.picks.begin(), mark.picks.end(), picks.begin()))
        nearest = &mark;
    }
    if (nearest != nullptr) nearest->used = ++uses_;
    return nearest;
  }
  // In place of the one that was not used for longest.
  void put(std::span<const std::uint8_t> picks, std::uint32_t steps, std::span<const std::byte> copy) {
    Mark& mark = *std::min_element(marks_.begin(), marks_.end(),
                                   [](const Mark& one, const Mark& other) { return one.used < other.used; });
    mark.picks.assign(picks.begin(), picks.end());
    mark.steps = steps;
    mark.copy.assign(copy.begin(), copy.end());
    mark.used = ++uses_;
  }

 private:
  std::array<Mark, 32> marks_;
  std::uint64_t uses_ = 0;
};

}  // namespace holdfast
