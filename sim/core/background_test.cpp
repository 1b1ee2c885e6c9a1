// Tasks beside their caller: the client that listens to them never keeps the name of a frame that is gone.
#include "sim/core/background.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "sim/core/lock.hpp"

namespace holdfast {
namespace {

class Nothing final : public Store, public Clock, public Random {
 public:
  WallTime wall() override { return WallTime(); }
  SteadyTime steady() override { return SteadyTime(); }
  std::string token() override { return {}; }
  std::string identity() override { return {}; }
  Duration jitter(Duration) override { return {}; }

 private:
  void submit(Call&) override {}
  void forget(Call&) noexcept override {}
  void arm(Sleep&) override {}
  void disarm(Sleep&) noexcept override {}
};

// Knows which tasks run beside their caller.
class Listening final : public Listener {
 public:
  void keep_only(const Args&, Where) override {}
  void know_clients() override {}
  void renewed(const std::string&, Duration) override {}
  void lost(const std::string&) override {}
  std::uint32_t begin_beside(const Args&, Where, std::coroutine_handle<> frame) override {
    running[++begun] = frame;
    return begun;
  }
  void end_beside(std::uint32_t number) noexcept override { running.erase(number); }

  std::uint32_t begun = 0;
  std::map<std::uint32_t, std::coroutine_handle<>> running;
};

struct Renewal {
  Task<> renew(Env& env) const { co_await env.clock.sleep(1s); }
};

class Backgrounds : public testing::Test {
 protected:
  Backgrounds()
      : store_(&nothing_),
        env(ClientId(1), std::span<Store* const>(&store_, 1), nothing_, nothing_, &listening) {}

 private:
  Nothing nothing_;
  Store* store_;

 protected:
  Listening listening;
  Env env;
  Renewal renewal;
};

TEST_F(Backgrounds, AreKnownWhileTheyRun) {
  Background task(env, renewal, &Renewal::renew);
  EXPECT_TRUE(task.is_running());
  EXPECT_EQ(listening.running.count(task.number()), 1u);
}
TEST_F(Backgrounds, AreForgottenWhenTheyAreStopped) {
  Background task(env, renewal, &Renewal::renew);
  task.stop();
  EXPECT_FALSE(task.is_running());
  EXPECT_TRUE(listening.running.empty());
}
TEST_F(Backgrounds, AreForgottenWhenAnotherTakesTheirPlace) {
  Background task(env, renewal, &Renewal::renew);
  task = Background(env, renewal, &Renewal::renew);
  EXPECT_EQ(listening.running.size(), 1u);
  EXPECT_EQ(listening.running.count(task.number()), 1u);
  task = Background();
  EXPECT_TRUE(listening.running.empty());
}
TEST_F(Backgrounds, AreKnownWhereverTheyAreMovedTo) {
  Background first(env, renewal, &Renewal::renew);
  const Background second = std::move(first);
  first.stop();
  EXPECT_TRUE(second.is_running());
  EXPECT_EQ(listening.running.count(second.number()), 1u);
}

}  // namespace
}  // namespace holdfast
