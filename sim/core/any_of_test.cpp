// Several tasks at once: who lets the waiter go on, and what becomes of the others.
#include "sim/core/any_of.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/core/clock.hpp"

namespace holdfast {
namespace {

// Wakes the sleeper that the test names, by the length of its sleep.
class Alarms final : public Clock {
 public:
  WallTime wall() override { return WallTime(); }
  SteadyTime steady() override { return SteadyTime(); }
  void wake(Duration length) {
    for (std::size_t i = 0; i < asleep_.size(); ++i) {
      if (asleep_[i]->duration() != length) continue;
      Sleep* const sleep = asleep_[i];
      asleep_.erase(asleep_.begin() + static_cast<std::ptrdiff_t>(i));
      return run(sleep->wake());
    }
    FAIL() << "nobody sleeps so long";
  }
  std::size_t asleep() const { return asleep_.size(); }

 private:
  void arm(Sleep& sleep) override { asleep_.push_back(&sleep); }
  void disarm(Sleep& sleep) noexcept override { std::erase(asleep_, &sleep); }
  std::vector<Sleep*> asleep_;
};

using Names = AnyOf<std::string>;

Task<std::string> named(Clock* clock, Duration length, std::string name) {
  co_await clock->sleep(length);
  co_return name;
}
Task<> collect(Names* any, std::vector<std::string>* ended) {
  while (!any->is_empty()) {
    const Names::Ended one = co_await any->next();
    ended->push_back(std::to_string(one.id) + one.result);
  }
}

class AnyOfTasks : public testing::Test {
 protected:
  AnyOfTasks() {
    any.begin(1, named(&clock, 10ms, "a"));
    any.begin(2, named(&clock, 20ms, "b"));
    any.begin(3, named(&clock, 30ms, "c"));
  }
  Alarms clock;
  Names any;
  std::vector<std::string> ended;
};

TEST_F(AnyOfTasks, LetTheirWaiterGoOnOneByOne) {
  Task<> waiter = collect(&any, &ended);
  waiter.start();
  for (const Duration length : {20ms, 30ms, 10ms}) clock.wake(length);
  EXPECT_EQ(ended, (std::vector<std::string>{"2b", "3c", "1a"}));
  EXPECT_TRUE(waiter.is_done());
}
TEST_F(AnyOfTasks, RunOnWhileNobodyWaits) {
  clock.wake(30ms);
  clock.wake(10ms);
  Task<> waiter = collect(&any, &ended);
  waiter.start();
  EXPECT_EQ(ended, (std::vector<std::string>{"1a", "3c"})) << "in the order in which they began";
  clock.wake(20ms);
  EXPECT_EQ(ended.back(), "2b");
}
TEST_F(AnyOfTasks, OutliveAWaiterThatIsGone) {
  Task<> waiter = collect(&any, &ended);
  waiter.start();
  waiter = Task<>();
  clock.wake(10ms);
  EXPECT_TRUE(ended.empty());
  Task<> second = collect(&any, &ended);
  second.start();
  EXPECT_EQ(ended, std::vector<std::string>{"1a"});
}
TEST_F(AnyOfTasks, EndWhenTheyAreDropped) {
  any.drop(2);
  EXPECT_EQ(clock.asleep(), 2u);
  Task<> waiter = collect(&any, &ended);
  waiter.start();
  any.drop(3);
  clock.wake(10ms);
  EXPECT_EQ(ended, std::vector<std::string>{"1a"});
  EXPECT_TRUE(waiter.is_done());
}
TEST_F(AnyOfTasks, MayBeginWhileAnotherWaits) {
  Task<> waiter = collect(&any, &ended);
  waiter.start();
  any.begin(4, named(&clock, 40ms, "d"));
  clock.wake(40ms);
  EXPECT_EQ(ended, std::vector<std::string>{"4d"});
}

}  // namespace
}  // namespace holdfast
