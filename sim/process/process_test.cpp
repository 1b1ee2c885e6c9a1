// Real processes under supervision. They are written in Perl, whose smallest package is in every Debian.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sim/guest/twins.hpp"
#include "sim/process/keeper.hpp"
#include "sim/process/perl_test.hpp"
#include "sim/process/program.hpp"
#include "sim/process/session.hpp"

namespace holdfast::process {
namespace {

using guest::TimeToTell;
using guest::Told;
using testing::HasSubstr;

// Below this process, but for those that have ended.
std::size_t count_children() {
  std::size_t count = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "children");
    for (int pid = 0; file >> pid;) ++count;
  }
  return count;
}

std::size_t count_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

// --- verdicts ---

// Without a timeout, it waits for every answer that comes. The lock in C++ does, with a long one.
TEST(Guest, IsTheLockInCppUnderEveryFault) {
  Perl program(token_lock + forks + serves);
  const Card& token = *algorithms::find("token");
  for (const Fault fault : planted::faults_to_explore())
    guest::expect_alike(token, program->card(), fault, Params({}), 20s);
  EXPECT_EQ(program->time_to_tell(), TimeToTell::nothing);
}
TEST(Guest, ThatIsExecutedForEachRunIsTheSameAsOneThatForks) {
  Perl executed(token_lock + serves);
  Perl forked(token_lock + forks + serves);
  guest::expect_alike(forked->card(), executed->card(), Fault::pause);
  EXPECT_EQ(executed->statistics().histories, forked->statistics().histories);
}
TEST(Guest, WithAPlantedBugIsFound) {
  std::string deletes_always = token_lock;
  const std::string compares = "redis.call('GET', KEYS[1]) == ARGV[1]";
  deletes_always.replace(deletes_always.find(compares), compares.size(), "true");
  Perl bug(deletes_always + forks + serves);
  Perl good(token_lock + forks + serves);
  const auto verdict = [](const Exploration& found) {
    return planted::result_of(found, Property::owner_only_release).verdict;
  };
  EXPECT_EQ(verdict(explored_on_time(bug->card(), Fault::eviction)), Verdict::violated);
  EXPECT_EQ(verdict(explored_on_time(good->card(), Fault::eviction)), Verdict::holds);
}
// A grant that comes when its lease is over is none, and only a client that has given up does not take it.
TEST(Guest, WaitsAsLongAsItsOwnTimeoutsSayAndWithoutOneForAnAnswerThatIsOnItsWay) {
  std::string has_timeout = token_lock;
  const std::string called = "ask('SET'";
  has_timeout.replace(has_timeout.find(called), called.size(), "ask_in_time('SET'");
  const std::string asks_in_time = R"(
sub ask_in_time {
  $server //= IO::Socket::INET->new(PeerAddr => '127.0.0.1:6379') or return undef;
  print $server join '', '*' . @_ . "\r\n", map { '$' . length . "\r\n$_\r\n" } @_;
  my $ready = '';
  vec($ready, fileno($server), 1) = 1;
  if (!select($ready, undef, undef, 3)) { undef $server; $lost = 1; return undef; }
  my $line = <$server>;
  if (!defined $line) { undef $server; $lost = 1; return undef; }
  return $line !~ /^\$-1/;
}
)";
  Perl patient(token_lock + forks + serves);
  Perl hurried(has_timeout + asks_in_time + forks + serves);
  const auto verdict = [](Perl& program, Fault fault) {
    Comparison comparison = planted::coarse();
    comparison.attempts = 1;
    const Exploration found = explore(scenario_of(comparison, program->card(), fault), program->card(), {});
    EXPECT_TRUE(found.complete);
    return planted::result_of(found, Property::mutual_exclusion).verdict;
  };
  EXPECT_EQ(verdict(patient, Fault::late_reply), Verdict::violated);
  EXPECT_EQ(verdict(hurried, Fault::late_reply), Verdict::holds);
  EXPECT_EQ(verdict(patient, Fault::lost_reply), Verdict::holds);
}
TEST(Guest, GivesTheSameExplorationEveryTime) {
  const auto fingerprint = [] {
    Perl program(token_lock + forks + serves);
    const Exploration found = explored_on_time(program->card(), Fault::pause);
    std::ostringstream text;
    text << found.states << ' ' << found.transitions << ' ' << program->statistics().histories;
    return text.str();
  };
  const std::string first = fingerprint();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(fingerprint(), first);
}

// --- time ---

TEST(Guest, ThatSleepsNeedNotBeToldTheTime) {
  std::string sleeps = token_lock;
  const std::string refused = "return say_('refused') unless $reply;";
  sleeps.replace(sleeps.find(refused), refused.size(),
                 "if (!$reply) { select undef, undef, undef, 1; say_('refused'); return }");
  Perl program(sleeps + forks + serves);
  explored_on_time(program->card(), Fault::none);
  EXPECT_EQ(program->time_to_tell(), TimeToTell::nothing);
}

// --- what it may not do ---

TEST(Guest, EndsTheRunByTheNameOfTheCallThatNobodySupervises) {
  const std::string begins = "sub acquire { ";
  const std::string ends = "; say_('refused') } sub release {}";
  EXPECT_THAT(problem_of(begins + "syscall 165, 0, 0, 0, 0, 0" + ends + serves),
              HasSubstr("it makes the system call mount: no row"));
  EXPECT_THAT(problem_of(begins + "fork" + ends + serves), HasSubstr("system call clone"));
  EXPECT_THAT(problem_of(begins + "alarm 1" + ends + serves), HasSubstr("a timer that rings"));
  EXPECT_THAT(problem_of(begins + "exec 'true'" + ends + serves), HasSubstr("another program"));
}
TEST(Guest, ConnectsToNobodyButItsServers) {
  EXPECT_THAT(problem_of("sub acquire { IO::Socket::INET->new(PeerAddr => '127.0.0.1:5432') }" + serves),
              HasSubstr("it connects to 127.0.0.1:5432; its server is at 127.0.0.1:6379"));
}
TEST(Guest, ThatEndsOrSaysNonsenseOrWaitsForEverIsToldSo) {
  EXPECT_THAT(problem_of("print STDERR 'no such module'; exit 1"),
              HasSubstr("it ended with exit code 1: no such module"));
  EXPECT_THAT(problem_of("sub acquire { say_('yes') }" + serves), HasSubstr("it says \"yes\"; it may say"));
  EXPECT_THAT(problem_of("sub acquire { }" + serves), HasSubstr("has not answered, and waits for nothing"));
  EXPECT_THAT(problem_of("say_('released');" + serves), HasSubstr("and was asked nothing"));
}
TEST(Guest, LeavesNoFileBehind) {
  const std::string path = testing::TempDir() + "holdfast-guest-wrote-this";
  EXPECT_EQ(problem_of("sub acquire { say_(open(my $f, '>', '" + path + "') ? 'granted' : 'refused') }" +
                       "sub release { say_('released') }" + serves),
            "");
  EXPECT_FALSE(std::filesystem::exists(path));
}

// --- what is left ---

// A thousand runs, each ended while it waits for an answer.
TEST(Guest, LeavesNoProcessAndNoDescriptorBehind) {
  constexpr int runs = 1'000;
  explored_on_time(Perl(token_lock + forks + serves)->card(), Fault::none);  // what is made once
  const std::size_t descriptors = count_descriptors();
  const std::size_t children = count_children();
  {
    Perl program(token_lock + forks + serves);
    for (int i = 0; i < runs; ++i)
      Keeper::instance().run([&] {
        ProcessSession session(*program, static_cast<std::uint64_t>(i % 2), false);
        session.tell({.number = 1, .words = {"ttl", "4000000us"}});
        const Told acquire{.kind = Told::Kind::acquire, .party = 1, .words = {"key", "exclusive"}};
        const guest::Action action = session.tell(acquire);
        ASSERT_EQ(action.effects.back().words.front(), "SET");
      });
  }
  EXPECT_EQ(count_children(), children);
  EXPECT_EQ(count_descriptors(), descriptors);
}
TEST(Guest, DiesWithItsSupervisor) {
  const pid_t child = fork();
  if (child == 0) {
    execlp((std::string(HOLDFAST_BINARY_DIR) + "/holdfast").c_str(), "holdfast", "check", "--guest",
           "perl -e 'while (sysread STDIN, my $l, 99) { 1 while 1 }' holdfast-test-of-a-kill", nullptr);
    _exit(127);
  }
  const auto guests = [] {
    std::size_t count = 0;
    for (const auto& each : std::filesystem::directory_iterator("/proc")) {
      std::ifstream file(each.path() / "cmdline");
      std::string line;
      std::getline(file, line);
      count += line.starts_with("perl") && line.find("holdfast-test-of-a-kill") != line.npos;
    }
    return count;
  };
  constexpr useconds_t a_while = 20'000;
  // They come and go.
  std::size_t seen = 0;
  for (int i = 0; i < 500 && seen == 0; ++i) {
    seen = guests();
    usleep(a_while);
  }
  EXPECT_GT(seen, 0u);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  for (int i = 0; i < 500 && guests() != 0; ++i) usleep(a_while);
  EXPECT_EQ(guests(), 0u);
}

}  // namespace
}  // namespace holdfast::process
