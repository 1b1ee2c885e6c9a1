// What is not simulated ends an exploration of any kind, with the same words, and takes back what was found.
#include "sim/core/beyond_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/explore/deepening.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Its release looks how the key is kept, takes an error for "mine", and deletes the key of any owner.
class Curious final : public Lock {
 public:
  explicit Curious(bool is_curious) : is_curious_(is_curious) {}
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const Reply reply = co_await Redis(env.store()).set(key, token, SetOptions().nx().px(4s));
    if (reply.is_lost()) co_return Attempt::failed("timeout");
    if (!reply.is_ok()) co_return Attempt::refused("taken");
    co_return Attempt(Grant(token));
  }
  Task<Release> release(Env& env, std::string key, Grant) override {
    if (is_curious_) {
      const Reply ignored = co_await env.store().send(Command("OBJECT", "ENCODING", key));
      if (ignored.is_lost()) co_return Release::unknown;
    }
    const Reply reply = co_await Redis(env.store()).del(key);
    if (reply.is_lost()) co_return Release::unknown;
    co_return reply.is(1) ? Release::released : Release::not_held;
  }

 private:
  const bool is_curious_;
};

const Card curious{.id = "curious",
                   .summary = "",
                   .source = "",
                   .lesson = "",
                   .claims = {},
                   .parameters = {{"curious", Parameter::Kind::count, "1", ""}},
                   .make = [](const Params& params) -> std::unique_ptr<Lock> {
                     return std::make_unique<Curious>(params.count("curious") != 0);
                   },
                   .is_stateless = true};

void expect_nothing_said(const Exploration& found) {
  EXPECT_THAT(found.beyond_model, StartsWith("not simulated: OBJECT ENCODING (step "));
  EXPECT_THAT(found.beyond_model, HasSubstr("beyond_model_test.cpp:"));
  EXPECT_FALSE(found.properties.empty());
  for (const PropertyResult& each : found.properties) {
    EXPECT_EQ(each.verdict, Verdict::unknown) << id_of(each.property);
    EXPECT_FALSE(each.counterexample.has_value());
    EXPECT_EQ(each.note, found.beyond_model + "; nothing is said of this lock");
  }
}

TEST(BeyondModel, EndsEveryKindOfExplorationWithTheSameWords) {
  Scenario scenario = planted::on_time(scenario_of(planted::coarse(), curious, Fault::pause));
  const Exploration found = explore(scenario, curious, Budget());
  expect_nothing_said(found);
  EXPECT_EQ(explore(scenario, curious, Budget(), Engine::replay).beyond_model, found.beyond_model);
  EXPECT_EQ(explore(scenario, curious, Budget(), Engine::snapshots, 2).beyond_model, found.beyond_model);
  scenario.check = {Property::bounded_bypass};
  expect_nothing_said(explore(scenario, curious, Budget()));
  scenario.check = {};
  scenario.explore.strategy = StrategyKind::portfolio;
  scenario.explore.runs_max = 100;
  expect_nothing_said(explore(scenario, curious, Budget()));
  // The rehearsal is not what ends them all: there a client releases, too.
  EXPECT_EQ(measure_costs({&curious}, 2, 1, 1).front().acquired, 0u);
}

// Two clients once: the plain DEL breaks owner-only-release under a pause, and nothing strange is sent.
// Within larger bounds it is: then the violation is taken back, too, for the row is one.
TEST(BeyondModel, WithinLargerBoundsTakesBackWhatSmallerOnesBroke) {
  const std::vector<Scope> scopes{{.attempts = 1}, {.attempts = 2}};
  const auto cell = [&](std::size_t plain_steps) {
    return DeepCell{&curious, [plain_steps](const Scope& scope) {
                      Scenario scenario = scenario_of(planted::coarse(), curious, Fault::pause);
                      scenario.params = {{"curious", scope.attempts > plain_steps ? "1" : "0"}};
                      return std::optional(scenario);
                    }};
  };
  std::vector<DeepCell> cells{cell(2), cell(1)};
  deepen(
      cells, {scopes, all_states, 20}, 1, Budget(), [](const Scope&, std::size_t) {},
      [](std::size_t, const auto&) {});
  EXPECT_EQ(planted::result_of(cells[0].found, Property::owner_only_release).verdict, Verdict::violated);
  expect_nothing_said(cells[1].found);
}

}  // namespace
}  // namespace holdfast
