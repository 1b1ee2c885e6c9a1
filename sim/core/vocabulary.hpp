// The words that every room shares: faults, properties, beliefs, verdicts. An id is what users type and files
// contain.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/core/fault_table.hpp"
#include "sim/core/set_of.hpp"

namespace holdfast {

// What a lock should guarantee. One file each in sim/check.
enum class Property : std::uint8_t {
  mutual_exclusion,    // no two incompatible claims at once
  no_stale_write,      // no write lands after a later grant
  fenced_writes,       // the resource never accepts a lower token after a higher one
  fence_order,         // a grant whose key was written later has the greater number
  rightful_write,      // the resource does not refuse a write of the holder
  no_lost_update,      // read-modify-write on the resource loses nothing
  owner_only_release,  // no client removes another's current grant
  owner_only_change,   // no client changes another's current grant in any other way
  truthful_release,    // release does not report success for a lock that was lost
  release_frees,       // what a released or refused client wrote does not keep others out
  recovery,            // after the last fault the lock can be acquired within the bound
  progress,            // a client that waits, or comes back, gets a free lock within the bound
  availability,        // a new client gets the lock although one of several servers never answers
  livelock,            // clients do not ask for ever without any grant
  bounded_bypass,      // a waiter is overtaken at most k times
  reentrancy,          // a holder may acquire again
  single_fill,         // one backend fetch per cache miss
  once_per_period,     // the job of a period is done once, if a client is there
};
inline constexpr std::array<std::string_view, 18> property_ids{
    "mutual-exclusion", "no-stale-write",     "fenced-writes",     "fence-order",      "rightful-write",
    "no-lost-update",   "owner-only-release", "owner-only-change", "truthful-release", "release-frees",
    "recovery",         "progress",           "availability",      "livelock",         "bounded-bypass",
    "reentrancy",       "single-fill",        "once-per-period"};

// When does a client believe that it holds the lock? Always from the return of acquire() until release() is
// called, and:
enum class Belief : std::uint8_t {
  until_release,          // nothing else ends it
  deadline_from_request,  // … nor beyond the lease, counted from when the granting request was sent
  deadline_from_reply,    // … nor beyond the lease, counted from when the granting reply arrived
  notified,               // … nor after the lock told the client that it was lost
};
inline constexpr std::array<std::string_view, 4> belief_ids{"until-release", "deadline-from-request",
                                                            "deadline-from-reply", "notified"};

enum class Verdict : std::uint8_t {
  holds,           // every schedule within the bounds was explored
  sampled,         // none found in a sample; not a proof
  violated,        // with the shortest tape found
  unknown,         // the budget ended first
  hollow,          // explored, but never came to where it could have broken: no reason to believe anything
  not_applicable,  // the fault cannot strike this lock, or the property says nothing about it
};
inline constexpr std::array<std::string_view, 6> verdict_ids{"holds",   "sampled", "violated",
                                                             "unknown", "hollow",  "not-applicable"};

// What a run comes to. A verdict is worth something only where runs came to what its fault and its property
// are about (sim/scenario/specification). To ask is to have a request of acquire() carried out before the
// calm phase; where faults may strike, after the first has. So it is with what landed late.
enum class Situation : std::uint8_t {
  granted,           // a client was granted the lock before the calm phase
  contended,         // a client asked while another held the lock, or its key stood
  outlived,          // … whose first lease was over, or had been renewed, or has no end
  bereft,            // … whose key the server had lost
  orphaned,          // a client asked while a key stood whose client was dead or had stopped waiting
  landed_late,       // a request without a waiter was carried out while another's key existed
  keyed,             // a key of the lock's was written
  wrote,             // a client wrote to the resource
  released,          // a call of release() ended
  lease_ended,       // a key expired while its client believed that it held the lock
  gave_up,           // a client stopped waiting for a reply
  arrived_late,      // a request was carried out after its client gave up
  recovered,         // the calm phase ended with a grant
  sent_again,        // a driver sent a request again
  held_to_release,   // release() was called while the key of its grant stood
  released_at_rest,  // a call of release() ended and left nothing, or left it to stay
};
inline constexpr std::array<std::string_view, 16> situation_ids{
    "granted",   "contended",  "outlived",        "bereft",          "orphaned", "landed-late",
    "keyed",     "wrote",      "released",        "lease-ended",     "gave-up",  "arrived-late",
    "recovered", "sent-again", "held-to-release", "released-at-rest"};

// Exclusive claims clash with every claim; shared claims clash with exclusive ones.
enum class Mode : std::uint8_t { exclusive, shared };
inline constexpr std::array<std::string_view, 2> mode_ids{"exclusive", "shared"};

// What a lock runs on.
enum class StoreKind : std::uint8_t {
  redis,
  shared_dict,  // memory that the worker processes of one nginx share (ngx.shared.DICT)
  postgres,
  etcd,
  zookeeper,
};
inline constexpr std::array<std::string_view, 5> store_kind_ids{"redis", "shared-dict", "postgres", "etcd",
                                                                "zookeeper"};
// What its nodes are called; # is their number, counted from one.
inline constexpr std::array<std::string_view, 5> node_words{"redis-#", "nginx shared memory", "postgres-#",
                                                            "etcd-#", "zookeeper-#"};

// What people call it.
inline constexpr std::array<std::string_view, 5> store_names{"Redis", "nginx", "PostgreSQL", "etcd",
                                                             "ZooKeeper"};
static_assert(store_names.size() == store_kind_ids.size() && node_words.size() == store_kind_ids.size());

// What ends a lock that nobody releases.
enum class Tenure : std::uint8_t {
  lease,        // its time is over
  session,      // so is the connection of the client to the server
  transaction,  // so is the transaction that took it
};
inline constexpr std::array<std::string_view, 3> tenure_ids{"lease", "session", "transaction"};

constexpr std::string_view id_of(Property property) {
  return property_ids[static_cast<std::size_t>(property)];
}
constexpr std::string_view id_of(Belief belief) { return belief_ids[static_cast<std::size_t>(belief)]; }
constexpr std::string_view id_of(Verdict verdict) { return verdict_ids[static_cast<std::size_t>(verdict)]; }
constexpr std::string_view id_of(Situation it) { return situation_ids[static_cast<std::size_t>(it)]; }
constexpr std::string_view id_of(Mode mode) { return mode_ids[static_cast<std::size_t>(mode)]; }
constexpr std::string_view id_of(Tenure it) { return tenure_ids[static_cast<std::size_t>(it)]; }
constexpr std::string_view id_of(StoreKind kind) { return store_kind_ids[static_cast<std::size_t>(kind)]; }

// The enumerator whose id is `id`, e.g. from_id<Fault>(fault_ids, "pause").
template <class Enum, std::size_t N>
constexpr std::optional<Enum> from_id(const std::array<std::string_view, N>& ids, std::string_view id) {
  for (std::size_t i = 0; i < N; ++i)
    if (ids[i] == id) return static_cast<Enum>(i);
  return std::nullopt;
}

using PropertySet = SetOf<Property>;
using BeliefSet = SetOf<Belief>;
using SituationSet = SetOf<Situation>;

// What at least one run has met.
struct Reach {
  FaultSet struck;       // faults that struck and could make a difference
  FaultSet struck_held;  // … while a client held the lock, or a server kept its key
  SituationSet met;
  bool numbered = false;  // a grant had a fence
  bool operator==(const Reach&) const = default;

  constexpr void insert(const Reach& others) {
    struck.insert(others.struck);
    struck_held.insert(others.struck_held);
    met.insert(others.met);
    numbered |= others.numbered;
  }
};

}  // namespace holdfast
