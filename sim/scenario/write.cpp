// Scenarios as text: what the visitor of writer.hpp makes, printed.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "sim/scenario/fields.hpp"
#include "sim/scenario/parse.hpp"
#include "sim/scenario/writer.hpp"

namespace holdfast {

std::string scenario_json(const Scenario& scenario) {
  return json_of(scenario).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace holdfast
