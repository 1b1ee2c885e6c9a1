// Claims of --properties bounded-bypass: an experiment of its own, whose loop replays and is shown.
#include <gmock/gmock-matchers.h>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

class CliBypass : public Program {};

const std::string starvation = "check token --faults none --properties bounded-bypass ";
const std::string loop_trace = "holdfast-out/token+none+bounded-bypass.trace.json";

TEST_F(CliBypass, ShowsTheWayIntoTheLoopAndTheLoop) {
  const Outcome outcome = run(starvation);
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("rounds without end · attempts until granted"));
  // One step to set up; A and B ask, are served and are answered (six); A releases, and that is carried out
  // (two). Then for ever: A is answered and asks at once, is served, granted, releases, and that is carried
  // out (five); B asks, is refused by the server and hears of it (three), which it does once a second. Of the
  // two ticks of that second one is a step: in the other A works and nobody can do anything.
  EXPECT_THAT(outcome.out, HasSubstr("bounded-bypass      violated: 18 steps, the last 9 for ever"));
  EXPECT_THAT(outcome.out, HasSubstr("Assumed of bounded-bypass: messages arrive within their bounds"));
  EXPECT_THAT(outcome.out, HasSubstr("for ever: steps 9 to 16 again"));
  EXPECT_THAT(run("show --as story " + loop_trace).out, HasSubstr("key job, its own.\nThen for ever:\n9. "));
}

TEST_F(CliBypass, ReplaysTheLoopTwiceOrRefuses) {
  ASSERT_EQ(run(starvation).code, 1);
  const Outcome again = run("replay " + loop_trace);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("the loop a second time, through the same states"));
  Json trace = read_json(loop_trace);
  trace["loop"]["begin"] = 8;
  write("moved.json", trace.dump());
  const Outcome moved = run("replay moved.json");
  EXPECT_EQ(moved.code, 65);
  EXPECT_THAT(moved.err, HasSubstr("it does not lead back to its state after step 8"));
  trace["loop"]["begin"] = 18;
  write("empty.json", trace.dump());
  EXPECT_THAT(run("show empty.json").err, HasSubstr("a loop that begins before the last step"));
}

TEST_F(CliBypass, PrintsTheExactBoundOfWhatHolds) {
  const Outcome text = run("check set-nx-px-as-printed --faults none --properties bounded-bypass");
  EXPECT_EQ(text.code, 0) << text.err;
  // Every answer counts as a grant, so who waits does so for one way there and back: two seconds at most. The
  // other one works for half a second at least and is granted at both ends: at 0, 0.5, 1, 1.5 and 2 s.
  EXPECT_THAT(text.out, HasSubstr("holds, bounded-bypass: overtaken at most 5 times"));
  const Json cell =
      Json::parse(run("check set-nx-px-as-printed --faults none --properties bounded-bypass --format json")
                      .out)["cells"][0];
  EXPECT_EQ(cell["bypass_max"], 5);
  EXPECT_EQ(cell["verdict"], "holds");
  EXPECT_EQ(run("check redlock --faults none --properties bounded-bypass --budget 2s").code, 2);
  // Its clients read each other's tokens, and race: a part of the graph has a round without the waiter.
  EXPECT_EQ(run("check jedis-lock --faults none --properties bounded-bypass --budget 10s").code, 1);
}

TEST_F(CliBypass, IsAskedForAloneAndByItsName) {
  const Outcome mixed = run("check token --properties bounded-bypass,recovery");
  EXPECT_EQ(mixed.code, 64);
  EXPECT_THAT(mixed.err, HasSubstr("ask for it alone"));
  const auto asked = [this](const std::string& properties) {
    return Json::parse(run("check token --faults none --format json " + properties).out)["cells"].size();
  };
  EXPECT_EQ(asked("--properties \"*\""), 9u);
  EXPECT_EQ(asked(""), 10u) << "and livelock, in step";
}

TEST_F(CliBypass, OfClientsInAFileIsCountedAsTheyAre) {
  write("two.json", R"({"version": 1, "name": "two", "algorithm": {"name": "token"},
    "clients": [{"id": "A", "do": [{"op": "acquire", "attempts": 0}, {"op": "release"}]},
                {"id": "B", "repeat": 3, "do": [{"op": "acquire", "attempts": 0}, {"op": "release"}]}],
    "check": ["bounded-bypass"], "expect": {"verdict": "holds"}})");
  const Outcome outcome = run("run two.json");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("bounded-bypass      holds, overtaken at most 3 times"));
}

}  // namespace
}  // namespace holdfast::cli
