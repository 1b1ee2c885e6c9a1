// One end of a connection over a socket of this machine, or TCP.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "sim/live/loop.hpp"

namespace holdfast::live {

// How many bytes the first message of RESP2 has; 0 if it is not complete, or no message.
std::size_t message_size(std::string_view bytes);
// Takes the first whole message off `bytes`; empty: there is none.
std::optional<std::string> take_message(std::string& bytes);

// Sockets that do not block. Throws std::system_error.
int listen_at(const std::string& path);
// The host must be a number, as in 127.0.0.1, or localhost. Port 0: the system chooses one; `port` says
// which.
int listen_at(const std::string& host, int& port);
// -1: no process listens there.
int connect_to(const std::string& path);
bool does_anybody_listen_at(const std::string& path);

class Stream final : private Socket {
 public:
  // `on_bytes` takes off what is whole. `on_end`: the socket was closed by the other side. Neither may
  // destroy the stream.
  Stream(Loop& loop, int descriptor, std::function<void(std::string&)> on_bytes,
         std::function<void()> on_end);
  ~Stream() override;
  Stream(const Stream&) = delete;

  void send(std::string_view bytes);

 private:
  void on_readable() override;
  void on_writable() override;

  Loop& loop_;
  int descriptor_;
  std::function<void(std::string&)> on_bytes_;
  std::function<void()> on_end_;
  std::string in_;
  std::string out_;
};

// Accepts connections at a listening socket, which it closes in the end.
class Listener final : private Socket {
 public:
  // `on_connection` is given the descriptor of each, and may throw.
  Listener(Loop& loop, int descriptor, std::function<void(int)> on_connection);
  ~Listener() override;
  Listener(const Listener&) = delete;

 private:
  void on_readable() override;
  void on_writable() override {}

  Loop& loop_;
  int descriptor_;
  std::function<void(int)> on_connection_;
};

}  // namespace holdfast::live
