// Programs with periods: what a file may say of them.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "sim/scenario/example_cards_test.hpp"
#include "sim/scenario/parse.hpp"

namespace holdfast {
namespace {

using ::testing::ElementsAre;

Parsed of_clients(const std::string& clients) {
  return parse_scenario(R"({"version": 1, "algorithm": {"name": "leased"}, "clients": [)" + clients + "]}",
                        "a.json", example_known());
}

std::vector<std::string> said_of(const std::string& clients) {
  std::vector<std::string> said;
  for (const Problem& each : of_clients(clients).problems) said.push_back(each.pointer + ": " + each.message);
  return said;
}

TEST(Periods, AreReadWithTheNamesThatTheyLock) {
  const Parsed parsed = of_clients(R"({"id": "A", "repeat": 2, "locks": "period", "do": [
      {"op": "period", "every": "9s"}, {"op": "acquire"}, {"op": "job", "for": "1s"}]})");
  ASSERT_TRUE(parsed.scenario);
  const ClientPlan& plan = parsed.scenario->clients.front();
  EXPECT_EQ(plan.program.front(), (ProgramStep{.op = ProgramStep::Op::period, .length = 9s}));
  EXPECT_THAT(names_locked_by(*parsed.scenario, plan), ElementsAre("job:1", "job:2"));
}

TEST(Periods, AreCountedAndBeginAProgram) {
  EXPECT_THAT(said_of(R"({"id": "A", "repeat": 0, "do": [
                  {"op": "period", "every": "9s"}, {"op": "acquire"}]})"),
              ElementsAre("/clients/0/repeat: periods are counted: there are 1 to 100"));
  EXPECT_THAT(said_of(R"({"id": "A", "do": [{"op": "acquire"}, {"op": "release"},
                  {"op": "period", "every": "9s"}]})"),
              ElementsAre("/clients/0/do/2: \"period\" is the first step of a program"));
  EXPECT_THAT(said_of(R"({"id": "A", "locks": "period"})"),
              ElementsAre("/clients/0/locks: the program has no periods: its first step is not \"period\""));
  EXPECT_THAT(
      said_of(R"({"id": "A", "repeat": 2, "do": [{"op": "acquire"}, {"op": "job", "for": "1s"}]})"),
      ElementsAre("/clients/0/repeat: a job is done in each period: let the program begin with "
                  "\"period\""));
  EXPECT_THAT(said_of(R"({"id": "A", "do": [{"op": "job", "for": "1s"}, {"op": "acquire"}]})"),
              ElementsAre("/clients/0/do/0: \"job\" without the lock: acquire it first"));
}

}  // namespace
}  // namespace holdfast
