// What states say of a ZooKeeper: all that decides what its clients are told next.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sim/stores/kinds.hpp"

namespace holdfast::stores {
namespace {

using Words = std::vector<std::string>;

struct ZooKeeper {
  void ask(const Words& words, Duration at = {}) {
    Effects effects;
    server->execute(ConnectionId{0}, Command(words), WallTime(at), effects);
  }
  std::string state() const {
    std::string all;
    server->visit([&](std::string_view key, std::string_view value, std::optional<std::int64_t> end, bool) {
      all += std::string(key) + '=' + std::string(value) + '@' + std::to_string(end.value_or(-1)) + '\n';
    });
    return all;
  }
  Kinds kinds;
  std::unique_ptr<Server> server = kinds.make(StoreKind::zookeeper);
};

// Both have the same last write. EXISTS tells the czxid as a number, which is 2 here and 3 there.
TEST(StatesOfZooKeeper, SayWhichWriteMadeANodeIfClientsAreToldSo) {
  ZooKeeper early;
  for (const Words& words : {Words{"CONNECT", "A1", "6000"}, Words{"CREATE", "A1", "job", ""},
                             Words{"CREATE", "A1", "job", ""}, Words{"CREATE", "A1", "job", ""}})
    early.ask(words);
  ZooKeeper late;
  for (const Words& words : {Words{"CONNECT", "A1", "6000"}, Words{"CREATE", "A1", "none/x", ""},
                             Words{"CREATE", "A1", "job", ""}, Words{"CREATE", "A1", "job", ""}})
    late.ask(words);
  EXPECT_EQ(early.state(), late.state());
  EXPECT_NE(early.server->digest_of_counts(), late.server->digest_of_counts());
}

// A session that ends at 8 s may do so at 10 s, too, with one that ends then; the one that began first goes
// first, and so do its nodes.
TEST(StatesOfZooKeeper, SayWhichOfTwoSessionsBeganFirstIfTheyMayEndTogether) {
  ZooKeeper one;
  one.ask({"CONNECT", "A1", "6000"}, 1s);
  one.ask({"CONNECT", "B1", "8000"}, 1s);
  ZooKeeper other;
  other.ask({"CONNECT", "B1", "8000"}, 1s);
  other.ask({"CONNECT", "A1", "6000"}, 1s);
  EXPECT_NE(one.state(), other.state());
}

// At 8 s and at 14 s: two seconds are the latest that an end is found.
TEST(StatesOfZooKeeper, DoNotSayWhichOfTwoSessionsBeganFirstIfTheyCannotEndTogether) {
  ZooKeeper one;
  one.ask({"CONNECT", "A1", "6000"}, 1s);
  one.ask({"CONNECT", "B1", "12000"}, 1s);
  ZooKeeper other;
  other.ask({"CONNECT", "B1", "12000"}, 1s);
  other.ask({"CONNECT", "A1", "6000"}, 1s);
  EXPECT_EQ(one.state(), other.state());
}

}  // namespace
}  // namespace holdfast::stores
