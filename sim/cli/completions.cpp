// completions and manual: what shells and man show of the commands, from the commands themselves.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "reports/report.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/parser.hpp"
#include "sim/cli/usage.hpp"
#include "sim/cli/version.hpp"
#include "sim/explore/comparison.hpp"

namespace holdfast::cli {
namespace {

using WordList = std::vector<std::string>;

// Every name of an option, dashes included: "-o", "--out".
WordList flags_of(const CLI::Option& option) {
  WordList flags;
  for (const std::string& name : option.get_snames()) flags.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) flags.push_back("--" + name);
  return flags;
}

bool takes_value(const CLI::Option& option) { return option.get_expected_max() != 0; }

WordList ids_of_locks() {
  WordList ids;
  for (const Card& card : algorithms::all()) ids.emplace_back(card.id);
  return ids;
}

// What may stand for the value of an option or argument; empty where files or numbers do.
WordList values_of(const Parser& parser, const CLI::Option& option) {
  const std::string name = option.get_positional() ? option.get_name() : option.get_lnames().front();
  if (name == "only" && option.get_description().find("benchmark") != std::string::npos) return {};
  if (name == "LOCK" || name == "only" || name == "except") return ids_of_locks();
  if (name == "faults") {
    WordList ids;
    for (const std::string_view id : fault_ids)
      if (simulated_faults.contains(*from_id<Fault>(fault_ids, id))) ids.emplace_back(id);
    return ids;
  }
  if (name == "properties") return {property_ids.begin(), property_ids.end()};
  if (name == "NAME") {
    WordList words;
    for (const std::string_view name : reports::explainable(algorithms::all()))
      if (name.find_first_of(" '(") == std::string_view::npos) words.emplace_back(name);
    return words;
  }
  return parser.words_of(option);
}

std::vector<const CLI::App*> commands_of(const Parser& parser) { return parser.tree().get_subcommands({}); }

// Of an option, in a line of a script: no quotes, no brackets, no colons; the first clause is enough.
std::string without_quotes(const std::string& text) {
  std::string words;
  for (const char c : text.substr(0, text.find_first_of(":;")))
    if (std::string_view("'\"`[]\\$").find(c) == std::string_view::npos) words += c;
  return words;
}

std::string bash_completion(const Parser& parser) {
  std::string values, flags, names;
  for (const CLI::App* command : commands_of(parser)) {
    WordList all;
    WordList positional;
    for (const CLI::Option* option : command->get_options()) {
      const WordList words = values_of(parser, *option);
      if (option->get_positional()) positional = words;
      for (const std::string& flag : flags_of(*option)) {
        all.push_back(flag);
        if (takes_value(*option))
          values +=
              fmt::format("    '{} {}') words='{}' ;;\n", command->get_name(), flag, fmt::join(words, " "));
      }
    }
    names += (names.empty() ? "" : " ") + command->get_name();
    flags += fmt::format("      '{} -'*) words='{}' ;;\n      '{} '*) words='{}' ;;\n", command->get_name(),
                         fmt::join(all, " "), command->get_name(), fmt::join(positional, " "));
  }
  return fmt::format(R"(# bash completion of holdfast {}
_holdfast() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='{} --help --version'
  else
    case "$command ${{COMP_WORDS[COMP_CWORD - 1]}}" in
{}    *)
      case "$command $current" in
{}      esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o bashdefault -o default -F _holdfast holdfast
)",
                     version, names, values, flags);
}

std::string zsh_completion(const Parser& parser) {
  std::string names, cases;
  for (const CLI::App* command : commands_of(parser)) {
    names += fmt::format("    '{}:{}'\n", command->get_name(), without_quotes(command->get_description()));
    cases += fmt::format("    {}) _arguments", command->get_name());
    for (const CLI::Option* option : command->get_options()) {
      const WordList words = values_of(parser, *option);
      const std::string action = words.empty() ? "_files" : fmt::format("({})", fmt::join(words, " "));
      if (option->get_positional()) {
        cases += fmt::format(" \\\n      '*:{}:{}'", option->get_name(), action);
        continue;
      }
      for (const std::string& flag : flags_of(*option)) {
        const std::string value =
            takes_value(*option) ? fmt::format(":{}:{}", option->get_type_name(), action) : "";
        cases += fmt::format(" \\\n      '{}[{}]{}'", flag, without_quotes(option->get_description()), value);
      }
    }
    cases += " ;;\n";
  }
  return fmt::format(R"(#compdef holdfast
# zsh completion of holdfast {}
local -a commands
commands=(
{})
if (( CURRENT == 2 )); then
  _describe command commands
else
  shift words
  (( CURRENT-- ))
  case $words[1] in
{}  esac
fi
)",
                     version, names, cases);
}

std::string fish_completion(const Parser& parser) {
  std::string text = fmt::format("# fish completion of holdfast {}\n", version);
  for (const CLI::App* command : commands_of(parser)) {
    text += fmt::format("complete -c holdfast -n __fish_use_subcommand -f -a {} -d '{}'\n",
                        command->get_name(), without_quotes(command->get_description()));
    for (const CLI::Option* option : command->get_options()) {
      const WordList words = values_of(parser, *option);
      std::string line =
          fmt::format("complete -c holdfast -n '__fish_seen_subcommand_from {}'", command->get_name());
      for (const std::string& name : option->get_snames()) line += " -s " + name;
      for (const std::string& name : option->get_lnames()) line += " -l " + name;
      if (option->get_positional() && words.empty()) continue;
      if (!words.empty())
        line += fmt::format(" {} -a '{}'", option->get_positional() ? "-f" : "-x", fmt::join(words, " "));
      else if (takes_value(*option)) line += " -r";
      text += fmt::format("{} -d '{}'\n", line, without_quotes(option->get_description()));
    }
  }
  return text;
}

// Text for roff: its own characters written out.
std::string roff(std::string_view text) {
  std::string escaped;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '\\') escaped += "\\e";
    else if (c == '-') escaped += "\\-";
    else escaped += c;
    line_begins = c == '\n';
  }
  return escaped;
}

std::string manual_of(const CLI::App& command) {
  std::string usage = "holdfast " + command.get_name();
  std::string options;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional())
      usage += " " + option->get_name() + (option->get_expected_max() > 1 ? "..." : "");
    const std::string names =
        option->get_positional() ? option->get_name() : fmt::format("{}", fmt::join(flags_of(*option), ", "));
    const std::string value =
        !option->get_positional() && takes_value(*option) ? " " + option->get_type_name() : "";
    const std::string usual =
        option->get_default_str().empty() ? "" : fmt::format(" ({})", option->get_default_str());
    options += fmt::format(".TP\n\\fB{}\\fR{}\n{}{}\n", roff(names), roff(value),
                           roff(option->get_description()), roff(usual));
  }
  return fmt::format(".SS {} [options]\n{}\n{}.PP\n.nf\n{}\n.fi\n", roff(usage),
                     roff(command.get_description()), options, roff(command.get_footer()));
}

}  // namespace

int completions(const CompletionsOptions& options) {
  Parser parser;
  add_commands(parser);
  const std::string& shell = options.names.front();
  std::cout << (shell == "bash"  ? bash_completion(parser)
                : shell == "zsh" ? zsh_completion(parser)
                                 : fish_completion(parser));
  return exit_as_expected;
}

int manual(const NoOptions&) {
  Parser parser;
  add_commands(parser);
  std::string text = fmt::format(
      ".TH HOLDFAST 1 \"\" \"holdfast {}\" \"User Commands\"\n.nh\n.ad l\n"
      ".SH NAME\nholdfast \\- find out how a distributed lock fails\n"
      ".SH SYNOPSIS\n.B holdfast\n.I COMMAND\n[options]\n"
      ".SH DESCRIPTION\n.nf\n{}.fi\n.SH COMMANDS\n",
      roff(version), roff(overview()));
  for (const CLI::App* command : commands_of(parser)) text += manual_of(*command);
  text +=
      ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colour, also on a terminal\n.TP\n.B COLUMNS\nthe width of "
      "results without a terminal\n.TP\n.B HOLDFAST_BASELINES\nthe folder of the baselines\n";
  std::cout << text;
  return exit_as_expected;
}

}  // namespace holdfast::cli
