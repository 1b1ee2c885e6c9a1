#include "sim/process/process.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

namespace holdfast::process {

Process::Process(int pid) : pid_(pid), descriptor_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))) {}

void Process::read(std::uint64_t at, void* to, std::size_t size) const {
  const iovec here{to, size};
  const iovec there{reinterpret_cast<void*>(at), size};
  process_vm_readv(pid_, &here, 1, &there, 1, 0);
}

void Process::write(std::uint64_t at, const void* from, std::size_t size) const {
  const iovec here{const_cast<void*>(from), size};
  const iovec there{reinterpret_cast<void*>(at), size};
  process_vm_writev(pid_, &here, 1, &there, 1, 0);
}

std::string Process::text_at(std::uint64_t at) const {
  constexpr std::size_t page = 4096;
  std::string text;
  // Page by page, for the next one may not be there.
  while (text.size() < page) {
    std::array<char, page> bytes{};
    const std::size_t size = page - (at + text.size()) % page;
    read(at + text.size(), bytes.data(), size);
    const std::size_t length = strnlen(bytes.data(), size);
    text.append(bytes.data(), length);
    if (length < size) break;
  }
  return text;
}

Descriptor Process::borrow(int number) const {
  return Descriptor(static_cast<int>(syscall(SYS_pidfd_getfd, descriptor_.get(), number, 0)));
}

std::int64_t Process::processor_time() const {
  clockid_t clock = 0;
  timespec used{};
  if (pid_ == 0 || clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
  constexpr std::int64_t in_second = 1'000'000'000;
  return used.tv_sec * in_second + used.tv_nsec;
}

void Process::kill_and_wait() const {
  if (pid_ == 0) return;
  syscall(SYS_pidfd_send_signal, descriptor_.get(), SIGKILL, nullptr, 0);
  constexpr int patience = 5'000;  // milliseconds
  pollfd end{descriptor_.get(), POLLIN, 0};
  poll(&end, 1, patience);
}

std::vector<int> threads_of(int pid) {
  std::vector<int> list;
  DIR* const directory = opendir(fmt::format("/proc/{}/task", pid).c_str());
  if (directory == nullptr) return list;
  while (const dirent* const entry = readdir(directory))
    if (const int tid = std::atoi(entry->d_name); tid != 0) list.push_back(tid);
  closedir(directory);
  return list;
}

char state_of(int pid, int tid) {
  const Descriptor file(open(fmt::format("/proc/{}/task/{}/stat", pid, tid).c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 512> text{};
  if (::read(file.get(), text.data(), text.size() - 1) <= 0) return '\0';
  // The name of the program stands in parentheses before it, and may contain some.
  const char* const end = std::strrchr(text.data(), ')');
  return end == nullptr ? '\0' : end[2];
}

}  // namespace holdfast::process
