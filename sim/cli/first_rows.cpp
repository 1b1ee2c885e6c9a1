#include "sim/cli/first_rows.hpp"

#include <fmt/format.h>

#include <map>

namespace holdfast::cli {

std::string FirstRows::row_with(std::size_t cell, Fault fault, const Exploration& found,
                                const reports::Terminal& terminal) {
  const reports::MatrixCell known{.fault = fault, .properties = reports::judged(found, {})};
  cells_[cell] = Cell{fault, reports::summary_of(known)};
  std::string broken;
  std::map<reports::Outcome, std::size_t> others;
  for (std::size_t i = 0; i < locks_.size(); ++i) {
    if (locks_[i] != locks_[cell] || (are_of_one_lock() && i != cell)) continue;
    if (!cells_[i]) return "";
    const auto& [of, summary] = *cells_[i];
    if (summary.outcome != reports::Outcome::violated) ++others[summary.outcome];
    else
      broken += fmt::format("  {} {} {} {}", glyph_of(summary.outcome), id_of(of), steps_of(summary),
                            summary.letters);
  }
  std::string text;
  for (const auto& [outcome, count] : others)
    text += fmt::format("{}{}{}", text.empty() ? "" : "  ",
                        painted(terminal, style_of(outcome), reports::glyph_of(outcome)),
                        are_of_one_lock() ? "" : fmt::format(" {}", count));
  return text + broken;
}

}  // namespace holdfast::cli
