// Claims of replicas: what they lack after a failover, and what WAIT says of it.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/choose/strike_test.hpp"
#include "sim/stores/kinds.hpp"
#include "sim/world/world.hpp"

namespace holdfast {
namespace {

// A client that asks its replica before it believes, for at most 2 s.
Scenario waiting(bool may_fail_over) {
  Scenario scenario;
  scenario.algorithm = "token";
  scenario.params = {{"ttl", "8s"}, {"wait", "then-look"}, {"wait-timeout", "2s"}};
  scenario.clients = {default_clients().front()};
  if (may_fail_over) scenario.faults.push_back({.kind = Fault::failover});
  return scenario;
}

// Calm, but lets the replica lag when it is asked first.
class Lagging final : public Choices {
 public:
  bool is_asked() const { return is_asked_; }

 private:
  std::uint32_t decide(Site site, Actor, std::uint32_t) override {
    return site == Site::variant && !std::exchange(is_asked_, true) ? 1 : 0;
  }
  bool is_asked_ = false;
};

std::vector<Event> run_of(const Scenario& scenario, Choices& choices) {
  const Card& card = *algorithms::find(scenario.algorithm);
  Params params(card.parameters);
  for (const auto& [name, text] : scenario.params) params.set(name, text);
  stores::Kinds kinds;
  Trace trace(true);
  World world(scenario, card, params, kinds, choices, trace);
  while (world.step()) continue;
  return trace.events();
}

struct Waited {
  Reply reply;
  Duration length{};  // from when the server has it
};

// What became of the first WAIT.
Waited first_wait(const std::vector<Event>& events) {
  std::optional<MessageId> wait;
  Waited waited;
  Instant begun{};
  for (const Event& event : events) {
    if (const auto* const sent = std::get_if<Sent>(&event.what);
        sent && sent->argv.front() == "WAIT" && !wait)
      wait = sent->message;
    if (const auto* const done = std::get_if<Executed>(&event.what); done && done->message == wait)
      begun = event.at;
    if (const auto* const answer = std::get_if<Delivered>(&event.what); answer && answer->message == wait)
      return {answer->reply, event.at - begun};
  }
  return waited;
}

bool grants(const std::vector<Event>& events, ClientId client) {
  return std::any_of(events.begin(), events.end(), [&](const Event& event) {
    const auto* const granted = std::get_if<Granted>(&event.what);
    return granted != nullptr && granted->acquisition.client == client;
  });
}

TEST(Replica, HasWhatWasWrittenUnlessAFailoverMayCome) {
  Lagging choices;
  const std::vector<Event> events = run_of(waiting(false), choices);
  EXPECT_FALSE(choices.is_asked());
  EXPECT_TRUE(first_wait(events).reply.is(1));
  EXPECT_EQ(first_wait(events).length, 0s);
  EXPECT_TRUE(grants(events, ClientId{0}));
}

TEST(Replica, MayLagAndThenTheWaitIsAsLongAsItsTimeout) {
  Lagging choices;
  const std::vector<Event> events = run_of(waiting(true), choices);
  EXPECT_TRUE(choices.is_asked());
  EXPECT_TRUE(first_wait(events).reply.is(0));
  EXPECT_EQ(first_wait(events).length, 2s);
}

// Between the grant, which the WAIT preceded, and the release nothing can be lost: a failover cannot strike.
// Before it takes the SET, so that the second attempt is granted; after it, the release.
TEST(Replica, LacksNothingThatItHasAcknowledged) {
  std::vector<std::uint32_t> granted;  // of A's attempts, which
  for (std::uint32_t nth = 0;; ++nth) {
    Taking choices = strike_once(Fault::failover, nth);
    const std::vector<Event> events = run_of(waiting(true), choices);
    if (!choices.took_all()) break;
    bool holds = false;
    for (const Event& event : events) {
      if (const auto* const grant = std::get_if<Granted>(&event.what)) {
        if (grant->acquisition.client == ClientId{0}) granted.push_back(grant->acquisition.number);
        holds = true;
      }
      if (std::holds_alternative<Releasing>(event.what)) holds = false;
      if (const auto* const over = std::get_if<FailedOver>(&event.what)) {
        EXPECT_FALSE(holds) << nth;
        EXPECT_EQ(over->lost, 1u) << nth;
      }
    }
  }
  EXPECT_EQ(granted, (std::vector<std::uint32_t>{2, 2, 1, 1}));
}

}  // namespace
}  // namespace holdfast
