// What the clocks of a guest show, and the system calls that ask for it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "sim/guest/program.hpp"
#include "sim/process/process.hpp"
#include "sim/process/tree.hpp"
#include "sim/process/waits.hpp"

namespace holdfast::process {

enum class ClockKind : std::uint8_t { wall, steady };

// What the clocks of a guest show.
struct GuestClock {
  // What it is told with each event. Clocks that are not told move by the guest's own waits that are over,
  // alone.
  guest::TimeToTell told = guest::TimeToTell::nothing;
  Ns now = 0;                // since the guest began
  std::optional<Ns> wall{};  // as it was told
  Ns set_by = 0;             // the wall clock, where it was not told, since the guest began
  // Of a guest that is told how much time has passed, alone: its clocks began at other times.
  bool has_other_epochs = false;
  // Of a clock that is not told: how much later everything happens than it should, and by how much more, at
  // most, with each step.
  Ns late = 0;
  Ns late_by_step = 0;
  // No kernel wakes a program on the dot, and some sleep again, for no time and for ever, if their clock
  // shows just the end of the wait. 50 us is the slack that Linux takes; their sum, until as much time has
  // passed.
  Ns slack = 0;

  // By which it waits.
  Ns time() const { return told == guest::TimeToTell::nothing ? now + late : now; }
  Ns shown(ClockKind kind) const;
  // How long it is until the clock shows `limit`. A program that computed it from what the clock showed
  // before the slack means a time without it: of the two spans, that is the rounder one.
  Ns until(ClockKind kind, Ns limit) const;
  // Time has passed since time() was `before`.
  void settle(Ns before) { slack = std::max<Ns>(0, slack - (time() - before)); }
};

// Of clock_gettime(), gettimeofday() and time(): which clock it asks; empty: how much processor time was
// used.
std::optional<ClockKind> clock_of(const Asked& asked);
void answer_clock(const Asked& asked, const GuestClock& clock, const Process& process, const Tree& tree);
// Of clock_getres(), getrusage() and times(): no processor time was used.
void answer_use(const Asked& asked, const Process& process, const Tree& tree);

}  // namespace holdfast::process
