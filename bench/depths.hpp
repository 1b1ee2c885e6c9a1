// Locks with one mistake each, ordered by the depth of the mistake. For comparing strategies. The depth of a
// bug is the smallest for which PCT meets it: one more than the marks that a run needs (PctChoices).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/redis_client.hpp"
#include "sim/scenario/scenario.hpp"

namespace holdfast::depths {

enum class Mistake : std::uint8_t {
  deletes_blindly,      // releases without comparing
  checks_then_deletes,  // compares and deletes in two commands
  reuses_its_token,     // every acquisition of a client writes the same token
  adopts_blindly,       // when the answer to SET is lost: looks, and then lengthens the lease without looking
};

// Token, lease, release by a script that compares: correct but for the mistake.
template <Mistake mistake>
class Mistaken final : public Lock {
 public:
  explicit Mistaken(const Params& params) : ttl_(params.duration("ttl")) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = mistake == Mistake::reuses_its_token ? name_of(env.self()) : env.random.token();
    const Reply reply = co_await Redis(env.store()).set(key, token, SetOptions().px(ttl_).nx());
    if (reply.is_nil()) co_return Attempt::refused("held");
    if (!reply.is_lost()) co_return granted(token);
    if constexpr (mistake == Mistake::adopts_blindly) {
      const Reply found = co_await Redis(env.store()).get(key);
      if (found.is_lost() || found.is_nil() || found.text() != token) co_return Attempt::failed("lost");
      const Reply renewed = co_await Redis(env.store()).pexpire(key, ttl_);
      if (renewed.is(1)) co_return granted(token);
    }
    co_return Attempt::failed("no answer");
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    if (mistake == Mistake::checks_then_deletes) {
      const Reply found = co_await Redis(env.store()).get(key);
      if (found.is_lost()) co_return Release::unknown;
      if (found.is_nil() || found.text() != grant.token) co_return Release::not_held;
    }
    if (mistake == Mistake::deletes_blindly || mistake == Mistake::checks_then_deletes) {
      const Reply deleted = co_await Redis(env.store()).del(key);
      co_return deleted.is(1) ? Release::released : deleted.is(0) ? Release::not_held : Release::unknown;
    }
    const Reply deleted = co_await Redis(env.store())
                              .eval(
                                  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', "
                                  "KEYS[1]) end return 0",
                                  Keys(key), Args(grant.token));
    co_return deleted.is(1) ? Release::released : deleted.is(0) ? Release::not_held : Release::unknown;
  }

 private:
  Attempt granted(std::string token) const {
    Grant grant(std::move(token));
    grant.lease = ttl_;
    return Attempt(grant);
  }
  Duration ttl_;
};

template <Mistake mistake>
Card card_of(std::string_view id) {
  return Card{.id = id,
              .summary = "",
              .source = "",
              .lesson = "",
              .claims = {},
              .parameters = {{"ttl", Parameter::Kind::duration, "4s", ""}},
              .make = [](const Params& params) -> std::unique_ptr<Lock> {
                return std::make_unique<Mistaken<mistake>>(params);
              },
              .is_stateless = true};
}

struct Planted {
  std::uint32_t depth;
  Card card;
  Property property;
  std::vector<FaultRule> faults;
  Duration ttl = 4s;
  std::uint32_t clients = 2;
  std::uint32_t rounds = 1;
};

inline std::vector<Planted> all() {
  using enum Mistake;
  using enum Property;
  const FaultRule pause{.kind = Fault::pause};
  const FaultRule slow{.kind = Fault::slow_section};
  const FaultRule late{.kind = Fault::late_request};
  return {
      // Its work takes longer than the lease, and another one takes the lock before it deletes.
      {2, card_of<deletes_blindly>("blind-delete"), owner_only_release, {slow}},
      // Between looking and deleting the lease ends, and another one takes the lock. Slow messages suffice.
      {2, card_of<checks_then_deletes>("check-then-delete"), owner_only_release, {}},
      // It stops in its section, and its delete meets another one's lock.
      {3, card_of<deletes_blindly>("paused-blind-delete"), owner_only_release, {pause}},
      // As check-then-delete, with a lease that is just long enough for all messages: it must stop in
      // between.
      {4, card_of<checks_then_deletes>("paused-check-then-delete"), owner_only_release, {pause}, 5s},
      // The client is stopped until it takes the answer to SET for lost; it finds its own token in the last
      // second of its lease, and then lengthens the lease of another.
      {5, card_of<adopts_blindly>("blind-adoption"), owner_only_change, {pause}, 6s},
      // Its release is late; it gives up, takes the lock again with the same token, and the release lands
      // then, so that another one takes the lock before it is done.
      {5, card_of<reuses_its_token>("reused-token"), mutual_exclusion, {late}, 4s, 3, 2},
  };
}

inline Scenario scenario_of(const Planted& bug) {
  Scenario scenario;
  scenario.name = bug.card.id;
  scenario.algorithm = bug.card.id;
  scenario.params.emplace_back("ttl", to_text(bug.ttl));
  scenario.faults = bug.faults;
  scenario.check = PropertySet{bug.property};
  std::vector<ProgramStep> program = default_program();
  program.front().attempts = 4;
  for (std::uint32_t i = 0; i < bug.clients; ++i)
    scenario.clients.push_back({.id = name_of(ClientId{i}), .rounds = bug.rounds, .program = program});
  return scenario;
}

}  // namespace holdfast::depths
