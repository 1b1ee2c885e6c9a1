// What a picture shows beside messages: accesses of the resource, and servers that are folded.
#include "reports/scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/markup_test.hpp"
#include "reports/picture.hpp"
#include "reports/samples_test.hpp"

namespace holdfast::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

int count(const std::string& picture, const std::string& kind) {
  const Markup markup = read_markup(picture);
  EXPECT_EQ(markup.problem, "");
  const auto found = markup.classes.find(kind);
  return found == markup.classes.end() ? 0 : found->second;
}
std::string drawing_of(const Scene& scene) { return sequence_picture(scene, all_rows(scene), {"seq", "x"}); }

// After the run of the sample A goes on, writes although B has been granted the lock, and B writes, too.
Counterexample late_write(Property property) {
  Counterexample example = paused_holder();
  const Instant now(7s);
  example.events.push_back({Step{10}, now, actor_of(a), Resumed{a, 6s}});
  example.events.push_back({Step{10}, now, actor_of(a), Wrote{a1}});
  example.events.push_back({Step{11}, now, actor_of(b), Wrote{b1}});
  example.findings = {{property, Step{9}, Step{10}, "late"}};
  return example;
}

TEST(Scene, TheLateWriteIsDrawnAsWhatIsWrong) {
  const Scene scene = scene_of(late_write(Property::no_stale_write));
  ASSERT_EQ(scene.accesses.size(), 2u);
  EXPECT_TRUE(scene.accesses[0].is_wrong);
  EXPECT_FALSE(scene.accesses[1].is_wrong);
  const std::string sequence = drawing_of(scene);
  EXPECT_EQ(count(sequence, "line.access"), 2);
  EXPECT_EQ(count(sequence, "line.wrong"), 1);
  EXPECT_THAT(sequence, HasSubstr(">resource</text>"));
  EXPECT_THAT(sequence, HasSubstr("✘ A writes</text>"));
  const std::string strip = overview_picture(scene, {"over", "x"});
  EXPECT_EQ(count(strip, "text.write"), 2);
  EXPECT_EQ(count(strip, "text.wrong"), 1);
  EXPECT_THAT(strip, HasSubstr(">✘ A</text>"));
}

TEST(Scene, OfWhatTheResourceSeesNothingIsDrawnWhereNothingIsWrongWithIt) {
  const Scene scene = scene_of(late_write(Property::mutual_exclusion));
  EXPECT_THAT(scene.accesses, testing::SizeIs(0));
  EXPECT_THAT(drawing_of(scene), Not(HasSubstr("resource")));
}

// Without a script, and with a word on each of the moments that the run has.
TEST(Scene, ALivingPictureUncoversARowAtATimeAndSaysWhatOneSees) {
  const Scene scene = scene_of(paused_holder());
  const std::string picture = living_picture(scene, {"living", "x"});
  EXPECT_EQ(read_markup(picture).problem, "");
  EXPECT_EQ(count(picture, "g.row"), 9);
  EXPECT_EQ(count(picture, "rect.curtain"), 1);
  const std::size_t curtain = picture.find("attributeName=\"y\"");
  const std::string values = picture.substr(curtain, picture.find("keyTimes", curtain) - curtain);
  EXPECT_EQ(std::count(values.begin(), values.end(), ';'), 8);  // a place for each of nine rows
  EXPECT_EQ(count(picture, "g.caption"), 3);
  // A holds from the fourth row on, is stopped in the fifth, and there are two from the ninth on.
  EXPECT_THAT(picture, HasSubstr("keyTimes=\"0;0.2000;0.2667\"/><text class=\"heading \""));
  EXPECT_THAT(picture, HasSubstr("A lock at work: A holds it"));
  EXPECT_THAT(picture, HasSubstr("keyTimes=\"0;0.2667;0.5333\""));
  EXPECT_THAT(picture, HasSubstr("keyTimes=\"0;0.5333\""));
  EXPECT_THAT(sequence_picture(scene, all_rows(scene), {"seq", "x"}), Not(HasSubstr("animate")));
}

// A asks servers one after the other, each answers; what `strike` says happens to redis-2, then B has it.
Counterexample over_servers(std::uint32_t servers, bool is_struck, bool all_change_hands) {
  Sample sample;
  using Kind = KeyChanged::Kind;
  std::uint32_t message = 0;
  const auto take = [&](Acquisition who, std::uint32_t node, Acquisition before) {
    Sent sent = set_request(++message, who);
    sent.node = NodeId{node};
    KeyChanged changed = key_change(Kind::created, who, before, who, "x", Instant(9s));
    changed.node = sent.node;
    sample.step(actor_of(who.client), {sent});
    sample.step(actor_of(sent.node), {changed, Executed{MessageId{message}, sent.node, who, Reply::ok()}});
    sample.step(actor_of(who.client), {Delivered{MessageId{message}, who, Reply::ok()}});
  };
  const auto lose = [&](std::uint32_t node) {
    KeyChanged changed = key_change(Kind::lost, {}, a1, {});
    changed.node = NodeId{node};
    sample.step(actor_of(changed.node), {ServerRestarted{changed.node}, changed});
  };
  const auto expire = [&](std::uint32_t node) {
    KeyChanged changed = key_change(Kind::expired, {}, a1, {});
    changed.node = NodeId{node};
    sample.step({}, {changed});
  };
  for (std::uint32_t node = 0; node < servers; ++node) take(a1, node, {});
  if (is_struck) lose(1);
  for (std::uint32_t node = 0; all_change_hands && node < servers; ++node) expire(node);
  for (std::uint32_t node = 0; node < servers; ++node)
    if (all_change_hands || node == 1) take(b1, node, {});
  Counterexample example;
  example.events = sample.events;
  example.steps = sample.position();
  return example;
}

std::vector<std::string> lanes_of(const Scene& scene) {
  std::vector<std::string> names;
  for (const Actor lane : scene.lanes) names.push_back(scene.name_of(lane));
  return names;
}

TEST(Folded, TheServerThatAFaultStruckStandsAloneAndTheOthersShareAColumn) {
  const Scene scene = scene_of(over_servers(3, true, false));
  const std::optional<Scene> made = folded(scene);
  ASSERT_TRUE(made);
  EXPECT_THAT(lanes_of(*made), testing::ElementsAre("A", "redis-2", "redis-1, redis-3", "B"));
  // Each message is still drawn, and each step has its row; those of folded servers alone are low.
  const std::string whole = drawing_of(scene);
  const std::string picture = drawing_of(*made);
  EXPECT_EQ(count(picture, "line.message"), count(whole, "line.message"));
  EXPECT_EQ(count(picture, "g.row"), count(whole, "g.row"));
  // A asks redis-1 and redis-3 in three rows each.
  EXPECT_EQ(std::count(made->is_minor.begin(), made->is_minor.end(), true), 6);
  EXPECT_EQ(folded(scene_of(over_servers(5, true, false)))->folded_name, "4 more servers");
  EXPECT_EQ(folded(scene_of(over_servers(5, true, false), Language::zh))->folded_name, "另外 4 台服务器");
}

TEST(Folded, OfServersThatFareAlikeOneIsShown) {
  EXPECT_THAT(lanes_of(*folded(scene_of(over_servers(3, false, true)))),
              testing::ElementsAre("A", "redis-1", "redis-2, redis-3", "B"));
}

TEST(Folded, OneServerOrTwoAreNotFolded) {
  EXPECT_FALSE(folded(scene_of(over_servers(2, true, false))));
  EXPECT_FALSE(folded(scene_of(paused_holder())));
}

}  // namespace
}  // namespace holdfast::reports
