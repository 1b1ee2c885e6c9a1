#include "sim/live/key_guard.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>
#include <thread>

#include "sim/live/usable_server.hpp"

namespace holdfast::live {
namespace {

constexpr char dismissed = 'd';

// Nothing of the first process stays open here: neither its terminal, nor pipes that others wait on.
void keep_only(int descriptor) {
  ::setsid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
  const auto kept = static_cast<unsigned>(descriptor);
  if (kept > 3) ::close_range(3, kept - 1, 0);
  ::close_range(kept + 1, ~0u, 0);
}

[[noreturn]] void guard(int alive, const Address& address, const std::string& prefix) {
  keep_only(alive);
  char word = 0;
  ssize_t got = 0;
  do got = ::read(alive, &word, 1);
  while (got < 0 && errno == EINTR);
  // What the killed process has sent may still be carried out: once more, after a while.
  for (const int milliseconds : {200, 1500}) {
    if (got == 1 && word == dismissed) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    delete_keys(address, prefix);
  }
  ::_exit(0);
}

}  // namespace

KeyGuard::KeyGuard(const Address& address, const std::string& prefix) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "no pipe to a second process");
  process_ = ::fork();
  if (process_ == 0) {
    ::close(ends[1]);
    guard(ends[0], address, prefix);
  }
  ::close(ends[0]);
  alive_ = ends[1];
  if (process_ < 0) throw std::system_error(errno, std::generic_category(), "no second process");
}

KeyGuard::~KeyGuard() {
  [[maybe_unused]] const ssize_t written = ::write(alive_, &dismissed, 1);
  ::close(alive_);
  ::waitpid(process_, nullptr, 0);
}

}  // namespace holdfast::live
