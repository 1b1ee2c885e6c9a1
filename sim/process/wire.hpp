// How programs speak to a store: bytes on their connections, and what these ask for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/reply.hpp"
#include "sim/core/units.hpp"

namespace holdfast::process {

struct Request {
  std::vector<std::string> words;
  bool needs_session = false;  // it concerns its connection, which the server must know from others
  bool subscribes = false;     // from now on messages may come there that answer nothing
  std::optional<Duration> waits = std::nullopt;  // so long the server may keep it waiting
};

// One connection.
class Wire {
 public:
  virtual ~Wire() = default;
  // Takes the first request off `bytes`; nullopt: it is not complete. Throws guest::Unusable.
  virtual std::optional<Request> take(std::string_view& bytes) = 0;
  // What a driver says before anything else, and never again, is answered at once: it is no part of a lock.
  // nullopt: this is nothing of the kind.
  virtual std::optional<std::string> answer_to_greeting(const Request& request) = 0;
  // REQUIRES: it is not lost.
  virtual std::string bytes_of(const Reply& reply) const = 0;
  // Which of the server's databases requests are about, whatever it is called.
  virtual const std::string& database() const = 0;
};

struct Protocol {
  int first_port;  // where programs look for the first server
  std::unique_ptr<Wire> (*connect)();
};

// Redis'.
std::unique_ptr<Wire> connect_to_redis();
inline constexpr Protocol resp{6379, connect_to_redis};

}  // namespace holdfast::process
