// Of a store that tells how often it was written to, states with other answers are others.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sim/stores/kinds.hpp"
#include "sim/stores/server.hpp"

namespace holdfast::stores {
namespace {

Reply ask(Server& server, const std::vector<std::string>& words) {
  Effects effects;
  return server.execute(ConnectionId{1}, Command(words), WallTime(), effects).value();
}
std::string state_of(const Server& server) {
  std::string state = std::to_string(server.digest_of_counts());
  server.visit([&](std::string_view key, std::string_view value, auto&&...) {
    (state += key) += '=';
    (state += value) += '\n';
  });
  return state;
}

TEST(CountsOfStores, AZooKeeperThatWillTellAnotherNumberIsInAnotherState) {
  Kinds kinds;
  const std::vector<std::string> made{"CREATE", "s", "lock", "v"};
  const std::vector<std::string> other{"CREATE", "s", "other", "v"};
  const std::vector<std::string> removed{"DELETE", "s", "other"};
  const auto state_after = [&](const std::vector<std::vector<std::string>>& requests, std::int64_t number) {
    const std::unique_ptr<Server> server = kinds.make(StoreKind::zookeeper);
    ask(*server, {"CONNECT", "s", "4000"});
    for (const std::vector<std::string>& each : requests) EXPECT_FALSE(ask(*server, each).is_error());
    EXPECT_TRUE(ask(*server, {"EXISTS", "s", "lock", "CZXID"}).is(number));
    EXPECT_TRUE(server->told().counts);
    return state_of(*server);
  };
  const std::string early = state_after({made, other, removed}, 2);
  EXPECT_EQ(early, state_after({made, other, removed}, 2));
  EXPECT_NE(early, state_after({other, removed, made}, 4));
}

}  // namespace
}  // namespace holdfast::stores
