// One simulated Redis, and clients that ask it without delay: for tests of what the scripts of one lock do.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "algorithms/caller_test.hpp"
#include "sim/stores/redis/redis.hpp"
#include "sim/stores/redis/scripts.hpp"

namespace holdfast::scripted {

class RedisAtHand {
 public:
  std::string acquire(Caller& client) { return told(played(client, client.start_acquire())); }
  Release release(Caller& client, const std::string& token) {
    return played(client, client.start_release(Grant(token)));
  }
  // What runs beside the work sleeps to the end, and is answered.
  void tick(Caller& client) {
    client.clock.end_sleep();
    answer_pending(client);
  }
  Reply answer(const Argv& argv) { return redis_.execute(argv, now, changes_); }

  WallTime now{1000s};

 private:
  template <class Result>
  Result played(Caller& client, Task<Result> task) {
    client.clock.now = now;
    task.start();
    while (!task.is_done()) answer_pending(client);
    return task.take();
  }
  void answer_pending(Caller& client) {
    Call* const call = std::exchange(client.wire.pending, nullptr);
    run(call->complete(answer(call->command().argv())));
  }

  redis::Scripts scripts_;
  redis::Redis redis_{scripts_};
  std::vector<redis::Change> changes_;
};

}  // namespace holdfast::scripted
