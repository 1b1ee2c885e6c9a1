#include "sim/process/sockets.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "sim/guest/program.hpp"
#include "sim/process/calls.hpp"

namespace holdfast::process {
namespace {

constexpr std::uint8_t loopback = 127;

// struct sockaddr_in (Linux, ip(7)): family, port, address, the last two in network order.
using Name = std::array<std::uint8_t, 16>;

}  // namespace

void Sockets::open(const Asked& asked, const Tree& tree) {
  const auto& arguments = asked.arguments;
  constexpr std::uint64_t kind_mask = 0xF;
  const bool is_stream = (arguments[1] & kind_mask) == SOCK_STREAM;
  const bool is_local = arguments[0] == AF_UNIX;
  if (arguments[0] == AF_INET6 && is_stream) tried_.insert("IPv6, such as ::1");
  if (arguments[0] == AF_INET && !is_stream) tried_.insert("a name to look up");
  if ((arguments[0] != AF_INET && !is_local) || !is_stream)
    return tree.fail(asked, is_local ? EACCES : EAFNOSUPPORT);
  Pair pair = connected_pair();
  if ((arguments[1] & SOCK_NONBLOCK) != 0) fcntl(pair.theirs.get(), F_SETFL, O_NONBLOCK);
  const int number = free_number();
  connections_.push_back(
      {.number = ++made_, .descriptor = number, .end = std::move(pair.ours), .is_local = is_local});
  tree.answer_with(asked, pair.theirs.get(), number, (arguments[1] & SOCK_CLOEXEC) != 0);
}

int Sockets::free_number() const {
  for (int number = first_socket;; ++number)
    if (std::none_of(connections_.begin(), connections_.end(),
                     [&](const Connection& each) { return each.descriptor == number; }))
      return number;
}

Connection* Sockets::find(std::uint64_t descriptor) {
  const auto found = std::find_if(connections_.begin(), connections_.end(), [&](const Connection& each) {
    return each.descriptor == static_cast<int>(descriptor);
  });
  return found == connections_.end() ? nullptr : &*found;
}

void Sockets::connect(const Asked& asked, const Tree& tree, const Process& process) {
  Connection* const connection = find(asked.arguments[0]);
  const auto to = process.value_at<Name>(asked.arguments[1]);
  if (connection != nullptr && connection->is_local) {
    // struct sockaddr_un (Linux, unix(7)): a family, and a path.
    const std::string path = process.text_at(asked.arguments[1] + sizeof(std::uint16_t));
    // The daemon that knows names, which C libraries ask first and do without.
    if (!path.starts_with("/var/run/nscd")) tried_.insert(fmt::format("a unix socket ({})", path));
    return tree.fail(asked, ECONNREFUSED);
  }
  if (connection == nullptr || to[0] != AF_INET) return tree.fail(asked, ECONNREFUSED);
  const int port = to[2] << 8 | to[3];
  if (to[4] != loopback || port < first_port_ || port >= first_port_ + servers_)
    throw guest::Unusable(fmt::format("it connects to {}.{}.{}.{}:{}; {}", to[4], to[5], to[6], to[7], port,
                                      servers_in_words()));
  connection->port = port;
  has_connected_ = true;
  tree.answer(asked, 0);
}

std::string Sockets::servers_in_words() const {
  return servers_ == 1
             ? fmt::format("its server is at 127.0.0.1:{}", first_port_)
             : fmt::format("servers are at 127.0.0.1:{} to {}", first_port_, first_port_ + servers_ - 1);
}

void Sockets::tell_name(const Asked& asked, const Tree& tree, const Process& process) {
  const Connection* const connection = find(asked.arguments[0]);
  if (connection == nullptr) return tree.let(asked);
  constexpr int first_of_clients = 40'000;
  const int port =
      asked.call == SYS_getpeername ? connection->port : first_of_clients + connection->descriptor;
  const Name name{
      AF_INET, 0, static_cast<std::uint8_t>(port >> 8), static_cast<std::uint8_t>(port & 0xFF), loopback, 0,
      0,       1};
  process.put(asked.arguments[1], name);
  process.put(asked.arguments[2], static_cast<std::uint32_t>(name.size()));
  tree.answer(asked, 0);
}

// Options of TCP, which a unix socket does not have, are off.
void Sockets::tell_option(const Asked& asked, const Tree& tree, const Process& process) const {
  if (asked.arguments[1] == SOL_SOCKET) return tree.let(asked);
  process.put(asked.arguments[3], 0);
  process.put(asked.arguments[4], static_cast<std::uint32_t>(sizeof(int)));
  tree.answer(asked, 0);
}

void Sockets::feed(Connection& connection, std::string_view bytes) {
  if (connection.end.is_open() && send(connection.end.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0)
    connection.is_hung_up = true;
}

void Sockets::drain() {
  constexpr std::size_t size = 65'536;
  std::array<char, size> bytes{};
  for (Connection& each : connections_) {
    if (!each.end.is_open()) continue;
    ssize_t count = 0;
    while ((count = read(each.end.get(), bytes.data(), bytes.size())) > 0)
      each.in.append(bytes.data(), static_cast<std::size_t>(count));
    if (count == 0) each.is_hung_up = true;
  }
}

}  // namespace holdfast::process
