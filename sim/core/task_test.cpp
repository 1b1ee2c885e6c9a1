// Tasks, calls and sleeps: who runs when, what is destroyed when, and that the stack stays flat.
#include "sim/core/task.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/core/clock.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast {
namespace {

// An object that is counted, so that a double destruction shows as well as a leak.
int made = 0;
int destroyed = 0;
class Counted {
 public:
  explicit Counted(std::string its_text = std::string(40, 'x')) : text(std::move(its_text)) { ++made; }
  Counted(const Counted& other) : text(other.text) { ++made; }
  Counted(Counted&& other) noexcept : text(std::move(other.text)) { ++made; }
  Counted& operator=(const Counted&) = default;
  Counted& operator=(Counted&&) = default;
  ~Counted() { ++destroyed; }
  std::string text;
};
static_assert(SafeInAwait<Counted>);

// A store and a clock that answer when the test says so, in the order of asking.
class Patient final : public Store, public Clock {
 public:
  WallTime wall() override { return WallTime(); }
  SteadyTime steady() override { return SteadyTime(); }
  bool is_waiting() const { return call_ != nullptr || sleeper_ != nullptr; }
  // Lets the waiting client go on.
  void answer(Reply reply = Reply::ok()) {
    if (Call* const call = std::exchange(call_, nullptr)) run(call->complete(std::move(reply)));
    else run(std::exchange(sleeper_, nullptr)->wake());
  }
  std::vector<std::vector<std::string>> asked;
  int forgotten = 0;
  Duration at_most{};

 private:
  void submit(Call& call) override {
    asked.push_back(call.command().argv());
    at_most = call.at_most();
    call_ = &call;
  }
  void forget(Call&) noexcept override {
    call_ = nullptr;
    ++forgotten;
  }
  void arm(Sleep& sleep) override { sleeper_ = &sleep; }
  void disarm(Sleep&) noexcept override {
    sleeper_ = nullptr;
    ++forgotten;
  }
  Call* call_ = nullptr;
  Sleep* sleeper_ = nullptr;
};

Task<int> answer_of(int number) { co_return number; }
Task<int> failing() {
  throw std::runtime_error("no luck");
  co_return 0;
}
Task<> note(std::vector<std::string>* notes, std::string text) {
  notes->push_back(text);
  co_return;
}

bool are_two(std::span<const Reply> replies) {
  return std::count_if(replies.begin(), replies.end(), [](const Reply& each) { return each.is_ok(); }) >= 2;
}
Task<std::vector<Reply>> ask_until_two(std::span<Store* const> stores, std::string word) {
  const std::vector<Reply> replies =
      co_await Broadcast(stores, Command("SET", word, Counted().text), Where()).within(2s).until(are_two);
  co_return replies;
}
Task<Reply> ask_within(Store* store, std::string word) {
  const Reply reply = co_await Redis(*store).set(word, Counted().text).within(2s);
  co_return reply;
}

TEST(Broadcast, GoesOnAsSoonAsTheRepliesAreEnoughAndForgetsTheOthers) {
  std::array<Patient, 3> nodes;
  const std::array<Store*, 3> stores{&nodes[0], &nodes[1], &nodes[2]};
  Task<std::vector<Reply>> asking = ask_until_two(stores, std::string(40, 'k'));
  asking.start();
  for (const Patient& node : nodes) EXPECT_EQ(node.at_most, 2s);
  nodes[2].answer();
  EXPECT_FALSE(asking.is_done());
  nodes[0].answer();
  ASSERT_TRUE(asking.is_done());
  EXPECT_EQ(asking.take(), (std::vector{Reply::ok(), Reply::lost(), Reply::ok()}));
  EXPECT_EQ(nodes[0].forgotten + nodes[2].forgotten, 0);
  EXPECT_EQ(nodes[1].forgotten, 1);
}

TEST(Broadcast, WaitsForAllWhereTheRepliesAreNeverEnough) {
  std::array<Patient, 3> nodes;
  const std::array<Store*, 3> stores{&nodes[0], &nodes[1], &nodes[2]};
  Task<std::vector<Reply>> asking = ask_until_two(stores, "k");
  asking.start();
  nodes[1].answer(Reply::lost());
  nodes[0].answer(Reply::nil());
  EXPECT_FALSE(asking.is_done());
  nodes[2].answer();
  ASSERT_TRUE(asking.is_done());
  EXPECT_EQ(asking.take(), (std::vector{Reply::nil(), Reply::lost(), Reply::ok()}));
}

TEST(Call, SaysHowLongItMayTake) {
  Patient node;
  Task<Reply> asking = ask_within(&node, "k");
  asking.start();
  EXPECT_EQ(node.at_most, 2s);
  node.answer(Reply::bulk(std::string(40, 'r')));
  EXPECT_EQ(asking.take().text(), std::string(40, 'r'));
}

TEST(Task, RunsNothingBeforeItIsStarted) {
  std::vector<std::string> notes;
  Task<> task = note(&notes, "ran");
  EXPECT_TRUE(notes.empty());
  EXPECT_FALSE(task.is_done());
  task.start();
  EXPECT_EQ(notes, std::vector<std::string>{"ran"});
  EXPECT_TRUE(task.is_done());
}

TEST(Task, HandsItsResultOver) {
  Task<int> task = answer_of(42);
  task.start();
  EXPECT_EQ(task.take(), 42);
}

TEST(Task, RethrowsWhereItsResultIsTaken) {
  Task<int> task = failing();
  task.start();
  ASSERT_TRUE(task.is_done());
  EXPECT_THROW(task.take(), std::runtime_error);
}

Task<std::string> surviving() {
  std::string told;
  try {
    const int number = co_await failing();
    told = std::to_string(number);
  } catch (const std::runtime_error& error) {
    told = error.what();
  }
  const int after = co_await answer_of(7);
  co_return told + ", then " + std::to_string(after);
}
TEST(Task, AnExceptionArrivesAtTheAwaitingLineAndNowhereElse) {
  Task<std::string> task = surviving();
  task.start();
  ASSERT_TRUE(task.is_done());
  EXPECT_EQ(task.take(), "no luck, then 7");
}

TEST(Task, AnAssignedTaskDestroysWhatItHeld) {
  const int alive_before = made - destroyed;
  const auto keep = [](Counted counted) -> Task<int> { co_return static_cast<int>(counted.text.size()); };
  Task<int> task = keep(Counted("a"));
  EXPECT_EQ(made - destroyed, alive_before + 1);
  task = keep(Counted("ab"));
  EXPECT_EQ(made - destroyed, alive_before + 1);
  task.start();
  EXPECT_EQ(task.take(), 2);
  task = Task<int>();
  EXPECT_EQ(made - destroyed, alive_before);
}

// --- where it awaits ---

Task<int> twice(Store& store) {
  const int one = co_await answer_of(1);
  const Reply reply = co_await store.send(Command("PING"));
  co_return one + (reply.is_ok() ? 1 : 0);
}
TEST(Awaits, AreNotedOnceEachByTheInnermostWhoWantsToKnow) {
  Patient store;
  Awaits outer;
  const Awaits::Noting outside(&outer);
  {
    Awaits inner;
    const Awaits::Noting inside(&inner);
    for (int i = 0; i < 3; ++i) {
      Task<int> task = twice(store);
      task.start();
      store.answer();
      EXPECT_EQ(task.take(), 2);
    }
    const std::vector<Where> places = inner.list();
    ASSERT_EQ(places.size(), 2u);
    EXPECT_EQ(std::max(places[0].line(), places[1].line()), std::min(places[0].line(), places[1].line()) + 1);
    EXPECT_TRUE(std::string_view(places[0].file_name()).ends_with("task_test.cpp"));
  }
  EXPECT_TRUE(outer.list().empty());
  Task<int> task = twice(store);
  task.start();
  EXPECT_EQ(outer.list().size(), 2u);
}

// --- a crash: the root is destroyed at any suspension point ---

Task<Reply> asking(Store& store, Counted key) {
  const Counted before("before");
  const Reply reply = co_await Redis(store).set(key.text, before.text, SetOptions().nx().px(30ms));
  co_return reply;
}
Task<int> working(Patient& world, Counted key) {
  const Counted outer("outer");
  int granted = 0;
  for (int round = 0; round < 3; ++round) {
    const Counted inner("inner");
    const Reply reply = co_await asking(world, key);
    if (reply.is_ok()) ++granted;
    co_await world.sleep(1ms);
  }
  const Reply last = co_await Redis(world).eval("return 1", Keys(key.text), Args("a", 2));
  co_return last.is_lost() ? -granted : granted;
}

TEST(Crash, AtEachOfSevenSuspensionPointsDestroysEverythingOnce) {
  for (int crash_at = 0; crash_at <= 7; ++crash_at) {
    Patient world;
    made = destroyed = 0;
    {
      Task<int> root = working(world, Counted("key"));
      root.start();
      for (int i = 0; i < crash_at; ++i) {
        ASSERT_TRUE(world.is_waiting()) << crash_at;
        world.answer();
      }
      EXPECT_EQ(root.is_done(), crash_at == 7);
    }
    EXPECT_EQ(made, destroyed) << "crash at suspension point " << crash_at;
    EXPECT_EQ(world.forgotten, crash_at == 7 ? 0 : 1) << "what waited tells its store or clock, once";
    EXPECT_FALSE(world.is_waiting());
  }
}

TEST(Crash, BeforeTheStartRunsNothing) {
  Patient world;
  made = destroyed = 0;
  {
    const Task<int> root = working(world, Counted("key"));
  }
  EXPECT_EQ(made, destroyed);
  EXPECT_EQ(world.forgotten, 0);
  EXPECT_TRUE(world.asked.empty());
}

TEST(Reply, ALostOneIsAValue) {
  Patient world;
  Task<int> root = working(world, Counted("key"));
  root.start();
  for (int i = 0; i < 6; ++i) world.answer();
  world.answer(Reply::lost());
  ASSERT_TRUE(root.is_done());
  EXPECT_EQ(root.take(), -3);
}

// --- the trampoline ---

// Where the stack of the child stands, compared with the highest place seen: the depth of recursion in bytes.
std::uintptr_t lowest = 0;
std::uintptr_t highest = 0;
Task<int> shallow(int number) {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  lowest = lowest == 0 ? here : std::min(lowest, here);
  highest = std::max(highest, here);
  co_return number;
}
Task<std::int64_t> loop_of(int children) {
  std::int64_t sum = 0;
  for (int i = 0; i < children; ++i) {
    const int number = co_await shallow(i);
    sum += number;
  }
  co_return sum;
}
TEST(Trampoline, AMillionSynchronousChildrenKeepTheStackFlat) {
  lowest = highest = 0;
  Task<std::int64_t> task = loop_of(1'000'000);
  task.start();
  ASSERT_TRUE(task.is_done());
  EXPECT_EQ(task.take(), 499'999'500'000);
  EXPECT_LT(highest - lowest, 1024u);
}

Task<int> tower(int height) {
  if (height == 0) co_return 0;
  const int below = co_await tower(height - 1);
  co_return below + 1;
}
TEST(Trampoline, ATowerOfAwaitsUnwindsWithoutRecursion) {
  Task<int> task = tower(1'000);
  task.start();
  EXPECT_EQ(task.take(), 1'000);
}

// --- what is our own fault ends the program ---

Task<int> awaits_twice() {
  Task<int> task = answer_of(1);
  Task<int> other = std::move(task);
  const int first = co_await std::move(other);
  const int second = co_await std::move(task);
  co_return first + second;
}
TEST(InvariantDeathTest, ATaskThatWasMovedAwayIsNotAwaited) {
  EXPECT_EXIT(awaits_twice().start(), testing::ExitedWithCode(70),
              "INVARIANT broken: a task is awaited once");
}
void break_one() {
  run_position = {0xbeef, 12};
  INVARIANT(1 == 2, "one is two");
}
TEST(InvariantDeathTest, SaysTheSeedAndTheStepOfTheRun) {
  EXPECT_EXIT(break_one(), testing::ExitedWithCode(70),
              "one is two\n  1 == 2\n  at .*task_test.cpp:[0-9]+, seed 0xbeef, step 12");
}
TEST(InvariantDeathTest, AResultIsAskedForOnlyAfterTheEnd) {
  EXPECT_EXIT(answer_of(1).take(), testing::ExitedWithCode(70), "only after it has finished");
}

}  // namespace
}  // namespace holdfast
