// A second process that deletes the keys of a run from a server of the user's when the first one was killed
// and could not. A TTL on every key would do so, too, and would change what locks are told.
#pragma once

#include <sys/types.h>

#include <string>

#include "sim/live/address.hpp"

namespace holdfast::live {

class KeyGuard {
 public:
  // Deletes every key that begins with `prefix` when this process ends while the guard lives.
  KeyGuard(const Address& address, const std::string& prefix);
  ~KeyGuard();
  KeyGuard(const KeyGuard&) = delete;

 private:
  int alive_ = -1;  // the end of a pipe that the system closes when this process ends
  pid_t process_ = -1;
};

}  // namespace holdfast::live
