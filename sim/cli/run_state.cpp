#include "sim/cli/run_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/html.hpp"
#include "reports/shown.hpp"
#include "reports/story.hpp"
#include "reports/words.hpp"
#include "sim/choose/strategies.hpp"
#include "sim/cli/moves.hpp"

namespace holdfast::cli {
namespace {

using reports::Onward;

// What was chosen at each question, in words, and the state before it.
std::vector<Onward> way_of(const Position& now, const std::string& link,
                           const std::vector<std::uint32_t>& picks, reports::Language language) {
  const reports::Narrator narrator(now.events, now.store, language);
  const reports::Words& words = narrator.words();
  std::vector<Onward> way;
  for (std::size_t i = 0; i < now.way.size(); ++i) {
    const Answered& each = now.way[i];
    const std::size_t end = i + 1 < now.way.size() ? now.way[i + 1].events : now.events.size();
    std::string text;
    for (std::size_t e = each.events; e < end; ++e)
      text += std::string(text.empty() ? "" : words.space) + narrator.sentence(now.events[e]);
    const bool is_step = each.question.site == Site::step;
    const bool is_fault = is_step && each.action.kind == Action::Kind::strike;
    if (text.empty() && is_fault)
      text =
          reports::say(words.asked.strikes, id_of(each.action.fault), name_of(each.action.actor, now.store));
    if (text.empty() && is_step) text = words.asked.time_passes;
    if (text.empty())
      text = reports::say(reports::word("answered", language),
                          question_in_words(each.question, now.store, language), each.question.picked);
    way.push_back({reports::say(reports::word("at_then", language), reports::words_for(each.at),
                                reports::as_sentence(std::move(text))),
                   with_picks(link, picks, i), is_fault, is_step && each.action.kind == Action::Kind::wait});
  }
  return way;
}

// RunAnswers as a tape does, and notes them by number.
class Noting final : public Choices {
 public:
  explicit Noting(const Tape& tape) : replay_(tape) {}
  void listen_to(const Run& run) { run_ = &run; }
  const std::vector<std::uint32_t>& picks() const { return picks_; }
  const std::vector<std::size_t>& events() const { return events_; }  // before each

 private:
  std::uint32_t decide(Site site, Actor actor, std::uint32_t options) override {
    return note(replay_.pick(site, actor, options));
  }
  std::uint32_t decide_step(std::uint32_t options, Enabled& enabled) override {
    return note(replay_.pick_step(options, enabled));
  }
  std::uint32_t note(std::uint32_t picked) {
    picks_.push_back(picked);
    events_.push_back(run_ == nullptr ? 0 : run_->trace.events().size());
    return picked;
  }
  ReplayChoices replay_;
  const Run* run_ = nullptr;
  std::vector<std::uint32_t> picks_;
  std::vector<std::size_t> events_;
};

}  // namespace

RunState state_of(const AskedRun& asked, const std::string& link, reports::Language language) {
  Game game(asked.scenario, *asked.asked.card, asked.faults_max, {});
  for (const std::uint32_t pick : asked.picks) game.answer(pick);
  const Position now = game.position();
  if (!now.fits)
    throw Refused(400, fmt::format("picks: no run of {} asks for these answers: {} of {} fit",
                                   asked.asked.card->id, now.way.size(), asked.picks.size()));
  RunState state;
  state.steps = now.steps;
  state.way = way_of(now, link, asked.picks, language);
  if (now.question) {
    state.question = question_in_words(*now.question, now.store, language);
    const std::vector<std::string> texts = options_in_words(game, now, language);
    std::vector<std::uint32_t> picks = asked.picks;
    picks.push_back(0);
    for (std::uint32_t i = 0; i < texts.size(); ++i) {
      picks.back() = i;
      const Action::Kind kind = i < now.actions.size() ? now.actions[i].kind : Action::Kind::send;
      state.actions.push_back({texts[i], with_picks(link, picks, picks.size()), kind == Action::Kind::strike,
                               kind == Action::Kind::wait});
    }
  }
  state.run.events = now.events;
  state.run.findings = now.findings;
  state.run.store = now.store;
  state.run.steps = state.run.steps_original = now.steps;
  state.run = reports::as_shown(std::move(state.run));
  state.scene = reports::scene_of(state.run, language, reports::servers_of(asked.scenario));
  state.state = reports::state_after(state.run, state.scene, asked.scenario.clients.size(), now.at);
  return state;
}

RunAnswers answers_of(const Scenario& scenario, const Card& card, const Counterexample& example) {
  Subject subject(scenario, card);
  Noting choices(example.tape);
  Run run(subject, choices, true);
  choices.listen_to(run);
  for (std::uint32_t step = 0; step < example.steps && run.world.step(); ++step) continue;
  RunAnswers answers{.picks = choices.picks(), .after_step = {}};
  std::size_t events = 0;
  for (const reports::StepView& step : reports::steps_of(example.events)) {
    events += step.events.size();
    const auto next = std::lower_bound(choices.events().begin(), choices.events().end(), events);
    answers.after_step.push_back(static_cast<std::size_t>(next - choices.events().begin()));
  }
  return answers;
}

}  // namespace holdfast::cli
