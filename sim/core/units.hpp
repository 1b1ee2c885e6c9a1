// Time and identity as types: the compiler rejects a wall-clock time where virtual time is meant.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/core/ticks.hpp"

namespace holdfast {

using namespace std::chrono_literals;

// A length of time. Integer microseconds, so that replays are exact on every machine.
using Duration = std::chrono::duration<Ticks, std::micro>;

// The timelines of a run. Each is a distinct std::chrono clock type, so their instants do not mix.
template <class Tag>
struct Timeline {
  using rep = Duration::rep;
  using period = Duration::period;
  using duration = Duration;
  using time_point = std::chrono::time_point<Timeline>;
  static constexpr bool is_steady = true;
};

// True time since the run began. Only the world knows it.
using Instant = Timeline<struct TrueTime>::time_point;
// What a client's wall clock shows, since the Unix epoch. May be wrong, may jump.
using WallTime = Timeline<struct WallTag>::time_point;
// What a client's steady clock shows. Never jumps; its rate may differ from true time.
using SteadyTime = Timeline<struct SteadyTag>::time_point;

// Whole milliseconds and seconds, rounded down: the units of Redis' PX and EX.
constexpr std::int64_t to_milliseconds(Duration duration) {
  return std::chrono::floor<std::chrono::milliseconds>(duration).count();
}
constexpr Duration whole_milliseconds(Duration duration) {
  return Duration(to_ticks(to_milliticks(duration.count())));
}
constexpr std::int64_t to_microseconds(Duration duration) { return duration.count(); }
constexpr std::int64_t to_seconds(Duration duration) {
  return std::chrono::floor<std::chrono::seconds>(duration).count();
}

// Reads "250us", "30ms", "1.5s", "2m", "8h". nullopt without a number, without a unit, when not a whole
// microsecond, or when longer than 640,000,000 hours.
std::optional<Duration> parse_duration(std::string_view text);
// What is to be said of a text that it does not read: "is longer than 640000000h".
std::string duration_complaint(std::string_view text);
// The shortest exact form that parse_duration reads back: "1.5s".
std::string to_text(Duration duration);

// Whether it is certain that the one instant is earlier; where time is not dense, it always is or is not.
template <class Time>
bool is_surely_before(Time one, Time other) {
  const Ticks first = one.time_since_epoch().count();
  const Ticks second = other.time_since_epoch().count();
  if (!first.is_unknown() && !second.is_unknown()) return first < second;
  return time_oracle->is_surely_less(first.bits(), second.bits(), 1);
}
// The same instant by name: where time is dense, another one may still turn out to be the same.
template <class Time>
bool is_now(Time instant, Time now) {
  if (is_time_dense()) time_oracle->keep(instant.time_since_epoch().count().bits());
  return instant.time_since_epoch().count().bits() == now.time_since_epoch().count().bits();
}
// What is past is past, however long.
template <class Time>
Duration time_until(Time instant, Time now) {
  return is_surely_before(instant, now + Duration(1)) ? Duration::zero() : instant - now;
}

// Of a time in milliseconds, as servers count it: until then the millisecond lasts. Where time is dense, it
// is a point.
inline WallTime last_instant_of(MilliTicks milliseconds) {
  return WallTime(Duration(to_ticks(milliseconds)) + (is_time_dense() ? 0us : 999us));
}

// The last millisecond of what is over at this instant. Where time is dense, what is over is so a moment
// after a point.
inline MilliTicks last_before(WallTime end) {
  return to_milliticks((is_time_dense() ? end : end - Duration(1)).time_since_epoch().count());
}
// At an instant at which time has passed, and a server looks for what is over. Where time is dense, it looks
// a moment after the end of each, and at no other instant.
inline bool is_over(MilliTicks last, MilliTicks now) { return is_time_dense() ? now >= last : now > last; }

// Identities. A client's name is a letter (A, B, …, Z, C26, …); a node's depends on its store.
template <class Tag>
struct Id {
  std::uint32_t value = 0;
  constexpr auto operator<=>(const Id&) const = default;
};
using ClientId = Id<struct ClientTag>;
using NodeId = Id<struct NodeTag>;
using MessageId = Id<struct MessageTag>;  // one request and its reply; unique in a run
using Step = Id<struct StepTag>;          // position in a run; every event of a step carries it

std::string name_of(ClientId client);

// One call of acquire() by one client. number 0 means "none".
struct Acquisition {
  ClientId client;
  std::uint32_t number = 0;
  constexpr auto operator<=>(const Acquisition&) const = default;
  constexpr bool is_nobody() const { return number == 0; }
};

}  // namespace holdfast
