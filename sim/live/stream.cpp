#include "sim/live/stream.hpp"

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
  path.copy(static_cast<char*>(name.sun_path), sizeof name.sun_path - 1);
  return name;
}

int open_socket() {
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) give_up("no socket");
  return descriptor;
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

int listen_at(const std::string& path) {
  const int descriptor = open_socket();
  const sockaddr_un name = name_of_socket(path);
  constexpr int backlog = 1000;
  if (::bind(descriptor, reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0 ||
      ::listen(descriptor, backlog) != 0)
    give_up("no listening socket");
  return descriptor;
}

int connect_to(const std::string& path) {
  const int descriptor = open_socket();
  const sockaddr_un name = name_of_socket(path);
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0) return descriptor;
  ::close(descriptor);
  return -1;
}

Stream::Stream(Loop& loop, int descriptor, std::function<void(std::string_view)> on_message,
               std::function<void()> on_end)
    : loop_(loop), descriptor_(descriptor), on_message_(std::move(on_message)), on_end_(std::move(on_end)) {
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
  if (count > 0) in_.append(buffer.data(), static_cast<std::size_t>(count));
  for (std::size_t size = message_size(in_); size != 0; size = message_size(in_)) {
    const std::string message = in_.substr(0, size);
    in_.erase(0, size);
    on_message_(message);
  }
}

void Stream::on_writable() {
  const ssize_t count = ::send(descriptor_, out_.data(), out_.size(), MSG_NOSIGNAL);
  if (count > 0) out_.erase(0, static_cast<std::size_t>(count));
  loop_.want_writable(descriptor_, !out_.empty());
}

}  // namespace holdfast::live
