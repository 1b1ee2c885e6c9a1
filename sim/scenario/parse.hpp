// Scenario files: read strictly, written canonically, described by a JSON Schema.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/known.hpp"
#include "sim/scenario/problem.hpp"
#include "sim/scenario/scenario.hpp"

namespace holdfast {

struct Parsed {
  std::optional<Scenario> scenario;  // exactly when there is no problem
  std::vector<Problem> problems;     // all of them, in the order of the text
};

// `file_name` is what problems call the text; without a "name" in the text, it also names the scenario.
Parsed parse_scenario(std::string_view text, std::string file_name, const Known& known);

// A scenario as a file that says everything and leaves nothing to defaults: parse_scenario() reads it back
// equal.
std::string scenario_json(const Scenario& scenario);

// JSON Schema, draft-07, of everything that parse_scenario() accepts. It cannot express that keys are unique,
// that a fault's target takes part, and the like.
std::string scenario_schema(const Known& known);

}  // namespace holdfast
