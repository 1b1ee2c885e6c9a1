// A client that never means to have the lock: what it does is judged, and no progress is asked of it.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "sim/core/redis_client.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/planted_test.hpp"
#include "sim/scenario/parse.hpp"

namespace holdfast {
namespace {

// SET NX PX with a token; or a reaper, which deletes the key of a client that is not listed as running, and
// never locks. A worker is listed after it has locked.
class Reaped final : public Lock {
 public:
  explicit Reaped(const Params& params)
      : reaps_(params.choice("role") == "reaper"), is_careful_(params.choice("lists") == "first") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    if (reaps_) {
      const Reply owner = co_await Redis(env.store()).get(key);
      if (!owner.is_lost() && !owner.is_nil()) {
        const Reply runs = co_await env.store().send(Command("SISMEMBER", "running", owner.text()));
        if (runs.is(0)) co_await Redis(env.store()).del(key);
      }
      co_return Attempt::refused("only a reaper");
    }
    const std::string token = env.random.token();
    if (is_careful_) co_await env.store().send(Command("SADD", "running", token));
    const Reply set = co_await Redis(env.store()).set(key, token, SetOptions().px(8s).nx());
    if (set.is_lost()) co_return Attempt::failed("no answer");
    if (set.is_nil()) co_return Attempt::refused("taken");
    if (!is_careful_) co_await env.store().send(Command("SADD", "running", token));
    Grant grant(token);
    grant.lease = 8s;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply reply = co_await Redis(env.store())
                            .eval(
                                "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', "
                                "KEYS[1]) end return 0",
                                Keys(key), Args(grant.token));
    co_return reply.is(1) ? Release::released : reply.is(0) ? Release::not_held : Release::unknown;
  }

 private:
  bool reaps_;
  bool is_careful_;
};

Card reaped() {
  using Kind = Parameter::Kind;
  Card card;
  card.id = "reaped";
  card.parameters = {{"role", Kind::choice, "worker", "", {"worker", "reaper"}},
                     {"lists", Kind::choice, "late", "", {"late", "first"}}};
  card.make = [](const Params& params) -> std::unique_ptr<Lock> { return std::make_unique<Reaped>(params); };
  // Not known to keep nothing, so one of them comes back in the calm phase.
  card.is_stateless = false;
  card.keys = {"NAME"};
  return card;
}

// Two workers, and a reaper as the third client.
Exploration explored(Role role, const std::string& lists, PropertySet check) {
  const Card card = reaped();
  Comparison comparison = planted::one_attempt();
  comparison.clients = 3;
  Scenario scenario = planted::on_time(scenario_of(comparison, card, Fault::none));
  scenario.params = {{"lists", lists}};
  scenario.check = check;
  ClientPlan& reaper = scenario.clients.back();
  reaper.role = role;
  reaper.params = {{"role", "reaper"}, {"lists", lists}};
  reaper.program.resize(1);
  return explore(scenario, card, Budget());
}

Verdict progress_of(Role role) {
  return explored(role, "first", {Property::progress}).properties.front().verdict;
}

TEST(Roles, NoProgressIsAskedOfAHelper) {
  EXPECT_EQ(progress_of(Role::user), Verdict::violated);
  EXPECT_EQ(progress_of(Role::helper), Verdict::holds);
}

TEST(Roles, WhatAHelperDoesToOthersIsJudged) {
  const PropertySet both{Property::mutual_exclusion, Property::owner_only_release};
  EXPECT_EQ(planted::violated(explored(Role::helper, "late", both)), both);
  EXPECT_EQ(planted::violated(explored(Role::helper, "first", both)), PropertySet{});
}

TEST(Roles, AreReadFromFilesAndAUserIsTheDefault) {
  const Parsed parsed = parse_scenario(R"({"version": 1, "algorithm": {"name": "token"},
    "clients": [{"id": "A"}, {"id": "B", "role": "helper"}, {"id": "C", "role": "user"}]})",
                                       "roles", Known(algorithms::all()));
  ASSERT_TRUE(parsed.scenario);
  EXPECT_EQ(parsed.scenario->clients[0].role, Role::user);
  EXPECT_EQ(parsed.scenario->clients[1].role, Role::helper);
  EXPECT_EQ(parsed.scenario->clients[2].role, Role::user);
}

}  // namespace
}  // namespace holdfast
