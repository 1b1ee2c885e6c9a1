// How much may happen in a run, and what clients do in it: the bounds that deepen, unless the user chooses
// them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/scenario/scenario.hpp"

namespace holdfast {

// What some locks can do beside what all can. Each is tried of the locks whose cards say that they can.
enum class Variant : std::uint8_t {
  usual,        // acquire() asks once, and clients ask again; work under a renewed lease is longer than it
  waiting,      // acquire() waits, as it does by default
  readers,      // the last client writes, the others read
  nested,       // the holder acquires it again
  short_work,   // work under a renewed lease ends before it
  unequal_ttl,  // the lease of the last client is twice as long
  digests,      // scripts go by their digests
  crowd,        // after the faults somebody asks at least twice within any lease
  server_away,  // one of several servers never answers
  in_step,      // clients ask without end, and their messages always take as long
};
inline constexpr std::array<std::string_view, 10> variant_ids{
    "usual",       "waiting", "readers", "nested",      "short-work",
    "unequal-ttl", "digests", "crowd",   "server-away", "in-step"};
// What is judged in it, unless the user asks for something else.
constexpr PropertySet properties_of(Variant variant) {
  using enum Property;
  switch (variant) {
    case Variant::crowd: return {recovery, progress};
    case Variant::server_away: return {availability};
    case Variant::in_step: return {livelock};
    default: break;
  }
  PropertySet properties;
  for (std::size_t i = 0; i < property_ids.size(); ++i) properties.insert(static_cast<Property>(i));
  properties.erase({availability, livelock});
  if (variant != Variant::nested) properties.erase(reentrancy);
  return properties;
}
// One property is judged in it that no other variant asks for, and no fault strikes.
constexpr bool is_of_its_own(Variant variant) {
  return variant == Variant::server_away || variant == Variant::in_step;
}
constexpr std::string_view id_of(Variant variant) { return variant_ids[static_cast<std::size_t>(variant)]; }

struct Scope {
  std::uint32_t clients = 2;
  std::uint32_t rounds = 1;    // 0: any number
  std::uint32_t attempts = 2;  // 0: any number
  std::uint32_t faults = 1;    // how many may strike
  Duration tick = 500ms;       // zero: time is dense
  Variant variant = Variant::usual;
  bool operator==(const Scope&) const = default;
  // Bounds nothing tighter than `other` does.
  bool contains(const Scope& other) const {
    return clients >= other.clients && are_as_many(rounds, other.rounds) &&
           are_as_many(attempts, other.attempts) && faults >= other.faults && tick <= other.tick &&
           variant == other.variant;
  }
  bool is_endless() const { return rounds == 0; }
  bool is_dense() const { return tick == Duration::zero(); }

 private:
  static bool are_as_many(std::uint32_t these, std::uint32_t those) {
    return these == 0 || (those != 0 && these >= those);
  }
};

// What a lock under a fault was explored within.
struct Within {
  Scope scope;
  Scenario scenario;             // empty where it was read from a file
  std::uint64_t states_max = 0;  // within how many it does not close, found or foreseen; 0: not known
  std::uint64_t states = 0;      // that were looked at
  std::uint64_t runs = 0;        // of a sample; 0: it was explored
  bool is_closed = false;        // every schedule was explored
};

}  // namespace holdfast
