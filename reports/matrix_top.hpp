// What a comparison says first: which lock to take, and on its page what stands out.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "reports/matrix_page.hpp"
#include "reports/ranking.hpp"

namespace holdfast::reports {

// "5 locks under 3 faults: 15 cells, 8 hold · 7 violated".
std::string extent_in_words(const Matrix& matrix, const Grid& grid, Language language);
nlohmann::ordered_json advice_json(const Grid& grid, const std::vector<RankedLocks>& ranking,
                                   const MatrixPageContext& context);
// The same as sentences, in English, for a terminal.
std::vector<std::string> advice_in_words(const Grid& grid, const std::vector<RankedLocks>& ranking,
                                         std::span<const Card> cards);
nlohmann::ordered_json insights_json(const Grid& grid, const std::vector<RankedLocks>& ranking,
                                     const MatrixPageContext& context);

}  // namespace holdfast::reports
