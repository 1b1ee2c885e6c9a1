// What a pooler in transaction mode does to the locks of a PostgreSQL behind it, as seen with PgBouncer 1.18:
// two clients have one session, an unlock reaches another one, and what is left behind stays.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sim/stores/kinds.hpp"

namespace holdfast::stores {
namespace {

constexpr ConnectionId one{1};
constexpr ConnectionId other{2};

class Pooled : public testing::Test {
 protected:
  // The answer; "waits"; and behind it whom a push has told what.
  std::string ask(ConnectionId client, const std::string& line) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t end = std::min(line.find(' ', at), line.size());
      words.push_back(line.substr(at, end - at));
      at = end + 1;
    }
    Effects effects;
    const std::optional<Reply> reply = server->execute(client, Command(words), {}, effects);
    std::string said = reply ? text_of(*reply) : "waits";
    for (const Push& each : effects.pushes)
      said += ", " + std::to_string(each.connection.value) + ": " + text_of(each.message);
    return said;
  }
  static std::string text_of(const Reply& reply) {
    return reply.kind() == Reply::Kind::integer ? std::to_string(reply.number()) : reply.text();
  }
  void leave(ConnectionId client) {
    Effects effects;
    EXPECT_TRUE(server->end(client, {}, effects));
  }

  Kinds kinds;
  std::unique_ptr<Server> server = kinds.make(StoreKind::postgres);
};

TEST_F(Pooled, TwoClientsShareTheLockOfASession) {
  EXPECT_EQ(ask(one, "POOLED 1 pg_try_advisory_lock job"), "1");
  EXPECT_EQ(ask(other, "POOLED 1 pg_try_advisory_lock job"), "1");
  EXPECT_EQ(ask(other, "POOLED 2 pg_try_advisory_lock job"), "0");
  EXPECT_EQ(ask(other, "pg_try_advisory_lock job"), "0") << "without the pooler";
}

TEST_F(Pooled, AnUnlockThatReachesAnotherSessionFreesNothing) {
  EXPECT_EQ(ask(one, "POOLED 1 pg_try_advisory_lock job"), "1");
  EXPECT_EQ(ask(one, "POOLED 2 pg_advisory_unlock job"), "0");
  leave(one);
  leave(other);
  EXPECT_TRUE(server->has("lock:job"));
  EXPECT_EQ(server->endable().size(), 0u);
  server->restart(true, {});
  EXPECT_FALSE(server->has("lock:job"));
}

// Who is in a transaction has its session until that ends; others are given the next.
TEST_F(Pooled, ALockOfATransactionIsNotShared) {
  EXPECT_EQ(ask(one, "POOLED 1 BEGIN"), "BEGIN");
  EXPECT_EQ(ask(one, "POOLED 2 pg_advisory_xact_lock job"), "OK");
  EXPECT_EQ(ask(other, "POOLED 1 pg_try_advisory_xact_lock job"), "0");
  EXPECT_EQ(ask(other, "POOLED 1 pg_advisory_xact_lock job"), "waits");
  EXPECT_EQ(server->endable().size(), 2u);
  EXPECT_EQ(ask(one, "POOLED 1 COMMIT"), "COMMIT, 2: OK");
  EXPECT_EQ(ask(one, "POOLED 1 pg_try_advisory_xact_lock job"), "1") << "the statement was a transaction";
}

TEST_F(Pooled, WhoLeavesInATransactionTakesItsSessionAlong) {
  EXPECT_EQ(ask(one, "POOLED 1 BEGIN"), "BEGIN");
  EXPECT_EQ(ask(one, "POOLED 1 pg_try_advisory_lock job"), "1");
  leave(one);
  EXPECT_FALSE(server->has("lock:job"));
  EXPECT_EQ(ask(other, "POOLED 1 pg_advisory_unlock job"), "0");
}

}  // namespace
}  // namespace holdfast::stores
