// A private PostgreSQL, etcd or ZooKeeper: in a directory of its own, on a unix socket or on ports of the
// loopback. It ends with this object, and with the thread that started it however that ends.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/vocabulary.hpp"
#include "sim/live/private_directory.hpp"

namespace holdfast::live {

class StoreProcess {
 public:
  // Why this machine has none that can be used; empty: it has. REQUIRES: a kind that is a process of ours.
  static std::string missing(StoreKind kind);
  // Throws std::runtime_error when it does not start. REQUIRES: nothing is missing.
  static std::unique_ptr<StoreProcess> start(StoreKind kind);
  ~StoreProcess();
  StoreProcess(const StoreProcess&) = delete;

  StoreKind kind() const { return kind_; }
  // What its driver connects to: of a PostgreSQL as libpq takes it, of the others the port.
  std::string address() const;
  std::uint16_t port() const { return port_; }
  // Ends it, and starts it anew with what it had on its disk; connections break.
  void restart();
  // The same, and does not wait until it is ready.
  void begin_restart();
  bool is_ready() const;

 private:
  explicit StoreProcess(StoreKind kind);
  // Runs a program, in a child process, as whom it accepts.
  pid_t spawn(const std::vector<std::string>& words) const;
  void make_database() const;
  std::vector<std::string> command() const;
  void wait_until_ready();
  void end();
  std::string log() const { return directory_.path() + "/log"; }

  const StoreKind kind_;
  PrivateDirectory directory_;
  std::uint16_t port_ = 0;
  std::uint16_t peer_port_ = 0;  // of an etcd, which listens to its like, too
  pid_t process_ = -1;
};

}  // namespace holdfast::live
