// Users say what they mean in the words of their library, and are told how to go on.
#include <gmock/gmock-more-matchers.h>

#include <fstream>

#include "sim/cli/param_names.hpp"
#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;

class Names : public Program {};

TEST(NamesOfParameters, AreThoseOfTheLibrary) {
  const auto meant = [](const char* lock, const char* word) {
    return std::string(parameter_meant(*algorithms::find(lock), word).value_or("nothing"));
  };
  EXPECT_EQ(meant("redis-py", "timeout"), "ttl");
  EXPECT_EQ(meant("redis-py", "blocking_timeout"), "blocking-timeout");
  EXPECT_EQ(meant("redsync", "WithExpiry"), "ttl");
  EXPECT_EQ(meant("redsync", "withTries"), "tries");
  EXPECT_EQ(meant("redisson", "lockWatchdogTimeout"), "ttl");
  EXPECT_EQ(meant("redisson", "waitTime"), "wait-time");
  EXPECT_EQ(meant("shedlock", "lockAtMostFor"), "ttl");
  EXPECT_EQ(meant("spring-integration", "expireAfter"), "ttl");
  EXPECT_EQ(meant("resty-lock", "exptime"), "ttl");
  EXPECT_EQ(meant("stackexchange-redis", "expiry"), "ttl");
  // Its lease is another one, and takes another option as well.
  EXPECT_EQ(meant("redisson", "leaseTime"), "nothing");
  EXPECT_EQ(meant("token", "colour"), "nothing");
}

TEST_F(Names, OfTheLibraryStandForParametersInEveryCommand) {
  const Outcome check = run("check redis-py --fault none --attempts 1 --param timeout=10s --format json");
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_EQ(Json::parse(check.out)["bounds"]["ttl"], "10s");
  const Outcome compare =
      run("compare --only redis-py --faults none --attempts 1 --param timeout=10s --format json");
  EXPECT_EQ(Json::parse(compare.out)["bounds"]["ttl"], "10s") << compare.err;
  const Outcome lease = run("check redisson --param leaseTime=3s");
  EXPECT_EQ(lease.code, 64);
  EXPECT_THAT(lease.err,
              AllOf(HasSubstr("no lock here has a parameter \"leaseTime\""),
                    HasSubstr("redisson: ttl is lockWatchdogTimeout; with watchdog=no: leaseTime")));
}

TEST_F(Names, ACheckThatExploresNotEverythingSaysHowToGoOn) {
  const Outcome whole = run("check token --fault crash --attempts 1");
  EXPECT_THAT(whole.out, Not(HasSubstr("\nnext ")));
  const Outcome sample = run("check token --fault crash --runs 10 --width 200");
  EXPECT_THAT(sample.out,
              HasSubstr("Without --runs and --strategy, every schedule is tried: ./holdfast check "
                        "token --faults=crash\n"));
  const Outcome budget = run("check token --fault crash --budget 1ms --width 200");
  EXPECT_EQ(budget.code, 2);
  EXPECT_THAT(
      budget.out,
      HasSubstr("next    Not explored whole under crash. A larger --budget, or none: ./holdfast check "
                "token --faults=crash\n"));
  EXPECT_THAT(run("check token --fault crash --runs 10 --format json").out, Not(HasSubstr("next  ")));
}

TEST_F(Names, OfACitationIsThisVersion) {
  std::ostringstream text;
  text << std::ifstream(HOLDFAST_SOURCE_DIR "/.github/CITATION.cff").rdbuf();
  const std::string version = run("--version").out;
  EXPECT_THAT(text.str(), HasSubstr("\nversion: " + version.substr(version.find(' ') + 1)));
}

TEST_F(Names, TheEndOfAProgramIsNamed) {
  if (std::system("perl -e1 2>/dev/null") != 0) GTEST_SKIP() << "skipped: no perl";
  write("crashes.pl", "sysread STDIN, my $line, 4096; unpack(\"p\", pack(\"Q\", 1)) . \"\";");
  write("ends.pl", "sysread STDIN, my $line, 4096; exit 3;");
  const auto err = [&](const std::string& words) {
    return run("check --fault none --attempts 1 " + words).err;
  };
  EXPECT_THAT(err("--guest \"perl crashes.pl\""),
              HasSubstr("it was killed by SIGSEGV (Segmentation fault) (it wrote nothing to stderr)"));
  EXPECT_THAT(err("--guest \"perl ends.pl\""), HasSubstr("it ended with exit code 3 (it wrote nothing"));
}

TEST_F(Names, ALeaseThatIsNoneIsRefused) {
  if (std::system("perl -e1 2>/dev/null") != 0) GTEST_SKIP() << "skipped: no perl";
  for (const char* words : {"t -5", "t 0", "t soon", "t 4000 and more", "t 1e3", "t 99999999999999999999"}) {
    write("lock.pl",
          "while (sysread STDIN, my $line, 4096) { syswrite STDOUT, $line =~ /acquire/ ? \"granted " +
              std::string(words) + "\\n\" : \"released\\n\" }");
    const Outcome outcome = run("check --guest \"perl lock.pl\" --fault none --attempts 1");
    EXPECT_EQ(outcome.code, 65) << words << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("it says \"granted " + std::string(words) +
                                       "\"; after the token comes LEASE_MS, a whole number of milliseconds"));
  }
}

}  // namespace
}  // namespace holdfast::cli
