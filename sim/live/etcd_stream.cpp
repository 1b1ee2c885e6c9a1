#include "sim/live/etcd_stream.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/live/loopback.hpp"

namespace holdfast::live {
namespace {

constexpr std::string_view signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::string_view text) {
  std::string made;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (i + j < text.size() ? static_cast<std::uint8_t>(text[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j) made += i + j > text.size() ? '=' : signs[bits >> (18 - 6 * j) & 63];
  }
  return made;
}

std::string from_base64(std::string_view text) {
  std::string made;
  std::uint32_t bits = 0;
  std::uint32_t count = 0;
  for (const char sign : text) {
    if (sign == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(signs.find(sign));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    made += static_cast<char>(bits >> count & 255);
  }
  return made;
}

EtcdStream::EtcdStream(std::uint16_t port, std::string_view path, const EtcdJson& body)
    : socket_(connected_to(port)) {
  if (socket_ < 0) return;
  const std::string text = body.dump();
  const std::string request =
      "POST " + std::string(path) +
      " HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(text.size()) +
      "\r\n\r\n" + text;
  const ssize_t sent = ::send(socket_, request.data(), request.size(), MSG_NOSIGNAL);
  is_open_ = sent == static_cast<ssize_t>(request.size());
}

EtcdStream::~EtcdStream() {
  if (socket_ >= 0) ::close(socket_);
}

EtcdJson EtcdStream::next(std::chrono::milliseconds at_most) {
  const auto end = std::chrono::steady_clock::now() + at_most;
  for (;;) {
    if (const EtcdJson found = take(); !found.is_null()) return found;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (!is_open_ || left.count() < 0) return {};
    pollfd ready{socket_, POLLIN, 0};
    if (::poll(&ready, 1, static_cast<int>(left.count())) <= 0) continue;
    char buffer[4096];
    const ssize_t count = ::read(socket_, buffer, sizeof buffer);
    is_open_ = count > 0;
    if (is_open_) text_.append(buffer, static_cast<std::size_t>(count));
  }
}

// The next whole object after the header; strings of ours have no braces.
EtcdJson EtcdStream::take() {
  if (!is_past_header_) {
    const std::size_t end = text_.find("\r\n\r\n");
    if (end == text_.npos) return {};
    text_.erase(0, end + 4);
    is_past_header_ = true;
  }
  int depth = 0;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    depth += text_[i] == '{' ? 1 : text_[i] == '}' ? -1 : 0;
    if (text_[i] != '}' || depth != 0) continue;
    EtcdJson found = EtcdJson::parse(text_.substr(0, i + 1));
    text_.erase(0, i + 1);
    return found;
  }
  return {};
}

}  // namespace holdfast::live
