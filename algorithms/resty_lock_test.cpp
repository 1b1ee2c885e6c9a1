// lua-resty-lock's object on the simulated dictionary: schedule, return values, errors, and what it does to
// others.
#include "algorithms/resty_lock.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "sim/stores/shdict/dict.hpp"

namespace holdfast {
namespace {

using namespace scripted;
using algorithms::RestyLock;
using algorithms::RestyLockOptions;

class OnADictionary : public testing::Test {
 protected:
  // One request handler with one object. Answers are exact, and come at once.
  struct Handler {
    explicit Handler(const RestyLockOptions& options = {}) : object(options) {}
    Wire wire;
    HandClock clock;
    Counter random{"token-"};
    std::vector<Store*> stores{&wire};
    Env env{ClientId{}, stores, clock, random};
    RestyLock object;
  };

  // Lua's err. Time passes in sleeps, and `stall` passes unseen before each answer.
  std::string played(Handler& handler, Task<std::string> task, Duration stall = 0s) {
    task.start();
    while (!task.is_done()) {
      if (handler.clock.sleeping != nullptr) {
        now += handler.clock.sleeping->duration();
        handler.clock.end_sleep();
        continue;
      }
      now += stall;
      Call* const call = std::exchange(handler.wire.pending, nullptr);
      run(call->complete(answer(call->command().argv())));
    }
    return task.take();
  }
  std::string lock(Handler& handler, const std::string& key = "k", Duration stall = 0s) {
    return played(handler, handler.object.lock(handler.env, key), stall);
  }
  std::string unlock(Handler& handler) { return played(handler, handler.object.unlock(handler.env)); }
  std::string expire(Handler& handler, std::optional<Duration> time = std::nullopt) {
    return played(handler, handler.object.expire(handler.env, time));
  }
  void collect(Handler& handler) {
    Task<> task = handler.object.collect(handler.env);
    task.start();
    if (Call* const call = std::exchange(handler.wire.pending, nullptr))
      run(call->complete(answer(call->command().argv())));
    EXPECT_TRUE(task.is_done());
  }
  Reply answer(const Argv& argv) {
    ++commands;
    return dict.execute(argv, now, changes);
  }
  // How an object with these options sleeps while somebody else holds the lock.
  std::vector<Duration> slept(const RestyLockOptions& options) {
    answer({"SET", "k", "true"});
    Handler handler(options);
    EXPECT_EQ(lock(handler), "timeout");
    return handler.clock.slept;
  }
  Duration waited(const RestyLockOptions& options) {
    const std::vector<Duration> sleeps = slept(options);
    return std::accumulate(sleeps.begin(), sleeps.end(), Duration());
  }

  shdict::Dict dict;
  Changes changes;
  WallTime now{1000s};
  int commands = 0;
};

const std::string done;  // no error
const RestyLockOptions one_second{.exptime = 1s, .timeout = 0s};

// --- the schedule ---

TEST_F(OnADictionary, ByDefaultItTriesNineteenTimesInFiveSeconds) {
  std::vector<Duration> expected{1ms, 2ms, 4ms, 8ms, 16ms, 32ms, 64ms, 128ms, 256ms};
  expected.insert(expected.end(), 8, 500ms);
  expected.push_back(489ms);
  EXPECT_EQ(slept({}), expected);
  EXPECT_EQ(commands, 1 + 19);
  EXPECT_EQ(now, WallTime(1005s));
  EXPECT_EQ(slept({.clamps_every_step = true}), expected);
}

TEST_F(OnADictionary, ATimeoutOfZeroTriesOnce) {
  EXPECT_EQ(slept({.timeout = 0s}), std::vector<Duration>{});
  EXPECT_EQ(commands, 1 + 1);
}

TEST_F(OnADictionary, ATimeoutIsKeptWithinExptimeOnlyIfGiven) {
  EXPECT_EQ(waited({.exptime = 1s}), 5s);
  EXPECT_EQ(waited({.exptime = 1s, .timeout = 3s}), 1s);
  EXPECT_EQ(waited({.exptime = 1s, .timeout = 3s, .clamps_every_step = true}), 1s);
  EXPECT_EQ(waited({.timeout = 700ms}), 700ms);
}

TEST_F(OnADictionary, AStepAloneMaySleepBeyondTheTimeout) {
  EXPECT_EQ(slept({.step = 10s}), std::vector<Duration>{10s});
  EXPECT_EQ(slept({.timeout = 2s, .step = 10s}), std::vector<Duration>{2s});
  EXPECT_EQ(slept({.step = 10s, .clamps_every_step = true}), std::vector<Duration>{5s});
  EXPECT_EQ(slept({.timeout = 500us}), std::vector<Duration>{1ms});
  EXPECT_EQ(slept({.timeout = 500us, .clamps_every_step = true}), std::vector<Duration>{500us});
}

TEST_F(OnADictionary, StepsGrowByTheRatioUpToTheLongest) {
  EXPECT_EQ(slept({.timeout = 3s, .step = 100ms, .ratio = 3, .max_step = 1s}),
            (std::vector<Duration>{100ms, 300ms, 900ms, 1s, 700ms}));
  for (const bool clamps : {false, true}) {
    EXPECT_EQ(slept({.timeout = 3ms, .step = 0ms, .ratio = 0, .clamps_every_step = clamps}),
              (std::vector<Duration>{0ms, 1ms, 1ms, 1ms}));
    EXPECT_EQ(slept({.timeout = 800ms, .ratio = 9'223'372'036'854'775'807, .clamps_every_step = clamps}),
              (std::vector<Duration>{1ms, 500ms, 299ms}));
  }
}

TEST_F(OnADictionary, OtherErrorsEndTheWaiting) {
  dict = shdict::Dict(64);
  Handler a;
  EXPECT_EQ(lock(a), "no memory");
  EXPECT_EQ(commands, 1);
  EXPECT_FALSE(a.object.is_holding());
}

TEST_F(OnADictionary, AnExptimeBelowAMillisecondNeverEnds) {
  Handler a({.exptime = 999us});
  EXPECT_EQ(lock(a), done);
  EXPECT_EQ(dict.next_expiry(), std::nullopt);
}

// --- what it returns, and what it does to others ---

TEST_F(OnADictionary, TheKeyMustBeGiven) {
  Handler a;
  EXPECT_EQ(lock(a, ""), "nil key");
  EXPECT_EQ(lock(a, std::string(65'536, 'k')), "key too long");
}

TEST_F(OnADictionary, ElapsedIsZeroWithoutAnybodyInTheWay) {
  Handler a;
  EXPECT_EQ(lock(a), done);
  EXPECT_EQ(a.object.elapsed(), 0s);
  EXPECT_EQ(lock(a, "another"), "locked");
}

TEST_F(OnADictionary, ElapsedIsTheSumOfTheSleepsAndNotTheTime) {
  Handler a(one_second), b({.exptime = 1s, .timeout = 1s}), c({.exptime = 1s, .timeout = 1s});
  lock(a);
  EXPECT_EQ(lock(b), done);
  EXPECT_EQ(b.object.elapsed(), 1s);
  EXPECT_EQ(now, WallTime(1001s));
  // 100 ms go by before every answer, in whatever else the event loop does.
  EXPECT_EQ(lock(c, "k", 100ms), done);
  EXPECT_EQ(c.object.elapsed(), 255ms);
  EXPECT_EQ(now, WallTime(1002s + 155ms));
}

TEST_F(OnADictionary, UnlockDeletesTheLockOfTheNextHolder) {
  Handler a(one_second), b(one_second), c(one_second);
  EXPECT_EQ(lock(a), done);
  EXPECT_EQ(lock(b), "timeout");
  now += 1001ms;
  EXPECT_EQ(lock(b), done);
  EXPECT_EQ(unlock(a), done);
  EXPECT_EQ(lock(c), done);
  EXPECT_EQ(unlock(a), "unlocked");
}

TEST_F(OnADictionary, ExpireRenewsTheLockOfTheNextHolder) {
  Handler a(one_second), b(one_second), c(one_second);
  EXPECT_EQ(expire(a), "unlocked");
  lock(a);
  now += 1001ms;
  EXPECT_EQ(expire(a), "not found");
  lock(b);
  EXPECT_EQ(expire(a, 30s), done);
  now += 29s;
  EXPECT_EQ(lock(c), "timeout");
  // Without an argument: exptime.
  EXPECT_EQ(expire(b), done);
  EXPECT_EQ(answer({"TTL", "k"}), Reply::bulk("1"));
  EXPECT_EQ(expire(b, 0s), done);
  now += 24h;
  EXPECT_EQ(lock(c), "timeout");
}

TEST_F(OnADictionary, TheGarbageCollectorDeletesTheLockOfTheNextHolder) {
  Handler a(one_second), b(one_second), c(one_second);
  lock(a);
  now += 500ms;
  EXPECT_EQ(lock(b), "timeout");
  now += 501ms;
  EXPECT_EQ(lock(b), done);
  collect(a);
  EXPECT_EQ(lock(c), done);
  // An object that was unlocked has nothing left to delete.
  EXPECT_EQ(unlock(c), done);
  EXPECT_EQ(lock(a), done);
  collect(c);
  EXPECT_EQ(lock(b), "locked");
  EXPECT_EQ(dict.value_of("k"), "true");
}

TEST_F(OnADictionary, AFullDictionaryForgetsTheHolder) {
  dict = shdict::Dict(2 * 128);
  Handler a, b, c, d, safe({.timeout = 0s, .adds_safely = true});
  lock(a, "a");
  lock(b, "b");
  EXPECT_EQ(lock(safe, "c"), "no memory");
  EXPECT_EQ(lock(c, "c"), done);
  EXPECT_EQ(lock(d, "a"), done);
}

}  // namespace
}  // namespace holdfast
