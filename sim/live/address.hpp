// Where a Redis server listens, and how to be let in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::live {

struct Address {
  std::string socket_path;  // empty: TCP
  std::string host;
  int port = 6379;
  std::string user;  // empty: Redis' default user
  std::string password;
  std::uint32_t database = 0;
  // Bytes that go before everything else, and bring one reply; empty: none. For a server that speaks Redis'
  // protocol only when it is asked to.
  std::string preamble = {};
  // It is an Interpreter's: what a watch is told has to be asked for.
  bool is_interpreted = false;

  // What a connection says first: AUTH and SELECT, as far as they are needed.
  std::vector<std::vector<std::string>> greetings() const;
};

Address at_socket(std::string path);
// Reads "unix:/path[?db=N]" and "redis://[[user]:password@]host[:port][/N]"; a user or password may contain
// %XX. `least_port`: 0 where a server shall listen, at any port that is free. Throws std::invalid_argument;
// what() is one line for users.
Address parse_address(std::string_view url, std::uint32_t least_port = 1);
// As users know it, without the password.
std::string to_text(const Address& address);

}  // namespace holdfast::live
