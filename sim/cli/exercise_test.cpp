// Exercises: the broken lock is refused, a solution passes, and nothing that only looks like one.
#include <gmock/gmock.h>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Exercises : public Program {
 protected:
  nlohmann::ordered_json all() {
    return nlohmann::ordered_json::parse(run("exercise --format json").out)["exercises"];
  }
  Outcome grade(const nlohmann::ordered_json& exercise, const std::string& file) {
    return run("exercise " + std::to_string(exercise["exercise"].get<int>()) + " " + file);
  }
};

TEST_F(Exercises, TheBrokenLockIsRefusedUntilItIsRepaired) {
  const std::string places = HOLDFAST_SOURCE_DIR "/scenarios/exercises/";
  EXPECT_GE(all().size(), 5u);
  for (const auto& each : all()) {
    const std::string file = each["file"];
    const Outcome task = run("exercise " + std::to_string(each["exercise"].get<int>()));
    EXPECT_EQ(task.code, 0) << file;
    EXPECT_THAT(task.out, HasSubstr("The broken lock was written to " + file));
    const Outcome broken = grade(each, file);
    EXPECT_EQ(broken.code, 1) << file << broken.err;
    // It is found under a fault, or without, that the exercise is about, in what it is about.
    bool is_about = false;
    for (const auto& fault : each["faults"])
      for (const auto& property : each["properties"])
        is_about |= broken.out.find("✘ " + fault.get<std::string>() + " × " + property.get<std::string>() +
                                    ": violated") != std::string::npos;
    EXPECT_TRUE(is_about) << file << broken.out;
    // One of three hints, and the way to the next; what to use stays for the last.
    EXPECT_THAT(broken.out, HasSubstr("  hint 1 of 3  "));
    EXPECT_THAT(broken.out, Not(HasSubstr("  hint 2 of 3  ")));
    EXPECT_THAT(broken.out, HasSubstr("--hint 2"));
    const Outcome helped = grade(each, file + " --hint 3");
    EXPECT_THAT(helped.out, HasSubstr("  hint 3 of 3  "));
    EXPECT_THAT(helped.out, Not(HasSubstr("--hint")));
    const Outcome solved = grade(each, places + "solutions/" + file);
    EXPECT_EQ(solved.code, 0) << file << solved.out;
    EXPECT_THAT(solved.out, HasSubstr("is solved: "));
    const bool is_last = each == all().back();
    const std::string next = "Next: holdfast exercise " + std::to_string(each["exercise"].get<int>() + 1);
    EXPECT_EQ(solved.out.find(next) == std::string::npos, is_last) << solved.out;
  }
}

TEST_F(Exercises, AreToldInChinese) {
  EXPECT_THAT(run("exercise --language zh").out, HasSubstr("  2  这是谁的锁？"));
  EXPECT_THAT(run("exercise 2 --language zh").out, HasSubstr("练习 2：这是谁的锁？"));
  EXPECT_THAT(read("2-whose-lock.lua"), testing::StartsWith("-- 练习 2：这是谁的锁？\nlocal redis = "));
  const Outcome broken = run("exercise 2 2-whose-lock.lua --language zh");
  EXPECT_EQ(broken.code, 1);
  for (const char* told :
       {"✘ pause × owner-only-release: 被违反", "A 认为自己持有锁", "  提示 1/3  ", "--language zh --hint 2"})
    EXPECT_THAT(broken.out, HasSubstr(told));
  const Outcome solved =
      run("exercise 2 " HOLDFAST_SOURCE_DIR "/scenarios/exercises/solutions/2-whose-lock.lua --language zh");
  EXPECT_THAT(solved.out, HasSubstr("练习 2 已解决："));
}

TEST_F(Exercises, WhoNeverGrantsOrAlwaysGrantsDoesNotPass) {
  write("never.lua",
        "return {ttl = \"4s\", acquire = function() return false, \"no\" end,\n"
        "  release = function() return true end}\n");
  write("always.lua",
        "return {ttl = \"4s\", acquire = function() return \"yes\" end,\n"
        "  release = function() return true end}\n");
  for (const auto& each : all())
    for (const char* file : {"never.lua", "always.lua"}) {
      const Outcome outcome = grade(each, file);
      EXPECT_EQ(outcome.code, 1) << file << " in exercise " << each["exercise"] << outcome.out;
    }
}

TEST_F(Exercises, WhatAStudentHasWrittenStays) {
  write("2-whose-lock.lua", "-- mine\n");
  EXPECT_THAT(run("exercise 2").out, HasSubstr("2-whose-lock.lua exists here and was not changed."));
  EXPECT_EQ(read("2-whose-lock.lua"), "-- mine\n");
}

TEST_F(Exercises, AreGradedAsJson) {
  const Outcome outcome = run("exercise 1 " HOLDFAST_SOURCE_DIR
                              "/scenarios/exercises/solutions/1-two-commands.lua --format json");
  const auto json = nlohmann::ordered_json::parse(outcome.out);
  EXPECT_EQ(json["schema"], "holdfast/exercise/1");
  EXPECT_EQ(json["passed"], true);
  for (const auto& each : json["verdicts"]) EXPECT_EQ(each["verdict"], "holds") << each;
}

TEST_F(Exercises, WhatThereIsNotIsAUsageError) {
  for (const auto& [words, part] : std::vector<std::pair<std::string, std::string>>{
           {"7", "there is no exercise \"7\": they are 1 to 6"},
           {"x", "there is no exercise \"x\""},
           {"1 token", "a file of Lua is expected, such as 1-two-commands.lua"}}) {
    const Outcome outcome = run("exercise " + words);
    EXPECT_EQ(outcome.code, 64) << words;
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, HasSubstr(part));
  }
  EXPECT_EQ(run("exercise 1 missing.lua").code, 66);
}

}  // namespace
}  // namespace holdfast::cli
