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
  // It becomes a primary, and the one that it followed is dead.
  void take_over();
  RedisProcess& process() { return *process_; }

 private:
  void catch_up();
  void require(const std::vector<std::string>& command);
  RedisProcess& primary_;
  std::unique_ptr<RedisProcess> process_;
};

}  // namespace holdfast::live
