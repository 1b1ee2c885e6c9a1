// The checkers, which remember little, agree with the definitions, which look at the whole trace.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "sim/check/chaos_test.hpp"

namespace holdfast {
namespace {

using Events = std::vector<Event>;
using Kind = KeyChanged::Kind;

template <class T>
const T* as(const Event& event) {
  return std::get_if<T>(&event.what);
}

template <class T>
bool is_of(const Event& event, Acquisition who) {
  const T* const what = as<T>(event);
  return what != nullptr && what->acquisition == who;
}

bool ends_claim(const Event& event, Acquisition who) {
  const Crashed* const crashed = as<Crashed>(event);
  return is_of<Releasing>(event, who) || is_of<BeliefEnded>(event, who) ||
         (crashed != nullptr && crashed->client == who.client);
}
bool ends_asking(const Event& event, Acquisition who) {
  return is_of<Refused>(event, who) || ends_claim(event, who);
}

// Whether an event between the two, both excluded, is of the kind that `test` looks for.
template <class Test>
bool any_between(const Events& events, std::size_t from, std::size_t to, Test test) {
  for (std::size_t i = from + 1; i < to; ++i)
    if (test(events[i])) return true;
  return false;
}

bool is_write_by(const Event& event, Acquisition who) {
  const KeyChanged* const change = as<KeyChanged>(event);
  return change != nullptr && change->by == who &&
         (change->kind == Kind::created || change->kind == Kind::overwritten);
}

// Whether the grants at `one` and, later, at `other` are of two clients and clash.
bool are_rivals(const Events& events, std::size_t one, std::size_t other) {
  const Granted* const first = as<Granted>(events[one]);
  const Granted* const second = as<Granted>(events[other]);
  if (first == nullptr || second == nullptr) return false;
  const bool is_shared = first->mode == Mode::shared && second->mode == Mode::shared;
  return !is_shared && first->acquisition.client != second->acquisition.client;
}

bool breaks_mutual_exclusion(const Events& events, std::size_t now) {
  for (std::size_t i = 0; i < now; ++i)
    if (are_rivals(events, i, now) && !any_between(events, i, now, [&](const Event& event) {
          return ends_claim(event, as<Granted>(events[i])->acquisition);
        }))
      return true;
  return false;
}

bool breaks_no_stale_write(const Events& events, std::size_t now) {
  const Wrote* const wrote = as<Wrote>(events[now]);
  for (std::size_t i = 0; wrote != nullptr && i < now; ++i)
    for (std::size_t j = i + 1; j < now; ++j)
      if (is_of<Granted>(events[i], wrote->acquisition) && are_rivals(events, i, j)) return true;
  return false;
}

std::optional<std::uint64_t> fence_of(const Events& events, std::size_t write) {
  for (std::size_t i = 0; i < write; ++i)
    if (is_of<Granted>(events[i], as<Wrote>(events[write])->acquisition))
      return as<Granted>(events[i])->fence;
  return std::nullopt;
}

bool breaks_fenced_writes(const Events& events, std::size_t now) {
  if (as<Wrote>(events[now]) == nullptr) return false;
  const std::optional<std::uint64_t> fence = fence_of(events, now);
  for (std::size_t i = 0; fence && i < now; ++i)
    if (as<Wrote>(events[i]) != nullptr && fence_of(events, i) > fence) return true;
  return false;
}

bool breaks_no_lost_update(const Events& events, std::size_t now) {
  const Wrote* const wrote = as<Wrote>(events[now]);
  std::size_t read = now;
  for (std::size_t i = 0; wrote != nullptr && i < now; ++i)
    if (is_of<Read>(events[i], wrote->acquisition)) read = i;
  return any_between(events, read, now, [&](const Event& event) {
    return as<Wrote>(event) != nullptr && as<Wrote>(event)->acquisition != wrote->acquisition;
  });
}

// Whether the change at `harm` hits the acquisition that is granted at `grant`, before it or after it.
bool is_harmed(const Events& events, std::size_t harm, std::size_t grant) {
  const KeyChanged& change = *as<KeyChanged>(events[harm]);
  const Granted& granted = *as<Granted>(events[grant]);
  if (change.before != granted.acquisition || change.by == change.before) return false;
  if (granted.mode == Mode::shared) return false;
  if (events[harm].at > granted.lease_until) return false;
  if (grant < harm)
    return !any_between(events, grant, harm,
                        [&](const Event& event) { return ends_claim(event, change.before); });
  return !any_between(events, harm, grant, [&](const Event& event) {
    return ends_asking(event, change.before) || is_write_by(event, change.before);
  });
}

bool breaks_owner_only(const Events& events, std::size_t now, std::initializer_list<Kind> kinds) {
  const auto is_harm = [&](std::size_t i) {
    const KeyChanged* const change = as<KeyChanged>(events[i]);
    return change != nullptr && std::find(kinds.begin(), kinds.end(), change->kind) != kinds.end();
  };
  for (std::size_t i = 0; i < now; ++i) {
    if (is_harm(now) && as<Granted>(events[i]) != nullptr && is_harmed(events, now, i)) return true;
    if (is_harm(i) && as<Granted>(events[now]) != nullptr && is_harmed(events, i, now)) return true;
  }
  return false;
}

// True until something but its own command ended what stood there at the grant.
bool was_held(const Events& events, std::size_t grant, std::size_t end, Acquisition who) {
  Acquisition writer;
  for (std::size_t i = 0; i < end; ++i) {
    if (i == grant && writer != who) return false;
    const KeyChanged* const change = as<KeyChanged>(events[i]);
    if (change == nullptr) continue;
    writer = change->after;
    if (i < grant || change->before != who || change->after == who) continue;
    return change->by == who;
  }
  return true;
}

bool breaks_truthful_release(const Events& events, std::size_t now) {
  const Released* const released = as<Released>(events[now]);
  if (released == nullptr || released->result != Release::released) return false;
  for (std::size_t i = 0; i < now; ++i)
    if (is_of<Granted>(events[i], released->acquisition))
      return as<Granted>(events[i])->mode == Mode::exclusive &&
             !was_held(events, i, now, released->acquisition);
  return false;
}

bool breaks_recovery(const Events& events, std::size_t now) {
  if (as<Ended>(events[now]) == nullptr) return false;
  const auto calm =
      std::find_if(events.begin(), events.end(), [](const Event& event) { return as<Calm>(event); });
  return std::none_of(calm, events.end(), [&](const Event& event) {
    const Granted* const granted = as<Granted>(event);
    return granted != nullptr && granted->acquisition.client == as<Calm>(*calm)->probe;
  });
}

bool breaks(Property property, const Events& events, std::size_t now) {
  switch (property) {
    case Property::mutual_exclusion: return breaks_mutual_exclusion(events, now);
    case Property::no_stale_write: return breaks_no_stale_write(events, now);
    case Property::fenced_writes: return breaks_fenced_writes(events, now);
    case Property::no_lost_update: return breaks_no_lost_update(events, now);
    case Property::owner_only_release: return breaks_owner_only(events, now, {Kind::removed});
    case Property::owner_only_change:
      return breaks_owner_only(events, now, {Kind::overwritten, Kind::ttl_changed});
    case Property::truthful_release: return breaks_truthful_release(events, now);
    case Property::recovery: return breaks_recovery(events, now);
    default: throw std::invalid_argument("no definition here");
  }
}

const Bounds any_world{3, {Mode::exclusive, Mode::shared}, {-1s, 0s, 2s}, false, true, true};

const PropertySet eight = [] {
  PropertySet properties = six;
  properties.insert({Property::fenced_writes, Property::no_lost_update});
  return properties;
}();

// The step at which the trace first breaks each property that it breaks.
std::map<Property, std::uint32_t> by_definition(const Events& events) {
  std::map<Property, std::uint32_t> broken;
  for (std::size_t i = 0; i < property_ids.size(); ++i) {
    const auto property = static_cast<Property>(i);
    for (std::size_t now = 0; eight.contains(property) && now < events.size(); ++now)
      if (breaks(property, events, now) && broken.try_emplace(property, events[now].step.value).second) break;
  }
  return broken;
}

using Picks = std::vector<int>;

void compare_with_definitions(const Picks& picks, std::map<Property, std::uint32_t>& seen) {
  Chaos chaos(any_world, eight);
  for (const int pick : picks) {
    const std::vector<Move> moves = chaos.moves();
    if (moves.empty()) break;
    chaos.take(moves[static_cast<std::size_t>(pick) % moves.size()]);
  }
  std::map<Property, std::uint32_t> found;
  for (const Finding& finding : chaos.findings()) {
    found[finding.property] = finding.to.value;
    RC_ASSERT(finding.from < finding.to);
    RC_ASSERT(!finding.because.empty());
    ++seen[finding.property];
  }
  RC_ASSERT(found == by_definition(chaos.events()));
}

TEST(Checkers, AgreeWithTheDefinitionsOnWhenARandomRunFirstBreaksEachProperty) {
  std::map<Property, std::uint32_t> seen;
  const bool agree = rc::check([&] {
    const auto walk = rc::gen::container<Picks>(60, rc::gen::inRange(0, 1 << 16));
    for (const Picks& picks : *rc::gen::container<std::vector<Picks>>(10, walk))
      compare_with_definitions(picks, seen);
  });
  EXPECT_TRUE(agree);
  for (std::size_t i = 0; i < property_ids.size(); ++i) {
    const auto property = static_cast<Property>(i);
    if (!eight.contains(property)) continue;
    EXPECT_GE(seen[property], 10u) << "too seldom broken to tell anything: " << id_of(property);
  }
}

}  // namespace
}  // namespace holdfast
