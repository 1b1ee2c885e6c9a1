// One connection to a Redis server: sends a request, waits for the reply. For tests and tools; lock
// algorithms never wait like this.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/reply.hpp"
#include "sim/core/units.hpp"
#include "sim/live/address.hpp"

struct redisContext;

namespace holdfast::live {

class BlockingClient {
 public:
  // Throws std::runtime_error when no server listens there, or the server refuses clients. what() is one line
  // for users.
  explicit BlockingClient(const std::string& socket_path);
  explicit BlockingClient(const Address& address, Duration timeout = 5s);

  // Reply::lost() when the connection broke: then every later reply is lost, too.
  Reply send(const std::vector<std::string>& argv);
  // All requests in one go; the replies in their order.
  std::vector<Reply> send_all(const std::vector<std::vector<std::string>>& requests);
  // Sends a request whose reply poll() will bring.
  void post(const std::vector<std::string>& argv);
  // The next reply or message that has arrived, if any.
  std::optional<Reply> poll();
  // Why the connection broke, in words; empty as long as it did not.
  std::string trouble() const;

 private:
  struct Close {
    void operator()(redisContext* context) const;
  };
  void append(const std::vector<std::string>& argv);
  Reply read();

  std::unique_ptr<redisContext, Close> context_;
};

}  // namespace holdfast::live
