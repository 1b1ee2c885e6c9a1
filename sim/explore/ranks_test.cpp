// Claims about searches of several ranks: they find what one process finds, and what is planted into their
// exchange is noticed. The ranks are threads here, and their messages texts in memory; what MPI carries,
// company_mpi_test.cpp looks at.
#include "sim/explore/ranks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>

#include "sim/core/arena.hpp"
#include "sim/explore/checkpoints.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/exchange.hpp"
#include "sim/explore/planted_test.hpp"
#include "sim/scenario/parse.hpp"

namespace holdfast {
namespace {

struct Boxes {
  std::mutex mutex;
  std::vector<std::deque<Ranks::Message>> boxes;  // by rank
};

class ThreadRanks final : public Ranks {
 public:
  ThreadRanks(Boxes& boxes, unsigned rank, Planted bug) : boxes_(boxes), rank_(rank) { planted = bug; }
  unsigned rank() const override { return rank_; }
  unsigned count() const override { return static_cast<unsigned>(boxes_.boxes.size()); }
  void send(unsigned to, std::string text) override {
    const std::scoped_lock hold(boxes_.mutex);
    boxes_.boxes[to].push_back({rank_, std::move(text)});
  }
  std::optional<Message> receive() override {
    const std::scoped_lock hold(boxes_.mutex);
    std::deque<Message>& box = boxes_.boxes[rank_];
    if (box.empty()) return std::nullopt;
    Message first = std::move(box.front());
    box.pop_front();
    return first;
  }
  std::size_t unsent(unsigned) const override { return 0; }
  void wait() override { std::this_thread::yield(); }
  std::optional<std::string> lost() const override { return std::nullopt; }
  void finish() override {}

 private:
  Boxes& boxes_;
  const unsigned rank_;
};

// What ranks save, by part.
class PartsInMemory final : public Checkpoints {
 public:
  explicit PartsInMemory(double interval) : interval_(interval) {}
  double interval() const override { return interval_; }
  void save(const Scenario&, const std::string& part,
            const std::function<void(std::ostream&)>& write) override {
    std::ostringstream out;
    write(out);
    const std::scoped_lock hold(mutex_);
    saved[part] = out.str();
  }
  std::unique_ptr<std::istream> load(const Scenario&, const std::string& part) override {
    const std::scoped_lock hold(mutex_);
    return saved.contains(part) ? std::make_unique<std::istringstream>(saved[part]) : nullptr;
  }
  std::map<std::string, std::string> saved;

 private:
  std::mutex mutex_;
  const double interval_;
};

Scenario space_of(const std::string& lock, Fault fault) {
  Comparison comparison = planted::coarse();
  comparison.attempts = 1;
  Scenario scenario = scenario_of(comparison, *algorithms::find(lock), fault);
  scenario.explore.time_max = std::chrono::hours(24);
  return scenario;
}

// By so many ranks; 1: by one process. A second passes each time that the budget is asked.
Exploration searched(const Scenario& scenario, unsigned count, unsigned threads = 1,
                     Checkpoints* checkpoints = nullptr, std::uint64_t asked_max = ~std::uint64_t{0},
                     Ranks::Planted planted = Ranks::Planted::none) {
  Boxes boxes;
  boxes.boxes.resize(count);
  const auto read = [](const std::string& json) {
    const Parsed parsed =
        parse_scenario(json, "", Known(algorithms::all(), simulated_faults, checkers::decidable()));
    if (!parsed.scenario) throw std::runtime_error(parsed.problems.front().message);
    return Job{*parsed.scenario, algorithms::find(parsed.scenario->algorithm)};
  };
  const auto complaint_of = [](const std::exception_ptr& error) {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& what) {
      return Complaint{65, what.what()};
    }
  };
  ThreadRanks first(boxes, 0, planted);
  std::vector<std::jthread> others;
  for (unsigned rank = 1; rank < count; ++rank)
    others.emplace_back([&, rank] {
      ThreadRanks ranks(boxes, rank, planted);
      follow(ranks, Following{read, complaint_of}, checkpoints);
    });
  struct Dismissal {
    Ranks& ranks;
    ~Dismissal() { dismiss(ranks); }
  } dismissal{first};
  std::atomic<std::uint64_t> asked = 0;
  const Budget budget{[&] { return ++asked > asked_max; }, [&] { return static_cast<double>(asked.load()); },
                      checkpoints, nullptr, count == 1 ? nullptr : &first};
  return explore(scenario, *algorithms::find(scenario.algorithm), budget, Engine::snapshots, threads);
}

std::string text_of_search(const Exploration& found) {
  std::string text = std::to_string(found.states) + " states, " + std::to_string(found.transitions) +
                     " transitions, ends " + found.ends.hex() + (found.complete ? "" : ", incomplete");
  for (const PropertyResult& each : found.properties) {
    text.append("; ").append(id_of(each.property)).append(" ").append(id_of(each.verdict)).append(" ");
    text.append(each.note);
    if (each.counterexample) text.append(each.counterexample->fingerprint.hex());
  }
  for (const SourceLine& line : found.awaits) text += "; " + std::to_string(line.line);
  return text;
}

// Not where one process does not come to the end, or not to the shortest run of a violation.
TEST(SeveralRanks, FindWhatOneProcessFinds) {
  if (!Arena::is_available()) GTEST_SKIP() << "skipped: without an arena there is no depth-first search";
  std::size_t cells = 0;
  std::size_t large = 0;
  for (const Card& card : algorithms::all()) {
    if (card.is_compared_by_name) continue;
    for (const Fault fault : planted::some_faults(card, 6)) {
      SCOPED_TRACE(std::string(card.id) + " under " + std::string(id_of(fault)));
      Scenario scenario = planted::on_time(space_of(std::string(card.id), fault));
      scenario.explore.states_max = 30'000;
      const Exploration whole = searched(scenario, 1);
      const bool are_shortest = std::all_of(
          whole.properties.begin(), whole.properties.end(),
          [](const PropertyResult& each) { return each.verdict != Verdict::violated || each.note.empty(); });
      ++cells;
      if (!whole.complete || !are_shortest) {
        ++large;
        continue;
      }
      const Exploration together = cells % 2 == 0 ? searched(scenario, 2) : searched(scenario, 3, 2);
      EXPECT_EQ(text_of_search(together), text_of_search(whole));
    }
  }
  EXPECT_LT(large, cells / 6);
}

TEST(SeveralRanks, FindOfABoundWhatOneProcessFinds) {
  if (!Arena::is_available()) GTEST_SKIP() << "skipped: without an arena there is no depth-first search";
  Scenario scenario = space_of("getset", Fault::pause);
  scenario.explore.states_max = 2000;
  EXPECT_EQ(text_of_search(searched(scenario, 3)), text_of_search(searched(scenario, 1)));
}

TEST(SeveralRanks, CountAStateTwiceWhoseOwnerDependsOnTheWayToIt) {
  if (!Arena::is_available()) GTEST_SKIP() << "skipped: without an arena there is no depth-first search";
  const Scenario scenario = space_of("token", Fault::pause);
  const std::uint64_t states = searched(scenario, 1).states;
  const auto planted = Ranks::Planted::owner_by_way;
  EXPECT_GT(searched(scenario, 2, 1, nullptr, ~std::uint64_t{0}, planted).states, states);
}

TEST(SeveralRanks, NoticeWhatDoesNotArrive) {
  if (!Arena::is_available()) GTEST_SKIP() << "skipped: without an arena there is no depth-first search";
  const auto planted = Ranks::Planted::lost_batch;
  EXPECT_THROW(searched(space_of("token", Fault::pause), 2, 1, nullptr, ~std::uint64_t{0}, planted),
               std::logic_error);
}

TEST(SeveralRanks, GoOnFromWhatAllOfThemHaveSaved) {
  if (!Arena::is_available()) GTEST_SKIP() << "skipped: without an arena there is no depth-first search";
  const Scenario scenario = space_of("getset", Fault::pause);
  const std::string whole = text_of_search(searched(scenario, 1));
  PartsInMemory checkpoints(12);
  for (int kills = 0; kills < 5; ++kills) {
    searched(scenario, 3, 1, &checkpoints, 25 + 10 * static_cast<std::uint64_t>(kills));
    EXPECT_GE(checkpoints.saved.size(), 3u);
    if (kills > 0) continue;
    EXPECT_THROW(searched(scenario, 2, 1, &checkpoints), BadCheckpoint);
    EXPECT_THROW(searched(scenario, 1, 1, &checkpoints), BadCheckpoint);
  }
  EXPECT_EQ(text_of_search(searched(scenario, 3, 2, &checkpoints)), whole);
  EXPECT_EQ(text_of_search(searched(scenario, 2, 1, &checkpoints)), whole) << "it was at its end";
}

}  // namespace
}  // namespace holdfast
