// Programs of Perl for tests, whose smallest package is in every Debian.
#pragma once

#include <string>
#include <vector>

#include "sim/guest/alike_test.hpp"
#include "sim/process/program.hpp"

namespace holdfast::process {

// Its functions: ask() sends a command and returns the reply; undef: none, or nil.
inline const std::string speaks_redis = R"(
use IO::Socket::INET;
my $server;
sub ask {
  $server //= IO::Socket::INET->new(PeerAddr => '127.0.0.1:6379') or return undef;
  print $server join '', '*' . @_ . "\r\n", map { '$' . length . "\r\n$_\r\n" } @_;
  my $line = <$server>;
  if (!defined $line) { undef $server; $lost = 1; return undef; }
  return undef if $line =~ /^\$-1/;
  $line =~ s/^[+:]|\r\n$//g;
  return $line;
}
sub say_ { syswrite STDOUT, "@_\n" }
)";

// The protocol of the lock `token`.
inline const std::string token_lock = R"(
my $token;
sub acquire {
  my $mine = sprintf '%08x%08x', rand 2**32, rand 2**32;
  local $lost = 0;
  my $reply = ask('SET', $_[0], $mine, 'PX', $ENV{HOLDFAST_TTL_MS}, 'NX');
  return say_('failed', 'lost') if $lost;
  return say_('refused') unless $reply;
  $token = $mine;
  say_('granted', $token, $ENV{HOLDFAST_TTL_MS});
}
sub release {
  local $lost = 0;
  my $reply = ask('EVAL', "if redis.call('GET', KEYS[1]) == ARGV[1] then "
    . "return redis.call('DEL', KEYS[1]) else return 0 end", 1, $_[0], $token);
  say_($lost ? 'unknown' : $reply ? 'released' : 'not-held');
}
)";

inline const std::string serves = R"(
while (sysread STDIN, my $line, 4096) {
  my ($word, $key) = split ' ', $line;
  $word eq 'acquire' ? acquire($key) : release($key);
}
)";

inline const std::string forks = R"(
$SIG{CHLD} = 'IGNORE';
say_('zygote');
while (1) { sysread(STDIN, my $line, 4096) or exit; last if fork == 0 }
srand;
)";

inline std::vector<std::string> bare_environment() { return {"PATH=/usr/bin:/bin"}; }

// A program of Perl; nothing may be left of it.
class Perl {
 public:
  explicit Perl(const std::string& text)
      : program_({.id = "perl", .words = {"perl", "-e", speaks_redis + text}, .summary = "a program"},
                 bare_environment()) {}
  Program& operator*() { return program_; }
  Program* operator->() { return &program_; }

 private:
  Program program_;
};

inline Exploration explored_on_time(const Card& card, Fault fault) {
  Comparison comparison = planted::one_attempt();
  comparison.explore.states_max = 20'000;
  return explore(planted::on_time(scenario_of(comparison, card, fault)), card, Budget());
}

// Why a program cannot be explored; empty: it can.
inline std::string problem_of(const std::string& text) {
  Perl program(text);
  try {
    explored_on_time(program->card(), Fault::none);
  } catch (const guest::Unusable& why) {
    return why.what();
  }
  return {};
}

}  // namespace holdfast::process
