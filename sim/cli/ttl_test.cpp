// ttl: each answer is explored once more, from a scenario of its own, and refuted one tick below.
#include <fmt/format.h>
#include <gmock/gmock-more-matchers.h>

#include <regex>
#include <string>

#include "sim/cli/program_test.hpp"
#include "sim/core/units.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Json = nlohmann::ordered_json;

class Ttl : public Program {
 protected:
  // What two clients do that come at any tick, with times as ttl says it has explored.
  Json scenario_of(const Json& found, const std::string& lease) {
    const Json& times = found["by_server"];
    const Json work{{"op", "work"}, {"for", times["work"]}};
    const Json program{{{"op", "acquire"}}, work, {{"op", "write"}}, {{"op", "release"}}};
    Json clients = Json::array();
    for (const char* id : {"A", "B"})
      clients.push_back({{"id", id}, {"do", program}, {"start", "0ms"}, {"startLate", lease}});
    Json faults = Json::array();
    if (times["pause"] != "0ms") faults.push_back({{"kind", "pause"}, {"magnitude", times["pause"]}});
    const Duration delay = *parse_duration(std::string(times["delay"]));
    return {{"version", 1},
            {"algorithm", {{"name", found["algorithm"]}, {"params", {{"ttl", lease}}}}},
            {"clients", clients},
            {"faults", faults},
            {"timing",
             {{"tick", found["tick"]},
              {"delay", {{"min", "0ms"}, {"max", times["delay"]}}},
              {"timeout", to_text(3 * delay)}}},
            {"check", found["holds"]}};
  }
  // Whether some schedule of two clients breaks what ttl says to hold.
  int explored(const Json& found, const std::string& lease) {
    write("lease.json", scenario_of(found, lease).dump());
    return run("run lease.json").code;
  }
};

struct Situation {
  std::string words;
  std::string ttl;
  std::string breaks;
};

TEST_F(Ttl, TenAnswersAreTheEdgesOfTheirConditions) {
  const std::vector<Situation> situations{
      // The reply, a pause and the work; a plain DEL may be on its way to the server for as long again.
      {"token --pause 2s --work 500ms --rtt 20ms", "2.52s", "2.5s"},
      {"token --pause 2s --work 500ms --rtt 100ms --step 100ms --drift 1%", "2.626s", "2.525s"},
      {"token --pause 0s --work 1s --rtt 100ms --step 50ms", "1.1s", "1.05s"},
      {"set-nx-px --pause 0s --work 1s --rtt 100ms --step 50ms", "1.2s", "1.15s"},
      {"set-nx-px --pause 1s --work 1s --rtt 200ms --step 100ms", "2.4s", "2.3s"},
      {"redis-py --pause 200ms --work 2s --rtt 100ms --step 50ms", "2.3s", "2.25s"},
      {"fenced --pause 30s --work 10s --rtt 10ms", "40.5s", "40s"},
      {"resty-lock --pause 2s --work 1s --rtt 50ms", "3.05s", "3s"},
      {"stackexchange-redis --pause 5s --work 3s --rtt 1s", "9s", "8.5s"},
      {"bsm-redislock --pause 300ms --work 200ms --rtt 100ms --step 20ms", "600ms", "580ms"},
  };
  // By day, every second.
  const std::size_t each = std::getenv("HOLDFAST_EVERY_CELL") != nullptr ? 1 : 2;
  for (std::size_t i = 0; i < situations.size(); i += each) {
    const auto& [words, ttl, breaks] = situations[i];
    const Outcome outcome = run("ttl " + words + " --format json");
    ASSERT_EQ(outcome.code, 0) << words << outcome.err;
    const Json found = Json::parse(outcome.out);
    EXPECT_EQ(found["ttl"], ttl) << words;
    EXPECT_EQ(found["breaks"], breaks) << words;
    EXPECT_EQ(explored(found, found["ttl"]), 0) << words;
    EXPECT_EQ(explored(found, found["breaks"]), 1) << words;
    EXPECT_EQ(run("replay " + std::string(found["trace"])).code, 0) << words;
  }
}

// The reason: the sum of the longest pause, work and reply; a key is alive through its last millisecond.
TEST_F(Ttl, TimesOfAnyLengthHaveAnEdgeThatIsExactToAMillisecond) {
  const Json found =
      Json::parse(run("ttl redis-py --pause 1700ms --work 730ms --rtt 37ms --format json").out);
  EXPECT_EQ(found["ttl"], "2.48s") << "in steps of 20ms";
  EXPECT_EQ(found["at_every_instant"]["ttl"], "2.467s");
  EXPECT_EQ(found["at_every_instant"]["is_shortest"], true);
  EXPECT_EQ(found["at_every_instant"]["any_number"], true);
}

// A plain DEL may be on its way to the server for as long as the reply, too.
TEST_F(Ttl, AMillisecondEitherSideOfTheEdgeAgreesWithStepsOfAMillisecond) {
  const Json found =
      Json::parse(run("ttl set-nx-px --pause 3ms --work 2ms --rtt 1ms --step 1ms --format json").out);
  EXPECT_EQ(found["ttl"], "7ms");
  EXPECT_EQ(found["breaks"], "6ms");
  EXPECT_EQ(found["at_every_instant"]["ttl"], "7ms");
  EXPECT_EQ(found["at_every_instant"]["is_shortest"], true);
}

// It renews at half of its lease, so that a pause may begin when half of it is left.
TEST_F(Ttl, OfALockThatRenewsTheWorkMayBeLonger) {
  const std::string words = "ttl token-watchdog --pause 2s --work 5s --rtt 200ms --format json";
  const Json found = Json::parse(run(words).out);
  EXPECT_EQ(found["ttl"], "3.6s");
  EXPECT_EQ(found["breaks"], "3.4s");
  EXPECT_FALSE(found.contains("formula"));
}

TEST_F(Ttl, TellsTheEdgeTheGridAndTheStoryOfWhatBreaks) {
  const Outcome outcome = run("ttl token --pause 2s --work 500ms --rtt 100ms --step 100ms");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, HasSubstr("  ttl       2.6s      holds\n"));
  EXPECT_THAT(outcome.out, HasSubstr("            2.5s      breaks\n"));
  EXPECT_THAT(outcome.out, HasSubstr("in steps of 100ms, and the edge is exact to one step"));
  EXPECT_THAT(outcome.out, HasSubstr("longest work + longest pause + longest reply = 2.6s"));
  EXPECT_THAT(outcome.out, HasSubstr("B believes that it holds the lock"));
  const std::string longer = run("ttl set-nx-px --pause 0s --work 1s --rtt 100ms").out;
  EXPECT_THAT(longer, HasSubstr("longest work + longest reply = 1.1s, but this lock needs 1.2s."));
}

TEST_F(Ttl, SaysWhereItsGridIsCoarserThanAsked) {
  const Outcome outcome = run("ttl token --pause 30s --work 10s --rtt 10ms");
  EXPECT_THAT(outcome.out, HasSubstr("That is coarser than your times"));
  EXPECT_THAT(outcome.out, HasSubstr("500ms of delay"));
  EXPECT_THAT(run("ttl token --pause 2s --work 1s --rtt 50ms").out, Not(HasSubstr("coarser")));
}

TEST_F(Ttl, TwoPausesTakeALongerLease) {
  const std::string words =
      "ttl token --pause 1s --work 500ms --rtt 100ms --step 100ms --format json --pauses ";
  EXPECT_EQ(Json::parse(run(words + "1").out)["ttl"], "1.6s");
  EXPECT_EQ(Json::parse(run(words + "2").out)["ttl"], "2.6s");
}

TEST_F(Ttl, WhereNoLeaseIsEnoughItSaysSo) {
  const Outcome outcome = run("ttl set-nx-px-as-printed --pause 1s --work 500ms --rtt 100ms");
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("No ttl is enough"));
  EXPECT_THAT(outcome.out, HasSubstr("two clients still hold it at once"));
}

TEST_F(Ttl, ALockThatTakesNoShortLeaseAsItIsGivesNoAdvice) {
  const Outcome outcome = run("ttl redismutex --pause 500ms --work 1s --rtt 100ms");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("less than 2s counts as 4s"));
  EXPECT_THAT(outcome.out, HasSubstr("No ttl breaks it, however short"));
}

// Lines are broken between words, and what follows is indented.
std::string without_breaks(const std::string& text) {
  return std::regex_replace(text, std::regex("\\s+"), " ");
}

TEST_F(Ttl, ABudgetThatEndsFirstIsInconclusive) {
  const Outcome outcome = run("ttl redlock --pause 2s --work 500ms --rtt 20ms --budget 1ms");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, HasSubstr("Not known"));
  EXPECT_THAT(outcome.out, HasSubstr("next    One ttl alone is explored within bounds that grow"));
  // In steps that check has: the answer to 20ms is 500ms, and the times that fit are as they were asked for.
  EXPECT_THAT(
      without_breaks(outcome.out),
      HasSubstr("./holdfast check redlock --faults pause --work 500ms --delay 500ms --pause 2s --param "
                "ttl="));
}

TEST_F(Ttl, WrongUsageIsToldInOneLine) {
  const std::string times = " --pause 2s --work 500ms --rtt 20ms";
  const auto expect = [&](const std::string& arguments, const std::string& part) {
    const Outcome outcome = run("ttl " + arguments);
    EXPECT_EQ(outcome.code, 64) << arguments;
    EXPECT_THAT(outcome.out, IsEmpty()) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(part)) << arguments;
  };
  expect("tokn" + times, "there is no lock \"tokn\" — did you mean \"token\"?");
  expect("setnx" + times, "setnx: it has no parameter \"ttl\"");
  expect("redis-py-as-installed" + times, "has no parameter \"ttl\"");
  expect("token --pause 2s --work 500ms", "--rtt is missing");
  expect("token --pause 2s --work 0s --rtt 20ms", "--work: 0ms is too short: the shortest is 1ms");
  expect("token --pause 20m --work 1s --rtt 20ms", "--pause: 1200s is too long: the longest is 600s");
  expect("token --pause 2s --work 1s --rtt 200us", "--rtt: 200us is too short");
  expect("token" + times + " --step 50ms", "--step: 20ms is no multiple of 50ms");
  expect("token" + times + " --drift 9%", "--drift: \"9%\" is not from 0% to 4%");
  expect("token" + times + " --param ttl=3s", "--param: ttl is the answer, not a parameter");
}

}  // namespace
}  // namespace holdfast::cli
