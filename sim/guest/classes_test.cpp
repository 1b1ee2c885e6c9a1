// Times that stand for others, of a program of which every history is known.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "sim/guest/histories.hpp"

namespace holdfast::guest {
namespace {

// It looks at a clock whenever it is told anything, and says what `word` gives for the times of its looks.
class Clocked final : public Session {
 public:
  using Times = std::vector<std::int64_t>;
  using Word = std::function<std::string(const Times&)>;
  explicit Clocked(Word word) : word_(std::move(word)) {}
  Action tell(const Told& event) override {
    times_.push_back(event.elapsed);
    return {.effects = {{.kind = Effect::Kind::send, .party = 1, .id = 1, .words = {word_(times_)}}},
            .reads = TimeToTell::elapsed};
  }

 private:
  Word word_;
  Times times_;
};

Histories histories_of(const Clocked::Word& word) {
  return Histories({.begin = [word](std::uint64_t, std::size_t) { return std::make_unique<Clocked>(word); },
                    .twins = 1,
                    .time = TimeToTell::elapsed,
                    .has_classes = true});
}

Told begin() { return {.kind = Told::Kind::begin, .elapsed = 0}; }
Told reply(std::int64_t elapsed) {
  return {.kind = Told::Kind::reply, .party = 1, .id = 1, .elapsed = elapsed};
}
// Two replies, so long after the program began, and after the reply before as its client counts.
Standing after(Histories& program, std::int64_t first, std::int64_t then) {
  const Node begun = program.next(program.root(), begin());
  const Standing one = program.stand_in(begun, reply(first), first);
  return program.stand_in(one.node, reply(one.elapsed + then), one.elapsed + then);
}
bool never() { return false; }
bool at_once() { return true; }

// At once for three times, and then for three others each: nine pairs, one of them as it was told.
TEST(Classes, AreOneWhereAProgramAlwaysDoesTheSame) {
  Histories program = histories_of([](const Clocked::Times&) { return "same"; });
  for (const std::int64_t first : {0, 1, 2})
    for (const std::int64_t then : {0, 1, 2}) {
      const Standing standing = after(program, first, then);
      EXPECT_EQ(standing.elapsed, 0);
      EXPECT_EQ(standing.node->event.elapsed, 0);
    }
  const Presumed::Answer answer = program.ask(never);
  EXPECT_FALSE(answer.is_refuted);
  EXPECT_EQ(answer.all, 8u);
  EXPECT_EQ(answer.asked, 8u);
  EXPECT_EQ(program.version(), 0u);
  EXPECT_EQ(program.statistics().stood_for, 4u);
}

// A client may have come there by any of three times, though only one was followed further.
TEST(Classes, AreAskedOfAllTimesThatLedThere) {
  Histories program = histories_of([](const Clocked::Times&) { return "same"; });
  after(program, 0, 2);
  after(program, 1, 2);
  const Node begun = program.next(program.root(), begin());
  program.stand_in(begun, reply(2), 2);
  EXPECT_EQ(program.ask(never).all, 3u);
}

TEST(Classes, AreNoProofWhereThereIsNoTimeToAsk) {
  Histories program = histories_of([](const Clocked::Times&) { return "same"; });
  after(program, 1, 1);
  const Presumed::Answer answer = program.ask(at_once);
  EXPECT_FALSE(answer.is_refuted);
  EXPECT_EQ(answer.all, 1u);
  EXPECT_EQ(answer.asked, 0u);
}

// What it does differs only if both times are its own: the client that counts from others never sees it.
TEST(Classes, EndWhereOnlyBothTimesTogetherMatter) {
  Histories program = histories_of([](const Clocked::Times& times) {
    return times.size() == 3 && times[1] == 1 && times[2] == 2 ? "else" : "same";
  });
  // The second time counts for itself, but from one that stands for the first; then the first does, after
  // which others stand for the second; then both do.
  for (std::uint64_t refuted = 0; refuted < 3; ++refuted) {
    EXPECT_EQ(program.version(), refuted);
    EXPECT_EQ(after(program, 1, 1).node->action.effects[0].words[0], "same");
    EXPECT_TRUE(program.ask(never).is_refuted);
  }
  EXPECT_EQ(after(program, 1, 1).node->action.effects[0].words[0], "else");
  EXPECT_FALSE(program.ask(never).is_refuted);
}

// Three times are tried where the first and the last differ; the one between is like the first.
TEST(Classes, GoByWhatTheProgramDoesThen) {
  Histories program =
      histories_of([](const Clocked::Times& times) { return times.back() < 5 ? "soon" : "late"; });
  const Node begun = program.next(program.root(), begin());
  EXPECT_EQ(program.stand_in(begun, reply(4), 4).elapsed, 0);
  const Standing late = program.stand_in(begun, reply(6), 6);
  EXPECT_EQ(late.node->action.effects[0].words[0], "late");
  EXPECT_EQ(program.stand_in(begun, reply(9), 9).node, late.node);
  EXPECT_FALSE(program.ask(never).is_refuted);
}

// --- any program ---

// Of each step it has a bit that says whether it looks at its clock there, and what it says then is drawn,
// now and then something else, for all the times that it has seen.
class Drawn final : public Session {
 public:
  Drawn(std::uint64_t seed, std::uint64_t seldom) : seed_(seed), seldom_(seldom) {}
  Action tell(const Told& event) override {
    const bool looks = event.kind == Told::Kind::begin || (seed_ >> step_ & 1) != 0;
    if (looks) seen_ = mixed(seen_ + static_cast<std::uint64_t>(event.elapsed));
    ++step_;
    const bool is_seldom = mixed(seen_ + seed_ + step_) % seldom_ == 0;
    return {.effects =
                {{.kind = Effect::Kind::send, .party = 1, .id = 1, .words = {is_seldom ? "else" : "same"}}},
            .reads = looks ? TimeToTell::elapsed : TimeToTell::nothing};
  }

 private:
  static std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
    word = (word ^ word >> 27) * 0x94D049BB133111EB;
    return word ^ word >> 31;
  }
  std::uint64_t seed_;
  std::uint64_t seldom_;
  std::uint64_t step_ = 0;
  std::uint64_t seen_ = 1;
};

constexpr int steps_max = 4;

// What a client does when one more reply has come, `then` after the last one.
Standing next_of(Histories& program, const Standing& now, std::int64_t then) {
  Told event{.kind = Told::Kind::reply, .party = 1, .id = 1};
  if (program.needs(now.node, event) != TimeToTell::nothing) event.elapsed = now.elapsed + then;
  return program.stand_in(now.node, event, now.elapsed + then);
}

// As an exploration: a client that stands where another one stood is not followed.
void explore_all(Histories& program, const Standing& now, int steps,
                 std::set<std::pair<Node, std::int64_t>>& seen) {
  if (steps == steps_max || !seen.emplace(now.node, now.elapsed).second) return;
  for (const std::int64_t then : {0, 1, 3})
    explore_all(program, next_of(program, now, then), steps + 1, seen);
}

void expect_real(Histories& program, const Standing& now, const std::vector<std::int64_t>& times,
                 const std::function<std::unique_ptr<Session>()>& make) {
  const std::unique_ptr<Session> real = make();
  Action did = real->tell(begin());
  for (const std::int64_t time : times) did = real->tell(reply(time));
  RC_ASSERT(did.effects == now.node->action.effects);
  if (times.size() == steps_max) return;
  const std::int64_t last = times.empty() ? 0 : times.back();
  for (const std::int64_t then : {0, 1, 3}) {
    std::vector<std::int64_t> longer = times;
    longer.push_back(last + then);
    expect_real(program, next_of(program, now, then), longer, make);
  }
}

// What was asked and not refuted is so for every client with any times, also those that were not followed.
RC_GTEST_PROP(Classes, AreWhatEveryClientDoesOnceNoneIsRefuted, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto seldom = *rc::gen::inRange<std::uint64_t>(2, 60);
  const auto make = [&]() -> std::unique_ptr<Session> { return std::make_unique<Drawn>(seed, seldom); };
  Histories program({.begin = [&](std::uint64_t, std::size_t) { return make(); },
                     .twins = 1,
                     .time = TimeToTell::elapsed,
                     .has_classes = true});
  const Standing begun{program.next(program.root(), begin()), 0};
  Presumed::Answer answer;
  do {
    std::set<std::pair<Node, std::int64_t>> seen;
    explore_all(program, begun, 0, seen);
    answer = program.ask(never);
  } while (answer.is_refuted);
  RC_ASSERT(answer.asked == answer.all);
  expect_real(program, begun, {}, make);
}

}  // namespace
}  // namespace holdfast::guest
