// Claims about --resume: a command that was stopped and is typed again prints what it prints when nobody
// stops it; what cannot be gone on with is refused.
#include "sim/cli/checkpoint_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

using Resume = Program;

// Some seconds.
const std::string search =
    "check redlock --faults none --attempts 1 --properties mutual-exclusion --progress none -j 1 ";
const std::string stopped = " --resume saved --budget 1300ms";

// All but the times and the place.
nlohmann::ordered_json told(const Outcome& outcome) {
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(outcome.out);
  for (auto& cell : json["cells"]) cell.erase("seconds");
  return json;
}

TEST_F(Resume, ACommandThatWasStoppedAgainAndAgainPrintsWhatAWholeOnePrints) {
  const Outcome whole = run(search + "--format json");
  EXPECT_EQ(run(search + stopped).code, 2) << "the search is too short to be stopped";
  EXPECT_FALSE(fs::is_empty(path("saved")));
  run(search + stopped);
  const Outcome again = run(search + "--format json --resume saved");
  EXPECT_EQ(again.code, whole.code);
  EXPECT_EQ(told(again), told(whole));
  // Nothing is left to search: it ends at once.
  EXPECT_EQ(told(run(search + "--format json --resume saved --budget 900ms")), told(whole));
}

TEST_F(Resume, WhatAnotherBuildHasSavedOrIsCutShortIsRefused) {
  run(search + stopped);
  ASSERT_FALSE(fs::is_empty(path("saved")));
  const fs::path file = fs::directory_iterator(path("saved"))->path();
  fs::resize_file(file, fs::file_size(file) / 2);
  const Outcome cut = run(search + "--resume saved");
  EXPECT_EQ(cut.code, 65);
  EXPECT_THAT(cut.err, HasSubstr("cannot be read: it ends too early"));
  std::ofstream(file) << "holdfast checkpoint of another build\n";
  const Outcome other = run(search + "--resume saved");
  EXPECT_EQ(other.code, 65);
  EXPECT_THAT(other.err, HasSubstr("another build of holdfast"));
}

TEST_F(Resume, IsRefusedForRealProgramsAndWhereNothingCanBeSaved) {
  const Outcome program = run("check --guest true --resume saved");
  EXPECT_EQ(program.code, 64);
  EXPECT_THAT(program.err, HasSubstr("--learn X.histories.json"));
  const Outcome nowhere = run("check token --resume /proc/nowhere");
  EXPECT_EQ(nowhere.code, 66);
  EXPECT_THAT(nowhere.err, HasSubstr("(--resume DIR)"));
}

TEST_F(Resume, WhatCannotBeSavedDoesNotEndTheSearch) {
  run(search + stopped);
  ASSERT_FALSE(fs::is_empty(path("saved")));
  // What is to be written first is a directory here.
  const fs::path file = fs::directory_iterator(path("saved"))->path();
  fs::remove(file);
  fs::create_directory(file.string() + ".part");
  const Outcome outcome = run(search + stopped);
  EXPECT_THAT(outcome.err, HasSubstr("cannot be written"));
  EXPECT_THAT(outcome.out, HasSubstr("mutual-exclusion"));
  EXPECT_EQ(outcome.code, 2);
}

}  // namespace
}  // namespace holdfast::cli
