// The model of ZooKeeper by itself: it is held to every line of facts.txt, as a real server is
// (sim/live/zookeeper_conformance_test.cpp); and what a world needs of it beyond replies.
#include "sim/stores/zookeeper/tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "sim/stores/zookeeper/facts_test.hpp"

namespace holdfast::zookeeper {
namespace {

using testing::ElementsAre;
using Kind = Change::Kind;
using Way = Change::Way;

constexpr WallTime start(1'700'000'000s);

class TreeTest : public testing::Test {
 protected:
  std::string ask(char connection, const std::vector<std::string>& words) {
    changes.clear();
    const auto id = static_cast<std::uint32_t>(connection - 'A' + 1);
    const Reply reply = tree.execute({id}, Command(words), now, changes, pushes);
    hear();
    return writer.of(parse(Command(words)), reply);
  }
  std::string ask(const std::string& line) { return ask('A', words_in(line)); }
  void let_pass(Duration time) {
    changes.clear();
    const WallTime end = now + time;
    while (const auto next = tree.next_end()) {
      if (*next + 1us > end) break;
      now = *next + 1us;
      pass();
    }
    now = end;
    pass();
    hear();
  }
  void pass() { tree.pass(now, are_late ? tree.ways_to_pass(now) - 1 : 0, changes, pushes); }
  void hear() {
    for (const Push& push : std::exchange(pushes, {})) told[push.connection.value].push_back(push.message);
  }

  Tree tree;
  Writer writer;
  WallTime now = start;
  bool are_late = false;
  Changes changes;
  Pushes pushes;
  std::map<std::uint32_t, std::vector<Reply>> told;
};

class Facts : public TreeTest {
 protected:
  void take(const FactStep& step) {
    const auto connection = static_cast<std::uint32_t>(step.session - 'A' + 1);
    switch (step.kind) {
      case FactStep::Kind::asks: EXPECT_EQ(ask(step.session, step.words), step.reply) << step.line; break;
      case FactStep::Kind::is_answered:
        EXPECT_EQ(Writer::of_events(std::exchange(told[connection], {})), step.reply) << step.line;
        break;
      case FactStep::Kind::sleeps: let_pass(step.time); break;
      case FactStep::Kind::restarts:
        tree.end_all_connections();
        tree.begin_sessions_anew(now);
        break;
      default: ADD_FAILURE() << step.line;
    }
  }
};

// Whether sessions end in time or a tick later.
TEST_F(Facts, AreThoseOfZooKeeper) {
  const std::vector<Fact> all = facts();
  ASSERT_EQ(all.size(), 16u);
  for (const bool late : {false, true})
    for (const Fact& fact : all) {
      SCOPED_TRACE(fact.name);
      tree = Tree(200ms);
      writer = Writer();
      are_late = late;
      told.clear();
      for (const FactStep& step : fact.steps) take(step);
      EXPECT_EQ(tree.not_simulated(), "");
    }
}

// A member of a queue that comes or goes leaves the others as they are. What changes is noted where something
// is said to change.
TEST_F(TreeTest, SaysWhatHappensToSessionsAndQueues) {
  const Change inside{"queue:q/", Kind::overwritten, Way::in_place};
  ask("CONNECT a 10000");
  EXPECT_THAT(changes, ElementsAre(Change{"session:a", Kind::created}));
  ask("CONNECT b 10000");
  ask("CREATE a q v");
  EXPECT_THAT(changes, ElementsAre(Change{"session:a", Kind::ttl_changed}, Change{"q", Kind::created}));
  ask("CREATE a q/a v EPHEMERAL");
  EXPECT_THAT(changes, ElementsAre(Change{"session:a", Kind::ttl_changed}, Change{"q/a", Kind::created},
                                   Change{"queue:q/", Kind::created}));
  ask("CREATE b q/b v EPHEMERAL");
  EXPECT_THAT(changes,
              ElementsAre(Change{"session:b", Kind::ttl_changed}, Change{"q/b", Kind::created}, inside));
  ask("PING a");
  EXPECT_THAT(changes,
              ElementsAre(Change{"session:a", Kind::ttl_changed}, Change{"q/a", Kind::ttl_changed}, inside));
  ask("CLOSE a");
  EXPECT_THAT(changes, ElementsAre(Change{"session:a", Kind::removed}, Change{"q/a", Kind::removed}, inside));
  let_pass(10s);
  EXPECT_THAT(changes, ElementsAre(Change{"session:b", Kind::expired}, Change{"q/b", Kind::expired},
                                   Change{"queue:q/", Kind::expired}));
}

// Who watches a node, or the children of one, is told when the session of one of them ends.
TEST_F(TreeTest, TellsThoseWhoWatchOfTheSessionOfTheirNodeAlone) {
  ask("CONNECT a 6000");
  ask("CONNECT b 4000");
  ask("CREATE a q v");
  ask("CREATE a q/a v EPHEMERAL");
  EXPECT_EQ(tree.next_told_end(), std::nullopt);
  ask("EXISTS b q/a WATCH");
  EXPECT_EQ(tree.next_told_end(), start + 6s - 1us);
  ask("CREATE b q/b v EPHEMERAL");
  EXPECT_EQ(tree.next_told_end(), start + 6s - 1us);
  ask("CHILDREN b q WATCH");
  EXPECT_EQ(tree.next_told_end(), start + 4s - 1us);
  ask("DELETE a q/a");
  EXPECT_EQ(tree.next_told_end(), std::nullopt);
}

// Ends are rounded up to ticks, and nobody knows when those are: the caller says how late each is found.
TEST_F(TreeTest, EndsASessionInTimeOrLater) {
  ask("CONNECT a 4000");
  ask("CONNECT b 4000");
  EXPECT_EQ(tree.next_end(), start + 4s - 1us);
  EXPECT_EQ(tree.ways_to_pass(start + 3999ms), 1u);
  now = start + 4s;
  EXPECT_EQ(tree.ways_to_pass(now), 4u);
  tree.pass(now, 2, changes, pushes);  // the second one is late
  EXPECT_EQ(ask("PING a"), "!SessionExpired");
  EXPECT_EQ(tree.next_end(), start + 5s - 1us);
  now = start + 5s;
  EXPECT_EQ(tree.ways_to_pass(now), 2u);
  tree.pass(now, 1, changes, pushes);
  EXPECT_EQ(tree.ways_to_pass(now), 1u);
  EXPECT_EQ(tree.next_end(), start + 6s - 1us);
  // It goes on as long as it was not found.
  EXPECT_EQ(ask("PING b"), "OK");
  EXPECT_EQ(tree.next_end(), start + 9s - 1us);
  now = start + 9s;
  tree.pass(now, 1, changes, pushes);
  now = start + 10s;
  tree.pass(now, 1, changes, pushes);
  now = start + 11s;
  EXPECT_EQ(tree.ways_to_pass(now), 1u);
  tree.pass(now, 0, changes, pushes);
  EXPECT_EQ(ask("PING b"), "!SessionExpired");
}

// What its connection carried before is told of by nobody else.
TEST_F(TreeTest, TellsWatchersThatTheirSessionHasExpired) {
  ask("CONNECT a 4000");
  EXPECT_EQ(ask("EXISTS a k WATCH"), "0");
  let_pass(4s);
  EXPECT_EQ(Writer::of_events(told[1]), "[SessionExpired]");
  EXPECT_TRUE(tree.watches().empty());
}

TEST_F(TreeTest, ForgetsTheWatchesOfAConnectionThatIsGone) {
  ask("CONNECT a 4000");
  ask("EXISTS a k WATCH");
  ask('B', words_in("EXISTS a k WATCH"));
  EXPECT_EQ(tree.watches().size(), 2u);
  tree.end({1});
  ask("CREATE a k v");
  EXPECT_EQ(told[1].size(), 0u);
  EXPECT_EQ(told[2].size(), 1u);
}

TEST_F(TreeTest, SaysWhatItHasNot) {
  ask("CONNECT a 4000");
  EXPECT_EQ(tree.not_simulated(), "");
  ask("SETDATA a k v");
  EXPECT_NE(tree.not_simulated(), "");
  tree = Tree();
  ask("CONNECT a 4000");
  tree.execute({0}, {"EXISTS", "a", "k", "WATCH"}, now, changes, pushes);
  EXPECT_NE(tree.not_simulated(), "");
  tree = Tree();
  ask("CONNECT a 4000");
  EXPECT_EQ(ask("CREATE a k- v SEQUENTIAL"), "!Unimplemented");
  EXPECT_NE(tree.not_simulated(), "");
}

TEST_F(TreeTest, BeginsWhereAScenarioSays) {
  tree.begin_at(70);
  tree.put("d", "5000000000");
  tree.put("e", "text");
  ask("CONNECT a 4000");
  EXPECT_EQ(ask("GET a d"), "-");
  EXPECT_EQ(ask("GET a e"), "text");
  EXPECT_EQ(ask("CREATE a d/n- v SEQUENTIAL"), "[d/n-5000000000 z+0]");
  EXPECT_EQ(tree.zxid(), 74);
}

TEST(Requests, AreReadWordByWord) {
  const auto kind = [](const std::string& line) { return parse(Command(words_in(line))).kind; };
  using Of = Request::Kind;
  EXPECT_EQ(kind("CREATE s p d EPHEMERAL SEQUENTIAL"), Of::create);
  EXPECT_EQ(kind("CHILDREN s p WATCH"), Of::children);
  for (const char* line :
       {"", "PING", "PING s s", "CONNECT s", "CONNECT s soon", "RECONNECT s 4000", "CREATE s", "CREATE s p",
        "CREATE s p d SEQUENTIAL EPHEMERAL", "DELETE s", "DELETE s p WATCH", "EXISTS s", "EXISTS s /p",
        "EXISTS s p/", "EXISTS s p//q", "GET s p q", "CHILDREN s p WATCH WATCH", "SYNC s"})
    EXPECT_EQ(kind(line), Of::unknown) << line;
}

}  // namespace
}  // namespace holdfast::zookeeper
