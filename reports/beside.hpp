// What every report of a `diff` shows: the cases, and the moves side by side.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/separation.hpp"

namespace holdfast::reports {

extern const std::string_view same_tape;  // what it means

// What one of the two locks breaks, or may break; in both directions.
std::vector<const Separation*> worth_telling(const Difference& difference);
// Their table: names of columns, then a row for each.
std::vector<std::vector<std::string>> rows_of(const std::vector<const Separation*>& told);
// Of the shortest tape; nullptr if there is none.
const Separation* shortest_of(const Difference& difference);
std::string left_out_words(const Separation& it);
std::string bounds_text(const Difference& difference);
std::string summary(const Difference& difference);

// A step of the tape in words: what the first lock did, and what the second did then.
struct Beside {
  std::string first;
  std::string second;
  std::vector<Step> first_steps = {};  // at most one
  std::vector<Step> second_steps = {};
  bool differs = false;  // another command, or other events come of it
};
std::vector<Beside> side_by_side(const SeparatePair& pair);

}  // namespace holdfast::reports
