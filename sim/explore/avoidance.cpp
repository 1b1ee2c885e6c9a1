// Depth first from the last state of the run backwards. All states that were seen before a continuation that
// avoids the violation are doomed; so the results of one step serve at the step before it.
#include "sim/explore/avoidance.hpp"

#include <algorithm>
#include <vector>

#include "sim/choose/strategies.hpp"
#include "sim/core/invariant.hpp"
#include "sim/explore/counterexample.hpp"
#include "sim/explore/state_table.hpp"

namespace holdfast {
namespace {

// The answers of one run. The first of them are given; those beyond count up like an odometer.
class OdometerChoices final : public Choices {
 public:
  // Back to the run of these answers and then only calm ones.
  void begin_with(std::vector<Choice> given) {
    path_ = std::move(given);
    given_ = path_.size();
  }
  void restart() { position_ = 0; }
  // On to the next run. False when all have been.
  bool advance() {
    for (; path_.size() > given_; path_.pop_back())
      if (++path_.back().picked < path_.back().options) return true;
    return false;
  }
  std::size_t position() const { return position_; }
  std::size_t size() const { return path_.size(); }

 private:
  std::uint32_t decide(Site site, Actor actor, std::uint32_t options) override {
    if (position_ == path_.size()) path_.push_back(Choice{site, actor, options, 0});
    const Choice& answer = path_[position_++];
    if (answer.site != site || answer.actor != actor || answer.options != options)
      throw Nondeterminism("two executions of the same choices ask different questions");
    return answer.picked;
  }
  std::vector<Choice> path_;
  std::size_t given_ = 0;
  std::size_t position_ = 0;
};

enum class Answer : std::uint8_t { avoidable, inevitable, unknown };

class AvoidanceSearch {
 public:
  AvoidanceSearch(Subject& subject, Property property, std::uint64_t states_max, const Budget& budget)
      : subject_(subject), property_(property), states_max_(states_max), budget_(budget) {}

  // Whether some continuation of the run of these answers, which takes `steps` steps, avoids the violation.
  Answer ask(std::vector<Choice> given, std::uint32_t steps) {
    choices_.begin_with(std::move(given));
    known_steps_ = steps;
    path_.clear();
    do {
      if (runs_++ % budget_every == 0 && budget_.is_exhausted && budget_.is_exhausted())
        return Answer::unknown;
      const Answer answer = go_on(steps);
      if (answer != Answer::inevitable) return answer;
    } while (back_up(steps));
    return Answer::inevitable;
  }
  std::uint64_t states() const { return doomed_.size(); }

 private:
  // The budget is asked once in this many runs.
  static constexpr std::uint64_t budget_every = 32;

  struct Stop {
    std::size_t answers;  // given when the run was here
    Digest digest;
  };

  // Runs along the path, then calmly into the unknown, until it is known how it goes on from there.
  Answer go_on(std::uint32_t root) {
    choices_.restart();
    Run run(subject_, choices_, false);
    for (std::uint32_t step = 0; step < known_steps_; ++step) run.world.step();
    if (path_.empty()) {
      const Answer answer = arrive(run);
      if (answer != Answer::inevitable || !is_new_) return answer;
    }
    for (std::uint32_t steps = root + static_cast<std::uint32_t>(path_.size()) - 1;; ++steps) {
      if (run.world.is_over()) return Answer::avoidable;
      if (steps >= subject_.scenario.explore.steps_max || doomed_.size() >= states_max_)
        return Answer::unknown;
      run.world.step();
      if (run.judge.violated().contains(property_)) return Answer::inevitable;
      const Answer answer = arrive(run);
      if (answer != Answer::inevitable || !is_new_) return answer;
    }
  }

  // Notes where the run stands. A state that was seen is doomed, unless it lies on the path itself.
  Answer arrive(Run& run) {
    const Digest digest = run.digest();
    const auto is_here = [&](const Stop& stop) { return stop.digest == digest; };
    if (std::any_of(path_.begin(), path_.end(), is_here)) return Answer::avoidable;
    is_new_ = doomed_.insert(digest);
    if (is_new_) path_.push_back(Stop{choices_.position(), digest});
    return Answer::inevitable;
  }

  // Leaves the steps that end with or after the answer that changes.
  bool back_up(std::uint32_t root) {
    if (!choices_.advance()) return false;
    while (path_.size() > 1 && path_.back().answers >= choices_.size()) path_.pop_back();
    known_steps_ = root + static_cast<std::uint32_t>(path_.size()) - 1;
    return true;
  }

  Subject& subject_;
  Property property_;
  std::uint64_t states_max_;
  const Budget& budget_;
  OdometerChoices choices_;
  DigestSet doomed_;
  std::vector<Stop> path_;  // from the state asked about to where the run is
  std::uint32_t known_steps_ = 0;
  std::uint64_t runs_ = 0;
  bool is_new_ = false;
};

// How many answers of the tape are given in the first 0, 1, 2, … steps.
std::vector<std::size_t> answers_by_step(Subject& subject, const Tape& tape, std::uint32_t steps,
                                         Property property) {
  ReplayChoices choices(tape);
  Run run(subject, choices, false);
  std::vector<std::size_t> answers{0};
  while (answers.size() <= steps && run.world.step()) answers.push_back(choices.position());
  INVARIANT(run.judge.violated().contains(property) && !choices.divergence(),
            "a counterexample violates its property when it is replayed");
  return answers;
}

}  // namespace

NoReturn no_return(Subject& subject, const Tape& tape, std::uint32_t steps, Property property,
                   std::uint64_t states_max, const Budget& budget) {
  const std::vector<std::size_t> answers = answers_by_step(subject, tape, steps, property);
  AvoidanceSearch search(subject, property, states_max, budget);
  NoReturn found{.step = Step{steps}};
  Answer answer = Answer::inevitable;
  while (found.step.value > 0) {
    const std::uint32_t before = found.step.value - 1;
    const auto end = tape.begin() + static_cast<std::ptrdiff_t>(answers[before]);
    answer = search.ask({tape.begin(), end}, before);
    if (answer != Answer::inevitable) break;
    found.step = Step{before};
  }
  found.is_exact = answer != Answer::unknown;
  found.states = search.states();
  return found;
}

}  // namespace holdfast
