// Parameters of an algorithm: typed where they are read, checked where they are set.
#include "sim/core/params.hpp"

#include <gtest/gtest.h>

#include <string>

namespace holdfast {
namespace {

Params sample() {
  return Params({{"ttl", Parameter::Kind::duration, "1s", "how long the key lives"},
                 {"retries", Parameter::Kind::count, "3", "how often"},
                 {"code", Parameter::Kind::choice, "repaired", "which", {"printed", "repaired"}}});
}

// What the user is told; empty if nothing is wrong.
std::string complaint(std::string_view name, std::string_view text) {
  Params params = sample();
  try {
    params.set(name, text);
  } catch (const BadParameter& bad) {
    EXPECT_EQ(bad.name(), name);
    return bad.what();
  }
  return "";
}

TEST(Params, BeginAtTheirDefaults) {
  const Params params = sample();
  EXPECT_EQ(params.duration("ttl"), 1s);
  EXPECT_EQ(params.count("retries"), 3);
  EXPECT_EQ(params.choice("code"), "repaired");
}
TEST(Params, TakeWhatTheirKindAllows) {
  Params params = sample();
  params.set("ttl", "250ms");
  params.set("retries", "0");
  params.set("code", "printed");
  EXPECT_EQ(params.duration("ttl"), 250ms);
  EXPECT_EQ(params.count("retries"), 0);
  EXPECT_EQ(params.choice("code"), "printed");
  EXPECT_EQ(params.text("ttl"), "250ms");
}
TEST(Params, SayWhatWouldHaveBeenAllowed) {
  EXPECT_EQ(complaint("tll", "1s"), "unknown parameter \"tll\" · allowed: ttl, retries, code");
  EXPECT_EQ(complaint("ttl", "1000"),
            "parameter \"ttl\": \"1000\" is not a duration with a unit (us, ms, s, m or h), such as 30s");
  for (const char* bad : {"", "-1", "1.5", "three", "3 ", "1000000001", "99999999999999999999"})
    EXPECT_EQ(complaint("retries", bad), "parameter \"retries\" is \"" + std::string(bad) +
                                             "\", but must be a whole number from 0 to 1000000000");
  EXPECT_EQ(complaint("code", "Printed"),
            "parameter \"code\" is \"Printed\", but must be one of: printed, repaired");
}
// A lock on no server, or on more than a machine holds, is no lock.
TEST(Params, AreOfAtLeastOneServerAndAtMostThirtyTwo) {
  Params params({{"nodes", Parameter::Kind::count, "3", "how many servers"}});
  for (const char* good : {"1", "32"}) EXPECT_NO_THROW(params.set("nodes", good));
  for (const char* bad : {"0", "33", "1000000"}) EXPECT_THROW(params.set("nodes", bad), BadParameter);
}
TEST(Params, AreUnchangedByABadValue) {
  Params params = sample();
  EXPECT_THROW(params.set("ttl", "soon"), BadParameter);
  EXPECT_EQ(params.duration("ttl"), 1s);
}
TEST(Params, KnowWhatWasDeclared) {
  EXPECT_TRUE(sample().has("ttl"));
  EXPECT_FALSE(sample().has("TTL"));
}
TEST(ParamsDeathTest, AnUndeclaredOneIsABugOfTheAlgorithm) {
  EXPECT_EXIT((void)sample().duration("lease"), testing::ExitedWithCode(70),
              "only parameters that its card declares");
}

}  // namespace
}  // namespace holdfast
