// A driver of PostgreSQL: each of its connections is a session.
#include <poll.h>

#include <mutex>

#include "sim/live/postgres_connection.hpp"
#include "sim/live/sql_text.hpp"
#include "sim/live/store_driver.hpp"

namespace holdfast::live {
namespace {

class PostgresClient;

// A session. It is opened with its first statement, and never again: what it held is gone with it.
class PostgresDriver final : public StoreDriver {
 public:
  PostgresDriver(PostgresClient& client, const std::string& address)
      : client_(client), connection_(address) {}

  Reply ask(const std::vector<std::string>& words, const IsWanted& is_wanted) override {
    connection_.send(sql_of(words));
    for (;;) {
      if (std::optional<Reply> reply = connection_.poll()) {
        // 57P: operator intervention, as when the session is ended; the connection is.
        if (reply->is_error() && reply->text().starts_with("57P")) return Reply::lost();
        return *std::move(reply);
      }
      if (!is_wanted()) return Reply::lost();
      constexpr int look_interval_ms = 20;
      pollfd readable{connection_.descriptor(), POLLIN, 0};
      ::poll(&readable, 1, look_interval_ms);
    }
  }
  bool waits() override;

 private:
  PostgresClient& client_;
  PostgresConnection connection_;
};

class PostgresClient final : public StoreClient {
 public:
  explicit PostgresClient(std::string address) : address_(std::move(address)) {}

  std::unique_ptr<StoreDriver> connect() override {
    const std::lock_guard alone(mutex_);
    if (!has_table_) {
      PostgresConnection(address_).run(std::string(sql_of_table));
      has_table_ = true;
    }
    return std::make_unique<PostgresDriver>(*this, address_);
  }
  std::string version() override {
    // "15.18 (Debian …)"
    const std::string said = PostgresConnection(address_).run("SHOW server_version").text();
    return "PostgreSQL " + said.substr(0, said.find(' '));
  }
  // PostgreSQL documentation, 9.27.2 Server Signaling Functions. That of a client, not ours.
  bool end_session(std::uint64_t which) override {
    PostgresConnection own(address_);
    const std::string others =
        " FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
    const std::int64_t count = own.run("SELECT count(*)" + others).number();
    if (count <= 0) return false;
    const std::uint64_t skipped = which % static_cast<std::uint64_t>(count);
    return own
        .run("SELECT pg_terminate_backend(pid)" + others + " ORDER BY pid LIMIT 1 OFFSET " +
             std::to_string(skipped))
        .is(1);
  }
  // What is granted shows as waiting for a moment, so it is looked at twice.
  bool waits(int process) {
    PostgresConnection own(address_);
    const std::string question =
        "SELECT coalesce(wait_event_type = 'Lock', false) FROM pg_stat_activity WHERE pid = " +
        std::to_string(process);
    return own.run(question).is(1) && own.run(question).is(1);
  }

 private:
  const std::string address_;
  std::mutex mutex_;
  bool has_table_ = false;
};

bool PostgresDriver::waits() { return client_.waits(connection_.process()); }

}  // namespace

std::unique_ptr<StoreClient> client_of_postgres(const std::string& address) {
  return std::make_unique<PostgresClient>(address);
}

}  // namespace holdfast::live
