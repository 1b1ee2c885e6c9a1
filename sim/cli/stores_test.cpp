// `compare --stores` asks every store the same, and shows what the runs say.
#include <gmock/gmock-matchers.h>

#include <algorithm>
#include <regex>

#include "sim/cli/program_test.hpp"
#include "sim/core/lock.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::ordered_json;

class Stores : public Program {};

std::string sign(const Json& matrix, const std::string& lock, const std::string& fault) {
  for (const Json& row : matrix["stores"])
    if (row["algorithm"] == lock) return row["signs"].value(fault, "missing");
  return "no row";
}

// A store that is added has a row when a card stands for it, and no other file changes.
TEST(CardsOfStores, StandForEveryStore) {
  for (std::size_t i = 0; i < store_kind_ids.size(); ++i)
    EXPECT_TRUE(std::any_of(algorithms::all().begin(), algorithms::all().end(), [&](const Card& card) {
      return card.store == static_cast<StoreKind>(i) && card.stands_for_store;
    })) << store_kind_ids[i];
}

TEST_F(Stores, EachLockThatStandsForOneHasARowAndNoOtherHas) {
  // Rows do not wait for verdicts.
  const Outcome outcome = run("compare --stores --faults none --budget 1s --format json");
  ASSERT_THAT(outcome.code, testing::AnyOf(0, 2)) << outcome.err;
  const Json matrix = Json::parse(outcome.out);
  std::size_t standing = 0;
  for (const Card& card : algorithms::all()) {
    standing += card.stands_for_store ? 1 : 0;
    EXPECT_EQ(sign(matrix, std::string(card.id), "none") != "no row", card.stands_for_store.has_value())
        << card.id;
  }
  EXPECT_EQ(matrix["stores"].size(), standing);
}

// A lease ends under a paused client; what it writes then lands (`token`) or, where the resource compares the
// number of the grant, does not (`fenced`). No pause ends a session. All of them are gone after a restart of
// the server, and so is the number of `fenced`; a lock without an expiry stays for ever when its holder dies.
TEST_F(Stores, SignsAreWhatRunsShow) {
  const Outcome outcome = run(
      "compare --stores --only token,fenced,pg-advisory,setnx --faults crash,pause,restart --format json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json matrix = Json::parse(outcome.out);
  EXPECT_EQ(sign(matrix, "token", "pause"), "two");
  EXPECT_EQ(sign(matrix, "fenced", "pause"), "fenced");
  EXPECT_EQ(sign(matrix, "pg-advisory", "pause"), "safe");
  for (const char* lock : {"token", "fenced", "pg-advisory"}) {
    EXPECT_EQ(sign(matrix, lock, "restart"), "two") << lock;
    EXPECT_EQ(sign(matrix, lock, "crash"), "safe") << lock;
  }
  EXPECT_EQ(sign(matrix, "setnx", "crash"), "stuck");
  // Redis comes before PostgreSQL; a lock that stands for no store has no tenure.
  EXPECT_EQ(matrix["stores"][3]["algorithm"], "pg-advisory");
  EXPECT_EQ(matrix["stores"][3]["tenure"], "session");
  for (const Json& row : matrix["stores"]) EXPECT_EQ(row["algorithm"] == "setnx", row["tenure"].is_null());
  EXPECT_EQ(matrix["costs"].size(), 4u);
}

TEST_F(Stores, ThePageAndItsLinksAreThere) {
  ASSERT_EQ(run("compare --stores --only token,pg-advisory --faults pause -o out").code, 0);
  const std::string page = read("out/index.html");
  EXPECT_THAT(page, HasSubstr("Where should the lock be kept?"));
  const std::regex link("href=\"([^\"#]+\\.html)\"");
  std::size_t links = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), link), end; it != end; ++it, ++links)
    EXPECT_TRUE(std::filesystem::exists(path("out/" + (*it)[1].str()))) << (*it)[1];
  EXPECT_EQ(links, 2u);  // two holders, and one who waits for ever
  ASSERT_EQ(run("report out --language zh").code, 0);
  EXPECT_THAT(read("out/index.html"), HasSubstr("锁该放在哪里？"));
}

TEST_F(Stores, EveryFormatHasTheRows) {
  const std::string command = "compare --stores --only token,pg-advisory --faults pause --format ";
  EXPECT_THAT(run(command + "csv").out, HasSubstr("postgres,session,pg-advisory,pause,safe,,\n"));
  EXPECT_THAT(run(command + "markdown").out,
              HasSubstr("| PostgreSQL | pg-advisory | session | ✔ | ≤3 | 2.0 | 2.0 |"));
  EXPECT_THAT(run(command + "text --width 40").out,
              HasSubstr("PostgreSQL\n  pg-advisory  session  ✔      ≤3\n"));
}

TEST_F(Stores, TheQuestionIsTheSameForAll) {
  for (const char* other : {"--properties recovery", "--workload long-section", "--fencing first-write",
                            "--live", "--shard 1/2", "--format junit", "--traits"}) {
    const Outcome outcome = run(std::string("compare --stores ") + other);
    EXPECT_EQ(outcome.code, 64) << other;
    EXPECT_THAT(outcome.out, IsEmpty()) << other;
    EXPECT_THAT(outcome.err, HasSubstr("its own question")) << other;
  }
  EXPECT_THAT(run("compare --stores --only tokne").err, HasSubstr("did you mean \"token\"?"));
}

}  // namespace
}  // namespace holdfast::cli
