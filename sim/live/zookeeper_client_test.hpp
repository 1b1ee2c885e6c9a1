// Clients of a private ZooKeeper for tests: they ask it what request.hpp has, in jute, its own protocol
// (zookeeper.jute).
#pragma once

#include <poll.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/live/zookeeper_server_test.hpp"
#include "sim/stores/zookeeper/facts_test.hpp"

namespace holdfast::live::jute {

// Numbers have their greatest part first; texts and vectors have their length before them.
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
  std::string text() {
    const auto size = static_cast<std::size_t>(std::max(number(), 0));
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }

 private:
  std::uint64_t take(int count) {
    std::uint64_t value = 0;
    while (count-- > 0) value = value << 8 | static_cast<std::uint8_t>(bytes_.at(at_++));
    return value;
  }
  std::string bytes_;
  std::size_t at_ = 0;
};

// One connection: an answer, or what a watch tells, is a frame.
class Connection {
 public:
  explicit Connection(std::uint16_t port) : socket_(connected_to(port)) {}
  Connection(const Connection&) = delete;
  ~Connection() {
    if (socket_ >= 0) close(socket_);
  }
  void send(const Out& message) {
    const std::string framed = message.framed();
    if (::send(socket_, framed.data(), framed.size(), MSG_NOSIGNAL) < 0) is_open_ = false;
  }
  // Nothing: none comes for so long, or it is closed.
  std::optional<In> next(std::chrono::milliseconds at_most) {
    const auto end = std::chrono::steady_clock::now() + at_most;
    for (;;) {
      if (bytes_.size() >= 4) {
        const auto size = static_cast<std::size_t>(In(bytes_).number());
        if (bytes_.size() >= 4 + size) {
          In frame(bytes_.substr(4, size));
          bytes_.erase(0, 4 + size);
          return frame;
        }
      }
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
      if (!is_open_ || socket_ < 0 || left.count() < 0) return std::nullopt;
      pollfd ready{socket_, POLLIN, 0};
      if (poll(&ready, 1, static_cast<int>(left.count())) <= 0) continue;
      char buffer[4096];
      const ssize_t count = read(socket_, buffer, sizeof buffer);
      is_open_ = count > 0;
      if (is_open_) bytes_.append(buffer, static_cast<std::size_t>(count));
    }
  }
  bool is_open() const { return is_open_ && socket_ >= 0; }

  std::vector<Reply> events;  // that came so far

 private:
  int socket_;
  bool is_open_ = true;
  std::string bytes_;
};

// Clients A, B, C, …: each has one connection, of one session.
class Clients {
 public:
  explicit Clients(Server& server) : server_(server) {}

  // No nodes, and no sessions.
  void begin_anew() {
    for (auto& [client, connection] : connections_)
      if (connection->is_open()) call(*connection, Out().number(xid_).number(close_session));
    connections_.clear();
    sessions_.clear();
    Connection& own = connect('0', "0", 4000, 0);
    remove_all(own, "");
    ask('0', {"CLOSE", "0"});
  }
  void restart() { server_.restart(); }

  Reply ask(char client, const std::vector<std::string>& words) {
    using Kind = zookeeper::Request::Kind;
    const zookeeper::Request request = zookeeper::parse(Command(words));
    if (request.kind == Kind::connect)
      connect(client, request.session, static_cast<std::int32_t>(request.milliseconds), 0);
    if (request.kind == Kind::reconnect)
      connect(client, request.session, sessions_[request.session].asked, sessions_[request.session].id);
    if (request.kind == Kind::connect || request.kind == Kind::reconnect)
      return Reply::integer(sessions_[request.session].timeout);
    std::optional<In> answer = call(*connections_.at(client), of(request));
    if (!answer) {  // closed: it connects again, with the session that it has
      connect(client, request.session, sessions_[request.session].asked, sessions_[request.session].id);
      if (sessions_[request.session].timeout == 0) return Reply::error("SessionExpired");
      answer = call(*connections_.at(client), of(request));
    }
    return answer ? reply_to(request, *answer) : Reply::lost();
  }
  // What its watches are told, until nothing comes for a moment.
  std::vector<Reply> events_of(char client) {
    Connection& connection = *connections_.at(client);
    while (std::optional<In> message = connection.next(std::chrono::milliseconds(150)))
      note_event(connection, *message);
    return std::exchange(connection.events, {});
  }
  // That came before the last answer.
  std::size_t events_before(char client) const { return connections_.at(client)->events.size(); }
  // Whether the server has closed it.
  bool is_cut(char client) {
    events_of(client);
    return !connections_.at(client)->is_open();
  }

 private:
  struct Session {
    std::int64_t id = 0;
    std::string password = std::string(16, '\0');
    std::int32_t asked = 0;    // for how long
    std::int32_t timeout = 0;  // that it has, 0: it has ended
  };
  // zookeeper-server, ZooDefs.OpCode, Code, and Watcher.Event.EventType.
  static constexpr std::int32_t close_session = -11;
  static constexpr std::int32_t remove = 2, exists = 3, get = 4, children = 8, ping = 11, create2 = 15;
  static constexpr std::int32_t no_node = -101;
  static std::string name_of_error(std::int32_t code) {
    static const std::map<std::int32_t, std::string> names{{no_node, "NoNode"},
                                                           {-108, "NoChildrenForEphemerals"},
                                                           {-110, "NodeExists"},
                                                           {-111, "NotEmpty"},
                                                           {-112, "SessionExpired"}};
    const auto found = names.find(code);
    return found == names.end() ? std::to_string(code) : found->second;
  }
  static std::string name_of_event(std::int32_t type) {
    static const std::map<std::int32_t, std::string> names{
        {1, "NodeCreated"}, {2, "NodeDeleted"}, {4, "NodeChildrenChanged"}};
    const auto found = names.find(type);
    return found == names.end() ? std::to_string(type) : found->second;
  }

  // `id` 0: a new session.
  Connection& connect(char client, const std::string& name, std::int32_t timeout, std::int64_t id) {
    Session& session = sessions_[name];
    session.asked = timeout;
    auto made = std::make_unique<Connection>(server_.port());
    made->send(Out().number(0).wide(0).number(timeout).wide(id).text(session.password).flag(false));
    session.timeout = 0;
    if (std::optional<In> told = made->next(std::chrono::seconds(10))) {
      told->number();
      session.timeout = told->number();
      const std::int64_t given = told->wide();
      if (session.timeout != 0) session.id = given;
      if (session.timeout != 0) session.password = told->text();
    }
    return *(connections_[client] = std::move(made));
  }

  Out header(std::int32_t type) { return Out().number(type == ping ? -2 : ++xid_).number(type); }
  Out of(const zookeeper::Request& it) {
    using Kind = zookeeper::Request::Kind;
    const std::string path = "/" + it.path;
    switch (it.kind) {
      case Kind::close: return header(close_session);
      case Kind::create: {
        constexpr std::int32_t all_rights = 31;
        const std::int32_t flags = (it.is_ephemeral ? 1 : 0) + (it.is_sequential ? 2 : 0);
        Out message = header(create2).text(path).text(it.data);
        return message.number(1).number(all_rights).text("world").text("anyone").number(flags);
      }
      case Kind::remove: return header(remove).text(path).number(-1);
      case Kind::exists: return header(exists).text(path).flag(it.watches);
      case Kind::get: return header(get).text(path).flag(it.watches);
      case Kind::children: return header(children).text(path).flag(it.watches);
      default: return header(ping);
    }
  }
  // Nothing: the connection is closed. Events that come before are noted.
  std::optional<In> call(Connection& connection, const Out& message) {
    connection.send(message);
    while (std::optional<In> told = connection.next(std::chrono::seconds(10)))
      if (!note_event(connection, *told)) return told;
    return std::nullopt;
  }
  static bool note_event(Connection& connection, In message) {
    constexpr std::int32_t of_events = -1;
    if (message.number() != of_events) return false;
    message.wide();
    message.number();
    const std::string event = name_of_event(message.number());
    message.number();
    connection.events.push_back(Reply::array({Reply::status(event), Reply::bulk(message.text().substr(1))}));
    return true;
  }
  static Reply reply_to(const zookeeper::Request& request, In answer) {
    using Kind = zookeeper::Request::Kind;
    answer.number();
    answer.wide();
    const std::int32_t error = answer.number();
    if (request.kind == Kind::exists && error == no_node) return Reply::integer(0);
    if (error != 0) return Reply::error(name_of_error(error));
    switch (request.kind) {
      case Kind::exists: {
        const std::int64_t czxid = answer.wide();
        return Reply::integer(request.tells_czxid ? czxid : 1);
      }
      case Kind::get: return Reply::bulk(answer.text());
      case Kind::create: {
        const std::string path = answer.text().substr(1);
        return Reply::array({Reply::bulk(path), Reply::integer(answer.wide())});
      }
      case Kind::children: return Reply::array(names_in(answer));
      default: return Reply::ok();
    }
  }
  static std::vector<Reply> names_in(In& answer) {
    std::vector<Reply> names;
    for (std::int32_t count = answer.number(); count > 0; --count)
      names.push_back(Reply::bulk(answer.text()));
    return names;
  }
  // All but what the server has for itself.
  void remove_all(Connection& own, const std::string& parent) {
    std::optional<In> told = call(own, header(children).text(parent.empty() ? "/" : parent).flag(false));
    if (!told) return;
    told->number();
    told->wide();
    if (told->number() != 0) return;
    for (const Reply& name : names_in(*told)) {
      const std::string path = parent + "/" + name.text();
      if (path == "/zookeeper") continue;
      remove_all(own, path);
      call(own, header(remove).text(path).number(-1));
    }
  }

  Server& server_;
  std::map<char, std::unique_ptr<Connection>> connections_;
  std::map<std::string, Session> sessions_;
  std::int32_t xid_ = 0;
};

}  // namespace holdfast::live::jute
