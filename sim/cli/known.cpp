#include "sim/cli/known.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

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

void require_kind(const std::string& text, const std::string& file, std::string_view wanted) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return;
  const std::string schema = json.value("schema", nlohmann::json("")).is_string()
                                 ? json.value("schema", nlohmann::json("")).get<std::string>()
                                 : "";
  struct Use {
    std::string_view kind;
    std::string_view command;
  };
  constexpr Use uses[] = {{"trace", "show"},      {"matrix", "compare --expect"},
                          {"run", "merge"},       {"baseline", "baseline compare"},
                          {"histories", "check"}, {"scenario", "run"}};
  const bool is_scenario = schema.empty() && json.contains("algorithm") && !json.contains("events");
  for (const Use& use : uses)
    if (const bool is_it = schema.starts_with(fmt::format("holdfast/{}/", use.kind)) ||
                           (is_scenario && use.kind == "scenario");
        is_it && use.kind != wanted)
      throw UserError(exit_bad_file, fmt::format("{}: is a {}, not a {}; holdfast {} takes it", file,
                                                 use.kind, wanted, use.command));
}

Scenario read_scenario(const std::string& file) {
  const std::string text = read_file(file);
  require_kind(text, file, "scenario");
  Parsed parsed = parse_scenario(text, file, known());
  if (parsed.scenario) return std::move(*parsed.scenario);
  throw UserError(exit_bad_file,
                  fmt::format("bad scenario file, nothing was run{}", text_of(parsed.problems)));
}

}  // namespace holdfast::cli
