// ttl: the shortest lease with which a lock holds under the user's pauses, work, network and clocks.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/lease.hpp"
#include "sim/cli/results.hpp"

namespace holdfast::cli {
int ttl(const TtlOptions& options) {
  const Card& card = lock_called(options.names.front());
  if (const std::string why = why_no_lease(card); !why.empty())
    throw UserError(exit_usage, fmt::format("{}: {} (holdfast explain {})", card.id, why, card.id));
  for (const auto& [name, value] : options.params)
    if (name == "ttl") throw UserError(exit_usage, "--param: ttl is the answer, not a parameter");
  prepare_directory(options.out);
  Session session(options);
  // A lease may take a thousand times as long as the one before.
  session.expect_any_jobs("leases tried");
  LeaseReport report = lease_report(options, card, session);
  session.end_progress();
  Saved saved(options);
  save_trace(report, saved);
  if (options.format == "json") write_lease_json(report, std::cout);
  else write_lease_text(report, std::cout, terminal_of(options));
  if (report.edge.is_open && options.format == "text") {
    reports::Page page(std::cout, terminal_of(options));
    page.line();
    page.paragraph("next    ", one_ttl_alone(report, options.names.front(), options, options));
  }
  std::cout.flush();
  saved.require_all();
  if (report.interrupted) return exit_interrupted;
  if (report.edge.holds) return exit_as_expected;
  return report.edge.hopeless.contains(Property::mutual_exclusion) ? exit_violated : exit_inconclusive;
}

}  // namespace holdfast::cli
