// What a sample without violations proves: in words, and as data.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

#include "reports/report.hpp"

namespace holdfast::reports {

// Some property was neither violated nor decided: the sample is all there is to know of it.
bool rests_on_sample(const Exploration& exploration);
bool rests_on_sample(const MatrixCell& cell);

// One statement each, without full stops. `is_broken`: some other property is violated. REQUIRES:
// effort.sample.
std::vector<std::string> confidence_in_words(const Effort& effort, bool is_broken);
// The same, and what never happened in any run, so that nothing is known of it. REQUIRES: effort.sample.
nlohmann::ordered_json sample_json(const Effort& effort);

}  // namespace holdfast::reports
