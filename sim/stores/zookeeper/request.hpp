// A request to a ZooKeeper, as words: the parts of its API that locks use. Each is of a session, which its
// client names, by any text, where ZooKeeper gives it a number. Paths are written without their first slash.
//
// - CONNECT SESSION MILLISECONDS: a new session. RECONNECT SESSION: it goes on over another connection.
//   PING SESSION, CLOSE SESSION.
// - CREATE SESSION PATH DATA [EPHEMERAL] [SEQUENTIAL], DELETE SESSION PATH.
// - EXISTS SESSION PATH [CZXID] [WATCH], GET SESSION PATH [WATCH], CHILDREN SESSION PATH [WATCH]. Those that
// leave a
//   watch go over a connection of their own, on which its event comes.
#pragma once

#include <cstdint>
#include <string>

#include "sim/core/command.hpp"

namespace holdfast::zookeeper {

struct Request {
  enum class Kind : std::uint8_t {
    unknown,  // beyond these forms
    connect,
    reconnect,
    ping,
    close,
    create,
    remove,
    exists,
    get,
    children,
  };
  Kind kind = Kind::unknown;
  std::string session = {};
  std::int64_t milliseconds = 0;
  std::string path = {};
  std::string data = {};
  bool is_ephemeral = false;
  bool is_sequential = false;
  bool tells_czxid = false;
  bool watches = false;
};

Request parse(const Command& words);

}  // namespace holdfast::zookeeper
