// choose: which lock to take, explored for the user's situation.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <string>

#include "reports/trace_json.hpp"
#include "sim/cli/answer_options.hpp"
#include "sim/cli/choice_report.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/results.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/told.hpp"
#include "sim/cli/version.hpp"

namespace holdfast::cli {
namespace {

// "  1 redis: one server\n  2 redis-replicated: …\n".
std::string numbered(const ChoiceQuestion& question, const std::vector<std::string>& words) {
  std::string lines;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string about = question.about == nullptr ? "" : question.about(words[i]);
    lines += fmt::format("  {:>2} {}{}{}\n", i + 1, words[i], about.empty() ? "" : ": ", about);
  }
  return lines;
}

// Which of so many words a user has chosen by its number, from one; zero: by none.
std::size_t number_of(const std::string& answer, std::size_t count) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(answer.data(), answer.data() + answer.size(), number);
  const bool is_one = error == std::errc() && end == answer.data() + answer.size() && number <= count;
  return is_one ? number : 0;
}

// What is typed, a word or a number for each that may be chosen, as words with commas in between; what is
// wrong, in `wrong`.
std::string words_in(const std::string& typed, const std::vector<std::string>& words, bool takes_many,
                     std::string& wrong) {
  std::string chosen;
  for (std::size_t at = 0; at <= typed.size();) {
    const std::size_t end = takes_many ? std::min(typed.find(',', at), typed.size()) : typed.size();
    std::string word = typed.substr(at, end - at);
    word.erase(0, word.find_first_not_of(' '));
    if (const std::size_t number = number_of(word, words.size()); number != 0) word = words[number - 1];
    if (std::find(words.begin(), words.end(), word) == words.end()) wrong = word;
    chosen += (chosen.empty() ? "" : ",") + word;
    at = end + 1;
  }
  return chosen;
}

// What a user has not said is asked on a terminal; elsewhere it is what is usual, or an error.
void ask_word(const ChoiceQuestion& question, Answers& answers, bool is_terminal) {
  std::string& answer = question.in(answers);
  if (!answer.empty()) return;
  const std::vector<std::string> words = question.words();
  const std::string usual(question.usual);
  if (!is_terminal && usual.empty())
    throw UserError(exit_usage, fmt::format("--{} is missing: {}", question.option, fmt::join(words, ", ")));
  while (is_terminal) {
    tell("{}{}\n{}>{} ", question.text, question.takes_many ? " One or more, separated by commas." : "",
         numbered(question, words), usual.empty() ? "" : fmt::format(" [{}]", usual));
    if (!std::getline(std::cin, answer)) throw UserError(exit_usage, "the questions were not answered");
    if (answer.empty()) answer = usual;
    std::string wrong;
    answer = words_in(answer, words, question.takes_many, wrong);
    if (wrong.empty() && !answer.empty()) return;
    tell("\"{}\" is not one of these{}\n", wrong,
         did_you_mean(wrong, std::vector<std::string_view>(words.begin(), words.end())));
  }
  answer = usual;
}

void ask_time(std::string_view option, std::string_view text, std::string_view usual,
              std::optional<Duration>& time, bool is_terminal) {
  if (time) return;
  if (!is_terminal && usual.empty())
    throw UserError(exit_usage, fmt::format("--{} is missing: a duration with a unit, such as 2s", option));
  std::string answer;
  while (is_terminal) {
    tell("{}{} ", text, usual.empty() ? "" : fmt::format(" [{}]", usual));
    if (!std::getline(std::cin, answer)) throw UserError(exit_usage, "the questions were not answered");
    if (answer.empty()) answer = usual;
    time = parse_duration(answer);
    if (time) return;
    tell("\"{}\" is not a duration with a unit, such as 500ms.\n", answer);
  }
  time = parse_duration(usual);
}

void ask(ChooseOptions& options) {
  const bool is_terminal = isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
  for (const ChoiceQuestion& each : choice_questions()) {
    const bool is_about_harm = each.option == "resource" && options.double_work == "wasteful";
    ask_word(each, options, is_terminal && !is_about_harm);
  }
  ask_time("pause", "How long is the longest pause of a process?", "", options.pause, is_terminal);
  ask_time("work", "How long is the longest work under the lock?", "", options.work, is_terminal);
  ask_time("rtt", "How long do a message and its reply take at most?", "20ms", options.rtt, is_terminal);
}

// On a finer grid than that on which locks were compared. On several servers no finer one closes, nor where a
// coarser one was needed.
LeaseReport recommended_lease(const ChooseOptions& options, const Candidate& best, Session& session,
                              Saved& saved) {
  if (!why_no_lease(*best.card).empty()) return best.lease;
  if (best.card->needs_several_servers() || best.lease.is_coarsened) return best.lease;
  session.expect_any_jobs("finer ttls tried");
  LeaseOptions how(options);
  how.params = best.settings.params;
  how.redis_config = best.settings.redis_config;
  LeaseReport lease = lease_report(how, *best.card, session);
  save_trace(lease, saved);
  session.end_progress();
  return lease;
}

// Saves what breaks the best one, the worst first.
std::vector<Remaining> remaining_of(const Candidate& best, Saved& saved) {
  std::vector<Remaining> remaining;
  for (const Trial& trial : best.trials)
    for (const PropertyResult& each : trial.found.properties) {
      if (!each.counterexample) continue;
      Scenario scenario = trial.scenario;
      scenario.check = PropertySet{each.property};
      const std::string name =
          fmt::format("{}+{}+{}.trace.json", best.card->id, id_of(trial.fault), id_of(each.property));
      remaining.push_back(
          {&trial, &each, saved.write(name, reports::trace_json(scenario, *each.counterexample, version))});
    }
  return remaining;
}

}  // namespace

int choose(const ChooseOptions& given) {
  ChooseOptions options = given;
  ask(options);
  prepare_directory(options.out);
  Session session(options);
  ChoiceReport report{
      .version = version, .asked = options, .candidates = ranked_candidates(options, session), .lease = {}};
  Saved saved(options);
  if (!report.candidates.empty() && report.candidates.front().why_not.empty()) {
    Candidate& best = report.candidates.front();
    save_trace(best.lease, saved);
    report.lease = recommended_lease(options, best, session, saved);
    report.remaining = remaining_of(best, saved);
  }
  report.interrupted = session.is_interrupted();
  report.seconds = session.seconds();
  if (options.format == "json") write_choice_json(report, std::cout);
  else write_choice_text(report, std::cout, terminal_of(options));
  std::cout.flush();
  saved.require_all();
  if (report.interrupted) return exit_interrupted;
  if (has_answer(report)) return exit_as_expected;
  const auto is_out = [](const Candidate& each) {
    return each.lease.edge.hopeless.contains(Property::mutual_exclusion) || each.order == Verdict::violated;
  };
  return std::all_of(report.candidates.begin(), report.candidates.end(), is_out) ? exit_violated
                                                                                 : exit_inconclusive;
}

}  // namespace holdfast::cli
