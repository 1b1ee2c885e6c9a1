// choose: what it recommends was explored, and what breaks it replays.
#include <gmock/gmock.h>

#include <cstdlib>
#include <set>

#include "sim/cli/choice.hpp"
#include "sim/cli/lease.hpp"
#include "sim/cli/library_lines.hpp"
#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::ordered_json;

class Choose : public Program {
 protected:
  // Questions are asked on a terminal: util-linux has script, which makes one.
  bool has_terminal() { return shell("command -v script >/dev/null").code == 0; }
};

struct Situation {
  std::string words;
  std::string lock;
  std::string ttl;
  std::string fencing;
};

const std::string usual = " --pause 1s --work 500ms --rtt 500ms ";

TEST_F(Choose, TenSituationsAndWhatRemainsInEach) {
  const std::vector<Situation> situations{
      {"--store nginx --double-work wasteful" + usual, "resty-lock", "1.51s", "none"},
      {"--store nginx --language lua --double-work harmful --pause 0s --work 1s", "resty-lock", "1.01s",
       "none"},
      {"--store nginx --double-work harmful --resource refuses" + usual, "resty-lock", "1.51s", "none"},
      {"--store nginx --double-work wasteful --pause 5s --work 1s", "resty-lock", "", "none"},
      {"--store redis --language go --double-work harmful" + usual, "bsm-redislock", "2s", "none"},
      {"--store redis --language go --double-work wasteful" + usual, "bsm-redislock", "2s", "none"},
      {"--store redis-replicated --language go --double-work harmful" + usual, "bsm-redislock", "2s", "none"},
      {"--store redis --double-work harmful --resource refuses" + usual, "fenced", "2s", "first-write"},
      {"--store redis-replicated --double-work harmful --resource refuses" + usual, "fenced", "2s",
       "first-write"},
      {"--store redis --double-work harmful --resource refuses --pause 3s --work 1s --rtt 500ms", "fenced",
       "4.5s", "first-write"},
  };
  // By day, every second.
  const std::size_t each = std::getenv("HOLDFAST_EVERY_CELL") != nullptr ? 1 : 2;
  for (std::size_t i = 0; i < situations.size(); i += each) {
    const auto& [words, lock, ttl, fencing] = situations[i];
    const Outcome outcome = run("choose " + words + " --format json");
    ASSERT_EQ(outcome.code, 0) << words << outcome.err;
    const Json chosen = Json::parse(outcome.out);
    EXPECT_EQ(chosen["lock"], lock) << words;
    if (!ttl.empty()) {
      EXPECT_EQ(chosen["ttl"]["ttl"], ttl) << words;
    }
    EXPECT_EQ(chosen["fencing"], fencing) << words;
    // What one is told to take is what was explored under each fault, and not the shortest for pauses alone.
    EXPECT_EQ(chosen["ttl_to_take"], chosen["candidates"][0]["ttl"]) << words;
    EXPECT_LE(*parse_duration(std::string(chosen["ttl"]["ttl"])),
              *parse_duration(std::string(chosen["ttl_to_take"])))
        << words;
    std::set<std::string> faults;
    for (const Json& trial : chosen["candidates"][0]["trials"]) faults.insert(trial["fault"]);
    EXPECT_TRUE(faults.contains("server-clock-jump")) << words;
    EXPECT_EQ(faults.contains("partition"), words.find("nginx") == std::string::npos) << words;
    const std::string below = chosen["ttl"]["trace"];
    EXPECT_EQ(run("replay " + below).code, 0) << words;
    ASSERT_FALSE(chosen["remaining"].empty()) << words;
    EXPECT_EQ(run("replay " + std::string(chosen["remaining"][0]["trace"])).code, 0) << words;
    // Nothing breaks it without another fault: that is what the ttl is for.
    for (const auto& verdict : chosen["candidates"][0]["trials"][0]["verdicts"].items())
      EXPECT_NE(verdict.value(), "violated") << words << verdict.key();
  }
}

// redismutex raises a short ttl by itself, so how it is written there says little.
TEST(LibraryLines, EveryLibraryWhoseTtlCanBeChosenHasItsOwn) {
  std::vector<std::string_view> without;
  for (const Card& card : algorithms::all())
    if (card.upstream && card.capacity == 1 && why_no_lease(card).empty() &&
        library_lines(card, 4s).starts_with("take: "))
      without.push_back(card.id);
  EXPECT_THAT(without, testing::ElementsAre("redismutex"));
}

TEST_F(Choose, TellsTheLockItsLinesWhatIsProvedAndWhatRemains) {
  const Outcome outcome =
      run("choose --progress none --store redis --language go --double-work harmful" + usual);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, HasSubstr("Take bsm-redislock (bsm/redislock, Go), with a ttl of 2s. It is proved "
                                     "under "));
  EXPECT_THAT(outcome.out, HasSubstr("  not covered   "));
  EXPECT_THAT(outcome.out, HasSubstr("Obtain(ctx, \"job\", 2000*time.Millisecond, nil)"));
  EXPECT_THAT(outcome.out, HasSubstr("  restart: mutual-exclusion in "));
  EXPECT_THAT(outcome.out, HasSubstr("Costs: 2.00 round trips"));
  EXPECT_THAT(outcome.out, HasSubstr("  why     At "));
}

// A lock of a session or a transaction has no ttl that must be found: no pause ends it, but what ends
// sessions does. A lease on the same server outlives a restart, and breaks when a message is late. Each is
// tried under what strikes its own store.
TEST_F(Choose, TheAnswerIsAmongTheLocksOnTheStoresThatOneHas) {
  const Outcome outcome = run("choose --store nginx,postgres --double-work harmful --format json" + usual);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json chosen = Json::parse(outcome.out);
  std::set<std::string> stores;
  for (const Json& each : chosen["candidates"]) {
    stores.insert(each["store"]);
    const Card& card = *algorithms::find(std::string(each["algorithm"]));
    EXPECT_EQ(each["store"], card.store == StoreKind::postgres ? "postgres" : "nginx") << card.id;
    if (each.contains("why_not")) continue;
    std::set<std::string> faults;
    for (const Json& trial : each["trials"]) faults.insert(trial["fault"]);
    EXPECT_EQ(faults.contains("session-lost"), card.store == StoreKind::postgres) << card.id;
    EXPECT_EQ(faults.contains("eviction"), card.store == StoreKind::shared_dict) << card.id;
    EXPECT_EQ(each["ttl"].is_null(), !why_no_lease(card).empty()) << card.id;
  }
  // `resty-lock` is of a library, so it is no answer to a question for a lock of none.
  EXPECT_THAT(stores, testing::ElementsAre("postgres"));
  EXPECT_EQ(chosen["lock"], "pg-advisory");
  EXPECT_TRUE(chosen["ttl"].is_null());
  for (const Json& each : chosen["remaining"]) {
    EXPECT_THAT((std::set<std::string>{"restart", "failover", "session-lost"}),
                testing::Contains(each["fault"]));
    EXPECT_EQ(run("replay " + std::string(each["trace"])).code, 0);
  }
  EXPECT_FALSE(chosen["remaining"].empty());
}

// A recipe of no library can be written in any language; where there is none, other languages are named.
TEST(FittingCards, AreOfNoLibraryWhereNoneIsOfTheLanguage) {
  ChooseOptions options;
  options.store = "postgres";
  options.language = "ruby";
  const std::vector<const Card*> cards = fitting_cards(options);
  ASSERT_FALSE(cards.empty());
  for (const Card* const card : cards) EXPECT_FALSE(card->upstream) << card->id;
  options.store = "redis";
  for (const Card* const card : fitting_cards(options))
    EXPECT_EQ(card->upstream->language, "Ruby") << card->id;
}

// Redisson asks its replicas where there are some, and what it is worth without them says nothing.
TEST(Settings, OfALockAreThoseThatTheUsersServersAskFor) {
  using Texts = std::vector<std::pair<std::string, std::string>>;
  const auto settings = [](const char* store, const char* lock) {
    return settings_for(store, *algorithms::find(lock)).params;
  };
  for (const char* lock : {"redisson", "redisson-fair", "redisson-fenced", "redisson-rw"})
    EXPECT_EQ(settings("redis-replicated", lock), (Texts{{"servers", "replicated"}})) << lock;
  EXPECT_EQ(settings("redis-replicated", "token"), (Texts{{"wait", "then-look"}}));
  EXPECT_EQ(settings("redis-sentinel", "token"), (Texts{{"wait", "then-look"}}));
  EXPECT_EQ(settings("redis-cluster", "token"), (Texts{{"wait", "then-look"}}));
  EXPECT_THAT(settings("redis-quorum", "redlock"), IsEmpty());
  EXPECT_EQ(settings_for("redis-cluster", *algorithms::find("token")).redis_config,
            (Texts{{"cluster-enabled", "yes"}}));
  EXPECT_THAT(settings_for("redis-sentinel", *algorithms::find("token")).redis_config, IsEmpty());
  EXPECT_THAT(settings("redis-replicated", "bsm-redislock"), IsEmpty());
  EXPECT_THAT(settings("redis", "redisson"), IsEmpty());
}

// A counter beside the key of the lock lies in another slot, so a Cluster grants `fenced` to nobody: no ttl
// helps, and a search that went further would find the same.
TEST_F(Choose, InAClusterALockOfTwoKeysIsNoAnswer) {
  const Outcome outcome =
      run("choose --progress none --store redis-cluster --double-work harmful --resource refuses" + usual);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, HasSubstr("fenced: it is granted to nobody there"));
  EXPECT_THAT(outcome.out, HasSubstr("--resource cannot looks among"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("searches further")));
}

TEST_F(Choose, AsksOnATerminalAndSaysWhatItDoesNotUnderstand) {
  if (!has_terminal()) GTEST_SKIP() << "there is no script(1) to make a terminal with";
  write("answers", "nginks\n99\n6\nlua\n1\nno\n1s\n500ms\n500ms\n");
  const Outcome outcome = shell(
      "(sleep 1; cat answers; sleep 10) | timeout 60 script -qec "
      "\"$H choose --progress none --color never\" /dev/null");
  EXPECT_THAT(outcome.out, HasSubstr("which do you have? One or more, separated by commas."));
  EXPECT_THAT(outcome.out, HasSubstr("   6 nginx: the memory that its workers share"));
  EXPECT_THAT(outcome.out, HasSubstr("\"nginks\" is not one of these \u2014 did you mean \"nginx\"?"));
  EXPECT_THAT(outcome.out, HasSubstr("\"99\" is not one of these"));
  EXPECT_THAT(outcome.out, HasSubstr("Take resty-lock"));
}

TEST_F(Choose, WhatIsMissingOrWrongIsToldInOneLine) {
  const auto expect = [&](const std::string& arguments, const std::string& part) {
    const Outcome outcome = run("choose " + arguments);
    EXPECT_EQ(outcome.code, 64) << arguments;
    EXPECT_THAT(outcome.out, IsEmpty()) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(part)) << arguments;
  };
  expect("",
         "--store is missing: redis, redis-replicated, redis-sentinel, redis-cluster, redis-quorum, nginx");
  expect("--store nginx", "--double-work is missing: wasteful, harmful");
  expect("--store nginx --double-work harmful", "--pause is missing");
  expect("--store ngin",
         "\"ngin\" is not one of redis, redis-replicated, redis-sentinel, redis-cluster, redis-quorum, "
         "nginx, postgres");
  expect("--store ngin", "did you mean \"nginx\"?");
  expect("--store redis,postgrse", "did you mean \"postgres\"?");
  expect("--store nginx --language python --double-work wasteful" + usual,
         "--language: no lock here for nginx is of python; there are some of lua");
  expect("--store redis --double-work harmful --pause 0.5us --work 1s", "--pause");
}

}  // namespace
}  // namespace holdfast::cli
