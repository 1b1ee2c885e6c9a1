// Claims of connections that clients have for themselves: who is woken by what, and what a fault takes away.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/choose/strategies.hpp"
#include "sim/choose/strike_test.hpp"
#include "sim/core/redis_client.hpp"
#include "sim/stores/kinds.hpp"
#include "sim/world/world.hpp"

namespace holdfast {
namespace {

using Op = ProgramStep::Op;
using Acquire = std::function<Task<std::string>(Env& env)>;

// What acquire() of each client does; it is refused with the text that this gives.
class Talk final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string, Mode) override {
    const Acquire& act = acts()[env.self().value];
    const std::string said = co_await act(env);
    co_return Attempt::refused(said);
  }
  Task<Release> release(Env&, std::string, Grant) override { co_return Release::unknown; }

  static std::vector<Acquire>& acts() {
    static std::vector<Acquire> kept;
    return kept;
  }
};

struct Story {
  std::vector<std::string> said;  // by client
  std::vector<Instant> at;
  std::vector<Event> events;
};

Story tell(std::vector<Acquire> acts, const std::vector<Fault>& faults, Choices& choices,
           StrategyKind strategy = StrategyKind::exhaustive) {
  Card card{.id = "talk",
            .make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<Talk>(); }};
  Scenario scenario;
  scenario.algorithm = card.id;
  scenario.check = {Property::recovery};  // those that wait for long are not given up
  scenario.explore.strategy = strategy;
  for (const Fault fault : faults) scenario.faults.push_back({.kind = fault});
  for (std::uint32_t i = 0; i < acts.size(); ++i)
    scenario.clients.push_back({.id = name_of(ClientId{i}), .program = {{.op = Op::acquire}}});
  Talk::acts() = std::move(acts);
  Story story{std::vector<std::string>(scenario.clients.size()), {}, {}};
  story.at.resize(scenario.clients.size());
  Talk::acts().emplace_back([](Env&) -> Task<std::string> { co_return "probe"; });
  const Params params(card.parameters);
  stores::Kinds kinds;
  Trace trace(true);
  World world(scenario, card, params, kinds, choices, trace);
  while (world.step()) continue;
  for (const Event& event : trace.events())
    if (const auto* refused = std::get_if<Refused>(&event.what)) {
      const std::size_t client = refused->acquisition.client.value;
      if (client >= story.said.size()) continue;
      story.said[client] = refused->why;
      story.at[client] = event.at;
    }
  story.events = trace.events();
  return story;
}

Story tell(std::vector<Acquire> acts) {
  const Tape calm;
  ReplayChoices choices(calm);
  return tell(std::move(acts), {}, choices);
}

std::string text_of(const Reply& reply) {
  if (reply.is_lost()) return "lost";
  if (reply.is_nil()) return "nothing";
  return reply.elements().empty() ? reply.text() : reply.elements().back().text();
}

constexpr auto request = Action::Kind::request;
constexpr auto reply = Action::Kind::reply;
constexpr auto wait = Action::Kind::wait;
constexpr Actor first = actor_of(ClientId{0});

// --- what clients do; messages take no time in a calm run ---

Task<std::string> listen(Env& env) {
  RedisConnection connection(env.store());
  co_await connection.subscribe("news");
  const Reply heard = co_await connection.receive(20s);
  co_return text_of(heard);
}
Task<std::string> listen_late(Env& env) {
  RedisConnection connection(env.store());
  co_await connection.subscribe("news");
  co_await env.clock.sleep(10s);
  const Reply first = co_await connection.receive(1s);
  const Reply second = co_await connection.receive(1s);
  const Reply third = co_await connection.receive(1s);
  co_return text_of(first) + ", " + text_of(second) + ", " + text_of(third);
}
Task<std::string> listen_again(Env& env) {
  RedisConnection connection(env.store());
  co_await connection.subscribe("news");
  const Reply first = co_await connection.receive(20s);
  const Reply second = co_await connection.receive(20s);
  co_return text_of(first) + ", " + text_of(second);
}
Task<std::string> publish(Env& env) {
  co_await env.clock.sleep(4s);
  const Reply first = co_await env.store().send(Command("PUBLISH", "news", "one"));
  co_await env.clock.sleep(1s);
  const Reply second = co_await env.store().send(Command("PUBLISH", "news", "two"));
  co_return std::to_string(first.number()) + " and " + std::to_string(second.number());
}
Task<std::string> publish_both(Env& env) {
  co_await env.clock.sleep(4s);
  const Reply first = co_await env.store().send(Command("PUBLISH", "news", "one"));
  const Reply second = co_await env.store().send(Command("PUBLISH", "news", "two"));
  co_return std::to_string(first.number()) + " and " + std::to_string(second.number());
}
Task<std::string> pop_for_ever(Env& env) {
  RedisConnection connection(env.store());
  const Reply popped = co_await connection.blpop("list", 0s);
  co_return text_of(popped);
}
Task<std::string> pop_for_5s(Env& env) {
  RedisConnection connection(env.store());
  const Reply popped = co_await connection.blpop("list", 5s);
  co_return text_of(popped);
}
Task<std::string> push_after_4s(Env& env) {
  co_await env.clock.sleep(4s);
  const Reply length = co_await env.store().send(Command("LPUSH", "list", "signal"));
  co_return std::to_string(length.number());
}
Task<std::string> only_wait(Env& env) {
  co_await env.clock.sleep(4s);
  co_return "";
}

template <class Kind>
std::size_t count(const Story& story) {
  std::size_t found = 0;
  for (const Event& event : story.events) found += std::holds_alternative<Kind>(event.what) ? 1 : 0;
  return found;
}

// --- channels ---

TEST(Channel, WakesWhoListens) {
  const Story story = tell({listen, publish});
  EXPECT_EQ(story.said, (std::vector<std::string>{"one", "1 and 0"}));  // then it has hung up
  EXPECT_EQ(story.at[0], Instant(4s));
}

TEST(Channel, KeepsMessagesInTheirOrderUntilTheyAreAskedFor) {
  EXPECT_EQ(tell({listen_late, publish}).said[0], "one, two, nothing");
}

TEST(Channel, IsSilentForNoLongerThanOneListens) {
  const Story story = tell({listen, only_wait});
  EXPECT_EQ(story.said[0], "nothing");
  EXPECT_EQ(story.at[0], Instant(20s));
}

TEST(Channel, ReachesEverybodyWhoListens) {
  EXPECT_EQ(tell({listen, listen, publish}).said, (std::vector<std::string>{"one", "one", "2 and 0"}));
}

TEST(Channel, LosesAMessageAndNobodyIsTold) {
  // Of what could be lost on its way to who listens: the answer to SUBSCRIBE, then the message.
  Taking choices({{.fault = Fault::lost_reply, .actor = first, .nth = 1}});
  EXPECT_EQ(tell({listen_again, publish}, {Fault::lost_reply}, choices).said[0], "two, nothing");
}

TEST(Channel, KeepsItsOrderWhenAMessageIsLate) {
  // Both messages are on their way when the first one is delayed.
  const Actor publisher = actor_of(ClientId{1});
  Taking choices({{.kind = reply, .actor = first},
                  {.kind = request, .actor = publisher},
                  {.kind = reply, .actor = publisher},
                  {.kind = request, .actor = publisher},
                  {.fault = Fault::late_reply, .actor = first}});
  const Story story = tell({listen_again, publish_both}, {Fault::late_reply}, choices);
  EXPECT_TRUE(choices.took_all());
  EXPECT_EQ(story.said, (std::vector<std::string>{"one, two", "1 and 1"}));
  EXPECT_EQ(story.at[0], Instant(5500ms));
}

TEST(Channel, NeverChangesTheOrderOfItsMessages) {
  for (const StrategyKind strategy : {StrategyKind::exhaustive, StrategyKind::random}) {
    std::set<std::string> heard;
    for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
      RandomChoices choices(seed);
      heard.insert(
          tell({listen_again, publish_both}, {Fault::late_reply, Fault::late_reply}, choices, strategy)
              .said[0]);
    }
    // The answer to SUBSCRIBE may come after its timeout.
    EXPECT_THAT(heard, testing::IsSubsetOf({"one, two", "lost, lost"}));
    EXPECT_THAT(heard, testing::Contains("one, two"));
  }
}

TEST(Channel, IsLostWithTheServerThatRestarts) {
  // When it listens, in a quiet second before the first PUBLISH.
  Taking choices({{.kind = reply, .actor = first}, {.kind = wait}, {.fault = Fault::restart}});
  const Story story = tell({listen_again, publish}, {Fault::restart}, choices);
  EXPECT_EQ(count<ServerRestarted>(story), 1u);
  EXPECT_EQ(story.said, (std::vector<std::string>{"lost, lost", "0 and 0"}));
}

TEST(Channel, IsLostWithTheClientThatCrashes) {
  // After the answers to SUBSCRIBE and to PUBLISH, when the message comes.
  Taking choices({{.kind = reply, .actor = first},
                  {.kind = reply, .actor = actor_of(ClientId{1})},
                  {.fault = Fault::crash, .actor = first, .beside = reply}});
  const Story story = tell({listen, publish}, {Fault::crash}, choices);
  EXPECT_EQ(count<Crashed>(story), 1u);
  EXPECT_EQ(story.said, (std::vector<std::string>{"nothing", "1 and 0"}));  // it starts again too late
}

// --- commands that wait ---

TEST(BlockingCommand, IsAnsweredWhenSomethingIsThere) {
  const Story story = tell({pop_for_ever, push_after_4s});
  EXPECT_EQ(story.said[0], "signal");
  EXPECT_EQ(story.at[0], Instant(4s));
  EXPECT_EQ(count<Pushed>(story), 1u);
}

TEST(BlockingCommand, IsAnsweredOnceInTheOrderOfArrival) {
  const Story story = tell({pop_for_ever, pop_for_5s, push_after_4s});
  EXPECT_EQ(story.said, (std::vector<std::string>{"signal", "nothing", "1"}));
  // The last millisecond of the wait belongs to it.
  EXPECT_EQ(story.at[1], Instant(5001ms));
}

TEST(BlockingCommand, ThatNothingCanEndIsStuck) {
  const Story story = tell({pop_for_ever, only_wait});
  EXPECT_EQ(count<Stuck>(story), 1u);
  EXPECT_EQ(story.said[0], "");
  EXPECT_EQ(count<Calm>(story), 1u);
}

TEST(BlockingCommand, IsLostWithTheServerThatRestarts) {
  // In a quiet second before the LPUSH.
  Taking choices({{.kind = wait}, {.fault = Fault::restart}});
  const Story story = tell({pop_for_ever, push_after_4s}, {Fault::restart}, choices);
  EXPECT_EQ(count<ServerRestarted>(story), 1u);
  EXPECT_EQ(story.said, (std::vector<std::string>{"lost", "1"}));
}

TEST(BlockingCommand, ThatIsAboutToLeaveWhenTheServerRestartsNeverLeaves) {
  // A pause could strike first, so that leaving is a step; the client is told of the reset before that.
  Taking choices({{.kind = Action::Kind::start, .actor = first}, {.fault = Fault::restart}, {.kind = reply}});
  const Story story = tell({pop_for_ever, push_after_4s}, {Fault::pause, Fault::restart}, choices);
  EXPECT_TRUE(choices.took_all());
  EXPECT_EQ(story.said, (std::vector<std::string>{"lost", "1"}));
}

TEST(BlockingCommand, OfAClientThatDiesWithTheAnswerIsAnsweredInVain) {
  Taking choices({{.fault = Fault::crash, .actor = first, .beside = reply}});
  const Story story = tell({pop_for_ever, push_after_4s, pop_for_ever}, {Fault::crash}, choices);
  EXPECT_EQ(count<Crashed>(story), 1u);
  EXPECT_EQ(count<Stuck>(story), 2u);  // the one that started again, and the other
}

}  // namespace
}  // namespace holdfast
