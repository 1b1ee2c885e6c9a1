// What a lock does when it is alone: before anything is explored, a rehearsal finds out which keys hold its
// grants, and how long they last.
//
// One client acquires and releases, in a world of its own, without faults, with messages that take no time.
// - Keys of the lock are those that it wrote before the grant, that stand at the grant, and that it changes
//   when it releases. Where these are several, a second client tries while the first one holds, and one of
//   them is taken away: the key that lets it in holds the grant, the others (queues, lists of leases) stand
//   beside it. Where none alone lets it in, all of them hold the grant.
//   If a lock lets every client in, they are those that its last command before the grant wrote.
//   A release that leaves something, and after which a second client is refused all the same, has not freed
//   all: then keys that it does not change count, too. Where one of them stands and the second client is let
//   in, a key that stands says nothing (LockFacts::why_never_gone).
// - A second client asks while the first one holds. What it writes to these keys and leaves there what the
//   first one wrote, is beside a grant, and takes it from nobody. A field of a hash that it writes anew, and
//   others stay, holds no grant (a count of refusals, the time of the last try), unless it names its writer.
// - The lease is the longest time to live of these keys at the grant; where they have none, what the grant
//   says; where it says nothing, what was asked for (the parameter "ttl"). A second grant follows the first
//   release: a lock may change its lease from one to the next.
// A card that names its keys (Card::keys) is believed.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/core/vocabulary.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/stores/kinds.hpp"
#include "sim/world/lock_facts.hpp"

namespace holdfast {

// What is known of the lock in `scenario`: of every name that clients lock, with the parameters that they
// have. Throws BadParameter, BadCard.
LockFacts rehearse(const Scenario& scenario, const Card& card, stores::Kinds& kinds);

// How long grants of a lock last.
struct Leases {
  std::optional<Duration> longest;  // empty: unknown, or for ever
  std::optional<Duration> shortest;
  // Within which a lock is owed to others: the longest, unless the lock follows what it is asked for and
  // takes more (milliseconds for seconds).
  std::optional<Duration> owed;
  // What was asked for, where something else was seen: the option, the card or the file does not say the
  // lease. Locks that count whole seconds round to them.
  std::optional<Duration> asked_in_vain;
  // It follows what it is asked for, and takes less (seconds for milliseconds): its user works as long as the
  // lease that was asked for allows.
  bool falls_short = false;
};
Leases leases_in(const Scenario& scenario, const Card& card);
// The longest alone.
std::optional<Duration> lease_in(const Scenario& scenario, const Card& card);
// What is said of owners of keys.
inline constexpr std::array about_owners{Property::owner_only_release, Property::owner_only_change,
                                         Property::truthful_release};
// Whether clients that are refused write to its keys, too, beside what is the holder's.
bool are_keys_shared(const Scenario& scenario, const Card& card);

// Whether the lock does the same, alone, where every message takes `delay` and no call gives up: no time
// constant of its own is shorter than that.
bool bears(const Scenario& scenario, const Card& card, Duration delay);

// The keys that hold grants of it in a scenario like this, where NAME stands for the name of the lock. Not
// empty.
std::vector<std::string> key_patterns(Scenario scenario, const Card& card);
// The key of the lock of this name.
std::string key_of(std::string_view pattern, std::string_view name);

}  // namespace holdfast
