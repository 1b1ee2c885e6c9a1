// Scenario files as this program reads them: with its locks, its faults and its properties.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/parse.hpp"

namespace holdfast::cli {

Known known();
// Each on lines of its own, after a line end.
std::string text_of(const std::vector<Problem>& problems);
// Throws UserError where `text` is another of this program's files than a `wanted` one ("trace",
// "scenario"): what can be done with that.
void require_kind(const std::string& text, const std::string& file, std::string_view wanted);
// Reads and parses. Throws UserError with every problem of the file.
Scenario read_scenario(const std::string& file);

}  // namespace holdfast::cli
