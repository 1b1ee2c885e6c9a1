// Claims of replicas: what they lack after a failover, and what WAIT says of it.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "sim/choose/strategies.hpp"
#include "sim/redis/scripts.hpp"
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

// Calm, but says 1 to the first question of these sites, in their order.
class Ones final : public Choices {
 public:
  explicit Ones(std::vector<Site> sites) : sites_(std::move(sites)) {}
  bool are_asked() const { return next_ == sites_.size(); }

 private:
  std::uint32_t decide(Site site, Actor, std::uint32_t) override {
    if (are_asked() || site != sites_[next_]) return 0;
    ++next_;
    return 1;
  }
  std::vector<Site> sites_;
  std::size_t next_ = 0;
};

std::vector<Event> run_of(const Scenario& scenario, Choices& choices) {
  const Card& card = *algorithms::find(scenario.algorithm);
  Params params(card.parameters);
  for (const auto& [name, text] : scenario.params) params.set(name, text);
  redis::Scripts scripts;
  Trace trace(true);
  World world(scenario, card, params, scripts, choices, trace);
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
  Ones choices({Site::variant});
  const std::vector<Event> events = run_of(waiting(false), choices);
  EXPECT_FALSE(choices.are_asked());
  EXPECT_TRUE(first_wait(events).reply.is(1));
  EXPECT_EQ(first_wait(events).length, 0s);
  EXPECT_TRUE(grants(events, ClientId{0}));
}

TEST(Replica, MayLagAndThenTheWaitIsAsLongAsItsTimeout) {
  Ones choices({Site::variant});
  const std::vector<Event> events = run_of(waiting(true), choices);
  EXPECT_TRUE(choices.are_asked());
  EXPECT_TRUE(first_wait(events).reply.is(0));
  EXPECT_EQ(first_wait(events).length, 2s);
}

// The failover strikes when the script that looks again arrives: the replica has the key, and nothing is
// lost.
TEST(Replica, LacksNothingThatItHasAcknowledged) {
  Ones unasked({});
  EXPECT_TRUE(grants(run_of(waiting(true), unasked), ClientId{0}));
  std::size_t lost = 0;
  for (std::size_t before = 0; before < 3; ++before) {
    // Lets so many requests reach a server that has something, then strikes.
    class Later final : public Choices {
     public:
      explicit Later(std::size_t left) : left_(left) {}

     private:
      std::uint32_t decide(Site site, Actor, std::uint32_t) override {
        return site == Site::server && left_-- == 0 ? 1 : 0;
      }
      std::size_t left_;
    };
    Later choices(before);
    const std::vector<Event> events = run_of(waiting(true), choices);
    for (const Event& event : events)
      if (const auto* const over = std::get_if<FailedOver>(&event.what)) lost += over->lost;
    // At the WAIT itself the SET is lost; after it there is nothing to lose.
    EXPECT_EQ(lost, 1u) << before;
  }
}

}  // namespace
}  // namespace holdfast
