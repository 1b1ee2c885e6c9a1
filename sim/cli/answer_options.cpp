#include "sim/cli/answer_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "sim/cli/choice.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/parser.hpp"
#include "sim/core/lock.hpp"
#include "sim/scenario/problem.hpp"

namespace holdfast::cli {
namespace {

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

void add_conditions(CLI::App* app, Conditions& into, bool are_required) {
  add_duration(app, "--pause", into.pause, "the longest pause of a process; 0s: none")
      ->required(are_required);
  add_duration(app, "--work", into.work, "the longest work under the lock")->required(are_required);
  add_duration(app, "--rtt", into.rtt, "the longest time that a message and its reply take",
               are_required ? "" : "20ms")
      ->required(are_required);
  const auto set_drift = [&into](const std::string& text) { into.drift_ppm = drift_in(text); };
  app->add_option_function<std::string>("--drift", set_drift,
                                        "the largest error of the speed of any clock, such as 1%")
      ->type_name("SHARE")
      ->default_str("0%");
  add_number(app, "--pauses", into.pauses, 1, 3, "how many pauses may strike, 1 to 3")->default_str("1");
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

const std::vector<ChoiceQuestion>& choice_questions() {
  using Words = std::vector<std::string>;
  static const std::vector<ChoiceQuestion> questions{
      {"store", "What can keep the lock: which do you have?",
       [](Answers& it) -> std::string& { return it.store; },
       [] {
         Words words;
         for (const Deployment& each : deployments()) words.push_back(each.word);
         return words;
       },
       "", true,
       [](const std::string& word) {
         for (const Deployment& each : deployments())
           if (each.word == word) return each.about;
         return std::string();
       }},
      {"language", "In which language do you use it (any: a lock of no library)?",
       [](Answers& it) -> std::string& { return it.language; }, languages, "any"},
      {"double-work", "If two clients do the work at once, is that wasteful or harmful?",
       [](Answers& it) -> std::string& { return it.double_work; },
       [] {
         return Words{"wasteful", "harmful"};
       },
       ""},
      {"resource", "Can the resource refuse a fencing token that is older than the newest that wrote?",
       [](Answers& it) -> std::string& { return it.resource; },
       [] {
         return Words{"refuses", "cannot"};
       },
       "cannot"},
      {"ordered", "Must clients get the lock in the order in which they asked?",
       [](Answers& it) -> std::string& { return it.ordered; },
       [] {
         return Words{"yes", "no"};
       },
       "no"},
  };
  return questions;
}

namespace {

void add_ttl(Parser& parser) {
  const auto [app, options] = parser.command<TtlOptions>(
      "ttl", "The shortest lease that is enough for your pauses, work and network.",
      "  holdfast ttl token --pause 2s --work 500ms --rtt 20ms\n"
      "  holdfast ttl token --pause 2s --work 500ms --rtt 20ms --drift 1%\n"
      "  holdfast ttl redisson --pause 2s --work 5s --rtt 200ms --format json",
      ttl);
  add_name(app, options, "LOCK", "its id; see: holdfast list algorithms");
  add_conditions(app, options, true);
  add_duration(app, "--step", options.step,
               "the tick, and the distance between two answers; it divides all times",
               "as fine as can be explored");
  add_params(app, options);
  add_redis_config(app, options);
  add_guest(app, options);
  parser.add_output(app, options, {"text", "json"});
  add_jobs(app, options);
  parser.add_running(app, options);
}

void add_choose(Parser& parser) {
  const auto [app, options] = parser.command<ChooseOptions>(
      "choose", "Which lock to take, with which lease, explored for your situation. Asks on a terminal.",
      "  holdfast choose\n"
      "  holdfast choose --store redis --double-work harmful --pause 2s --work 500ms\n"
      "  holdfast choose --store nginx --double-work wasteful --pause 1s --work 1s\n"
      "  holdfast choose --store postgres,redis --double-work harmful --pause 1s --work 1s",
      choose);
  add_conditions(app, options, false);
  for (const ChoiceQuestion& each : choice_questions()) {
    const std::vector<std::string> words = each.words();
    const auto add = each.takes_many ? &Parser::add_some_of : &Parser::add_one_of;
    (parser.*add)(app, fmt::format("--{}", each.option), Parser::Words(words.begin(), words.end()),
                  fmt::format("{} {}{}", each.text, fmt::join(words, ", "),
                              each.takes_many ? "; one or more, separated by commas" : ""),
                  [&into = each.in(options)](const std::string& word) { into = word; })
        ->default_str(std::string(each.usual));
  }
  parser.add_output(app, options, {"text", "json"});
  add_seed(app, options);
  add_jobs(app, options);
  parser.add_running(app, options);
}

}  // namespace

void add_answers(Parser& parser) {
  add_ttl(parser);
  add_choose(parser);
}

}  // namespace holdfast::cli
