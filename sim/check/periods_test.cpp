// once-per-period agrees with its definition on runs in which anything happens, and forgets nothing that
// matters.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "sim/check/judge_digest_test.hpp"
#include "sim/check/period_definition_test.hpp"
#include "sim/check/story_test.hpp"

namespace holdfast {
namespace {

constexpr std::uint32_t clients = 3;
constexpr std::uint32_t periods = 2;

// Clients come to periods, do jobs, die and begin anew, in any order.
class Schedulers {
 public:
  enum class Verb : std::uint8_t { come, begin, end, leave, crash, calm };
  struct Move {
    Verb verb;
    std::uint32_t client = 0;
    std::uint32_t period = 0;
    bool operator==(const Move&) const = default;
  };

  std::vector<Move> moves() const {
    std::vector<Move> moves;
    if (is_calm_) return moves;
    bool is_any_busy = false;
    for (std::uint32_t i = 0; i < clients; ++i) {
      const Client& it = clients_[i];
      is_any_busy |= it.is_there;
      if (!it.is_there)
        for (std::uint32_t period = it.next; period < periods; ++period)
          moves.push_back({Verb::come, i, period});
      if (it.is_there && !it.is_at_job) moves.push_back({Verb::begin, i, it.period});
      if (it.is_at_job) moves.push_back({Verb::end, i, it.period});
      if (it.is_there && !it.is_at_job) moves.push_back({Verb::leave, i, it.period});
      if (it.is_there) moves.push_back({Verb::crash, i});
    }
    if (!is_any_busy) moves.push_back({Verb::calm});
    return moves;
  }

  void take(const Move& move) {
    Client& it = clients_[move.client];
    const ClientId id{move.client};
    switch (move.verb) {
      case Verb::come:
        it = {true, false, move.period, move.period + 1, it.acquisitions + 1};
        return emit(PeriodBegun{id, move.period});
      case Verb::begin: it.is_at_job = true; return emit(JobBegun{{id, it.acquisitions}, it.period, 1s});
      case Verb::end: it.is_at_job = false; return emit(JobDone{{id, it.acquisitions}, it.period});
      case Verb::leave: it.is_there = false; return emit(PeriodOver{id, it.period});
      case Verb::crash:
        // It may come to the same period again: it was started anew before that was over.
        it = {false, false, 0, it.period, it.acquisitions};
        return emit(Crashed{id});
      case Verb::calm: is_calm_ = true; return emit(Calm{ClientId{clients}, 15s});
    }
  }

  // Of the world and of the judge.
  Digest digest() const {
    Digester digester;
    for (const Client& it : clients_)
      digester.add(std::uint64_t{it.is_there} | std::uint64_t{it.is_at_job} << 1 |
                   std::uint64_t{it.is_there ? it.period : 0} << 2 | std::uint64_t{it.next} << 8);
    digester.add(is_calm_);
    digester.add(digest_of(judge_, Instant{}));
    return digester.finish();
  }
  std::optional<Step> violated_at() const {
    const std::vector<Finding> found = judge_.findings();
    if (found.empty()) return std::nullopt;
    EXPECT_LT(found.front().from, found.front().to);
    return found.front().to;
  }
  bool is_violated() const { return !judge_.violated().empty(); }
  const std::vector<Event>& events() const { return events_; }

 private:
  struct Client {
    bool is_there = false;
    bool is_at_job = false;
    std::uint32_t period = 0;
    std::uint32_t next = 0;
    std::uint32_t acquisitions = 0;
  };
  void emit(What what) {
    events_.push_back(
        Event{Step{static_cast<std::uint32_t>(events_.size() + 1)}, Instant{}, Actor{}, std::move(what)});
    judge_.on(events_.back());
  }

  Judge judge_{{Property::once_per_period}};
  std::array<Client, clients> clients_;
  bool is_calm_ = false;
  std::vector<Event> events_;
};

Schedulers after(const std::vector<Schedulers::Move>& path) {
  Schedulers world;
  for (const Schedulers::Move& move : path) world.take(move);
  return world;
}

TEST(OncePerPeriod, AgreesWithItsDefinitionOnWhenARandomRunFirstBreaksIt) {
  int twice = 0;
  int never = 0;
  const bool agree = rc::check([&] {
    const auto walk = rc::gen::container<std::vector<int>>(24, rc::gen::inRange(0, 1 << 16));
    for (const std::vector<int>& picks : *rc::gen::container<std::vector<std::vector<int>>>(10, walk)) {
      Schedulers world;
      for (const int pick : picks) {
        const std::vector<Schedulers::Move> moves = world.moves();
        if (moves.empty()) break;
        world.take(moves[static_cast<std::size_t>(pick) % moves.size()]);
      }
      const std::optional<Step> broken = definitions::breaks_once_per_period_at(world.events());
      RC_ASSERT(world.violated_at() == broken);
      if (!broken) continue;
      const bool is_end = std::holds_alternative<Calm>(world.events()[broken->value - 1].what);
      ++(is_end ? never : twice);
    }
  });
  EXPECT_TRUE(agree);
  EXPECT_GE(twice, 50);
  EXPECT_GE(never, 10);
}

// Every way to every state, up to seven moves: ways that meet agree on what every next move leads to.
TEST(OncePerPeriod, HasADigestThatIsSoundForEveryShortRun) {
  std::map<Digest, Digest> futures;
  std::vector<std::vector<Schedulers::Move>> frontier{{}};
  int merged = 0;
  for (int length = 0; length <= 7; ++length) {
    std::vector<std::vector<Schedulers::Move>> next;
    for (const auto& path : frontier) {
      const Schedulers world = after(path);
      Digester future;
      for (const Schedulers::Move& move : world.moves()) {
        std::vector<Schedulers::Move> longer = path;
        longer.push_back(move);
        const Schedulers then = after(longer);
        future.add(then.digest());
        future.add(then.is_violated());
      }
      const auto [known, is_new] = futures.try_emplace(world.digest(), future.finish());
      merged += !is_new;
      ASSERT_EQ(known->second, is_new ? known->second : future.finish());
      for (const Schedulers::Move& move : world.moves())
        if (is_new) next.push_back(path), next.back().push_back(move);
    }
    frontier = std::move(next);
  }
  EXPECT_GT(merged, 1000);
}

std::string because(const std::string& text) {
  Judge judge({Property::once_per_period});
  for (const Event& event : Story(text).events()) judge.on(event);
  return judge.findings().empty() ? "" : judge.findings().front().because;
}

TEST(OncePerPeriod, SaysWhoDidTheJobAgainAndWhoWasThereInVain) {
  EXPECT_EQ(because("1s; A acquiring; A begins-job; A ends-job; 3s; B acquiring; B begins-job"),
            "At 3s B began the job of period 1, which A had begun at 1s.");
  EXPECT_EQ(because("1s; A acquiring; A crashed; 2s; B leaves-period period 2; 9s; P calm"),
            "Nobody has done the job of period 2, though B was there until 2s.");
}

TEST(OncePerPeriod, HoldsWhereTheJobIsDoneAgainAfterADeathAndInThePeriodAfter) {
  EXPECT_EQ(because("A acquiring; A begins-job; A ends-job; A leaves-period; B acquiring; B leaves-period; "
                    "B begins-job period 2; B ends-job period 2; B leaves-period period 2; P calm"),
            "");
  EXPECT_EQ(because("A acquiring; A begins-job; A crashed; P calm"), "") << "nobody was there to the end";
}

// A job that its client has finished before it died was done.
TEST(OncePerPeriod, IsBrokenByAJobThatIsDoneAgainThoughItsFirstClientIsDead) {
  EXPECT_NE(because("A acquiring; A begins-job; A ends-job; A crashed; B acquiring; B begins-job"), "");
}

}  // namespace
}  // namespace holdfast
