// The tape of one run: every nondeterministic decision, by name. It replays bit for bit on any machine and
// compiler.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/trace/event.hpp"

namespace holdfast {

// Of what can happen in several ways, which.
struct How {
  NodeId node = {};         // of what is on its way to a server, or back
  std::uint32_t which = 0;  // of a fault: a number of its own, or
  // what a partition cuts,
  static constexpr std::uint32_t cuts_both = 0, cuts_requests = 1, cuts_replies = 2;
  // whether the network or the driver sends a duplicate,
  static constexpr std::uint32_t copies = 0, repeats = 1;
  // where to a clock is set; by how much is picked when it strikes.
  static constexpr std::uint32_t ahead = 0, back = 1;
  constexpr bool operator==(const How&) const = default;
};

// One thing that may happen next in a state of the world, by name. A step applies one of those that are
// enabled; the first of them is always a calm one.
struct Action {
  enum class Kind : std::uint8_t {
    wait,     // time passes; at the end of a run, the calm phase begins
    start,    // the client begins its program
    request,  // a request of the client arrives
    reply,    // an answer arrives at the client
    timeout,  // the client gives up waiting for an answer
    wake,     // a sleep of the client ends
    send,     // a request of the client leaves
    resume,   // the client goes on after a pause
    heal,     // a cut of the client's way to a server ends
    strike,   // `fault` strikes
  };
  Kind kind = Kind::wait;
  Fault fault = Fault::none;
  // The client, also where a server carries out its request; the server that a fault strikes; else time.
  Actor actor;
  How how;
  // Among the enabled ones that are equal in all the above, which.
  std::uint32_t nth = 0;
  constexpr bool operator==(const Action&) const = default;
};
// Names no action: the choice says by its number which one was picked.
inline constexpr Action by_number{.nth = ~std::uint32_t{0}};
inline constexpr std::array<std::string_view, 10> action_ids{"wait", "start", "request", "reply", "timeout",
                                                             "wake", "send",  "resume",  "heal",  "strike"};
constexpr std::string_view id_of(Action::Kind kind) { return action_ids[static_cast<std::size_t>(kind)]; }

// The way of an action as files have it.
constexpr std::uint32_t number_of_how(const Action& it) {
  return it.how.node.value * fault_table.of(it.fault).ways + it.how.which;
}
constexpr How how_of_number(const Action& it, std::uint32_t number) {
  const FaultRow& row = fault_table.of(it.fault);
  constexpr SetOf<Struck> travels = {Struck::request, Struck::reply, Struck::way};
  if (it.kind == Action::Kind::strike && !travels.contains(row.strikes)) return {.which = number};
  return {NodeId{number / row.ways}, number % row.ways};
}

// What is decided. Option 0 is always the calm one.
enum class Site : std::uint8_t {
  step,     // which enabled action comes next
  delay,    // when within its window something happens (timed runs only)
  jitter,   // what Random::jitter() returns
  variant,  // by how much a clock is set; whether a replica has acknowledged what a WAIT asks for
  end,      // whether a client that may end does
  order,    // where time is dense: whether one instant is earlier than another
};
inline constexpr std::array<std::string_view, 6> site_ids{"step",    "delay", "jitter",
                                                          "variant", "end",   "order"};
constexpr std::string_view id_of(Site site) { return site_ids[static_cast<std::size_t>(site)]; }

struct Choice {
  Site site;
  Actor actor;            // the client or node that is asked; of a step, none
  std::uint32_t options;  // at least 2: where there is nothing to decide, nothing is recorded
  std::uint32_t picked;
  Action action = {};  // of a step: what was picked
  constexpr bool operator==(const Choice&) const = default;
};
using Tape = std::vector<Choice>;

}  // namespace holdfast
