// What a guest sees of itself and of its machine, and what its user is told of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "sim/process/clocks.hpp"
#include "sim/process/keeper.hpp"
#include "sim/process/perl_test.hpp"
#include "sim/process/session.hpp"

namespace holdfast::process {
namespace {

using guest::Told;
using testing::HasSubstr;
using testing::MatchesRegex;

// Its answers to `acquire`, of a run with this chance.
std::string says(const std::string& expression, std::uint64_t chance) {
  Perl program("sub acquire { say_('granted', " + expression + ") }" + serves);
  std::string said;
  Keeper::instance().run([&] {
    ProcessSession session(*program, chance, false);
    session.tell({.number = 1, .words = {"ttl", "4000000us"}});
    said = session.tell({.kind = Told::Kind::acquire, .party = 1, .words = {"key", "exclusive"}})
               .effects.back()
               .text;
  });
  return said;
}

// --- who it is ---

TEST(Outside, EachProcessIsAnotherOneOnAnotherMachineAndTheSameWhenItIsAskedAgain) {
  const std::string reads = "do { local $/; open my $f, '<', '/";
  const std::string without_end = "'; my $t = <$f>; $t =~ s/\\s+$//; $t }";
  constexpr const char* gettid = "syscall(186)";
  for (const std::string& who :
       {std::string("$$"), std::string(gettid), std::string("do { use POSIX; (POSIX::uname())[1] }"),
        std::string("readlink('/proc/self')"), reads + "etc/machine-id" + without_end,
        reads + "proc/sys/kernel/random/boot_id" + without_end,
        reads + "sys/class/net/lo/address" + without_end,
        "(split ' ', " + reads + "proc/self/stat" + without_end + ")[21]"}) {
    const std::string one = says(who, 0);
    EXPECT_NE(one, "") << who;
    EXPECT_NE(one, says(who, 1)) << who;
    EXPECT_NE(one, says(who, std::uint64_t{1} << 32)) << who;
    EXPECT_EQ(one, says(who, 0)) << who;
  }
}
TEST(Outside, WhatAProcessIsCalledAgrees) {
  EXPECT_EQ(says("$$ == syscall(186) && $$ == readlink('/proc/self') && kill(0, $$) ? 'yes' : 'no'", 5),
            "yes");
  EXPECT_EQ(says("do { open my $f, '<', \"/proc/$$/stat\"; <$f> =~ /^$$ / ? 'yes' : 'no' }", 5), "yes");
}
// A client that takes the key of one that was evicted has another number: the release of the first deletes
// nothing.
TEST(Outside, ATokenOfHostAndProcessIsItsOwnersAlone) {
  std::string named = token_lock;
  const std::string random = "sprintf '%08x%08x', rand 2**32, rand 2**32";
  named.replace(named.find(random), random.size(), "do { use POSIX; (POSIX::uname())[1] . \":$$\" }");
  Perl program(named + serves);
  const Exploration found = explored_on_time(program->card(), Fault::eviction);
  for (const Property property : {Property::owner_only_release, Property::truthful_release})
    EXPECT_EQ(planted::result_of(found, property).verdict, Verdict::holds);
}
TEST(Outside, AFixedTokenIsStillNotItsOwnersAlone) {
  std::string fixed = token_lock;
  const std::string random = "sprintf '%08x%08x', rand 2**32, rand 2**32";
  fixed.replace(fixed.find(random), random.size(), "'mine'");
  Perl program(fixed + serves);
  EXPECT_EQ(
      planted::result_of(explored_on_time(program->card(), Fault::eviction), Property::owner_only_release)
          .verdict,
      Verdict::violated);
}

// --- signals ---

TEST(Outside, ASignalToItselfEndsAGuestAsAnywhere) {
  const auto sends = [](const std::string& name) {
    return problem_of("sub acquire { kill '" + name + "', $$; say_('refused') }" + serves);
  };
  EXPECT_THAT(sends("SEGV"), HasSubstr("it was killed by SIGSEGV"));
  EXPECT_THAT(sends("TERM"), HasSubstr("it was killed by SIGTERM"));
  EXPECT_EQ(sends("WINCH"), "");
  EXPECT_EQ(problem_of("$SIG{TERM} = sub { $is_told = 1 };"
                       "sub acquire { kill 'TERM', $$; die unless $is_told; say_('refused') }" +
                       serves),
            "");
}
// What is pressed at a terminal goes to its foreground process group.
TEST(Outside, AGuestHasASessionOfItsOwn) {
  EXPECT_EQ(says("do { use POSIX; POSIX::getpgrp() == 1 ? 'own' : 'of its supervisor' }", 0), "own");
}

// As a terminal sends it, while the program computes for ever.
TEST(Outside, AnInterruptDoesNotWaitForTheProgram) {
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) close(stream);
    execlp((std::string(HOLDFAST_BINARY_DIR) + "/holdfast").c_str(), "holdfast", "check", "--guest",
           "perl -e 'while (sysread STDIN, my $l, 99) { 1 while 1 }'", nullptr);
    _exit(127);
  }
  constexpr useconds_t a_second = 1'000'000;
  usleep(a_second);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(kill(-child, SIGINT), 0);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 12s);
}

// --- clocks ---

TEST(Outside, AWaitUntilATimeLastsAsLongAsThereIsUntilThen) {
  GuestClock clock;
  clock.now = 3 * second;
  const Ns before = clock.shown(ClockKind::steady);
  clock.slack = 50 * microsecond;
  const Ns after = clock.shown(ClockKind::steady);
  EXPECT_EQ(clock.until(ClockKind::steady, after + 86'400 * second), 86'400 * second);
  EXPECT_EQ(clock.until(ClockKind::steady, before + second), second);
  EXPECT_LE(clock.until(ClockKind::steady, before), 0);
  // Slack is gone when as much time has passed.
  clock.now += second;
  clock.settle(3 * second);
  EXPECT_EQ(clock.slack, 0);
}
// Another thread looks at the clock meanwhile, now more often and now less.
TEST(Outside, LooksAtAClockDoNotShortenAWaitUntilATime) {
  const std::string waits = R"(
use Time::HiRes qw(clock_gettime clock_nanosleep CLOCK_MONOTONIC TIMER_ABSTIME);
sub acquire {
  my $begin = clock_gettime(CLOCK_MONOTONIC);
  clock_gettime(CLOCK_MONOTONIC) for 1 .. 300;
  clock_nanosleep(CLOCK_MONOTONIC, int(($begin + 5) * 1e9 + 0.5), TIMER_ABSTIME);
  say_('refused');
}
)";
  Perl program(waits + serves);
  Keeper::instance().run([&] {
    ProcessSession session(*program, 0, false);
    session.tell({.number = 1, .words = {"ttl", "4000000us"}});
    const guest::Action did =
        session.tell({.kind = Told::Kind::acquire, .party = 1, .words = {"key", "exclusive"}});
    ASSERT_EQ(did.effects.size(), 1u);
    EXPECT_EQ(did.effects[0].duration, 5s);
  });
}
TEST(Outside, WhoWaitsForTheClockInALoopIsToldSoSoon) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(problem_of("sub acquire { my $end = time + 1; 1 while time < $end; say_('refused') }" + serves),
              HasSubstr("it waits for its clock in a loop"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 15s);
}

// --- servers ---

TEST(Outside, AProgramThatNeverConnectsIsToldWhatItTried) {
  const auto connects = [](const std::string& how) {
    return problem_of("sub acquire { " + how + "; say_('failed', 'no way') } sub release {}" + serves);
  };
  EXPECT_THAT(connects("use IO::Socket::UNIX; IO::Socket::UNIX->new('/run/redis.sock')"),
              HasSubstr("it never connected to a server, and says \"failed no way\"; it tried a unix socket "
                        "(/run/redis.sock); its server is at 127.0.0.1:6379"));
  EXPECT_THAT(connects("use Socket; socket(my $s, AF_INET6, SOCK_STREAM, 0)"), HasSubstr("it tried IPv6"));
  EXPECT_THAT(connects("gethostbyname('redis.example.org')"), HasSubstr("it tried a name to look up"));
  EXPECT_THAT(connects("1"), HasSubstr("it tried nothing"));
}
TEST(Outside, TlsIsNamed) {
  EXPECT_THAT(problem_of("sub acquire { ask('SET'); }" + speaks_redis +
                         "sub acquire { my $s = IO::Socket::INET->new(PeerAddr => '127.0.0.1:6379');"
                         "syswrite $s, \"\\x16\\x03\\x01\\x02\\x00\\x01\\x00\"; <$s> }" +
                         serves),
              HasSubstr("it speaks TLS"));
}

}  // namespace
}  // namespace holdfast::process
