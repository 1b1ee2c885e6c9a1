// `compare --traits` answers by runs what tables of locks claim.
#include <gmock/gmock-matchers.h>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

class Traits : public Program {
 protected:
  const std::string command_ = "compare --traits --only token,set-nx-px,setnx,reentrant ";
};

std::string answer(const Json& traits, const std::string& lock, const std::string& trait) {
  for (const Json& row : traits["locks"])
    for (const Json& each : row["answers"])
      if (row["algorithm"] == lock && each["trait"] == trait) return each["answer"];
  return "missing";
}

TEST_F(Traits, AreWhatRunsShow) {
  const Outcome outcome = run(command_ + "--format json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json traits = Json::parse(outcome.out);
  EXPECT_EQ(traits["schema"], "holdfast/traits/1");
  EXPECT_EQ(traits["locks"].size(), 4u);
  EXPECT_EQ(answer(traits, "token", "owner-only release"), "yes");
  EXPECT_EQ(answer(traits, "set-nx-px", "owner-only release"), "no");
  EXPECT_EQ(answer(traits, "token", "timeout release"), "yes");
  EXPECT_EQ(answer(traits, "setnx", "timeout release"), "no");
  EXPECT_EQ(answer(traits, "reentrant", "reentrancy"), "yes");
  EXPECT_EQ(answer(traits, "token", "reentrancy"), "no");
  // Each answer names what it rests on: a lock is said to fail only where a run of so many steps fails.
  for (const Json& row : traits["locks"])
    for (const Json& each : row["answers"])
      for (const Json& verdict : each["verdicts"])
        EXPECT_EQ(verdict["verdict"] == "violated", verdict["trace_length"].is_number()) << verdict;
}

TEST_F(Traits, ReadTheSameAsATable) {
  const Outcome text = run(command_);
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("owner-only release: does no client release the lock of another?"));
  const Outcome markdown = run(command_ + "--format markdown");
  ASSERT_EQ(markdown.code, 0) << markdown.err;
  EXPECT_THAT(markdown.out, HasSubstr("\n| token "));
  EXPECT_THAT(markdown.out,
              HasSubstr("\n- **owner-only release**: does no client release the lock of another?"));
}

}  // namespace
}  // namespace holdfast::cli
