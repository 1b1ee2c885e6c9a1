// Every field of every event, with its name in trace files. One table with two readers: trace_write.cpp makes
// JSON of it, trace_read.cpp fills events from JSON. The names of the events themselves are in story.hpp,
// kind_of().
#pragma once

#include <array>
#include <string_view>
#include <type_traits>

#include "sim/trace/event.hpp"
#include "sim/trace/tape.hpp"

namespace holdfast::reports {

template <class Visitor>
void describe(Visitor& v, Started& e) {
  v("client", e.client);
  v("wall_offset_us", e.wall_offset);
}
template <class Visitor>
void describe(Visitor& v, Acquiring& e) {
  v("acquisition", e.acquisition);
  v("key", e.key);
  v("mode", e.mode);
}
template <class Visitor>
void describe(Visitor& v, Granted& e) {
  v("acquisition", e.acquisition);
  v("mode", e.mode);
  v("lease_until_us", e.lease_until);
  v("fence", e.fence);
  v("token", e.token);
}
template <class Visitor>
void describe(Visitor& v, Refused& e) {
  v("acquisition", e.acquisition);
  v("outcome", e.kind);
  v("why", e.why);
}
template <class Visitor>
void describe(Visitor& v, Working& e) {
  v("acquisition", e.acquisition);
  v("length_us", e.length);
}
template <class Visitor>
void describe(Visitor& v, Wrote& e) {
  v("acquisition", e.acquisition);
  v("accepted", e.accepted);
}
template <class Visitor>
void describe(Visitor& v, BeliefEnded& e) {
  v("acquisition", e.acquisition);
  v("why", e.why);
}
template <class Visitor>
void describe(Visitor& v, Releasing& e) {
  v("acquisition", e.acquisition);
}
template <class Visitor>
void describe(Visitor& v, Released& e) {
  v("acquisition", e.acquisition);
  v("result", e.result);
}
template <class Visitor>
void describe(Visitor& v, AcquiredAgain& e) {
  v("acquisition", e.acquisition);
  v("kind", e.kind);
  v("why", e.why);
}
template <class Visitor>
void describe(Visitor& v, ReleasedAgain& e) {
  v("acquisition", e.acquisition);
  v("result", e.result);
}
template <class Visitor>
void describe(Visitor& v, LookedUp& e) {
  v("client", e.client);
  v("is_hit", e.is_hit);
}
template <class Visitor>
void describe(Visitor& v, Fetching& e) {
  v("acquisition", e.acquisition);
  v("length_us", e.length);
}
template <class Visitor>
void describe(Visitor& v, Stored& e) {
  v("acquisition", e.acquisition);
}
template <class Visitor>
void describe(Visitor& v, PeriodBegun& e) {
  v("client", e.client);
  v("period", e.period);
}
template <class Visitor>
void describe(Visitor& v, JobBegun& e) {
  v("acquisition", e.acquisition);
  v("period", e.period);
  v("length_us", e.length);
}
template <class Visitor>
void describe(Visitor& v, JobDone& e) {
  v("acquisition", e.acquisition);
  v("period", e.period);
}
template <class Visitor>
void describe(Visitor& v, PeriodOver& e) {
  v("client", e.client);
  v("period", e.period);
}
template <class Visitor>
void describe(Visitor& v, Slept& e) {
  v("client", e.client);
  v("length_us", e.length);
}
template <class Visitor>
void describe(Visitor& v, Finished& e) {
  v("client", e.client);
  v("error", e.error);
}
template <class Visitor>
void describe(Visitor& v, Sent& e) {
  v("message", e.message);
  v("node", e.node);
  v("acquisition", e.acquisition);
  v("argv", e.argv);
  v("where", e.where);
}
template <class Visitor>
void describe(Visitor& v, Executed& e) {
  v("message", e.message);
  v("node", e.node);
  v("acquisition", e.acquisition);
  v("reply", e.reply);
}
template <class Visitor>
void describe(Visitor& v, Pushed& e) {
  v("message", e.message);
  v("node", e.node);
  v("acquisition", e.acquisition);
  v("reply", e.reply);
}
template <class Visitor>
void describe(Visitor& v, Delivered& e) {
  v("message", e.message);
  v("acquisition", e.acquisition);
  v("reply", e.reply);
}
template <class Visitor>
void describe(Visitor& v, GaveUp& e) {
  v("message", e.message);
  v("acquisition", e.acquisition);
  v("is_repeated", e.is_repeated);
}
template <class Visitor>
void describe(Visitor& v, Ignored& e) {
  v("message", e.message);
}
template <class Visitor>
void describe(Visitor& v, KeyChanged& e) {
  v("node", e.node);
  v("key", e.key);
  v("change", e.kind);
  v("by", e.by);
  v("before", e.before);
  v("after", e.after);
  v("value", e.value);
  v("expires_at_us", e.expires_at);
}
template <class Visitor>
void describe(Visitor& v, Crashed& e) {
  v("client", e.client);
}
template <class Visitor>
void describe(Visitor& v, Paused& e) {
  v("client", e.client);
}
template <class Visitor>
void describe(Visitor& v, Resumed& e) {
  v("client", e.client);
  v("length_us", e.length);
}
template <class Visitor>
void describe(Visitor& v, MessageFault& e) {
  v("fault", e.fault);
  v("message", e.message);
}
template <class Visitor>
void describe(Visitor& v, SlowSection& e) {
  v("acquisition", e.acquisition);
}
template <class Visitor>
void describe(Visitor& v, ClockSkewed& e) {
  v("client", e.client);
  v("offset_us", e.offset);
  v("by_us", e.by);
}
template <class Visitor>
void describe(Visitor& v, ServerClockSet& e) {
  v("node", e.node);
  v("offset_us", e.offset);
}
template <class Visitor>
void describe(Visitor& v, FailedOver& e) {
  v("node", e.node);
  v("lost", e.lost);
}
template <class Visitor>
void describe(Visitor& v, Evicted& e) {
  v("node", e.node);
  v("key", e.key);
}
template <class Visitor>
void describe(Visitor& v, SessionEnded& e) {
  v("node", e.node);
  v("session", e.session);
}
template <class Visitor>
void describe(Visitor& v, Partitioned& e) {
  v("client", e.client);
  v("node", e.node);
  v("until_us", e.until);
  v("loses_requests", e.loses_requests);
  v("loses_replies", e.loses_replies);
}
template <class Visitor>
void describe(Visitor& v, Cancelled& e) {
  v("acquisition", e.acquisition);
}
template <class Visitor>
void describe(Visitor& v, Stuck& e) {
  v("acquisition", e.acquisition);
}
template <class Visitor>
void describe(Visitor& v, ServerRestarted& e) {
  v("node", e.node);
}
template <class Visitor>
void describe(Visitor& v, Read& e) {
  v("acquisition", e.acquisition);
  v("accepted", e.accepted);
}
template <class Visitor>
void describe(Visitor& v, ServerRecovered& e) {
  v("node", e.node);
  v("lost", e.lost);
}
template <class Visitor>
void describe(Visitor& v, Calm& e) {
  v("probe", e.probe);
  v("bound_us", e.bound);
}
template <class Visitor>
void describe(Visitor& v, CameBack& e) {
  v("client", e.client);
  v("bound_us", e.bound);
}
template <class Visitor>
void describe(Visitor& v, Left& e) {
  v("acquisition", e.acquisition);
}
template <class Visitor>
void describe(Visitor&, Ended&) {}

// The words of the enumerations that only events use, in the order of their enumerators.
inline constexpr std::array<std::string_view, 3> attempt_ids{"granted", "refused", "failed"};
inline constexpr std::array<std::string_view, 3> release_ids{"released", "not-held", "unknown"};
inline constexpr std::array<std::string_view, 7> change_ids{"created", "overwritten", "removed", "expired",
                                                            "lost",    "ttl-changed", "restored"};
template <class Enum>
constexpr const auto& ids_of() {
  if constexpr (std::is_same_v<Enum, Fault>) return fault_ids;
  else if constexpr (std::is_same_v<Enum, Property>) return property_ids;
  else if constexpr (std::is_same_v<Enum, Belief>) return belief_ids;
  else if constexpr (std::is_same_v<Enum, Verdict>) return verdict_ids;
  else if constexpr (std::is_same_v<Enum, Mode>) return mode_ids;
  else if constexpr (std::is_same_v<Enum, Attempt::Kind>) return attempt_ids;
  else if constexpr (std::is_same_v<Enum, Release>) return release_ids;
  else if constexpr (std::is_same_v<Enum, KeyChanged::Kind>) return change_ids;
  else return site_ids;
}

}  // namespace holdfast::reports
