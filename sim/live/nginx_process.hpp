// A private nginx with its Lua module and one shared dictionary, which speaks Redis' protocol: the commands
// of sim/stores/shdict, carried out by the real ngx.shared.DICT. In a directory of its own, on a unix socket
// only. It ends with this object, and with the thread that started it however that ends.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "sim/live/address.hpp"
#include "sim/live/private_directory.hpp"

namespace holdfast::live {

class NginxProcess {
 public:
  // Why this machine has no nginx that can be used; empty: it has. Debian: nginx, libnginx-mod-http-lua,
  // lua-resty-core.
  static std::string missing();
  // `zone`: the size of the dictionary, "100k". Throws std::runtime_error when it does not start. REQUIRES:
  // nothing is missing.
  static std::unique_ptr<NginxProcess> start(const std::string& zone = "100k");
  ~NginxProcess();
  NginxProcess(const NginxProcess&) = delete;

  Address address() const;
  // "nginx/1.22.1"
  std::string version() const;
  // Kills it and starts it anew: the dictionary is empty, connections break.
  void restart();

 private:
  explicit NginxProcess(const std::string& zone);
  void spawn();
  void end();
  void wait_until_ready();

  PrivateDirectory directory_;
  pid_t process_ = -1;
};

}  // namespace holdfast::live
