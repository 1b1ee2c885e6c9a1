// A process that stands between live clients and a private store which does not speak Redis' protocol:
// clients send it, in that protocol, the words that the simulated store would get, and it asks the real one
// for each of them, as a driver does, and no more: what keeps leases and sessions alive comes from the
// clients. Each connection of a client is one of the store. It ends with this object, and with the thread
// that started it however that ends.
//
// Besides, it answers PING, INFO, CLIENT ID, CLIENT LIST ID n, as far as live runs ask Redis for these; LINE,
// which says that the connection is a client's own, with OK;
// NEXT, with what the connection's watches are told next, or nil as soon as something else is asked; and
// END-SESSION n, for which it ends one of the sessions of clients: 0 if there is none.
#pragma once

#include <sys/types.h>

#include <string>

#include "sim/core/vocabulary.hpp"
#include "sim/live/address.hpp"
#include "sim/live/private_directory.hpp"

namespace holdfast::live {

class Interpreter {
 public:
  // `server`: the address of a StoreProcess. Throws std::runtime_error. REQUIRES: no other thread of this
  // process executes anything, for it is forked.
  Interpreter(StoreKind kind, const std::string& server);
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;

  Address address() const;

 private:
  PrivateDirectory directory_;
  pid_t process_ = -1;
};

}  // namespace holdfast::live
