// What was learnt of programs, as locks that need no program.
#include "sim/cli/tables.hpp"

#include <gmock/gmock-matchers.h>

#include <ostream>
#include <regex>

#include "sim/cli/program_test.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

struct Shipped {
  std::string_view name;
  std::string_view card = "token";
  std::vector<std::pair<std::string, std::string>> params = {};
  // Without a timeout of its own a program waits as long as something comes; the transcription does so then.
  Duration timeout = 20s;
};

void PrintTo(const Shipped& it, std::ostream* out) { *out << it.name; }

class ShippedTable : public testing::TestWithParam<Shipped> {};

// Held to what is written in C++ where no library is installed, too.
TEST_P(ShippedTable, BehavesAsItsCardUnderEveryFault) {
  const Shipped& it = GetParam();
  const Card& table =
      table_in(HOLDFAST_SOURCE_DIR "/algorithms/guests/" + std::string(it.name) + ".histories.json");
  const Card& card = *algorithms::find(it.card);
  Comparison comparison = planted::one_attempt();
  comparison.given_ttl = 4s;
  comparison.driver_retries = 0;  // the driver is a part of the program
  comparison.timing.timeout = it.timeout;
  for (const Fault fault : planted::faults_to_explore()) {
    const Exploration real = planted::explored(table, fault, comparison);
    const Exploration transcribed = planted::explored(card, fault, comparison, Engine::snapshots, it.params);
    ASSERT_EQ(real.properties.size(), transcribed.properties.size());
    for (std::size_t i = 0; i < real.properties.size(); ++i) {
      const PropertyResult& is = real.properties[i];
      const PropertyResult& said = transcribed.properties[i];
      EXPECT_EQ(is.verdict, said.verdict) << id_of(fault) << ", " << id_of(is.property);
      ASSERT_EQ(is.counterexample.has_value(), said.counterexample.has_value());
      if (is.counterexample) {
        EXPECT_EQ(is.counterexample->steps, said.counterexample->steps) << id_of(fault);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Tables, ShippedTable,
    testing::Values(Shipped{"ioredis"}, Shipped{"phpredis"}, Shipped{"redigo"}, Shipped{"redis_pl"},
                    Shipped{"redis_rb", "token", {}, 5s},
                    Shipped{"redis_py", "redis-py", {{"blocking", "no"}, {"scripts", "registered"}}}),
    [](const auto& info) { return std::string(info.param.name); });

// Its value has bytes that are no letters.
constexpr const char* speaks = R"(
use IO::Socket::INET;
my $server = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => 6379);
sub ask {
  print $server "*", scalar @_, "\r\n", map { "\$" . length($_) . "\r\n$_\r\n" } @_;
  return <$server> // "";
}
while (sysread STDIN, my $line, 4096) {
  my ($word, $key) = split " ", $line;
  my $yes = $word eq "acquire" ? ask("SET", $key, "\xff\x80\x01", "NX", "PX", 4000) eq "+OK\r\n"
                               : ask("DEL", $key) eq ":1\r\n";
  my @words = $word eq "acquire" ? ("refused", "granted mine") : ("not-held", "released");
  syswrite STDOUT, "$words[$yes ? 1 : 0]\n";
}
)";

class Tables : public Program {};

TEST_F(Tables, DecideWhatTheProgramDoesWhereItIsNot) {
  if (std::system("perl -MIO::Socket::INET -e1 2>/dev/null") != 0) GTEST_SKIP() << "skipped: no perl";
  write("lock.pl", speaks);
  const std::string bounds = " --attempts 1 --faults none,pause --format json ";
  const Outcome learnt = run("check --guest \"perl lock.pl\" --learn lock.histories.json" + bounds);
  EXPECT_EQ(learnt.code, 1) << learnt.err;
  std::filesystem::remove(path("lock.pl"));
  const Outcome known = run("check lock.histories.json" + bounds);
  EXPECT_EQ(known.code, 1) << known.err;
  const Json before = Json::parse(learnt.out)["cells"];
  const Json after = Json::parse(known.out)["cells"];
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i)
    for (const char* const field : {"fault", "property", "verdict", "states", "trace_length"})
      EXPECT_EQ(before[i][field], after[i][field]) << before[i];
  // The abort of a call that is cancelled is told where nothing can be thrown.
  for (const char* const more : {"none --attempts 2", "cancel --attempts 1"}) {
    const Outcome beyond = run(std::string("check lock.histories.json --faults ") + more);
    EXPECT_EQ(beyond.code, 65) << more;
    EXPECT_THAT(beyond.err, HasSubstr("lock.histories.json ends here"));
    EXPECT_EQ(std::count(beyond.err.begin(), beyond.err.end(), '\n'), 1) << beyond.err;
  }
}
TEST_F(Tables, ShowABugThatIsPlantedInWhatWasLearnt) {
  std::ostringstream text;
  text << std::ifstream(HOLDFAST_SOURCE_DIR "/algorithms/guests/redis_rb.histories.json").rdbuf();
  write("good.histories.json", text.str());
  write("bad.histories.json", std::regex_replace(text.str(), std::regex("\"not-held\""), "\"released\""));
  const std::string bounds = ".histories.json --faults pause --attempts 1 --properties truthful-release";
  EXPECT_EQ(run("check good" + bounds).code, 0);
  EXPECT_EQ(run("check bad" + bounds).code, 1);
}
TEST_F(Tables, ThatAreWrongAreRefusedInOneLine) {
  const auto expect_refused = [this](const std::string& text, const std::string& part) {
    write("x.histories.json", text);
    const Outcome outcome = run("check x.histories.json");
    EXPECT_EQ(outcome.code, 65) << text << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(part));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  };
  const std::string head = R"({"schema": "holdfast/histories/1", "summary": "", "time-told": )";
  const std::string first = R"({"id": "a", "after": "", "told": "begin", "does": []})";
  expect_refused("{}", "the histories of a program");
  expect_refused(head + R"("later", "histories": []})", "\"later\" is unknown");
  expect_refused(head + R"("wall"})", "histories");
  expect_refused(head + R"("wall", "histories": [{"id": "a", "after": "b", "told": "", "does": []}]})",
                 "there is no history \"b\" before it");
  expect_refused(head + R"("wall", "histories": [)" + first + "," + first + "]}", "there are two histories");
  expect_refused(head + R"("wall", "histories": [{"id": 1, "after": "", "told": "", "does": []}]})",
                 "string");
}
TEST_F(Tables, AreLearntOfProgramsOnly) {
  const Outcome card = run("check token --learn x.histories.json");
  EXPECT_EQ(card.code, 64);
  EXPECT_THAT(card.err, HasSubstr("token is no program"));
  const Outcome name = run("check --guest cat --learn x.json");
  EXPECT_EQ(name.code, 64);
  EXPECT_THAT(name.err, HasSubstr("its name ends with .histories.json"));
}

}  // namespace
}  // namespace holdfast::cli
