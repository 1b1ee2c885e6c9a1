#include "sim/cli/results.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <system_error>

#include "reports/terminal.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/told.hpp"
#include "sim/trace/digest.hpp"

namespace holdfast::cli {
namespace {

namespace fs = std::filesystem;

// Says whose the results are that lie beside it.
constexpr const char* owner_file = "command.txt";
// What results in JSON say of themselves that are not whole.
constexpr std::string_view partial = "\n \"interrupted\": true";

// As a shell reads it.
std::string shell_word(const std::string& word) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_=.,/:+%@").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

bool has_results(const fs::path& place) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(place, error)) {
    const std::string name = entry.path().filename().string();
    const bool is_matrix = name.starts_with("matrix.") && name.ends_with(".json");
    if (name == "index.html" || is_matrix || name.ends_with(".trace.json")) return true;
  }
  return false;
}

bool can_write(const fs::path& path, const std::string& text) {
  try {
    write_file(path, text);
    return true;
  } catch (const UserError&) {
    return false;
  }
}

// Whose the results in `place` are: `mine`, if there were none until now; empty, if nobody says so.
std::string claimed(const fs::path& place, const std::string& mine) {
  const fs::path file = place / owner_file;
  std::error_code error;
  for (;;) {
    if (fs::exists(file, error)) {
      const std::string text = read_file(file.string());
      return text.substr(0, text.find('\n'));
    }
    if (has_results(place)) return "";
    // Of several commands at once, one makes the link.
    const fs::path own = place / fmt::format("{}.{}", owner_file, getpid());
    // Where this cannot be written, nothing else can: that is told when all that was found is printed.
    if (!can_write(own, mine + "\n")) return mine;
    const int failed = link(own.c_str(), file.c_str()) == 0 ? 0 : errno;
    if (failed != 0 && failed != EEXIST) fs::rename(own, file, error);  // not every disk has links
    fs::remove(own, error);
    if (failed != EEXIST) return mine;
  }
}

// "check-token-faults-pause".
std::string name_for(const std::string& question) {
  constexpr std::size_t length_max = 60;
  std::string name;
  for (const char c : question.substr(question.find(' ') + 1)) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
    if (is_plain) name += c;
    else if (!name.empty() && name.back() != '-') name += '-';
  }
  while (name.ends_with('-') || name.ends_with('.')) name.pop_back();
  if (name.size() <= length_max) return name;
  return name.substr(0, length_max) + "-" + digest_of(question).hex().substr(0, 8);
}

}  // namespace

std::string question_of(const CLI::App& command, const std::vector<std::string>& guests) {
  constexpr std::string_view how[] = {"format", "color",       "width",    "ascii", "language", "jobs",
                                      "out",    "resume",      "progress", "shard", "expect",   "live",
                                      "redis",  "learn",       "store",    "force", "against",  "measured",
                                      "bench",  "repetitions", "rewrite"};
  std::string text = "holdfast " + command.get_name();
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0) continue;
    if (option->get_lnames().empty()) {
      for (const std::string& word : option->results()) text += " " + shell_word(word);
      continue;
    }
    const std::string& name = option->get_lnames().front();
    // Where baselines are says how; which stores one has is part of the question.
    const bool is_asked = name == "store" && command.get_name() == "choose";
    if (!is_asked && std::find(std::begin(how), std::end(how), name) != std::end(how)) continue;
    text += " --" + name;
    if (option->get_expected_max() == 0) continue;
    std::string values;
    for (const std::string& value : option->results()) values += (values.empty() ? "" : ",") + value;
    text += "=" + shell_word(values);
  }
  if (command.get_name() == "compare")
    for (const std::string& guest : guests) text += " --guest=" + shell_word(guest);
  return text;
}

const fs::path& Saved::directory() {
  if (!directory_.empty()) return directory_;
  std::error_code error;
  fs::create_directories(options_.out, error);
  const bool is_asked = !options_.question.empty() && !is_below_;
  const std::string first = is_asked ? claimed(options_.out, options_.question) : "";
  if (options_.question.empty() || first == options_.question) return directory_ = options_.out;
  const fs::path place = fs::path(options_.out) / name_for(options_.question);
  fs::path chosen = place;
  for (int next = 2;; ++next) {
    fs::create_directories(chosen, error);
    if (claimed(chosen, options_.question) == options_.question) break;
    chosen = fmt::format("{}-{}", place.string(), next);
  }
  directory_ = chosen;
  if (is_below_) return directory_;
  tell("holdfast: {} has the results of {}; those of this command line are saved in {}\n", options_.out,
       first.empty() ? "something else" : fmt::format("\"{}\"", first), chosen.string());
  return directory_;
}

void Saved::are_a_part(const std::string& file) {
  const fs::path whole = directory() / file;
  std::error_code error;
  const bool is_whole =
      fs::exists(whole, error) && read_file(whole.string()).find(partial) == std::string::npos;
  if (!is_whole) return;
  tell("holdfast: {} keeps the whole results; those of the interrupted command are saved in {}\n",
       directory_.string(), (directory_ / "interrupted").string());
  directory_ /= "interrupted";
  fs::create_directories(directory_, error);
}

std::string Saved::write(const std::string& name, std::string_view text) {
  const fs::path path = directory() / name;
  try {
    write_file(path, text);
    ++written_;
    return path.string();
  } catch (const UserError& error) {
    if (!first_) first_ = error;
    ++failed_;
    return "";
  }
}

void Saved::require_all() const {
  if (!first_) return;
  throw UserError(first_->code(), fmt::format("{}; {} of {} saved", first_->what(), written_,
                                              reports::counted(written_ + failed_, "file")));
}

}  // namespace holdfast::cli
