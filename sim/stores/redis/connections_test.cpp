// Connections to the simulated server: who waits, who listens, whose transaction goes through.
#include "sim/stores/redis/connections.hpp"

#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include "sim/stores/redis/redis.hpp"
#include "sim/stores/redis/scripts.hpp"
#include "sim/stores/redis/words.hpp"

namespace holdfast::redis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr WallTime opening(1'700'000'000s);

Reply texts(const std::vector<std::string>& words) {
  std::vector<Reply> replies;
  for (const std::string& word : words) replies.push_back(Reply::bulk(word));
  return Reply::array(std::move(replies));
}

class ConnectionsTest : public testing::Test {
 protected:
  // Commands are written as for redis-cli.
  std::optional<Reply> run(std::uint32_t connection, const std::string& line, Duration after_start = 0ms) {
    changes.clear();
    pushes.clear();
    return redis.execute(ConnectionId{connection}, *split_words(line), opening + after_start, changes,
                         pushes);
  }
  Pushes end_waits(Duration after_start) {
    Pushes ended;
    redis.end_waits_due(opening + after_start, ended);
    return ended;
  }
  static Push push(std::uint32_t connection, Reply message) {
    return Push{ConnectionId{connection}, std::move(message)};
  }
  std::vector<std::string> states() const {
    std::vector<std::string> states;
    redis.visit_connections(
        [&](ConnectionId connection, std::string_view state, std::optional<WallTime> until) {
          states.push_back(std::to_string(connection.value) + " " + std::string(state) +
                           (until ? " " + to_text(*until - opening) : std::string()));
        });
    return states;
  }

  Scripts scripts;
  Redis redis{scripts};
  Changes changes;
  Pushes pushes;
};

TEST_F(ConnectionsTest, WhoWaitsLongestIsServedFirst) {
  EXPECT_EQ(run(2, "BLPOP a b 0"), std::nullopt);
  EXPECT_EQ(run(1, "BRPOP b 0"), std::nullopt);
  EXPECT_EQ(run(3, "BLPOP b 0"), std::nullopt);
  EXPECT_TRUE(redis.is_waiting(ConnectionId{1}));
  EXPECT_EQ(run(4, "RPUSH b x y"), Reply::integer(2));
  EXPECT_THAT(pushes, ElementsAre(push(2, texts({"b", "x"})), push(1, texts({"b", "y"}))));
  EXPECT_THAT(states(), ElementsAre("3 waiting for a list keys \"b\""));
  EXPECT_EQ(redis.value_of("b"), std::nullopt);
}

TEST_F(ConnectionsTest, WaitersAreServedWhenTheWholeTransactionIsDone) {
  // What a transaction takes back was never there for those who wait.
  run(1, "BLPOP a 0");
  run(2, "MULTI");
  run(2, "LPUSH a x");
  run(2, "DEL a");
  run(2, "EXEC");
  EXPECT_THAT(pushes, IsEmpty());
  run(2, "EVAL \"redis.call('lpush', 'a', 'x') redis.call('lpush', 'a', 'y')\" 0");
  EXPECT_THAT(pushes, ElementsAre(push(1, texts({"a", "y"}))));
}

TEST_F(ConnectionsTest, MovedElementWakesTheNextInLine) {
  run(1, "BLMOVE a b LEFT LEFT 0");
  run(2, "BLPOP b 0");
  run(3, "RPUSH a x");
  EXPECT_THAT(pushes, ElementsAre(push(1, Reply::bulk("x")), push(2, texts({"b", "x"}))));
  EXPECT_TRUE(redis.is_empty());
}

TEST_F(ConnectionsTest, WaiterOfAnotherTypeGoesOnWaiting) {
  run(1, "BLPOP a 0");
  run(2, "BZPOPMAX a 0");
  run(3, "ZADD a 1 low 2.5 high");
  EXPECT_THAT(pushes, ElementsAre(push(2, texts({"a", "high", "2.5"}))));
  EXPECT_TRUE(redis.is_waiting(ConnectionId{1}));
  // A list under another name comes to be here.
  run(3, "RPUSH other x");
  run(3, "RENAME other a");
  EXPECT_THAT(pushes, ElementsAre(push(1, texts({"a", "x"}))));
}

TEST_F(ConnectionsTest, WaitEndsAfterTheMillisecondOfItsTimeout) {
  run(1, "BLPOP a 0.02");
  run(2, "BLMOVE a b LEFT LEFT 0.01", 400us);
  run(3, "BLPOP a 0");
  run(4, "WAIT 1 15");
  EXPECT_EQ(redis.next_wait_end(), opening + 10'999us);
  EXPECT_THAT(end_waits(10'999us), IsEmpty());
  EXPECT_THAT(end_waits(21ms),
              ElementsAre(push(2, Reply::nil()), push(4, Reply::integer(0)), push(1, Reply::nil())));
  EXPECT_EQ(redis.next_wait_end(), std::nullopt);
  EXPECT_TRUE(redis.is_waiting(ConnectionId{3}));
}

TEST_F(ConnectionsTest, CommandEndsTheWaitsThatAreOverFirst) {
  run(1, "BLPOP a 0.02");
  run(2, "RPUSH a x", 21ms);
  EXPECT_THAT(pushes, ElementsAre(push(1, Reply::nil())));
  EXPECT_EQ(redis.value_of("a"), "list \"x\"");
}

TEST_F(ConnectionsTest, NobodyInParticularNeverWaits) {
  EXPECT_EQ(redis.execute({"BLPOP", "a", "0"}, opening, changes), Reply::nil());
  EXPECT_EQ(redis.execute({"WAIT", "1", "0"}, opening, changes), Reply::integer(0));
  EXPECT_EQ(redis.execute({"MULTI"}, opening, changes), Reply::error("ERR multi needs a connection"));
  EXPECT_EQ(redis.execute({"SUBSCRIBE", "a"}, opening, changes),
            Reply::error("ERR subscribe needs a connection"));
  EXPECT_THAT(states(), IsEmpty());
}

TEST_F(ConnectionsTest, WaitAnswersTheNumberOfReplicas) {
  redis.set_replicas(2);
  EXPECT_EQ(run(1, "WAIT 2 0"), Reply::integer(2));
  EXPECT_EQ(run(1, "WAIT 3 10"), std::nullopt);
  EXPECT_THAT(end_waits(11ms), ElementsAre(push(1, Reply::integer(2))));
}

TEST_F(ConnectionsTest, MessagesGoToChannelsAndPatterns) {
  EXPECT_EQ(run(3, "SUBSCRIBE news weather"),
            Reply::array({Reply::bulk("subscribe"), Reply::bulk("weather"), Reply::integer(2)}));
  EXPECT_THAT(
      pushes,
      ElementsAre(push(3, Reply::array({Reply::bulk("subscribe"), Reply::bulk("news"), Reply::integer(1)}))));
  run(2, "PSUBSCRIBE n* *s");
  EXPECT_EQ(run(1, "PUBLISH news hello"), Reply::integer(3));
  EXPECT_THAT(pushes, ElementsAre(push(2, texts({"pmessage", "*s", "news", "hello"})),
                                  push(2, texts({"pmessage", "n*", "news", "hello"})),
                                  push(3, texts({"message", "news", "hello"}))));
  EXPECT_EQ(run(1, "EVAL \"return redis.call('publish', 'weather', 'rain')\" 0"), Reply::integer(1));
  EXPECT_THAT(pushes, ElementsAre(push(3, texts({"message", "weather", "rain"}))));
  redis.disconnect(ConnectionId{3});
  EXPECT_EQ(run(1, "PUBLISH weather rain"), Reply::integer(0));
}

TEST_F(ConnectionsTest, WatchedKeyThatChangesStopsTheTransaction) {
  const auto outcome = [&](const std::string& meanwhile, Duration after_start) {
    run(1, "SET k v PX 100");
    run(1, "WATCH k");
    run(2, meanwhile, after_start);
    run(1, "MULTI", after_start);
    run(1, "SET seen 1", after_start);
    return run(1, "EXEC", after_start);
  };
  const Reply done = Reply::array({Reply::ok()});
  EXPECT_EQ(outcome("GET k", 0ms), done);
  EXPECT_EQ(outcome("SET other w", 0ms), done);
  EXPECT_EQ(outcome("SET k w", 0ms), Reply::nil());
  EXPECT_EQ(outcome("PEXPIRE k 5", 0ms), Reply::nil());
  EXPECT_EQ(outcome("FLUSHALL", 0ms), Reply::nil());
  EXPECT_EQ(outcome("PING", 101ms), Reply::nil());
  EXPECT_THAT(states(), IsEmpty());
}

TEST_F(ConnectionsTest, KeyThatDiesAsTimePassesStopsTheTransaction) {
  run(1, "SET k v PX 100");
  run(1, "WATCH k");
  redis.expire_due(opening + 101ms, changes, pushes);
  EXPECT_THAT(states(), ElementsAre("1 stale watched \"k\""));
}

TEST_F(ConnectionsTest, WhoListensHearsOfKeysOnceTheServerIsToldTo) {
  const auto event = [](const std::string& channel, const std::string& text) {
    return push(1, texts({"message", channel, text}));
  };
  run(1, "SUBSCRIBE __keyevent@0__:expired __keyspace@0__:k __keyevent@0__:evicted");
  run(2, "SET k v PX 100");
  EXPECT_THAT(pushes, IsEmpty());
  EXPECT_EQ(redis.notices_changed(), 0u);
  run(2, "CONFIG SET notify-keyspace-events KEA");
  run(2, "SET k v PX 100");
  EXPECT_THAT(pushes, ElementsAre(event("__keyspace@0__:k", "set"), event("__keyspace@0__:k", "expire")));
  pushes.clear();
  redis.expire_due(opening + 101ms, changes, pushes);
  EXPECT_THAT(pushes,
              ElementsAre(event("__keyspace@0__:k", "expired"), event("__keyevent@0__:expired", "k")));
  run(2, "SET k v", 102ms);
  pushes.clear();
  redis.evict("k", opening + 103ms, changes, pushes);
  EXPECT_THAT(pushes,
              ElementsAre(event("__keyspace@0__:k", "evicted"), event("__keyevent@0__:evicted", "k")));
  // What was set so is lost with the server. Its file may say more.
  EXPECT_NE(redis.notices_changed(), 0u);
  redis.configure("notify-keyspace-events", "Kg");
  run(2, "CONFIG SET notify-keyspace-events KEA", 104ms);
  redis.restart();
  EXPECT_EQ(redis.notices_changed(), 0u);
  EXPECT_EQ(run(2, "CONFIG GET notify-keyspace-events", 105ms), texts({"notify-keyspace-events", "gK"}));
}

TEST_F(ConnectionsTest, TransactionWithSubscriptionsAnswersInPieces) {
  // The array takes as many replies as there were commands; a real server does the same.
  run(1, "MULTI");
  run(1, "SUBSCRIBE a b");
  run(1, "PUBLISH b x");
  EXPECT_EQ(run(1, "EXEC"), Reply::integer(1));
  const Reply first = Reply::array({Reply::bulk("subscribe"), Reply::bulk("a"), Reply::integer(1)});
  const Reply second = Reply::array({Reply::bulk("subscribe"), Reply::bulk("b"), Reply::integer(2)});
  EXPECT_THAT(pushes,
              ElementsAre(push(1, Reply::array({first, second})), push(1, texts({"message", "b", "x"}))));
}

TEST_F(ConnectionsTest, ScriptThatAListenerRunsListensToNothing) {
  run(1, "MULTI");
  run(1, "SUBSCRIBE a");
  run(1, "PING");
  run(1, "EVAL \"return redis.call('ping')\" 0");
  const Reply subscribed = Reply::array({Reply::bulk("subscribe"), Reply::bulk("a"), Reply::integer(1)});
  EXPECT_EQ(run(1, "EXEC"), Reply::array({subscribed, texts({"pong", ""}), Reply::status("PONG")}));
}

TEST_F(ConnectionsTest, StatesTellAllThatMatters) {
  run(4, "MULTI");
  run(4, "SET a \"b c\"");
  run(4, "NOSUCHCOMMAND");
  run(2, "WATCH y x");
  run(3, "SUBSCRIBE b a");
  run(3, "PSUBSCRIBE p*");
  run(6, "BRPOPLPUSH from to 5");
  run(5, "BZPOPMIN z1 z2 0");
  EXPECT_THAT(states(),
              ElementsAre("2 watched \"x\" \"y\"", "3 channels \"a\" \"b\" patterns \"p*\"",
                          "4 queueing refused queued \"SET\" \"a\" \"b c\"",
                          "6 waiting for a list from its end keys \"from\" to the begin of \"to\" 5.000999s",
                          "5 waiting for a sorted set keys \"z1\" \"z2\""));
  redis.restart();
  EXPECT_THAT(states(), IsEmpty());
}

TEST_F(ConnectionsTest, FinishedConnectionsLeaveNoTrace) {
  for (const char* line :
       {"MULTI", "DISCARD", "WATCH a", "UNWATCH", "MULTI", "GET a", "EXEC", "SUBSCRIBE a", "UNSUBSCRIBE",
        "PSUBSCRIBE *", "PUNSUBSCRIBE *", "SUBSCRIBE a", "RESET", "CLIENT ID"})
    run(1, line);
  EXPECT_THAT(states(), IsEmpty());
}

TEST(Values, TextsAreEqualForEqualValuesOnly) {
  Scripts scripts;
  Redis redis(scripts);
  Changes changes;
  const auto text_after = [&](const std::vector<std::string>& lines) {
    redis.restart();
    for (const std::string& line : lines) redis.execute(*split_words(line), opening, changes);
    return redis.value_of("k").value_or("nothing");
  };
  EXPECT_EQ(text_after({"RPUSH k b a"}), "list \"b\" \"a\"");
  EXPECT_EQ(text_after({"SADD k b a"}), "set \"a\" \"b\"");
  EXPECT_EQ(text_after({"ZADD k 2 a 0.1 b 2 A"}), "zset \"b\" 0.10000000000000001 \"A\" 2 \"a\" 2");
  EXPECT_EQ(text_after({"HSET k f 1", "HSET k e 2"}), "hash \"e\" \"2\" \"f\" \"1\"");
  EXPECT_EQ(text_after({"HSET k e 2 f 1"}), text_after({"HSET k f 1 e 2"}));
  EXPECT_EQ(text_after({"RPUSH k a", "LPOP k"}), "nothing");
  // Quotes and what looks like another value.
  EXPECT_EQ(text_after({R"(RPUSH k "a\" \"b")"}), R"(list "a\" \"b")");
  EXPECT_EQ(text_after({R"(SET k "list")"}), "list");
  EXPECT_EQ(text_after({R"(SET k "list \"a\"")"}), R"(string "list \"a\"")");
  EXPECT_EQ(text_after({R"(SET k "string \"list\"")"}), R"(string "string \"list\"")");
}

}  // namespace
}  // namespace holdfast::redis
