// Which awaits of a lock an exploration came to.
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include <fstream>

#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

// It looks again only at an answer that SET never gives, and gives up where the answer is lost.
class Forked final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const Reply reply = co_await Redis(env.store())
                            .set(  // always
                                key, token, SetOptions().px(4s).nx());
    if (reply.is(7)) co_await Redis(env.store()).get(key);       // never
    if (reply.is_lost()) co_await Redis(env.store()).pttl(key);  // lost
    if (reply.is_nil()) co_await env.clock.sleep(1s);     // refused
    if (!reply.is_ok()) co_return Attempt::refused("held");
    Grant grant(token);
    grant.lease = 4s;
    co_return Attempt(grant);
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Release result = co_await compared(env, key, grant.token);  // of a task
    co_return result;
  }

 private:
  static Task<Release> compared(Env& env, std::string key, std::string token) {
    const Reply found = co_await Redis(env.store()).get(key);  // in that task
    if (found.is_nil() || found.is_lost()) co_return Release::not_held;
    if (found.text() != token) co_return Release::not_held;
    const Reply deleted = co_await Redis(env.store()).del(key);  // then
    co_return deleted.is(1) ? Release::released : Release::unknown;
  }
};

Card forked() {
  Card card;
  card.id = "forked";
  card.make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<Forked>(); };
  card.is_stateless = true;
  return card;
}

// The line of this file that ends with this comment; of a statement of two lines, the second is meant.
std::uint32_t line_of(const std::string& comment) {
  std::ifstream file(HOLDFAST_SOURCE_DIR "/sim/explore/awaits_test.cpp");
  std::uint32_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.ends_with("  // " + comment)) return comment == "always" ? number + 1 : number;
  }
  return 0;
}

std::vector<std::uint32_t> lines_of(const Exploration& found) {
  std::vector<std::uint32_t> lines;
  for (const SourceLine& at : found.awaits)
    if (std::string_view(at.file).ends_with("explore/awaits_test.cpp")) lines.push_back(at.line);
  return lines;
}

Scenario under(Fault fault) { return scenario_of(planted::coarse(), forked(), fault); }

TEST(Awaits, ThatNoRunCanComeToAreNotAmongThoseThatRan) {
  const Card card = forked();
  const std::vector<std::uint32_t> calm = lines_of(explore(under(Fault::none), card, Budget()));
  for (const char* comment : {"always", "refused", "of a task", "in that task", "then"})
    EXPECT_THAT(calm, Contains(line_of(comment))) << comment;
  EXPECT_THAT(calm, Not(Contains(line_of("lost"))));
  EXPECT_THAT(calm, Not(Contains(line_of("never"))));
  const std::vector<std::uint32_t> lossy = lines_of(explore(under(Fault::lost_reply), card, Budget()));
  EXPECT_THAT(lossy, Contains(line_of("lost")));
  EXPECT_THAT(lossy, Not(Contains(line_of("never"))));
}

// A step whose outcome is known is not taken again, a state that was seen not gone on from: whatever they
// await was awaited before.
TEST(Awaits, AreTheSameHoweverASpaceIsExplored) {
  const Card card = forked();
  for (const Fault fault : {Fault::none, Fault::crash, Fault::pause, Fault::lost_reply}) {
    const Scenario scenario = under(fault);
    const std::vector<std::uint32_t> lines = lines_of(explore(scenario, card, Budget(), Engine::replay));
    EXPECT_THAT(lines, Not(IsEmpty()));
    for (const unsigned threads : {1u, 3u})
      EXPECT_EQ(lines_of(explore(scenario, card, Budget(), Engine::snapshots, threads)), lines)
          << id_of(fault);
  }
}

TEST(Awaits, OfSamplesAreNotedToo) {
  Scenario scenario = under(Fault::none);
  scenario.explore.strategy = StrategyKind::portfolio;
  scenario.explore.runs_max = 50;
  EXPECT_THAT(lines_of(explore(scenario, forked(), Budget())), Contains(line_of("then")));
}

}  // namespace
}  // namespace holdfast
