#include "sim/live/redis_process.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "sim/core/invariant.hpp"
#include "sim/live/blocking_client.hpp"
#include "sim/live/stream.hpp"

namespace holdfast::live {
namespace {

// Debian's redis-tools has no redis-server, but redis-check-rdb is the same program: it acts by the name it
// is run as.
constexpr std::array<std::string_view, 2> programs{"redis-server", "redis-check-rdb"};

// Empty when no directory of PATH has one of the programs.
std::string find_program() {
  const char* path = ::getenv("PATH");
  for (const std::string_view program : programs) {
    std::string_view rest = path == nullptr ? "" : path;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      const std::string candidate = std::string(rest.substr(0, end)).append("/").append(program);
      if (::access(candidate.c_str(), X_OK) == 0) return candidate;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return std::string();
}

}  // namespace

std::unique_ptr<RedisProcess> RedisProcess::begin(std::vector<std::string> settings) {
  std::string program = find_program();
  if (program.empty()) return nullptr;
  std::unique_ptr<RedisProcess> server(new RedisProcess(std::move(program), std::move(settings)));
  server->spawn();
  return server;
}

std::unique_ptr<RedisProcess> RedisProcess::start(std::vector<std::string> settings) {
  std::unique_ptr<RedisProcess> server = begin(std::move(settings));
  if (server) server->wait_until_ready();
  return server;
}

RedisProcess::RedisProcess(std::string program, std::vector<std::string> settings)
    : program_(std::move(program)),
      settings_(std::move(settings)),
      socket_path_(directory_.path() + "/redis.sock") {}

RedisProcess::~RedisProcess() { end(); }

void RedisProcess::restart() {
  begin_restart();
  wait_until_ready();
}

void RedisProcess::begin_restart() {
  end();
  std::error_code ignored;
  std::filesystem::remove(socket_path_, ignored);
  spawn();
}

bool RedisProcess::listens() const {
  const int descriptor = connect_to(socket_path_);
  if (descriptor >= 0) ::close(descriptor);
  return descriptor >= 0;
}

void RedisProcess::take_place_of(RedisProcess& dead) {
  INVARIANT(dead.process_ <= 0, "the place of a server that has ended is free");
  std::filesystem::rename(socket_path_, dead.socket_path_);
  std::swap(process_, dead.process_);
}

void RedisProcess::stop() { ::kill(process_, SIGSTOP); }
void RedisProcess::go_on() { ::kill(process_, SIGCONT); }

void RedisProcess::spawn() {
  std::vector<std::string> words{"redis-server",
                                 "--port",
                                 "0",
                                 "--unixsocket",
                                 socket_path_,
                                 "--dir",
                                 directory_.path(),
                                 "--save",
                                 "",
                                 "--appendonly",
                                 "no",
                                 "--bind",
                                 "127.0.0.1",
                                 "--repl-diskless-sync-delay",
                                 "0",
                                 "--daemonize",
                                 "no"};
  words.insert(words.end(), settings_.begin(), settings_.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0) throw std::system_error(errno, std::generic_category(), "cannot start redis-server");
  if (process_ != 0) return;
  // In the child only async-signal-safe calls: the parent may have threads.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
  ::execv(program_.c_str(), argv.data());
  ::_exit(1);
}

void RedisProcess::end() {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
}

std::uint16_t RedisProcess::free_port() {
  const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof name;
  const bool is_named = ::bind(probe, reinterpret_cast<const sockaddr*>(&name), size) == 0 &&
                        ::getsockname(probe, reinterpret_cast<sockaddr*>(&name), &size) == 0;
  ::close(probe);
  return is_named ? ntohs(name.sin_port) : std::uint16_t{0};
}

// The kernel names a free port; another process may be faster, then it names another.
std::uint16_t RedisProcess::open_port() {
  BlockingClient client(socket_path_);
  constexpr int attempts_most = 100;
  for (int attempt = 0; attempt < attempts_most; ++attempt) {
    const std::uint16_t port = free_port();
    if (port != 0 && client.send({"CONFIG", "SET", "port", std::to_string(port)}).is_ok()) return port;
  }
  throw std::runtime_error("redis-server finds no port to listen on");
}

void RedisProcess::wait_until_ready() {
  constexpr int attempts_most = 1000;
  for (int attempt = 0; attempt < attempts_most; ++attempt) {
    try {
      BlockingClient client(socket_path_);
      if (client.send({"PING"}) == Reply::status("PONG")) return;
    } catch (const std::runtime_error&) {
      // It does not listen yet, or it has ended.
      if (::waitpid(process_, nullptr, WNOHANG) == process_) process_ = -1;
      if (process_ < 0) break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  throw std::runtime_error(program_ + " does not start");
}

}  // namespace holdfast::live
