#include "sim/cli/usage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "reports/terminal.hpp"
#include "sim/cli/session.hpp"
#include "sim/scenario/nearest.hpp"
#include "sim/scenario/problem.hpp"

namespace holdfast::cli {
namespace {

constexpr std::size_t help_width = 80;
constexpr std::size_t name_width = 24;

// "-o, --out DIR", "--faults GLOBS", "LOCK".
std::string name_of_option(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name();
  std::string name;
  for (const std::string& letter : option.get_snames()) name += "-" + letter + ", ";
  name += "--" + option.get_lnames().front();
  if (option.get_expected_max() != 0) name += " " + option.get_type_name();
  return name;
}

std::string lines_of_option(const CLI::Option& option) {
  std::string what = option.get_description();
  if (!option.get_default_str().empty()) what += " (" + option.get_default_str() + ")";
  for (std::size_t i = 1; i < option.get_lnames().size(); ++i) what += ", also --" + option.get_lnames()[i];
  const std::string name = "  " + name_of_option(option);
  std::string text;
  for (const std::string& line : reports::wrapped(what, help_width - name_width))
    text += reports::padded(text.empty() ? name : "", name_width) + line + "\n";
  return text;
}

class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const override {
    std::string usage = "holdfast " + app->get_name();
    std::string arguments;
    std::string options;
    for (const CLI::Option* option : app->get_options()) {
      if (option->get_positional()) {
        usage += " " + option->get_name() + (option->get_expected_max() > 1 ? "..." : "");
        arguments += lines_of_option(*option);
      } else {
        options += lines_of_option(*option);
      }
    }
    return fmt::format("{}\n\nUsage: {} [options]\n\n{}{}\n{}\n", app->get_description(), usage,
                       arguments.empty() ? "" : arguments + "\n", options, app->get_footer());
  }
};

std::vector<std::string_view> views_of(const std::vector<std::string>& words) {
  return {words.begin(), words.end()};
}

// The names by which a command knows its options, dashes included.
std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    for (const std::string& name : option->get_snames()) flags.push_back("-" + name);
  }
  return flags;
}

// What looks like an option, but is none of the command's.
std::optional<std::string> unknown_flag(const std::vector<std::string>& flags,
                                        const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") break;
    // "--jobs=2", "-j2" and the negative number "-1" are known.
    std::string flag = word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, 2);
    if (flag.size() < 2 || flag[0] != '-' || (flag[1] >= '0' && flag[1] <= '9')) continue;
    if (std::find(flags.begin(), flags.end(), flag) == flags.end()) return flag;
  }
  return std::nullopt;
}

// "one LOCK is", "two LOCKs are".
std::string number_of(const CLI::Option& argument) {
  if (argument.get_items_expected_max() == 2) return "two " + argument.get_name() + "s are";
  return "one " + argument.get_name() + " is";
}

// An option or argument that got too many values, or none where it needs one.
std::optional<std::string> wrong_count(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string name =
        option->get_positional() ? option->get_name() : "--" + option->get_lnames().front();
    if (option->count() <= static_cast<std::size_t>(option->get_items_expected_max())) continue;
    if (!option->get_positional()) return name + ": given more than once";
    const auto most = static_cast<std::size_t>(option->get_items_expected_max());
    return fmt::format("{} expected, but here is also {}", number_of(*option),
                       in_quotes(option->results()[most]));
  }
  return std::nullopt;
}

// An argument of which there are too few.
std::optional<std::string> too_few(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional() && option->count() != 0 &&
        option->count() < static_cast<std::size_t>(option->get_items_expected_min()))
      return fmt::format("{} expected, but here is only {}", number_of(*option),
                         in_quotes(option->results().front()));
  return std::nullopt;
}

// Of a command that chooses locks by an option.
std::string instead_of_argument(const CLI::App& command) {
  if (command.get_option_no_throw("--only") == nullptr) return "";
  const std::string word = command.remaining().front();
  return fmt::format(" — did you mean --only {}{}?", word,
                     command.get_name() == "compare" ? ", or: holdfast check " + word : "");
}

std::string complaint_in(const CLI::ParseError& error, const CLI::App& command,
                         const std::vector<std::string>& words) {
  const std::vector<std::string> flags = flags_of(command);
  if (const std::optional<std::string> flag = unknown_flag(flags, words))
    return fmt::format("unknown option {}{}", in_quotes(*flag), did_you_mean(*flag, views_of(flags)));
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) return error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    for (const CLI::Option* option : command.get_options())
      if (option->get_required() && option->count() == 0) return option->get_name() + " is missing";
  if (const std::optional<std::string> wrong = wrong_count(command)) return *wrong;
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !command.remaining().empty())
    return "unexpected argument " + in_quotes(command.remaining().front()) + instead_of_argument(command);
  const std::string_view what = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    if (const std::optional<std::string> few = too_few(command)) return *few;
    return fmt::format("{}: a value is missing", what.substr(0, what.find(':')));
  }
  return std::string(what);
}

}  // namespace

std::string overview() {
  return R"(Find out how your distributed lock fails, before production does.

  compare             every lock under every fault, one verdict each; then costs
  check LOCK          one lock in full, with the shortest story of each failure
  diff A B            the shortest schedule that breaks one lock, not the other
  envelope LOCK       how much of a fault breaks a lock
  assumptions LOCK    which faults break a lock, alone and together
  ttl LOCK            the shortest ttl that your pauses, work and network allow
  choose              which lock to take, with which ttl, in your situation
  run FILE...         explore scenario files; passes if all is as expected
  replay TRACE        execute a trace again and verify that nothing differs
  show TRACE          print a trace as a diagram, a story or a table
  merge FILE...       join the results of --shard 1/3, 2/3 and 3/3
  report [DIR]        write the pages of saved results anew
  lesson [N]          a course of lessons, each from a run of its scenario
  exercise [N [FILE]] repair a broken lock in Lua; your file is graded
  play LOCK           break a lock yourself: you are the network and the clock
  serve               all of it as pages on 127.0.0.1: explore, watch, play
  explain NAME        what a lock, fault, property, workload or verdict means
  list WHAT           algorithms, faults, properties, workloads or scenarios
  validate FILE...    check scenario files without running them
  live LOCK...        the same locks against a real Redis
  hunt [LOCK...]      does a real Redis refute what holds?
  bench SUITE         how fast holdfast itself is
  baseline ACTION     save, compare, list, accept: what has changed since?
  doctor [FILE...]    is all installed; can the source of a lock be explored?
  redis               a shell onto the simulated Redis
  completions SHELL   completions of all commands, for bash, zsh or fish
  manual              all commands and options, for man
  version             the version and the compiler

Usage: holdfast COMMAND [options]; holdfast help COMMAND lists its options.

Exit codes: 0 as expected, 1 violated or expectation not met, 2 inconclusive,
3 worse than the baseline, 64 usage, 65 bad file, 66 missing or unwritable
file, 69 no usable Redis server or port, 70 a bug in holdfast, 130 interrupted.
Results go to stdout, everything else to stderr.
)";
}

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

std::string complaint(const CLI::ParseError& error, const CLI::App& app,
                      const std::vector<std::string>& words) {
  if (words.empty()) return "a command is missing\n\n" + overview();
  std::vector<std::string> commands;
  for (const CLI::App* each : app.get_subcommands({})) commands.push_back(each->get_name());
  const std::string& first = words.front();
  if (first.starts_with("-")) {
    const std::vector<std::string> own = flags_of(app);
    return fmt::format("a command comes first, not {}{} (holdfast --help)", in_quotes(first),
                       did_you_mean(first, views_of(own)));
  }
  if (std::find(commands.begin(), commands.end(), first) == commands.end())
    return fmt::format("unknown command {}{} (holdfast --help)", in_quotes(first),
                       did_you_mean(first, views_of(commands)));
  return fmt::format("{} (holdfast {} --help)", complaint_in(error, *app.get_subcommand(first), words),
                     first);
}

void require_one_of(std::string_view option, std::string_view word,
                    const std::vector<std::string_view>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), word) != allowed.end()) return;
  throw CLI::ValidationError(std::string(option),
                             fmt::format("{} is not one of {}{}", in_quotes(word), fmt::join(allowed, ", "),
                                         did_you_mean(word, allowed)));
}

std::uint64_t whole_number(std::string_view option, std::string_view text, std::uint64_t low,
                           std::uint64_t high) {
  const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const std::string_view digits = text.substr(is_hexadecimal ? 2 : 0);
  std::uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, is_hexadecimal ? 16 : 10);
  if (error == std::errc() && end == digits.data() + digits.size() && number >= low && number <= high)
    return number;
  const std::string most =
      high == std::numeric_limits<std::uint64_t>::max() ? "2^64 - 1" : std::to_string(high);
  throw CLI::ValidationError(
      std::string(option), fmt::format("{} is not a whole number from {} to {}", in_quotes(text), low, most));
}

std::uint64_t bytes(std::string_view option, std::string_view text) {
  constexpr std::array<std::string_view, 4> units{"KiB", "MiB", "GiB", "TiB"};
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  for (std::size_t i = 0; i < units.size(); ++i) {
    const std::size_t shift = 10 * (i + 1);
    if (error == std::errc() && unit == units[i] && number <= (std::uint64_t{1} << 50 >> shift) &&
        number << shift >= (std::uint64_t{1} << 20))
      return number << shift;
  }
  throw CLI::ValidationError(
      std::string(option),
      fmt::format("{} is not an amount of memory with a unit, from 1MiB to 1024TiB, such as 512MiB or 3GiB",
                  in_quotes(text)));
}

}  // namespace holdfast::cli
