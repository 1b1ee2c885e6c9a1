// Runs of the simulator on a real server: where reality agrees, where it would not, and at which pace.
#include "sim/live/performance.hpp"

#include <gmock/gmock-matchers.h>

#include <algorithm>

#include "sim/explore/comparison.hpp"
#include "sim/explore/explore.hpp"
#include "sim/live/no_server_test.hpp"
#include "sim/live/redis_process.hpp"

namespace holdfast::live {
namespace {

using testing::HasSubstr;

constexpr WallTime epoch{1'700'000'000s};

// What token breaks on when its holder is paused, with ticks of 50 ms.
struct Found {
  Found() {
    Comparison comparison;
    comparison.ttl /= 10;
    comparison.section /= 10;
    Timing& timing = comparison.timing;
    for (Duration* time : {&timing.tick, &timing.delay_min, &timing.delay_max, &timing.timeout, &timing.retry,
                           &timing.retry_late, &timing.restart, &timing.restart_late, &timing.recovery})
      *time /= 10;
    comparison.check = {Property::mutual_exclusion};
    scenario = scenario_of(comparison, *card, Fault::pause);
    example = *explore(scenario, *card, Budget()).properties.at(0).counterexample;
    params.set("ttl", holdfast::to_text(comparison.ttl));
  }
  Performance perform(const std::vector<Event>& events) {
    std::vector<ServerForRun> servers;
    servers.push_back(ServerForRun::private_one());
    return perform_run({events, example.tape, *card, params, epoch, {}, pace_of(example.events)}, servers,
                       [] { return false; });
  }
  // Changes the last event of this kind.
  template <class Kind>
  std::vector<Event> with_last(const std::function<void(Kind&)>& change) const {
    std::vector<Event> events = example.events;
    for (std::size_t i = events.size(); i-- > 0;)
      if (Kind* const found = std::get_if<Kind>(&events[i].what)) {
        change(*found);
        break;
      }
    return events;
  }

  const Card* card = algorithms::find("token");
  Params params{card->parameters};
  Scenario scenario;
  Counterexample example;
};

class PerformanceOfToken : public testing::Test {
 protected:
  void SetUp() override {
    if (!RedisProcess::start()) GTEST_SKIP() << no_server;
  }
};

TEST_F(PerformanceOfToken, RealityAgrees) {
  Found found;
  const Performance done = found.perform(found.example.events);
  if (done.was_late) GTEST_SKIP() << "skipped: this machine is too busy";
  EXPECT_FALSE(done.departure) << done.departure->what;
  // A's SET, B's, which is refused, and B's second, when A's lease of 400 ms is over.
  EXPECT_EQ(done.commands, 3u);
  EXPECT_GT(done.length, 400ms);
}

TEST_F(PerformanceOfToken, EveryDifferenceIsToldAtItsStep) {
  Found found;
  const auto departure_of = [&](const std::vector<Event>& events) {
    return found.perform(events).departure.value_or(Departure{{}, "none"}).what;
  };
  EXPECT_THAT(departure_of(found.with_last<Executed>([](Executed& it) { it.reply = Reply::nil(); })),
              HasSubstr(" is answered with OK, and not with (nil)"));
  EXPECT_THAT(departure_of(found.with_last<Sent>([](Sent& it) { it.argv.back() = "XX"; })),
              HasSubstr(" NX, and not SET "));
  EXPECT_THAT(departure_of(found.with_last<Granted>([](Granted& it) { it.token = "other"; })),
              HasSubstr("is granted the lock with another token"));
  EXPECT_THAT(departure_of(found.with_last<KeyChanged>([](KeyChanged& it) { it.value = "other"; })),
              HasSubstr(" on the server, and not \"other\""));
}

// A writes a key that lives for `ttl`; B asks `later`.
std::vector<Event> lease(Duration ttl, Duration later) {
  const Instant end = Instant(ttl);
  const auto change = [&](KeyChanged::Kind kind, Instant expires) {
    return KeyChanged{NodeId{0}, "k", kind, {}, {}, {}, "", expires};
  };
  std::vector<Event> events{{Step{1}, Instant(), {}, Executed{}},
                            {Step{1}, Instant(), {}, change(KeyChanged::Kind::created, end)}};
  if (later > ttl) events.push_back({Step{2}, end + 1us, {}, change(KeyChanged::Kind::expired, never)});
  events.push_back({Step{3}, Instant(later), {}, Executed{}});
  return events;
}

TEST(Pace, LeavesRoomBeforeTheEndOfALeaseAndAfterIt) {
  // Alive at 200 ms of 200 ms, in which the run decides: the real command comes before.
  const Pace alive = pace_of(lease(200ms, 200ms));
  EXPECT_LT(alive.real(Instant(200ms)), 200ms - 10ms);
  // Dead at 250 ms: the real command comes after.
  const Pace dead = pace_of(lease(200ms, 250ms));
  EXPECT_GT(dead.real(Instant(250ms)), 200ms + 10ms);
  EXPECT_EQ(dead.ttl_min, 200ms);
  // Both, in one run.
  std::vector<Event> both = lease(200ms, 200ms);
  both.pop_back();
  both.push_back({Step{2}, Instant(200ms), {}, Executed{}});
  for (const Event& event : lease(200ms, 250ms))
    if (event.step.value > 1) both.push_back(event);
  const Pace pace = pace_of(both);
  EXPECT_EQ(pace.per_mille, 890);  // close to 8/9, the middle
  EXPECT_EQ(pace.margin, 22ms);
  // Nothing depends on how long anything takes.
  EXPECT_EQ(pace_of({}).margin, Duration::max());
}

}  // namespace
}  // namespace holdfast::live
