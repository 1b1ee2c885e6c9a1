// A replica has what it saw of its server, and nothing else, when it takes over.
#include "sim/live/replica.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "sim/live/blocking_client.hpp"
#include "sim/live/no_server_test.hpp"

namespace holdfast::live {
namespace {

TEST(Replica, TakesOverWithWhatItSawOfItsServer) {
  const auto primary = RedisProcess::start();
  if (!primary) GTEST_SKIP() << no_server;
  BlockingClient before(primary->socket_path());
  before.send({"SET", "old", "1"});
  Replica replica(*primary);
  before.send({"SET", "seen", "2", "PX", "60000"});
  replica.lose_sight();
  EXPECT_TRUE(before.send({"SET", "unseen", "3"}).is_ok());
  BlockingClient client(replica.socket_path());
  EXPECT_TRUE(client.send({"SET", "k", "v"}).is_error());  // still a replica
  replica.take_over();
  EXPECT_TRUE(before.send({"PING"}).is_lost());
  EXPECT_THROW(BlockingClient{replica.socket_path()}, std::runtime_error);
  EXPECT_EQ(client.send({"MGET", "old", "seen", "unseen"}),
            Reply::array({Reply::bulk("1"), Reply::bulk("2"), Reply::nil()}));
  EXPECT_GT(client.send({"PTTL", "seen"}).number(), 0);
  EXPECT_TRUE(client.send({"SET", "k", "v"}).is_ok());
  // It is where its server was; what becomes a replica in its turn has all that it has.
  EXPECT_EQ(BlockingClient(primary->socket_path()).send({"GET", "k"}), Reply::bulk("v"));
  replica.follow_anew();
  replica.lose_sight();
  EXPECT_EQ(BlockingClient(replica.socket_path()).send({"MGET", "old", "k"}),
            Reply::array({Reply::bulk("1"), Reply::bulk("v")}));
  replica.take_over();
  EXPECT_TRUE(BlockingClient(primary->socket_path()).send({"SET", "k", "w"}).is_ok());
  // And it is restarted as any other.
  primary->restart();
  EXPECT_EQ(BlockingClient(primary->socket_path()).send({"DBSIZE"}), Reply::integer(0));
}

}  // namespace
}  // namespace holdfast::live
