// What may go wrong, one row for each fault: whom it strikes, what it never does to a run, who can bring it
// about. Whatever holds for some faults and not for others asks here.
//
// A fault is taken to do all that its row does not exclude. So one whose row says too little costs states,
// and makes no verdict wrong.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/core/set_of.hpp"

namespace holdfast {

// The columns of the verdict matrix.
enum class Fault : std::uint8_t {
  none,
  crash,  // a client process dies, loses everything, and is started again
  pause,  // a client stops (garbage collection, suspended machine), then goes on as if nothing happened
  slow_section,       // the work under the lock takes longer than the lease
  late_request,       // a request arrives long after the caller gave up
  late_reply,         // the request takes effect in time, its reply arrives late
  lost_request,       // a request never arrives
  lost_reply,         // the request takes effect, its reply never arrives
  duplicate,          // the driver sends a request twice
  clock_skew,         // one client's wall clock is wrong by a constant
  clock_jump,         // one client's wall clock is set forward or back
  server_clock_jump,  // the server's clock is set forward or back
  restart,            // the server restarts and has lost its data
  failover,           // an asynchronous replica takes over
  partition,          // some clients cannot reach some servers for a while
  eviction,           // the server drops an unexpired key
  cancel,             // the caller cancels an operation in flight
  session_lost,       // the server ends the session of a client that lives
};
inline constexpr std::size_t fault_count = static_cast<std::size_t>(Fault::session_lost) + 1;
using FaultSet = SetOf<Fault>;

enum class Struck : std::uint8_t {
  nothing,
  client,   // in its program
  section,  // the work under the lock
  request,
  reply,
  way,  // between a client and a server, and what is on it
  server,
  anything,  // nobody said whom
};

// What a fault may do. Some reductions wait until no fault that does it can strike.
enum class Harm : std::uint8_t {
  stops,           // a client does not do what its code has decided, or does it later
  delays,          // an answer comes later than the network alone brings it
  loses,           // an answer never comes
  notices,         // it can tell when a reply came that its client does not look at yet …
  notices_others,  // … and what else was on its way between the two
  notices_latest,  // … and that it came as late as it could
};
inline constexpr std::size_t harm_count = static_cast<std::size_t>(Harm::notices_latest) + 1;
using HarmSet = SetOf<Harm>;

// Who can bring a fault about, on its own or of the size that is said.
enum class Enactor : std::uint8_t {
  world,   // the simulator
  hunt,    // `hunt`, on private servers
  live,    // `live`: clients and servers are struck by it, messages by …
  proxy,   // … the proxy between them
  listen,  // `redis --listen`, by a rule
};

struct FaultRow {
  Fault fault;
  std::string_view id;  // what users type and files contain
  Struck strikes = Struck::anything;
  HarmSet never = {};
  SetOf<Enactor> by = {};     // who can do it at all …
  SetOf<Enactor> sized = {};  // … and of these, who as long, as late or as far as is said
  std::uint32_t ways = 1;     // in how many it strikes one message, or the way to one server
  bool sets_clock = false;    // ahead or back
};

class FaultTable {
 public:
  using Rows = std::array<FaultRow, fault_count>;
  constexpr explicit FaultTable(const Rows& rows) : rows_(rows) {
    for (std::size_t i = 0; i < doing_.size(); ++i)
      doing_[i] = that([&](const FaultRow& it) { return !it.never.contains(static_cast<Harm>(i)); });
    taking_replies_ =
        striking({Struck::reply, Struck::anything}) & (doing(Harm::delays) | doing(Harm::loses));
  }
  constexpr FaultTable with(const FaultRow& row) const {
    Rows rows = rows_;
    rows[static_cast<std::size_t>(row.fault)] = row;
    return FaultTable(rows);
  }

  constexpr const FaultRow& of(Fault fault) const { return rows_[static_cast<std::size_t>(fault)]; }
  constexpr FaultSet that(const auto& is_one) const {
    FaultSet faults;
    for (const FaultRow& row : rows_)
      if (is_one(row)) faults.insert(row.fault);
    return faults;
  }
  constexpr FaultSet by(Enactor enactor) const {
    return that([&](const FaultRow& it) { return it.by.contains(enactor); });
  }
  constexpr FaultSet sized_by(Enactor enactor) const {
    return that([&](const FaultRow& it) { return it.sized.contains(enactor); });
  }
  constexpr FaultSet striking(SetOf<Struck> struck) const {
    return that([&](const FaultRow& it) { return struck.contains(it.strikes); });
  }
  // Those that may do it, for all that is known.
  constexpr FaultSet doing(Harm harm) const { return doing_[static_cast<std::size_t>(harm)]; }
  // Those that strike a reply when it leaves, and hold it back or lose it.
  constexpr FaultSet taking_replies() const { return taking_replies_; }

 private:
  Rows rows_;
  std::array<FaultSet, harm_count> doing_{};
  FaultSet taking_replies_;
};

namespace fault_rows {

using enum Enactor;
using enum Fault;
using enum Harm;
using enum Struck;
inline constexpr HarmSet unseen = {notices, notices_others, notices_latest};
inline constexpr HarmSet late = HarmSet{stops, loses} | unseen;
inline constexpr HarmSet lost = HarmSet{stops, delays} | unseen;
inline constexpr HarmSet gone = HarmSet{delays, loses} | unseen;
inline constexpr HarmSet no_harm = HarmSet{stops, delays, loses} | unseen;
inline constexpr SetOf<Enactor> many = {world, hunt, proxy, listen};

// The fault, its id, whom it strikes, what it never does, who can do it, who of what size; ways, clocks.
inline constexpr auto rows = std::to_array<FaultRow>({
    {none, "none", nothing, no_harm, {world, hunt}},
    {crash, "crash", client, gone, {world, hunt, live}},
    {pause, "pause", client, {loses, notices_others, notices_latest}, {world, hunt, live}, {world}},
    {slow_section, "slow-section", section, no_harm, {world, hunt, live}, {world}},
    {late_request, "late-request", request, late, many, {world, listen}},
    {late_reply, "late-reply", reply, late, many, {world, listen}},
    {lost_request, "lost-request", request, lost, many},
    {lost_reply, "lost-reply", reply, lost, many},
    {duplicate, "duplicate", request, late, many, {world}, 2},
    {clock_skew, "clock-skew", client, no_harm, {world, hunt, live}, {world}, 1, true},
    {clock_jump, "clock-jump", client, no_harm, {world}, {world}, 1, true},
    {server_clock_jump, "server-clock-jump", server, no_harm, {world, listen}, {world, listen}, 1, true},
    {restart, "restart", server, no_harm, {world, hunt, live, listen}},
    {failover, "failover", server, no_harm, {world, live, listen}},
    {partition, "partition", way, {stops, delays, notices_latest}, many, {world, listen}, 3},
    {eviction, "eviction", server, no_harm, {world, hunt, live, listen}},
    {cancel, "cancel", client, gone, {world}},
    {session_lost, "session-lost", server, no_harm, {world, live}},
});
static_assert(rows.size() == fault_count, "each fault has a row");
constexpr bool are_in_order() {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].fault != static_cast<Fault>(i)) return false;
  return true;
}
static_assert(are_in_order(), "the rows are in the order of the faults");

}  // namespace fault_rows

inline constexpr FaultTable fault_table(fault_rows::rows);

inline constexpr std::array<std::string_view, fault_count> fault_ids = [] {
  std::array<std::string_view, fault_count> ids;
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = fault_rows::rows[i].id;
  return ids;
}();
constexpr std::string_view id_of(Fault fault) { return fault_table.of(fault).id; }

}  // namespace holdfast
