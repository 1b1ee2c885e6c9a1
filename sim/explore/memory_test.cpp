// What lock objects keep between calls: states say all of it, and who leaves a value out is found.
#include "sim/core/memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/explore/futures_test.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

constexpr std::uint32_t nothing = ~std::uint32_t{0};

// Passes on all values but one.
class AllButOne final : public Memory {
 public:
  AllButOne(Memory& memory, std::uint32_t left_out) : memory_(memory), left_out_(left_out) {}
  void note(std::int64_t number) override { pass(number); }
  void note(std::string_view text) override { pass(text); }
  void note(const Background& task) override { pass(task); }
  std::uint32_t count() const { return place_; }

 private:
  void pass(const auto& value) {
    if (place_++ != left_out_) memory_.note(value);
  }
  Memory& memory_;
  std::uint32_t left_out_;
  std::uint32_t place_ = 0;
};

class Forgetful final : public Lock {
 public:
  Forgetful(std::unique_ptr<Lock> lock, std::uint32_t left_out, std::uint32_t* most)
      : lock_(std::move(lock)), left_out_(left_out), most_(most) {}
  Task<Attempt> acquire(Env& env, std::string key, Mode mode) override {
    return lock_->acquire(env, std::move(key), mode);
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    return lock_->release(env, std::move(key), std::move(grant));
  }
  bool recall(Memory& memory) const override {
    AllButOne told(memory, left_out_);
    const bool is_told = lock_->recall(told);
    *most_ = std::max(*most_, told.count());
    return is_told;
  }

 private:
  std::unique_ptr<Lock> lock_;
  std::uint32_t left_out_;
  std::uint32_t* most_;
};

Card forgetful(const Card& card, std::uint32_t left_out, std::uint32_t* most) {
  Card changed = card;
  changed.make = [make = card.make, left_out, most](const Params& params) -> std::unique_ptr<Lock> {
    return std::make_unique<Forgetful>(make(params), left_out, most);
  };
  return changed;
}

// Two rounds of two clients that ask until they are granted.
Scenario patient(const Card& card, Fault fault) {
  Comparison comparison = planted::one_attempt();
  comparison.rounds = 2;
  comparison.attempts = 0;
  Scenario scenario = planted::on_time(scenario_of(comparison, card, fault));
  scenario.check = {Property::mutual_exclusion};
  return scenario;
}

// The values that are found when they are left out, by their places. Of the others the rest says the same.
std::vector<std::uint32_t> missed_values(const Scenario& scenario, const Card& card,
                                         std::uint64_t states_max) {
  std::uint32_t values = 0;
  const StatesFound all = compare_futures(scenario, forgetful(card, nothing, &values), states_max);
  EXPECT_EQ(all.with_two_futures, 0u) << card.id;
  std::vector<std::uint32_t> missed;
  for (std::uint32_t place = 0, count = 0; place < values; ++place) {
    const StatesFound less = compare_futures(scenario, forgetful(card, place, &count), states_max);
    if (less.with_two_futures > 0) missed.push_back(place);
  }
  return missed;
}

// It counts refusals in a value of each kind, and waits a moment after the second, the fourth and so on.
struct OfEachKind {
  bool flag = false;
  std::uint32_t number = 0;
  std::string text;
  std::optional<Duration> time;
  std::map<std::string, int> map;
};

class Counting final : public LockThatKeeps<OfEachKind> {
 public:
  explicit Counting(std::int64_t kind) : kind_(kind) {}
  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    const Reply reply = co_await Redis(env.store()).set(key, env.random.token(), SetOptions().px(4s).nx());
    if (reply.is_ok()) co_return Attempt(Grant("mine"));
    const bool waits = is_second();
    if (waits) co_await env.clock.sleep(1s);
    co_return Attempt::refused("held");
  }
  Task<Release> release(Env& env, std::string key, Grant) const override {
    co_await Redis(env.store()).del(key);
    co_return Release::released;
  }

 private:
  bool is_second() const {
    OfEachKind& it = kept();
    switch (kind_) {
      case 0: return std::exchange(it.flag, !it.flag);
      case 1: return it.number++ % 2 == 1;
      case 2: it.text = it.text.empty() ? "once" : ""; return it.text.empty();
      case 3: it.time = it.time == 1s ? 2s : 1s; return it.time == 2s;
      default: return it.map[key_of_map]++ % 2 == 1;
    }
  }
  static constexpr const char* key_of_map = "refusals";
  std::int64_t kind_;
};

Card card_of(std::function<std::unique_ptr<Lock>(const Params&)> make) {
  Card card = planted::card<planted::Bug::none>();
  card.make = std::move(make);
  card.is_stateless = false;
  return card;
}

TEST(Memory, OfEachKindIsFoundWhenItIsLeftOut) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  // Of the flag, the number, the text; behind whether there is one, the time; behind the size of the map and
  // the key, the value.
  const std::vector<std::vector<std::uint32_t>> places = {{0}, {1}, {2}, {4}, {6}};
  for (std::size_t kind = 0; kind < places.size(); ++kind) {
    const Card card = card_of([kind](const Params&) -> std::unique_ptr<Lock> {
      return std::make_unique<Counting>(static_cast<std::int64_t>(kind));
    });
    EXPECT_EQ(missed_values(patient(card, Fault::none), card, 1'000), places[kind]) << kind;
  }
}

TEST(Memory, OfALockIsFoundWhenItIsLeftOut) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  // A client that was refused keeps its place; scripts are loaded once.
  for (const std::string_view id : {"ticket", "token-watchdog"}) {
    const Card& card = *algorithms::find(id);
    Scenario scenario = patient(card, Fault::lost_reply);
    if (id == "token-watchdog") scenario.params.emplace_back("scripts", "loaded-once");
    const std::vector<std::uint32_t> missed = missed_values(scenario, card, 3'000);
    EXPECT_EQ(missed.empty() ? nothing : missed.front(), 0u) << id;
  }
}

// --- locks that lie ---

enum class Lie : std::uint8_t { none, mutable_member, pointee, loop_of_call, loop_of_task };

struct Renewals {
  Background task;
};

template <Lie lie>
class Liar final : public LockThatKeeps<Renewals> {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    const std::string token = env.random.token();
    for (int turns = 1;; ++turns) {
      env.loop_head(Args(token, lie == Lie::loop_of_call ? 0 : turns));
      const Reply reply = co_await Redis(env.store()).set(key, token, SetOptions().px(4s).nx());
      if (reply.is_ok()) break;
      const bool waits = lie == Lie::mutable_member ? ++member_ % 3 == 0 : ++*pointee_ % 3 == 0;
      if (lie != Lie::none && waits) co_await env.clock.sleep(1s);
      if (lie != Lie::loop_of_call || turns == 3) co_return Attempt::refused("held");
      co_await env.clock.sleep(1s);
    }
    kept().task = Background(env, *this, &Liar::renew, key);
    Grant grant(token);
    grant.lease = 4s;
    co_return Attempt(grant);
  }
  Task<Release> release(Env& env, std::string key, Grant) const override {
    kept().task = Background();
    co_await Redis(env.store()).del(key);
    co_return Release::released;
  }

 private:
  Task<> renew(Env& env, std::string key) const {
    for (int turns = 1;; ++turns) {
      env.loop_head(Args(lie == Lie::loop_of_task ? 0 : turns));
      co_await env.clock.sleep(1s);
      if (turns == 2) co_await Redis(env.store()).pexpire(key, 4s);
    }
  }
  mutable int member_ = 0;
  const std::unique_ptr<int> pointee_ = std::make_unique<int>(0);
};

// Says that it tells, and tells nothing.
class SaysNothing final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const Reply reply = co_await Redis(env.store()).set(key, "x", SetOptions().px(4s).nx());
    if (reply.is_ok()) co_return Attempt(Grant("x"));
    if (++refusals_ % 3 == 0) co_await env.clock.sleep(1s);
    co_return Attempt::refused("held");
  }
  Task<Release> release(Env& env, std::string key, Grant) override {
    co_await Redis(env.store()).del(key);
    co_return Release::released;
  }
  bool recall(Memory&) const override { return true; }

 private:
  int refusals_ = 0;
};

template <class Kind>
Card card_of() {
  return card_of([](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<Kind>(); });
}

// Work that lasts longer than three turns of a renewal, and clients enough for a space that is audited.
Scenario long_work(const Card& card) {
  Scenario scenario = patient(card, Fault::none);
  for (ClientPlan& client : scenario.clients)
    for (ProgramStep& step : client.program)
      if (step.op == ProgramStep::Op::work) step.length = 3s;
  scenario.clients.push_back(scenario.clients.back());
  scenario.clients.back().id = "C";
  return scenario;
}

TEST(Memory, ThatIsALieEndsTheExploration) {
  if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  const auto is_found = [](const Card& card) {
    try {
      explore(long_work(card), card, Budget{});
      return false;
    } catch (const Nondeterminism&) {
      return true;
    }
  };
  EXPECT_FALSE(is_found(card_of<Liar<Lie::none>>()));
  EXPECT_TRUE(is_found(card_of<Liar<Lie::mutable_member>>()));
  EXPECT_TRUE(is_found(card_of<Liar<Lie::pointee>>()));
  EXPECT_TRUE(is_found(card_of<Liar<Lie::loop_of_call>>()));
  EXPECT_TRUE(is_found(card_of<Liar<Lie::loop_of_task>>()));
  EXPECT_TRUE(is_found(card_of<SaysNothing>()));
}

}  // namespace
}  // namespace holdfast
