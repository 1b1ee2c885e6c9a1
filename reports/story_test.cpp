// Every kind of event in words.
#include "reports/story.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <type_traits>

#include "reports/golden_test.hpp"
#include "reports/samples_test.hpp"
#include "reports/shown.hpp"
#include "reports/timeline.hpp"

namespace holdfast::reports {
namespace {

// One event of every kind, in the order of What.
std::vector<Event> one_of_each() {
  Sample sample;
  sample.at(1s);
  const Actor client = actor_of(a);
  using Kind = KeyChanged::Kind;
  sample.step(client, {Started{a, -5s},
                       Acquiring{a1, "job", Mode::shared},
                       Granted{a1, Mode::exclusive, Instant(3s), 7, "A1"},
                       Refused{a1, Attempt::Kind::refused, "taken"},
                       Working{a1, 1500ms},
                       Wrote{a1, false},
                       BeliefEnded{a1, Belief::deadline_from_reply},
                       Releasing{a1},
                       Released{a1, Release::not_held},
                       Slept{a, 250us},
                       Finished{a, "no such thing"},
                       set_request(1, a1),
                       Executed{MessageId{1}, redis, a1, Reply::nil()},
                       Delivered{MessageId{1}, a1, Reply::integer(1)},
                       GaveUp{MessageId{1}, a1},
                       Ignored{MessageId{1}},
                       key_change(Kind::overwritten, b1, a1, b1, "B1", Instant(4s)),
                       Crashed{a},
                       Paused{a},
                       Resumed{a, 4s},
                       MessageFault{Fault::late_reply, MessageId{1}},
                       SlowSection{a1},
                       ClockSkewed{a, 8s},
                       ServerRestarted{redis},
                       Calm{b, 10s},
                       Ended{},
                       ServerClockSet{redis, -2s},
                       FailedOver{redis, 2},
                       Evicted{redis, "job"},
                       Partitioned{a, redis, Instant(9s), true, false},
                       Cancelled{a1},
                       Pushed{MessageId{1}, redis, a1, Reply::integer(1)},
                       Stuck{a1},
                       AcquiredAgain{a1, Attempt::Kind::refused, "taken"},
                       ReleasedAgain{a1, Release::not_held},
                       LookedUp{a, true},
                       Fetching{a1, 1500ms},
                       Stored{a1},
                       Read{a1, false},
                       ServerRecovered{redis, 2},
                       CameBack{a, 10s},
                       Left{a1},
                       SessionEnded{redis, "A1"},
                       PeriodBegun{a, 1},
                       JobBegun{a1, 1, 1500ms},
                       JobDone{a1, 1},
                       PeriodOver{a, 1}});
  return sample.events;
}

// Of a run that shows something in its steps 2, 4 and 5 alone.
TEST(StepNumbers, AreCountedFromOneWithoutThoseInWhichNothingIsSeen) {
  Counterexample example;
  for (const std::uint32_t step : {2u, 4u, 4u, 5u})
    example.events.push_back({Step{step}, Instant{}, actor_of(a), Finished{a, ""}});
  example.steps = 6;
  example.findings.push_back({Property::bounded_bypass, Step{4}, Step{5}, "as it was after step 3: so"});
  example.loop = Loop{.begin = 3, .waiter = a};
  const StepNumbers numbers(example.events);
  EXPECT_EQ(numbers.count(), 3u);
  EXPECT_EQ(numbers.shown(Step{1}), Step{0});
  EXPECT_EQ(numbers.shown(Step{3}), Step{1});
  EXPECT_EQ(numbers.shown(Step{6}), Step{3});
  const Counterexample shown = as_shown(example);
  EXPECT_EQ(shown.events[2].step, Step{2});
  EXPECT_EQ(shown.events[3].step, Step{3});
  EXPECT_EQ(shown.findings[0].from, Step{2});
  EXPECT_EQ(shown.findings[0].because, "as it was after step 1: so");
  EXPECT_EQ(shown.loop->begin, 1u);
  EXPECT_EQ(shown.steps, 6u);
}

TEST(Servers, AreCalledWhatTheyAre) {
  const Sent add{MessageId{1}, NodeId{0}, a1, {"ADD", "job", "true", "4"}, {}};
  const std::vector<Event> events{{Step{1}, Instant{}, actor_of(a), add}};
  EXPECT_EQ(Narrator(events, StoreKind::shared_dict).sentence(events[0]),
            "A sends ADD job true 4 to nginx shared memory.");
  EXPECT_EQ(Narrator(events, StoreKind::redis).sentence(events[0]), "A sends ADD job true 4 to redis-1.");
}

TEST(Story, EveryKindOfEventHasItsSentenceAndItsLabel) {
  const std::vector<Event> events = one_of_each();
  ASSERT_EQ(events.size(), std::variant_size_v<AnyEvent>);
  const Narrator narrator(events, StoreKind::redis);
  std::string text;
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i].what.index(), i);
    text += std::string(kind_of(events[i])) + ": " + narrator.sentence(events[i]) + " [" +
            narrator.label(events[i]) + "]\n";
  }
  expect_golden("sentences.txt", text);
}

TEST(Story, KindsOfEventsAreDifferent) {
  const std::set<std::string_view> kinds(event_kinds().begin(), event_kinds().end());
  EXPECT_EQ(kinds.size(), std::variant_size_v<AnyEvent>);
}

TEST(Story, KeyChangesTellWhoseKeyItWas) {
  using Kind = KeyChanged::Kind;
  Sample sample;
  sample.step(
      {}, {key_change(Kind::created, a1, {}, a1, "A1"), key_change(Kind::removed, a1, a1, {}),
           key_change(Kind::removed, b1, a1, {}), key_change(Kind::expired, {}, a1, {}),
           key_change(Kind::lost, {}, {}, {}), key_change(Kind::ttl_changed, b1, a1, a1, "", Instant(9s))});
  const Narrator narrator(sample.events, StoreKind::redis);
  std::vector<std::string> sentences;
  for (const Event& event : sample.events) sentences.push_back(narrator.sentence(event));
  EXPECT_EQ(sentences,
            (std::vector<std::string>{
                "A's command creates the key job with \"A1\", without an expiry.",
                "A's command removes the key job, its own.", "B's command removes the key job, set by A.",
                "the key job, set by A, expires.", "the key job is lost.",
                "B's command changes the expiry of the key job, set by A; it is now alive until 9s."}));
}

TEST(Story, RequestsAreOneLineAndScriptsAreNamedByWhatTheyDo) {
  EXPECT_EQ(words_for(std::vector<std::string>{"SET", "my key", "", "NX"}), "SET \"my key\" \"\" NX");
  EXPECT_EQ(words_for(std::vector<std::string>{"eval", "return 1", "1", "job"}), "eval script 1 job");
  const std::vector<std::string> release{
      "EVAL", "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end", "1", "job",
      "A1"};
  EXPECT_EQ(words_for(release), "EVAL \"delete if mine\" 1 job A1");
  EXPECT_EQ(label_for(release, english), "delete if mine: job A1");
  EXPECT_EQ(label_for(release, words_of(Language::zh)), "是自己的才删: job A1");
  EXPECT_EQ(words_for(Reply::array({Reply::nil(), Reply::integer(2), Reply::bulk("")})), "[nil 2 \"\"]");
  EXPECT_EQ(words_for(Reply::error("ERR no")), "error ERR no");
}

// Both tables hold nothing but texts, so they can be looked at one after the other.
std::vector<std::string_view> texts_of(const Words& words) {
  static_assert(sizeof(Words) % sizeof(std::string_view) == 0 && std::is_trivially_copyable_v<Words>);
  std::vector<std::string_view> texts(sizeof(Words) / sizeof(std::string_view));
  std::memcpy(static_cast<void*>(texts.data()), &words, sizeof(Words));
  return texts;
}
std::set<std::string> places_in(std::string_view text) {
  std::set<std::string> places;
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1))
    places.insert(std::string(text.substr(at, 3)));
  return places;
}

TEST(Words, OfEveryLanguageAreCompleteAndTakeTheSameValues) {
  const std::vector<std::string_view> one = texts_of(english);
  const std::vector<std::string_view> other = texts_of(chinese);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(places_in(one[i]), places_in(other[i])) << one[i] << " / " << other[i];
    EXPECT_EQ(one[i].empty(), other[i].empty() && one[i] != " ") << one[i] << " / " << other[i];
  }
}

}  // namespace
}  // namespace holdfast::reports
