// What a state tells of beliefs and of the store.
#include "reports/state_view.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/samples_test.hpp"

namespace holdfast::reports {
namespace {

// A has written its key on so many of five servers.
Counterexample granted_by(std::uint32_t servers) {
  Sample sample;
  sample.step(actor_of(a), {Started{a}, Acquiring{a1, "job"}});
  for (std::uint32_t i = 0; i < servers; ++i) {
    KeyChanged change = key_change(KeyChanged::Kind::created, a1, {}, a1, "A-1", Instant(4s));
    change.node = NodeId{i};
    sample.step(actor_of(NodeId{i}), {change});
  }
  Counterexample example;
  example.events = sample.events;
  return example;
}
StateView state_of(const Counterexample& run, std::size_t servers) {
  const Scene scene = scene_of(run, Language::en, servers);
  return state_after(run, scene, 2, Instant(1s));
}

TEST(StateView, OfSeveralServersMostNameAHolderAlsoWhereSomeHaveDoneNothingYet) {
  EXPECT_FALSE(state_of(granted_by(1), 5).clients[0].is_named);
  EXPECT_FALSE(state_of(granted_by(2), 5).clients[0].is_named);
  EXPECT_TRUE(state_of(granted_by(3), 5).clients[0].is_named);
  EXPECT_TRUE(state_of(granted_by(1), 0).clients[0].is_named);
  EXPECT_EQ(state_of(granted_by(0), 5).servers, 5u);
}

TEST(StateView, ThePictureShowsEveryServerAndNamesAHolderAsTheTableDoes) {
  const Scene scene = scene_of(granted_by(2), Language::en, 5);
  EXPECT_EQ(scene.cast.nodes.size(), 5u);
  for (const Scene::Span& span : scene.spans) EXPECT_NE(span.kind, Scene::Span::Kind::named);
}

TEST(StateView, TheNumberOfServersIsThatOfTheScenario) {
  Scenario scenario = sample_scenario("redlock", Fault::none);
  EXPECT_EQ(servers_of(scenario), 0u);
  scenario.params.emplace_back("nodes", "5");
  EXPECT_EQ(servers_of(scenario), 5u);
}

TEST(StateView, ARowDiffersWhereBeliefAndTruthDo) {
  const Counterexample run = paused_holder();
  const auto panel = panel_of(state_of(run, 1));
  EXPECT_EQ(panel["clients"][0]["believes"], true);  // A, whose key is B's by now
  EXPECT_EQ(panel["clients"][0]["differs"], true);
  EXPECT_EQ(panel["clients"][1]["differs"], false);
  // Granted by the server, and not known to A yet.
  const auto before = panel_of(state_of(granted_by(1), 1));
  EXPECT_EQ(before["clients"][0]["believes"], false);
  EXPECT_EQ(before["clients"][0]["differs"], true);
}

}  // namespace
}  // namespace holdfast::reports
