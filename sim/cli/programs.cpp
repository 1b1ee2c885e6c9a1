#include "sim/cli/programs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/cli/json_file.hpp"
#include "sim/cli/session.hpp"
#include "sim/core/params.hpp"
#include "sim/process/program.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;

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
  if (quote != '\0') throw std::invalid_argument("a quote is not closed");
  if (words.empty()) throw std::invalid_argument("needs a command, such as 'python3 my_lock.py'");
  return words;
}

const Card& add(process::Command command) {
  std::vector<std::string> environment;
  for (char** each = environ; *each != nullptr; ++each) environment.emplace_back(*each);
  const Card& card = process::programs::load(std::move(command), environment).card();
  const Card* const known = algorithms::find(card.id);
  return known != nullptr ? *known : algorithms::add(card);
}

// --- files ---

using Mistake = std::invalid_argument;

std::string text_in(std::string_view field, const Json& value) {
  if (!value.is_string()) throw Mistake(fmt::format("\"{}\" is a text", field));
  return value.get<std::string>();
}

std::vector<std::string> command_of(const Json& value) {
  constexpr const char* expected =
      "\"command\" is a text, such as \"python3 my_lock.py\", or a list of words";
  if (value.is_string()) return words_of_command(value.get<std::string>());
  if (!value.is_array() || value.empty()) throw Mistake(expected);
  std::vector<std::string> words;
  for (const Json& word : value) {
    if (!word.is_string()) throw Mistake(expected);
    words.push_back(word.get<std::string>());
  }
  return words;
}

std::uint32_t nodes_of(const Json& value) {
  const CountRange range = range_of({"nodes", Parameter::Kind::count, "1", ""});
  if (!value.is_number_integer() || value < range.low || value > range.high)
    throw Mistake(fmt::format("\"nodes\" is a number from {} to {}", range.low, range.high));
  return value.get<std::uint32_t>();
}

std::vector<std::string> environment_of(const Json& value) {
  if (!value.is_object())
    throw Mistake("\"environment\" has names and values, such as {\"NODE_PATH\": \".\"}");
  std::vector<std::string> environment;
  for (const auto& [name, text] : value.items())
    environment.push_back(name + "=" + text_in("environment." + name, text));
  return environment;
}

constexpr std::array<std::string_view, 6> fields{"$schema", "command",     "summary",
                                                 "nodes",   "environment", "told-time"};

process::Command read(const Json& json) {
  if (!json.is_object()) throw Mistake("is no object, such as {\"command\": \"python3 my_lock.py\"}");
  process::Command command;
  for (const auto& [field, value] : json.items()) {
    if (field == "command") command.words = command_of(value);
    else if (field == "summary") command.summary = text_in(field, value);
    else if (field == "nodes") command.nodes = nodes_of(value);
    else if (field == "environment") command.environment = environment_of(value);
    else if (field == "told-time" && !value.is_boolean()) throw Mistake("\"told-time\" is true or false");
    else if (field == "told-time") command.is_told_time = value.get<bool>();
    else if (field != "$schema")
      throw Mistake(fmt::format("\"{}\" is none of {}{}", field, fmt::join(fields, ", "),
                                did_you_mean(field, {fields.begin(), fields.end()})));
  }
  if (command.words.empty()) throw Mistake("has no \"command\"");
  return command;
}

}  // namespace

void load_program(const std::string& command) {
  process::Command program;
  program.id = command;
  program.summary = "a program: " + command;
  try {
    program.words = words_of_command(command);
  } catch (const std::invalid_argument& why) {
    throw UserError(exit_usage, fmt::format("--guest {}: {}", command, why.what()));
  }
  add(std::move(program));
}

bool is_program_file(const std::string& name) {
  return name.ends_with(".guest.json") && name.find_first_of("*?[") == std::string::npos;
}

process::Command parse_program(const std::string& text, const std::string& file) {
  const Json json = parse_json(text, file);
  try {
    process::Command command = read(json);
    command.id = file;
    if (command.summary.empty()) command.summary = "a program: " + command.id;
    command.directory = std::filesystem::absolute(file).parent_path().string();
    return command;
  } catch (const Mistake& why) {
    throw UserError(exit_bad_file, fmt::format("{}: error: {}", file, why.what()));
  }
}

const Card& program_in(const std::string& file) {
  const std::string id = std::filesystem::path(file).lexically_normal().string();
  if (const Card* const known = algorithms::find(id)) return *known;
  return add(parse_program(read_file(id), id));
}

}  // namespace holdfast::cli
