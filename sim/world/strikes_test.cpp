// Claims of faults: when they may strike, what they take, how long they last.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/choose/strike_test.hpp"
#include "sim/world/run_test.hpp"

namespace holdfast {
namespace {

using Op = ProgramStep::Op;
using Kind = Action::Kind;

// Where in the trace the event of this kind with this number, from 0, stands.
template <class Wanted>
std::size_t place_of(const std::vector<Event>& events, std::size_t number = 0) {
  for (std::size_t i = 0; i < events.size(); ++i)
    if (std::holds_alternative<Wanted>(events[i].what) && number-- == 0) return i;
  ADD_FAILURE() << "there is no such event";
  return events.size();
}

template <class Wanted>
Instant time_of(const std::vector<Event>& events, std::size_t number = 0) {
  const std::size_t place = place_of<Wanted>(events, number);
  return place < events.size() ? events[place].at : never;
}

FaultRule lasting(Fault kind, Duration longest) {
  FaultRule made = rule(kind);
  made.magnitude = longest;
  return made;
}

// --- messages ---

TEST(Message, ThatIsALostReplyLeavesItsEffect) {
  Taking choices = strike_once(Fault::lost_reply);
  const std::vector<Event> events = run_all(small(1, {rule(Fault::lost_reply)}), choices);
  ASSERT_EQ(all<GaveUp>(events).size(), 1u);
  EXPECT_EQ(time_of<GaveUp>(events), Instant(3s));
  EXPECT_EQ(std::get<KeyChanged>(all<KeyChanged>(events)[0].what).kind, KeyChanged::Kind::created);
}

TEST(Message, ThatIsALostRequestHasNoEffect) {
  Taking choices = strike_once(Fault::lost_request);
  const std::vector<Event> events = run_all(small(1, {rule(Fault::lost_request)}), choices);
  ASSERT_EQ(all<GaveUp>(events).size(), 1u);
  EXPECT_GT(time_of<KeyChanged>(events), Instant(3s));
}

TEST(Message, ThatIsLateLandsAfterItsCallerGaveUp) {
  Taking choices = strike_once(Fault::late_request);
  Scenario scenario = small(1, {rule(Fault::late_request)});
  scenario.timing.timeout = 1s;
  const std::vector<Event> events = run_all(scenario, choices);
  EXPECT_EQ(time_of<Ignored>(events), Instant(1500ms));  // the longest ordinary delay and a tick
  EXPECT_EQ(time_of<GaveUp>(events), Instant(1s));
}

TEST(Message, ThatIsLateNeverArrivesLaterThanItsSize) {
  Taking choices({{.fault = Fault::late_request}}, lets_time_pass, Wanted{.kind = Kind::request});
  const std::vector<Event> events = run_all(small(1, {lasting(Fault::late_request, 7s)}), choices);
  EXPECT_EQ(time_of<Executed>(events), Instant(7s));
}

TEST(Message, IsStruckOnlyAtTheInstantAtWhichItLeaves) {
  // It leaves at 0s; later on the way nothing can become of it that could not have become of it then.
  class Latest final : public Choices {
   public:
    std::uint32_t offers = 0;

   private:
    std::uint32_t decide(Site, Actor, std::uint32_t) override { return 0; }
    std::uint32_t decide_step(std::uint32_t options, Enabled& enabled) override {
      offers += enabled.faults();
      const std::uint32_t calm = options - enabled.faults();
      return enabled.all()[calm - 1].action.kind == Kind::wait ? calm - 1 : 0;
    }
  };
  Latest choices;
  Scenario scenario = small(1, {rule(Fault::lost_request)});
  scenario.clients[0].program = {{.op = Op::acquire}};
  EXPECT_EQ(time_of<Executed>(run_all(scenario, choices)), Instant(1s));
  EXPECT_EQ(choices.offers, 1u);
}

TEST(Message, IsLostInTimedRunsToo) {
  // Of 200 runs in which four requests leave, each of which takes at least a millisecond.
  Scenario scenario = small(1, {rule(Fault::lost_request)});
  scenario.explore.strategy = StrategyKind::random;
  scenario.timing.delay_min = 1ms;
  int lost = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomChoices choices(seed);
    lost += all<MessageFault>(run_all(scenario, choices)).empty() ? 0 : 1;
  }
  EXPECT_GE(lost, 5);
  EXPECT_LE(lost, 50);
}

TEST(Message, ThatIsSentTwiceIsCarriedOutTwice) {
  // The copy arrives when the lock has long been given back, and takes it for nobody.
  Taking copy({{.fault = Fault::duplicate, .which = 0}, {.kind = Kind::request}}, lets_time_pass,
              Wanted{.kind = Kind::request});
  const std::vector<Event> copied = run_all(small(1, {lasting(Fault::duplicate, 9s)}), copy);
  EXPECT_EQ(time_of<Ignored>(copied), Instant(9s));
  // The driver asks again: the second SET finds the key of the first, and its answer counts.
  Taking repeat({{.fault = Fault::duplicate, .which = 1}});
  const std::vector<Event> repeated = run_all(small(1, {rule(Fault::duplicate)}), repeat);
  const auto executed = all<Executed>(repeated);
  EXPECT_TRUE(std::get<Executed>(executed[0].what).reply.is_ok());
  EXPECT_TRUE(std::get<Executed>(executed[1].what).reply.is_nil());
  EXPECT_EQ(std::get<Executed>(executed[0].what).message, std::get<Executed>(executed[1].what).message);
  EXPECT_EQ(std::get<Refused>(repeated[place_of<Refused>(repeated)].what).acquisition,
            (Acquisition{ClientId{0}, 1}));
}

// --- clients ---

TEST(Crash, ForgetsTheClientAndItStartsAgain) {
  Taking choices = strike_once(Fault::crash);
  const std::vector<Event> events = run_all(small(1, {rule(Fault::crash)}), choices);
  EXPECT_EQ(all<Crashed>(events).size(), 1u);
  EXPECT_EQ(all<Started>(events).size(), 3u);  // A, A again, the probe
  EXPECT_EQ(time_of<Started>(events, 1), Instant(1s));
}

TEST(Crash, MayStrikeBeforeARequestLeaves) {
  Taking choices({{.fault = Fault::crash, .beside = Kind::send}});
  const std::vector<Event> events = run_all(small(1, {rule(Fault::crash)}), choices);
  EXPECT_LT(place_of<Acquiring>(events), place_of<Crashed>(events));
  EXPECT_LT(place_of<Crashed>(events), place_of<Sent>(events));
  EXPECT_EQ(time_of<Sent>(events), Instant(1s));  // when it has started again
}

TEST(Crash, MayStrikeWhileARequestIsInFlightWhichTakesEffect) {
  Taking choices({{.fault = Fault::crash, .beside = Kind::request}});
  const std::vector<Event> events = run_all(small(1, {rule(Fault::crash)}), choices);
  EXPECT_LT(place_of<Sent>(events), place_of<Crashed>(events));
  EXPECT_LT(place_of<Crashed>(events), place_of<Executed>(events));
  EXPECT_EQ(all<Ignored>(events).size(), 1u);
  const auto& change = std::get<KeyChanged>(events[place_of<KeyChanged>(events)].what);
  EXPECT_EQ(change.kind, KeyChanged::Kind::created);
  EXPECT_EQ(change.after, (Acquisition{ClientId{0}, 1}));
}

TEST(Crash, BringsBackItsClientAtAnyTickOfTheWindow) {
  Taking choices({{.fault = Fault::crash}}, lets_time_pass);
  const std::vector<Event> events = run_all(small(1, {rule(Fault::crash)}), choices);
  EXPECT_EQ(time_of<Started>(events, 1) - time_of<Crashed>(events), Duration(2s));
}

TEST(Pause, MayStrikeBeforeARequestLeaves) {
  Taking choices({{.fault = Fault::pause, .beside = Kind::send}});
  const std::vector<Event> events = run_all(small(1, {rule(Fault::pause)}), choices);
  EXPECT_LT(place_of<Acquiring>(events), place_of<Paused>(events));
  EXPECT_EQ(time_of<Paused>(events), Instant(0s));
  EXPECT_LT(place_of<Resumed>(events), place_of<Sent>(events));
  EXPECT_EQ(time_of<Sent>(events), Instant(500ms));  // the shortest pause is a tick
}

TEST(Pause, EndsWithTheAnswerThatWaitedForItsClient) {
  Taking choices({{.fault = Fault::pause, .beside = Kind::reply}});
  const std::vector<Event> events = run_all(small(1, {rule(Fault::pause)}), choices);
  EXPECT_LT(place_of<Executed>(events), place_of<Paused>(events));
  EXPECT_LT(place_of<Resumed>(events), place_of<Delivered>(events));
  EXPECT_EQ(std::get<Resumed>(events[place_of<Resumed>(events)].what).length, Duration(500ms));
  EXPECT_TRUE(all<GaveUp>(events).empty());
}

TEST(Pause, NeverLastsLongerThanItsSize) {
  Taking choices({{.fault = Fault::pause}}, lets_time_pass);
  const std::vector<Event> events = run_all(small(1, {lasting(Fault::pause, 5s)}), choices);
  EXPECT_EQ(std::get<Resumed>(events[place_of<Resumed>(events)].what).length, Duration(5s));
}

TEST(Pause, IsFollowedByTheReplyAndTheTimeoutInEitherOrder) {
  const auto after_pause = [](Kind first) {
    Taking choices({{.fault = Fault::pause, .beside = Kind::reply}, {.kind = first}}, lets_time_pass);
    return run_all(small(1, {rule(Fault::pause)}), choices);
  };
  // The answer has been there since 1s, the timeout since 3s, the pause ends at 9s.
  const std::vector<Event> answered = after_pause(Kind::reply);
  EXPECT_EQ(time_of<Resumed>(answered), Instant(9s));
  EXPECT_EQ(time_of<Delivered>(answered), Instant(9s));
  EXPECT_TRUE(all<GaveUp>(answered).empty());
  const std::vector<Event> given_up = after_pause(Kind::timeout);
  EXPECT_EQ(time_of<GaveUp>(given_up), Instant(9s));
  EXPECT_GT(time_of<Delivered>(given_up), Instant(9s));
}

TEST(Pause, LetsLeasesEndMeanwhile) {
  Taking choices({{.fault = Fault::pause, .beside = Kind::wake}}, lets_time_pass);
  const std::vector<Event> events = run_all(small(1, {rule(Fault::pause)}), choices);
  EXPECT_LT(place_of<Granted>(events), place_of<Paused>(events));
  const auto& ended = std::get<KeyChanged>(events[place_of<KeyChanged>(events, 1)].what);
  EXPECT_EQ(ended.kind, KeyChanged::Kind::expired);
  EXPECT_LT(place_of<KeyChanged>(events, 1), place_of<Resumed>(events));
}

TEST(Cancel, MayStrikeBeforeARequestLeaves) {
  Taking choices({{.fault = Fault::cancel, .beside = Kind::send}});
  const std::vector<Event> events = run_all(small(1, {rule(Fault::cancel)}), choices);
  EXPECT_LT(place_of<Cancelled>(events), place_of<Sent>(events));
  EXPECT_EQ(time_of<Cancelled>(events), Instant(0s));
  EXPECT_EQ(time_of<Sent>(events), Instant(1s));  // of the second attempt
}

TEST(SlowSection, MayStrikeWhenTheWorkWouldEndAndNeverLastsLongerThanItsSize) {
  Taking choices({{.fault = Fault::slow_section}}, lets_time_pass);
  Scenario scenario = small(1, {lasting(Fault::slow_section, 2s)});
  scenario.clients[0].program[1].at_least = 500ms;
  const std::vector<Event> events = run_all(scenario, choices);
  EXPECT_EQ(time_of<SlowSection>(events) - time_of<Working>(events), Duration(1s));
  EXPECT_EQ(time_of<Wrote>(events) - time_of<Working>(events), Duration(3s));
}

TEST(Strike, StaysWithinItsBudget) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomChoices choices(seed);
    FaultRule twice = rule(Fault::lost_request);
    twice.budget = 2;
    ASSERT_LE(all<MessageFault>(run_all(small(2, {twice}), choices)).size(), 2u);
  }
}

TEST(Strike, ComesOnlyAtItsPlace) {
  Taking choices = strike_once(Fault::pause);
  const std::vector<Event> events = run_all(small(1, {rule(Fault::pause, Place::in_section)}), choices);
  ASSERT_EQ(all<Paused>(events).size(), 1u);
  EXPECT_LT(place_of<Granted>(events), place_of<Paused>(events));
}

// --- clocks ---

TEST(ClockJump, MovesTheDeadlineOfABelief) {
  // The lease ends at 4s by a wall clock that is set half a second after the grant.
  const auto run = [](Duration by, std::uint32_t way) {
    Scenario scenario = small(1, {lasting(Fault::clock_jump, by)});
    scenario.algorithm = "getset";
    scenario.belief = Belief::deadline_from_request;
    scenario.clients[0].program = {{.op = Op::acquire}, {.op = Op::sleep, .length = 10s}};
    Taking choices(
        {{.kind = Kind::reply}, {.kind = Kind::wait}, {.fault = Fault::clock_jump, .which = way}});
    const std::vector<Event> events = run_all(scenario, choices);
    EXPECT_TRUE(choices.took_all());
    EXPECT_EQ(time_of<ClockSkewed>(events), Instant(500ms));
    EXPECT_EQ(time_of<Granted>(events), Instant(0s));
    return time_of<BeliefEnded>(events);
  };
  EXPECT_EQ(run(1s, 0), Instant(3s));
  EXPECT_EQ(run(1s, 1), Instant(5s));
  EXPECT_EQ(run(20s, 0), Instant(500ms));  // at once
}

TEST(ClockSkew, ComesBeforeTheFirstLine) {
  Taking choices({{.fault = Fault::clock_skew, .which = 1}});
  const std::vector<Event> events = run_all(small(2, {lasting(Fault::clock_skew, 2s)}), choices);
  EXPECT_LT(place_of<ClockSkewed>(events), place_of<Started>(events));
  EXPECT_EQ(std::get<Started>(events[place_of<Started>(events)].what).wall_offset, Duration(-2s));
  EXPECT_EQ(std::get<Started>(events[place_of<Started>(events, 1)].what).wall_offset, Duration(0s));
}

// --- servers ---

// A client that holds for 3s, and a server that something may happen to.
Scenario quiet(FaultRule fault) {
  Scenario scenario = small(1, {std::move(fault)});
  scenario.clients[0].program = {{.op = Op::acquire}, {.op = Op::work, .length = 3s}, {.op = Op::release}};
  return scenario;
}

TEST(Restart, LosesTheKeyAndTellsWhose) {
  Taking choices = strike_once(Fault::restart);
  const std::vector<Event> events = run_all(small(1, {rule(Fault::restart)}), choices);
  ASSERT_EQ(all<ServerRestarted>(events).size(), 1u);
  const auto lost = std::get<KeyChanged>(all<KeyChanged>(events)[1].what);
  EXPECT_EQ(lost.kind, KeyChanged::Kind::lost);
  EXPECT_EQ(lost.before, (Acquisition{ClientId{0}, 1}));
}

TEST(Restart, MayStrikeInAQuietSecond) {
  Taking choices(
      {{.kind = Kind::reply}, {.kind = Kind::wait}, {.kind = Kind::wait}, {.fault = Fault::restart}});
  const std::vector<Event> events = run_all(quiet(rule(Fault::restart)), choices);
  EXPECT_EQ(time_of<ServerRestarted>(events), Instant(1s));
  for (const Event& event : events) {
    const bool is_quiet = event.at > Instant(0s) && event.at < Instant(3s);
    EXPECT_TRUE(!is_quiet || event.actor == actor_of(NodeId{0}));
  }
}

TEST(Restart, DoesNotStrikeAServerThatHasNothingToLose) {
  Taking choices({{.fault = Fault::restart}});
  Scenario scenario = quiet(rule(Fault::restart));
  scenario.clients[0].program = {{.op = Op::sleep, .length = 3s}};
  EXPECT_TRUE(all<ServerRestarted>(run_all(scenario, choices)).empty());
  EXPECT_FALSE(choices.took_all());
}

TEST(Eviction, MayStrikeInAQuietSecond) {
  Taking choices({{.kind = Kind::reply}, {.kind = Kind::wait}, {.fault = Fault::eviction}});
  const std::vector<Event> events = run_all(quiet(rule(Fault::eviction)), choices);
  EXPECT_EQ(time_of<Evicted>(events), Instant(500ms));
  EXPECT_EQ(std::get<KeyChanged>(all<KeyChanged>(events)[1].what).kind, KeyChanged::Kind::lost);
}

TEST(ServerClock, SetAheadEndsALeaseInAQuietSecond) {
  Taking choices(
      {{.kind = Kind::reply}, {.kind = Kind::wait}, {.fault = Fault::server_clock_jump, .which = 0}});
  const std::vector<Event> events = run_all(quiet(rule(Fault::server_clock_jump)), choices);
  const std::size_t ended = place_of<KeyChanged>(events, 1);
  EXPECT_EQ(std::get<KeyChanged>(events[ended].what).kind, KeyChanged::Kind::expired);
  EXPECT_EQ(events[ended].at, Instant(500ms));
}

// --- partitions ---

// Asks every second, with a timeout of half a second.
Scenario asking(Duration longest) {
  Scenario scenario = small(2, {lasting(Fault::partition, longest)});
  scenario.timing.timeout = scenario.timing.retry = scenario.timing.retry_late = 500ms;
  scenario.timing.delay_max = 0s;
  scenario.clients[0].program = {{.op = Op::acquire, .attempts = 5}, {.op = Op::release}};
  scenario.clients[1].program = {
      {.op = Op::sleep, .length = 500ms}, {.op = Op::acquire}, {.op = Op::release}};
  return scenario;
}

std::vector<Instant> times_of_losses(const std::vector<Event>& events) {
  std::vector<Instant> times;
  for (const Event& event : all<MessageFault>(events)) {
    EXPECT_EQ(std::get<MessageFault>(event.what).fault, Fault::partition);
    times.push_back(event.at);
  }
  return times;
}

TEST(Partition, TakesWhatIsOnItsWayAndWhatLeavesUntilItHeals) {
  // Everything rather than that it heals: also the request of 2s leaves before.
  Taking choices({{.fault = Fault::partition, .actor = actor_of(ClientId{0}), .which = 0}}, lets_time_pass,
                 Wanted{.kind = Kind::heal});
  const std::vector<Event> events = run_all(asking(2s), choices);
  EXPECT_EQ(times_of_losses(events), (std::vector<Instant>{Instant(0s), Instant(1s), Instant(2s)}));
  EXPECT_EQ(std::get<Partitioned>(events[place_of<Partitioned>(events)].what).until, Instant(2s));
  // Meanwhile the other client gets through.
  EXPECT_EQ(events[place_of<Granted>(events)].at, Instant(500ms));
  EXPECT_EQ(events[place_of<Granted>(events)].actor, actor_of(ClientId{1}));
  EXPECT_EQ(events[place_of<Granted>(events, 1)].at, Instant(3s));
}

TEST(Partition, MayHealAfterATick) {
  Taking choices(
      {{.fault = Fault::partition, .actor = actor_of(ClientId{0}), .which = 0}, {.kind = Kind::heal}},
      lets_time_pass);
  const std::vector<Event> events = run_all(asking(2s), choices);
  EXPECT_EQ(times_of_losses(events), std::vector<Instant>{Instant(0s)});
}

// Nothing is on its way while A works, and the DEL leaves when A is not there any more.
TEST(Partition, WithAPlaceBeginsWhileItsClientIsThere) {
  Taking choices({{.fault = Fault::partition}}, lets_time_pass);
  FaultRule in_section = rule(Fault::partition);
  in_section.place = Place::in_section;
  const std::vector<Event> events = run_all(small(1, {in_section}), choices);
  EXPECT_LT(place_of<Granted>(events), place_of<Partitioned>(events));
  EXPECT_LT(place_of<Partitioned>(events), place_of<Releasing>(events));
  EXPECT_LT(place_of<Releasing>(events), place_of<MessageFault>(events));
}

TEST(Partition, OfAnswersLetsRequestsThrough) {
  Taking choices({{.fault = Fault::partition, .which = 2}});
  const std::vector<Event> events = run_all(small(1, {rule(Fault::partition)}), choices);
  const auto& cut = std::get<Partitioned>(events[place_of<Partitioned>(events)].what);
  EXPECT_FALSE(cut.loses_requests);
  EXPECT_TRUE(cut.loses_replies);
  EXPECT_LT(place_of<Executed>(events), place_of<Partitioned>(events));
  EXPECT_EQ(time_of<GaveUp>(events), Instant(3s));
}

}  // namespace
}  // namespace holdfast
