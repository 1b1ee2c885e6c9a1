// The only source of nondeterminism: pick(), and pick_step() where the mover matters. Every strategy is a way
// of answering it; the answers are the tape.
#pragma once

#include <cstdint>
#include <span>

#include "sim/trace/tape.hpp"

namespace holdfast {

// The enabled actions of a state, for the strategies that ask.
class Enabled {
 public:
  // An action, and the chain of events that it belongs to: events of one strand follow each other; those of
  // different strands race.
  struct Option {
    Action action;
    // 0: its client's program and the message that it waits for; or time. Else a message: its timeout, or a
    // request without a waiter.
    std::uint32_t strand = 0;
  };
  // Option i of the step. The calm ones come first.
  virtual std::span<const Option> all() = 0;
  // How many of them, at the end, are faults.
  virtual std::uint32_t faults() const = 0;

 protected:
  ~Enabled() = default;
};

class Choices {
 public:
  virtual ~Choices() = default;
  // Below `options`. REQUIRES: options ≥ 1. With one option it returns 0 and nothing is recorded.
  std::uint32_t pick(Site site, Actor actor, std::uint32_t options) {
    return options < 2 ? 0 : decide(site, actor, options);
  }
  // The same for Site::step. `enabled` is valid during the call.
  std::uint32_t pick_step(std::uint32_t options, Enabled& enabled) {
    if (options >= 2) return decide_step(options, enabled);
    pass_step(enabled);
    return 0;
  }

  // A step was taken without a question: the search needs no other. For the tape.
  virtual void note_step(std::uint32_t /*picked*/, std::uint32_t /*options*/, Enabled& /*enabled*/) {}

 private:
  virtual std::uint32_t decide(Site site, Actor actor, std::uint32_t options) = 0;
  virtual std::uint32_t decide_step(std::uint32_t options, Enabled&) {
    return decide(Site::step, Actor{}, options);
  }
  // Only one action is enabled. For strategies that count them.
  virtual void pass_step(Enabled&) {}
};

}  // namespace holdfast
