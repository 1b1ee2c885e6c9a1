#include "sim/cli/answer_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/cli/usage.hpp"
#include "sim/core/lock.hpp"
#include "sim/scenario/problem.hpp"

namespace holdfast::cli {
namespace {

CLI::Option* add_time_of(CLI::App* command, const char* name, std::optional<Duration>& into,
                         const char* help) {
  const auto set = [name, &into](const std::string& text) {
    into = parse_duration(text);
    if (!into)
      throw CLI::ValidationError(name, in_quotes(text) + " is not a duration with a unit, such as 20ms");
  };
  return command->add_option_function<std::string>(name, set, help)->type_name("TIME");
}

// "1%", "0.5%", "200ppm". Clocks that are off by more are broken.
std::int64_t drift_in(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit = std::string_view(text).substr(static_cast<std::size_t>(end - text.data()));
  const double ppm = unit == "%" ? number * 10'000 : number;
  constexpr double ppm_max = 40'000;
  const bool is_known = error == std::errc() && (unit == "%" || unit == "ppm");
  if (!is_known || ppm < 0 || ppm > ppm_max)
    throw CLI::ValidationError("--drift", in_quotes(text) + " is not from 0% to 4%, such as 1% or 200ppm");
  return static_cast<std::int64_t>(ppm + 0.5);
}

void add_conditions(CLI::App* command, Options& options, bool are_required) {
  add_time_of(command, "--pause", options.pause, "the longest pause of a process; 0s: none")
      ->required(are_required);
  add_time_of(command, "--work", options.work, "the longest work under the lock")->required(are_required);
  add_time_of(command, "--rtt", options.rtt, "the longest that a message and its reply take")
      ->required(are_required)
      ->default_str(are_required ? "" : "20ms");
  const auto set_drift = [&options](const std::string& text) { options.drift_ppm = drift_in(text); };
  command
      ->add_option_function<std::string>("--drift", set_drift,
                                         "how far off the speed of any clock is, at most, such as 1%")
      ->type_name("SHARE")
      ->default_str("0%");
  const auto set_pauses = [&options](const std::string& text) {
    options.fault_budget = static_cast<std::uint32_t>(whole_number("--pauses", text, 1, 3));
  };
  command->add_option_function<std::string>("--pauses", set_pauses, "how often a run may be paused, 1 to 3")
      ->type_name("N")
      ->default_str("1");
  if (!are_required) return;
  add_time_of(command, "--step", options.step, "of time, and between two answers; it divides all times")
      ->default_str("as fine as can be explored");
}

std::vector<std::string> languages() {
  std::vector<std::string> words{"any"};
  for (const Card& card : algorithms::all()) {
    if (!card.upstream) continue;
    std::string word(card.upstream->language);
    for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
  std::sort(words.begin() + 1, words.end());
  return words;
}

}  // namespace

CLI::App* add_ttl_command(CLI::App& app, Options& options) {
  CLI::App* command =
      app.add_subcommand("ttl", "The shortest lease that is enough for your pauses, work and network.");
  command->footer(
      "Examples:\n"
      "  holdfast ttl token --pause 2s --work 500ms --rtt 20ms\n"
      "  holdfast ttl token --pause 2s --work 500ms --rtt 20ms --drift 1%\n"
      "  holdfast ttl redisson --pause 2s --work 5s --rtt 200ms --format json");
  command->add_option("LOCK", options.names, "its id; see: holdfast list algorithms")
      ->required()
      ->expected(1);
  add_conditions(command, options, true);
  return command;
}

const std::vector<ChoiceQuestion>& choice_questions() {
  using Words = std::vector<std::string>;
  static const std::vector<ChoiceQuestion> questions{
      {"store", "Where is the lock kept?", [](ChoiceOptions& it) -> std::string& { return it.store; },
       [] {
         return Words{"redis", "redis-replicated", "redis-quorum", "nginx"};
       },
       ""},
      {"language", "In which language do you use it (any: its commands alone)?",
       [](ChoiceOptions& it) -> std::string& { return it.language; }, languages, "any"},
      {"double-work", "If two do the work at once, is that wasteful, or harmful?",
       [](ChoiceOptions& it) -> std::string& { return it.double_work; },
       [] {
         return Words{"wasteful", "harmful"};
       },
       ""},
      {"resource", "Can the resource refuse a number that is older than the newest that wrote?",
       [](ChoiceOptions& it) -> std::string& { return it.resource; },
       [] {
         return Words{"refuses", "cannot"};
       },
       "cannot"},
      {"ordered", "Must clients get it in the order in which they asked?",
       [](ChoiceOptions& it) -> std::string& { return it.ordered; },
       [] {
         return Words{"yes", "no"};
       },
       "no"},
  };
  return questions;
}

CLI::App* add_choose_command(CLI::App& app, Options& options) {
  CLI::App* command = app.add_subcommand(
      "choose", "Which lock to take, with which lease: explored in your situation. Asks on a terminal.");
  command->footer(
      "Examples:\n"
      "  holdfast choose\n"
      "  holdfast choose --store redis --double-work harmful --pause 2s --work 500ms\n"
      "  holdfast choose --store nginx --double-work wasteful --pause 1s --work 1s");
  add_conditions(command, options, false);
  return command;
}

}  // namespace holdfast::cli
