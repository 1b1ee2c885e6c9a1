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
  // One name for each cell; cells of a lock follow each other.
  explicit FirstRows(std::vector<std::string> locks) : locks_(std::move(locks)), cells_(locks_.size()) {}

  bool are_of_one_lock() const { return locks_.empty() || locks_.front() == locks_.back(); }
  // The row of the lock of this cell, if it was the last one of them; else empty. Of one lock alone, of the
  // cell.
  std::string row_with(std::size_t cell, Fault fault, const Exploration& found,
                       const reports::Terminal& terminal);

 private:
  struct Cell {
    Fault fault;
    reports::Summary summary;
  };
  const std::vector<std::string> locks_;
  std::vector<std::optional<Cell>> cells_;
};

}  // namespace holdfast::cli
