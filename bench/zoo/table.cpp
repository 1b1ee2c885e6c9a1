// All bugs, and the experiments with them.
#include "bench/zoo/rows.hpp"
#include "sim/core/invariant.hpp"
#include "sim/explore/comparison.hpp"

namespace holdfast::zoo {

const std::vector<Planted>& all() {
  static const std::vector<Planted> bugs = [] {
    std::vector<Planted> rows;
    for (const std::vector<Planted>* const of_host :
         {&leased_rows, &releasing_rows, &waiting_rows, &renewed_rows, &quorum_rows, &shared_rows,
          &numbered_rows}) {
      INVARIANT(!of_host->empty(), "nobody asks for the rows before main() begins");
      rows.insert(rows.end(), of_host->begin(), of_host->end());
    }
    return rows;
  }();
  return bugs;
}

Scenario host_scenario_of(const Planted& planted, const std::vector<FaultRule>& faults) {
  Scenario scenario = scenario_of(Comparison(), *planted.host, Fault::none);
  // Rows are stated for clients that start at any tick within a lease and work for any time.
  scenario.timing.restart_late = 3s;
  for (ClientPlan& client : scenario.clients) {
    client.start_late = client.start + Params(planted.host->parameters).duration("ttl");
    for (ProgramStep& step : client.program)
      if (step.at_least) step.at_least = Duration::zero();
  }
  scenario.name = planted.id;
  scenario.faults = faults;
  scenario.check = {Property::mutual_exclusion,  Property::no_stale_write,   Property::owner_only_release,
                    Property::owner_only_change, Property::truthful_release, Property::release_frees,
                    Property::recovery};
  if (planted.prepare != nullptr) planted.prepare(scenario);
  return scenario;
}

Scenario scenario_of(const Planted& planted, const std::vector<FaultRule>& faults) {
  Scenario scenario = host_scenario_of(planted, faults);
  if (planted.plant != nullptr) planted.plant(scenario);
  else set(scenario, "bug", planted.id);
  return scenario;
}

}  // namespace holdfast::zoo
