// A PostgreSQL as a server of the world. Its items are rows, by their name, and locks that are held:
// "lock:KEY" of an advisory key, "row-lock:ROW" of a row; and "pooled:N", what an idle session of a pooler
// holds. `POOLED 1 BEGIN` is BEGIN on the first session of that, if it is idle (sql/pooler.hpp).
#include <algorithm>
#include <chrono>

#include "sim/stores/kinds.hpp"
#include "sim/stores/sql/database.hpp"
#include "sim/stores/sql/pooler.hpp"

namespace holdfast::stores {
namespace {

// What it has answered is in its log (PostgreSQL documentation, 30.2 Reliability: fsync and
// synchronous_commit are on). A replica lags (26.2.5 Streaming Replication), and knows no locks of sessions.
constexpr Traits traits_of_postgres{.is_remote = true,
                                    .persists = true,
                                    .is_durable = true,
                                    .replicates = true,
                                    .elects = false,
                                    .has_sessions = true,
                                    .repeats_requests = false,
                                    .reads_change_it = false,
                                    .is_steady = false,
                                    .only_orders = false};

// Equal for equal times, also where nobody knows them.
std::string moment_text(WallTime time) {
  return std::string(Command(to_milliticks(time.time_since_epoch().count())).argv().front());
}

class SqlServer final : public Server {
  using End = std::optional<MilliTicks>;

 public:
  const Traits& traits() const override { return traits_of_postgres; }
  std::unique_ptr<Server> clone() const override { return std::make_unique<SqlServer>(*this); }
  std::optional<Reply> execute(ConnectionId session, const Command& request, WallTime now,
                               Effects& effects) override {
    if (request.argv().front() != "POOLED")
      return told(database_.execute(session, request, in_milliseconds(now), effects.changes, effects.pushes),
                  effects);
    std::vector<std::string> words(request.argv().begin(), request.argv().end());
    const ConnectionId own = pooler_.session_for(session, words[1] == "1" ? 1 : 2);
    words.erase(words.begin(), words.begin() + 2);
    return told(database_.execute(own, Command(words), in_milliseconds(now), effects.changes, effects.pushes),
                effects);
  }
  void put(const std::string& key, const std::string& value, WallTime) override {
    database_.put(key, {.owner = value});
  }
  void pass(WallTime now, Effects& effects) override {
    database_.pass(in_milliseconds(now), effects.changes, effects.pushes);
    tell(effects);
  }
  Ends next() const override { return {database_.next_lease_end(), database_.next_wait_end()}; }
  void visit(const Visitor& visitor) const override {
    for (const sql::Lock& each : database_.locks().all())
      if (!each.holds.empty()) visitor(each.item, held, End(), false);
    for (const auto& [name, stored] : database_.rows()) {
      const auto& [row, is_over] = stored;
      std::string value = row.owner + ' ' + std::to_string(row.number);
      End end;
      if (row.until && row.is_by_server) end = last_before(*row.until);
      else if (row.until) (value += ' ') += moment_text(*row.until);
      visitor(name, value, end, is_over);
    }
    visit_idle(
        [&](const std::string& item, const std::string& state) { visitor(item, state, End(), false); });
  }
  void list(std::string_view key, Lister& lister) const override {
    if (const sql::Lock* const lock = database_.locks().find(key))
      for (const sql::Hold& each : lock->holds) lister.element(each.is_shared ? "shared" : held);
    const auto found = database_.rows().find(key);
    if (found == database_.rows().end() || found->second.is_over) return;
    const sql::Row& row = found->second.row;
    lister.field("owner", row.owner);
    lister.field("n", std::to_string(row.number));
    if (row.until && !row.is_by_server) lister.field("until", moment_text(*row.until));
  }

  void restart(bool, WallTime) override { end_all_sessions(); }
  std::uint32_t ways_to_evict() const override { return 0; }
  std::string evict(std::uint32_t, WallTime, Effects&) override { return {}; }

  bool end(ConnectionId session, WallTime now, Effects& effects) override {
    const ConnectionId pooled = pooler_.session_of(session);
    const bool has_ended = database_.end(pooled.value != 0 ? pooled : session, in_milliseconds(now),
                                         effects.changes, effects.pushes);
    tell(effects);
    return has_ended;
  }
  void end_all_sessions() override {
    database_.restart();
    pooler_.forget_all();
  }
  // Of those of a pooler, none that is idle: nobody would be told.
  std::vector<Session> endable() const override {
    std::vector<Session> all;
    for (const sql::Database::Session& each : database_.sessions())
      if (const ConnectionId client = pooler_.client_of(each.id); client.value != 0)
        all.push_back({client, {}});
    return all;
  }
  // PostgreSQL documentation, 9.27.2 Server Signaling Functions: pg_terminate_backend.
  void end_session(const Session& session, WallTime now, Effects& effects) override {
    const ConnectionId pooled = pooler_.session_of(session.connection);
    database_.terminate(pooled.value != 0 ? pooled : session.connection, in_milliseconds(now),
                        effects.changes, effects.pushes);
    tell(effects);
  }
  void visit_sessions(const SessionVisitor& visitor) const override {
    const auto visit = [&](const sql::Database::Session& each) {
      std::optional<WallTime> until = each.gives_up;
      if (each.looks_around && (!until || *each.looks_around < *until)) until = each.looks_around;
      std::string state = database_.state_of(each);
      if (sql::Pooler::is_own(each.id)) state += "pooled " + std::to_string(each.id.value) + ' ';
      // The later of two ends, from the earlier.
      if (each.gives_up && each.looks_around)
        state += std::to_string((*each.gives_up - *each.looks_around).count());
      const bool is_open = each.is_in_transaction || each.waits_with;
      if (!state.empty())
        visitor(pooler_.client_of(each.id), state, is_open ? std::optional(each.began) : std::nullopt, until,
                each.waits_with.has_value());
    };
    for (const sql::Database::Session& each : database_.sessions())
      if (!each.waits_with && pooler_.client_of(each.id).value != 0) visit(each);
    std::vector<const sql::Database::Session*> waiting;
    for (const sql::Database::Session& each : database_.sessions())
      if (each.waits_with) waiting.push_back(&each);
    std::sort(waiting.begin(), waiting.end(),
              [](const auto* one, const auto* other) { return one->place < other->place; });
    for (const sql::Database::Session* each : waiting) visit(*each);
  }
  std::vector<ConnectionId> rivals() const override { return database_.rivals(); }
  void go_on(ConnectionId rival, WallTime now, Effects& effects) override {
    database_.go_on(rival, in_milliseconds(now), effects.changes, effects.pushes);
    tell(effects);
  }
  Told told() const override {
    return {.not_simulated = {database_.not_simulated()}, .of_transactions = database_.has_told_starts()};
  }
  // The instant at which others may have it.
  std::optional<WallTime> expiry_of(std::string_view key) const override {
    const auto found = database_.rows().find(key);
    if (found == database_.rows().end() || found->second.is_over) return std::nullopt;
    return found->second.row.is_by_server ? found->second.row.until : std::nullopt;
  }

 private:
  static constexpr std::string_view held = "held";
  // As all stores count here, so that two states with the same times left are one.
  static WallTime in_milliseconds(WallTime now) {
    return WallTime(whole_milliseconds(now.time_since_epoch()));
  }

  // What concerns a session of the pooler concerns the client that has it. Between transactions none does.
  void tell(Effects& effects) {
    for (Push& each : effects.pushes) each.connection = pooler_.client_of(each.connection);
    for (Change& each : effects.changes) each.session = pooler_.client_of(each.session);
    pooler_.give_back_idle([&](ConnectionId session) { return database_.is_idle(session); });
    std::string idle;
    visit_idle([&](const std::string& item, const std::string& state) { (idle += item) += state; });
    if (idle == idle_) return;
    idle_ = std::move(idle);
    effects.changes.push_back({"pooled", Change::Kind::overwritten});
  }
  void visit_idle(const auto& visitor) const {
    for (const sql::Database::Session& each : database_.sessions())
      if (pooler_.client_of(each.id).value == 0)
        visitor("pooled:" + std::to_string(each.id.value), database_.state_of(each));
  }
  std::optional<Reply> told(std::optional<Reply> reply, Effects& effects) {
    tell(effects);
    return reply;
  }

  sql::Database database_;
  sql::Pooler pooler_;
  std::string idle_;  // what its idle sessions were when that was told last
};

}  // namespace

std::unique_ptr<Server> Kinds::make_postgres() { return std::make_unique<SqlServer>(); }

}  // namespace holdfast::stores
