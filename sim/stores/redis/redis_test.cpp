// The simulated server by itself: time, changes, restart, what EVALSHA finds.
#include "sim/stores/redis/redis.hpp"

#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include "sim/core/sha1.hpp"
#include "sim/stores/redis/glob.hpp"
#include "sim/stores/redis/numbers.hpp"
#include "sim/stores/redis/scripts.hpp"
#include "sim/stores/redis/words.hpp"

namespace holdfast::redis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Kind = Change::Kind;

constexpr WallTime start(1'700'000'000s);

class RedisTest : public testing::Test {
 protected:
  // Commands are written as for redis-cli.
  Reply run(const std::string& line, Duration after_start = 0ms) {
    changes.clear();
    return redis.execute(*split_words(line), start + after_start, changes);
  }
  std::int64_t number(const std::string& line, Duration after_start = 0ms) {
    return run(line, after_start).number();
  }

  Scripts scripts;
  Redis redis{scripts};
  Changes changes;
};

TEST_F(RedisTest, KeyLivesThroughTheMillisecondOfItsExpiry) {
  // Set at 0.4 ms with 10 ms to live: Redis counts whole milliseconds, so it is there until just before 11
  // ms.
  run("SET k v PX 10", 400us);
  EXPECT_EQ(number("EXISTS k", 10'999us), 1);
  EXPECT_EQ(number("PTTL k", 10'999us), 0);
  EXPECT_EQ(redis.expiry_of("k"), start + 10'999us);
  EXPECT_EQ(number("EXISTS k", 11'000us), 0);
  EXPECT_THAT(changes, ElementsAre(Change{"k", Kind::expired}));
}

// What Redis 7.0 has is told apart from what it does not know either: only of the former a server without it
// says nothing.
TEST_F(RedisTest, TellsWhatIsNotSimulated) {
  const auto after = [this](const std::string& line) {
    redis = Redis(scripts);
    run(line);
    return std::string(redis.not_simulated().what);
  };
  EXPECT_EQ(after("BITPOS k 1"), "BITPOS");
  EXPECT_EQ(after("object EnCoding k"), "OBJECT ENCODING");
  EXPECT_EQ(after("OBJECT"), "OBJECT");
  EXPECT_EQ(after("CLIENT TRACKING ON"), "CLIENT TRACKING");
  EXPECT_EQ(after("SCRIPT DEBUG YES"), "SCRIPT DEBUG");
  EXPECT_EQ(after("EVAL \"return redis.pcall('object', 'encoding', 'k')\" 0"), "OBJECT ENCODING");
  EXPECT_EQ(after("EVAL \"return pcall(function() return cjson.encode({}) end)\" 0"), "cjson");
  EXPECT_EQ(after("EVAL \"return rawget(_G, 'struct')\" 0"), "struct");
  EXPECT_EQ(after("EVAL \"return pcall(redis.acl_check_cmd, 'bitpos', 'k', 1)\" 0"), "BITPOS");
  EXPECT_EQ(after("EVAL \"return math.random(9)\" 0"), "math.random() without a seed");
  EXPECT_EQ(after("EVAL \"redis.setresp(3) return 1\" 0"), "redis.setresp(3)");
  // Where the server has a choice, and where there is none.
  EXPECT_EQ(after("SADD s x y"), "");
  run("SPOP s 2");
  EXPECT_EQ(redis.not_simulated().what, "");
  run("SADD s x y");
  run("SPOP s");
  EXPECT_EQ(redis.not_simulated().what, "spop");
  EXPECT_EQ(after("SELECT 0"), "");
  EXPECT_EQ(after("SELECT 3"), "SELECT");
  EXPECT_EQ(after("SCAN 0 COUNT 1"), "");
  EXPECT_EQ(after("SCAN 7"), "SCAN");
  // They concern a connection, and nobody said which.
  EXPECT_EQ(after("UNWATCH"), "unwatch");
  EXPECT_EQ(after("BLPOP k 1"), "blpop");
  EXPECT_EQ(redis.not_simulated().how, " over the connection that all requests of a client share");
  // Redis 7.0 does not know these, or does what the simulated server does.
  for (const char* known :
       {"SETBITS k 1 1", "OBJECT ENCODE k", "CLIENT SETINFO lib-name x", "JSON.GET k", "SCRIPT NONSENSE",
        "BLPOP k", "WAIT 0 0", "EVAL \"return nothing\" 0",
        "EVAL \"math.randomseed(7) return math.random(9)\" 0", "EVAL \"return redis.call('nothing')\" 0",
        "EVAL \"return redis.call('blpop', 'k', 1)\" 0"})
    EXPECT_EQ(after(known), "") << known;
}

TEST_F(RedisTest, TakesNamesOfCommandsInAnyCaseAndWhole) {
  EXPECT_EQ(run("gEt k"), Reply::nil());
  EXPECT_EQ(run("scRIPT exISTS a"), Reply::array({Reply::integer(0)}));
  EXPECT_TRUE(run(R"("GET\x00" k)").is_error());
  EXPECT_TRUE(run(R"(SCRIPT "EXISTS\x00" a)").is_error());
  for (const char* line : {"script|exists a", "script x", "scriptx", "gett k", "ge k", "\"\" k"})
    EXPECT_TRUE(run(line).is_error()) << line;
  for (const CommandRow& row : all_commands()) {
    const bool is_subcommand = row.name.find('|') != std::string_view::npos;
    const Command name{row.name};
    EXPECT_EQ(find_row(name.argv()), is_subcommand ? nullptr : &row) << row.name;
  }
}

TEST_F(RedisTest, NextExpiryIsTheLastInstantOfTheKeyThatDiesFirst) {
  EXPECT_EQ(redis.next_expiry(), std::nullopt);
  run("SET a v PX 30");
  run("SET b v PX 20");
  run("SET c v");
  EXPECT_EQ(redis.next_expiry(), start + 20'999us);
  run("PERSIST b");
  EXPECT_EQ(redis.next_expiry(), start + 30'999us);
  run("SET a v");
  EXPECT_EQ(redis.next_expiry(), std::nullopt);
}

TEST_F(RedisTest, ExpireDueRemovesTheDeadInTheOrderOfTheirDeath) {
  run("SET a v PX 30");
  run("SET b v PX 20");
  run("SET c v PX 50");
  changes.clear();
  Pushes pushes;
  redis.expire_due(start + 30'999us, changes, pushes);
  EXPECT_THAT(changes, ElementsAre(Change{"b", Kind::expired}));
  changes.clear();
  redis.expire_due(start + 51ms, changes, pushes);
  EXPECT_THAT(changes, ElementsAre(Change{"a", Kind::expired}, Change{"c", Kind::expired}));
  EXPECT_TRUE(redis.is_empty());
  EXPECT_TRUE(pushes.empty());
}

TEST_F(RedisTest, ClockSetBackLengthensTheLifeOfAKey) {
  run("SET k v PX 10", 1s);
  EXPECT_EQ(number("PTTL k", 0s), 1010);
}

TEST_F(RedisTest, TimeToLiveOfZeroOrLessRemovesTheKey) {
  for (const char* line : {"PEXPIRE k 0", "PEXPIRE k -1", "EXPIRE k -5", "PEXPIREAT k 1", "GETEX k PXAT 1"}) {
    run("SET k v");
    run(line);
    EXPECT_THAT(changes, ElementsAre(Change{"k", Kind::removed})) << line;
  }
}

TEST_F(RedisTest, EveryWriteReportsWhatItChanged) {
  const auto changed = [&](const std::string& line) {
    run(line);
    return changes;
  };
  EXPECT_THAT(changed("SET a 1"), ElementsAre(Change{"a", Kind::created}));
  EXPECT_THAT(changed("SET a 1"), ElementsAre(Change{"a", Kind::overwritten}));
  EXPECT_THAT(changed("SET a 2 NX"), IsEmpty());
  EXPECT_THAT(changed("SETNX a 2"), IsEmpty());
  EXPECT_THAT(changed("GETSET a 2"), ElementsAre(Change{"a", Kind::overwritten}));
  EXPECT_THAT(changed("INCR a"), ElementsAre(Change{"a", Kind::overwritten, Change::Way::counted}));
  EXPECT_THAT(changed("INCR b"), ElementsAre(Change{"b", Kind::created}));
  EXPECT_THAT(changed("EXPIRE a 10"), ElementsAre(Change{"a", Kind::ttl_changed}));
  EXPECT_THAT(changed("EXPIRE a 10 NX"), IsEmpty());
  EXPECT_THAT(changed("PERSIST a"), ElementsAre(Change{"a", Kind::ttl_changed}));
  EXPECT_THAT(changed("PERSIST a"), IsEmpty());
  EXPECT_THAT(changed("MSET a 1 c 2 a 3"),
              ElementsAre(Change{"a", Kind::overwritten}, Change{"c", Kind::created},
                          Change{"a", Kind::overwritten}));
  EXPECT_THAT(changed("RENAME c b"), ElementsAre(Change{"c", Kind::removed}, Change{"b", Kind::overwritten}));
  EXPECT_THAT(changed("DEL a a nobody"), ElementsAre(Change{"a", Kind::removed}));
  EXPECT_THAT(changed("FLUSHALL"), ElementsAre(Change{"b", Kind::removed}));
  EXPECT_THAT(changed("GET a"), IsEmpty());
}

TEST_F(RedisTest, ScriptReportsTheChangesOfItsCommandsInOrder) {
  run("SET old v PX 5");
  run("EVAL \"redis.call('set', 'a', 1) redis.call('del', 'a') redis.pcall('set') redis.call('incr', 'b')\" "
      "0",
      10ms);
  EXPECT_THAT(changes, ElementsAre(Change{"old", Kind::expired}, Change{"a", Kind::created},
                                   Change{"a", Kind::removed}, Change{"b", Kind::created}));
}

TEST_F(RedisTest, OverwritingADeadKeyExpiresItFirst) {
  run("SET k v PX 5");
  run("SET k w NX", 6ms);
  EXPECT_THAT(changes, ElementsAre(Change{"k", Kind::expired}, Change{"k", Kind::created}));
}

TEST_F(RedisTest, FailedScriptKeepsWhatItHasDone) {
  // The expiry is refused after the key was made: a lock without a TTL.
  const Reply reply =
      run("EVAL \"redis.call('setnx', KEYS[1], 1) redis.call('expire', KEYS[1], ARGV[1])\" 1 k 1000.5");
  EXPECT_TRUE(reply.is_error());
  EXPECT_EQ(number("TTL k"), -1);
}

TEST_F(RedisTest, RestartForgetsDataAndScripts) {
  run("SET k v PX 100");
  const std::string sha = run("SCRIPT LOAD 'return 1'").text();
  EXPECT_THAT(redis.loaded_scripts(), ElementsAre(sha));
  EXPECT_TRUE(run("EVALSHA " + sha + " 0").is(1));
  redis.restart();
  EXPECT_TRUE(redis.is_empty());
  EXPECT_EQ(redis.next_expiry(), std::nullopt);
  EXPECT_THAT(redis.loaded_scripts(), IsEmpty());
  EXPECT_EQ(run("EVALSHA " + sha + " 0"), Reply::error("NOSCRIPT No matching script. Please use EVAL."));
  EXPECT_TRUE(run("EVAL 'return 1' 0").is(1));
  EXPECT_TRUE(run("EVALSHA " + sha + " 0").is(1));
}

TEST_F(RedisTest, ServersThatShareAnEngineKnowOnlyTheirOwnScripts) {
  Redis other(scripts);
  const std::string sha = run("SCRIPT LOAD 'return 1'").text();
  EXPECT_TRUE(other.execute({"EVALSHA", sha, "0"}, start, changes).is_error());
}

TEST_F(RedisTest, CopyOfAServerGoesItsOwnWay) {
  run("SET k v");
  Redis copy = redis;
  run("SET k w");
  EXPECT_EQ(copy.value_of("k"), "v");
  EXPECT_EQ(redis.value_of("k"), "w");
}

TEST_F(RedisTest, VisitShowsKeysInOrderWithTheirLastInstant) {
  run("SET b 2 PX 7");
  run("SET a 1");
  std::vector<std::string> seen;
  redis.visit([&](std::string_view key, std::string_view value, std::optional<WallTime> expires_at) {
    seen.push_back(std::string(key) + "=" + std::string(value) +
                   (expires_at ? " " + to_text(*expires_at - start) : std::string()));
  });
  EXPECT_THAT(seen, ElementsAre("a=1", "b=2 7.999ms"));
}

TEST_F(RedisTest, TimeIsTheGivenTime) {
  EXPECT_EQ(run("TIME", 1'500'042us), Reply::array({Reply::bulk("1700000001"), Reply::bulk("500042")}));
}

TEST(Integers, AreReadOnlyAsTheyAreWritten) {
  for (const char* text : {"0", "1", "-1", "999999999999999999", "-999999999999999999", "1000000000000000000",
                           "9223372036854775807", "-9223372036854775808"})
    EXPECT_EQ(std::to_string(to_integer(text).value()), text);
  for (const char* text : {"", "-", "+1", "01", "-0", "-01", " 1", "1 ", "1.0", "--1", "1234567890123456x",
                           "1234567890123456789x", "9223372036854775808"})
    EXPECT_EQ(to_integer(text), std::nullopt) << text;
}

TEST(Glob, MatchesInBoundedTime) {
  EXPECT_TRUE(glob_matches("lock:*:[a-c]?", "lock:x:y:bz"));
  EXPECT_FALSE(glob_matches("lock:[^a]", "lock:a"));
  // Exponential for a matcher that tries every star anew.
  const std::string text(5000, 'a');
  EXPECT_FALSE(glob_matches("*a*a*a*a*a*a*a*a*a*a*b", text));
}

TEST(Sha1, AgreesWithTheStandard) {
  // FIPS 180-4, examples; the last ones straddle a block.
  EXPECT_EQ(sha1_hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(sha1_hex(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(sha1_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(sha1_hex(std::string(1'000'000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

}  // namespace
}  // namespace holdfast::redis
