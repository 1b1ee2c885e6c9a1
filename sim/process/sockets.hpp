// The connections of a guest: ends of pairs of sockets, whose other ends are here.
#pragma once

#include <cstdint>
#include <list>
#include <set>
#include <string>
#include <string_view>

#include "sim/process/launch.hpp"
#include "sim/process/process.hpp"
#include "sim/process/tree.hpp"

namespace holdfast::process {

struct Connection {
  std::uint32_t number = 0;       // from 1, in the order in which they were opened
  int descriptor = 0;             // as the guest calls it
  Descriptor end = Descriptor();  // ours; not open: it is over
  int port = 0;                   // 0: not connected yet
  std::string in = {};            // what came and was not taken yet
  bool is_hung_up = false;        // by the guest
  bool is_local = false;          // a unix socket: it leads nowhere
};

class Sockets {
 public:
  // Servers are at 127.0.0.1, at this port and those that follow.
  Sockets(int first_port, int servers) : first_port_(first_port), servers_(servers) {}

  // Answers to system calls of the same name.
  void open(const Asked& asked, const Tree& tree);
  void connect(const Asked& asked, const Tree& tree, const Process& process);
  void tell_name(const Asked& asked, const Tree& tree, const Process& process);
  void tell_option(const Asked& asked, const Tree& tree, const Process& process) const;

  std::list<Connection>& all() { return connections_; }
  // It has reached a server.
  bool has_connected() const { return has_connected_; }
  // What it wanted to reach besides: "a unix socket (/run/redis.sock)".
  const std::set<std::string>& tried() const { return tried_; }
  std::string servers_in_words() const;
  // Reads what the guest sent.
  void drain();
  static void feed(Connection& connection, std::string_view bytes);
  // From 0, where the connection leads to.
  std::uint32_t server_of(const Connection& connection) const {
    return static_cast<std::uint32_t>(connection.port - first_port_);
  }

 private:
  Connection* find(std::uint64_t descriptor);
  int free_number() const;

  const int first_port_;
  const int servers_;
  std::list<Connection> connections_;
  std::uint32_t made_ = 0;
  bool has_connected_ = false;
  std::set<std::string> tried_;
};

}  // namespace holdfast::process
