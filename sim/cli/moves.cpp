#include "sim/cli/moves.hpp"

#include <algorithm>

#include "reports/story.hpp"

namespace holdfast::cli {
namespace {

constexpr std::size_t questions_max = 120;
// More would not be read: what follows is told when it is there.
constexpr std::size_t sentences_max = 3;

// What comes of an answer, and when, if not now.
std::string outlook_in_words(Game& game, std::uint32_t answer, const Position& now,
                             reports::Language language) {
  const std::vector<Event> next = game.outlook(answer, now.events.size());
  if (next.empty()) return "";
  const reports::Words& words = reports::words_of(language);
  std::vector<Event> whole = now.events;
  whole.insert(whole.end(), next.begin(), next.end());
  const reports::Narrator narrator(whole, now.store, language);
  std::string text;
  for (std::size_t e = 0; e < std::min(next.size(), sentences_max); ++e)
    text += std::string(e == 0 ? "" : words.space) + narrator.sentence(whole[now.events.size() + e]);
  const Instant then = next.front().at;
  return then > now.at ? reports::say(words.asked.until_then, reports::words_for(then), text) : text;
}

// Messages that say the same may go to different servers: they are numbered.
std::vector<std::string> told_apart(const std::vector<std::string>& options,
                                    const reports::QuestionWords& asked) {
  std::vector<std::string> different = options;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const auto end = options.begin() + static_cast<std::ptrdiff_t>(i);
    const auto all = std::count(options.begin(), options.end(), options[i]);
    if (all > 1)
      different[i] =
          reports::say(asked.one_of_them, options[i], std::count(options.begin(), end, options[i]) + 1, all);
  }
  return different;
}

// How far a clock goes is asked next.
std::string_view words_for_strike(const Action& strike, const reports::QuestionWords& asked) {
  if (!fault_table.of(strike.fault).sets_clock) return asked.strikes;
  return strike.how.which == How::ahead ? asked.clock_goes_ahead : asked.clock_goes_back;
}

}  // namespace

std::string question_in_words(const Choice& question, StoreKind store, reports::Language language) {
  const reports::QuestionWords& words = reports::words_of(language).asked;
  return reports::say(words.questions[static_cast<std::size_t>(question.site)],
                      name_of(question.actor, store));
}

std::vector<std::string> options_in_words(Game& game, const Position& now, reports::Language language) {
  const reports::QuestionWords& asked = reports::words_of(language).asked;
  const bool is_step = now.question->site == Site::step;
  std::vector<std::string> options;
  for (std::uint32_t i = 0; i < now.question->options; ++i) {
    std::string text = outlook_in_words(game, i, now, language);
    const bool is_usual = i == 0 && !is_step;
    const bool is_strike = is_step && now.actions[i].kind == Action::Kind::strike;
    if (is_usual && !text.empty()) text = reports::say(asked.as_usual_then, text);
    else if (is_usual) text = asked.as_usual;
    else if (text.empty() && is_strike)
      text = reports::say(words_for_strike(now.actions[i], asked), id_of(now.actions[i].fault),
                          name_of(now.actions[i].actor, now.store));
    else if (text.empty()) text = is_step ? asked.time_passes : asked.otherwise;
    options.push_back(std::move(text));
  }
  return told_apart(options, asked);
}

std::vector<reports::Move> moves_of(const Scenario& scenario, const Card& card, const Tape& tape,
                                    std::uint32_t faults_max, Property goal, reports::Language language) {
  std::vector<reports::Move> moves;
  if (tape.size() > questions_max) return moves;
  Game game(scenario, card, faults_max, {goal});
  for (const Choice& choice : tape) {
    const Position now = game.position();
    if (!now.question) break;
    if (now.question->site != choice.site || now.question->actor != choice.actor) continue;
    if (choice.picked >= now.question->options) break;
    // The step that it decides is under way.
    moves.push_back({std::max(now.steps, 1u) - 1, question_in_words(*now.question, now.store, language),
                     options_in_words(game, now, language), choice.picked});
    game.answer(choice.picked);
  }
  return moves;
}

}  // namespace holdfast::cli
