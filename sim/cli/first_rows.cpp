#include "sim/cli/first_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace holdfast::cli {
namespace {

constexpr std::size_t words_width = 24;  // of a name, before words
constexpr std::size_t faults_in_words = 6;

}  // namespace

FirstRows::FirstRows(std::vector<std::string> locks, std::vector<Fault> faults)
    : locks_(std::move(locks)), faults_(std::move(faults)), cells_(locks_.size()) {
  for (const Fault fault : faults_)
    if (std::find(columns_.begin(), columns_.end(), fault) == columns_.end()) columns_.push_back(fault);
  for (const std::string& lock : locks_) name_width_ = std::max(name_width_, reports::columns(lock));
}

bool FirstRows::are_a_matrix(const reports::Terminal& terminal) const {
  return !are_of_one_lock() && columns_.size() > faults_in_words &&
         name_width_ + reports::sign_width * columns_.size() <= terminal.width;
}

std::optional<FirstRows::Row> FirstRows::row_with(std::size_t cell, const Exploration& found,
                                                  const reports::Terminal& terminal) {
  const reports::MatrixCell known{.fault = faults_[cell], .properties = reports::judged(found, {})};
  cells_[cell] = reports::summary_of(known);
  for (std::size_t i = 0; i < locks_.size(); ++i)
    if (locks_[i] == locks_[cell] && !are_of_one_lock() && !cells_[i]) return std::nullopt;
  if (are_a_matrix(terminal))
    return Row{reports::padded(locks_[cell], name_width_), signs_of(locks_[cell], terminal)};
  const std::string name = are_of_one_lock() ? std::string(id_of(faults_[cell])) : locks_[cell];
  return Row{reports::padded(name, words_width), words_of(cell, terminal)};
}

std::string FirstRows::signs_of(const std::string& lock, const reports::Terminal& terminal) const {
  std::string signs;
  for (const Fault fault : columns_) {
    std::string sign;
    for (std::size_t i = 0; i < locks_.size(); ++i)
      if (locks_[i] == lock && faults_[i] == fault) sign = " " + sign_of(*cells_[i], terminal);
    signs += reports::padded(sign, reports::sign_width);
  }
  return signs;
}

std::string FirstRows::words_of(std::size_t cell, const reports::Terminal& terminal) const {
  std::string broken;
  std::map<reports::Outcome, std::size_t> others;
  for (std::size_t i = 0; i < locks_.size(); ++i) {
    if (locks_[i] != locks_[cell] || (are_of_one_lock() && i != cell)) continue;
    const reports::Summary& summary = *cells_[i];
    if (summary.outcome != reports::Outcome::violated) ++others[summary.outcome];
    else
      broken += fmt::format("  {} {} {} {}", glyph_of(summary.outcome), id_of(faults_[i]), steps_of(summary),
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
