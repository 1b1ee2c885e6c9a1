// How far each state of a scenario is from a violation.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "sim/explore/explore.hpp"
#include "sim/explore/run.hpp"

namespace holdfast {

class Distances {
 public:
  // Explores up to `states_max` states. What is beyond, or beyond the budget, may be at any distance.
  Distances(Subject& subject, Property property, std::uint64_t states_max, const Budget& budget);

  // At least so many steps lead from this state to a violation; nullopt where none ever does.
  std::optional<std::uint32_t> from(Digest state) const;
  bool is_complete() const { return complete_; }

 private:
  std::map<Digest, std::uint32_t> steps_;  // of the states from which a violation can be reached
  bool complete_ = false;
};

}  // namespace holdfast
