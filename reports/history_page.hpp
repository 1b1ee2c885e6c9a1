// The page of a baseline over the commits that changed it: verdicts, what a user pays, and how times are
// distributed. Pictures without scripts.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "reports/language.hpp"
#include "sim/core/vocabulary.hpp"

namespace holdfast::reports {

struct HistoryCommit {
  std::string name;  // short
  std::string date;
  std::string subject;
};
struct History {
  std::string baseline;
  std::vector<HistoryCommit> commits;  // the oldest first
  // One value for each commit; empty: the baseline of that commit does not say.
  struct Verdicts {
    std::string name;  // "token under pause, mutual-exclusion"
    std::vector<std::optional<Verdict>> values;
  };
  std::vector<Verdicts> verdicts;
  struct Figures {
    std::string name;  // "token (contend, 8 clients)"
    std::vector<std::optional<double>> values;
  };
  struct Cost {
    std::string name;  // "commands_per_acquire"
    std::vector<Figures> lines;
  };
  std::vector<Cost> costs;
  // Of the last commit that measured it: nanoseconds, one for each repetition.
  struct Times {
    std::string name;
    std::vector<double> samples;
  };
  std::vector<Times> times;
};

// A commit that turned verdicts: how many of them to violated, and how many of those that were to proved.
struct HistoryTurn {
  const HistoryCommit* commit = nullptr;
  std::size_t broke = 0;
  std::size_t mended = 0;
};
// The oldest first. `history` must outlive the result.
std::vector<HistoryTurn> turns_of(const History& history);

void write_history_page(const History& history, Language language, std::ostream& out);

}  // namespace holdfast::reports
