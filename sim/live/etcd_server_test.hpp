// A private etcd for tests, on ports of the loopback, stopped and removed at the end; and one request to its
// JSON gateway.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace holdfast::live {

using EtcdJson = nlohmann::json;

class EtcdServer {
 public:
  static constexpr const char* program = "/usr/bin/etcd";
  static bool is_installed() { return std::filesystem::exists(program); }

  EtcdServer() : client_port_(free_port()), peer_port_(free_port()) {
    std::string name = (std::filesystem::temp_directory_path() / "holdfast-etcd-XXXXXX").string();
    directory_ = mkdtemp(name.data());
    start();
  }
  EtcdServer(const EtcdServer&) = delete;
  ~EtcdServer() {
    stop();
    std::filesystem::remove_all(directory_);
  }
  void restart() {
    stop();
    start();
  }
  std::uint16_t port() const { return client_port_; }
  // So that nobody names a lease that was there before.
  std::int64_t next_generation() { return ++generation_; }

 private:
  static sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }
  static std::uint16_t free_port() {
    const int probe = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(probe, reinterpret_cast<sockaddr*>(&address), size), 0);
    getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size);
    close(probe);
    return ntohs(address.sin_port);
  }
  static std::string url(std::uint16_t port) { return "http://127.0.0.1:" + std::to_string(port); }
  void start() {
    std::vector<std::string> words{program,
                                   "--data-dir=" + directory_ + "/data",
                                   "--listen-client-urls=" + url(client_port_),
                                   "--advertise-client-urls=" + url(client_port_),
                                   "--listen-peer-urls=" + url(peer_port_),
                                   "--initial-advertise-peer-urls=" + url(peer_port_),
                                   "--initial-cluster=default=" + url(peer_port_)};
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    process_ = fork();
    if (process_ == 0) {
      const int log = open((directory_ + "/log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
      dup2(log, STDOUT_FILENO);
      dup2(log, STDERR_FILENO);
      execv(program, argv.data());
      _exit(127);
    }
    for (int i = 0; i < 2000 && !is_up(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  bool is_up() const;
  void stop() const {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  std::uint16_t client_port_;
  std::uint16_t peer_port_;
  std::string directory_;
  pid_t process_ = -1;
  std::int64_t generation_ = 0;

  friend class EtcdStream;
};

// One request over HTTP/1.0: the answer is what comes until the server closes, one JSON object or several.
class EtcdStream {
 public:
  EtcdStream(std::uint16_t port, std::string_view path, const EtcdJson& body) {
    socket_ = socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in address = EtcdServer::loopback(port);
    if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return;
    const std::string text = body.dump();
    const std::string request =
        "POST " + std::string(path) +
        " HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(text.size()) +
        "\r\n\r\n" + text;
    is_open_ = write(socket_, request.data(), request.size()) == static_cast<ssize_t>(request.size());
  }
  EtcdStream(const EtcdStream&) = delete;
  ~EtcdStream() { close(socket_); }

  // Null: none comes for so long.
  EtcdJson next(std::chrono::milliseconds at_most) {
    const auto end = std::chrono::steady_clock::now() + at_most;
    for (;;) {
      if (const EtcdJson found = take(); !found.is_null()) return found;
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
      if (!is_open_ || left.count() < 0) return {};
      pollfd ready{socket_, POLLIN, 0};
      if (poll(&ready, 1, static_cast<int>(left.count())) <= 0) continue;
      char buffer[4096];
      const ssize_t count = read(socket_, buffer, sizeof buffer);
      is_open_ = count > 0;
      if (is_open_) text_.append(buffer, static_cast<std::size_t>(count));
    }
  }

 private:
  // The next whole object after the header; strings of ours have no braces.
  EtcdJson take() {
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
      const EtcdJson found = EtcdJson::parse(text_.substr(0, i + 1));
      text_.erase(0, i + 1);
      return found;
    }
    return {};
  }
  int socket_ = -1;
  bool is_open_ = false;
  bool is_past_header_ = false;
  std::string text_;
};

inline bool EtcdServer::is_up() const {
  EtcdStream stream(client_port_, "/v3/kv/range", {{"key", "AA=="}});
  return stream.next(std::chrono::seconds(2)).contains("header");
}

}  // namespace holdfast::live
