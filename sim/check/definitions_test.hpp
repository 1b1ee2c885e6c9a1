// What the properties mean, said of a whole trace. The checkers, which remember little, are compared with it.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/check/release_definition_test.hpp"
#include "sim/core/vocabulary.hpp"
#include "sim/trace/event.hpp"

namespace holdfast::definitions {

inline bool is_write(const KeyChanged& change) {
  return change.kind == Kind::created || change.kind == Kind::overwritten;
}
inline bool is_write_by(const Event& event, Acquisition who) {
  const KeyChanged* const change = as<KeyChanged>(event);
  return change != nullptr && change->by == who && is_write(*change);
}

// Whether the grants at `one` and, later, at `other` are of two clients and clash.
inline bool are_rivals(const Events& events, std::size_t one, std::size_t other) {
  const Granted* const first = as<Granted>(events[one]);
  const Granted* const second = as<Granted>(events[other]);
  if (first == nullptr || second == nullptr) return false;
  const bool is_shared = first->mode == Mode::shared && second->mode == Mode::shared;
  return !is_shared && first->acquisition.client != second->acquisition.client;
}

// Those who hold it beside the client that is granted it now are too many, if `at_most` clients may.
inline bool breaks_mutual_exclusion(const Events& events, std::size_t now, std::uint32_t at_most) {
  std::set<ClientId> others;
  for (std::size_t i = 0; i < now; ++i)
    if (are_rivals(events, i, now) && !any_between(events, i, now, [&](const Event& event) {
          return ends_claim(event, as<Granted>(events[i])->acquisition);
        }))
      others.insert(as<Granted>(events[i])->acquisition.client);
  return others.size() >= at_most;
}

// A write that the resource has taken.
inline const Wrote* written_in(const Event& event) {
  const Wrote* const wrote = as<Wrote>(event);
  return wrote != nullptr && wrote->accepted ? wrote : nullptr;
}

inline bool breaks_no_stale_write(const Events& events, std::size_t now) {
  const Wrote* const wrote = written_in(events[now]);
  for (std::size_t i = 0; wrote != nullptr && i < now; ++i)
    for (std::size_t j = i + 1; j < now; ++j)
      if (is_of<Granted>(events[i], wrote->acquisition) && are_rivals(events, i, j)) return true;
  return false;
}

inline std::optional<std::uint64_t> fence_of(const Events& events, std::size_t write) {
  for (std::size_t i = 0; i < write; ++i)
    if (is_of<Granted>(events[i], as<Wrote>(events[write])->acquisition))
      return as<Granted>(events[i])->fence;
  return std::nullopt;
}

inline bool breaks_fenced_writes(const Events& events, std::size_t now) {
  if (written_in(events[now]) == nullptr) return false;
  const std::optional<std::uint64_t> fence = fence_of(events, now);
  for (std::size_t i = 0; fence && i < now; ++i)
    if (written_in(events[i]) != nullptr && fence_of(events, i) > fence) return true;
  return false;
}

// The last write of a key of the first server by the acquisition that is granted at `grant`, before that.
inline std::optional<std::size_t> written_before(const Events& events, std::size_t grant) {
  for (std::size_t i = grant; i-- > 0;)
    if (is_write_by(events[i], as<Granted>(events[grant])->acquisition) &&
        as<KeyChanged>(events[i])->node == NodeId{0})
      return i;
  return std::nullopt;
}

inline bool is_numbered(const Event& event) {
  const Granted* const granted = as<Granted>(event);
  return granted != nullptr && granted->mode == Mode::exclusive && granted->fence;
}

inline bool breaks_fence_order(const Events& events, std::size_t now) {
  if (!is_numbered(events[now])) return false;
  const auto written = written_before(events, now);
  for (std::size_t i = 0; written && i < now; ++i) {
    const auto other = is_numbered(events[i]) ? written_before(events, i) : std::nullopt;
    if (!other) continue;
    const std::uint64_t newer = *as<Granted>(events[*other < *written ? now : i])->fence;
    const std::uint64_t older = *as<Granted>(events[*other < *written ? i : now])->fence;
    if (newer <= older) return true;
  }
  return false;
}

// Whether the change takes from `who` what stood for it at the key. Others may have parts of the value, too,
// and its end may be set by anybody.
inline bool takes_from(const KeyChanged& change, Acquisition who) {
  if (change.before != who || change.kind == Kind::ttl_changed) return false;
  return change.kind != Kind::overwritten || change.by != who || change.after != who;
}

// Whether what stood for it at the grant stands all the time until `end`, on one server at least, or until
// its own command ends it, if it `may_end_it`. What a failover brings back is another's.
inline bool stands(const Events& events, std::size_t grant, std::size_t end, Acquisition who,
                   bool may_end_it) {
  std::set<NodeId> nodes;  // where it stands
  for (std::size_t i = 0; i < end; ++i) {
    if (i == grant && nodes.empty()) return false;
    const KeyChanged* const change = as<KeyChanged>(events[i]);
    if (change == nullptr) continue;
    if (takes_from(*change, who) && nodes.erase(change->node) != 0 && i > grant) {
      if (change->by == who) return may_end_it;
      if (nodes.empty()) return false;
    }
    if (i < grant && is_write_by(events[i], who)) nodes.insert(change->node);
  }
  return true;
}

inline bool breaks_rightful_write(const Events& events, std::size_t now) {
  const Wrote* const wrote = as<Wrote>(events[now]);
  if (wrote == nullptr || wrote->accepted) return false;
  for (std::size_t i = 0; i < now; ++i) {
    if (!is_of<Granted>(events[i], wrote->acquisition)) continue;
    if (as<Granted>(events[i])->mode == Mode::shared || !stands(events, i, now, wrote->acquisition, false))
      return false;
    for (std::size_t j = i + 1; j < now; ++j)
      if (are_rivals(events, i, j) || ends_claim(events[j], wrote->acquisition)) return false;
    return true;
  }
  return false;
}

inline bool breaks_no_lost_update(const Events& events, std::size_t now) {
  const Wrote* const wrote = written_in(events[now]);
  std::size_t read = now;
  for (std::size_t i = 0; wrote != nullptr && i < now; ++i)
    if (is_of<Read>(events[i], wrote->acquisition) && as<Read>(events[i])->accepted) read = i;
  return any_between(events, read, now, [&](const Event& event) {
    return written_in(event) != nullptr && written_in(event)->acquisition != wrote->acquisition;
  });
}

// Whether the change at `harm` hits the acquisition that is granted at `grant`, before it or after it.
inline bool is_harmed(const Events& events, std::size_t harm, std::size_t grant) {
  const KeyChanged& change = *as<KeyChanged>(events[harm]);
  const Granted& granted = *as<Granted>(events[grant]);
  if (change.before != granted.acquisition || change.by == change.before) return false;
  if (granted.mode == Mode::shared) return false;
  if (events[harm].at > lease_end(events, grant, harm)) return false;
  if (grant < harm)
    return !any_between(events, grant, harm,
                        [&](const Event& event) { return ends_claim(event, change.before); });
  return !any_between(events, harm, grant, [&](const Event& event) {
    return ends_asking(event, change.before) || is_write_by(event, change.before);
  });
}

// An overwritten key of which nothing is the writer's afterwards has lost something, and gained nothing.
inline bool breaks_owner_only(const Events& events, std::size_t now, std::initializer_list<Kind> kinds) {
  const auto is_harm = [&](std::size_t i) {
    const KeyChanged* const change = as<KeyChanged>(events[i]);
    if (change == nullptr) return false;
    const bool is_by_owner = !change->by.is_nobody() && change->by.client == change->before.client;
    if (change->kind == Kind::ttl_changed && is_by_owner) return false;
    const bool is_loss = change->kind == Kind::overwritten && change->after != change->by;
    const Kind kind = is_loss ? Kind::removed : change->kind;
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  };
  for (std::size_t i = 0; i < now; ++i) {
    if (is_harm(now) && as<Granted>(events[i]) != nullptr && is_harmed(events, now, i)) return true;
    if (is_harm(i) && as<Granted>(events[now]) != nullptr && is_harmed(events, i, now)) return true;
  }
  return false;
}

inline bool breaks_truthful_release(const Events& events, std::size_t now) {
  const Released* const released = as<Released>(events[now]);
  if (released == nullptr || released->result != Release::released) return false;
  for (std::size_t i = 0; i < now; ++i)
    if (is_of<Granted>(events[i], released->acquisition))
      return as<Granted>(events[i])->mode == Mode::exclusive &&
             !stands(events, i, now, released->acquisition, true);
  return false;
}

// Whether the new client that tried at the end tried in vain.
inline bool is_unrecovered(const Events& events, std::size_t now) {
  if (as<Ended>(events[now]) == nullptr) return false;
  const auto calm =
      std::find_if(events.begin(), events.end(), [](const Event& event) { return as<Calm>(event); });
  if (calm == events.end()) return false;
  return std::none_of(calm, events.end(), [&](const Event& event) {
    const Granted* const granted = as<Granted>(event);
    return granted != nullptr && granted->acquisition.client == as<Calm>(*calm)->probe;
  });
}

inline bool is_server_away(const Events& events) {
  return std::any_of(events.begin(), events.end(), [](const Event& event) {
    const Partitioned* const cut = as<Partitioned>(event);
    return cut != nullptr && cut->until == never;
  });
}

inline bool breaks_recovery(const Events& events, std::size_t now) {
  return is_unrecovered(events, now) && !is_server_away(events);
}
inline bool breaks_availability(const Events& events, std::size_t now) {
  return is_unrecovered(events, now) && is_server_away(events);
}

inline bool is_granted_between(const Events& events, std::size_t from, std::size_t to, ClientId who) {
  return any_between(events, from, to, [&](const Event& event) {
    const Granted* const granted = as<Granted>(event);
    return granted != nullptr && granted->acquisition.client == who;
  });
}

// Who was stuck while no new client tried in vain; who came back, and nobody was granted the lock until the
// next one came, or the end.
inline bool breaks_progress(const Events& events, std::size_t now) {
  if (as<Stuck>(events[now]) != nullptr) {
    for (std::size_t i = 0; i < now; ++i)
      if (const Calm* const calm = as<Calm>(events[i]))
        return is_granted_between(events, i, now, calm->probe);
    return true;
  }
  if (as<CameBack>(events[now]) == nullptr && as<Ended>(events[now]) == nullptr) return false;
  for (std::size_t i = now; i-- > 0;)
    if (as<CameBack>(events[i]) != nullptr)
      return std::none_of(events.begin() + i, events.begin() + now,
                          [](const Event& event) { return as<Granted>(event) != nullptr; });
  return false;
}

// Those that speak of the only holder of a lock, or of the only owner of a key, say nothing of a semaphore.
inline constexpr PropertySet of_any_number{Property::mutual_exclusion, Property::recovery, Property::progress,
                                           Property::availability};

inline bool breaks(Property property, const Events& events, std::size_t now, std::uint32_t at_most) {
  if (at_most > 1 && !of_any_number.contains(property)) return false;
  switch (property) {
    case Property::mutual_exclusion: return breaks_mutual_exclusion(events, now, at_most);
    case Property::no_stale_write: return breaks_no_stale_write(events, now);
    case Property::fenced_writes: return breaks_fenced_writes(events, now);
    case Property::fence_order: return breaks_fence_order(events, now);
    case Property::rightful_write: return breaks_rightful_write(events, now);
    case Property::no_lost_update: return breaks_no_lost_update(events, now);
    case Property::owner_only_release: return breaks_owner_only(events, now, {Kind::removed});
    case Property::owner_only_change:
      return breaks_owner_only(events, now, {Kind::overwritten, Kind::ttl_changed});
    case Property::truthful_release: return breaks_truthful_release(events, now);
    case Property::release_frees: return breaks_release_frees(events, now);
    case Property::recovery: return breaks_recovery(events, now);
    case Property::progress: return breaks_progress(events, now);
    case Property::availability: return breaks_availability(events, now);
    default: throw std::invalid_argument("no definition here");
  }
}

// Who has a part of the value of a key is told of all that is done to it, and nobody else. Who lost one part
// may have another. Of those whose parts a failover brings back, one is named.
inline bool tells_every_owner(const Events& events) {
  std::map<std::pair<NodeId, std::string>, std::set<Acquisition>> owners, robbed;
  std::set<std::pair<NodeId, std::string>> restored;
  for (const Event& event : events) {
    const KeyChanged* const change = as<KeyChanged>(event);
    if (change == nullptr) continue;
    const std::pair<NodeId, std::string> key{change->node, change->key};
    std::set<Acquisition>& here = owners[key];
    if (change->kind == Kind::restored) restored.insert(key);
    if (change->kind == Kind::created && restored.erase(key) != 0) here.clear();
    if (restored.contains(key)) continue;
    if (change->kind == Kind::created && !here.empty()) return false;
    if (change->kind == Kind::created) robbed[key].clear();
    if (robbed[key].erase(change->before) != 0) here.insert(change->before);
    if (!change->before.is_nobody() && !here.contains(change->before)) return false;
    if (takes_from(*change, change->before) && change->after != change->before)
      if (here.erase(change->before) != 0) robbed[key].insert(change->before);
    if (is_write(*change) && change->after == change->by) here.insert(change->after);
    if (!change->after.is_nobody() && !here.contains(change->after)) return false;
  }
  return true;
}

// Those that have a definition here.
inline constexpr PropertySet all{
    Property::mutual_exclusion,   Property::no_stale_write,    Property::fenced_writes,
    Property::fence_order,        Property::rightful_write,    Property::no_lost_update,
    Property::owner_only_release, Property::owner_only_change, Property::truthful_release,
    Property::release_frees,      Property::recovery,          Property::progress,
    Property::availability};

// Which properties the events from `first` on break. `at_most` clients may hold the lock at once.
inline std::set<Property> broken_since(const Events& events, std::size_t first, std::uint32_t at_most) {
  std::set<Property> broken;
  for (std::size_t i = 0; i < property_ids.size(); ++i)
    for (std::size_t now = first; all.contains(static_cast<Property>(i)) && now < events.size(); ++now)
      if (breaks(static_cast<Property>(i), events, now, at_most)) broken.insert(static_cast<Property>(i));
  return broken;
}

// What of a trace the definitions may still ask for, if nothing is to be judged any more of acquisitions
// whose name is empty. Clocks, and when something happened, matter only where clocks are read.
template <class World>
std::string remembered(const Events& events, const World& world, bool is_timed) {
  std::string text;
  std::set<std::string> calls;  // in no order of time
  for (const Event& event : events) {
    std::string line;
    bool is_open = false;
    const auto add = [&](std::string_view word, Acquisition it) {
      is_open |= !it.is_nobody() && !world.name(it).empty();
      line.append(word).append(name_of(it.client)).append(it.is_nobody() ? "nobody" : world.name(it));
    };
    if (const auto* const it = as<Granted>(event)) {
      add(it->mode == Mode::shared ? " shares " : " holds ", it->acquisition);
      line += " " + std::to_string(it->fence.value_or(0)) + " until " +
              std::to_string(world.since(it->lease_until));
    }
    if (const auto* const it = as<Wrote>(event))
      add(it->accepted ? " wrote " : " wrote in vain ", it->acquisition);
    if (const auto* const it = as<ClockSkewed>(event); it != nullptr && is_timed)
      line = " set by " + std::to_string(it->by.count()) + " " + name_of(it->client);
    bool is_for_ever = !line.empty();
    if (const auto* const it = as<Read>(event))
      add(it->accepted ? " read " : " read in vain ", it->acquisition);
    if (const auto* const it = as<Releasing>(event)) add(" gives back ", it->acquisition);
    if (const auto* const it = as<BeliefEnded>(event)) add(" believes no more ", it->acquisition);
    if (const auto* const it = as<KeyChanged>(event)) {
      line = " " + it->key + std::to_string(static_cast<int>(it->kind));
      add(" by ", it->by);
      add(" from ", it->before);
      add(" to ", it->after);
      is_for_ever |= std::any_of(events.begin(), events.end(), [&](const Event& each) {
        return is_numbered(each) && as<Granted>(each)->acquisition == it->by;
      });
    }
    if (const auto* const it = as<Acquiring>(event); it != nullptr && !world.name(it->acquisition).empty())
      calls.insert(world.name(it->acquisition) + text_of_call(events, it->acquisition));
    if (!is_open && !is_for_ever) continue;
    text += line + (is_timed ? " at " + std::to_string(world.since(event.at)) : "");
  }
  for (const std::string& call : calls) text += " call of " + call;
  return text;
}

// The step at which the trace first breaks each property that it breaks.
inline std::map<Property, Step> broken_by(const Events& events, std::uint32_t at_most) {
  std::map<Property, Step> broken;
  for (std::size_t i = 0; i < property_ids.size(); ++i) {
    const auto property = static_cast<Property>(i);
    for (std::size_t now = 0; all.contains(property) && now < events.size(); ++now)
      if (breaks(property, events, now, at_most) && broken.try_emplace(property, events[now].step).second)
        break;
  }
  return broken;
}

}  // namespace holdfast::definitions
