// A private PostgreSQL for tests: on a unix socket in a directory of its own, stopped and removed at the end.
#pragma once

#include <gtest/gtest.h>
#include <libpq-fe.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sim/stores/sql/facts_test.hpp"

namespace holdfast::live {

class PostgresServer {
 public:
  static constexpr std::string_view programs = "/usr/lib/postgresql/15/bin/";
  static bool is_installed() { return std::filesystem::exists(std::string(programs) + "initdb"); }

  PostgresServer() {
    std::string name = (std::filesystem::temp_directory_path() / "holdfast-postgres-XXXXXX").string();
    directory_ = mkdtemp(name.data());
    // It refuses to run as root.
    if (geteuid() == 0 && chown(directory_.c_str(), nobody, nobody) == 0)
      before_ = "setpriv --reuid=65534 --regid=65534 --clear-groups ";
    run("initdb -D " + directory_ + "/data -A trust -U holdfast --no-sync --locale=C");
    run("pg_ctl -D " + directory_ + "/data -w -l " + directory_ + "/log -o \"-k " + directory_ +
        " -c listen_addresses= -c fsync=off\" start");
  }
  PostgresServer(const PostgresServer&) = delete;
  ~PostgresServer() {
    run("pg_ctl -D " + directory_ + "/data -m immediate stop");
    std::filesystem::remove_all(directory_);
  }
  void restart() {
    run("pg_ctl -D " + directory_ + "/data -w -l " + directory_ + "/log -m immediate restart");
  }
  std::string address() const { return "host=" + directory_ + " user=holdfast dbname=postgres"; }

 private:
  static constexpr uid_t nobody = 65534;
  void run(const std::string& command) const {
    const std::string line = "cd / && " + before_ + std::string(programs) + command + " >>" + directory_ +
                             "/output 2>&1 </dev/null";
    EXPECT_EQ(std::system(line.c_str()), 0) << line;
  }
  std::string directory_;
  std::string before_;
};

// SQL text of the words of a statement (stores/sql/statement.hpp).
inline std::string time_text(std::string_view word) {
  if (word == "now()") return "now()";
  if (word.starts_with("now()+"))
    return "now() + interval '" + std::string(word.substr(6, word.size() - 8)) + " milliseconds'";
  return "to_timestamp(" + std::string(word) + " / 1000.0)";
}
inline std::string value_text(std::string_view column, std::string_view word) {
  if (column == "owner") return "'" + std::string(word) + "'";
  if (column == "until") return time_text(word);
  return word.starts_with("n") ? "l." + std::string(word) : std::string(word);
}

class SqlText {
 public:
  explicit SqlText(const std::vector<std::string>& words) : words_(words) {}
  std::string text() {
    const std::string first = take();
    if (first.starts_with("pg_"))
      return "SELECT " + first + (is_at_end() ? "()" : "(hashtext('" + take() + "'))");
    if (first == "SET") {
      const std::string name = take();
      return "SET " + name + " = " + take();
    }
    if (is_at_end()) return first;
    name_ = "'" + take() + "'";
    if (first == "INSERT") return insert();
    if (first == "UPDATE") {
      take();
      const std::string set = assignments();
      return "UPDATE locks AS l SET " + set + where();
    }
    if (first == "DELETE") return "DELETE FROM locks AS l" + where();
    const std::string select = "SELECT owner, n FROM locks AS l" + where();
    return is_at_end() ? select : select + " " + take();
  }

 private:
  bool is_at_end() const { return next_ == words_.size(); }
  bool is_column() const {
    return !is_at_end() && (words_[next_] == "owner" || words_[next_] == "until" || words_[next_] == "n");
  }
  std::string take() { return words_.at(next_++); }
  std::string insert() {
    std::string columns = "name", values = name_, updates;
    while (is_column()) {
      const std::string column = take();
      columns += ", " + column;
      values += ", " + value_text(column, take());
      updates += (updates.empty() ? "" : ", ") + column + " = excluded." + column;
    }
    std::string text = "INSERT INTO locks AS l (" + columns + ") VALUES (" + values + ")";
    if (is_at_end()) return text;
    const bool does_nothing = take() == "ON CONFLICT DO NOTHING";
    text += " ON CONFLICT (name) DO ";
    return text + (does_nothing ? "NOTHING" : "UPDATE SET " + updates + where());
  }
  std::string assignments() {
    std::string text;
    while (is_column()) {
      const std::string column = take();
      text += (text.empty() ? "" : ", ") + column + " = " + value_text(column, take());
    }
    return text;
  }
  std::string where() {
    std::string text = " WHERE l.name = " + name_;
    if (is_at_end() || words_[next_] != "WHERE") return text;
    take();
    text += " AND (";
    for (bool goes_on = true; goes_on;) {
      const std::string column = take();
      const std::string sign = take();
      text += "l." + column + " " + sign + " " + value_text(column, take());
      goes_on = !is_at_end() && (words_[next_] == "AND" || words_[next_] == "OR");
      if (goes_on) text += " " + take() + " ";
    }
    return text + ")";
  }
  std::vector<std::string> words_;
  std::size_t next_ = 0;
  std::string name_;
};

// One connection. Replies are as in facts.txt.
class PostgresClient {
 public:
  explicit PostgresClient(const std::string& address) : connection_(PQconnectdb(address.c_str())) {
    EXPECT_EQ(PQstatus(connection_), CONNECTION_OK) << PQerrorMessage(connection_);
    PQsetNoticeProcessor(
        connection_, [](void*, const char*) {}, nullptr);
  }
  PostgresClient(const PostgresClient&) = delete;
  ~PostgresClient() { PQfinish(connection_); }

  int process() const { return PQbackendPID(connection_); }
  void send(const std::string& sql) { EXPECT_EQ(PQsendQuery(connection_, sql.c_str()), 1) << sql; }
  // nullopt: not yet.
  std::optional<std::string> poll() {
    PQconsumeInput(connection_);
    if (PQisBusy(connection_) != 0) return std::nullopt;
    std::string reply;
    while (PGresult* const result = PQgetResult(connection_)) {
      reply = reply_of(result);
      PQclear(result);
    }
    return reply;
  }
  std::string run(const std::string& sql) {
    send(sql);
    for (;;) {
      if (const auto reply = poll()) return *reply;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }

 private:
  static std::string reply_of(const PGresult* result) {
    constexpr Oid truth = 16, nothing = 2278;
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_COMMAND_OK) {
      const std::string count = PQcmdTuples(const_cast<PGresult*>(result));
      return count.empty() ? PQcmdStatus(const_cast<PGresult*>(result)) : count;
    }
    if (status != PGRES_TUPLES_OK) {
      const char* const state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
      return "!" + std::string(state == nullptr ? "gone" : state);
    }
    if (PQntuples(result) == 0) return "nil";
    const std::string first = PQgetvalue(result, 0, 0);
    if (PQnfields(result) == 2) return "(" + first + " " + PQgetvalue(result, 0, 1) + ")";
    if (PQftype(result, 0) == truth) return first == "t" ? "1" : "0";
    return PQftype(result, 0) == nothing ? "OK" : first;
  }
  PGconn* connection_;
};

// Sessions A, B, C, … of one server, and one that looks on.
class PostgresSessions {
 public:
  explicit PostgresSessions(PostgresServer& server) : server_(server) {
    watch_ = std::make_unique<PostgresClient>(server_.address());
    watch_->run(
        "CREATE TABLE IF NOT EXISTS locks (name text PRIMARY KEY, owner text NOT NULL DEFAULT '', "
        "until timestamptz, n bigint NOT NULL DEFAULT 0)");
  }
  // No sessions, and no rows.
  void begin_anew() {
    sessions_.clear();
    const std::string others =
        "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> " +
        std::to_string(watch_->process());
    while (watch_->run(others) != "0") std::this_thread::sleep_for(std::chrono::milliseconds(1));
    watch_->run("TRUNCATE locks");
  }
  std::string ask(char session, const std::vector<std::string>& words) {
    auto& client = sessions_[session];
    if (!client) client = std::make_unique<PostgresClient>(server_.address());
    client->send(SqlText(words).text());
    return answer_of(session);
  }
  // "waits": it waits for a lock; "nothing": neither this nor an answer, for long.
  std::string answer_of(char session) {
    const auto client = sessions_.find(session);
    if (client == sessions_.end()) return "no session";
    const std::string is_waiting =
        "SELECT coalesce(wait_event_type = 'Lock', false) FROM pg_stat_activity "
        "WHERE pid = " +
        std::to_string(client->second->process());
    int seen_waiting = 0;
    for (int i = 0; i < 20'000; ++i) {
      if (const auto reply = client->second->poll()) return *reply;
      // What is granted shows as waiting for a moment.
      if (i % 8 == 7 && watch_->run(is_waiting) == "1" && ++seen_waiting >= 2) {
        if (const auto reply = client->second->poll()) return *reply;
        return "waits";
      }
      std::this_thread::sleep_for(std::chrono::microseconds(250));
    }
    return "nothing";
  }
  std::string wait_for_answer(char session) {
    for (int i = 0; i < 20'000; ++i) {
      if (const auto reply = sessions_.at(session)->poll()) return *reply;
      std::this_thread::sleep_for(std::chrono::microseconds(250));
    }
    return "nothing";
  }
  void close(char session) { sessions_.erase(session); }
  void restart() {
    sessions_.clear();
    watch_.reset();
    server_.restart();
    watch_ = std::make_unique<PostgresClient>(server_.address());
  }
  std::string version() { return watch_->run("SHOW server_version"); }

 private:
  PostgresServer& server_;
  std::unique_ptr<PostgresClient> watch_;
  std::map<char, std::unique_ptr<PostgresClient>> sessions_;
};

}  // namespace holdfast::live
