// What a hunt is after: cells whose verdicts it tests in reality, and what it has seen of each.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/commands.hpp"
#include "sim/cli/session.hpp"
#include "sim/explore/explore.hpp"
#include "sim/live/hunt.hpp"

namespace holdfast::cli {

// What one tick takes in real time, tried in this order: the next one if the lock behaves otherwise with
// times so short, for it counts in whole seconds, or if this machine does not keep to them. With the last
// one, the times are those of the comparison.
inline constexpr std::array<Duration, 4> hunted_ticks{100ms, 250ms, 500ms, 1s};

// What one run violates that no earlier one did.
struct Violation {
  std::uint64_t run = 0;
  std::string blow;
  std::vector<Finding> findings;
  std::vector<Event> events;  // until the last of them
};

struct Prey {
  const Card* card;
  Fault fault;
  Scenario scenario;
  PropertySet hunted;  // properties that were not found violated yet
  PropertySet all;
  Exploration explored = {};
  std::size_t next_tick = 0;  // the first of hunted_ticks that was not tried yet
  std::optional<Duration> tick = std::nullopt;
  live::Quarry quarry = {};
  Duration time_given{};
  std::uint64_t runs_at_tick = 0;  // within the bounds, with this tick
  std::uint64_t beyond_at_tick = 0;
  std::uint64_t runs = 0;  // within the bounds
  std::uint64_t beyond = 0;
  std::uint64_t struck = 0;
  std::uint64_t grants = 0;
  std::string trouble = {};
  std::vector<Violation> violations = {};
};

// A hunt goes on one store at a time: on Redis, if any of the locks is on Redis.
StoreKind hunted_store(const std::vector<const Card*>& cards);

// For each that has no tick, the next one with which its lock behaves as it does in the comparison.
void choose_ticks(const Threads& options, std::vector<Prey>& prey, Session& session);

// Every cell that can be hunted, with what the comparison says of it.
std::vector<Prey> prey_of(const HuntOptions& options, Session& session);

}  // namespace holdfast::cli
