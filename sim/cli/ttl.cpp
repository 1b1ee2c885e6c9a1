// ttl: the shortest lease with which a lock holds under the user's pauses, work, network and clocks.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/lease.hpp"

namespace holdfast::cli {

int ttl(const TtlOptions& options) {
  const Card& card = lock_called(options.names.front());
  if (const std::string why = why_no_lease(card); !why.empty())
    throw UserError(exit_usage, fmt::format("{}: {} (holdfast explain {})", card.id, why, card.id));
  for (const auto& [name, value] : options.params)
    if (name == "ttl") throw UserError(exit_usage, "--param: ttl is the answer, not a parameter");
  prepare_directory(options.out);
  Session session(options);
  // Halving up to a few hundred ticks; what larger bounds break comes on top.
  constexpr std::size_t usual_leases = 10;
  session.expect_jobs(usual_leases, "leases");
  const LeaseReport report = lease_report(options, card, session);
  session.end_progress();
  if (options.format == "json") write_lease_json(report, std::cout);
  else write_lease_text(report, std::cout, terminal_of(options));
  if (report.interrupted) return exit_interrupted;
  if (report.edge.holds) return exit_as_expected;
  return report.edge.hopeless.contains(Property::mutual_exclusion) ? exit_violated : exit_inconclusive;
}

}  // namespace holdfast::cli
