// What real locks cost beside plain hiredis, on the same server in the same run: one table for `holdfast
// bench live` and Google Benchmark.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/live/address.hpp"
#include "sim/live/raw.hpp"
#include "sim/live/workload.hpp"

namespace holdfast::bench {

struct LiveCase {
  enum class Kind : std::uint8_t {
    blocking,     // SET with hiredis' blocking interface, one after the other
    round_trip,   // SET on one asynchronous connection, one after the other
    pipelined,    // SET on one asynchronous connection, live_depth at a time
    uncontended,  // acquire and release by one client
    contended,    // acquire and release by contenders of one lock, without work
    shared,       // acquire and release by live_depth clients of as many locks on one connection
  };
  std::string name;
  Kind kind;
  const Card* card = nullptr;  // of a lock

  bool is_lock() const { return card != nullptr; }
};
inline constexpr std::uint32_t live_depth = 64;
inline constexpr std::uint32_t contenders = 8;

// raw/set/blocking, raw/set/round-trip, raw/set/pipelined-64, and for each lock on Redis LOCK/uncontended,
// LOCK/contended-8 and LOCK/pipelined-64.
std::vector<LiveCase> live_cases();

struct LiveMeasurement {
  std::uint64_t count = 0;     // of pairs of acquire and release, or of SET
  std::uint64_t commands = 0;  // that it took
  double seconds = 0;
  double micros_per_count() const { return seconds * 1e6 / static_cast<double>(count); }
};
// Executes the case `count` times. `key_prefix` begins every key that locks use.
// A lock on several servers uses as many of `nodes` as it asks for, everything else the first.
LiveMeasurement execute(const LiveCase& live_case, const std::vector<live::Node>& nodes,
                        const std::string& key_prefix, std::uint64_t count);
// How many servers the case takes.
std::size_t servers_of(const LiveCase& live_case);

// What the lock sends for one pair without contention, to all servers.
live::Commands commands_of(const Card& card, const std::vector<live::Node>& nodes,
                           const std::string& key_prefix);
// The same commands to one server, by plain hiredis: as many at a time as the case has.
LiveMeasurement execute_plain(const LiveCase& live_case, const live::Commands& commands,
                              const live::Address& address, std::uint64_t count);

}  // namespace holdfast::bench
