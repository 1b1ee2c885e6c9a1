// Digests and fingerprints: known values, and no field of any event that a fingerprint would not notice.
#include "sim/trace/trace.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "sim/trace/tape.hpp"

namespace holdfast {
namespace {

// The 128-bit XXH3 of the reference implementation, as `xxhsum -H2` prints it.
TEST(Digest, IsXxh3OnEveryMachine) {
  EXPECT_EQ(digest_of("").hex(), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(digest_of("abc").hex(), "06b05ab6733a618578af5f94892f3950");
  EXPECT_EQ(digest_of(std::string(1000, 'x')).hex(), "50a1af5a5f2dcf01c0a4877b962cba82");
}
TEST(Digest, OfWordsIsTheDigestOfTheirBytes) {
  Digester digester;
  EXPECT_EQ(digester.finish(), digest_of(""));
  digester.add(std::uint64_t{0x0807060504030201});
  EXPECT_EQ(digester.finish(), digest_of("\1\2\3\4\5\6\7\10"));
  digester.clear();
  EXPECT_EQ(digester.finish(), digest_of(""));
}
RC_GTEST_PROP(Digest, KeepsNeighbouringTextsApart, (std::string a, std::string b)) {
  const auto digest = [](const std::string& first, const std::string& second) {
    Digester digester;
    digester.add(std::string_view(first));
    digester.add(std::string_view(second));
    return digester.finish();
  };
  RC_PRE(!a.empty());
  RC_ASSERT(digest(a, b) != digest("", a + b));
}

Digest fingerprint_of(What what) {
  return fingerprint({Event{Step{1}, Instant(5us), Actor(), std::move(what)}});
}

// One of each event, and one more for each of its fields.
std::vector<What> acts_of_clients() {
  const Acquisition first{ClientId{1}, 1};
  return {
      Started{},
      Started{ClientId{1}, 0s},
      Started{ClientId(), 1us},
      Acquiring{},
      Acquiring{first, "", Mode::exclusive},
      Acquiring{{}, "k", Mode::exclusive},
      Acquiring{{}, "", Mode::shared},
      Granted{},
      Granted{.acquisition = first},
      Granted{.mode = Mode::shared},
      Granted{.lease_until = Instant(1us)},
      Granted{.fence = 0},
      Granted{.fence = 1},
      Granted{.token = "t"},
      Refused{},
      Refused{.acquisition = first},
      Refused{.kind = Attempt::Kind::failed},
      Refused{.why = "w"},
      Working{},
      Working{first, 0s},
      Working{{}, 1us},
      Wrote{},
      Wrote{first, true},
      Wrote{{}, false},
      BeliefEnded{},
      BeliefEnded{.acquisition = first},
      BeliefEnded{.why = Belief::notified},
      Releasing{},
      Releasing{first},
      Released{},
      Released{.acquisition = first},
      Released{.result = Release::not_held},
      Slept{},
      Slept{ClientId{1}, 0s},
      Slept{ClientId(), 1us},
      Finished{},
      Finished{ClientId{1}, ""},
      Finished{ClientId(), "e"},
  };
}
std::vector<What> messages() {
  const Acquisition first{ClientId{1}, 1};
  return {
      Sent{},
      Sent{.message = MessageId{1}},
      Sent{.node = NodeId{1}},
      Sent{.acquisition = first},
      Sent{.argv = {"GET", "k"}},
      Sent{.argv = {"GETk"}},
      Sent{.argv = {"GET", "k", ""}},
      Executed{},
      Executed{.message = MessageId{1}},
      Executed{.node = NodeId{1}},
      Executed{.acquisition = first},
      Executed{.reply = Reply::ok()},
      Executed{.reply = Reply::bulk("OK")},
      Executed{.reply = Reply::integer(1)},
      Executed{.reply = Reply::integer(0)},
      Executed{.reply = Reply::lost()},
      Executed{.reply = Reply::array({})},
      Executed{.reply = Reply::array({Reply::nil()})},
      Executed{.reply = Reply::array({Reply::array({})})},
      Pushed{},
      Pushed{.message = MessageId{1}},
      Pushed{.node = NodeId{1}},
      Pushed{.acquisition = first},
      Pushed{.reply = Reply::ok()},
      Delivered{},
      Delivered{.message = MessageId{1}},
      Delivered{.acquisition = first},
      Delivered{.reply = Reply::ok()},
      GaveUp{},
      GaveUp{MessageId{1}, {}},
      GaveUp{MessageId(), first},
      GaveUp{MessageId(), {}, true},
      Ignored{},
      Ignored{MessageId{1}},
  };
}
std::vector<What> everything_else() {
  const Acquisition first{ClientId{1}, 1};
  return {
      KeyChanged{},
      KeyChanged{.node = NodeId{1}},
      KeyChanged{.key = "k"},
      KeyChanged{.kind = KeyChanged::Kind::removed},
      KeyChanged{.by = first},
      KeyChanged{.before = first},
      KeyChanged{.after = first},
      KeyChanged{.value = "v"},
      KeyChanged{.expires_at = Instant(1us)},
      Crashed{},
      Crashed{ClientId{1}},
      Paused{},
      Paused{ClientId{1}},
      Resumed{},
      Resumed{ClientId{1}, 0s},
      Resumed{ClientId(), 1us},
      MessageFault{},
      MessageFault{Fault::lost_reply, {}},
      MessageFault{Fault::none, MessageId{1}},
      SlowSection{},
      SlowSection{first},
      ClockSkewed{},
      ClockSkewed{ClientId{1}, 0s},
      ClockSkewed{ClientId(), 1us},
      ClockSkewed{.by = 1us},
      ServerRestarted{},
      ServerRestarted{NodeId{1}},
      Calm{},
      Calm{ClientId{1}, 0s},
      Calm{ClientId(), 1us},
      Ended{},
      ServerClockSet{},
      ServerClockSet{NodeId{1}, 0s},
      ServerClockSet{NodeId(), 1us},
      FailedOver{},
      FailedOver{NodeId{1}, 0},
      FailedOver{NodeId(), 1},
      Evicted{},
      Evicted{NodeId{1}, ""},
      Evicted{NodeId(), "k"},
      SessionEnded{},
      SessionEnded{NodeId{1}, ""},
      SessionEnded{NodeId(), "A1"},
      Partitioned{},
      Partitioned{.client = ClientId{1}},
      Partitioned{.node = NodeId{1}},
      Partitioned{.until = Instant(1us)},
      Partitioned{.loses_requests = false},
      Partitioned{.loses_replies = false},
      Cancelled{},
      Cancelled{first},
      Stuck{},
      Stuck{first},
  };
}
std::vector<What> guarded_acts() {
  const Acquisition first{ClientId{1}, 1};
  return {
      AcquiredAgain{},
      AcquiredAgain{first},
      AcquiredAgain{.kind = Attempt::Kind::refused},
      AcquiredAgain{.why = "taken"},
      ReleasedAgain{},
      ReleasedAgain{first},
      ReleasedAgain{.result = Release::released},
      LookedUp{},
      LookedUp{ClientId{1}},
      LookedUp{.is_hit = true},
      Fetching{},
      Fetching{first},
      Fetching{.length = 1us},
      Stored{},
      Stored{first},
      PeriodBegun{},
      PeriodBegun{ClientId{1}},
      PeriodBegun{.period = 1},
      JobBegun{},
      JobBegun{first},
      JobBegun{.period = 1},
      JobBegun{.length = 1us},
      JobDone{},
      JobDone{first},
      JobDone{.period = 1},
      PeriodOver{},
      PeriodOver{ClientId{1}},
      PeriodOver{.period = 1},
      Read{},
      Read{first, true},
      Read{{}, false},
      ServerRecovered{},
      ServerRecovered{NodeId{1}, 0},
      ServerRecovered{NodeId(), 1},
      CameBack{},
      CameBack{ClientId{1}},
      CameBack{.bound = 1us},
      Left{},
      Left{first},
  };
}
std::vector<What> all_different() {
  std::vector<What> all = acts_of_clients();
  for (What& what : messages()) all.push_back(std::move(what));
  for (What& what : everything_else()) all.push_back(std::move(what));
  for (What& what : guarded_acts()) all.push_back(std::move(what));
  return all;
}

TEST(Fingerprint, NoticesEveryFieldOfEveryEvent) {
  std::map<Digest, std::size_t> seen;
  const std::vector<What> different = all_different();
  for (std::size_t i = 0; i < different.size(); ++i) {
    const auto [at, is_new] = seen.emplace(fingerprint_of(different[i]), i);
    EXPECT_TRUE(is_new) << "cases " << at->second << " and " << i;
  }
}
TEST(Fingerprint, NoticesStepTimeAndActor) {
  const Event event{Step{1}, Instant(5us), Actor(), Ended()};
  const Digest plain = fingerprint({event});
  for (const Event& other : {Event{Step{2}, event.at, event.actor, event.what},
                             Event{event.step, Instant(6us), event.actor, event.what},
                             Event{event.step, event.at, actor_of(ClientId{0}), event.what},
                             Event{event.step, event.at, Actor{Actor::Kind::time, 1}, event.what}})
    EXPECT_NE(fingerprint({other}), plain);
}
TEST(Fingerprint, NoticesOrderAndLength) {
  const Event a{Step{1}, Instant(), Actor(), Ended()};
  const Event b{Step{1}, Instant(), Actor(), Started()};
  EXPECT_NE(fingerprint({a, b}), fingerprint({b, a}));
  EXPECT_NE(fingerprint({a}), fingerprint({a, a}));
  EXPECT_NE(fingerprint({}), fingerprint({a}));
}
TEST(Fingerprint, DoesNotNoticeSourceLines) {
  EXPECT_EQ(fingerprint_of(Sent{.where = {"token.cpp", 12}}),
            fingerprint_of(Sent{.where = {"other.cpp", 13}}));
}
TEST(Fingerprint, IsTheSameWithEveryCompiler) {
  std::vector<Event> events;
  for (What& what : all_different())
    events.push_back({Step{7}, Instant(3ms), actor_of(NodeId{1}), std::move(what)});
  EXPECT_EQ(fingerprint(events).hex(), "a3b514dc45c2da38b86cc821f43f586e");
}

class Listener final : public Observer {
 public:
  void on(const Event& event) override { steps.push_back(event.step.value); }
  std::vector<std::uint32_t> steps;
};
TEST(Trace, TellsObserversAndKeepsWhatItRecords) {
  for (const bool recording : {true, false}) {
    Trace trace(recording);
    Listener first, second;
    trace.subscribe(first);
    trace.emit({Step{1}, Instant(), Actor(), Ended()});
    trace.subscribe(second);
    trace.emit({Step{2}, Instant(), Actor(), Ended()});
    EXPECT_EQ(first.steps, (std::vector<std::uint32_t>{1, 2}));
    EXPECT_EQ(second.steps, std::vector<std::uint32_t>{2});
    EXPECT_EQ(trace.events().size(), recording ? 2u : 0u);
  }
}
TEST(Names, OfActors) {
  EXPECT_EQ(name_of(actor_of(ClientId{1}), StoreKind::redis), "B");
  EXPECT_EQ(name_of(actor_of(NodeId{0}), StoreKind::redis), "redis-1");
  EXPECT_EQ(name_of(actor_of(NodeId{0}), StoreKind::shared_dict), "nginx shared memory");
  EXPECT_EQ(name_of(NodeId{1}, StoreKind{node_words.size()}), "node-2");
  EXPECT_EQ(name_of(Actor(), StoreKind::redis), "time");
  EXPECT_EQ(id_of(Site::delay), "delay");
  EXPECT_EQ(id_of(Action::Kind::wait), "wait");
  EXPECT_EQ(id_of(Action::Kind::strike), "strike");
}
TEST(Names, OfActionsDifferInEveryPart) {
  const Action plain{.kind = Action::Kind::strike, .fault = Fault::pause, .actor = actor_of(ClientId{0})};
  std::vector<Action> others(5, plain);
  others[0].kind = Action::Kind::wake;
  others[1].fault = Fault::crash;
  others[2].actor = actor_of(NodeId{0});
  others[3].how.which = 1;
  others[4].nth = 1;
  for (const Action& other : others) EXPECT_NE(other, plain);
  EXPECT_EQ(Action(), Action{.kind = Action::Kind::wait});
  EXPECT_NE(Action(), by_number);
}

}  // namespace
}  // namespace holdfast
