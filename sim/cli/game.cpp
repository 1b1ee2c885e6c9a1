#include "sim/cli/game.hpp"

#include "sim/choose/strategies.hpp"

namespace holdfast::cli {
namespace {

// Gives the player's answers; notes the first question beyond them, and goes on calmly.
class Answering final : public Choices {
 public:
  Answering(const std::vector<std::uint32_t>& answers, std::uint32_t faults_max)
      : answers_(answers), faults_left_(faults_max) {}
  void listen_to(const Run& run) { run_ = &run; }
  const std::optional<Choice>& question() const { return question_; }
  std::size_t events_before() const { return events_before_; }
  // Of the question.
  Instant at() const { return at_; }
  const std::vector<Action>& actions() const { return actions_; }
  const std::vector<Finding>& findings() const { return findings_; }
  const std::vector<Answered>& way() const { return way_; }
  bool fits() const { return fits_ && position_ == answers_.size(); }
  const Tape& tape() const { return tape_; }

 private:
  std::uint32_t decide(Site site, Actor actor, std::uint32_t options) override {
    const std::uint32_t picked = picked_for(site, actor, options);
    if (!question_) tape_.push_back({site, actor, options, picked});
    return picked;
  }
  // Faults come last among the options; none is offered when no more may strike.
  std::uint32_t decide_step(std::uint32_t options, Enabled& enabled) override {
    const std::uint32_t calm = options - enabled.faults();
    const std::uint32_t offered = faults_left_ > 0 ? options : calm;
    const bool was_asked = question_.has_value();
    const std::uint32_t picked = offered < 2 ? 0 : picked_for(Site::step, Actor{}, offered);
    if (question_ && !was_asked)
      for (std::uint32_t i = 0; i < offered; ++i) actions_.push_back(enabled.all()[i].action);
    if (offered >= 2 && !question_) way_.back().action = enabled.all()[picked].action;
    if (picked >= calm) --faults_left_;
    if (!question_) tape_.push_back({Site::step, Actor{}, options, picked, enabled.all()[picked].action});
    return picked;
  }
  std::uint32_t picked_for(Site site, Actor actor, std::uint32_t options) {
    if (question_) return 0;
    const std::size_t events = run_ == nullptr ? 0 : run_->trace.events().size();
    const Instant at = run_ == nullptr ? Instant{} : run_->world.now();
    if (position_ < answers_.size()) {
      const std::uint32_t answer = answers_[position_++];
      fits_ &= answer < options;
      const std::uint32_t picked = std::min(answer, options - 1);
      way_.push_back({{site, actor, options, picked}, {}, events, at});
      return picked;
    }
    question_ = Choice{site, actor, options, 0};
    events_before_ = events;
    at_ = at;
    if (run_ != nullptr) findings_ = run_->judge.findings();
    return 0;
  }

  const std::vector<std::uint32_t>& answers_;
  std::uint32_t faults_left_;
  std::size_t position_ = 0;
  const Run* run_ = nullptr;
  std::optional<Choice> question_;
  std::size_t events_before_ = 0;
  Instant at_{};
  std::vector<Action> actions_;
  std::vector<Finding> findings_;
  std::vector<Answered> way_;
  bool fits_ = true;
  Tape tape_;
};

}  // namespace

Position Game::position_after(const std::vector<std::uint32_t>& answers, Tape* tape) {
  Answering choices(answers, faults_max_);
  Run run(subject_, choices, true);
  choices.listen_to(run);
  Position position;
  position.store = subject_.card.store;
  const auto ends = [&] {
    return choices.question() || position.steps >= subject_.scenario.explore.steps_max ||
           run.judge.violated().contains_any(goals_);
  };
  while (!ends() && run.world.step()) ++position.steps;
  position.question = choices.question();
  position.at = position.question ? choices.at() : run.world.now();
  position.way = choices.way();
  position.fits = choices.fits();
  position.actions = choices.actions();
  position.events = run.trace.events();
  position.findings = position.question ? choices.findings() : run.judge.findings();
  if (position.question) position.events.resize(choices.events_before());
  if (tape != nullptr) *tape = choices.tape();
  return position;
}

std::vector<Event> Game::outlook(std::uint32_t answer, std::size_t events_before) {
  std::vector<std::uint32_t> answers = answers_;
  answers.push_back(answer);
  std::vector<Event> events = position_after(answers).events;
  events.erase(events.begin(),
               events.begin() + static_cast<std::ptrdiff_t>(std::min(events_before, events.size())));
  return events;
}

bool Game::take_back() {
  if (answers_.empty()) return false;
  answers_.pop_back();
  return true;
}

Counterexample Game::recorded() {
  Counterexample example;
  example.store = subject_.card.store;
  Position end = position_after(answers_, &example.tape);
  example.events = std::move(end.events);
  example.findings = std::move(end.findings);
  example.steps = example.steps_original = end.steps;
  example.fingerprint = fingerprint(example.events);
  return example;
}

}  // namespace holdfast::cli
