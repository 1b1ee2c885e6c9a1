#include "sim/live/stream.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <utility>

namespace holdfast::live {
namespace {

[[noreturn]] void give_up(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

sockaddr_un name_of_socket(const std::string& path) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof name.sun_path) {
    errno = ENAMETOOLONG;
    give_up("no socket");
  }
  path.copy(static_cast<char*>(name.sun_path), path.size());
  return name;
}

int open_socket(int family) {
  const int descriptor = ::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) give_up("no socket");
  return descriptor;
}

int listen_on(int descriptor, const void* name, std::size_t size) {
  constexpr int backlog = 1000;
  constexpr int yes = 1;
  ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(descriptor, static_cast<const sockaddr*>(name), static_cast<socklen_t>(size)) == 0 &&
      ::listen(descriptor, backlog) == 0)
    return descriptor;
  const int why = errno;
  ::close(descriptor);
  errno = why;
  give_up("no listening socket");
}

// The position after the line that begins at `at`; npos if it is not complete.
std::size_t after_line(std::string_view bytes, std::size_t at) {
  const std::size_t end = bytes.find("\r\n", at);
  return end == bytes.npos ? end : end + 2;
}

// The position after the value that begins at `at`; npos if it is not complete.
std::size_t after_value(std::string_view bytes, std::size_t at) {
  const std::size_t next = at < bytes.size() ? after_line(bytes, at) : bytes.npos;
  if (next == bytes.npos) return next;
  std::int64_t number = 0;
  std::from_chars(bytes.data() + at + 1, bytes.data() + next - 2, number);
  if (bytes[at] == '$') {
    if (number < 0) return next;
    const std::size_t end = next + static_cast<std::size_t>(number) + 2;
    return end <= bytes.size() ? end : bytes.npos;
  }
  if (bytes[at] != '*') return next;
  std::size_t end = next;
  for (std::int64_t i = 0; i < number && end != bytes.npos; ++i) end = after_value(bytes, end);
  return end;
}

}  // namespace

std::size_t message_size(std::string_view bytes) {
  const std::size_t end = after_value(bytes, 0);
  return end == bytes.npos ? 0 : end;
}

bool does_anybody_listen_at(const std::string& path) {
  const int connection = connect_to(path);
  if (connection >= 0) ::close(connection);
  return connection >= 0;
}

std::optional<std::string> take_message(std::string& bytes) {
  const std::size_t size = message_size(bytes);
  if (size == 0) return std::nullopt;
  std::string message = bytes.substr(0, size);
  bytes.erase(0, size);
  return message;
}

int listen_at(const std::string& path) {
  const sockaddr_un name = name_of_socket(path);
  return listen_on(open_socket(AF_UNIX), &name, sizeof name);
}

int listen_at(const std::string& host, int& port) {
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(static_cast<std::uint16_t>(port));
  if (::inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host.c_str(), &name.sin_addr) != 1) {
    errno = EADDRNOTAVAIL;
    give_up("no listening socket");
  }
  const int descriptor = listen_on(open_socket(AF_INET), &name, sizeof name);
  socklen_t size = sizeof name;
  ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&name), &size);
  port = ntohs(name.sin_port);
  return descriptor;
}

int connect_to(const std::string& path) {
  const int descriptor = open_socket(AF_UNIX);
  const sockaddr_un name = name_of_socket(path);
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0) return descriptor;
  ::close(descriptor);
  return -1;
}

Stream::Stream(Loop& loop, int descriptor, std::function<void(std::string&)> on_bytes,
               std::function<void()> on_end)
    : loop_(loop), descriptor_(descriptor), on_bytes_(std::move(on_bytes)), on_end_(std::move(on_end)) {
  loop_.watch(descriptor_, *this);
}

Stream::~Stream() {
  loop_.unwatch(descriptor_);
  ::close(descriptor_);
}

void Stream::send(std::string_view bytes) {
  out_.append(bytes);
  on_writable();
}

void Stream::on_readable() {
  std::array<char, 16384> buffer;
  const ssize_t count = ::read(descriptor_, buffer.data(), buffer.size());
  if (count == 0 || (count < 0 && errno != EAGAIN)) return on_end_();
  if (count <= 0) return;
  in_.append(buffer.data(), static_cast<std::size_t>(count));
  on_bytes_(in_);
}

void Stream::on_writable() {
  const ssize_t count = ::send(descriptor_, out_.data(), out_.size(), MSG_NOSIGNAL);
  if (count > 0) out_.erase(0, static_cast<std::size_t>(count));
  loop_.want_writable(descriptor_, !out_.empty());
}

Listener::Listener(Loop& loop, int descriptor, std::function<void(int)> on_connection)
    : loop_(loop), descriptor_(descriptor), on_connection_(std::move(on_connection)) {
  loop_.watch(descriptor_, *this);
}

Listener::~Listener() {
  loop_.unwatch(descriptor_);
  ::close(descriptor_);
}

void Listener::on_readable() {
  const int connection = ::accept4(descriptor_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (connection < 0) return;
  // Of TCP; others refuse.
  constexpr int yes = 1;
  ::setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  on_connection_(connection);
}

}  // namespace holdfast::live
