// One connection to a PostgreSQL, through libpq, which is loaded when it is first needed: the program runs
// where it is not installed.
#pragma once

#include <optional>
#include <string>

#include "sim/core/reply.hpp"

namespace holdfast::live {

class PostgresConnection {
 public:
  // Throws std::runtime_error: there is no libpq, or no server.
  explicit PostgresConnection(const std::string& address);
  PostgresConnection(const PostgresConnection&) = delete;
  ~PostgresConnection();

  // Of the server process that serves it.
  int process() const;
  int descriptor() const;
  void send(const std::string& sql);
  // What the last statement of it came to, as sim/stores/sql answers; nullopt: not yet.
  std::optional<Reply> poll();
  // Waits.
  Reply run(const std::string& sql);

 private:
  void* connection_;
};

}  // namespace holdfast::live
