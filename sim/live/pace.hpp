// How fast a simulated run is performed in real time, so that every lease is over, or not, at the same steps.
#pragma once

#include <vector>

#include "sim/trace/event.hpp"

namespace holdfast::live {

// The run decides at single instants ("alive up to and including its last millisecond"), and reality does
// not: what happens at the last instant of a lease must happen clearly before its end, and what happens after
// it clearly after. So true time is played a little faster than the servers' clocks, by a share that leaves
// the most room on both sides.
struct Pace {
  std::int64_t per_mille = 1000;  // real time that one unit of true time takes
  // So late may a step be without changing which leases are over; Duration::max() if it does not matter.
  Duration margin = Duration::max();
  Duration ttl_min = Duration::max();  // the shortest time for which a key lives

  Duration real(Instant at) const { return at.time_since_epoch() * per_mille / 1000; }
};

Pace pace_of(const std::vector<Event>& events);

}  // namespace holdfast::live
