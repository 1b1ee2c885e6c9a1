// The only door for nondeterminism: pick(). Every strategy is a way of answering it; the answers are the
// tape.
#pragma once

#include <cstdint>

#include "sim/trace/tape.hpp"

namespace holdfast {

class Choices {
 public:
  virtual ~Choices() = default;
  // Below `options`. REQUIRES: options ≥ 1. With one option it returns 0 and nothing is recorded.
  std::uint32_t pick(Site site, Actor actor, std::uint32_t options) {
    return options < 2 ? 0 : decide(site, actor, options);
  }

 private:
  virtual std::uint32_t decide(Site site, Actor actor, std::uint32_t options) = 0;
};

}  // namespace holdfast
