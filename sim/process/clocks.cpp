#include "sim/process/clocks.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

namespace holdfast::process {
namespace {

constexpr Ns epoch = 1'700'000'000 * second;  // of a wall clock that is not told
constexpr Ns booted = 1'000 * second;         // of a steady clock
constexpr Ns processor_time = 50'000 * microsecond;

bool is_wall(std::uint64_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}
bool is_of_processor(std::uint64_t clock) {
  return static_cast<clockid_t>(clock) < 0 || clock == CLOCK_PROCESS_CPUTIME_ID ||
         clock == CLOCK_THREAD_CPUTIME_ID;
}
// How many zeros it ends with.
int roundness(Ns time) {
  constexpr Ns ten = 10;
  int zeros = 0;
  for (; time != 0 && time % ten == 0; time /= ten) ++zeros;
  return zeros;
}
timespec timespec_of(Ns time) { return {time / second, time % second}; }

}  // namespace

Ns GuestClock::shown(ClockKind kind) const {
  // A steady clock of 0 is an error to some runtimes.
  const bool is_steady = kind == ClockKind::steady;
  constexpr Ns other_boot = 3'600 * second + 137'000 * microsecond;
  constexpr Ns other_epoch = 29 * 86'400 * second + 271'828 * microsecond;
  const Ns other = !has_other_epochs ? 0 : is_steady ? other_boot : other_epoch;
  if (is_steady) return booted + other + time() + slack;
  return (wall ? *wall : epoch + other + time() + set_by) + slack;
}

Ns GuestClock::until(ClockKind kind, Ns limit) const {
  const Ns as_shown = limit - shown(kind);
  const Ns without_slack = as_shown + slack;
  return as_shown > 0 && roundness(without_slack) > roundness(as_shown) ? without_slack : as_shown;
}

std::optional<ClockKind> clock_of(const Asked& asked) {
  if (asked.call != SYS_clock_gettime) return ClockKind::wall;
  if (is_of_processor(asked.arguments[0])) return std::nullopt;
  return is_wall(asked.arguments[0]) ? ClockKind::wall : ClockKind::steady;
}

void answer_clock(const Asked& asked, const GuestClock& clock, const Process& process, const Tree& tree) {
  const std::optional<ClockKind> kind = clock_of(asked);
  const Ns shown = kind ? clock.shown(*kind) : processor_time;
  const std::uint64_t first = asked.arguments[0];
  if (asked.call == SYS_clock_gettime) process.put(asked.arguments[1], timespec_of(shown));
  else if (asked.call == SYS_gettimeofday && first != 0)
    process.put(first, timeval{shown / second, shown % second / microsecond});
  else if (asked.call == SYS_time && first != 0) process.put(first, time_t{shown / second});
  tree.answer(asked, asked.call == SYS_time ? shown / second : 0);
}

void answer_use(const Asked& asked, const Process& process, const Tree& tree) {
  const auto& arguments = asked.arguments;
  if (asked.call == SYS_getrusage) process.put(arguments[1], rusage{});
  else if (asked.call == SYS_times && arguments[0] != 0) process.put(arguments[0], tms{});
  else if (asked.call == SYS_clock_getres && arguments[1] != 0) process.put(arguments[1], timespec{0, 1});
  tree.answer(asked, 0);
}

}  // namespace holdfast::process
