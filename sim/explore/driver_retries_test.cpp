// A driver that sends a request again for which no answer came: what that heals, and what it does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "sim/explore/comparison.hpp"
#include "sim/explore/explore.hpp"

namespace holdfast {
namespace {

// SETNX without a lease, and a DEL that the driver may be told to send once.
class Bare final : public Lock {
 public:
  explicit Bare(bool asks_once) : asks_once_(asks_once) {}
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const Reply reply = co_await Redis(env.store()).setnx(key, "1");
    if (reply.is_lost()) co_return Attempt::failed("no answer");
    if (!reply.is(1)) co_return Attempt::refused("taken");
    Grant grant("1");
    co_return Attempt(grant);
  }
  Task<Release> release(Env& env, std::string key, Grant) override {
    Call call = Redis(env.store()).del(key);
    if (asks_once_) call.once();
    const Reply reply = co_await call;
    co_return reply.is_lost() ? Release::unknown : Release::released;
  }

 private:
  bool asks_once_;
};

Card bare_lock(bool asks_once) {
  Card card;
  card.id = "bare";
  card.make = [asks_once](const Params&) -> std::unique_ptr<Lock> {
    return std::make_unique<Bare>(asks_once);
  };
  return card;
}

struct Asked {
  Fault fault = Fault::lost_request;
  std::uint32_t losses = 1;
  std::uint32_t retries = 0;
  Place place = Place::releasing;
  bool asks_once = false;
};

Exploration explored_with(const Asked& asked) {
  const Card card = bare_lock(asked.asks_once);
  const Comparison bounds{.attempts = 1, .faults = asked.losses, .driver_retries = asked.retries};
  Scenario scenario = scenario_of(bounds, card, asked.fault);
  scenario.check = {Property::recovery};
  scenario.timing.tick = 1s;
  scenario.faults.front().place = asked.place;
  scenario.faults.front().target = ClientId{0};
  return explore(scenario, card, {});
}

Verdict recovery_of(const Asked& asked) { return explored_with(asked).properties.front().verdict; }

TEST(DriverRetries, HealALostRequestAsLongAsThereAreEnough) {
  EXPECT_EQ(recovery_of({.losses = 1, .retries = 0}), Verdict::violated);
  EXPECT_EQ(recovery_of({.losses = 1, .retries = 1}), Verdict::holds);
  EXPECT_EQ(recovery_of({.losses = 2, .retries = 1}), Verdict::violated);
  EXPECT_EQ(recovery_of({.losses = 2, .retries = 2}), Verdict::holds);
}

TEST(DriverRetries, DoNotRepeatWhatTheLockAsksOnce) {
  EXPECT_EQ(recovery_of({.retries = 1, .asks_once = true}), Verdict::violated);
}

TEST(DriverRetries, OfALostAnswerIsRefusedByWhatTheFirstRequestWrote) {
  const Exploration found =
      explored_with({.fault = Fault::lost_reply, .retries = 1, .place = Place::acquiring});
  const PropertyResult& result = found.properties.front();
  ASSERT_EQ(result.verdict, Verdict::violated);
  const auto& events = result.counterexample->events;
  const auto is_refused = [](const Event& event) {
    const auto* const refused = std::get_if<Refused>(&event.what);
    return refused != nullptr && refused->acquisition.client == ClientId{0} &&
           refused->kind == Attempt::Kind::refused;
  };
  const auto is_sent_again = [](const Event& event) {
    const auto* const gave_up = std::get_if<GaveUp>(&event.what);
    return gave_up != nullptr && gave_up->is_repeated;
  };
  EXPECT_TRUE(std::any_of(events.begin(), events.end(), is_sent_again));
  EXPECT_TRUE(std::any_of(events.begin(), events.end(), is_refused));
}

}  // namespace
}  // namespace holdfast
