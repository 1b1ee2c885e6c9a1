// One run of a hunt: its clients, its gate, and what strikes it. It goes on while the loop turns.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/live/gate.hpp"
#include "sim/live/hunt.hpp"
#include "sim/live/shared_log.hpp"

namespace holdfast::live {

class HuntedRunner {
 public:
  // No two runs on one server have the same `name`.
  HuntedRunner(Loop& loop, const GateServer& server, const Quarry& quarry, std::uint64_t seed,
               const std::string& name);
  ~HuntedRunner();
  HuntedRunner(const HuntedRunner&) = delete;

  const Quarry& quarry() const { return quarry_; }
  bool is_over() const { return stage_ == Stage::over; }
  // This process, which hands on the messages, stood still for so long.
  void note_stall(Duration length) { is_beyond_ |= length > slack_; }
  // REQUIRES: is_over().
  HuntedRun result();

 private:
  enum class Stage : std::uint8_t { contending, probing, over };
  struct Process {
    pid_t id = -1;  // -1: there is none
    std::uint32_t incarnation = 0;
    bool is_expected = false;  // it is going to be started (again)
    std::optional<SteadyTime> stopped = std::nullopt;
  };

  GateRules gate_rules();
  void start(ClientId client);
  void be(ClientId client, std::uint32_t incarnation);
  Workload workload_of(ClientId client, std::uint32_t incarnation) const;
  void before_send();
  void strike();
  void look();
  void look_at(ClientId client);
  void look_for_holder();
  void on_stopped(ClientId client);
  void go_on_if_quiet();
  bool are_all_done() const;
  void after(Duration wait, std::function<void()> act);
  void end_all();
  bool keeps_to_bounds();
  ClientId probe() const { return ClientId{quarry_.clients}; }
  template <class Kind>
  void note(ClientId client, Kind what) {
    log_.note(Event{Step{}, Instant{}, actor_of(client), std::move(what)});
  }

  Loop& loop_;
  const Quarry& quarry_;
  const Duration slack_;  // every time is planned shorter than its bound, and the machine may add this
  const std::string name_;
  LiveRandom random_;
  const std::uint64_t seed_;
  Blow blow_;
  // Simulated runs begin with a whole second of the wall clock; so do these, for locks that cut times off.
  // No lock compares its own clock with the server's.
  const Duration wall_shift_;
  SharedLog log_;
  std::vector<Process> processes_;
  Gate gate_;
  Stage stage_ = Stage::contending;
  SteadyTime end_;  // what goes on until then is given up
  std::set<Loop::Timer> timers_;
  Duration paused_{};
  std::uint32_t sent_ = 0;         // in the process of a client: requests
  bool waits_for_holder_ = false;  // the blow does
  bool has_struck_ = false;
  bool is_beyond_ = false;
  std::string trouble_;
};

}  // namespace holdfast::live
