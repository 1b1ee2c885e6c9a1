// Claims of workloads: each is an experiment of its own, and shows what others cannot.
#include "sim/scenario/workload.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

using planted::result_of;
using enum Property;

Comparison with(Workload workload, std::uint32_t clients = 2) {
  Comparison comparison = planted::coarse();
  comparison.workload = workload;
  comparison.clients = clients;
  return comparison;
}

Verdict exclusion_of(const char* lock, Workload workload, std::optional<Belief> belief = std::nullopt,
                     std::uint32_t attempts = 2) {
  Comparison comparison = with(workload);
  comparison.belief = belief;
  comparison.attempts = attempts;
  return result_of(planted::explored(*algorithms::find(lock), Fault::none, comparison), mutual_exclusion)
      .verdict;
}

TEST(Workloads, AreAllDifferent) {
  std::vector<Scenario> scenarios;
  for (std::size_t i = 0; i < workload_ids.size(); ++i) {
    Scenario scenario = scenario_of(with(static_cast<Workload>(i)), *algorithms::find("redisson-rw"), {});
    scenario.name.clear();
    EXPECT_THAT(scenarios, testing::Not(testing::Contains(scenario))) << workload_ids[i];
    scenarios.push_back(scenario);
  }
}

// Without a renewal the lease must cover the work; a deadline or a renewal makes up for it.
TEST(Workloads, WorkPastTheLeaseSeparatesLocksThatRenewFromThoseThatDoNot) {
  EXPECT_EQ(exclusion_of("token", Workload::short_section), Verdict::holds);
  EXPECT_EQ(exclusion_of("token", Workload::section_as_lease), Verdict::violated);
  EXPECT_EQ(exclusion_of("token", Workload::long_section), Verdict::violated);
  EXPECT_EQ(exclusion_of("token", Workload::long_section, Belief::deadline_from_request), Verdict::holds);
  EXPECT_EQ(exclusion_of("token-watchdog", Workload::long_section), Verdict::holds);
}

// A lease of 4s: a period lasts 12s, and clocks differ by at most 2s.
Verdict once_per_period_of(const char* lock, Texts params = {}, Fault fault = Fault::none,
                           std::uint32_t rounds = 1) {
  Comparison comparison = planted::coarse();
  comparison.check = {once_per_period};
  comparison.params = std::move(params);
  comparison.rounds = rounds;
  return result_of(planted::explored(*algorithms::find(lock), fault, comparison), once_per_period).verdict;
}

// The job takes 1s. A lock that is given back then is free when the other comes after 2s; one that is kept
// for 4s stands when its request arrives, after 3s at the latest, and is gone when the next period begins.
TEST(Workloads, AJobThatIsShorterThanClocksDifferIsDoneTwiceUnlessItsLockIsKept) {
  EXPECT_EQ(once_per_period_of("token"), Verdict::violated);
  EXPECT_EQ(once_per_period_of("shedlock"), Verdict::violated);
  EXPECT_EQ(once_per_period_of("shedlock", {{"lock-at-least-for", "4s"}}), Verdict::holds);
  EXPECT_EQ(once_per_period_of("shedlock", {{"lock-at-least-for", "4s"}}, Fault::none, 2), Verdict::holds);
}

// Who holds it dies before the job, and the other asks while the key stands: the job is never done.
TEST(Workloads, AJobIsNeverDoneWhoseSchedulerDiesWithTheLock) {
  EXPECT_EQ(once_per_period_of("shedlock", {{"lock-at-least-for", "4s"}}, Fault::crash), Verdict::violated);
}

// Its work is longer than its lease, which it renews, so the other comes while it is at it.
TEST(Workloads, AJobThatIsLongerThanClocksDifferIsDoneOnce) {
  EXPECT_EQ(once_per_period_of("token-watchdog"), Verdict::holds);
}

TEST(Workloads, MakeWorkAsLongAsTheLeaseThatWasChosen) {
  Comparison comparison = with(Workload::section_as_lease);
  const Card& token = *algorithms::find("token");
  const Card& watchdog = *algorithms::find("token-watchdog");
  EXPECT_EQ(work_of(comparison, token), 4s);
  EXPECT_EQ(work_of(comparison, watchdog), 6s);
  comparison.given_ttl = 10s;
  EXPECT_EQ(work_of(comparison, watchdog), 10s);
  comparison.workload = Workload::long_section;
  EXPECT_EQ(work_of(comparison, token), 20s);
  comparison.workload = Workload::short_section;
  EXPECT_EQ(work_of(comparison, watchdog), 1s);
}

// A watchdog that never gets to renew is never tried.
TEST(Workloads, ShortWorkLeavesAWatchdogNothingToDo) {
  const Card& watchdog = *algorithms::find("token-watchdog");
  const auto sent = [&](Workload workload) {
    const Exploration found = planted::explored(watchdog, Fault::none, with(workload));
    EXPECT_EQ(result_of(found, mutual_exclusion).verdict, Verdict::holds);
    return found.states;
  };
  EXPECT_GT(sent(Workload::contend), 2 * sent(Workload::short_section));
}

TEST(Workloads, WhoIsRefusedOnceDoesNotComeBack) {
  const Card& token = *algorithms::find("token");
  const Exploration once =
      explore(planted::on_time(scenario_of(with(Workload::try_once), token, Fault::none)), token, Budget());
  EXPECT_EQ(once.states, 67u);
  EXPECT_TRUE(once.reach.met.contains(Situation::contended));
}

TEST(Workloads, OpenClientsComeWhetherTheOthersAreDoneOrNotAndClosedOnesComeAgain) {
  const Card& token = *algorithms::find("token");
  const Scenario open = scenario_of(with(Workload::open_load, 3), token, Fault::none);
  EXPECT_EQ(open.clients[0].start, 0s);
  EXPECT_EQ(open.clients[1].start, 2s);
  EXPECT_EQ(open.clients[2].start, 4s);
  const Scenario closed = scenario_of(with(Workload::closed_load), token, Fault::none);
  EXPECT_EQ(closed.clients[0].rounds, 2u);
  EXPECT_EQ(exclusion_of("token", Workload::open_load), Verdict::holds);
  EXPECT_EQ(exclusion_of("token", Workload::closed_load), Verdict::holds);
}

TEST(Workloads, ReadersShareWhatWritersHaveAlone) {
  const Card& lock = *algorithms::find("fair-rw");
  Comparison comparison = with(Workload::readers_writers, 3);
  comparison.attempts = 1;
  const Scenario scenario = scenario_of(comparison, lock, Fault::none);
  EXPECT_EQ(scenario.clients[0].program.front().mode, Mode::shared);
  EXPECT_EQ(scenario.clients[1].program.front().mode, Mode::shared);
  EXPECT_EQ(scenario.clients[2].program.front().mode, Mode::exclusive);
  const Exploration found = explore(scenario, lock, Budget());
  EXPECT_EQ(result_of(found, mutual_exclusion).verdict, Verdict::holds);
}

TEST(Workloads, FloodsComeAgainBesideOneOther) {
  for (const Workload workload : {Workload::reader_flood, Workload::writer_flood}) {
    const Scenario scenario = scenario_of(with(workload, 3), *algorithms::find("fair-rw"), Fault::none);
    const Mode last = workload == Workload::reader_flood ? Mode::exclusive : Mode::shared;
    EXPECT_EQ(scenario.clients[2].program.front().mode, last);
    EXPECT_NE(scenario.clients[0].program.front().mode, last);
    EXPECT_EQ(scenario.clients[0].rounds, 3u);
    EXPECT_EQ(scenario.clients[2].rounds, 1u);
    EXPECT_EQ(exclusion_of("fair-rw", workload, std::nullopt, 1), Verdict::holds);
  }
}

TEST(Workloads, ConcernOnlyLocksThatHaveWhatTheyAreAbout) {
  const auto why = [](Workload workload, const char* lock) {
    return unconcerned(workload, *algorithms::find(lock));
  };
  EXPECT_EQ(why(Workload::reader_flood, "token"), "the lock has no readers");
  EXPECT_EQ(why(Workload::reader_flood, "redismutex"), "");
  EXPECT_EQ(why(Workload::long_section, "setnx"), "the lock has no lease");
  EXPECT_EQ(why(Workload::long_section, "token"), "");
  EXPECT_EQ(why(Workload::contend, "setnx"), "");
}

TEST(Workloads, JudgeWhatTheirProgramsCanBreak) {
  const Card& reentrant = *algorithms::find("reentrant");
  const Exploration found = planted::explored(reentrant, Fault::none, with(Workload::nested));
  EXPECT_EQ(found.properties.size(), 10u);
  EXPECT_EQ(result_of(found, reentrancy).verdict, Verdict::holds);
  EXPECT_EQ(result_of(found, mutual_exclusion).verdict, Verdict::holds);
}

// Everybody who asks sets the expiry anew, or only who gets the lock.
template <bool do_all_renew>
class AskedLock final : public Lock {
 public:
  explicit AskedLock(const Params& params) : ttl_(std::to_string(params.duration("ttl") / 1ms)) {}
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const std::string script = std::string("local n = redis.call('SETNX', KEYS[1], ARGV[1]) ") +
                               (do_all_renew ? "" : "if n == 1 then ") +
                               "redis.call('PEXPIRE', KEYS[1], ARGV[2]) " + (do_all_renew ? "" : "end ") +
                               "return n";
    const Reply reply = co_await Redis(env.store()).eval(script, Keys(key), Args(token, ttl_));
    if (reply.is_lost()) co_return Attempt::failed("no answer");
    if (!reply.is(1)) co_return Attempt::refused("held");
    co_return Attempt(Grant(token));
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply reply = co_await Redis(env.store())
                            .eval(
                                "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', "
                                "KEYS[1]) end return 0",
                                Keys(key), Args(grant.token));
    co_return reply.is(1) ? Release::released : reply.is(0) ? Release::not_held : Release::unknown;
  }

 private:
  std::string ttl_;
};

template <bool do_all_renew>
Verdict recovery_of(Workload workload) {
  const Card card{.id = "asked",
                  .parameters = {{"ttl", Parameter::Kind::duration, "4s", ""}},
                  .make = [](const Params& params) -> std::unique_ptr<Lock> {
                    return std::make_unique<AskedLock<do_all_renew>>(params);
                  },
                  .is_stateless = true};
  return result_of(planted::explored(card, Fault::crash, with(workload)), recovery).verdict;
}

// A holder dies. Who asks again when its lease is over gets the lock; who asks twice within each lease keeps
// the key of the dead alive. Where asking changes nothing, the key dies after one lease, however many ask.
TEST(Workloads, ACrowdKeepsTheLockOfTheDeadAliveWhereAskingRenewsIt) {
  EXPECT_EQ(recovery_of<true>(Workload::contend), Verdict::holds);
  EXPECT_EQ(recovery_of<true>(Workload::crowd), Verdict::violated);
  EXPECT_EQ(recovery_of<false>(Workload::crowd), Verdict::holds);
}

// A fault strikes a held lock, or it does not; and a request may arrive when its client has given up.
TEST(Reach, TellsWhetherAFaultStruckAHeldLock) {
  const Card& token = *algorithms::find("token");
  for (const Fault fault : {Fault::pause, Fault::failover, Fault::late_request}) {
    const Exploration found = planted::explored(token, fault);
    EXPECT_TRUE(found.reach.struck_held.contains(fault)) << id_of(fault);
    const bool is_late = found.reach.met.contains(Situation::arrived_late);
    EXPECT_EQ(is_late, fault == Fault::late_request) << id_of(fault);
  }
  Scenario early = scenario_of(planted::coarse(), token, Fault::crash);
  early.clients.resize(1);
  early.faults.front().place = Place::anywhere;
  early.clients.front().program.resize(1);
  early.clients.front().program.front() = {.op = ProgramStep::Op::sleep, .length = 1s};
  const Exploration found = explore(early, token, Budget());
  EXPECT_TRUE(found.reach.struck.contains(Fault::crash));
  EXPECT_FALSE(found.reach.struck_held.contains(Fault::crash));
}

}  // namespace
}  // namespace holdfast
