// Time and identity as types: the compiler rejects a wall-clock time where virtual time is meant.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

using namespace std::chrono_literals;

// A length of time. Integer microseconds, so that replays are exact on every machine.
using Duration = std::chrono::microseconds;

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
constexpr std::int64_t to_microseconds(Duration duration) {
  return std::chrono::floor<std::chrono::microseconds>(duration).count();
}
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
