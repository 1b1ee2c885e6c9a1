// --work, --delay and --pause: the times that a user chooses, instead of those that follow from each other.
#include <gmock/gmock-more-matchers.h>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::ordered_json;

using Times = Program;

const std::string check_token = "check token --attempts 1 --property mutual-exclusion ";
constexpr const char* trace = "holdfast-out/token+pause+mutual-exclusion.trace.json";

// The reply travels for half a second, the work takes half of one, and the lease lasts four: a pause may last
// three seconds.
TEST_F(Times, AChosenPauseBreaksALockFromItsEdgeOn) {
  const std::string chosen = check_token + "--fault pause --work 500ms --delay 500ms --pause ";
  const Outcome whole = run(chosen + "3s");
  EXPECT_EQ(whole.code, 0) << whole.out;
  EXPECT_THAT(whole.out, HasSubstr("work at most 500ms"));
  EXPECT_THAT(whole.out, HasSubstr("delay 0ms to 500ms"));
  EXPECT_THAT(whole.out, HasSubstr("a pause lasts at most 3s"));
  EXPECT_EQ(run(chosen + "3.5s").code, 1);
}

TEST_F(Times, AreInTheJsonAndInTheTraceWhichReplays) {
  const Outcome broken =
      run(check_token + "--fault pause --work 1.5s --delay 500ms --pause 3s --format json");
  EXPECT_EQ(broken.code, 1);
  const Json bounds = Json::parse(broken.out)["bounds"];
  EXPECT_EQ(bounds["section"], "1.5s");
  EXPECT_EQ(bounds["delay_max"], "500ms");
  EXPECT_EQ(bounds["pause"], "3s");
  const Json scenario = read_json(trace)["scenario"];
  EXPECT_EQ(scenario["faults"][0]["magnitude"], "3s");
  EXPECT_EQ(scenario["timing"]["delay"]["max"], "500ms");
  EXPECT_EQ(run(std::string("replay ") + trace).code, 0);
  EXPECT_THAT(run("report holdfast-out").err, IsEmpty());
  EXPECT_THAT(read("holdfast-out/index.html"), HasSubstr("a pause lasts at most 3s"));
}

// Where nobody chooses bounds they deepen, in steps of time that the chosen times are multiples of.
TEST_F(Times, StepsOfTimeFitTheChosenTimes) {
  const std::string deepening = "check token --property mutual-exclusion --fault pause --budget 60s --work ";
  const Json found = Json::parse(run(deepening + "500ms --pause 1s --format json").out);
  const Json cell = found["cells"][0];
  EXPECT_EQ(cell["verdict"], "holds");
  for (const Json& within : cell["within"]) {
    const bool is_dense = within["tick"] == "0ms";
    EXPECT_TRUE(is_dense || within["tick"] == "500ms") << within.dump();
  }
}

TEST_F(Times, ALongerDelayMakesClientsWaitForLonger) {
  const Json json = Json::parse(run(check_token + "--fault none --delay 2s --format json").out);
  EXPECT_EQ(json["bounds"]["timeout"], "6s");
}

TEST_F(Times, WrongOnesAreToldInOneLine) {
  const auto expect = [&](const std::string& arguments, const std::string& part) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 64) << arguments;
    EXPECT_THAT(outcome.out, IsEmpty()) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(part)) << arguments;
  };
  for (const std::string command : {"check token", "compare --only token"}) {
    expect(command + " --work 0s", "--work: 0ms is no time: the shortest is 500ms");
    expect(command + " --delay 300ms", "--delay: 300ms is no multiple of 500ms, the step of time");
    expect(command + " --pause 20m", "--pause: 1200s is too long: the longest is 600s");
    expect(command + " --pause 2", "--pause: \"2\" is not a duration with a unit");
    expect(command + " --pause 2s --faults crash", "--pause: --faults leaves out the fault");
    expect(command + " --work 2s --workload long-section", "--work: --workload long-section says how long");
  }
  expect("envelope token --fault pause --work 500ms --step 1s", "--step: 500ms is no multiple of 1s");
  expect("envelope token --pause 2s", "unknown option \"--pause\"");
}

}  // namespace
}  // namespace holdfast::cli
