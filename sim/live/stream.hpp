// One direction of a connection over a unix socket: whole messages come in, whole messages go out.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "sim/live/loop.hpp"

namespace holdfast::live {

// How many bytes the first message of RESP2 has; 0 if it is not complete, or no message.
std::size_t message_size(std::string_view bytes);

// Sockets that do not block. Throws std::system_error.
int listen_at(const std::string& path);
// -1: nobody listens there.
int connect_to(const std::string& path);

class Stream final : private Socket {
 public:
  // `on_end`: the socket was closed by the other side. Neither may destroy the stream.
  Stream(Loop& loop, int descriptor, std::function<void(std::string_view)> on_message,
         std::function<void()> on_end);
  ~Stream() override;
  Stream(const Stream&) = delete;

  void send(std::string_view bytes);

 private:
  void on_readable() override;
  void on_writable() override;

  Loop& loop_;
  int descriptor_;
  std::function<void(std::string_view)> on_message_;
  std::function<void()> on_end_;
  std::string in_;
  std::string out_;
};

}  // namespace holdfast::live
