#include "sim/cli/known.hpp"

#include <fmt/format.h>

#include "sim/cli/scripts.hpp"
#include "sim/cli/session.hpp"
#include "sim/explore/comparison.hpp"

namespace holdfast::cli {

Known known() { return Known(algorithms::all(), simulated_faults, checkers::decidable(), &script_called); }

std::string text_of(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) text += "\n" + to_text(problem);
  return text;
}

Scenario read_scenario(const std::string& file) {
  Parsed parsed = parse_scenario(read_file(file), file, known());
  if (parsed.scenario) return std::move(*parsed.scenario);
  throw UserError(exit_bad_file,
                  fmt::format("bad scenario file, nothing was run{}", text_of(parsed.problems)));
}

}  // namespace holdfast::cli
