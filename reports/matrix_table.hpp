// The verdicts of a comparison on its page: the legend, the table, and a card for each lock.
#pragma once

#include <ostream>
#include <string>

#include "reports/matrix_page.hpp"
#include "reports/matrix_words.hpp"
#include "reports/ranking.hpp"

namespace holdfast::reports {

// "lock-redis-py": where the page explains it.
std::string anchor_of(std::string_view algorithm);
// The page of the run that shows it; empty: there is none.
std::string page_of(const Broken& broken);

void write_legend(const Matrix& matrix, Language language, std::ostream& out);
void write_verdict_table(const std::vector<RankedLocks>& ranking, const Grid& grid,
                         const MatrixPageContext& context, std::ostream& out);
void write_lock_cards(const std::vector<RankedLocks>& ranking, const MatrixPageContext& context,
                      std::ostream& out);

}  // namespace holdfast::reports
