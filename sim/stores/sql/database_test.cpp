// The model of PostgreSQL by itself: it is held to every line of facts.txt, as a real server is
// (conformance_test.cpp); and what a world needs of it beyond replies.
#include "sim/stores/sql/database.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "sim/stores/sql/facts_test.hpp"

namespace holdfast::sql {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Kind = Change::Kind;

constexpr WallTime start(1'700'000'000s);

class DatabaseTest : public testing::Test {
 protected:
  // "waits" where no answer comes.
  std::string ask(std::uint32_t session, const std::string& line) { return ask(session, words_in(line)); }
  std::string ask(std::uint32_t session, const std::vector<std::string>& words) {
    changes.clear();
    pushes.clear();
    const std::optional<Reply> reply = database.execute({session}, words, now, changes, pushes);
    settle();
    return reply ? text_of(*reply) : "waits";
  }
  void close(std::uint32_t session) {
    changes.clear();
    pushes.clear();
    if (!database.end({session}, now, changes, pushes)) gone.push_back(session);
    settle();
  }
  void let_pass(Duration time) {
    changes.clear();
    pushes.clear();
    const WallTime end = now + time;
    while (const auto next = database.next_wait_end()) {
      if (*next + 1us > end) break;
      now = *next + 1us;
      database.pass(now, changes, pushes);
      settle();
    }
    now = end;
    database.pass(now, changes, pushes);
    settle();
  }
  // The first of several goes on, and a session whose statement is over hears that its connection is gone.
  void settle() {
    for (bool is_more = true; is_more;) {
      is_more = false;
      if (const auto rivals = database.rivals(); !rivals.empty()) {
        database.go_on(rivals.front(), now, changes, pushes);
        is_more = true;
      }
      for (std::size_t i = 0; i < gone.size(); ++i) {
        const bool is_over = database.end({gone[i]}, now, changes, pushes);
        if (!is_over) continue;
        gone.erase(gone.begin() + static_cast<std::ptrdiff_t>(i--));
        is_more = true;
      }
    }
    for (const Push& push : pushes) answers[push.connection.value] = text_of(push.message);
    pushes.clear();
  }
  std::string take_answer(std::uint32_t session) {
    const auto found = answers.find(session);
    if (found == answers.end()) return "waits";
    std::string text = found->second;
    answers.erase(found);
    return text;
  }
  bool holds_any(std::uint32_t session) const { return database.locks().holds_any({session}); }

  Database database;
  WallTime now = start;
  Changes changes;
  Pushes pushes;
  std::vector<std::uint32_t> gone;
  std::map<std::uint32_t, std::string> answers;
};

class Facts : public DatabaseTest {};

TEST_F(Facts, AreThoseOfPostgreSql) {
  const std::vector<Fact> all = facts();
  ASSERT_EQ(all.size(), 31u);
  for (const Fact& fact : all) {
    SCOPED_TRACE(fact.name);
    database = Database();
    answers.clear();
    gone.clear();
    for (const FactStep& step : fact.steps) {
      const auto session = static_cast<std::uint32_t>(step.session - 'A' + 1);
      switch (step.kind) {
        case FactStep::Kind::asks: EXPECT_EQ(ask(session, step.words), step.reply) << step.line; break;
        case FactStep::Kind::is_answered: EXPECT_EQ(take_answer(session), step.reply) << step.line; break;
        case FactStep::Kind::waits: EXPECT_EQ(take_answer(session), "waits") << step.line; break;
        case FactStep::Kind::sleeps: let_pass(step.time); break;
        case FactStep::Kind::closes: close(session); break;
        case FactStep::Kind::restarts: database.restart(); break;
      }
    }
  }
}

// A grant from the queue belongs to who waited for it, and not to who unlocked.
TEST_F(DatabaseTest, SaysWhoseEachChangeIs) {
  ask(1, "pg_advisory_lock k");
  EXPECT_THAT(changes, ElementsAre(Change{"lock:k", Kind::created, {}, {1}}));
  ask(2, "pg_advisory_lock k");
  EXPECT_THAT(changes, IsEmpty());
  ask(1, "pg_advisory_unlock k");
  EXPECT_THAT(changes, ElementsAre(Change{"lock:k", Kind::removed, {}, {1}},
                                   Change{"lock:k", Kind::created, {}, {2}}));
  close(2);
  EXPECT_THAT(changes, ElementsAre(Change{"lock:k", Kind::expired, {}, {2}}));
}

TEST_F(DatabaseTest, ReportsRowsWhenTheyAreCommitted) {
  ask(1, "BEGIN");
  ask(1, "INSERT r owner a until now()+1000ms");
  EXPECT_THAT(changes, ElementsAre(Change{"row-lock:r", Kind::created, {}, {1}}));
  ask(1, "COMMIT");
  EXPECT_THAT(changes,
              ElementsAre(Change{"r", Kind::created, {}, {1}}, Change{"row-lock:r", Kind::removed, {}, {1}}));
  const auto changed = [&](const std::string& line) {
    ask(1, line);
    return changes.size() == 3 ? changes[1] : Change{"nothing", Kind::created};
  };
  EXPECT_EQ(changed("UPDATE r SET until now()+2000ms"), (Change{"r", Kind::ttl_changed, {}, {1}}));
  EXPECT_EQ(changed("UPDATE r SET n n+1"), (Change{"r", Kind::overwritten, Change::Way::counted, {1}}));
  EXPECT_EQ(changed("UPDATE r SET owner b until now()+2000ms n 1"),
            (Change{"r", Kind::overwritten, {}, {1}}));
  EXPECT_EQ(changed("UPDATE r SET until now()"), (Change{"r", Kind::removed, {}, {1}}));
  EXPECT_EQ(changed("UPDATE r SET until now()+1000ms"), (Change{"r", Kind::created, {}, {1}}));
  EXPECT_EQ(changed("DELETE r"), (Change{"r", Kind::removed, {}, {1}}));
  // Of a time of the application's the statement says whether it gives back.
  EXPECT_EQ(changed("INSERT r owner a until 5"), (Change{"r", Kind::created, {}, {1}}));
  EXPECT_EQ(changed("UPDATE r SET until 4"), (Change{"r", Kind::ttl_changed, {}, {1}}));
  EXPECT_EQ(changed("UPDATE r SET over 3"), (Change{"r", Kind::removed, {}, {1}}));
  EXPECT_EQ(changed("UPDATE r SET owner b until 6 WHERE until <= 3"), (Change{"r", Kind::created, {}, {1}}));
}

// By the clock of the server, to the microsecond; and not by a time of the application's.
TEST_F(DatabaseTest, EndsALeaseThatCameFromNow) {
  ask(1, "INSERT r owner a until now()+1000ms");
  ask(1, "INSERT s owner a until 1700000001000");
  EXPECT_EQ(database.next_lease_end(), start + 1s - 1us);
  let_pass(1s - 1us);
  EXPECT_THAT(changes, IsEmpty());
  let_pass(1us);
  EXPECT_THAT(changes, ElementsAre(Change{"r", Kind::expired}));
  EXPECT_EQ(database.next_lease_end(), std::nullopt);
  EXPECT_EQ(ask(2, "UPDATE s SET owner b WHERE until <= 1700000001000"), "1");
  // The clock is set back: the row says what it said.
  now = start;
  database.pass(now, changes, pushes);
  EXPECT_EQ(ask(2, "UPDATE r SET owner b WHERE until <= now()"), "0");
}

// 13.3.2: the order is not promised, so it is for the caller to decide.
TEST_F(DatabaseTest, LetsAnyoneWhoWaitsForARowBeTheNext) {
  ask(1, "INSERT r owner x");
  ask(1, "BEGIN");
  ask(1, "UPDATE r SET owner a");
  ask(2, "UPDATE r SET n n+1");
  ask(3, "UPDATE r SET n n+10");
  database.execute({1}, {"COMMIT"}, now, changes, pushes);
  EXPECT_THAT(database.rivals(), ElementsAre(ConnectionId{2}, ConnectionId{3}));
  database.go_on({3}, now, changes, pushes);
  EXPECT_THAT(pushes, ElementsAre(Push{{3}, Reply::integer(1)}));
  EXPECT_THAT(database.rivals(), ElementsAre(ConnectionId{2}));
  database.go_on({2}, now, changes, pushes);
  EXPECT_EQ(ask(1, "SELECT r"), "(a 11)");
}

// Who holds nothing is in no circle: no timer runs that states would have to tell apart.
TEST_F(DatabaseTest, LooksForACircleOnlyWhereOneMayBe) {
  ask(1, "pg_advisory_lock k");
  ask(2, "pg_advisory_lock k");
  EXPECT_EQ(database.next_wait_end(), std::nullopt);
  ask(3, "pg_advisory_lock l");
  ask(3, "pg_advisory_lock k");
  EXPECT_EQ(database.next_wait_end(), start + 1s - 1us);
  let_pass(5s);
  EXPECT_EQ(take_answer(3), "waits");
  EXPECT_EQ(database.next_wait_end(), std::nullopt);
}

// A state that says less than what the future depends on would make verdicts wrong.
TEST_F(DatabaseTest, TellsSessionsApartByAllThatTheyHold) {
  const auto state = [&](std::uint32_t session) {
    for (const Database::Session& each : database.sessions())
      if (each.id.value == session) return database.state_of(each);
    return std::string("none");
  };
  std::vector<std::string> states{state(1)};
  const auto differs = [&](const std::string& line) {
    ask(1, line);
    const bool is_new = std::find(states.begin(), states.end(), state(1)) == states.end();
    states.push_back(state(1));
    return is_new;
  };
  EXPECT_TRUE(differs("SELECT r"));
  EXPECT_EQ(state(1), "");
  for (const char* line :
       {"pg_advisory_lock k", "pg_advisory_lock k", "pg_advisory_lock_shared l", "BEGIN",
        "pg_advisory_xact_lock k", "INSERT r owner a", "UPDATE r SET n 3", "UPDATE r SET until now()+5ms",
        "UPDATE r SET until now()+6ms", "UPDATE r SET until 6", "UPDATE r SET owner b", "DELETE r",
        "SET lock_timeout 5", "SET deadlock_timeout 5"})
    EXPECT_TRUE(differs(line)) << line;
  ask(2, "pg_advisory_lock m");
  EXPECT_TRUE(differs("pg_advisory_lock m"));
}

TEST_F(DatabaseTest, SaysWhatItHasNot) {
  EXPECT_EQ(database.not_simulated(), "");
  ask(1, "SAVEPOINT s");
  EXPECT_NE(database.not_simulated(), "");
  database = Database();
  EXPECT_EQ(ask(0, "INSERT r owner a"), "1");
  EXPECT_EQ(database.not_simulated(), "");
  EXPECT_THAT(database.sessions(), IsEmpty());
  ask(1, "BEGIN");
  ask(1, "UPDATE r SET owner b");
  ask(0, "UPDATE r SET owner c");
  EXPECT_THAT(std::string(database.not_simulated()), testing::HasSubstr("a wait"));
  database = Database();
  ask(0, "pg_advisory_lock k");
  EXPECT_THAT(std::string(database.not_simulated()), testing::HasSubstr("belongs to a session"));
}

TEST(Statements, AreReadWordByWord) {
  const auto kind = [](const std::string& line) { return parse(Command(words_in(line))).kind; };
  using Of = Statement::Kind;
  EXPECT_EQ(kind("pg_try_advisory_xact_lock_shared k"), Of::advisory_lock);
  for (const char* line :
       {"", "pg_advisory_lock", "pg_advisory_lock k k", "pg_try_advisory_unlock k",
        "pg_advisory_xact_unlock k", "pg_advisory k", "UPDATE r owner a", "UPDATE r SET owner",
        "UPDATE r SET until soon", "UPDATE r SET until now()+5", "INSERT r n n+1", "DELETE r WHERE",
        "DELETE r WHERE owner a", "DELETE r WHERE n = 1 AND n = 2 OR n = 3", "DELETE r WHERE owner ~ a",
        "SELECT r FOR UPDATE", "SET lock_timeout", "SET timezone 5", "BEGIN now"})
    EXPECT_EQ(kind(line), Of::unknown) << line;
  const Statement statement =
      parse(Command(words_in("UPDATE r SET n n-2 until now()+5ms WHERE n > 1 OR owner = a")));
  EXPECT_EQ(statement.set.number, -2);
  EXPECT_TRUE(statement.set.is_counted && statement.set.until->is_from_now && statement.is_any_enough);
  EXPECT_EQ(statement.set.until->distance, 5ms);
  EXPECT_EQ(statement.where.size(), 2u);
}

}  // namespace
}  // namespace holdfast::sql
