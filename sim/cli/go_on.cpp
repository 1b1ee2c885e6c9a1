#include "sim/cli/go_on.hpp"

#include <fmt/format.h>

#include <regex>

#include "reports/verdicts.hpp"

namespace holdfast::cli {
namespace {

// Under which faults a property is left open.
std::string open_faults(const reports::Matrix& matrix) {
  std::string names;
  for (const reports::MatrixCell& cell : matrix.cells) {
    bool is_open = false;
    if (cell.effort.beyond_model.empty())
      for (const reports::JudgedProperty& each : cell.properties) {
        const reports::Outcome outcome = outcome_of(cell, each);
        is_open |= outcome == reports::Outcome::sampled || outcome == reports::Outcome::unknown ||
                   outcome == reports::Outcome::holds_so_far;
      }
    if (is_open) names.append(names.empty() ? "" : ", ").append(id_of(cell.fault));
  }
  return names;
}

// The question without an option.
std::string without(const std::string& question, const std::string& option) {
  return std::regex_replace(question, std::regex(" --" + option + "=[^ ]*"), "");
}

}  // namespace

std::string how_to_go_on(const CheckOptions& options, const reports::Matrix& matrix) {
  const std::string open = open_faults(matrix);
  if (open.empty()) return "";
  const std::string left = fmt::format("Not explored whole under {}.", open);
  if (matrix.interrupted)
    return fmt::format("{} The same command with --resume=DIR goes on from there when it is stopped.", left);
  if (options.budget)
    return fmt::format("{} A larger --budget, or none: ./{}", left, without(options.question, "budget"));
  if (options.runs || options.strategy)
    return fmt::format("{} Without --runs and --strategy, every schedule is tried: ./{}", left,
                       without(without(options.question, "runs"), "strategy"));
  if (options.clients || options.rounds || options.attempts)
    return fmt::format(
        "{} A space ends at {} states and {}. Fewer --clients, --rounds or --attempts may close; a larger "
        "sample: ./{} --runs=1000000",
        left, reports::grouped(matrix.bounds.explore.states_max), to_text(matrix.bounds.explore.time_max),
        options.question);
  const Duration longer = options.deepen ? 4 * *options.deepen : Duration(10min);
  return fmt::format(
      "{} Its share of states was spent, no time limit was met. This goes on for {} more: ./{} "
      "--deepen={}",
      left, to_text(longer), without(options.question, "deepen"), to_text(longer));
}

}  // namespace holdfast::cli
