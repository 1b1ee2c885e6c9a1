// Claims about --resume: a command that was stopped and is typed again prints what it prints when nobody
// stops it; what cannot be gone on with is refused.
#include "sim/cli/checkpoint_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
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
const std::string stopped = " --resume saved --budget 1900ms";

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

TEST_F(Resume, IsRefusedWhereNothingCanBeSaved) {
  const Outcome nowhere = run("check token --resume /proc/nowhere");
  EXPECT_EQ(nowhere.code, 66);
  EXPECT_THAT(nowhere.err, HasSubstr("(--resume DIR)"));
}

// Also where only a scenario names it.
TEST_F(Resume, IsRefusedForRealPrograms) {
  if (std::system("perl -MIO::Socket::INET -e1 2>/dev/null") != 0) GTEST_SKIP() << "skipped: no perl";
  const std::string plain = HOLDFAST_SOURCE_DIR "/algorithms/guests/plain.pl";
  write("plain.guest.json", R"({"command": ["perl", ")" + plain + R"("]})");
  write("plain.json", R"({"version": 1, "algorithm": {"name": "./plain.guest.json"}})");
  for (const std::string words : {"check ./plain.guest.json --faults none --attempts 1", "run plain.json"}) {
    const Outcome outcome = run(words + " --resume saved");
    EXPECT_EQ(outcome.code, 64) << words << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("--learn X.histories.json")) << words;
  }
}

TEST_F(Resume, ALockInLuaIsKnownByItsTextAndThatOfItsModules) {
  const std::string lock = R"(local redis = require "resty.redis"
local names = require "names"
local function server() local r = redis:new() r:connect("127.0.0.1", 6379) return r end
return {ttl = "4s",
  acquire = function(key, params)
    return server():set(key, names.token(), "NX", "PX", params.ttl * 1000) == "OK" and "t" or nil, "taken"
  end,
  release = function(key) return server():del(key) == 1 end}
)";
  const std::string slow =
      "check lock.lua --faults pause --clients 3 --rounds 3 --attempts 2 "
      "--properties recovery --progress none -j 1";
  write("names.lua", "return {token = function() return tostring(math.random(1e9)) end}\n");
  write("lock.lua", lock);
  EXPECT_EQ(run(slow + stopped).code, 2) << "the search is too short to be stopped";
  ASSERT_FALSE(fs::is_empty(path("saved")));
  EXPECT_EQ(run(slow + stopped).code, 2);
  write("names.lua", "return {token = function() return 'the same' end}\n");
  const Outcome other = run(slow + stopped);
  EXPECT_EQ(other.code, 65);
  EXPECT_THAT(other.err, HasSubstr("another text of the lock"));
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
