// list, explain, version, redis.
#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "reports/report.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/known.hpp"
#include "sim/cli/redis_server.hpp"
#include "sim/cli/redis_shell.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/version.hpp"
#include "sim/explore/comparison.hpp"

namespace holdfast::cli {

int list(const ListOptions& options) {
  const std::string& what = options.names.front();
  const bool json = options.format == "json";
  const reports::Terminal terminal = terminal_of(options);
  if (what == "algorithms") {
    if (json) reports::write_algorithms_json(algorithms::all(), std::cout);
    else reports::write_algorithms(algorithms::all(), std::cout, terminal);
  } else if (what == "faults") {
    if (json) reports::write_faults_json(std::cout, simulated_faults);
    else reports::write_faults(std::cout, terminal, simulated_faults);
  } else if (what == "properties") {
    if (json) reports::write_properties_json(std::cout);
    else reports::write_properties(std::cout, terminal);
  } else if (what == "workloads") {
    if (json) reports::write_workloads_json(std::cout);
    else reports::write_workloads(std::cout, terminal);
  } else {
    std::vector<reports::ListedScenario> lessons;
    for (const std::string& file : lesson_files()) lessons.push_back({file, read_scenario(file)});
    if (json) reports::write_scenarios_json(lessons, std::cout);
    else reports::write_scenarios(lessons, std::cout, terminal);
  }
  return exit_as_expected;
}

int explain(const ExplainOptions& options) {
  const std::string& name = options.names.front();
  if (reports::write_explanation(name, algorithms::all(), std::cout, terminal_of(options)))
    return exit_as_expected;
  throw UserError(
      exit_usage,
      fmt::format("nothing here is called \"{}\"{} (holdfast list algorithms|faults|properties|workloads)",
                  name, did_you_mean(name, reports::explainable(algorithms::all()))));
}

int print_version(const NoOptions&) {
  fmt::print("holdfast {}\nbuilt with {}, C++20\nsimulates redis-server 7.0.15\n", version, compiler);
  return exit_as_expected;
}

int redis(const RedisOptions& options) {
  if (!options.listen.empty()) return serve_redis(options);
  return redis_shell(std::cin, std::cout, isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0);
}

}  // namespace holdfast::cli
