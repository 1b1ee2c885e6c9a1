// The but-for table. Each fault is taken away twice: from the one schedule that was recorded, and, by
// exploring the scenario with less room for faults, from all schedules.
#include "sim/explore/but_for.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "sim/core/beyond_model.hpp"
#include "sim/core/invariant.hpp"
#include "sim/explore/avoidance.hpp"
#include "sim/explore/parallel.hpp"
#include "sim/explore/run.hpp"
#include "sim/scenario/fields.hpp"

namespace holdfast {
namespace {

// A sample says no more about a circumstance if it is larger.
constexpr std::uint64_t runs_max = 10'000;

// A circumstance, the place of the tape that brought it about, and the rule that allowed it.
struct Cause {
  Circumstance circumstance;
  std::size_t place;
  std::optional<std::size_t> rule;
};

// Listens to a run of the tape: which faults have struck, and when.
class Causes final : public Observer {
 public:
  Causes(const Scenario& scenario, const Recorder& recorder) : recorder_(recorder), rules_(scenario.faults) {}

  void on(const Event& event) override {
    const Tape& tape = recorder_.tape();
    for (; looked_at_ < tape.size(); ++looked_at_) {
      const Action& action = tape[looked_at_].action;
      if (tape[looked_at_].site != Site::step || action.kind != Action::Kind::strike) continue;
      found_.push_back(
          Cause{{action.fault, action.actor, event.step}, looked_at_, rule_of(action.fault, action.actor)});
    }
  }
  // In the order in which they came about.
  const std::vector<Cause>& found() const { return found_; }

 private:
  // The first rule of this kind that could still strike this client, or a server.
  std::optional<std::size_t> rule_of(Fault fault, Actor struck) {
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      FaultRule& rule = rules_[i];
      if (rule.kind != fault || rule.budget == 0) continue;
      if (struck.kind == Actor::Kind::client && rule.target && actor_of(*rule.target) != struck) continue;
      --rule.budget;
      return i;
    }
    return std::nullopt;
  }

  const Recorder& recorder_;
  std::vector<FaultRule> rules_;  // budgets count down
  std::vector<Cause> found_;
  std::size_t looked_at_ = 0;
};

// What becomes of scenarios. Many counterexamples ask about the same one, such as a lock without any fault:
// it is explored once, for all properties that any of them asks about. Several threads may ask.
class Fates {
 public:
  explicit Fates(const Budget& budget) : budget_(budget) {}

  // Before the first question.
  void expect(const Scenario& judged) {
    const Scenario family = family_of(judged);
    for (auto& [of, properties] : asked_)
      if (of == family) return properties.insert(judged.check);
    asked_.emplace_back(family, judged.check);
  }

  // The first property that is judged. The names of the scenarios make no difference.
  Fate of(Scenario scenario, const Card& card, Property property) {
    scenario.name.clear();
    PropertySet properties = scenario.check;
    const Scenario family = family_of(scenario);
    for (const auto& [of, asked] : asked_)
      if (of == family) properties = asked;
    Scenario of_all = scenario;
    of_all.check = properties;
    const Fate fate = fate_in(std::move(of_all), card, property);
    // Alone, it may need fewer states.
    if (fate.verdict != Verdict::unknown || properties == scenario.check) return fate;
    return fate_in(std::move(scenario), card, property);
  }

 private:
  // Beyond this the answer would be waited for longer than it is worth.
  static constexpr std::uint64_t states_max = 100'000;
  struct Known {
    Known(Scenario of, const Card& by) : scenario(std::move(of)), card(&by) {}
    const Scenario scenario;
    const Card* card;
    std::once_flag is_explored;
    Exploration found = {};
  };

  // Clients come back only where `progress` is asked for.
  static Scenario family_of(Scenario scenario) {
    scenario.name.clear();
    scenario.faults.clear();
    const bool comes_back = scenario.check.contains(Property::progress);
    scenario.check = comes_back ? PropertySet{Property::progress} : PropertySet();
    return scenario;
  }
  Fate fate_in(Scenario scenario, const Card& card, Property property) {
    scenario.explore.states_max = std::min(scenario.explore.states_max, states_max);
    Known& known = entry_of(std::move(scenario), card);
    std::call_once(known.is_explored, [&] { known.found = explore(known.scenario, card, budget_); });
    return fate_of(known.found, property);
  }
  Known& entry_of(Scenario scenario, const Card& card) {
    const std::scoped_lock hold(mutex_);
    for (Known& known : known_)
      if (known.card == &card && known.scenario == scenario) return known;
    return known_.emplace_back(std::move(scenario), card);
  }
  static Fate fate_of(const Exploration& found, Property property) {
    const auto result = std::find_if(found.properties.begin(), found.properties.end(),
                                     [&](const PropertyResult& each) { return each.property == property; });
    INVARIANT(result != found.properties.end(), "what is asked about is judged");
    Fate fate{result->verdict, 0, found.states};
    // Without a struck fault, or where it cannot hurt, nothing tells the two apart; and all schedules were
    // explored.
    const bool is_idle = fate.verdict == Verdict::not_applicable || fate.verdict == Verdict::hollow;
    if (is_idle && found.complete) fate.verdict = Verdict::holds;
    if (result->counterexample) fate.steps = result->counterexample->steps;
    return fate;
  }

  const Budget& budget_;
  std::vector<std::pair<Scenario, PropertySet>> asked_;  // of each family
  std::mutex mutex_;
  std::deque<Known> known_;  // its members stay where they are
};

class Explainer {
 public:
  Explainer(Scenario scenario, const Card& card, const Counterexample& example, const Budget& budget,
            Fates& fates)
      : scenario_(std::move(scenario)),
        card_(card),
        example_(example),
        budget_(budget),
        fates_(fates),
        subject_(scenario_, card) {
    INVARIANT(!example.findings.empty(), "a counterexample has a finding");
    property_ = example.findings.front().property;
  }

  Explanation explain(Detail detail) {
    const std::vector<Cause> causes = causes_of_run();
    Explanation explanation;
    explanation.but_for = table_of(causes);
    if (detail == Detail::brief) return explanation;
    explanation.no_return =
        no_return(subject_, example_.tape, example_.steps, property_, no_return_states_max(), budget_);
    explanation.thresholds = thresholds_of(causes);
    return explanation;
  }

 private:
  // Beyond this the answer would be waited for longer than it is worth. Sampled runs are long.
  std::uint64_t no_return_states_max() const {
    return scenario_.explore.strategy == StrategyKind::exhaustive ? 20'000 : 2'000;
  }
  // The runs of one scenario are told apart by at most this many causes; more make an unreadable table.
  static constexpr std::size_t causes_max = 6;
  static constexpr std::int64_t magnitudes_max = 32;
  // Which causes are absent: bit i stands for the i-th.
  using Absent = std::uint32_t;

  std::vector<Cause> causes_of_run() {
    ReplayChoices replay(example_.tape);
    Recorder recorder(replay);
    Causes causes(scenario_, recorder);
    Run run(subject_, recorder, false);
    run.trace.subscribe(causes);
    for (std::uint32_t step = 0; step < example_.steps; ++step) run.world.step();
    INVARIANT(run.judge.violated().contains(property_), "a counterexample violates its property again");
    std::vector<Cause> found = causes.found();
    if (found.size() > causes_max) found.resize(causes_max);
    return found;
  }

  // Each cause alone; then each set of which every smaller one leaves a violation; then all of them, if
  // nothing short of it helps.
  std::vector<ButFor> table_of(const std::vector<Cause>& causes) {
    std::vector<ButFor> table;
    std::vector<Absent> decisive;
    const Absent all = (Absent{1} << causes.size()) - 1;
    for (int size = 1; size <= static_cast<int>(causes.size()); ++size)
      for (Absent absent = 1; absent <= all; ++absent) {
        if (std::popcount(absent) != size) continue;
        const auto within = [&](Absent smaller) { return (smaller & absent) == smaller; };
        if (std::any_of(decisive.begin(), decisive.end(), within)) continue;
        ButFor line = line_of(causes, absent);
        const bool helps = line.any_schedule.verdict != Verdict::violated;
        if (helps) decisive.push_back(absent);
        if (size == 1 || helps || absent == all) table.push_back(std::move(line));
      }
    return table;
  }

  ButFor line_of(const std::vector<Cause>& causes, Absent absent) {
    ButFor line;
    Tape tape = example_.tape;
    Scenario scenario = scenario_;
    std::vector<std::size_t> left_out;
    for (std::size_t i = 0; i < causes.size(); ++i) {
      if ((absent >> i & 1u) == 0) continue;
      const Cause& cause = causes[i];
      line.without.push_back(cause.circumstance);
      left_out.push_back(cause.place);
      if (cause.rule) --scenario.faults[*cause.rule].budget;
    }
    for (auto place = left_out.rbegin(); place != left_out.rend(); ++place)
      tape.erase(tape.begin() + static_cast<std::ptrdiff_t>(*place));
    std::erase_if(scenario.faults, [](const FaultRule& rule) { return rule.budget == 0; });
    line.same_schedule = fate_of_tape(tape);
    line.any_schedule = fates_.of(std::move(scenario), card_, property_);
    return line;
  }

  Fate fate_of_tape(const Tape& tape) {
    ReplayChoices choices(tape);
    Run run(subject_, choices, false);
    Fate fate;
    while (!run.judge.violated().contains(property_)) {
      if (fate.steps >= scenario_.explore.steps_max) return Fate{Verdict::unknown};
      if (!run.world.step()) return Fate{Verdict::holds};
      ++fate.steps;
    }
    fate.verdict = Verdict::violated;
    return fate;
  }

  // Magnitudes that count: those of faults that struck, where how much is a question.
  std::vector<Threshold> thresholds_of(const std::vector<Cause>& causes) {
    std::vector<Threshold> thresholds;
    if (scenario_.explore.strategy != StrategyKind::exhaustive) return thresholds;
    std::vector<std::size_t> rules;
    for (const Cause& cause : causes)
      if (cause.rule && measured_faults.contains(cause.circumstance.fault) &&
          std::find(rules.begin(), rules.end(), *cause.rule) == rules.end())
        rules.push_back(*cause.rule);
    for (const std::size_t rule : rules)
      if (const std::optional<Threshold> threshold = threshold_of(rule)) thresholds.push_back(*threshold);
    return thresholds;
  }

  std::optional<Threshold> threshold_of(std::size_t rule) {
    const Duration tick = scenario_.timing.tick;
    const Fault fault = scenario_.faults[rule].kind;
    const auto verdict_of = [&](std::int64_t ticks) {
      Scenario scenario = scenario_;
      scenario.faults[rule].magnitude = ticks * tick;
      return fates_.of(std::move(scenario), card_, property_).verdict;
    };
    std::int64_t low = 0;
    std::int64_t high = magnitudes_max;
    if (verdict_of(high) != Verdict::violated) return std::nullopt;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      const Verdict verdict = verdict_of(middle);
      if (verdict != Verdict::violated && verdict != Verdict::holds) return std::nullopt;
      (verdict == Verdict::violated ? high : low) = middle;
    }
    return Threshold{fault, low * tick, high * tick};
  }

  const Scenario scenario_;
  const Card& card_;
  const Counterexample& example_;
  const Budget& budget_;
  Fates& fates_;
  Subject subject_;
  Property property_{};
};

bool breaks(const Scenario& scenario, const Card& card, const Counterexample& example) {
  Subject subject(scenario, card);
  ReplayChoices choices(example.tape);
  Run run(subject, choices, false);
  for (std::uint32_t step = 0; step < example.steps && run.judge.violated().empty(); ++step) run.world.step();
  return !run.judge.violated().empty();
}

// As it is asked about.
Scenario judged_alone(Scenario scenario, const Card& card, const Counterexample& example) {
  scenario.check = PropertySet{example.findings.front().property};
  // In its calm phase clients come back only where `progress` is asked for.
  if (!breaks(scenario, card, example)) scenario.check.insert(Property::progress);
  scenario.explore.runs_max = std::min(scenario.explore.runs_max, runs_max);
  return scenario;
}

}  // namespace

Explanation explanation_of(const Scenario& scenario, const Card& card, const Counterexample& example,
                           const Budget& budget) {
  Fates fates(budget);
  Scenario judged = judged_alone(scenario, card, example);
  return Explainer(std::move(judged), card, example, budget, fates).explain(Detail::full);
}

void explain_all(const std::vector<Unexplained>& list, unsigned threads, const Budget& budget,
                 const std::function<void()>& note_done) {
  Fates fates(budget);
  std::vector<std::optional<Scenario>> judged(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Unexplained& it = list[i];
    if (it.example->loop) continue;
    judged[i] = judged_alone(*it.scenario, *it.card, *it.example);
    fates.expect(*judged[i]);
  }
  for_each_index(list.size(), threads, [&](std::size_t i) {
    const Unexplained& it = list[i];
    try {
      if (judged[i])
        it.example->explanation =
            Explainer(std::move(*judged[i]), *it.card, *it.example, budget, fates).explain(it.detail);
    } catch (const BeyondModel&) {
      // Without its fault the lock does what is not simulated: nobody knows.
    }
    note_done();
  });
}

}  // namespace holdfast
