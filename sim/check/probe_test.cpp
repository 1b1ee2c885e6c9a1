// The probe finishes as soon as it was granted the lock. It releases it later, so that another may come back.
#include <gtest/gtest.h>

#include "sim/check/checker.hpp"
#include "sim/check/judge_digest_test.hpp"
#include "sim/check/story_test.hpp"

namespace holdfast {
namespace {

const std::string asks = "A acquiring; A refused; A finished; P calm; P acquiring; ";
const std::string has_finished = asks + "P creates; P granted; P finished; ";

// The ids of all violated properties.
std::string broken_with(const std::string& text, std::uint64_t late_writers = 0) {
  Judge judge(checkers::all(), {}, late_writers);
  for (const Event& event : Story(text).events()) judge.on(event);
  std::string ids;
  for (const Finding& finding : judge.findings())
    ids.append(ids.empty() ? "" : " ").append(id_of(finding.property));
  return ids;
}

TEST(Probe, IsToldTheTruthWhenItGivesBack) {
  EXPECT_EQ(broken_with(has_finished + "P releasing; key expires; P released"), "truthful-release");
  EXPECT_EQ(broken_with(has_finished + "key expires; P releasing; P released"), "truthful-release");
  EXPECT_EQ(broken_with(asks + "P granted; P finished; P releasing; P released"), "truthful-release");
  EXPECT_EQ(broken_with(has_finished + "P releasing; key expires; P not-held"), "");
  EXPECT_EQ(broken_with(has_finished + "P releasing; P removes; P released"), "");
}

TEST(Probe, IsNoOwnerOfWhatReadersShare) {
  EXPECT_EQ(broken_with(asks + "P granted shared; P finished; P releasing; P released"), "");
}

TEST(Probe, ClaimsNothingWhenItHasFinished) {
  EXPECT_EQ(broken_with(has_finished + "A acquiring; A overwrites; A granted; P releasing; P not-held"), "");
  EXPECT_EQ(broken_with(has_finished + "A acquiring; A removes; A refused; P releasing; P unknown"), "");
  EXPECT_EQ(broken_with(has_finished + "P releasing; P leaves; P unknown"), "");
}

// Only the probe gives back what it has when it finishes.
TEST(Probe, AloneIsRememberedWhenItHasFinished) {
  const auto digest_after = [](const std::string& text) {
    Judge judge(checkers::all());
    for (const Event& event : Story(text).events()) judge.on(event);
    return digest_of(judge, Instant{});
  };
  const std::string calm = "A acquiring; A creates; A granted; A finished; P calm; ";
  const std::string given_back = "P acquiring; P granted; P finished; P releasing; P removes; P unknown";
  EXPECT_EQ(digest_after(calm), digest_after("A acquiring; A refused; A finished; P calm; "));
  EXPECT_EQ(digest_after(calm + given_back), digest_after(calm + "P acquiring; P granted; P crashed"));
}

}  // namespace
}  // namespace holdfast
