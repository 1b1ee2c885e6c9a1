// What clients of an interpreter are told is what the real store answers, and the end of a connection is one.
#include "sim/live/interpreter.hpp"

#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "sim/live/blocking_client.hpp"
#include "sim/live/usable_server.hpp"

namespace holdfast::live {
namespace {

using testing::StartsWith;
using Words = std::vector<std::string>;

std::string missing(StoreKind kind) { return StoreProcess::missing(kind); }

// What it answers within so long; lost: nothing.
Reply wait_for_reply(BlockingClient& client, std::chrono::milliseconds at_most) {
  const auto end = std::chrono::steady_clock::now() + at_most;
  while (std::chrono::steady_clock::now() < end) {
    if (const std::optional<Reply> reply = client.poll()) return *reply;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return Reply::lost();
}

TEST(Interpreter, ASessionOfPostgresIsAConnectionOfItsClient) {
  if (!missing(StoreKind::postgres).empty()) GTEST_SKIP() << missing(StoreKind::postgres);
  ServerForRun server = ServerForRun::private_store(StoreKind::postgres);
  EXPECT_THAT(server.version(), StartsWith("PostgreSQL 1"));
  auto holder = std::make_unique<BlockingClient>(server.address());
  BlockingClient other(server.address());
  EXPECT_TRUE(holder->send({"pg_try_advisory_lock", "job"}).is(1));
  EXPECT_TRUE(other.send({"pg_try_advisory_lock", "job"}).is(0));
  EXPECT_TRUE(other.send({"nonsense"}).is_error());
  // What waits is seen to, and goes on when the session that holds the lock ends with its connection.
  const std::string id = std::to_string(other.send({"CLIENT", "ID"}).number());
  other.post({"pg_advisory_lock", "job"});
  EXPECT_TRUE(wait_for_reply(other, std::chrono::milliseconds(100)).is_lost());
  EXPECT_NE(holder->send({"CLIENT", "LIST", "ID", id}).text().find("flags=b"), std::string::npos);
  holder.reset();
  EXPECT_TRUE(wait_for_reply(other, std::chrono::seconds(10)).is_ok());
  // Whose session is ended by the server learns it at the next statement, as a connection that breaks.
  BlockingClient control(server.address());
  EXPECT_TRUE(control.send({"END-SESSION", "7"}).is(1));
  EXPECT_TRUE(other.send({"pg_advisory_unlock", "job"}).is_lost());
  EXPECT_TRUE(server.restart());
  EXPECT_TRUE(server.answers());
}

TEST(Interpreter, WatchesOfEtcdAreAskedForAndItsLeasesOutlastConnections) {
  if (!missing(StoreKind::etcd).empty()) GTEST_SKIP() << missing(StoreKind::etcd);
  ServerForRun server = ServerForRun::private_store(StoreKind::etcd);
  EXPECT_THAT(server.version(), StartsWith("etcd 3."));
  BlockingClient one(server.address());
  EXPECT_TRUE(BlockingClient(server.address()).send({"GRANT", "mine", "60"}).is(60));
  EXPECT_TRUE(one.send({"PUT", "k", "v", "LEASE", "mine"}).is_ok());
  BlockingClient watcher(server.address());
  EXPECT_TRUE(watcher.send({"WATCH", "k", "NOPUT"}).is_ok());
  watcher.post({"NEXT"});
  EXPECT_TRUE(wait_for_reply(watcher, std::chrono::milliseconds(100)).is_lost());
  EXPECT_TRUE(one.send({"REVOKE", "mine"}).is_ok());
  const Reply events = wait_for_reply(watcher, std::chrono::seconds(10));
  ASSERT_EQ(events.elements().size(), 1u);
  EXPECT_EQ(events.elements()[0].elements()[0], Reply::status("DELETE"));
  EXPECT_EQ(events.elements()[0].elements()[1], Reply::bulk("k"));
  // It is asked in vain: something else is asked for meanwhile.
  watcher.post({"NEXT"});
  watcher.post({"KEEPALIVE", "mine"});
  EXPECT_TRUE(wait_for_reply(watcher, std::chrono::seconds(10)).is_nil());
  EXPECT_TRUE(wait_for_reply(watcher, std::chrono::seconds(10)).is(0));
  EXPECT_TRUE(one.send({"END-SESSION", "0"}).is(0));
}

TEST(Interpreter, SessionsOfZooKeeperAndTheirWatchesGoOnOverOtherConnectionsNightly) {
  if (!missing(StoreKind::zookeeper).empty()) GTEST_SKIP() << missing(StoreKind::zookeeper);
  ServerForRun server = ServerForRun::private_store(StoreKind::zookeeper);
  EXPECT_THAT(server.version(), StartsWith("ZooKeeper 3."));
  BlockingClient one(server.address());
  BlockingClient watcher(server.address());
  EXPECT_TRUE(one.send({"CONNECT", "a", "4000"}).is(4000));
  EXPECT_FALSE(one.send({"CREATE", "a", "k", "v", "EPHEMERAL"}).is_error());
  EXPECT_TRUE(watcher.send({"CONNECT", "b", "4000"}).is(4000));
  EXPECT_TRUE(watcher.send({"EXISTS", "b", "k", "WATCH"}).is(1));
  EXPECT_TRUE(BlockingClient(server.address()).send({"RECONNECT", "b"}).is(4000));
  watcher.post({"NEXT"});
  EXPECT_TRUE(one.send({"CLOSE", "a"}).is_ok());
  EXPECT_EQ(wait_for_reply(watcher, std::chrono::seconds(10)),
            Reply::array({Reply::status("NodeDeleted"), Reply::bulk("k")}));
  EXPECT_TRUE(one.send({"END-SESSION", "3"}).is(1));
  // Its connection breaks, and the next one tells it.
  EXPECT_TRUE(one.send({"EXISTS", "b", "k"}).is_lost());
  EXPECT_EQ(BlockingClient(server.address()).send({"EXISTS", "b", "k"}), Reply::error("SessionExpired"));
}

}  // namespace
}  // namespace holdfast::live
