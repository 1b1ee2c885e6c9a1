// What happened, as values. Words are made in reports/story.cpp; judgements in sim/check.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/core/reply.hpp"
#include "sim/core/units.hpp"

namespace holdfast {

inline constexpr Instant never = Instant::max();

// A line of source code: the awaiting line of an algorithm. `file` lives for ever (a string literal).
struct SourceLine {
  const char* file = "";
  std::uint32_t line = 0;
  bool operator==(const SourceLine& other) const {
    return line == other.line && std::string_view(file) == other.file;
  }
  bool operator<(const SourceLine& other) const {
    const std::string_view mine = file;
    return mine != other.file ? mine < other.file : line < other.line;
  }
};

// --- what clients do ---

// The client's program begins (again, after a crash). Its wall clock then shows true time + `wall_offset`.
struct Started {
  ClientId client;
  Duration wall_offset{};
};
// acquire() is called.
struct Acquiring {
  Acquisition acquisition;
  std::string key;
  Mode mode = Mode::exclusive;
};
// acquire() returned a grant: from here on the client believes that it holds the lock.
struct Granted {
  Acquisition acquisition;
  Mode mode = Mode::exclusive;
  // True time at which the lease ends by the rules of the algorithm (a wall-clock lease counted by the
  // client's own clock). `never` when its end is left to the TTL in the store, or when there is none.
  Instant lease_until = never;
  std::optional<std::uint64_t> fence;
  std::string token;
};
// acquire() returned without a grant.
struct Refused {
  Acquisition acquisition;
  Attempt::Kind kind = Attempt::Kind::refused;
  std::string why;
};
// The client does guarded work; it will take `length`.
struct Working {
  Acquisition acquisition;
  Duration length{};
};
// A guarded write reached the resource.
struct Wrote {
  Acquisition acquisition;
  bool accepted = true;
};
// The belief ended by itself, before release() was called.
struct BeliefEnded {
  Acquisition acquisition;
  Belief why = Belief::deadline_from_request;
};
// release() is called: from here on the client no longer believes that it holds the lock.
struct Releasing {
  Acquisition acquisition;
};
// release() returned.
struct Released {
  Acquisition acquisition;
  Release result = Release::unknown;
};
// The holder called acquire() once more, and it returned.
struct AcquiredAgain {
  Acquisition acquisition;
  Attempt::Kind kind = Attempt::Kind::granted;
  std::string why;  // empty when granted
};
// release() of what was acquired again returned; the client still believes that it holds the lock.
struct ReleasedAgain {
  Acquisition acquisition;
  Release result = Release::unknown;
};
// The client looked into the cache.
struct LookedUp {
  ClientId client;
  bool is_hit = false;
};
// The client asks the backend for what the cache lacks; it will take `length`.
struct Fetching {
  Acquisition acquisition;
  Duration length{};
};
// What was fetched is in the cache.
struct Stored {
  Acquisition acquisition;
};
// The client's program has come to this period, the first being 0: its clock says so.
struct PeriodBegun {
  ClientId client;
  std::uint32_t period = 0;
};
// The client begins what is to be done once in this period; it will take `length`.
struct JobBegun {
  Acquisition acquisition;
  std::uint32_t period = 0;
  Duration length{};
};
struct JobDone {
  Acquisition acquisition;
  std::uint32_t period = 0;
};
// The client's program has done in this period what it does, whether it was granted the lock or not.
struct PeriodOver {
  ClientId client;
  std::uint32_t period = 0;
};
struct Slept {
  ClientId client;
  Duration length{};
};
// The program ended by itself. An exception that left the algorithm is a finding; `error` is its text.
struct Finished {
  ClientId client;
  std::string error;
};

// --- messages ---

// A request leaves its client. Belongs to `acquisition` (none outside one).
struct Sent {
  MessageId message;
  NodeId node;
  Acquisition acquisition;
  std::vector<std::string> argv;  // only in recorded traces
  SourceLine where;
};
// The server carried a request out. `reply` is lost when the command waits for its answer.
struct Executed {
  MessageId message;
  NodeId node;
  Acquisition acquisition;
  Reply reply;  // only in recorded traces
};
// The server sends what it was not asked for just now: the answer to a command that had to wait (then
// `message` is its request), or a message of a channel to `acquisition`'s client.
struct Pushed {
  MessageId message;
  NodeId node;
  Acquisition acquisition;
  Reply reply;  // only in recorded traces
};
// A reply reached its client.
struct Delivered {
  MessageId message;
  Acquisition acquisition;
  Reply reply;  // only in recorded traces
};
// The client stopped waiting: its call came back as lost, or its driver sends the request again.
struct GaveUp {
  MessageId message;
  Acquisition acquisition;
  bool is_repeated = false;
};
// A reply arrived after its client had given up or died.
struct Ignored {
  MessageId message;
};

// --- the store, seen from inside ---

// A key that may be a lock changed. `by`: whose command did it (none: time, or a restart). `before`: of whom
// something that stood there is gone, or has another expiry; there is an event for each, if they are several.
// `after`: of whom something stands there now; that is `by`, if it has a part of it.
struct KeyChanged {
  enum class Kind : std::uint8_t {
    created,      // was absent
    overwritten,  // has another value
    removed,      // by a command
    expired,      // by time
    lost,         // by a restart, failover or eviction
    ttl_changed,  // same value, other expiry
    restored,     // by a failover to a replica that has an older value
  };
  NodeId node;
  std::string key;
  Kind kind = Kind::created;
  Acquisition by;
  Acquisition before;
  Acquisition after;
  std::string value;           // after the change; only in recorded traces
  Instant expires_at = never;  // after the change: the last millisecond in which the key is alive
};

// --- faults ---

struct Crashed {
  ClientId client;
};
struct Paused {
  ClientId client;
};
struct Resumed {
  ClientId client;
  Duration length{};
};
// A message is lost, or late, or sent twice. `fault` tells which of late_request, late_reply, lost_request,
// lost_reply, duplicate, partition.
struct MessageFault {
  Fault fault = Fault::none;
  MessageId message;
};
struct SlowSection {
  Acquisition acquisition;
};
struct ClockSkewed {
  ClientId client;
  Duration offset{};  // of its wall clock from now on
  Duration by{};      // so much was added to it
};
// A server's clock was set: from now on it shows true time + `offset`.
struct ServerClockSet {
  NodeId node;
  Duration offset{};
};
struct ServerRestarted {
  NodeId node;
};
// The replica took over; it lacks the last `lost` writes.
struct FailedOver {
  NodeId node;
  std::uint32_t lost = 0;
};
// The server dropped a key that was alive: it needed room.
struct Evicted {
  NodeId node;
  std::string key;
};
// The server ended a session whose client lives: by the name of the client, or that of a lease.
struct SessionEnded {
  NodeId node;
  std::string session;
};
// Until then, what travels between the two is lost: requests, replies or both.
struct Partitioned {
  ClientId client;
  NodeId node;
  Instant until = never;
  bool loses_requests = true;
  bool loses_replies = true;
};
// The caller gave up its acquire(): the call ends here, in any state.
struct Cancelled {
  Acquisition acquisition;
};

// A guarded read of the resource.
struct Read {
  Acquisition acquisition;
  bool accepted = true;
};
// The server restarted and lacks its last `lost` writes.
struct ServerRecovered {
  NodeId node;
  std::uint32_t lost = 0;
};

// --- phases ---

// Faults are over and everything that was in flight has landed. A new client now tries to acquire.
struct Calm {
  ClientId probe;
  Duration bound{};  // how long it tries: within this the lock must be acquired
};
// acquire() waits, and nothing is left that could end its wait.
struct Stuck {
  Acquisition acquisition;
};
struct Ended {};
// A client that had finished tries to acquire once more, with the lock object that it has.
struct CameBack {
  ClientId client;
  Duration bound{};  // how long it tries
};
// acquire() is about to refuse, or release() to return, after answers to all that it sent. What it wrote
// still stands for longer than a round trip, and nothing of it is under way or goes on at once.
struct Left {
  Acquisition acquisition;
};

using AnyEvent =
    std::variant<Started, Acquiring, Granted, Refused, Working, Wrote, BeliefEnded, Releasing, Released,
                 Slept, Finished, Sent, Executed, Delivered, GaveUp, Ignored, KeyChanged, Crashed, Paused,
                 Resumed, MessageFault, SlowSection, ClockSkewed, ServerRestarted, Calm, Ended,
                 ServerClockSet, FailedOver, Evicted, Partitioned, Cancelled, Pushed, Stuck, AcquiredAgain,
                 ReleasedAgain, LookedUp, Fetching, Stored, Read, ServerRecovered, CameBack, Left,
                 SessionEnded, PeriodBegun, JobBegun, JobDone, PeriodOver>;
// Its copies, moves and ends are compiled once and not wherever there is an event.
struct What : AnyEvent {
  using AnyEvent::AnyEvent;
  What(const What&);
  What(What&&) noexcept;
  What& operator=(const What&);
  What& operator=(What&&) noexcept;
  ~What();
};

// A set of kinds of events: events_of<Granted, Wrote>().
using EventKinds = std::uint64_t;
static_assert(std::variant_size_v<AnyEvent> <= 64);

constexpr EventKinds kind_of(const What& what) { return EventKinds{1} << what.index(); }

template <class Kind, class... Kinds>
constexpr EventKinds kind_among(const std::variant<Kinds...>*) {
  static_assert((std::is_same_v<Kind, Kinds> + ...) == 1, "not an event");
  EventKinds bit = 1;
  EventKinds found = 0;
  ((found |= std::is_same_v<Kind, Kinds> ? bit : 0, bit <<= 1), ...);
  return found;
}
template <class... Kinds>
constexpr EventKinds events_of() {
  return (kind_among<Kinds>(static_cast<const AnyEvent*>(nullptr)) | ...);
}
inline constexpr EventKinds all_events = ~EventKinds{0};
// What strikes a server, and so all clients.
inline constexpr EventKinds faults_of_servers =
    events_of<ServerRestarted, ServerRecovered, FailedOver, Evicted, ServerClockSet, SessionEnded>();

// The mover: a client, a node, or (both empty) time itself.
struct Actor {
  enum class Kind : std::uint8_t { time, client, node };
  Kind kind = Kind::time;
  std::uint32_t index = 0;
  constexpr bool operator==(const Actor&) const = default;
};
constexpr Actor actor_of(ClientId client) { return {Actor::Kind::client, client.value}; }
constexpr Actor actor_of(NodeId node) { return {Actor::Kind::node, node.value}; }
// As its store calls it: "redis-1".
std::string name_of(NodeId node, StoreKind store);
std::string name_of(Actor actor, StoreKind store);

// `step` numbers the world's steps from 1; several events may share one. `at` never decreases.
struct Event {
  Step step;
  Instant at;
  Actor actor;
  What what;
};

}  // namespace holdfast
