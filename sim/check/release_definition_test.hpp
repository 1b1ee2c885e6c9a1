// What release-frees means, said of a whole trace; and the words for traces that all definitions use.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/core/vocabulary.hpp"
#include "sim/trace/event.hpp"

namespace holdfast::definitions {

using Events = std::vector<Event>;
using Kind = KeyChanged::Kind;

template <class T>
const T* as(const Event& event) {
  return std::get_if<T>(&event.what);
}

template <class T>
inline bool is_of(const Event& event, Acquisition who) {
  const T* const what = as<T>(event);
  return what != nullptr && what->acquisition == who;
}

inline bool ends_client(const Event& event, ClientId who) {
  const Crashed* const crashed = as<Crashed>(event);
  const Finished* const finished = as<Finished>(event);
  const PeriodOver* const over = as<PeriodOver>(event);
  return (crashed != nullptr && crashed->client == who) || (finished != nullptr && finished->client == who) ||
         (over != nullptr && over->client == who);
}
inline bool ends_claim(const Event& event, Acquisition who) {
  return is_of<Releasing>(event, who) || is_of<BeliefEnded>(event, who) || ends_client(event, who.client);
}
inline bool ends_asking(const Event& event, Acquisition who) {
  return is_of<Refused>(event, who) || ends_claim(event, who);
}

// Whether an event between the two, both excluded, is of the kind that `test` looks for.
template <class Test>
inline bool any_between(const Events& events, std::size_t from, std::size_t to, Test test) {
  for (std::size_t i = from + 1; i < to; ++i)
    if (test(events[i])) return true;
  return false;
}

// When the lease of this grant ends, as its client's wall clock stands at `now`: it moves with the clock,
// until it has ended.
inline Instant lease_end(const Events& events, std::size_t grant, std::size_t now) {
  const Granted& granted = *as<Granted>(events[grant]);
  Instant end = granted.lease_until;
  for (std::size_t i = grant; i < now && end != never && events[i].at <= end; ++i) {
    const ClockSkewed* const set = as<ClockSkewed>(events[i]);
    if (set != nullptr && set->client == granted.acquisition.client) end -= set->by;
  }
  return end;
}

inline bool strikes(const Event& event, Acquisition who) {
  const Paused* const paused = as<Paused>(event);
  const ClockSkewed* const set = as<ClockSkewed>(event);
  const bool is_its_message = as<MessageFault>(event) != nullptr && event.actor == actor_of(who.client);
  return is_of<GaveUp>(event, who) || is_of<Cancelled>(event, who) ||
         (paused != nullptr && paused->client == who.client) ||
         (set != nullptr && set->client == who.client) || is_its_message ||
         (kind_of(event.what) & faults_of_servers) != 0;
}

// Whether `who` is at work there: it has begun, and is neither refused nor released, nor is its client gone.
inline bool is_at_work(const Events& events, std::size_t now, Acquisition who) {
  for (std::size_t i = now; i-- > 0;) {
    if (is_of<Refused>(events[i], who) || is_of<Released>(events[i], who) ||
        ends_client(events[i], who.client))
      return false;
    if (is_of<Acquiring>(events[i], who)) return true;
  }
  return false;
}

// What of the past release-frees may ask for.
struct Call {
  bool is_begun = false;  // the acquisition, and it is not over
  bool is_releasing = false;
  bool is_claiming = false;  // neither acquire() nor release() is under way
  bool is_struck = false;    // in the call that goes on
  bool was_struck = false;   // since it asked
  bool is_excused = false;   // for other reasons
  bool is_shared = false;
};

inline Call call_of(const Events& events, std::size_t now, Acquisition who) {
  Call call;
  std::size_t grant = events.size();
  for (std::size_t i = 0; i < now; ++i) {
    if (is_of<Refused>(events[i], who) || is_of<Released>(events[i], who) ||
        ends_client(events[i], who.client))
      call = {};
    if (const Acquiring* const asks = as<Acquiring>(events[i]); is_of<Acquiring>(events[i], who))
      call = {.is_begun = true, .is_shared = asks->mode == Mode::shared};
    if (!call.is_begun) continue;
    if (const Granted* const granted = as<Granted>(events[i]); is_of<Granted>(events[i], who)) {
      grant = i;
      call.is_shared = granted->mode == Mode::shared;
      call.is_struck = call.is_excused = false;
      call.is_claiming = true;
    }
    if (is_of<Releasing>(events[i], who)) {
      call.is_releasing = true;
      call.is_claiming = false;
      call.is_struck = false;
      call.is_excused =
          grant < i &&
          (events[i].at >= lease_end(events, grant, i) ||
           any_between(events, grant, i, [&](const Event& event) { return is_of<BeliefEnded>(event, who); }));
    }
    if (strikes(events[i], who)) call.is_struck = call.was_struck = true;
    const KeyChanged* const change = as<KeyChanged>(events[i]);
    if (change == nullptr) continue;
    const Acquisition hand = change->after == change->by ? change->by : Acquisition();
    if (hand == change->before) continue;
    const bool is_asking = !call.is_releasing && grant > i;
    call.is_excused |= hand == who && is_asking && is_at_work(events, i, change->before);
    const bool is_about_it = change->before == who || hand == who;
    call.is_excused |= is_about_it && call.is_releasing && call.was_struck;
  }
  return call;
}

// For states that are compared as text. What becomes of a call that goes on, and of the next.
inline std::string text_of_call(const Events& events, Acquisition who) {
  const Call call = call_of(events, events.size(), who);
  const bool is_free = !call.is_claiming && (call.is_struck || call.is_excused);
  return std::to_string(is_free | call.was_struck << 1);
}

inline bool breaks_release_frees(const Events& events, std::size_t now) {
  const Left* const left = as<Left>(events[now]);
  if (left == nullptr) return false;
  const Call call = call_of(events, now, left->acquisition);
  return call.is_begun && !call.is_shared && !call.is_struck && !call.is_excused;
}

}  // namespace holdfast::definitions
