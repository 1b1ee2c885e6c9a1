// ZooKeeper's own protocol (zookeeper.jute): numbers have their greatest part first; texts and vectors have
// their length before them. And one connection of a session that speaks it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/reply.hpp"
#include "sim/stores/zookeeper/request.hpp"

namespace holdfast::live::jute {

class Out {
 public:
  Out& number(std::int32_t value) { return bytes(static_cast<std::uint32_t>(value), 4); }
  Out& wide(std::int64_t value) { return bytes(static_cast<std::uint64_t>(value), 8); }
  Out& flag(bool value) { return bytes(value ? 1 : 0, 1); }
  Out& text(std::string_view value) {
    number(static_cast<std::int32_t>(value.size()));
    bytes_ += value;
    return *this;
  }
  Out& texts(const std::vector<std::string>& all) {
    number(static_cast<std::int32_t>(all.size()));
    for (const std::string& each : all) text(each);
    return *this;
  }
  std::string framed() const { return Out().text(bytes_).bytes_; }

 private:
  Out& bytes(std::uint64_t value, int count) {
    while (count-- > 0) bytes_ += static_cast<char>(value >> 8 * count & 255);
    return *this;
  }
  std::string bytes_;
};

class In {
 public:
  explicit In(std::string bytes) : bytes_(std::move(bytes)) {}
  std::int32_t number() { return static_cast<std::int32_t>(take(4)); }
  std::int64_t wide() { return static_cast<std::int64_t>(take(8)); }
  std::string text();

 private:
  std::uint64_t take(int count);
  std::string bytes_;
  std::size_t at_ = 0;
};

// What outlives a connection.
struct Session {
  std::int64_t id = 0;  // 0: the server gives one
  std::string password = std::string(16, '\0');
  std::int32_t asked = 0;    // for how long, in milliseconds
  std::int32_t timeout = 0;  // that it has; 0: it has ended
  std::int64_t zxid = 0;     // that an answer told last
};

// A watch that is left, by which kind of request.
struct Watch {
  zookeeper::Request::Kind kind;
  std::string path;
};

// Sends nothing that it is not told to send: no pings.
class Connection {
 public:
  // A new session, or one that goes on. REQUIRES: the session outlives it.
  Connection(std::uint16_t port, Session& session);
  Connection(const Connection&) = delete;
  ~Connection();

  bool is_open() const { return is_open_; }
  // The server has said whether the session goes on.
  bool is_answered() const { return is_answered_; }
  // Nothing: it is closed. What watches are told before it is kept.
  std::optional<Reply> ask(const zookeeper::Request& request);
  // Of a session that goes on: what they have missed is told, too.
  void set_watches(const std::vector<Watch>& watches);
  // Reads what watches are told, until nothing comes for so long.
  void listen(std::chrono::milliseconds at_most);
  // All nodes but what the server has for itself.
  void remove_all();

  std::vector<Reply> events;  // what watches were told, and nobody has taken yet

 private:
  void send(const Out& message);
  std::optional<In> next(std::chrono::milliseconds at_most);
  std::optional<In> call(const Out& message);
  bool note_event(In message);
  Out header(std::int32_t type);
  Out message_of(const zookeeper::Request& it);
  Reply reply_to(const zookeeper::Request& request, In answer);
  void remove_all(const std::string& parent);

  Session& session_;
  int socket_;
  bool is_open_ = false;
  bool is_answered_ = false;
  std::int32_t xid_ = 0;
  std::string bytes_;
};

}  // namespace holdfast::live::jute
