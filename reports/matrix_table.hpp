// The verdicts of a comparison on its page: the legend, and groups of locks with their cells and cards.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "reports/matrix_page.hpp"
#include "reports/ranking.hpp"

namespace holdfast::reports {

// "lock-redis-py": where the page explains it.
std::string anchor_of(std::string_view algorithm);
// The page of the run that shows it; empty: there is none.
std::string page_of(const Broken& broken);

nlohmann::ordered_json legend_of_outcomes(const Matrix& matrix, Language language);
nlohmann::ordered_json legend_of_properties(const Matrix& matrix, Language language);
// Locks with the same verdicts share a row.
nlohmann::ordered_json groups_of(const std::vector<RankedLocks>& ranking, const MatrixPageContext& context);

}  // namespace holdfast::reports
