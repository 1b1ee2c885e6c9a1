#include "sim/process/tree.hpp"

#include <fmt/format.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "sim/guest/program.hpp"
#include "sim/process/guest.hpp"

namespace holdfast::process {

using guest::Unusable;

Tree::Tree(const Start& start) : start_(start), launched_(launch(start)) {}

Tree::~Tree() {
  // The first process of a pid namespace takes the others along.
  kill(launched_.pid, SIGKILL);
  while (waitpid(launched_.pid, nullptr, __WALL) < 0 && errno == EINTR) {
  }
}

std::string Tree::end_in_words() const {
  siginfo_t end{};
  // What a program forked is a child of that program, and only its parent is told how it ended.
  const bool is_known =
      waitid(P_PID, static_cast<id_t>(launched_.pid), &end, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0 &&
      end.si_pid == launched_.pid;
  if (!is_known) return "it ended";
  if (end.si_code != CLD_KILLED && end.si_code != CLD_DUMPED)
    return fmt::format("it ended with exit code {}", end.si_status);
  return end_in_words(end.si_status);
}

std::string Tree::end_in_words(int signal) {
  const char* const name = sigabbrev_np(signal);
  const char* const meaning = sigdescr_np(signal);
  return fmt::format("it was killed by {} ({})", name != nullptr ? fmt::format("SIG{}", name) : "a signal",
                     meaning != nullptr ? meaning : std::to_string(signal).c_str());
}

std::string Tree::last_errors() const {
  std::string text(4096, '\0');
  const off_t size = lseek(launched_.errors.get(), 0, SEEK_END);
  const off_t begin = std::max<off_t>(0, size - static_cast<off_t>(text.size()));
  const ssize_t count = pread(launched_.errors.get(), text.data(), text.size(), begin);
  text.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  if (text.empty()) return " (it wrote nothing to stderr)";
  constexpr std::size_t lines_max = 3;
  std::size_t at = text.size();
  for (std::size_t line = 0; line < lines_max && at != text.npos; ++line)
    at = at == 0 ? text.npos : text.rfind('\n', at - 1);
  std::string last = at == text.npos ? text : text.substr(at + 1);
  std::replace(last.begin(), last.end(), '\n', ' ');
  std::replace(last.begin(), last.end(), '\0', ' ');
  return ": " + last;
}

void Tree::forget(const Guest& guest) {
  std::erase_if(guests_, [&](const auto& each) { return each.second == &guest; });
  if (expected_ == &guest) expected_ = nullptr;
}

Guest& Tree::guest_of(int tid) {
  if (const auto known = guests_.find(tid); known != guests_.end()) return *known->second;
  // A new thread: of a process that is known, or of a new one.
  std::ifstream status(fmt::format("/proc/{}/status", tid));
  int process = tid;
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("Tgid:")) process = std::stoi(line.substr(5));
  Guest* guest = nullptr;
  if (const auto known = guests_.find(process); known != guests_.end()) {
    guest = known->second;
    guest->has_threads();
  } else {
    if (expected_ == nullptr) throw Unusable("it forks a process without being asked");
    guest = std::exchange(expected_, nullptr);
    guest->begin_as(process);
    guests_[process] = guest;
  }
  guests_[tid] = guest;
  return *guest;
}

bool Tree::serve_one() {
  pollfd reports{listener(), POLLIN, 0};
  while (poll(&reports, 1, 0) > 0 && (reports.revents & POLLIN) != 0) {
    seccomp_notif report{};
    if (ioctl(listener(), SECCOMP_IOCTL_NOTIF_RECV, &report) != 0) {
      // ENOENT: whose call it was has been killed.
      if (errno == EINTR || errno == ENOENT) continue;
      throw Unusable(fmt::format("its system calls are reported no more: error {}", errno));
    }
    Asked asked{.id = report.id, .tid = static_cast<int>(report.pid), .call = report.data.nr};
    std::copy(std::begin(report.data.args), std::end(report.data.args), asked.arguments);
    guest_of(asked.tid).handle(asked);
    return true;
  }
  return false;
}

void Tree::respond(const Asked& asked, std::int64_t value, int error, std::uint32_t flags) const {
  seccomp_notif_resp response{};
  response.id = asked.id;
  response.val = value;
  response.error = error;
  response.flags = flags;
  // It fails only when the caller was killed meanwhile.
  ioctl(listener(), SECCOMP_IOCTL_NOTIF_SEND, &response);
}

void Tree::let(const Asked& asked) const { respond(asked, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE); }

void Tree::answer_with(const Asked& asked, int descriptor, int number, bool closes_on_exec) const {
  seccomp_notif_addfd add{};
  add.id = asked.id;
  add.flags = SECCOMP_ADDFD_FLAG_SEND | (number < 0 ? 0 : SECCOMP_ADDFD_FLAG_SETFD);
  add.srcfd = static_cast<std::uint32_t>(descriptor);
  add.newfd = number < 0 ? 0 : static_cast<std::uint32_t>(number);
  add.newfd_flags = closes_on_exec ? 02000000 /* O_CLOEXEC */ : 0;
  ioctl(listener(), SECCOMP_IOCTL_NOTIF_ADDFD, &add);
}

void Tree::give(const Asked& asked, int descriptor, int number) const {
  seccomp_notif_addfd add{};
  add.id = asked.id;
  add.flags = SECCOMP_ADDFD_FLAG_SETFD;
  add.srcfd = static_cast<std::uint32_t>(descriptor);
  add.newfd = static_cast<std::uint32_t>(number);
  ioctl(listener(), SECCOMP_IOCTL_NOTIF_ADDFD, &add);
}

}  // namespace holdfast::process
