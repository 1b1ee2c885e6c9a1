// Clients of a private ZooKeeper, for tests.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/live/jute.hpp"
#include "sim/live/store_process.hpp"
#include "sim/stores/zookeeper/facts_test.hpp"

namespace holdfast::live::jute {

// Clients A, B, C, …: each has one connection, of one session.
class Clients {
 public:
  explicit Clients(StoreProcess& server) : server_(server) {}

  // No nodes, and no sessions.
  void begin_anew() {
    for (auto& [client, connection] : connections_)
      if (connection->is_open()) connection->ask(zookeeper::parse(Command("CLOSE", "any")));
    connections_.clear();
    sessions_.clear();
    ask('0', {"CONNECT", "0", "4000"});
    connections_.at('0')->remove_all();
    ask('0', {"CLOSE", "0"});
  }
  void restart() { server_.restart(); }

  Reply ask(char client, const std::vector<std::string>& words) {
    using Kind = zookeeper::Request::Kind;
    const zookeeper::Request request = zookeeper::parse(Command(words));
    Session& session = sessions_[request.session];
    if (request.kind == Kind::connect) {
      session = Session();
      session.asked = static_cast<std::int32_t>(request.milliseconds);
    }
    if (request.kind == Kind::connect || request.kind == Kind::reconnect) {
      connect(client, session);
      return Reply::integer(session.timeout);
    }
    std::optional<Reply> answer = connections_.at(client)->ask(request);
    if (!answer) {  // closed: it connects again, with the session that it has
      connect(client, session);
      if (session.timeout == 0) return Reply::error("SessionExpired");
      answer = connections_.at(client)->ask(request);
    }
    return answer.value_or(Reply::lost());
  }
  // What its watches are told, until nothing comes for a moment.
  std::vector<Reply> events_of(char client) {
    Connection& connection = *connections_.at(client);
    connection.listen(std::chrono::milliseconds(150));
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
  void connect(char client, Session& session) {
    connections_[client] = std::make_unique<Connection>(server_.port(), session);
  }
  StoreProcess& server_;
  std::map<std::string, Session> sessions_;
  std::map<char, std::unique_ptr<Connection>> connections_;
};

}  // namespace holdfast::live::jute
