// Hunted runs: what clients, their server and the fault do is told as it was, and stays within the bounds.
#include "sim/live/hunt.hpp"

#include <gmock/gmock-matchers.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>

#include "sim/check/checker.hpp"
#include "sim/live/no_server_test.hpp"
#include "sim/live/redis_process.hpp"
#include "sim/live/usable_server.hpp"

namespace holdfast::live {
namespace {

constexpr Duration hunted_tick = 100ms;
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
  static Quarry quarry_of(const char* lock, Fault fault) {
    const Card& card = *algorithms::find(lock);
    Params params(card.parameters);
    if (params.has("ttl")) params.set("ttl", "400ms");
    return {.fault = fault,
            .tick = hunted_tick,
            .work = hunted_tick,
            .retry = hunted_tick,
            .retry_late = 5 * hunted_tick,
            .timeout = 3 * hunted_tick,
            .fault_length = 8 * hunted_tick,
            .restart = hunted_tick,
            .recovery = 5 * hunted_tick,
            .recovery_attempts = 3,
            .make = [&card, params] { return card.make(params); }};
  }
  // So many that stay within the bounds, if the machine is not too slow for too long.
  static std::vector<HuntedRun> hunt(const Quarry& quarry, std::size_t count) {
    Hunter hunter(16, 1);
    std::vector<HuntedRun> runs;
    const SteadyTime end = steady_now() + 60s;
    hunter.hunt([&] { return runs.size() < count ? &quarry : nullptr; },
                [&](const Quarry&, HuntedRun run) {
                  EXPECT_EQ(run.trouble, "");
                  if (run.is_within) runs.push_back(std::move(run));
                },
                [&] { return runs.size() >= count || steady_now() > end; });
    EXPECT_GE(runs.size(), count) << "this machine is too slow";
    return runs;
  }
  static PropertySet violated(const std::vector<HuntedRun>& runs) {
    PropertySet all;
    for (const HuntedRun& run : runs) {
      Judge judge(judged_of_hunts);
      for (const Event& event : run.events) judge.on(event);
      all.insert(judge.violated());
    }
    return all;
  }
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
  const std::vector<HuntedRun> runs = hunt(quarry_of("token", Fault::none), 12);
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
  Quarry quarry = quarry_of("token", Fault::none);
  quarry.make = [make = quarry.make]() -> std::unique_ptr<Lock> { return std::make_unique<Beside>(make()); };
  quarry.keys_of = [](const std::string& name) { return std::vector{"lock:" + name}; };
  const std::vector<HuntedRun> runs = hunt(quarry, 12);
  EXPECT_EQ(violated(runs), PropertySet());
  expect_own_keys(runs);
}

TEST_F(Hunts, AClientThatIsKilledComesBackAndALockWithoutALeaseStaysTaken) {
  const std::vector<HuntedRun> runs = hunt(quarry_of("setnx", Fault::crash), 24);
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
  const std::vector<HuntedRun> runs = hunt(quarry_of("set-nx-px", Fault::pause), 80);
  EXPECT_TRUE(violated(runs).contains(Property::mutual_exclusion));
  EXPECT_FALSE(violated(runs).contains(Property::recovery));
  for (const HuntedRun& run : runs)
    for (const Event& event : run.events) {
      const auto* const resumed = std::get_if<Resumed>(&event.what);
      EXPECT_TRUE(resumed == nullptr || resumed->length <= 8 * hunted_tick);
    }
}

TEST_F(Hunts, ServersAreKilledAndKeysDroppedAndClientsGoOn) {
  for (const Fault fault : {Fault::restart, Fault::eviction}) {
    const std::vector<HuntedRun> runs = hunt(quarry_of("token", fault), 16);
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
    const std::vector<HuntedRun> runs = hunt(quarry_of("token", fault), 12);
    const auto struck =
        std::count_if(runs.begin(), runs.end(), [](const HuntedRun& run) { return run.has_struck; });
    EXPECT_GT(struck, 0) << id_of(fault);
    EXPECT_FALSE(violated(runs).contains(Property::owner_only_release)) << id_of(fault);
    EXPECT_FALSE(violated(runs).contains(Property::recovery)) << id_of(fault);
  }
}

}  // namespace
}  // namespace holdfast::live
