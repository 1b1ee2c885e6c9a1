// Looks for violations in reality: clients that are processes take a lock on a private server, once, within
// the bounds of a simulated cell, and one fault strikes at random. Many runs at a time, for they wait mostly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/core/vocabulary.hpp"
#include "sim/live/usable_server.hpp"
#include "sim/live/workload.hpp"
#include "sim/trace/event.hpp"

namespace holdfast::live {

// What strikes runs that are hunted.
inline constexpr FaultSet hunted_faults = fault_table.by(Enactor::hunt);
// What is no Redis takes longer to begin anew than a message may, and drops no key.
constexpr FaultSet hunted_faults_on(StoreKind kind) {
  FaultSet faults = hunted_faults;
  if (kind != StoreKind::redis) faults.erase({Fault::restart, Fault::eviction});
  return faults;
}

// A lock under a fault, in real time: nothing may take longer, even on a busy machine.
struct Quarry {
  Fault fault = Fault::none;
  Duration tick{};  // of the simulator: a message travels for so long, one way, or for less
  std::uint32_t clients = 2;
  std::uint32_t rounds = 1;
  std::uint32_t attempts = 2;
  Duration work{};
  Duration retry{};
  Duration retry_late{};
  Duration timeout{};
  std::uint32_t driver_retries = 0;
  Duration fault_length{};  // at most
  Duration restart{};       // then a crashed client begins anew
  Duration recovery{};      // between the attempts of the new client in the end
  std::uint32_t recovery_attempts = 0;
  // The keys that hold grants of the lock of this name; none: it is not known what commands do to them.
  std::function<std::vector<std::string>(const std::string& name)> keys_of = [](const std::string& name) {
    return std::vector{name};
  };
  std::function<std::unique_ptr<Lock>()> make;
};

struct HuntedRun {
  std::vector<Event> events;
  std::string blow;         // what was done to the run, in words
  bool has_struck = false;  // the fault
  bool is_within = false;   // the bounds of the quarry
  std::string trouble;      // why it says nothing; empty if it does
};

class Hunter {
 public:
  // At most so many runs at a time: fewer where most go beyond their bounds. Each is on a private server of
  // its own; but on one, if nothing is done to servers of this kind. Throws NoServer. REQUIRES: no
  // dictionary.
  Hunter(StoreKind kind, std::size_t lanes, std::uint64_t seed);
  ~Hunter();
  Hunter(const Hunter&) = delete;

  const std::string& version() const { return version_; }
  // Does as few runs at a time as it ever does.
  bool is_slow() const;
  // Runs what `next` names until it names nothing (nullptr), and tells how each run went. When `should_stop`,
  // what is running is given up. REQUIRES: no other thread of this process executes anything, for it is
  // forked.
  void hunt(const std::function<const Quarry*()>& next,
            const std::function<void(const Quarry&, HuntedRun)>& done,
            const std::function<bool()>& should_stop);

 private:
  struct Lane;
  void note(const HuntedRun& run);

  std::deque<ServerForRun> servers_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::size_t lanes_used_ = 0;
  std::size_t seen_ = 0;    // runs, since the number of lanes was last judged
  std::size_t beyond_ = 0;  // of these
  std::string version_;
  std::uint64_t seed_;
  std::uint64_t runs_ = 0;  // that have begun
};

}  // namespace holdfast::live
