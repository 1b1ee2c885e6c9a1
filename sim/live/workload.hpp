// What live clients do: each takes a lock, works, writes, gives it back, and begins again.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/live/connection.hpp"
#include "sim/live/live_clock.hpp"
#include "sim/live/live_store.hpp"
#include "sim/live/server_faults.hpp"
#include "sim/trace/trace.hpp"

namespace holdfast::live {

struct Workload {
  std::uint32_t clients = 8;
  std::uint32_t locks = 1;                            // client i uses lock i modulo this
  std::uint32_t connections = 1;                      // to each server; client i uses i modulo this
  Duration work = 5ms;                                // under the lock
  Duration retry = 10ms;                              // after an attempt that was not granted …
  std::optional<Duration> retry_late = std::nullopt;  // … or after this, at random
  std::uint32_t attempts = 0;                         // then a round is given up; 0: never
  Duration timeout = 500ms;                           // of a call
  std::uint32_t driver_retries = 0;                   // of a call without an answer
  std::string key_prefix;                             // of every key
  std::string unique;                                 // begins every token: no other run's tokens do
  std::uint64_t seed = 1;                             // of jitter
  std::optional<Duration> length = 5s;                // then nothing new begins
  std::optional<std::uint64_t> pairs = std::nullopt;  // after so many, nothing new begins

  // How long a key lives; empty: for as long as its holder renews it.
  std::optional<Duration> lease = std::nullopt;

  // By so much all clients' wall clocks differ from the machine's.
  Duration wall_shift{};

  // What goes wrong: crash, slow_section, clock_skew, what a proxy does, and what is done to servers that are
  // processes of ours.
  FaultSet faults;
  std::uint32_t one_in = 100;  // each strikes one in so many messages, sections or turns of 10 ms
  Duration fault_length = 2s;  // how long what is slow or late lasts, and how wrong a clock is

  std::uint32_t lock_of(ClientId client) const { return client.value % locks; }
};

struct Counters {
  std::uint64_t commands = 0;     // sent by clients
  std::uint64_t round_trips = 0;  // of clients; requests that leave together make one
};

// What the clients of a run have in common.
struct Site {
  Loop& loop;
  Trace& trace;
  const Workload& workload;
  const std::function<std::unique_ptr<Lock>()>& make;
  SteadyTime begin;                   // true time counts from here
  std::atomic<std::uint64_t>& begun;  // rounds
  Counters& counters;
  const std::function<void()>& before_send;
  std::uint32_t acquisitions_before = 0;
  std::uint32_t steps = 0;   // events so far
  bool is_stopping = false;  // nothing new begins
  FaultChance chance;

  Instant now() const { return Instant(steady_now() - begin); }
  // As many rounds have begun as should.
  bool is_done() const { return workload.pairs && begun.load(std::memory_order_relaxed) >= *workload.pairs; }
  // Whether one more round may begin; counts it.
  bool begin_round();
};

class LiveClient final : private Dispatch {
 public:
  // `site` and `connections`, one to each server, must outlive the client.
  LiveClient(Site& site, ClientId id, const std::vector<Connection*>& connections);
  void start();
  // The process dies; what it has sent may still land. It may be started again.
  void crash();
  bool is_down() const { return !program_; }
  bool is_finished() const { return is_down() || program_.is_done(); }
  // What the algorithm threw; empty if nothing. REQUIRES: is_finished().
  std::string error();

 private:
  Task<> run_program();
  Duration wait_before_next();
  void begin_acquiring();
  Duration begin_work();
  bool end_acquiring(const Attempt& attempt);
  template <class Kind>
  void emit(Kind what) {
    if (site_.trace.wants<Kind>())
      site_.trace.emit(Event{Step{++site_.steps}, site_.now(), actor_of(id_), std::move(what)});
  }
  void on_sent(NodeId node, const Call& call) override;

  Site& site_;
  const ClientId id_;
  const std::string key_;
  LiveClock clock_;
  LiveRandom random_;
  std::deque<LiveStore> nodes_;
  const std::vector<Store*> stores_;
  Env env_;
  std::unique_ptr<Lock> lock_;
  Acquisition acquisition_;
  Grant grant_;
  std::optional<std::uint64_t> last_turn_;  // of the loop, in which something was sent
  Task<> program_;                          // last: destroyed first
};

// How a run went, besides what its events tell.
struct RunFacts {
  Duration length{};  // until nothing new began
  std::uint64_t commands = 0;
  std::uint64_t round_trips = 0;
  std::uint32_t breaks = 0;   // how often a connection broke
  std::uint32_t cut_off = 0;  // clients that were still waiting when the run had to end
  std::string trouble;        // why a connection broke last
  std::string error;          // what an algorithm threw, if one did
  Strikes struck;
};

// Where one process performs a part of a run.
struct Part {
  std::uint32_t first = 0;                      // its first client
  std::atomic<std::uint64_t>* begun = nullptr;  // rounds of all processes; nullptr: there is but this one
  Counters* counters = nullptr;                 // kept there, too, even when the process is killed
  std::uint32_t acquisitions_before = 0;        // of its clients: theirs are numbered from the next on
  std::function<void()> before_send = nullptr;  // called before a request of a client leaves
  std::optional<Duration> beat = std::nullopt;  // looks so often whether the process stands still
  std::function<void(Duration)> on_stall = nullptr;  // it stood still for so long beyond a beat
};

// Runs the workload on these servers; its events go to `trace`. `make` is called for each client.
// `should_stop` is asked now and then: true begins the end.
RunFacts perform(const std::vector<Node>& nodes, const Workload& workload,
                 const std::function<std::unique_ptr<Lock>()>& make, Trace& trace,
                 const std::function<bool()>& should_stop, const Part& part = Part());

}  // namespace holdfast::live
