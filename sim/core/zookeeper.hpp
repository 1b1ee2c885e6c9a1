// What an algorithm may ask of a ZooKeeper, which is the store of cards with StoreKind::zookeeper:
// `const Reply reply = co_await ZooKeeper(env.store(), session).exists(path);`
//
// sim/stores/zookeeper/request.hpp has the words, tree.hpp what they do and answer.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "sim/core/store.hpp"

namespace holdfast {

// What one session asks for (ZooKeeper 3.8, Programmer's Guide: ZooKeeper Sessions). Its name is its
// client's, any text.
class ZooKeeper {
 public:
  ZooKeeper(Store& store, std::string session) : store_(store), session_(std::move(session)) {}

  // The timeout that it is given, in milliseconds.
  Call connect(Duration timeout, Where where = Where::current()) {
    const auto asked = std::chrono::floor<std::chrono::milliseconds>(timeout).count();
    return store_.send(Command("CONNECT", session_, asked), where);
  }
  // The same; 0: it has ended.
  Call reconnect(Where where = Where::current()) {
    return store_.send(Command("RECONNECT", session_), where);
  }
  // As any other request, it begins the session anew.
  Call ping(Where where = Where::current()) { return store_.send(Command("PING", session_), where); }
  Call close(Where where = Where::current()) { return store_.send(Command("CLOSE", session_), where); }

  // Programmer's Guide: Ephemeral Nodes; Sequence Nodes. The path and its czxid, as create2 tells them.
  Call create_ephemeral_sequential(std::string_view path, Where where = Where::current()) {
    return store_.send(Command("CREATE", session_, path, "", "EPHEMERAL", "SEQUENTIAL"), where);
  }
  Call create(std::string_view path, Where where = Where::current()) {
    return store_.send(Command("CREATE", session_, path, ""), where);
  }
  Call remove(std::string_view path, Where where = Where::current()) {
    return store_.send(Command("DELETE", session_, path), where);
  }
  // 1 or 0.
  Call exists(std::string_view path, Where where = Where::current()) {
    return store_.send(Command("EXISTS", session_, path), where);
  }
  // As its Stat says; 0: there is no such node.
  Call czxid_of(std::string_view path, Where where = Where::current()) {
    return store_.send(Command("EXISTS", session_, path, "CZXID"), where);
  }
  // Its data.
  Call get(std::string_view path, Where where = Where::current()) {
    return store_.send(Command("GET", session_, path), where);
  }
  // Their names, without the parent's.
  Call children(std::string_view path, Where where = Where::current()) {
    return store_.send(Command("CHILDREN", session_, path), where);
  }

 private:
  Store& store_;
  std::string session_;
};
static_assert(SafeInAwait<ZooKeeper>);

// A watch of one node, which tells of one event, after the answer to what left it (Programmer's Guide:
// ZooKeeper Watches). The session goes on meanwhile.
class ZooKeeperWatch final : public OwnConnection {
 public:
  using OwnConnection::OwnConnection;
  // 1 or 0; also if there is nothing yet, its creation is told.
  Call exists(std::string_view session, std::string_view path, Where where = Where::current()) {
    return send_and_wait(Command("EXISTS", session, path, "WATCH"), where);
  }
  // Its data; of what is not there, an error, and no watch.
  Call get(std::string_view session, std::string_view path, Where where = Where::current()) {
    return send_and_wait(Command("GET", session, path, "WATCH"), where);
  }
  // Nil: nothing came for so long.
  Call next(Duration at_most, Where where = Where::current()) { return receive(at_most, where); }
  Call next(Where where = Where::current()) { return receive(for_ever, where); }
};

// The error of a request of this name (KeeperException.Code): "NoNode".
inline bool is_error_of(const Reply& reply, std::string_view name) {
  return reply.is_error() && reply.text() == name;
}

}  // namespace holdfast
