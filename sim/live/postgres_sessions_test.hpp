// Sessions on a private PostgreSQL, for tests.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sim/live/postgres_connection.hpp"
#include "sim/live/sql_text.hpp"
#include "sim/live/store_process.hpp"
#include "sim/stores/sql/facts_test.hpp"

namespace holdfast::live {

// Sessions A, B, C, … of one server, and one that looks on.
class PostgresSessions {
 public:
  explicit PostgresSessions(StoreProcess& server) : server_(server) {
    watch_ = std::make_unique<PostgresConnection>(server_.address());
    watch_->run(std::string(sql_of_table));
  }
  // No sessions, and no rows.
  void begin_anew() {
    sessions_.clear();
    const std::string others =
        "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> " +
        std::to_string(watch_->process());
    while (!watch_->run(others).is(0)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    watch_->run("TRUNCATE locks");
  }
  std::string ask(char session, const std::vector<std::string>& words) {
    auto& client = sessions_[session];
    if (!client) client = std::make_unique<PostgresConnection>(server_.address());
    client->send(sql_of(words));
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
      if (const auto reply = client->second->poll()) return sql::text_of(*reply);
      // What is granted shows as waiting for a moment.
      if (i % 8 == 7 && watch_->run(is_waiting).is(1) && ++seen_waiting >= 2) {
        if (const auto reply = client->second->poll()) return sql::text_of(*reply);
        return "waits";
      }
      std::this_thread::sleep_for(std::chrono::microseconds(250));
    }
    return "nothing";
  }
  std::string wait_for_answer(char session) {
    for (int i = 0; i < 20'000; ++i) {
      if (const auto reply = sessions_.at(session)->poll()) return sql::text_of(*reply);
      std::this_thread::sleep_for(std::chrono::microseconds(250));
    }
    return "nothing";
  }
  void close(char session) { sessions_.erase(session); }
  void restart() {
    sessions_.clear();
    watch_.reset();
    server_.restart();
    watch_ = std::make_unique<PostgresConnection>(server_.address());
  }
  std::string version() { return watch_->run("SHOW server_version").text(); }

 private:
  StoreProcess& server_;
  std::unique_ptr<PostgresConnection> watch_;
  std::map<char, std::unique_ptr<PostgresConnection>> sessions_;
};

}  // namespace holdfast::live
