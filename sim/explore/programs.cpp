#include "sim/explore/programs.hpp"

#include <algorithm>

namespace holdfast {
namespace {

// The lease of a client that died in a period is over in the next, whenever the others come to it.
constexpr std::uint32_t leases_in_period = 3;

}  // namespace

std::vector<ProgramStep> program_for(Workload workload, std::uint32_t attempts, Duration work,
                                     Duration at_least, Duration lease) {
  using Op = ProgramStep::Op;
  const ProgramStep acquire{.op = Op::acquire, .attempts = attempts};
  const ProgramStep working{.op = Op::work, .length = work, .at_least = at_least};
  switch (workload) {
    case Workload::nested:
      return {acquire, {.op = Op::acquire_again}, working, {.op = Op::release}, {.op = Op::release}};
    case Workload::cache_fill:
      return {{.op = Op::look_up}, acquire,
              {.op = Op::look_up}, {.op = Op::fetch, .length = work, .at_least = at_least},
              {.op = Op::store},   {.op = Op::release}};
    case Workload::cron:
      return {{.op = Op::period, .length = leases_in_period * lease},
              acquire,
              {.op = Op::job, .length = work, .at_least = at_least},
              {.op = Op::release}};
    case Workload::read_modify_write:
      return {acquire, {.op = Op::read}, working, {.op = Op::write}, {.op = Op::release}};
    default: return {acquire, working, {.op = Op::write}, {.op = Op::release}};
  }
}

Duration difference_of_clocks(Duration lease, Duration tick) {
  const Duration unit = 2 * tick;
  return std::max(unit, lease / 2 / unit * unit);
}

}  // namespace holdfast
