// Programs that look at clocks: what they have to be told, and when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/guest/twins.hpp"
#include "sim/process/perl_test.hpp"

namespace holdfast::process {
namespace {

using guest::TimeToTell;

const std::string clocks = "use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC time);";

// It gives up a lock that it was granted too late, by this clock.
std::string late_lock(const std::string& now) {
  std::string late = token_lock;
  const std::string ask = "local $lost = 0;";
  late.replace(late.find(ask), ask.size(), ask + " my $begin = " + now + ";");
  const std::string granted = "$token = $mine;";
  late.replace(late.find(granted), granted.size(),
               granted + " return say_('refused', 'late') if " + now + " - $begin > 0.4;");
  return clocks + late;
}

// Told more until it is told enough.
Exploration explored_with_time(Program& program, Fault fault) {
  for (;;) {
    try {
      return explored_on_time(program.card(), fault);
    } catch (const guest::TimeMatters&) {
      if (!program.tell_more_time()) throw;
    }
  }
}

TEST(Reading, AProgramIsToldWhatItLooksFor) {
  const auto told = [](const std::string& text) {
    Perl program(text + forks + serves);
    explored_with_time(*program, Fault::none);
    return program->time_to_tell();
  };
  EXPECT_EQ(told(token_lock), TimeToTell::nothing);
  EXPECT_EQ(told(late_lock("clock_gettime(CLOCK_MONOTONIC)")), TimeToTell::elapsed);
  // How long something took it knows from either clock.
  EXPECT_EQ(told(late_lock("time()")), TimeToTell::elapsed);
  std::string says_when = token_lock;
  const std::string mine = "my $mine = ";
  says_when.replace(says_when.find(mine), mine.size(), mine + "time() . ");
  EXPECT_EQ(told(clocks + says_when), TimeToTell::wall);
}

// It is told the time at each step because it looks at each, and does the same.
TEST(Reading, AStepWithoutALookIsTheSameWheneverItHappens) {
  const std::string looks_at_release = R"(
my $granted_at;
sub acquire {
  my $mine = sprintf '%08x%08x', rand 2**32, rand 2**32;
  local $lost = 0;
  LOOK
  my $reply = ask('SET', $_[0], $mine, 'PX', $ENV{HOLDFAST_TTL_MS}, 'NX');
  LOOK
  return say_('failed', 'lost') if $lost;
  return say_('refused') unless $reply;
  $granted_at = clock_gettime(CLOCK_MONOTONIC);
  $token = $mine;
  say_('granted', $token, $ENV{HOLDFAST_TTL_MS});
}
sub release {
  local $lost = 0;
  return say_('not-held') if clock_gettime(CLOCK_MONOTONIC) - $granted_at > 0.9;
  my $reply = ask('DEL', $_[0]);
  LOOK
  say_($lost ? 'unknown' : $reply ? 'released' : 'not-held');
}
)";
  const auto with = [&](const std::string& look) {
    std::string text = looks_at_release;
    for (std::size_t at = 0; (at = text.find("LOOK")) != text.npos;) text.replace(at, 4, look);
    return clocks + text + forks + serves;
  };
  Perl seldom(with(""));
  Perl always(with("clock_gettime(CLOCK_MONOTONIC);"));
  for (const Fault fault : {Fault::none, Fault::eviction, Fault::lost_reply}) {
    const Exploration one = explored_with_time(*seldom, fault);
    const Exploration other = explored_with_time(*always, fault);
    ASSERT_EQ(one.properties.size(), other.properties.size());
    for (std::size_t i = 0; i < one.properties.size(); ++i) {
      EXPECT_EQ(one.properties[i].verdict, other.properties[i].verdict) << id_of(one.properties[i].property);
      ASSERT_EQ(one.properties[i].counterexample.has_value(), other.properties[i].counterexample.has_value());
    }
    EXPECT_LE(one.states, other.states);
  }
  EXPECT_EQ(seldom->time_to_tell(), TimeToTell::elapsed);
  EXPECT_LT(seldom->statistics().histories, always->statistics().histories);
}

// What it sees at the first look decides whether it looks a second time, at another clock.
TEST(Reading, ALookThatFollowsFromALookIsToldTheTimeToo) {
  const std::string sees_set_clock = R"(
sub acquire {
  local $lost = 0;
  my ($begin, $wall) = (clock_gettime(CLOCK_MONOTONIC), time);
  my $reply = ask('SET', $_[0], my $mine = sprintf('%08x%08x', rand 2**32, rand 2**32), 'PX', 4000, 'NX');
  return say_('failed', 'lost') if $lost;
  return say_('refused') unless $reply;
  $token = $mine;
  my $lease = 4000;
  if (clock_gettime(CLOCK_MONOTONIC) - $begin > 0.4) {
    $lease = 3000;
    my $differ = (time - $wall) - (clock_gettime(CLOCK_MONOTONIC) - $begin);
    return say_('refused', 'the clock was set') if abs($differ) > 0.1;
  }
  say_('granted', $token, $lease);
}
)";
  const std::string release = token_lock.substr(token_lock.find("sub release"));
  Perl program(clocks + "my $token;" + sees_set_clock + release + forks + serves);
  explored_with_time(*program, Fault::clock_jump);
  EXPECT_EQ(program->time_to_tell(), TimeToTell::elapsed);
  std::size_t refusals = 0;
  program->histories().visit([&](guest::Node node, std::string_view) {
    for (const guest::Effect& effect : node->action.effects) refusals += effect.text == "the clock was set";
  });
  EXPECT_GT(refusals, 0u);
}

}  // namespace
}  // namespace holdfast::process
