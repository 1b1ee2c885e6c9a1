// Programs of any language on the command line, and the files that describe them.
#include <gmock/gmock-matchers.h>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

// Takes the key on every server that it is told of, and never says otherwise.
constexpr const char* on_all_servers = R"(
use IO::Socket::INET;
$ENV{GREETING} eq "hello" or die;
my @servers = map { IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => 6378 + $_) }
              1 .. $ENV{HOLDFAST_NODES} // 1;
sub ask {
  my $server = shift or return "";
  print $server "*", scalar @_, "\r\n", map { "\$" . length($_) . "\r\n$_\r\n" } @_;
  return <$server> // "";
}
while (sysread STDIN, my $line, 4096) {
  my ($word, $key) = split " ", $line;
  my $all = 1;
  for my $server (@servers) {
    $all &= $word eq "acquire" ? ask($server, "SET", $key, $$, "NX", "PX", $ENV{HOLDFAST_TTL_MS}) eq "+OK\r\n"
                               : ask($server, "DEL", $key) eq ":1\r\n";
  }
  my $yes = $word eq "acquire" ? "granted $$" : "released";
  syswrite STDOUT, ($all ? $yes : $word eq "acquire" ? "refused" : "not-held") . "\n";
}
)";

class Programs : public Program {
 protected:
  void SetUp() override {
    if (std::system("perl -MIO::Socket::INET -e1 2>/dev/null") != 0) GTEST_SKIP() << "skipped: no perl";
    std::filesystem::create_directory(path("locks"));
    write("locks/all.pl", on_all_servers);
  }
};

TEST_F(Programs, AFileSaysHowAProgramIsRunAndStandsWhereALocksNameDoes) {
  write("locks/all.guest.json",
        R"({"command": "perl all.pl", "summary": "all servers", "nodes": 2,
            "environment": {"GREETING": "hello"}})");
  const Outcome check =
      run("check locks/all.guest.json --faults pause --attempts 1 --properties mutual-exclusion");
  EXPECT_EQ(check.code, 1) << check.err;
  EXPECT_THAT(check.out, HasSubstr("redis-2"));
  EXPECT_THAT(check.out, Not(HasSubstr("redis-3")));
  const Outcome replay = run("replay holdfast-out/locks-all.guest.json+pause+mutual-exclusion.trace.json");
  EXPECT_EQ(replay.code, 0) << replay.err;
  EXPECT_THAT(replay.out, HasSubstr("mutual-exclusion is violated"));
  const Outcome one = run("check ./locks/all.guest.json --faults none --attempts 1 --param nodes=1");
  EXPECT_THAT(one.out, Not(HasSubstr("redis-2")));
  const Outcome explain = run("explain locks/all.guest.json");
  EXPECT_THAT(explain.out, HasSubstr("nodes = 2"));
  const Outcome beside =
      run("compare --only token,locks/all.guest.json --faults none --attempts 1 --format json");
  EXPECT_THAT(beside.out, HasSubstr("\"algorithm\": \"locks/all.guest.json\"")) << beside.err;
}
TEST_F(Programs, TheDoctorSaysWhichCallsItMakes) {
  write("locks/all.guest.json", R"({"command": ["perl", "all.pl"], "environment": {"GREETING": "hello"}})");
  const Outcome doctor = run("doctor locks/all.guest.json");
  EXPECT_EQ(doctor.code, 0) << doctor.err;
  EXPECT_THAT(doctor.out, HasSubstr("can be explored"));
  EXPECT_THAT(doctor.out, HasSubstr("connect"));
}
TEST_F(Programs, ACommandMayEndAsAFileForNginxDoes) {
  write("locks/my.lua", R"(
while (sysread STDIN, my $line, 99) { syswrite STDOUT, $line =~ /^a/ ? "refused\n" : "not-held\n" })");
  const Outcome check = run("check --guest=perl\\ locks/my.lua --faults none --attempts 1");
  EXPECT_EQ(check.err.find("No such file"), std::string::npos) << check.err;
  EXPECT_THAT(check.out, HasSubstr("was not granted the lock"));
}
TEST_F(Programs, ATerminalIsSentNothingThatItWouldActUpon) {
  write("locks/raw.pl", R"(while (sysread STDIN, my $l, 99) { syswrite STDOUT, "\e[31m\xff\n" })");
  const Outcome check = run("check --guest=perl\\ locks/raw.pl");
  EXPECT_EQ(check.code, 65);
  EXPECT_THAT(check.err, HasSubstr("it says \"\\x1b[31m\\xff\""));
}
TEST_F(Programs, AFileThatIsWrongIsRefusedInOneLine) {
  const auto expect_refused = [this](const std::string& text, int code, const std::string& part) {
    write("x.guest.json", text);
    const Outcome outcome = run("check x.guest.json");
    EXPECT_EQ(outcome.code, code) << text << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(part));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  };
  expect_refused("{", 65, "x.guest.json:1:2: error: not JSON");
  expect_refused("[]", 65, "is no object");
  expect_refused("{}", 65, "has no \"command\"");
  expect_refused(R"({"comand": "a"})", 65, "did you mean \"command\"");
  expect_refused(R"({"command": 1})", 65, "is a text");
  expect_refused(R"({"command": "'a"})", 65, "a quote is not closed");
  expect_refused(R"({"command": "a", "nodes": 0})", 65, "a number from 1 to 32");
  expect_refused(R"({"command": "a", "environment": {"A": 1}})", 65, "\"environment.A\" is a text");
  expect_refused(R"({"command": "no-such-program-here"})", 65, "no-such-program-here");
  const Outcome missing = run("check missing.guest.json");
  EXPECT_EQ(missing.code, 66);
}

}  // namespace
}  // namespace holdfast::cli
