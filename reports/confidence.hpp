// What a sample without violations proves: in words, and as data.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

#include "sim/check/result.hpp"

namespace holdfast::reports {

// Some property was neither violated nor decided: the sample is all there is to know of it.
bool rests_on_sample(const Exploration& exploration);

// One statement each, without full stops. REQUIRES: exploration.sample.
std::vector<std::string> confidence_in_words(const Exploration& exploration);
// The same, and what never happened in any run, so that nothing is known of it. REQUIRES: exploration.sample.
nlohmann::ordered_json sample_json(const Exploration& exploration);

}  // namespace holdfast::reports
