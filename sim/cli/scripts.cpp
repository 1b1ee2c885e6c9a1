#include "sim/cli/scripts.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "sim/cli/session.hpp"
#include "sim/guest/script.hpp"
#include "sim/process/program.hpp"

namespace holdfast::cli {
namespace {

bool is_script(const std::string& name) {
  return name.ends_with(".lua") && name.find_first_of("*?[") == std::string::npos;
}

// Between spaces, unless they stand between quotes; a backslash takes the next letter as it is.
std::vector<std::string> words_of_command(const std::string& text) {
  std::vector<std::string> words;
  bool is_in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    char letter = text[i];
    const bool is_space = quote == '\0' && (letter == ' ' || letter == '\t' || letter == '\n');
    if (is_space) is_in_word = false;
    if (is_space) continue;
    if (!is_in_word) words.emplace_back();
    is_in_word = true;
    if (letter == quote) quote = '\0';
    else if (quote == '\0' && (letter == '\'' || letter == '"')) quote = letter;
    else {
      if (letter == '\\' && quote != '\'' && i + 1 < text.size()) letter = text[++i];
      words.back() += letter;
    }
  }
  if (quote != '\0') throw UserError(exit_usage, fmt::format("--guest {}: a quote is not closed", text));
  if (words.empty()) throw UserError(exit_usage, "--guest: a command, such as 'python3 my_lock.py'");
  return words;
}

void load_program(const std::string& text) {
  std::vector<std::string> environment;
  for (char** each = environ; *each != nullptr; ++each) environment.emplace_back(*each);
  process::Command command;
  command.id = text;
  command.words = words_of_command(text);
  command.summary = "a program: " + text;
  const process::Program& program = process::programs::load(std::move(command), environment);
  if (algorithms::find(program.card().id) == nullptr) algorithms::add(program.card());
}

}  // namespace

const Card* script_called(const std::string& name) {
  namespace fs = std::filesystem;
  if (!is_script(name)) return nullptr;
  std::error_code error;
  const std::string normal = fs::path(name).lexically_normal().string();
  const fs::path shipped = lessons_directory() / "../../algorithms" / fs::path(name).filename();
  const bool is_shipped = !fs::exists(normal, error) && fs::exists(shipped, error) &&
                          (normal == fs::path(name).filename() || normal.starts_with("algorithms/"));
  try {
    const guest::Script& script =
        is_shipped ? guest::scripts::load(shipped.string(), "algorithms/" + shipped.filename().string())
                   : guest::scripts::load(normal, normal);
    if (const Card* const known = algorithms::find(script.card().id)) return known;
    return &algorithms::add(script.card());
  } catch (const std::system_error& why) {
    throw UserError(exit_missing_file, fmt::format("{}: {}", name, why.code().message()));
  }
}

void load_scripts(Options& options) {
  for (const std::string& command : options.guests) load_program(command);
  if (!options.only.empty())
    options.only.insert(options.only.end(), options.guests.begin(), options.guests.end());
  for (std::vector<std::string>* const words : {&options.names, &options.only})
    for (std::string& word : *words)
      if (options.command != "doctor" && is_script(word)) word = script_called(word)->id;
}

std::vector<reports::LearntProgram> learnt_programs(const std::vector<const Card*>& cards) {
  std::vector<reports::LearntProgram> list;
  const auto add = [&](const Card& card, const guest::Histories::Statistics& it) {
    list.push_back({std::string(card.id), it.histories, it.sessions, it.compared, it.problems});
  };
  for (const Card* card : cards) {
    if (const guest::Script* const script = guest::scripts::of(*card)) add(*card, script->statistics());
    if (const process::Program* const program = process::programs::of(*card))
      add(*card, program->statistics());
  }
  return list;
}

}  // namespace holdfast::cli
