// The words of the page of a whole comparison. {0}, {1}, … are filled in; what they stand for is said at each
// entry.
#pragma once

#include <array>
#include <string_view>

#include "reports/language.hpp"
#include "reports/page_words.hpp"
#include "sim/core/vocabulary.hpp"

namespace holdfast::reports {

struct MatrixWords {
  std::string_view title;
  std::string_view heading;
  std::string_view to_verdicts;
  std::string_view interrupted;
  Plural locks;
  Plural faults;
  Plural cells;
  std::string_view extent;  // 0: locks, 1: faults, 2: cells, 3: how many came to what
  std::array<std::string_view, verdict_ids.size()> tally;  // by Outcome; 0: number
  std::array<std::string_view, verdict_ids.size()> outcomes;
  std::array<std::string_view, verdict_ids.size()> meanings;
  std::string_view comma;
  std::string_view last_comma;  // of names to choose from
  std::string_view others;      // 0: names, 1: how many more
  // --- which lock to take ---
  std::string_view which;
  std::array<std::string_view, 4> with;  // by Needs
  std::string_view take;                 // 0: with, 1: names
  std::string_view take_least;           // the same; it breaks under all faults, as all others of its kind
  std::string_view undecided;            // 0: with, 1: names, 2: faults of which nothing is known
  std::string_view unbroken;
  std::string_view broken;    // 0: how many faults, 1: of how many, 2: which
  std::string_view unproved;  // 0: faults
  std::string_view derived;
  std::string_view rule;
  // --- findings ---
  std::string_view findings;
  std::string_view alone;    // 0: locks of all locks, 1: names
  std::string_view worst;    // 0: fault, 1: locks of all locks, 2: what the property is about, 3: an example
  std::string_view no_lock;  // the same, where all break: the locks are not named
  std::string_view telling;  // 0: property, 1: locks of all locks, 2: about what, 3: names, 4: an example
  std::string_view mildest;  // 0: fault, 1: locks that hold of all locks
  std::string_view some;     // 0: number, 1: of how many locks
  std::string_view example;  // of a link to a run
  // --- the table and the cards ---
  std::string_view verdicts;
  std::string_view how_to_read;
  std::string_view filter;
  std::string_view table;
  std::string_view lock;
  std::string_view by_robustness;
  std::string_view believes;  // 0: belief
  std::string_view explained;
  std::string_view more;
  std::string_view source;
  std::string_view takes;
  std::string_view renews;
  std::string_view frees;
  std::string_view bugs;
  std::string_view lesson_of_bug;  // 0: scenario
  std::string_view repair_of_bug;  // 0: scenario
  std::string_view check;
};

const MatrixWords& matrix_words_of(Language language);

}  // namespace holdfast::reports
