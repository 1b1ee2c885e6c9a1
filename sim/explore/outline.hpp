// An abstract state, from which a search goes on without a world: the digests of its parts, and its pending
// events.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "sim/explore/run.hpp"
#include "sim/trace/digest.hpp"

namespace holdfast {

struct Outline {
  // As in Scheduled; times in microseconds from now.
  struct Event {
    Digest digest;
    std::uint32_t earliest = 0;
    std::uint32_t latest = 0;
    std::uint32_t client = 0;
    bool is_held_up = false;
    bool is_due() const { return earliest == 0 && !is_held_up; }
    bool operator==(const Event&) const = default;
  };

  Digest rest;
  Digest keys;                   // World::digest_of_keys()
  Digest all;                    // the sum of parts
  std::uint64_t mode = 0;        // Run::mode(): only a step that touches every client changes it
  std::uint64_t holders = 0;     // bit i: client i has a grant
  std::uint64_t unfinished = 0;  // bit i: client i has not come to the end of its program
  std::uint64_t owners = 0;      // bit i: client i owns a key
  bool is_calm = false;
  std::vector<Digest> parts;          // by client
  std::vector<Event> events;          // in the order in which the world looks at them
  std::vector<std::uint64_t> orders;  // by client: in what order its events come

  // The digest of the whole state.
  Digest digest() const { return mix(rest, all); }
  // The digest of everything that the event reads, if it concerns its client alone.
  Digest digest_of_step(const Event& event) const {
    const Digest step = sum(sum(rest, part_in_order(event.client)), sum(event.digest, keys));
    return (holders & ~bit(event.client)) != 0 ? sum(step, others_hold) : step;
  }
  Digest part_in_order(std::uint32_t client) const { return sum(parts[client], {orders[client], 0}); }
  // After a change of the events.
  void note_orders() {
    orders.assign(parts.size(), 0);
    for (const Event& each : events)
      orders[each.client] = std::rotl(orders[each.client], 1) + each.digest.high;
  }
  // The sum of all parts except the part of its client.
  Digest others(const Event& event) const { return difference(all, parts[event.client]); }
  bool is_something_due() const {
    return std::any_of(events.begin(), events.end(), [](const Event& each) { return each.is_due(); });
  }
  // No due event has to happen now.
  bool may_wait() const {
    const auto is_urgent = [](const Event& each) { return each.is_due() && each.latest == 0; };
    return !is_calm && std::none_of(events.begin(), events.end(), is_urgent);
  }
  // How long until an event becomes due, or has to happen; 0: never.
  std::uint32_t until_next() const {
    std::uint32_t next = 0;
    for (const Event& each : events) {
      const std::uint32_t at = each.earliest > 0 ? each.earliest : each.is_held_up ? 0 : each.latest;
      if (at > 0 && (next == 0 || at < next)) next = at;
    }
    return next;
  }
  // What is farther away is not in an outline.
  static constexpr Duration farthest{std::numeric_limits<std::uint32_t>::max()};
  // nullopt when it is too far away.
  static std::optional<Event> event_of(const World& world, const Scheduled& each) {
    const Duration earliest = std::max(Duration::zero(), each.earliest - world.now());
    const Duration latest = std::max(Duration::zero(), each.latest - world.now());
    if (earliest > farthest || latest > farthest) return std::nullopt;
    return Event{each.digest, static_cast<std::uint32_t>(earliest.count()),
                 static_cast<std::uint32_t>(latest.count()), each.client.value, world.is_held_up(each)};
  }
  static constexpr std::uint64_t bit(std::uint32_t client) { return std::uint64_t{1} << (client & 63); }

 private:
  static constexpr Digest others_hold = mix(Digest{}, 1);
};

// Fills `outline` with the state of a run at the last call of its digest(). False when steps read more than
// an outline holds; then `outline` is of no use. REQUIRES: the world has come to a choice.
bool draw(const Run& run, Outline& outline);

}  // namespace holdfast
