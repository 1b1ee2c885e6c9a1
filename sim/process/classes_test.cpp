// Programs for which times stand for others: what they do after their own times is found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>

#include "sim/guest/twins.hpp"
#include "sim/process/perl_test.hpp"

namespace holdfast::process {
namespace {

using guest::TimeToTell;

// It knows when it began and how long the reply took; BODY may say that the lock is its own.
std::string clocked(const std::string& body) {
  std::string text = R"(
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC time);
my ($token, $refused_at);
sub now_ { clock_gettime(CLOCK_MONOTONIC) }
sub acquire {
  my $mine = sprintf '%08x%08x', rand 2**32, rand 2**32;
  local $lost = 0;
  my $begin = now_;
  my @set = ('SET', $_[0], $mine, 'PX', $ENV{HOLDFAST_TTL_MS}, 'NX');
  my $is_mine = defined ask(@set);
  return say_('failed', 'lost') if $lost;
  my $took = now_() - $begin;
  BODY
  return say_('failed', 'lost') if $lost;
  return say_('refused') unless $is_mine;
  $token = $mine;
  say_('granted', $token, $ENV{HOLDFAST_TTL_MS});
}
)";
  text.replace(text.find("BODY"), 4, body);
  return text + token_lock.substr(token_lock.find("sub release")) + forks + serves;
}

struct Found {
  Exploration exploration;
  guest::Histories::Statistics statistics;
  TimeToTell told = TimeToTell::nothing;
  Verdict exclusion() const { return planted::result_of(exploration, Property::mutual_exclusion).verdict; }
};

Found explored(Program& program, bool tells_every_time, Fault fault, std::uint32_t attempts,
               bool is_on_time) {
  if (tells_every_time) program.tell_every_time();
  Comparison comparison = planted::one_attempt();
  comparison.attempts = attempts;
  for (;;) {
    try {
      Scenario scenario = scenario_of(comparison, program.card(), fault);
      if (is_on_time) scenario = planted::on_time(std::move(scenario));
      Exploration exploration = explore(scenario, program.card(), Budget());
      return {std::move(exploration), program.statistics(), program.time_to_tell()};
    } catch (const guest::TimeMatters&) {
      if (!program.tell_more_time()) throw;
    }
  }
}

Found explored(const std::string& text, bool tells_every_time, std::uint32_t attempts = 1) {
  Perl program(text);
  return explored(*program, tells_every_time, Fault::none, attempts, true);
}

void expect_same_outcome(const Found& one, const Found& other) {
  EXPECT_EQ(guest::outcome_of(one.exploration), guest::outcome_of(other.exploration));
}

// It refuses what it was granted too late, and says nothing else of the time: one history for each reply, and
// one more that comes too late. All were told with their own times.
TEST(Classes, OfAProgramThatOnlyComparesAreFew) {
  const std::string late = clocked("$is_mine = 0 if $took > 1.5;");
  const Found few = explored(late, false, 2);
  const Found all = explored(late, true, 2);
  expect_same_outcome(few, all);
  EXPECT_EQ(few.told, TimeToTell::elapsed);
  EXPECT_LT(few.exploration.states * 2, all.exploration.states);
  EXPECT_LT(few.statistics.histories * 3, all.statistics.histories);
  EXPECT_GT(few.statistics.stood_for, 0u);
  EXPECT_GT(few.statistics.confirmed, 0u);
  EXPECT_EQ(few.statistics.confirmed, few.statistics.to_confirm);
  EXPECT_EQ(all.statistics.stood_for, 0u);
}

struct Planted {
  const char* name;
  const char* body;
  TimeToTell told = TimeToTell::elapsed;
};
void PrintTo(const Planted& it, std::ostream* out) { *out << it.name; }

class PlantedClock : public testing::TestWithParam<Planted> {};

// A refused client says that the lock is its own, after times that stand for no other.
TEST_P(PlantedClock, IsFoundInAsManyStepsAsWithEveryTime) {
  const Found found = explored(clocked(GetParam().body), false);
  EXPECT_EQ(found.exclusion(), Verdict::violated);
  EXPECT_EQ(found.told, GetParam().told);
  expect_same_outcome(found, explored(clocked(GetParam().body), true));
}

INSTANTIATE_TEST_SUITE_P(
    Programs, PlantedClock,
    testing::Values(Planted{"OnlyBetweenTwoReadings", "$is_mine = 1 if $took > 0.9 && $took < 1.1;"},
                    Planted{"OnlyByItsSecondLook",
                            "ask('GET', 'other');"
                            "$is_mine = 1 if abs($took - 1) < 0.1 && abs(now_() - $begin - 2) < 0.1;"},
                    Planted{
                        "OnlyAfterALongThirdAttempt",
                        "for (2, 3) { next if $is_mine || $lost; $begin = now_; $is_mine = defined ask(@set);"
                        "             $took = now_() - $begin }"
                        "ask('GET', 'other') unless $is_mine;"
                        "$is_mine = 1 if $took > 0.9;"},
                    Planted{"ByATimeThatItWroteAndReadBack",
                            "ask('SET', 'at', int time);"
                            "my $at = ask('INCRBY', 'at', 0);"
                            "$is_mine = 1 if !$lost && abs(time - $at - 1) < 0.1;",
                            TimeToTell::wall}),
    [](const auto& info) { return std::string(info.param.name); });

// It would do the same a second and an hour later, and is told the time all the same.
TEST(Classes, AreFoundInAProgramThatSeemsToIgnoreItsClock) {
  const std::string picky = clocked(
      "ask('GET', 'other');"
      "$is_mine = 1 if $took < 0.1 && abs(now_() - $begin - 2) < 0.1;");
  const auto found = [&](bool is_told_time) {
    Program program({.id = "perl",
                     .words = {"perl", "-e", speaks_redis + picky},
                     .summary = "a program",
                     .is_told_time = is_told_time},
                    bare_environment());
    return explored(program, false, Fault::none, 1, true);
  };
  const Found seldom = found(false);
  EXPECT_EQ(seldom.told, TimeToTell::nothing);
  EXPECT_TRUE(seldom.statistics.looks);
  EXPECT_EQ(found(true).exclusion(), Verdict::violated);
}

// At the earliest time, which stands for others, it would take what is not its own; but nobody asks again at
// once.
TEST(Classes, AreGivenUpWhereOnlyATimeThatStandsForOthersBreaksAProperty) {
  const std::string hasty = clocked(
      "$is_mine = 1 if !$is_mine && defined $refused_at && $begin - $refused_at < 0.5;"
      "$refused_at = now_ unless $is_mine;");
  const Found found = explored(hasty, false, 2);
  EXPECT_EQ(found.exclusion(), Verdict::holds);
  expect_same_outcome(found, explored(hasty, true, 2));
}

// Asks two servers at once, and knows in which order they answered; BODY may say that the lock is its own.
std::string asks_both(const std::string& body) {
  std::string text = R"(
use IO::Select;
my (@servers, $token);
sub ask_all {
  for my $i (0, 1) {
    $servers[$i] //= IO::Socket::INET->new(PeerAddr => '127.0.0.1:' . (6379 + $i));
    syswrite $servers[$i], join '', '*' . @_ . "\r\n", map { '$' . length . "\r\n$_\r\n" } @_;
  }
  my ($waits, $good, @order) = (IO::Select->new(@servers), 0);
  while ($waits->count) {
    for my $one ($waits->can_read) {
      my ($i) = grep { $servers[$_] == $one } 0, 1;
      sysread $one, my $reply, 4096;
      ++$good if $reply =~ /^(\+OK|:1)/;
      push @order, $i;
      $waits->remove($one);
    }
  }
  return ($good, "@order");
}
sub acquire {
  my $mine = sprintf '%08x%08x', rand 2**32, rand 2**32;
  my ($good, $order) = ask_all('SET', $_[0], $mine, 'PX', $ENV{HOLDFAST_TTL_MS}, 'NX');
  $token = $mine;
  my $is_mine = $good == 2;
  my ($gave, $then) = $is_mine ? () : give_back($_[0]);
  BODY
  $is_mine ? say_('granted', $token, $ENV{HOLDFAST_TTL_MS}) : say_('refused');
}
sub give_back {
  ask_all('EVAL', "if redis.call('GET', KEYS[1]) == ARGV[1] then "
    . "return redis.call('DEL', KEYS[1]) else return 0 end", 1, $_[0], $token);
}
sub release { say_((give_back($_[0]))[0] == 2 ? 'released' : 'not-held') }
)";
  text.replace(text.find("BODY"), 4, body);
  return text + forks + serves;
}

Found explored_on_two(const std::string& body, bool tells_every_time, std::uint32_t attempts) {
  Program program(
      {.id = "perl", .words = {"perl", "-e", speaks_redis + asks_both(body)}, .summary = "it", .nodes = 2},
      bare_environment());
  return explored(program, tells_every_time, Fault::none, attempts, true);
}

// Without a clock. Each call asks both servers, and two orders of their replies stand for each other.
TEST(Orders, OfAProgramThatWaitsForAllAreOne) {
  const Found one = explored_on_two("", false, 1);
  const Found all = explored_on_two("", true, 1);
  expect_same_outcome(one, all);
  EXPECT_EQ(one.told, TimeToTell::nothing);
  EXPECT_EQ(one.exclusion(), Verdict::holds);
  EXPECT_LT(one.exploration.states * 2, all.exploration.states);
  EXPECT_LT(one.statistics.histories * 2, all.statistics.histories);
  EXPECT_GT(one.statistics.joint, 0u);
  EXPECT_GT(one.statistics.confirmed, 0u);
  EXPECT_EQ(one.statistics.confirmed, one.statistics.to_confirm);
  EXPECT_EQ(all.statistics.joint, 0u);
}

// A refused client says that the lock is its own, after replies in one order alone; and only if those to its
// second request came in one order, too.
TEST(Orders, ThatAreMisusedAreFound) {
  for (const char* const body : {"$is_mine = 1 if $good == 0 && $order eq '1 0';",
                                 "$is_mine = 1 if $good == 0 && $order eq '1 0' && $then eq '1 0';"}) {
    const Found found = explored_on_two(body, false, 1);
    EXPECT_EQ(found.exclusion(), Verdict::violated) << body;
    expect_same_outcome(found, explored_on_two(body, true, 1));
  }
}

// The shipped client, whose lease is as long as time has left of it: one history for each lease.
TEST(Classes, OfRedlockInCSayWhatAllOfItsHistoriesSay) {
  const std::string driver = HOLDFAST_BINARY_DIR "/redlock_driver";
  const std::string made = "cc -o " + driver + " " HOLDFAST_SOURCE_DIR "/algorithms/guests/redlock.c";
  if (std::system((made + " >/dev/null 2>&1").c_str()) != 0)
    GTEST_SKIP() << "skipped: this does not succeed: " << made;
  for (const Fault fault : {Fault::none, Fault::lost_reply, Fault::pause}) {
    Program first({.id = "redlock-c", .words = {driver}, .summary = "a program"}, bare_environment());
    Program second({.id = "redlock-c", .words = {driver}, .summary = "a program"}, bare_environment());
    const Found few = explored(first, false, fault, 1, false);
    const Found all = explored(second, true, fault, 1, false);
    expect_same_outcome(few, all);
    EXPECT_EQ(few.exclusion(), fault == Fault::pause ? Verdict::violated : Verdict::holds) << id_of(fault);
    EXPECT_LT(few.exploration.states, all.exploration.states) << id_of(fault);
    EXPECT_LT(few.statistics.histories, all.statistics.histories) << id_of(fault);
    EXPECT_GT(few.statistics.confirmed, 0u) << id_of(fault);
    EXPECT_EQ(few.statistics.confirmed, few.statistics.to_confirm) << id_of(fault);
  }
}

}  // namespace
}  // namespace holdfast::process
