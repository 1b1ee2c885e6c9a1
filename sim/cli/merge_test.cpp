// Shards: what each does, and that together they are the whole.
#include <gmock/gmock-more-matchers.h>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::ordered_json;

const std::string work =
    "compare --only \"set-nx-px*\" --faults none,crash,restart --attempts 1 --format json ";

class Merge : public Program {
 protected:
  // The shards of `command`, as 1.json, 2.json, …
  void shard(const std::string& command, int count) {
    for (int i = 1; i <= count; ++i) {
      const std::string part = std::to_string(i);
      const Outcome outcome = shell("exec $H " + command + " --shard " + part + "/" + std::to_string(count) +
                                    " > " + part + ".json");
      ASSERT_EQ(outcome.code, 0) << outcome.err;
    }
  }
  void expect_refused(const std::string& files, const std::string& part) {
    const Outcome outcome = run("merge " + files);
    EXPECT_EQ(outcome.code, 65) << files;
    EXPECT_THAT(outcome.out, IsEmpty()) << files;
    EXPECT_THAT(outcome.err, HasSubstr(part)) << files;
  }
  void change(const std::string& file, const std::string& from, const std::string& to) {
    std::string text = read(file);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write(file, text.replace(at, from.size(), to));
  }
};

TEST_F(Merge, GivesTheBytesOfTheWholeWhateverTheNumberOfShards) {
  const Outcome whole = run(work);
  for (const int count : {1, 2, 5, 9}) {
    shard(work, count);
    std::string files;
    for (int i = count; i >= 1; --i) files += " " + std::to_string(i) + ".json";
    const Outcome merged = run("merge" + files);
    EXPECT_EQ(merged.code, 0) << merged.err;
    EXPECT_THAT(merged.err, IsEmpty());
    EXPECT_EQ(without_seconds(merged.out), without_seconds(whole.out)) << count;
  }
}

TEST_F(Merge, KeepsTheSecondsOfEachCell) {
  shard(work, 2);
  const Json merged = Json::parse(run("merge 1.json 2.json").out);
  for (const char* file : {"1.json", "2.json"})
    for (const Json& cell : read_json(file)["cells"])
      EXPECT_EQ(std::count(merged["cells"].begin(), merged["cells"].end(), cell), 1) << cell;
}

TEST_F(Merge, AShardSaysWhichPartItIs) {
  const Outcome text = run("compare --only set-nx-px --faults none,crash --attempts 1 --shard 2/2");
  EXPECT_THAT(text.out, HasSubstr("shard 2 of 2: 1 of 2 cells"));
  EXPECT_EQ(read_json("holdfast-out/matrix.2-of-2.json")["shard"]["whole"],
            Json({"set-nx-px+none", "set-nx-px+crash"}));
  EXPECT_EQ(run("compare --only set-nx-px --faults none --attempts 1 --shard 3/3").code, 0)
      << "an empty part";
}

TEST_F(Merge, JoinsScenarioRunsToo) {
  const std::string files =
      "run --format json a-late-del-hits-the-next-holder two-waiters-both-delete-an-expired-lock "
      "set-nx-px-recovers-when-any-reply-is-lost";
  shard(files, 2);
  const Outcome merged = run("merge 2.json 1.json");
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(without_seconds(merged.out), without_seconds(run(files).out));
}

TEST_F(Merge, OfAllButOneShardIsIncompleteAndSaysWhatIsMissing) {
  shard(work, 3);
  const Outcome outcome = run("merge 1.json 3.json");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, HasSubstr("missing: shard 2 of 3, set-nx-px+crash, set-nx-px-as-printed+crash"));
  EXPECT_THAT(outcome.err, HasSubstr("the costs of set-nx-px-as-printed"));
  const Outcome allowed = run("merge --allow-missing 1.json 3.json");
  EXPECT_EQ(allowed.code, 0);
  EXPECT_EQ(Json::parse(allowed.out)["interrupted"], true);
}

TEST_F(Merge, RefusesShardsThatAreNotOfOneRun) {
  shard(work, 2);
  const std::string good = read("2.json");
  expect_refused("1.json 1.json", "is shard 1 of 2, and so is 1.json");
  change("2.json", "\"version\": \"", "\"version\": \"9");
  expect_refused("1.json 2.json", "2.json: error: version is \"9");
  write("2.json", good);
  change("2.json", "\"seed\": \"0x1\"", "\"seed\": \"0x2\"");
  expect_refused("1.json 2.json", "seed is \"0x2\", but 1.json has \"0x1\"");
  write("2.json", good);
  change("2.json", "\"attempts\": 1", "\"attempts\": 2");
  expect_refused("1.json 2.json", "attempts is 2, but 1.json has 1");
  write("2.json", good);
  change("2.json", "\"count\": 2", "\"count\": 3");
  expect_refused("1.json 2.json", "is one of 3 shards");
  write("2.json", good);
  change("2.json", "\"set-nx-px+none\"", "\"token+none\"");
  expect_refused("1.json 2.json", "of other locks, faults or files");
}

TEST_F(Merge, RefusesWhatIsNoShard) {
  ASSERT_EQ(shell("exec $H " + work + " > whole.json").code, 0);
  shard(work, 1);
  expect_refused("whole.json", "it was made without --shard");
  write("bad.json", "{\"schema\": \"holdfast/matrix/1\",\n \"shard\": }");
  expect_refused("bad.json", "bad.json:2:11: error: not JSON");
  write("bad.json", "[]");
  expect_refused("bad.json", "not a result");
  change("1.json", "\"index\": 1", "\"index\": 2");
  expect_refused("1.json", "a whole number from 1 to 1");
  EXPECT_EQ(run("merge none.json").code, 66);
  EXPECT_EQ(run("merge").code, 64);
}

TEST_F(Merge, RefusesACellThatBelongsToAnotherShardOrComesTwice) {
  shard(work, 2);
  Json shard = read_json("1.json");
  shard["cells"].push_back(read_json("2.json")["cells"].front());
  write("extra.json", shard.dump());
  expect_refused("extra.json 2.json", "does not belong to shard 1 of 2, or comes twice");
}

TEST_F(Merge, ShardsAreCountedFromOne) {
  for (const char* bad : {"0/2", "3/2", "1", "1/0", "a/b", "-1/2", "1/10001"}) {
    const Outcome outcome = run("compare --shard " + std::string(bad));
    EXPECT_EQ(outcome.code, 64) << bad;
    EXPECT_THAT(outcome.err, HasSubstr("--shard: ")) << bad;
  }
}

}  // namespace
}  // namespace holdfast::cli
