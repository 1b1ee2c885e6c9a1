// Claims of what is left out because something equivalent was seen: no verdict and no end of a run hangs on
// it, for any lock under any fault, and a reduction that leaves out too much is found out.
#include <gtest/gtest.h>

#include "sim/core/arena.hpp"
#include "sim/explore/engines.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

using enum Reduction;

constexpr const char* only_snapshots = "skipped: only depth-first search joins replies";

// One client asks three servers, two ask two, which a lock must both have. What is not closed within so many
// states, with no reduction at all, is not compared.
Scenario small(const Card& card, Fault fault, ReductionSet reductions, std::uint32_t clients = 2) {
  Comparison comparison = planted::one_attempt();
  comparison.clients = clients;
  Scenario scenario = planted::on_time(scenario_of(comparison, card, fault));
  if (card.needs_several_servers() && clients == 2) {
    std::erase_if(scenario.params, [](const auto& each) { return each.first == "nodes"; });
    scenario.params.emplace_back("nodes", "2");
    scenario.clients[1].start = scenario.clients[1].start_late = 1s;
  }
  scenario.explore.reductions = reductions;
  scenario.explore.states_max = 30'000;
  return scenario;
}

// For those that compare very many spaces: by day, what is closed within moments.
Scenario smaller(const Card& card, Fault fault, ReductionSet reductions, std::uint32_t clients) {
  Scenario scenario = small(card, fault, reductions, clients);
  if (!planted::is_night()) scenario.explore.states_max = 10'000;
  return scenario;
}

Exploration depth_first(const Card& card, const Scenario& scenario) {
  Knowledge known;
  const Budget unlimited{[] { return false; }, {}};
  return explore_depth_first(scenario, card, unlimited, 1, known);
}

PropertySet violated_in(const Exploration& exploration) {
  PropertySet found;
  for (const PropertyResult& each : exploration.properties) found.insert(each.property);
  return found;
}

// 1 where the space is closed with and without reductions.
int compare(const Card& card, Fault fault, std::uint32_t clients) {
  SCOPED_TRACE(std::string(card.id) + " under " + std::string(id_of(fault)));
  const Exploration reduced = depth_first(card, smaller(card, fault, Explore().reductions, clients));
  if (!reduced.complete) return 0;
  const Exploration whole = depth_first(card, smaller(card, fault, {}, clients));
  if (!whole.complete) return 0;
  EXPECT_EQ(violated_in(reduced), violated_in(whole));
  EXPECT_EQ(reduced.reach, whole.reach);
  EXPECT_LE(reduced.states, whole.states);
  return 1;
}

TEST(Reductions, ChangeNoVerdictOfAnyLockUnderAnyFault) {
  if (!Arena::is_available()) GTEST_SKIP() << only_snapshots;
  int closed = 0, of_several_servers = 0;
  for (const Card& card : algorithms::all())
    for (const Fault fault : planted::some_faults(card)) {
      if (card.needs_several_servers())
        of_several_servers += compare(card, fault, 1) + compare(card, fault, 2);
      else closed += compare(card, fault, 2);
    }
  EXPECT_GT(closed, 100);
  EXPECT_GT(of_several_servers, 10);
}

// A belief counts from a request, from a reply, or from nothing: what it does not count from is no part of a
// state, also where a lock renews beside its work and waits for an answer.
TEST(DeadValues, AreThoseThatTheBeliefDoesNotCountFrom) {
  if (!Arena::is_available()) GTEST_SKIP() << only_snapshots;
  for (const char* id : {"redismutex", "token-watchdog", "token"})
    for (std::size_t i = 0; i < belief_ids.size(); ++i) {
      const Card& card = *algorithms::find(id);
      Comparison comparison = planted::one_attempt();
      comparison.belief = static_cast<Belief>(i);
      Scenario scenario = scenario_of(comparison, card, Fault::none);
      for (auto& [name, text] : scenario.params)
        if (name == "blocking") text = "yes";
      const Exploration reduced = depth_first(card, scenario);
      scenario.explore.reductions.erase(dead_values);
      const Exploration whole = depth_first(card, scenario);
      EXPECT_TRUE(reduced.complete && whole.complete);
      EXPECT_EQ(violated_in(reduced), violated_in(whole)) << id << " " << belief_ids[i];
      EXPECT_LE(reduced.states, whole.states) << id << " " << belief_ids[i];
    }
}

// How many spaces differ in where runs end, or in what is violated.
int count_differences(bool joins_too_much, std::uint32_t clients) {
  int differences = 0, closed = 0;
  for (const char* id : {"redsync", "node-redlock", "rslock", "redlock-net", "aioredlock"})
    for (const Fault fault : planted::faults_to_explore()) {
      const Card& card = *algorithms::find(id);
      Scenario scenario = smaller(card, fault, {symmetry, loop_heads, dead_values}, clients);
      const Exploration whole = depth_first(card, scenario);
      scenario.explore.reductions.insert(joint_replies);
      scenario.explore.joins_too_much = joins_too_much;
      const Exploration joined = depth_first(card, scenario);
      if (!whole.complete || !joined.complete) continue;
      ++closed;
      EXPECT_LE(joined.states, whole.states) << id << " under " << id_of(fault);
      const bool has_same_ends = joined.ends == whole.ends && joined.reach == whole.reach;
      const bool is_same = has_same_ends && violated_in(joined) == violated_in(whole);
      differences += !is_same;
    }
  EXPECT_GT(closed, 5);
  return differences;
}

// How many of these spaces differ from the whole, where reductions know of its fault what `row` says.
int count_differences(const FaultRow& row) {
  const FaultTable planted = fault_table.with(row);
  int differences = 0;
  for (const char* id : {"token", "redsync", "node-redlock"})
    for (const std::uint32_t clients : {1u, 2u}) {
      const Card& card = *algorithms::find(id);
      const Exploration whole = depth_first(card, smaller(card, row.fault, {}, clients));
      Scenario scenario = smaller(card, row.fault, Explore().reductions, clients);
      scenario.explore.faults = &planted;
      const Exploration reduced = depth_first(card, scenario);
      if (!whole.complete) continue;
      const bool is_same = reduced.reach == whole.reach && violated_in(reduced) == violated_in(whole);
      differences += !is_same;
    }
  return differences;
}

// Of a new fault nothing is known but whom it strikes.
TEST(FaultRows, ThatSayNothingChangeNoVerdict) {
  if (!Arena::is_available()) GTEST_SKIP() << only_snapshots;
  for (const Fault fault : planted::faults_to_explore()) {
    const FaultRow& row = fault_table.of(fault);
    EXPECT_EQ(count_differences({.fault = fault, .id = row.id, .strikes = row.strikes, .ways = row.ways}), 0)
        << row.id;
  }
}

// A row that denies what its fault does gives other verdicts, or a client that waits for ever.
TEST(FaultRows, ThatDenyDelaysOrLossesAreFoundOut) {
  if (!Arena::is_available()) GTEST_SKIP() << only_snapshots;
  for (const Fault fault : planted::faults_to_explore()) {
    FaultRow row = fault_table.of(fault);
    if (row.never.contains_all({Harm::delays, Harm::loses})) continue;
    row.never.insert({Harm::delays, Harm::loses});
    if (fault_table.doing(Harm::loses).contains(fault))
      EXPECT_EXIT(count_differences(row), testing::ExitedWithCode(70), "waits only for what will happen")
          << row.id;
    else EXPECT_GT(count_differences(row), 0) << row.id;
  }
}

TEST(JointReplies, LeadToTheSameEnds) {
  if (!Arena::is_available()) GTEST_SKIP() << only_snapshots;
  EXPECT_EQ(count_differences(false, 1), 0);
  EXPECT_EQ(count_differences(false, 2), 0);
}

// As if no fault could tell when a reply came.
TEST(JointReplies, ThatForgetWhatFaultsDoAreFoundOut) {
  if (!Arena::is_available()) GTEST_SKIP() << only_snapshots;
  EXPECT_TRUE(count_differences(true, 1) > 0 || count_differences(true, 2) > 0);
}

// Nor are they joined where a majority is enough: then it matters who comes first.
TEST(JointReplies, AreThoseOfWhichAllAreWaitedFor) {
  if (!Arena::is_available()) GTEST_SKIP() << only_snapshots;
  const Card& card = *algorithms::find("redsync");
  for (const char* fails_fast : {"no", "yes"}) {
    Scenario scenario = small(card, Fault::none, {symmetry, loop_heads, dead_values});
    scenario.params.emplace_back("fail-fast", fails_fast);
    const Exploration whole = depth_first(card, scenario);
    scenario.explore.reductions.insert(joint_replies);
    const Exploration joined = depth_first(card, scenario);
    EXPECT_TRUE(whole.complete && joined.complete);
    if (fails_fast == std::string("no")) EXPECT_LT(2 * joined.states, whole.states);
    else EXPECT_EQ(joined.states, whole.states);
  }
}

// Also while a reply may still be lost or late, for that is decided when it leaves, and while a clock may be
// set. While a client may stop, or be cut off, fewer of their times are tried.
TEST(JointReplies, SaveStatesBesideFaultsThatStrikeClientsAndReplies) {
  if (!Arena::is_available()) GTEST_SKIP() << only_snapshots;
  const Card& card = *algorithms::find("redsync");
  for (const Fault fault :
       {Fault::lost_reply, Fault::late_reply, Fault::clock_jump, Fault::pause, Fault::partition}) {
    SCOPED_TRACE(id_of(fault));
    Scenario scenario = small(card, fault, {symmetry, loop_heads, dead_values}, 1);
    scenario.explore.states_max = 300'000;
    const Exploration whole = depth_first(card, scenario);
    scenario.explore.reductions.insert(joint_replies);
    const Exploration joined = depth_first(card, scenario);
    EXPECT_TRUE(whole.complete && joined.complete);
    EXPECT_LT(joined.states, whole.states);
    EXPECT_TRUE(joined.ends == whole.ends && joined.reach == whole.reach);
    EXPECT_EQ(violated_in(joined), violated_in(whole));
  }
}

// A run in which replies were joined is one of all runs: its tape says when each was handed over.
TEST(JointReplies, AreOnTheTape) {
  if (!Arena::is_available()) GTEST_SKIP() << only_snapshots;
  const Card& card = *algorithms::find("redsync");
  Scenario scenario = planted::on_time(scenario_of(planted::one_attempt(), card, Fault::restart));
  scenario.check = {Property::mutual_exclusion};
  scenario.explore.states_max = 300'000;
  const Exploration found = depth_first(card, scenario);
  ASSERT_FALSE(found.properties.empty());
  const Counterexample& example = *found.properties.front().counterexample;
  const Replay again = replay(scenario, card, example.tape, example.steps);
  EXPECT_EQ(again.fingerprint, example.fingerprint);
  EXPECT_FALSE(again.divergence);
}

// A lock that names what it goes on with has fewer states: Redlock is done with one server when it asks the
// next, but for how many have granted.
TEST(DeadValues, OfFinishedAnswersDistinguishNoStates) {
  const Card& card = *algorithms::find("redlock");
  const auto states = [&](ReductionSet reductions) {
    return depth_first(card, small(card, Fault::none, reductions)).states;
  };
  if (!Arena::is_available()) GTEST_SKIP() << only_snapshots;
  EXPECT_LT(states({symmetry, loop_heads, dead_values}), states({symmetry, loop_heads}));
  EXPECT_LT(2 * states({symmetry, loop_heads}), states({symmetry}));
}

// Every message takes a second, so replies come due while time passes, where the other client may act, too.
TEST(JointReplies, AreOnlyThoseThatMayComeAtOnce) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  Comparison slow;
  slow.rounds = slow.attempts = 0;
  slow.timing.tick = 500ms;
  slow.timing.delay_min = slow.timing.delay_max = 1s;
  slow.timing.retry = 0s;
  slow.timing.retry_late = 1s;
  slow.explore.states_max = 20'000;
  for (const char* const id : {"redsync", "redlock"})
    EXPECT_NO_THROW(
        planted::explored(*algorithms::find(id), Fault::none, slow, Engine::snapshots, {{"nodes", "2"}}))
        << id;
}

}  // namespace
}  // namespace holdfast
