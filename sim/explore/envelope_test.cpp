// Thresholds are exact, and both sides are shown by a run.
#include "sim/explore/envelope.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "sim/core/arena.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

Job calm(const char* lock, PropertySet check) {
  Comparison comparison = planted::coarse();
  comparison.check = check;
  const Card& card = *algorithms::find(lock);
  return {scenario_of(comparison, card, Fault::none), &card};
}

Envelope envelope_of_property(const char* lock, Fault fault, Property property, Duration step = 500ms) {
  const Job job = calm(lock, {property});
  return envelope_of(job, scale_of(job.scenario, fault, step, 8s, 3), 1, Budget());
}

// "2.5s | 3s": the largest size that holds, the smallest that breaks.
std::string edge_in_words(const Envelope& envelope) {
  const Edge& edge = envelope.edges.front();
  const auto word = [&](const std::optional<std::uint32_t>& at) {
    return at ? size_in_words(envelope.scale, *at) : "never";
  };
  return word(edge.holds_up_to) + " | " + word(edge.breaks_from);
}

// A key lives for four seconds and dies just after; its holder is at its work's end after two. The client
// that comes next comes at the first tick at which the key is dead.
TEST(Envelope, FindsTheEdgeOfTheTokenLockUnderEachFaultWithASize) {
  const auto edge = [](Fault fault) {
    return edge_in_words(envelope_of_property("token", fault, Property::mutual_exclusion));
  };
  EXPECT_EQ(edge(Fault::pause), "2s | 2.5s");
  EXPECT_EQ(edge(Fault::slow_section), "2s | 2.5s");
  EXPECT_EQ(edge(Fault::late_request), "8s | never");
  EXPECT_EQ(edge(Fault::restart), "none | once");
  EXPECT_EQ(edge(Fault::server_clock_jump), "2s | 2.5s");
}

TEST(Envelope, AFinerStepNarrowsTheSameEdge) {
  EXPECT_EQ(edge_in_words(envelope_of_property("token", Fault::pause, Property::mutual_exclusion, 1s)),
            "2s | 3s");
  EXPECT_EQ(edge_in_words(envelope_of_property("token", Fault::pause, Property::mutual_exclusion, 250ms)),
            "2s | 2.25s");
}

// The reason: as in steps, but the lease lasts 4.3 s, and the edge lies where no step does.
TEST(Envelope, WhereTimeIsDenseTheEdgeIsExactToAMillisecond) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  Job job = calm("token", {Property::mutual_exclusion});
  for (auto& [name, value] : job.scenario.params)
    if (name == "ttl") value = "4300ms";
  const Envelope found = envelope_of(job, scale_of(job.scenario, Fault::pause, 500ms, 8s, 3), 1, Budget());
  EXPECT_EQ(edge_in_words(found), "2s | 2.5s");
  EXPECT_EQ(found.edges.front().holds_at_instants, 2300ms);
}

TEST(Envelope, HalvingExploresLessAndFindsWhatExploringEverySizeFinds) {
  for (const Fault fault : {Fault::pause, Fault::late_request, Fault::late_reply, Fault::duplicate,
                            Fault::clock_jump, Fault::server_clock_jump}) {
    const Job job = calm(fault == Fault::clock_jump ? "shedlock" : "set-nx-px",
                         {Property::mutual_exclusion, Property::truthful_release});
    const Scale scale = scale_of(job.scenario, fault, 1s, 8s, 3);
    const Envelope halved = envelope_of(job, scale, 1, Budget());
    EXPECT_LE(halved.explored, scale.count) << id_of(fault);
    for (std::uint32_t at = 0; at <= scale.count; ++at) {
      const Exploration whole = explore(at_size(job.scenario, scale, at), *job.card, {});
      for (std::size_t i = 0; i < whole.properties.size(); ++i) {
        const bool is_beyond = halved.edges[i].breaks_from && at >= *halved.edges[i].breaks_from;
        EXPECT_EQ(whole.properties[i].verdict == Verdict::violated, is_beyond) << id_of(fault) << ' ' << at;
      }
    }
  }
}

TEST(Envelope, TheRunsOnBothSidesOfTheEdgeAreTheSameMovesAndReplay) {
  const Job job = calm("token", {Property::mutual_exclusion});
  const Scale scale = scale_of(job.scenario, Fault::pause, 1s, 8s, 3);
  const Envelope found = envelope_of(job, scale, 1, Budget());
  const Edge& edge = found.edges.front();
  ASSERT_TRUE(edge.broken && edge.whole);
  const Scenario broken = at_size(job.scenario, scale, *edge.breaks_from);
  const Scenario whole = at_size(job.scenario, scale, *edge.holds_up_to);
  const Replay one = replay(broken, *job.card, edge.broken->tape, edge.broken->steps);
  const Replay other = replay(whole, *job.card, edge.whole->tape, edge.whole->steps);
  EXPECT_EQ(one.fingerprint, edge.broken->fingerprint);
  EXPECT_EQ(other.fingerprint, edge.whole->fingerprint);
  EXPECT_EQ(one.findings.size(), 1u);
  EXPECT_TRUE(other.findings.empty());
  const auto paused = [](const Event& event) { return std::holds_alternative<Paused>(event.what); };
  EXPECT_EQ(std::count_if(other.events.begin(), other.events.end(), paused), 1);
}

TEST(Envelope, WhatBreaksWithoutTheFaultHasNoSizeThatHolds) {
  const Envelope found =
      envelope_of_property("set-nx-px-as-printed", Fault::pause, Property::mutual_exclusion, 1s);
  EXPECT_EQ(edge_in_words(found), "never | none");
}

TEST(Envelope, AFaultThatCannotStrikeIsToldApartFromOneThatIsSurvived) {
  EXPECT_FALSE(envelope_of_property("token", Fault::clock_skew, Property::recovery, 1s).edges[0].can_strike);
  EXPECT_TRUE(envelope_of_property("token", Fault::pause, Property::recovery, 1s).edges[0].can_strike);
}

TEST(Envelope, ABudgetThatEndsFirstLeavesTheEdgeOpen) {
  const Job job = calm("token", {Property::mutual_exclusion});
  const Budget spent{[] { return true; }, {}};
  EXPECT_TRUE(envelope_of(job, scale_of(job.scenario, Fault::pause, 1s, 8s, 3), 1, spent).edges[0].is_open);
}

TEST(EnvelopeMap, ASmallerPauseBreaksWhatALateReplyHasDelayed) {
  const Job job = calm("token", {Property::mutual_exclusion});
  const Scale pause = scale_of(job.scenario, Fault::pause, 1s, 4s, 3);
  const Scale late = scale_of(job.scenario, Fault::late_reply, 1s, 3s, 3);
  const EnvelopeMap map = envelope_of(job, pause, late, 1, Budget(), nullptr);
  const std::vector<Verdict>& verdicts = map.layers.front().verdicts;
  ASSERT_EQ(verdicts.size(), 5u * 3u);
  std::string rows;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    rows += verdicts[i] == Verdict::violated ? 'x' : '.';
    if (i % map.width() == map.width() - 1) rows += ' ';
  }
  EXPECT_EQ(rows, "...xx ..xxx .xxxx ");
}

}  // namespace
}  // namespace holdfast
