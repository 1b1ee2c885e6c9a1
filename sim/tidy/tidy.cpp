// Rules about size and form, and the list of all rules.
#include "sim/tidy/tidy.hpp"

#include <algorithm>
#include <initializer_list>
#include <tuple>

#include "sim/tidy/rules.hpp"

namespace holdfast::tidy {
namespace {

constexpr std::size_t file_lines_max = 400;
constexpr std::size_t function_lines_max = 60;
constexpr std::size_t columns_max = 110;
// Written in two parts, so that a search for them does not find this line.
constexpr std::string_view leftovers[] = {
    "TO"
    "DO",
    "FIX"
    "ME"};

std::size_t columns_of(std::string_view line) {
  // UTF-8: every byte but continuation bytes begins a character.
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

bool is_function(const Statement& statement) {
  if (statement.end != '{' || statement.text.find(')') == statement.text.npos) return false;
  for (const std::string_view word : {"namespace", "class", "struct", "enum", "if", "for", "while", "switch"})
    if (statement.text.starts_with(word)) return false;
  return true;
}

std::string says(const std::string& what, std::size_t have, std::size_t most) {
  return what + " " + std::to_string(have) + ", at most " + std::to_string(most);
}

void check_purpose(const Source& source, Findings& findings) {
  const std::string_view first = source.lines.empty() ? std::string_view() : source.lines.front();
  if (first.starts_with("// ")) return;
  // The purpose of a .cpp file may stand in its header, if it includes that first.
  const std::string header = source.path.substr(0, source.path.rfind('.')) + ".hpp";
  if (first == "#include \"" + header + "\"") return;
  findings.add(1, "purpose", "begin the file with a comment that says what it is for");
}

}  // namespace

void check_sizes(const Source& source, Findings& findings) {
  check_purpose(source, findings);
  if (source.lines.size() > file_lines_max)
    findings.add(
        file_lines_max + 1, "file-size",
        says("this file has lines:", source.lines.size(), file_lines_max) + "; find its second purpose");
  for (std::size_t i = 0; i < source.lines.size(); ++i) {
    if (columns_of(source.lines[i]) > columns_max)
      findings.add(i + 1, "line-length", says("columns:", columns_of(source.lines[i]), columns_max));
    for (const std::string_view word : leftovers)
      if (has_word(source.comments[i], word)) findings.add(i + 1, "leftover", "do it, or leave it out");
  }
  for (const Statement& statement : source.statements) {
    const std::size_t length = statement.body_end_line - statement.line + 1;
    if (is_function(statement) && statement.body_end_line > 0 && length > function_lines_max)
      findings.add(statement.line, "function-size",
                   says("this function has lines:", length, function_lines_max));
  }
}

std::string to_text(const Violation& violation) {
  return violation.file + ":" + std::to_string(violation.line) + ": " + violation.rule + ": " +
         violation.advice;
}

namespace {

using Check = void (*)(const Source&, Findings&);

std::vector<Violation> found_by(std::initializer_list<Check> checks, const Source& source,
                                std::string_view path) {
  Findings findings{std::string(path)};
  for (const Check check : checks) check(source, findings);
  std::sort(findings.found.begin(), findings.found.end(), [](const Violation& a, const Violation& b) {
    return std::tie(a.line, a.rule) < std::tie(b.line, b.rule);
  });
  return findings.found;
}

}  // namespace

std::vector<Violation> inspect(std::string_view path, std::string_view text) {
  return found_by({check_sizes, check_includes, check_bans, check_coroutines}, Source(path, text), path);
}

std::vector<Violation> inspect_lock(std::string_view path, std::string_view text) {
  return found_by({check_bans, check_coroutines}, Source("algorithms/lock.cpp", text), path);
}

}  // namespace holdfast::tidy
