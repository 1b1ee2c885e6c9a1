// A server in a thread of this process, and a client that sends what it is told to.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <utility>

#include "sim/web/web_server.hpp"

namespace holdfast::web {

class Served {
 public:
  explicit Served(WebServer::Handler handler)
      : server_({"127.0.0.1", 0}, std::move(handler)),
        thread_([this] { server_.serve_until([this] { return is_over_.load(); }); }) {}
  ~Served() {
    is_over_ = true;
    thread_.join();
  }
  Served(const Served&) = delete;

  std::uint16_t port() const { return server_.at().port; }
  std::string host() const { return "127.0.0.1:" + std::to_string(port()); }

  // The whole answer to these bytes.
  std::string send(const std::string& bytes) const {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::string answer;
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
      for (std::size_t sent = 0; sent < bytes.size();) {
        const ssize_t more = ::send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (more <= 0) break;
        sent += static_cast<std::size_t>(more);
      }
      ::shutdown(socket, SHUT_WR);
      char block[4096];
      for (ssize_t got = 0; (got = ::recv(socket, block, sizeof block, 0)) > 0;)
        answer.append(block, static_cast<std::size_t>(got));
    }
    ::close(socket);
    return answer;
  }
  std::string ask(const std::string& line, const std::string& host = "") const {
    return send(line + "\r\nHost: " + (host.empty() ? this->host() : host) + "\r\nConnection: close\r\n\r\n");
  }
  std::string post(const std::string& path, const std::string& body,
                   const std::string& type = "application/json", const std::string& more = "") const {
    return send("POST " + path + " HTTP/1.1\r\nHost: " + host() + "\r\nContent-Type: " + type + "\r\n" +
                more + "Content-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" +
                body);
  }

 private:
  WebServer server_;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace holdfast::web
