// The history of a baseline: what git has of its file, told commit by commit and drawn.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class BaselineHistory : public Program {
 protected:
  void commit(const std::string& subject) {
    const Outcome committed =
        shell("git add holdfast-baselines && git -c user.name=a -c user.email=a@b commit -q -m \"" + subject +
              "\"");
    ASSERT_EQ(committed.code, 0) << committed.err;
  }
};

TEST_F(BaselineHistory, TheCommitThatTurnedAVerdictIsNamedAndDrawn) {
  ASSERT_EQ(shell("git init -q .").code, 0);
  ASSERT_EQ(run("baseline save main --only" + one_cell).code, 0);
  commit("first");
  write("holdfast-baselines/other.txt", "x");
  commit("touches no baseline");
  auto json = read_json("holdfast-baselines/main.json");
  ASSERT_EQ(json["cells"][0]["verdict"], "violated");
  json["cells"][0]["verdict"] = "holds";
  write("holdfast-baselines/main.json", json.dump());
  commit("release <faster>");
  const Outcome told = run("baseline history main");
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_THAT(told.out, HasSubstr("first\n"));
  // Who looks for the commit finds it before all else, and on the page above the pictures.
  EXPECT_LT(told.out.find(" release <faster>: 1 verdict turned to ✔\n"), told.out.find("first\n"));
  EXPECT_THAT(told.out, Not(HasSubstr("touches no baseline")));
  const std::size_t turned = told.out.find("verdict violated → holds");
  EXPECT_LT(told.out.find("release <faster>\n"), turned);
  EXPECT_LT(turned, told.out.size());
  EXPECT_THAT(told.out, HasSubstr("holdfast-out/main.history.html\n"));
  const std::string page = read("holdfast-out/main.history.html");
  EXPECT_THAT(page, HasSubstr("Commits that changed it: 2. Verdicts that turned: 1;"));
  const std::string named = "<b>release &lt;faster&gt;</b>: <span class=\"good\">turned to ✔: 1</span>";
  EXPECT_LT(page.find(named), page.find("<svg"));
  EXPECT_THAT(page, HasSubstr("class=\"turned-good\""));
  EXPECT_THAT(page, HasSubstr("class=\"turned-bad\""));
  EXPECT_THAT(page, HasSubstr("release &lt;faster&gt;"));
  EXPECT_THAT(page, HasSubstr("<h3>commands_per_acquire</h3>"));
}

TEST_F(BaselineHistory, WithoutACommitThereIsNone) {
  ASSERT_EQ(run("baseline save main --only" + one_cell).code, 0);
  const Outcome outcome = run("baseline history main");
  EXPECT_EQ(outcome.code, 66);
  EXPECT_THAT(outcome.err, HasSubstr("no commit has it"));
}

}  // namespace
}  // namespace holdfast::cli
