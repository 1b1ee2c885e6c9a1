// What is foreseen by outlines is what the world does.
#include "sim/explore/outline.hpp"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <map>

#include "sim/choose/strategies.hpp"
#include "sim/explore/planted_test.hpp"
#include "sim/explore/step_memo.hpp"

namespace holdfast {
namespace {

void expect_same(const Outline& foreseen, const Outline& drawn) {
  RC_ASSERT(foreseen.digest() == drawn.digest());
  RC_ASSERT(foreseen.keys == drawn.keys);
  RC_ASSERT(foreseen.mode == drawn.mode);
  RC_ASSERT(foreseen.holders == drawn.holders);
  RC_ASSERT(foreseen.unfinished == drawn.unfinished);
  RC_ASSERT(foreseen.owners == drawn.owners);
  RC_ASSERT(foreseen.is_calm == drawn.is_calm);
  RC_ASSERT(foreseen.parts == drawn.parts);
  RC_ASSERT(foreseen.events == drawn.events);
  RC_ASSERT(foreseen.orders == drawn.orders);
}

// One run at random, in which every step that can be foreseen is.
class Walk {
 public:
  struct Counts {
    int steps = 0;     // of single clients
    int passages = 0;  // of time
  };
  Walk(Subject& subject, std::uint64_t seed)
      : random_(seed), choices_(random_), run_(subject, choices_, false) {
    run_.world.step();
    run_.digest();
  }
  Counts take() {
    while (!run_.world.is_over()) take_step();
    return counts_;
  }

 private:
  void take_step() {
    Outline before;
    const bool is_drawn = draw(run_, before);
    const Passage passage = run_.world.come_to_choice();
    if (passage.length > Duration::zero()) {
      run_.digest();
      if (is_drawn && passage.is_plain) compare_passage(before, passage.length);
    }
    Outline from;
    if (!passage.is_something_due || !draw(run_, from)) {
      run_.world.step();
      run_.digest();
      return;
    }
    RC_ASSERT(from.digest() == run_.digest());
    RC_ASSERT(from.is_something_due());
    choose_and_compare(from);
  }
  void choose_and_compare(const Outline& from) {
    std::vector<std::size_t> due;
    for (std::size_t i = 0; i < from.events.size(); ++i)
      if (from.events[i].is_due()) due.push_back(i);
    const std::size_t asked = choices_.tape().size();
    const Instant before = run_.world.now();
    std::vector<std::vector<std::uint64_t>> numbers(from.parts.size());
    for (const Scheduled& each : run_.world.scheduled()) numbers[each.client.value].push_back(each.number);
    run_.world.step();
    run_.digest();
    const std::size_t options = due.size() + (from.may_wait() ? 1 : 0);
    RC_ASSERT(options < 2 || choices_.tape()[asked].options == options);
    const std::size_t option = options < 2 ? 0 : choices_.tape()[asked].picked;
    if (option == due.size()) {
      if (run_.world.only_time_passed()) compare_passage(from, run_.world.now() - before);
      return;
    }
    const ClientId mover{from.events[due[option]].client};
    const std::optional<Effect> effect = run_.effect_on(mover);
    if (!effect) return;
    const std::optional<Sequel> sequel = sequel_of(run_, mover, numbers[mover.value], {});
    if (!sequel) return;
    Outline foreseen;
    Outline drawn;
    follow(from, due[option], *effect, *sequel, foreseen);
    if (!draw(run_, drawn)) return;
    expect_same(foreseen, drawn);
    ++counts_.steps;
  }
  void compare_passage(const Outline& before, Duration length) {
    Outline after;
    if (!draw(run_, after)) return;
    const auto microseconds = static_cast<std::uint32_t>(length.count());
    RC_ASSERT(passages_.learn(before, microseconds, after));
    Outline foreseen;
    if (!passages_.pass(before, microseconds, foreseen)) return;
    expect_same(foreseen, after);
    ++counts_.passages;
  }

  RandomChoices random_;
  Recorder choices_;
  Run run_;
  PassageMemo passages_;
  Counts counts_;
};

RC_GTEST_PROP(Outlines, SayAfterAStepWhatTheWorldDoes, (std::uint64_t seed)) {
  const Card& card = *rc::gen::elementOf(algorithms::all());
  const Fault fault = *rc::gen::element(Fault::none, Fault::pause, Fault::crash, Fault::lost_reply,
                                        Fault::late_request, Fault::restart);
  Comparison comparison = planted::coarse();
  comparison.clients = 3;
  comparison.rounds = 2;
  const Scenario scenario = scenario_of(comparison, card, fault);
  Subject subject(scenario, card);
  const Walk::Counts counts = Walk(subject, seed).take();
  RC_CLASSIFY(counts.steps > 20);
  RC_CLASSIFY(counts.passages > 2);
}

TEST(Outlines, ForeseeMostStepsOfAPlainLock) {
  Comparison comparison = planted::coarse();
  comparison.clients = 3;
  const Card& card = *algorithms::find("token");
  const Scenario scenario = scenario_of(comparison, card, Fault::none);
  Subject subject(scenario, card);
  Walk::Counts all;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Walk::Counts counts = Walk(subject, seed).take();
    all.steps += counts.steps;
    all.passages += counts.passages;
  }
  EXPECT_GT(all.steps, 2000);
  EXPECT_GT(all.passages, 500);
}

Digest digest_behind(Subject& subject, const BranchChoices::Picks& picks, std::uint32_t steps) {
  BranchChoices choices(picks);
  Run run(subject, choices, false);
  for (std::uint32_t step = 0; step < steps; ++step) run.world.step();
  return run.digest();
}

// Looks at every state of one run at random. Returns how many pairs of events looked alike.
int compare_lookalikes(Subject& subject, std::uint64_t seed) {
  RandomChoices random(seed);
  Recorder choices(random);
  Run run(subject, choices, false);
  int pairs = 0;
  for (std::uint32_t steps = 1; run.world.step(); ++steps) {
    run.digest();
    const Passage passage = run.world.come_to_choice();
    if (passage.length > Duration::zero()) run.digest();
    Outline here;
    if (!passage.is_something_due || !draw(run, here)) continue;
    BranchChoices::Picks picks;
    for (const Choice& each : choices.tape()) picks.push_back(static_cast<std::uint8_t>(each.picked));
    std::map<Digest, Digest> behind;
    std::uint8_t option = 0;
    for (const Outline::Event& event : here.events) {
      if (!event.is_due()) continue;
      picks.push_back(option++);
      const Digest digest = digest_behind(subject, picks, steps + 1);
      const auto [same, is_new] = behind.try_emplace(here.digest_of_step(event), digest);
      pairs += !is_new;
      EXPECT_EQ(same->second, digest) << subject.card.id << ", seed " << seed << ", " << steps << " steps";
      picks.pop_back();
    }
  }
  return pairs;
}

// What was sent twice to one server once looked like what was sent once to the next one.
TEST(Outlines, OfEventsThatLookAlikeAreOfStepsThatDoTheSame) {
  Comparison comparison = planted::coarse();
  int pairs = 0;
  for (const char* id : {"redsync", "redlock", "node-redlock", "token"}) {
    const Card& card = *algorithms::find(id);
    Scenario scenario = scenario_of(comparison, card, Fault::duplicate);
    // A client that asks gives up when the server may be asked: nobody waits for what is on its way.
    Timing& timing = scenario.timing;
    timing.delay_min = timing.delay_max = timing.timeout = 1s;
    Subject subject(scenario, card);
    for (std::uint64_t seed = 0; seed < 100; ++seed) pairs += compare_lookalikes(subject, seed);
  }
  EXPECT_GT(pairs, 100);
}

}  // namespace
}  // namespace holdfast
