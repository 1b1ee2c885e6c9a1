// A private ZooKeeper for tests, on a port of the loopback, stopped and removed at the end.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace holdfast::live::jute {

inline sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}
// -1: nobody listens there.
inline int connected_to(std::uint16_t port) {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{10, 0};
  setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const sockaddr_in address = loopback(port);
  if (connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return made;
  close(made);
  return -1;
}

class Server {
 public:
  static constexpr const char* java = "/usr/bin/java";
  static constexpr const char* library = "/usr/share/java/zookeeper.jar";
  static bool is_installed() { return std::filesystem::exists(java) && std::filesystem::exists(library); }

  Server() : port_(free_port()) {
    std::string name = (std::filesystem::temp_directory_path() / "holdfast-zookeeper-XXXXXX").string();
    directory_ = mkdtemp(name.data());
    std::ofstream(directory_ + "/zoo.cfg")
        << "tickTime=200\ndataDir=" << directory_
        << "/data\nclientPortAddress=127.0.0.1\nclientPort=" << port_ << "\nadmin.enableServer=false\n";
    start();
  }
  Server(const Server&) = delete;
  ~Server() {
    stop();
    std::filesystem::remove_all(directory_);
  }
  void restart() {
    stop();
    start();
  }
  std::uint16_t port() const { return port_; }

 private:
  // Below those that the kernel gives to who connects: else a client that asks whether it is up could be
  // connected to itself.
  static std::uint16_t free_port() {
    constexpr int first = 20000, count = 10000;
    for (int i = 0; i < count; ++i) {
      const auto port = static_cast<std::uint16_t>(first + (getpid() + i) % count);
      const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      const sockaddr_in address = loopback(port);
      const bool is_free = bind(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
      close(probe);
      if (is_free) return port;
    }
    ADD_FAILURE() << "no port is free";
    return 0;
  }
  // As Debian's /usr/share/zookeeper/bin/zkServer.sh does, with a small heap and the first compiler alone.
  void start() {
    std::vector<std::string> words{java,
                                   "-Xmx64m",
                                   "-XX:TieredStopAtLevel=1",
                                   "-XX:+UseSerialGC",
                                   "-Dzookeeper.4lw.commands.whitelist=*",
                                   "-cp",
                                   library,
                                   "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                                   directory_ + "/zoo.cfg"};
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    process_ = fork();
    if (process_ == 0) {
      const int log = open((directory_ + "/log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
      dup2(log, STDOUT_FILENO);
      dup2(log, STDERR_FILENO);
      execv(java, argv.data());
      _exit(127);
    }
    for (int i = 0; i < 4000 && !is_up(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  // "srvr" is answered with what it is, once it serves.
  bool is_up() const {
    const int probe = connected_to(port_);
    if (probe < 0) return false;
    std::string answer;
    char buffer[1024];
    if (write(probe, "srvr", 4) == 4)
      for (ssize_t count = 0; (count = read(probe, buffer, sizeof buffer)) > 0;)
        answer.append(buffer, static_cast<std::size_t>(count));
    close(probe);
    return answer.find("Mode: ") != answer.npos;
  }
  void stop() const {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }

  std::uint16_t port_;
  std::string directory_;
  pid_t process_ = -1;
};

}  // namespace holdfast::live::jute
