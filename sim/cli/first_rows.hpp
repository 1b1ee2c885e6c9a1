// What the smallest bounds say of each lock, as soon as all of its cells are known: for readers at terminals.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/verdicts.hpp"

namespace holdfast::cli {

class FirstRows {
 public:
  // One name and one fault for each cell; cells of a lock follow each other.
  FirstRows(std::vector<std::string> locks, std::vector<Fault> faults);

  bool are_of_one_lock() const { return locks_.empty() || locks_.front() == locks_.back(); }
  // The rows are a matrix that grows, with a head, where there are so many faults that words would fill a
  // screen for each lock.
  bool are_a_matrix(const reports::Terminal& terminal) const;
  std::vector<std::string> head() const { return reports::upright(columns_, name_width_); }
  struct Row {
    std::string name;
    std::string text;
  };
  // The row of the lock of this cell, if it was the last one of them. Of one lock alone, of the cell.
  std::optional<Row> row_with(std::size_t cell, const Exploration& found, const reports::Terminal& terminal);

 private:
  std::string signs_of(const std::string& lock, const reports::Terminal& terminal) const;
  std::string words_of(std::size_t cell, const reports::Terminal& terminal) const;

  const std::vector<std::string> locks_;
  const std::vector<Fault> faults_;
  std::vector<Fault> columns_;
  std::size_t name_width_ = 0;
  std::vector<std::optional<reports::Summary>> cells_;
};

}  // namespace holdfast::cli
