// Clients that are processes: what they do is remembered in order, and signals stop and end them.
#include "sim/live/processes.hpp"

#include <gmock/gmock-matchers.h>
#include <sys/wait.h>

#include <cerrno>

#include "sim/check/checker.hpp"
#include "sim/live/no_server_test.hpp"
#include "sim/live/redis_process.hpp"
#include "sim/live/tally.hpp"

namespace holdfast::live {
namespace {

using testing::HasSubstr;

constexpr PropertySet judged = {Property::mutual_exclusion, Property::owner_only_release};

struct Remembered {
  RunFacts facts;
  std::uint64_t pairs = 0;
  std::uint64_t overlaps = 0;
  std::vector<Event> events;
  std::vector<Finding> findings;

  bool breaks(Property property) const {
    return std::any_of(findings.begin(), findings.end(),
                       [&](const Finding& finding) { return finding.property == property; });
  }
  template <class Kind>
  std::size_t count() const {
    return static_cast<std::size_t>(std::count_if(
        events.begin(), events.end(), [](const Event& it) { return std::holds_alternative<Kind>(it.what); }));
  }
};

class Processes : public testing::Test {
 protected:
  void SetUp() override {
    server_ = RedisProcess::start();
    if (!server_) GTEST_SKIP() << no_server;
    workload_.clients = 3;
    workload_.work = 10ms;
    workload_.retry = 1ms;
    workload_.key_prefix = "test:";
    workload_.unique = "u-";
    workload_.fault_length = 200ms;
    workload_.one_in = 15;
    workload_.lease = 80ms;
  }

  Remembered perform(const char* lock) {
    const Card& card = *algorithms::find(lock);
    Params params(card.parameters);
    params.set("ttl", "80ms");
    Tally tally(workload_);
    Judge judge(judged);
    Trace trace(true);
    trace.subscribe(tally);
    trace.subscribe(judge);
    Remembered outcome;
    outcome.facts = perform_in_processes(
        {Node(at_socket(server_->socket_path()), server_.get())}, workload_,
        [&] { return card.make(params); }, trace, [] { return false; });
    outcome.pairs = tally.pairs();
    outcome.overlaps = tally.overlaps();
    outcome.events = trace.events();
    outcome.findings = judge.findings();
    EXPECT_EQ(outcome.facts.error, "");
    EXPECT_EQ(outcome.facts.cut_off, 0u);
    return outcome;
  }

  std::unique_ptr<RedisProcess> server_;
  Workload workload_;
};

TEST_F(Processes, ExcludeEachOtherAndCountTheirRoundsTogether) {
  workload_.work = 0ms;
  workload_.length = std::nullopt;
  workload_.pairs = 150;
  const Remembered outcome = perform("token");
  EXPECT_EQ(outcome.pairs, 150u);
  EXPECT_EQ(outcome.overlaps, 0u);
  EXPECT_EQ(outcome.count<Started>(), 3u);
  EXPECT_GE(outcome.facts.commands, 300u);
  EXPECT_EQ(outcome.facts.round_trips, outcome.facts.commands);
  Instant last{};
  for (const Event& event : outcome.events) {
    EXPECT_GE(event.at, last);
    last = event.at;
  }
}

TEST_F(Processes, AHolderThatIsStoppedTooLongDeletesAnothersLockUnlessItCompares) {
  workload_.length = 1500ms;
  workload_.faults = {Fault::pause};
  const Remembered blind = perform("set-nx-px");
  EXPECT_GT(blind.facts.struck.at(Fault::pause), 0u);
  EXPECT_EQ(blind.count<Paused>(), blind.count<Resumed>());
  EXPECT_TRUE(blind.breaks(Property::mutual_exclusion));
  EXPECT_TRUE(blind.breaks(Property::owner_only_release));
  for (const Finding& finding : blind.findings) {
    if (finding.property != Property::owner_only_release) continue;
    EXPECT_THAT(finding.because, HasSubstr(" removed the key of the lock that "));
  }
  const Remembered comparing = perform("token");
  EXPECT_TRUE(comparing.breaks(Property::mutual_exclusion));
  EXPECT_FALSE(comparing.breaks(Property::owner_only_release));
}

TEST_F(Processes, WhoIsKilledComesBackAndLeavesNothingBehind) {
  workload_.length = 700ms;
  workload_.one_in = 5;
  workload_.faults = {Fault::crash, Fault::restart};
  const Remembered outcome = perform("token");
  EXPECT_GT(outcome.facts.struck.at(Fault::crash), 0u);
  EXPECT_EQ(outcome.count<Crashed>(), outcome.facts.struck.at(Fault::crash));
  EXPECT_GT(outcome.count<Started>(), 3u);
  EXPECT_GT(outcome.pairs, 0u);
  // No child is left, once the server is gone.
  server_.reset();
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace holdfast::live
