// What the clocks of a guest show, and the system calls that ask for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/process/process.hpp"
#include "sim/process/tree.hpp"
#include "sim/process/waits.hpp"

namespace holdfast::process {

enum class ClockKind : std::uint8_t { wall, steady };

// What the clocks of a guest show.
struct GuestClock {
  // By whom: else they move by its own waits that are over, alone.
  bool is_told = false;
  // Unless told: how much later everything happens than the guest's own waits say, and by how much more with
  // each step.
  Ns late = 0;
  Ns late_by_step = 0;
  std::array<std::optional<Ns>, 2> told = {};  // by ClockKind: for the step that goes on
  Ns now = 0;                                  // unless told: since the guest began
  // No kernel wakes a program on the dot, and some sleep again, for no time and for ever, if their clock
  // shows just the end of the wait. 50 us is the slack that Linux takes; their sum so far.
  Ns slack = 0;

  bool is_known(ClockKind kind) const { return !is_told || told[static_cast<std::size_t>(kind)]; }
  // REQUIRES: is_known().
  Ns shown(ClockKind kind) const;
};

// Of clock_gettime(), gettimeofday() and time(): which clock it asks; empty: how much processor time was
// used.
std::optional<ClockKind> clock_of(const Asked& asked);
// REQUIRES: the clock that it asks is known.
void answer_clock(const Asked& asked, const GuestClock& clock, const Process& process, const Tree& tree);
// Of clock_getres(), getrusage() and times(): of processor time nobody has used any.
void answer_use(const Asked& asked, const Process& process, const Tree& tree);

}  // namespace holdfast::process
