#include "sim/process/launch.hpp"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "sim/guest/program.hpp"
#include "sim/process/calls.hpp"

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS _IOW('!', 4, unsigned long)
#endif

namespace holdfast::process {
namespace {

using guest::Unusable;

// A guest that wants more is no lock.
constexpr rlim_t files_max = 2048;
constexpr rlim_t data_max = 4ULL << 30U;
constexpr rlim_t file_size_max = 64ULL << 20U;

[[noreturn]] void fail(const char* what) {
  throw Unusable(fmt::format("programs cannot be supervised here: {}: {}", what, std::strerror(errno)));
}

// A relative path is meant from where the program begins.
std::string found_in_path(const std::string& name, const std::vector<std::string>& environment) {
  namespace fs = std::filesystem;
  if (name.find('/') != name.npos) return name;
  for (const std::string& each : environment) {
    if (!each.starts_with("PATH=")) continue;
    for (std::size_t begin = 5; begin <= each.size();) {
      const std::size_t end = std::min(each.find(':', begin), each.size());
      const std::string path = each.substr(begin, end - begin) + "/" + name;
      if (access(path.c_str(), X_OK) == 0 && !fs::is_directory(path)) return path;
      begin = end + 1;
    }
  }
  throw Unusable(fmt::format("there is no program \"{}\" in PATH", name));
}

// What the child needs, made before it exists: between clone() and execve() nothing may allocate.
struct Prepared {
  std::string path;
  std::vector<char*> arguments;
  std::vector<char*> environment;
  std::vector<sock_filter> filter;
  bool has_random_layout;
  const char* directory;
  int stdio;
  int errors;
  int channel;  // where it sends the listener
};

void limit(__rlimit_resource what, rlim_t most) {
  const rlimit value{most, most};
  setrlimit(what, &value);
}

bool send_descriptor(int channel, int descriptor) {
  std::array<char, CMSG_SPACE(sizeof(int))> control{};
  char byte = 'x';
  iovec part{&byte, 1};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  return sendmsg(channel, &message, MSG_NOSIGNAL) == 1;
}

int receive_descriptor(int channel) {
  std::array<char, CMSG_SPACE(sizeof(int))> control{};
  char byte = 0;
  iovec part{&byte, 1};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  if (recvmsg(channel, &message, MSG_CMSG_CLOEXEC) <= 0 || CMSG_FIRSTHDR(&message) == nullptr) return -1;
  int descriptor = -1;
  std::memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
  return descriptor;
}

[[noreturn]] void become(const Prepared& it) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // What is pressed at a terminal concerns its supervisor alone.
  setsid();
  personality(it.has_random_layout ? 0 : ADDR_NO_RANDOMIZE);
  limit(RLIMIT_NOFILE, files_max);
  limit(RLIMIT_DATA, data_max);
  limit(RLIMIT_FSIZE, file_size_max);
  limit(RLIMIT_CORE, 0);
  if (*it.directory != '\0' && chdir(it.directory) != 0) _exit(126);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO}) dup2(it.stdio, stream);
  dup2(it.errors, STDERR_FILENO);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  syscall(SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */);
  const sock_fprog program{static_cast<unsigned short>(it.filter.size()),
                           const_cast<sock_filter*>(it.filter.data())};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) _exit(126);
  // WAIT_KILLABLE_RECV: no signal but a fatal one ends a wait that was reported.
  const auto listener = static_cast<int>(
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
              SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &program));
  if (listener < 0 || !send_descriptor(it.channel, listener)) _exit(126);
  close(listener);
  execve(it.path.c_str(), it.arguments.data(), it.environment.data());
  _exit(127);
}

int clone_into_namespace() {
  for (const std::uint64_t flags :
       {std::uint64_t{CLONE_NEWPID}, std::uint64_t{CLONE_NEWPID} | CLONE_NEWUSER}) {
    clone_args how{};
    how.flags = flags;
    how.exit_signal = SIGCHLD;
    const auto pid = static_cast<int>(syscall(SYS_clone3, &how, sizeof how));
    if (pid >= 0 || errno != EPERM) return pid;
  }
  return -1;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> list;
  for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
}

// At the stack of a program that was just executed: its auxiliary vector (System V ABI, "Process
// Initialization").
void clean_auxiliary_vector(int pid, std::uint64_t seed) {
  user_regs_struct registers{};
  ptrace(PTRACE_GETREGS, pid, nullptr, &registers);
  std::uint64_t at = registers.rsp;
  const auto word = [&](std::uint64_t where) {
    return static_cast<std::uint64_t>(ptrace(PTRACE_PEEKDATA, pid, where, nullptr));
  };
  at += 8 * (1 + word(at) + 1);
  while (word(at) != 0) at += 8;
  for (at += 8; word(at) != AT_NULL; at += 16) {
    // Without it, libraries ask the kernel what time it is.
    if (word(at) == AT_SYSINFO_EHDR) ptrace(PTRACE_POKEDATA, pid, at, std::uint64_t{AT_IGNORE});
    if (word(at) != AT_RANDOM) continue;
    const std::uint64_t bytes = word(at + 8);
    ptrace(PTRACE_POKEDATA, pid, bytes, seed * 0x9E3779B97F4A7C15 + 1);
    ptrace(PTRACE_POKEDATA, pid, bytes + 8, seed * 0xBF58476D1CE4E5B9 + 3);
  }
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this == &other) return *this;
  close();
  number_ = other.release();
  return *this;
}
Descriptor::~Descriptor() { close(); }
int Descriptor::release() { return std::exchange(number_, -1); }
void Descriptor::close() {
  if (number_ >= 0) ::close(release());
}

Pair connected_pair() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("socketpair");
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Launched launch(const Start& start) {
  Pair stdio = connected_pair();
  Pair channel = connected_pair();
  fcntl(channel.ours.get(), F_SETFL, 0);
  Descriptor errors(static_cast<int>(syscall(SYS_memfd_create, "stderr", 1U /* MFD_CLOEXEC */)));
  fcntl(errors.get(), F_SETFL, O_APPEND);
  const Prepared prepared{found_in_path(start.command.front(), start.environment),
                          pointers(start.command),
                          pointers(start.environment),
                          make_filter(),
                          start.has_random_layout,
                          start.directory.c_str(),
                          stdio.theirs.get(),
                          errors.get(),
                          channel.theirs.get()};
  const int pid = clone_into_namespace();
  if (pid < 0) fail("a pid namespace");
  if (pid == 0) become(prepared);
  channel.theirs.close();
  Descriptor listener(receive_descriptor(channel.ours.get()));
  if (!listener.is_open()) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    errno = EACCES;
    fail("seccomp with a listener");
  }
  // Where the kernel knows it (Linux 6.6): guest and supervisor take turns on one processor.
  ioctl(listener.get(), SECCOMP_IOCTL_NOTIF_SET_FLAGS, 1UL);
  return {pid, Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))), std::move(listener),
          std::move(stdio.ours), std::move(errors)};
}

bool execute_without_vdso(int pid, int listener, std::uint64_t seed, bool& is_traced, void (*go_on)(void*),
                          void* context) {
  if (!is_traced && ptrace(PTRACE_SEIZE, pid, nullptr, std::uint64_t{PTRACE_O_TRACEEXEC}) != 0)
    fail("ptrace");
  is_traced = true;
  go_on(context);
  for (;;) {
    int status = 0;
    const int changed = waitpid(pid, &status, WNOHANG | __WALL);
    if (changed < 0 || (changed == pid && !WIFSTOPPED(status))) return false;
    if (changed == pid && status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8)) {
      clean_auxiliary_vector(pid, seed);
      ptrace(PTRACE_DETACH, pid, nullptr, nullptr);
      is_traced = false;
      return true;
    }
    if (changed == pid) ptrace(PTRACE_CONT, pid, nullptr, std::uint64_t(WSTOPSIG(status)));
    pollfd asks{listener, POLLIN, 0};
    if (poll(&asks, 1, 1) > 0) return false;
  }
}

}  // namespace holdfast::process
