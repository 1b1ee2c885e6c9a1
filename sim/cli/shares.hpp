// How long the parts of a comparison take beside each other, for the time that is told to be left.
#pragma once

#include <vector>

#include "sim/scenario/scope.hpp"

namespace holdfast::cli {

// One for each of these steps, then the costs, then the explanations.
std::vector<double> shares_of(const std::vector<Scope>& scopes);

}  // namespace holdfast::cli
