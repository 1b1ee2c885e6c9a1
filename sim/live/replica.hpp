// An asynchronous replica of a private server, which takes over when that dies.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/live/redis_process.hpp"

namespace holdfast::live {

class Replica {
 public:
  // Follows `primary`, over a port on the loopback: Redis replicates over nothing else. Throws
  // std::runtime_error.
  explicit Replica(RedisProcess& primary);

  // From now on nothing that the primary does reaches it; everything before has.
  void lose_sight();
  // Its server dies, and it takes over: it is now reached, and known, as `primary`, as after the move of a
  // virtual address. There is no replica until follow_anew().
  void take_over();
  // Begins empty, and copies what the primary has; lose_sight() waits for that.
  void follow_anew();
  const std::string& socket_path() const { return process_->socket_path(); }

 private:
  void follow();
  void catch_up();
  void require(const std::vector<std::string>& command);
  RedisProcess& primary_;
  std::unique_ptr<RedisProcess> process_;
};

}  // namespace holdfast::live
