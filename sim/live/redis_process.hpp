// A private redis-server: in a directory of its own, on a unix socket only, without persistence. It ends with
// this object, and with the thread that started it however that ends.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/live/private_directory.hpp"

namespace holdfast::live {

class RedisProcess {
 public:
  // nullptr when this machine has no redis-server. Throws std::runtime_error when it has one that does not
  // start.
  // `settings` are words of its command line, such as "--hz" "100".
  static std::unique_ptr<RedisProcess> start(std::vector<std::string> settings = {});
  // As start(), but does not wait until the server listens.
  static std::unique_ptr<RedisProcess> begin(std::vector<std::string> settings = {});
  // A port of the loopback on which nothing listens; another process may be faster.
  static std::uint16_t free_port();
  ~RedisProcess();
  RedisProcess(const RedisProcess&) = delete;

  const std::string& socket_path() const { return socket_path_; }
  // Kills the server and starts it anew: all data and all scripts are gone, connections break.
  void restart();
  // As restart(), but does not wait until the server listens.
  void begin_restart();
  // Kills the server; restart() starts it again.
  void end();
  bool is_running() const { return process_ > 0; }
  // Clients can connect.
  bool listens() const;
  // From now on this server is `dead`, reached at its socket; and this one has ended instead. REQUIRES:
  // `dead` has ended.
  void take_place_of(RedisProcess& dead);
  // Makes it listen on a port of the loopback, too, and returns it. Throws std::runtime_error.
  std::uint16_t open_port();
  // The server stands still, with all that it knows, until go_on().
  void stop();
  void go_on();

 private:
  RedisProcess(std::string program, std::vector<std::string> settings);
  void spawn();
  void wait_until_ready();

  std::string program_;
  std::vector<std::string> settings_;
  PrivateDirectory directory_;
  std::string socket_path_;
  pid_t process_ = -1;
};

}  // namespace holdfast::live
