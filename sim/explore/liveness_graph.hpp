// Every state of a scenario and every step between them, as far as waiting clients care.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/explore/explore.hpp"
#include "sim/explore/run.hpp"

namespace holdfast {

// Observes which clients wait: a client does from its first acquire() since it last held the lock until it is
// granted, or dies. Clients are bits: the first 32 are heard, the probe is not.
class Waiters final : public Observer {
 public:
  explicit Waiters(std::size_t clients);
  void on(const Event& event) override;

  // Before a step: the clients that wait in the state that it leaves.
  void begin(std::uint32_t waiting) {
    waiting_ = waiting;
    granted_ = answered_ = 0;
  }
  std::uint32_t waiting() const { return waiting_; }
  // Since begin(): the clients that were granted the lock, and those whose request was answered or given up.
  std::uint32_t granted() const { return granted_; }
  std::uint32_t answered() const { return answered_; }

 private:
  std::uint32_t known_;
  std::uint32_t waiting_ = 0;
  std::uint32_t granted_ = 0;
  std::uint32_t answered_ = 0;
};

// A state is what Run::digest() says, and the clients that wait.
inline Digest digest_of(Run& run, const Waiters& waiters) { return mix(run.digest(), waiters.waiting()); }

struct StateGraph {
  struct State {
    Digest digest;
    std::uint32_t waiting = 0;
    std::uint32_t steps_begin = 0;
    std::uint32_t found_from = 0;  // the state before it on a shortest run; the first is the first's
    std::uint32_t depth = 0;       // steps of a shortest run
    bool operator==(const State&) const = default;
  };
  struct Step {
    std::uint32_t to = 0;
    std::uint32_t granted = 0;
    std::uint32_t answered = 0;
    bool time_passes = false;
    bool operator==(const Step&) const = default;
  };

  std::vector<State> states;  // the first is the beginning; in the order of their depths
  std::vector<Step> steps;    // of the first state, of the second, …
  bool complete = false;
  bool memory_full = false;  // it is not complete, because there was no room for more states
  std::uint64_t runs = 0;
  std::uint64_t snapshot_bytes = 0;
  std::uint64_t bytes = 0;  // of all this and of what recognises the states
  Reach reach;

  std::span<const Step> steps_of(std::uint32_t state) const {
    const std::size_t end = state + 1 < states.size() ? states[state + 1].steps_begin : steps.size();
    return std::span(steps).subspan(states[state].steps_begin, end - states[state].steps_begin);
  }
};

// Breadth first, until the budget or the scenario's bounds end it. Ends early, too, when endless clients were
// told what makes every state new: `subject.known` says what that was.
StateGraph graph_of(Subject& subject, const Budget& budget, Engine engine);

}  // namespace holdfast
