// The model of etcd by itself: it is held to every line of facts.txt, as a real server is
// (sim/live/etcd_conformance_test.cpp); and what a world needs of it beyond replies.
#include "sim/stores/etcd/keyspace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "sim/stores/etcd/facts_test.hpp"

namespace holdfast::etcd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Kind = Change::Kind;
using Way = Change::Way;

constexpr WallTime start(1'700'000'000s);

class KeyspaceTest : public testing::Test {
 protected:
  Reply ask(char session, const std::vector<std::string>& words) {
    changes.clear();
    const auto id = static_cast<std::uint32_t>(session - 'A' + 1);
    Reply reply = keyspace.execute({id}, words, now, changes, pushes);
    hear();
    return reply;
  }
  std::string ask(const std::string& line) {
    const std::vector<std::string> words = with_base(words_in(line), base);
    return Writer(base).of(parse(words), ask('A', words));
  }
  void let_pass(Duration time) {
    changes.clear();
    const WallTime end = now + time;
    while (const auto next = keyspace.next_end()) {
      if (*next + 1us > end) break;
      now = *next + 1us;
      pass();
    }
    now = end;
    pass();
    hear();
  }
  void pass() { keyspace.pass(now, are_late ? keyspace.ways_to_pass(now) - 1 : 0, changes, pushes); }
  void hear() {
    for (const Push& push : pushes)
      for (const Reply& event : push.message.elements()) {
        std::string& text = told[push.connection.value];
        text += (text.empty() ? "" : " ") + Writer(base).of_event(event);
      }
    pushes.clear();
  }

  Keyspace keyspace;
  WallTime now = start;
  bool are_late = false;
  std::int64_t base = 1;
  Changes changes;
  Pushes pushes;
  std::map<std::uint32_t, std::string> told;
};

class Facts : public KeyspaceTest {
 protected:
  void take(const FactStep& step) {
    const auto session = static_cast<std::uint32_t>(step.session - 'A' + 1);
    switch (step.kind) {
      case FactStep::Kind::asks: {
        const std::vector<std::string> words = with_base(step.words, base);
        EXPECT_EQ(Writer(base).of(parse(words), ask(step.session, words)), step.reply) << step.line;
        break;
      }
      case FactStep::Kind::is_answered: {
        const std::string text = std::exchange(told[session], "");
        EXPECT_EQ(text.empty() ? "nothing" : text, step.reply) << step.line;
        break;
      }
      case FactStep::Kind::sleeps: let_pass(step.time); break;
      case FactStep::Kind::restarts:
        keyspace.end_all_sessions();
        keyspace.begin_leases_anew(now);
        break;
      default: ADD_FAILURE() << step.line;
    }
  }
};

// Whether leases end in time or half a second later.
TEST_F(Facts, AreThoseOfEtcd) {
  const std::vector<Fact> all = facts();
  ASSERT_EQ(all.size(), 16u);
  for (const bool late : {false, true})
    for (const Fact& fact : all) {
      SCOPED_TRACE(fact.name);
      keyspace = Keyspace();
      are_late = late;
      told.clear();
      ask("REVISION");  // as who asks a real one does
      for (const FactStep& step : fact.steps) take(step);
      EXPECT_EQ(keyspace.not_simulated(), "");
    }
}

// A member of a queue that comes or goes leaves the others as they are. What changes is noted where something
// is said to change.
TEST_F(KeyspaceTest, SaysWhatHappensToLeasesAndQueues) {
  ask("GRANT 1 10");
  EXPECT_THAT(changes, ElementsAre(Change{"lease:1", Kind::created}));
  ask("GRANT 2 10");
  ask("PUT q/1 x LEASE 1");
  EXPECT_THAT(changes, ElementsAre(Change{"q/1", Kind::created}, Change{"queue:q/", Kind::created}));
  ask("PUT q/2 x LEASE 2");
  EXPECT_THAT(changes, ElementsAre(Change{"q/2", Kind::created},
                                   Change{"queue:q/", Kind::overwritten, Way::in_place}));
  ask("KEEPALIVE 1");
  EXPECT_THAT(changes, ElementsAre(Change{"lease:1", Kind::ttl_changed}, Change{"q/1", Kind::ttl_changed},
                                   Change{"queue:q/", Kind::overwritten, Way::in_place}));
  ask("REVOKE 1");
  EXPECT_THAT(changes, ElementsAre(Change{"lease:1", Kind::removed}, Change{"q/1", Kind::removed},
                                   Change{"queue:q/", Kind::overwritten, Way::in_place}));
  let_pass(10s);
  EXPECT_THAT(changes, ElementsAre(Change{"lease:2", Kind::expired}, Change{"q/2", Kind::expired},
                                   Change{"queue:q/", Kind::expired}));
  ask("PUT k x");
  EXPECT_THAT(changes, ElementsAre(Change{"k", Kind::created}));
}

// Who watches a key is told when its lease ends; ends of other leases concern no watch.
TEST_F(KeyspaceTest, TellsThoseWhoWatchOfTheLeaseOfTheirKeyAlone) {
  ask("GRANT 1 4");
  ask("GRANT 2 2");
  ask("PUT q/a x LEASE 1");
  ask("PUT q/b x LEASE 2");
  EXPECT_EQ(keyspace.next_told_end(), std::nullopt);
  ask('B', {"WATCH", "q/a"});
  EXPECT_EQ(keyspace.next_told_end(), start + 4s - 1us);
  ask('C', {"WATCH", "q/", "PREFIX"});
  EXPECT_EQ(keyspace.next_told_end(), start + 2s - 1us);
  keyspace.end({3});
  ask("DELETE q/a");
  EXPECT_EQ(keyspace.next_told_end(), std::nullopt);
}

// Its end is looked for every half second: both ends of that are possible, and the caller says which.
TEST_F(KeyspaceTest, EndsALeaseInTimeOrHalfASecondLater) {
  ask("GRANT 1 2");
  ask("GRANT 2 2");
  ask("PUT k x LEASE 1");
  ask("PUT l x LEASE 2");
  EXPECT_EQ(keyspace.next_end(), start + 2s - 1us);
  EXPECT_EQ(keyspace.ways_to_pass(start + 1999ms), 1u);
  now = start + 2s;
  EXPECT_EQ(keyspace.ways_to_pass(now), 4u);
  keyspace.pass(now, 2, changes, pushes);  // the second one is late
  EXPECT_EQ(keyspace.ways_to_pass(now), 1u);
  EXPECT_EQ(keyspace.next_end(), start + 2500ms - 1us);
  EXPECT_EQ(ask("GET k"), "0");
  EXPECT_EQ(ask("GET l"), "1");
  // It is over, and renewed no more.
  EXPECT_EQ(ask("KEEPALIVE 2"), "0");
  EXPECT_EQ(ask("GET l"), "0");
}

TEST_F(KeyspaceTest, SaysWhatItHasNot) {
  EXPECT_EQ(ask("GET k"), "0");
  EXPECT_EQ(keyspace.not_simulated(), "");
  ask("LEASES");
  EXPECT_NE(keyspace.not_simulated(), "");
  keyspace = Keyspace();
  keyspace.execute({0}, {"WATCH", "k"}, now, changes, pushes);
  EXPECT_NE(keyspace.not_simulated(), "");
  keyspace = Keyspace();
  ask("REVISION");
  for (std::size_t i = 0; i <= Keyspace::remembered_max; ++i) ask("PUT k v");
  ask("WATCH k FROM r+2");
  EXPECT_EQ(keyspace.not_simulated(), "");
  ask("WATCH k FROM r+1");
  EXPECT_EQ(std::string(keyspace.not_simulated()), "a watch from a revision so long ago");
}

// Who was told a revision may compare it with others later.
TEST_F(KeyspaceTest, SaysWhetherARevisionWasTold) {
  ask("PUT k v");
  ask("GET k TELL key value lease");
  ask("TXN IF create k = 0 THEN GET k ELSE GET k");
  EXPECT_FALSE(keyspace.has_told_revisions());
  ask("GET k TELL mod");
  EXPECT_TRUE(keyspace.has_told_revisions());
}

TEST(Requests, AreReadWordByWord) {
  const auto kind = [](const std::string& line) { return parse(Command(words_in(line))).kind; };
  using Of = Request::Kind;
  EXPECT_EQ(kind("TXN IF create k = 0 THEN PUT k v ELSE GET k ; DELETE k"), Of::transact);
  for (const char* line : {"",
                           "GRANT 1",
                           "GRANT 1 x",
                           "PUT k",
                           "PUT k v LEASE",
                           "PUT k v LEASE 1 1",
                           "GET",
                           "GET k TELL",
                           "GET k FIRST LAST",
                           "GET k BELOW soon",
                           "DELETE",
                           "TXN",
                           "TXN IF create k = 0",
                           "TXN IF create k 0 THEN",
                           "TXN IF key k = 0 THEN",
                           "TXN IF mod k = x THEN",
                           "TXN THEN PUT k",
                           "TXN THEN PUT k v ;",
                           "WATCH",
                           "WATCH k FROM",
                           "COMPACT",
                           "REVISION 1"})
    EXPECT_EQ(kind(line), Of::unknown) << line;
  const std::string line = "TXN IF value k != v THEN ELSE GET q/ PREFIX LAST BELOW 3";
  const Request request = parse(Command(words_in(line)));
  EXPECT_THAT(request.then, IsEmpty());
  EXPECT_EQ(request.conditions[0].is, Condition::Is::unequal);
  EXPECT_EQ(request.otherwise[0].created_before, 3);
}

}  // namespace
}  // namespace holdfast::etcd
