// How words become a command with its options, ready to be performed.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "sim/cli/parser.hpp"
#include "sim/cli/usage.hpp"
#include "sim/cli/version.hpp"

namespace holdfast::cli {
namespace {

Performance answer(const std::string& text) {
  std::cout << text;
  return {};
}

// Takes "--guest COMMAND" out of the words: it stands for the name of a lock.
std::vector<std::string> take_guests(std::vector<std::string> words, std::vector<std::string>& guests) {
  constexpr std::string_view name = "--guest";
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_next = words[i] == name && i + 1 < words.size();
    const bool is_here = words[i].starts_with("--guest=");
    if (is_next) guests.push_back(words[++i]);
    else if (is_here) guests.push_back(words[i].substr(name.size() + 1));
    else rest.push_back(std::move(words[i]));
  }
  constexpr std::string_view without_names[] = {"compare", "replay", "doctor"};
  const bool has_names = !rest.empty() && std::find(std::begin(without_names), std::end(without_names),
                                                    rest.front()) == std::end(without_names);
  if (has_names) rest.insert(rest.begin() + 1, guests.begin(), guests.end());
  return rest;
}

// "help" and "help COMMAND" are what people type before they know "--help".
std::vector<std::string> as_options(std::vector<std::string> words) {
  if (words.empty() || words.front() != "help") return words;
  words.erase(words.begin());
  words.insert(words.size() > 0 ? words.begin() + 1 : words.begin(), "--help");
  return words;
}

// "," names nothing, and CLI11 then takes the next word.
void require_no_empty_list(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (const std::string value = word.starts_with("--") ? word.substr(word.find('=') + 1) : word;
        !value.empty() && value.find_first_not_of(',') == std::string::npos)
      throw UserError(exit_usage, fmt::format("\"{}\" is a list of nothing", word));
}

}  // namespace

Parser::Parser() : app_("", "holdfast") {
  app_.formatter(help_formatter());
  app_.set_help_flag("-h,--help", "this text");
  app_.set_version_flag("--version", std::string("holdfast ") + version);
  app_.require_subcommand(1);
}

Performance Parser::parse(const std::vector<std::string>& all_words) {
  const std::vector<std::string> words = take_guests(as_options(all_words), guests_);
  require_no_empty_list(words);
  try {
    app_.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // as CLI11 wants them
  } catch (const CLI::CallForHelp&) {
    const std::vector<CLI::App*> commands = app_.get_subcommands();
    if (commands.empty() && !words.front().starts_with("-"))
      throw UserError(exit_usage, complaint(CLI::CallForHelp(), app_, words));
    return answer(commands.empty() ? overview() : commands.front()->help());
  } catch (const CLI::CallForVersion&) {
    return answer(std::string("holdfast ") + version + "\n");
  } catch (const CLI::ParseError& error) {
    throw UserError(exit_usage, complaint(error, app_, words));
  }
  return chosen_;
}

}  // namespace holdfast::cli
