// Where a command saves what it finds. A directory belongs to one command line: another one saves beside it,
// so nothing that was found is lost. And what is said to be saved is saved.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cli/options.hpp"

namespace holdfast::cli {

// What a command line asks, in words that can be typed again: without the options that only say how, where
// and on how many machines it is answered. `guests`: the programs that were taken out of the words.
std::string question_of(const CLI::App& command, const std::vector<std::string>& guests);

// What one command saves, in the directory that options.out names if nothing of another command line is in
// it; else in a directory below it, which stderr names. What does not fit the disk is told once, at the end,
// after all that was found is printed.
class Saved {
 public:
  // `is_below`: always in a directory below, because the command goes with others that save there, too.
  explicit Saved(const Running& options, bool is_below = false) : options_(options), is_below_(is_below) {}
  // The results are not whole: where `file` ("matrix.json") has whole ones of the same command line, they
  // stay, and these go to a directory below. REQUIRES: nothing was saved yet.
  void are_a_part(const std::string& file);
  // It is chosen when it is first asked for, and belongs to this command line from then on.
  const std::filesystem::path& directory();
  // Returns where the file is; "" if it cannot be written.
  std::string write(const std::string& name, std::string_view text);
  // Throws UserError: the first file that could not be written, and how many were.
  void require_all() const;

 private:
  Running options_;
  bool is_below_;
  std::filesystem::path directory_;  // empty: not chosen yet
  std::size_t written_ = 0;
  std::size_t failed_ = 0;
  std::optional<UserError> first_;
};

}  // namespace holdfast::cli
