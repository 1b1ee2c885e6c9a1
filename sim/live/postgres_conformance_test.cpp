// The model of PostgreSQL and a real one are held to the same lines, and then to each other.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>
#include <random>
#include <set>
#include <utility>

#include "sim/live/postgres_sessions_test.hpp"
#include "sim/stores/sql/database.hpp"

namespace holdfast::live {
namespace {

StoreProcess& postgres() {
  static const std::unique_ptr<StoreProcess> one = StoreProcess::start(StoreKind::postgres);
  return *one;
}
std::string no_postgres() { return StoreProcess::missing(StoreKind::postgres); }

TEST(PostgresConformance, FactsAreTrueOfARealServer) {
  if (!no_postgres().empty()) GTEST_SKIP() << no_postgres();
  PostgresSessions sessions(postgres());
  fmt::print("PostgreSQL {}\n", sessions.version());
  for (const sql::Fact& fact : sql::facts()) {
    SCOPED_TRACE(fact.name);
    sessions.begin_anew();
    for (const sql::FactStep& step : fact.steps) {
      using Kind = sql::FactStep::Kind;
      switch (step.kind) {
        case Kind::asks: EXPECT_EQ(sessions.ask(step.session, step.words), step.reply) << step.line; break;
        case Kind::is_answered:
          EXPECT_EQ(sessions.wait_for_answer(step.session), step.reply) << step.line;
          break;
        case Kind::waits: EXPECT_EQ(sessions.answer_of(step.session), "waits") << step.line; break;
        case Kind::sleeps: std::this_thread::sleep_for(step.time); break;
        case Kind::closes: sessions.close(step.session); break;
        case Kind::restarts: sessions.restart(); break;
      }
    }
  }
}

// Both are asked the same, one statement after the other, by three sessions.
class Duel {
 public:
  explicit Duel(PostgresSessions& real) : real_(real) { real_.begin_anew(); }

  // False: they differ, or everybody waits.
  bool take(std::mt19937& dice) {
    static const std::vector<std::string> statements{
        "pg_advisory_lock k",
        "pg_advisory_lock l",
        "pg_try_advisory_lock k",
        "pg_advisory_unlock k",
        "pg_advisory_unlock k",
        "pg_advisory_unlock l",
        "pg_advisory_unlock_all",
        "pg_advisory_xact_lock k",
        "pg_try_advisory_xact_lock l",
        "pg_advisory_lock_shared k",
        "pg_try_advisory_lock_shared k",
        "pg_advisory_unlock_shared k",
        "pg_advisory_xact_lock_shared k",
        "BEGIN",
        "BEGIN",
        "COMMIT",
        "COMMIT",
        "ROLLBACK",
        "INSERT r owner a until 1000",
        "INSERT r owner b until 3000 n 2 \"ON CONFLICT DO NOTHING\"",
        "INSERT r owner c until 2000 n 3 \"ON CONFLICT DO UPDATE\" WHERE until <= 1000",
        "INSERT s owner d \"ON CONFLICT DO UPDATE\" WHERE owner = e",
        "UPDATE r SET n n+1",
        "UPDATE r SET owner e until 2000 WHERE owner = a OR until <= 2000",
        "UPDATE r SET until 1000 WHERE owner = e AND n > 1",
        "UPDATE s SET owner f n n-1 WHERE n <= 0",
        "DELETE r WHERE until < 3000",
        "DELETE r",
        "DELETE s WHERE owner = f",
        "SELECT r",
        "SELECT s WHERE n > 0",
        "SELECT r \"FOR UPDATE\"",
        "SELECT r \"FOR UPDATE NOWAIT\"",
        "SELECT r \"FOR UPDATE SKIP LOCKED\"",
        "SELECT s \"FOR UPDATE\""};
    std::vector<char> idle;
    for (const char each : {'A', 'B', 'C'})
      if (!waiting_.contains(each)) idle.push_back(each);
    if (idle.empty()) return false;
    const char session = idle[dice() % idle.size()];
    const std::vector<std::string> words = sql::words_in(statements[dice() % statements.size()]);
    ++asked;
    const std::optional<Reply> reply = model_.execute(id_of(session), words, now_, changes_, pushes_);
    const std::string expected = reply ? sql::text_of(*reply) : "waits";
    if (!reply) waiting_.insert(session);
    const std::string got = real_.ask(session, words);
    story += fmt::format("{}: {} => {}\n", session, fmt::join(words, " "), got);
    if (got != expected) story += fmt::format("   the model says {}\n", expected);
    return got == expected && settle();
  }

  std::size_t asked = 0;
  std::size_t waited = 0;
  std::string story;

 private:
  static ConnectionId id_of(char session) { return {static_cast<std::uint32_t>(session - 'A' + 1)}; }
  static char name_of(ConnectionId id) { return static_cast<char>('A' + id.value - 1); }

  bool is_same(char session, const std::string& got, const std::string& expected) {
    story += fmt::format("{} <= {}\n", session, got);
    if (got == expected) return true;
    story += fmt::format("   the model says {}\n", expected);
    return false;
  }
  bool settle() {
    for (const Push& push : std::exchange(pushes_, {})) {
      const char session = name_of(push.connection);
      waiting_.erase(session);
      ++waited;
      if (!is_same(session, real_.wait_for_answer(session), sql::text_of(push.message))) return false;
    }
    const std::vector<ConnectionId> rivals = model_.rivals();
    if (rivals.empty()) return true;
    std::map<char, std::string> got;
    for (const ConnectionId each : rivals) got[name_of(each)] = real_.answer_of(name_of(each));
    for (const auto& [session, reply] : got)
      story += fmt::format("{} <= {}, of {}\n", session, reply, got.size());
    if (!follow(model_, {}, got)) {
      story += "   the model has no order in which this happens\n";
      return false;
    }
    for (const auto& [session, reply] : got)
      if (reply != "waits") waiting_.erase(session);
    waited += got.size();
    return true;
  }
  // In some order of those who go on, the model does what was seen; it is so from now on.
  bool follow(const sql::Database& from, const Pushes& answered, const std::map<char, std::string>& got) {
    const std::vector<ConnectionId> rivals = from.rivals();
    for (const ConnectionId next : rivals) {
      sql::Database model = from;
      Pushes pushes = answered;
      model.go_on(next, now_, changes_, pushes);
      if (follow(model, pushes, got)) return true;
    }
    if (!rivals.empty()) return false;
    std::map<char, std::string> expected;
    for (const auto& [session, reply] : got) expected[session] = "waits";
    for (const Push& push : answered) expected[name_of(push.connection)] = sql::text_of(push.message);
    if (expected != got) return false;
    model_ = from;
    return true;
  }

  PostgresSessions& real_;
  sql::Database model_;
  const WallTime now_{1'700'000'000s};
  Changes changes_;
  Pushes pushes_;
  std::set<char> waiting_;
};

TEST(PostgresConformance, GeneratedSequencesAreAnsweredAlike) {
  if (!no_postgres().empty()) GTEST_SKIP() << no_postgres();
  constexpr std::size_t sequences = 100;
  constexpr std::size_t steps = 40;
  PostgresSessions sessions(postgres());
  std::size_t asked = 0;
  std::size_t waited = 0;
  std::size_t whole = 0;
  for (std::uint32_t seed = 1; seed <= sequences; ++seed) {
    std::mt19937 dice(seed);
    Duel duel(sessions);
    std::size_t step = 0;
    while (step < steps && duel.take(dice)) ++step;
    EXPECT_EQ(duel.story.find("the model"), std::string::npos) << "seed " << seed << "\n" << duel.story;
    asked += duel.asked;
    waited += duel.waited;
    whole += step == steps ? 1 : 0;
  }
  fmt::print("{} statements, {} waits that ended, {} of {} sequences whole\n", asked, waited, whole,
             sequences);
  EXPECT_GT(asked, 1000u);
  EXPECT_GT(waited, 30u);
}

}  // namespace
}  // namespace holdfast::live
