// The only door for nondeterminism: pick(), and pick_step() where it matters who moves. Every strategy is a
// way of answering it; the answers are the tape.
#pragma once

#include <cstdint>
#include <span>

#include "sim/trace/tape.hpp"

namespace holdfast {

// To whom an event that may happen now belongs. Events of one strand follow each other; those of different
// strands race.
struct Mover {
  Actor actor;               // the client, also where a server carries out its request; Actor{}: time
  std::uint32_t strand = 0;  // 0: its program and the message that it waits for. Else a message: its
                             // timeout, or a request that nobody waits for any more
  constexpr bool operator==(const Mover&) const = default;
};

// Who may move, for the strategies that ask: option i of the step belongs to the i-th.
class Movers {
 public:
  virtual std::span<const Mover> movers() = 0;

 protected:
  ~Movers() = default;
};

class Choices {
 public:
  virtual ~Choices() = default;
  // Below `options`. REQUIRES: options ≥ 1. With one option it returns 0 and nothing is recorded.
  std::uint32_t pick(Site site, Actor actor, std::uint32_t options) {
    return options < 2 ? 0 : decide(site, actor, options);
  }
  // The same for Site::step. `who` is valid during the call.
  std::uint32_t pick_step(std::uint32_t options, Movers& who) {
    if (options >= 2) return decide_step(options, who);
    pass_step(who);
    return 0;
  }

 private:
  virtual std::uint32_t decide(Site site, Actor actor, std::uint32_t options) = 0;
  virtual std::uint32_t decide_step(std::uint32_t options, Movers&) {
    return decide(Site::step, Actor{}, options);
  }
  // Only one can move. For strategies that count moves.
  virtual void pass_step(Movers&) {}
};

}  // namespace holdfast
