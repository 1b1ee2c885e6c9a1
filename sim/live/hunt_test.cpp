// Hunted runs: what clients, their server and the fault do is told as it was, and stays within the bounds.
#include "sim/live/hunt.hpp"

#include <gmock/gmock-matchers.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <functional>

#include "sim/check/checker.hpp"
#include "sim/live/no_server_test.hpp"
#include "sim/live/redis_process.hpp"
#include "sim/live/usable_server.hpp"

namespace holdfast::live {
namespace {

// What a tick takes, tried in this order: a slow machine cannot keep to short ones.
constexpr std::array ticks = {100ms, 200ms, 400ms, 800ms};
constexpr PropertySet judged_of_hunts = {Property::mutual_exclusion, Property::owner_only_release,
                                         Property::truthful_release, Property::recovery};

template <class Kind>
std::size_t count_of(const HuntedRun& run) {
  return static_cast<std::size_t>(std::count_if(run.events.begin(), run.events.end(), [](const Event& event) {
    return std::holds_alternative<Kind>(event.what);
  }));
}

class Hunts : public testing::Test {
 protected:
  void SetUp() override {
    if (!RedisProcess::start()) GTEST_SKIP() << no_server;
  }
  static Quarry quarry_of(const char* lock, Fault fault, Duration tick) {
    const Card& card = *algorithms::find(lock);
    Params params(card.parameters);
    if (params.has("ttl")) params.set("ttl", holdfast::to_text(4 * tick));
    return {.fault = fault,
            .tick = tick,
            .work = tick,
            .retry = tick,
            .retry_late = 5 * tick,
            .timeout = 3 * tick,
            .fault_length = 8 * tick,
            .restart = tick,
            .recovery = 5 * tick,
            .recovery_attempts = 3,
            .make = [&card, params] { return card.make(params); }};
  }
  using Runs = std::vector<HuntedRun>;
  // Those within the bounds, until they are enough, if the machine is not too slow for too long.
  Runs hunt(const std::function<Quarry(Duration tick)>& quarry_at,
            const std::function<bool(const Runs&)>& is_enough) {
    Hunter hunter(StoreKind::redis, 16, 1);
    Runs runs;
    for (const Duration tick : ticks) {
      tick_ = tick;
      const Quarry quarry = quarry_at(tick);
      const SteadyTime end = steady_now() + 300 * tick;
      bool is_done = false;
      runs.clear();
      hunter.hunt([&] { return is_done ? nullptr : &quarry; },
                  [&](const Quarry&, HuntedRun run) {
                    EXPECT_EQ(run.trouble, "");
                    if (!run.is_within) return;
                    runs.push_back(std::move(run));
                    is_done = is_enough(runs);
                  },
                  [&] { return is_done || steady_now() > end; });
      if (is_done) return runs;
    }
    ADD_FAILURE() << "this machine is too slow";
    return runs;
  }
  static std::function<bool(const Runs&)> so_many(std::size_t count) {
    return [count](const Runs& runs) { return runs.size() >= count; };
  }
  Runs hunt(const char* lock, Fault fault, const std::function<bool(const Runs&)>& is_enough) {
    return hunt([&](Duration tick) { return quarry_of(lock, fault, tick); }, is_enough);
  }
  Runs hunt(const char* lock, Fault fault, std::size_t count) { return hunt(lock, fault, so_many(count)); }
  static PropertySet violated(const Runs& runs) {
    PropertySet all;
    for (const HuntedRun& run : runs) {
      Judge judge(judged_of_hunts);
      for (const Event& event : run.events) judge.on(event);
      all.insert(judge.violated());
    }
    return all;
  }

  Duration tick_{};  // of the last hunt
};

// Of a run without a fault: as many keys as grants, each removed by the client that created it.
void expect_own_keys(const std::vector<HuntedRun>& runs) {
  for (const HuntedRun& run : runs) {
    std::size_t created = 0;
    for (const Event& event : run.events) {
      const auto* const change = std::get_if<KeyChanged>(&event.what);
      if (change == nullptr) continue;
      created += change->kind == KeyChanged::Kind::created ? 1 : 0;
      if (change->kind == KeyChanged::Kind::removed) {
        EXPECT_EQ(change->by, change->before);
      }
    }
    EXPECT_EQ(created, count_of<Granted>(run));
  }
}

TEST_F(Hunts, WithoutAFaultEveryKeyIsCreatedAndRemovedByItsOwner) {
  const Runs runs = hunt("token", Fault::none, 12);
  EXPECT_EQ(violated(runs), PropertySet());
  expect_own_keys(runs);
  for (const HuntedRun& run : runs) {
    EXPECT_TRUE(run.has_struck);
    EXPECT_EQ(count_of<Calm>(run), 1u);
    EXPECT_EQ(count_of<Ended>(run), 1u);
    EXPECT_EQ(count_of<Started>(run), 3u);  // A, B and the new client
  }
}

// Its grants lie beside its name.
class Beside final : public Lock {
 public:
  explicit Beside(std::unique_ptr<Lock> lock) : lock_(std::move(lock)) {}
  Task<Attempt> acquire(Env& env, std::string name, Mode mode) override {
    return lock_->acquire(env, "lock:" + name, mode);
  }
  Task<Release> release(Env& env, std::string name, Grant grant) override {
    return lock_->release(env, "lock:" + name, std::move(grant));
  }

 private:
  std::unique_ptr<Lock> lock_;
};

TEST_F(Hunts, SeeKeysThatAreNotNamedLikeTheLock) {
  const auto quarry_at = [](Duration tick) {
    Quarry quarry = quarry_of("token", Fault::none, tick);
    quarry.make = [make = quarry.make]() -> std::unique_ptr<Lock> {
      return std::make_unique<Beside>(make());
    };
    quarry.keys_of = [](const std::string& name) { return std::vector{"lock:" + name}; };
    return quarry;
  };
  const Runs runs = hunt(quarry_at, so_many(12));
  EXPECT_EQ(violated(runs), PropertySet());
  expect_own_keys(runs);
}

TEST_F(Hunts, AClientThatIsKilledComesBackAndALockWithoutALeaseStaysTaken) {
  const Runs runs = hunt("setnx", Fault::crash, 24);
  std::size_t struck = 0;
  for (const HuntedRun& run : runs) {
    EXPECT_EQ(count_of<Crashed>(run), run.has_struck ? 1u : 0u);
    // A process may be killed before its client has begun.
    const bool came_back = count_of<Started>(run) == 4;
    EXPECT_TRUE(count_of<Started>(run) == 3 || (came_back && run.has_struck));
    struck += came_back ? 1 : 0;
  }
  EXPECT_GT(struck, 0u);
  EXPECT_EQ(violated(runs), PropertySet{Property::recovery});
  // No child is left.
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST_F(Hunts, AClientThatIsStoppedOverlapsAndNoPauseIsLongerThanItMayBe) {
  const auto overlap = [](const Runs& runs) { return violated(runs).contains(Property::mutual_exclusion); };
  const Runs runs = hunt("set-nx-px", Fault::pause, overlap);
  EXPECT_FALSE(violated(runs).contains(Property::recovery));
  for (const HuntedRun& run : runs)
    for (const Event& event : run.events) {
      const auto* const resumed = std::get_if<Resumed>(&event.what);
      EXPECT_TRUE(resumed == nullptr || resumed->length <= 8 * tick_);
    }
}

TEST_F(Hunts, ServersAreKilledAndKeysDroppedAndClientsGoOn) {
  for (const Fault fault : {Fault::restart, Fault::eviction}) {
    const Runs runs = hunt("token", fault, 16);
    std::size_t lost = 0;
    for (const HuntedRun& run : runs)
      for (const Event& event : run.events)
        if (const auto* const change = std::get_if<KeyChanged>(&event.what))
          lost += change->kind == KeyChanged::Kind::lost ? 1 : 0;
    EXPECT_GT(lost, 0u) << id_of(fault);
    EXPECT_FALSE(violated(runs).contains(Property::recovery)) << id_of(fault);
    EXPECT_FALSE(violated(runs).contains(Property::owner_only_release)) << id_of(fault);
  }
}

TEST_F(Hunts, MessagesAreLostLateAndDoubledAndOnlyOneOfARun) {
  for (const Fault fault : {Fault::late_request, Fault::lost_request, Fault::late_reply, Fault::lost_reply,
                            Fault::duplicate, Fault::partition}) {
    const Runs runs = hunt("token", fault, 12);
    const auto struck =
        std::count_if(runs.begin(), runs.end(), [](const HuntedRun& run) { return run.has_struck; });
    EXPECT_GT(struck, 0) << id_of(fault);
    EXPECT_FALSE(violated(runs).contains(Property::owner_only_release)) << id_of(fault);
    EXPECT_FALSE(violated(runs).contains(Property::recovery)) << id_of(fault);
  }
}

}  // namespace
}  // namespace holdfast::live
