// The situations that the runs behind verdicts came to.
#pragma once

#include <string>
#include <vector>

#include "reports/report.hpp"

namespace holdfast::reports {

// Those that no run came to, in the order of the vocabulary.
std::vector<Situation> never_met(const Reach& reach);

std::string situation_in_words(Situation situation, Language language);

// The fault of the cell struck, but never while the lock was held.
bool struck_no_held_lock(const MatrixCell& cell);

// "… in 21 of 36 cells" of each situation; then which faults struck a held lock, and which never did.
std::vector<std::string> exercised_in_words(const Matrix& matrix);

}  // namespace holdfast::reports
