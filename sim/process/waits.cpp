#include "sim/process/waits.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <vector>

#include "sim/core/invariant.hpp"

namespace holdfast::process {
namespace {

constexpr Limit never{};

Limit span(Ns time) { return {Limit::Kind::span, time}; }

Ns nanoseconds(std::int64_t seconds, std::int64_t rest) {
  constexpr std::int64_t seconds_max = std::numeric_limits<Ns>::max() / second / 4;
  return std::min(seconds, seconds_max) * second + rest;
}

Limit milliseconds(std::uint64_t argument) {
  const auto count = static_cast<std::int32_t>(argument);
  return count < 0 ? never : span(Ns{count} * 1'000 * microsecond);
}

// A timespec at `at`, where 0 is: for ever.
Limit timespec_at(std::uint64_t at, const Process& process) {
  if (at == 0) return never;
  const auto time = process.value_at<timespec>(at);
  return span(nanoseconds(time.tv_sec, time.tv_nsec));
}

Limit timeval_at(std::uint64_t at, const Process& process) {
  if (at == 0) return never;
  const auto time = process.value_at<timeval>(at);
  return span(nanoseconds(time.tv_sec, time.tv_usec * microsecond));
}

Limit absolute(Limit limit, bool is_wall) {
  limit.kind = is_wall ? Limit::Kind::wall : Limit::Kind::steady;
  return limit;
}

bool try_poll(const Wait& wait, const Process& process, const Tree& tree) {
  const auto& arguments = wait.asked.arguments;
  constexpr std::uint64_t most = 4096;
  std::vector<pollfd> theirs(std::min(arguments[1], most));
  process.read(arguments[0], theirs.data(), theirs.size() * sizeof(pollfd));
  std::vector<pollfd> ours = theirs;
  std::vector<Descriptor> borrowed;
  for (pollfd& each : ours) {
    if (each.fd < 0) continue;
    borrowed.push_back(process.borrow(each.fd));
    each.fd = borrowed.back().get();
  }
  const int ready = poll(ours.data(), ours.size(), 0);
  if (ready <= 0 && !wait.is_over) return false;
  for (std::size_t i = 0; i < theirs.size(); ++i) theirs[i].revents = ours[i].revents;
  process.write(arguments[0], theirs.data(), theirs.size() * sizeof(pollfd));
  tree.answer(wait.asked, std::max(ready, 0));
  return true;
}

bool try_epoll(const Wait& wait, const Process& process, const Tree& tree) {
  const auto& arguments = wait.asked.arguments;
  const Descriptor set = process.borrow(static_cast<int>(arguments[0]));
  constexpr std::uint64_t most = 1024;
  std::vector<epoll_event> events(std::clamp<std::uint64_t>(arguments[2], 1, most));
  const int ready = epoll_wait(set.get(), events.data(), static_cast<int>(events.size()), 0);
  if (ready <= 0 && !wait.is_over) return false;
  if (ready > 0)
    process.write(arguments[1], events.data(), static_cast<std::size_t>(ready) * sizeof(epoll_event));
  tree.answer(wait.asked, std::max(ready, 0));
  return true;
}

// The descriptors of select() are bits: of reading, writing, exceptions.
struct Sets {
  std::array<fd_set, 3> sets;
  int count;
  std::size_t bytes() const { return static_cast<std::size_t>(count + 63) / 64 * 8; }
};

std::vector<pollfd> wanted_of(const Sets& sets) {
  constexpr std::array<short, 3> kinds{POLLIN, POLLOUT, POLLPRI};
  std::vector<pollfd> wanted;
  for (int number = 0; number < sets.count; ++number) {
    short events = 0;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind)
      if (FD_ISSET(number, &sets.sets[kind])) events = static_cast<short>(events | kinds[kind]);
    if (events != 0) wanted.push_back({number, events, 0});
  }
  return wanted;
}

bool try_select(const Wait& wait, const Process& process, const Tree& tree) {
  const auto& arguments = wait.asked.arguments;
  Sets sets{{}, std::min(static_cast<int>(arguments[0]), FD_SETSIZE)};
  for (std::size_t kind = 0; kind < sets.sets.size(); ++kind)
    if (arguments[1 + kind] != 0) process.read(arguments[1 + kind], &sets.sets[kind], sets.bytes());
  const std::vector<pollfd> wanted = wanted_of(sets);
  std::vector<pollfd> ours = wanted;
  std::vector<Descriptor> borrowed;
  for (pollfd& each : ours) {
    borrowed.push_back(process.borrow(each.fd));
    each.fd = borrowed.back().get();
  }
  poll(ours.data(), ours.size(), 0);
  sets.sets = {};
  int ready = 0;
  const auto note = [&](std::size_t kind, std::size_t at, int events) {
    if ((wanted[at].events & (kind == 0 ? POLLIN : POLLOUT)) == 0 || (ours[at].revents & events) == 0) return;
    FD_SET(wanted[at].fd, &sets.sets[kind]);
    ++ready;
  };
  for (std::size_t i = 0; i < ours.size(); ++i) {
    note(0, i, POLLIN | POLLHUP | POLLERR);
    note(1, i, POLLOUT | POLLERR);
  }
  if (ready == 0 && !wait.is_over) return false;
  for (std::size_t kind = 0; kind < sets.sets.size(); ++kind)
    if (arguments[1 + kind] != 0) process.write(arguments[1 + kind], &sets.sets[kind], sets.bytes());
  tree.answer(wait.asked, ready);
  return true;
}

// Wakers change the word before they wake, and no thread sleeps in the kernel: the word tells.
bool try_futex(const Wait& wait, const Process& process, const Tree& tree) {
  const auto& arguments = wait.asked.arguments;
  if (process.value_at<std::uint32_t>(arguments[0]) != static_cast<std::uint32_t>(arguments[2])) {
    tree.fail(wait.asked, EAGAIN);
    return true;
  }
  if (wait.is_over) tree.fail(wait.asked, ETIMEDOUT);
  return wait.is_over;
}

// The kernel reads, for it will not wait.
bool try_read(const Wait& wait, const Process& process, const Tree& tree) {
  const auto& arguments = wait.asked.arguments;
  const Descriptor file = process.borrow(static_cast<int>(arguments[0]));
  const std::uint64_t flags = wait.asked.call == SYS_recvfrom  ? arguments[3]
                              : wait.asked.call == SYS_recvmsg ? arguments[2]
                                                               : 0;
  pollfd ready{file.get(), POLLIN, 0};
  const bool is_ready = !file.is_open() || poll(&ready, 1, 0) > 0 || (flags & MSG_DONTWAIT) != 0 ||
                        (fcntl(file.get(), F_GETFL) & O_NONBLOCK) != 0;
  if (is_ready) tree.let(wait.asked);
  return is_ready;
}

}  // namespace

Limit limit_of(const Asked& asked, const Process& process) {
  const auto& arguments = asked.arguments;
  switch (asked.call) {
    case SYS_nanosleep: return timespec_at(arguments[0], process);
    case SYS_clock_nanosleep: {
      const Limit limit = timespec_at(arguments[2], process);
      return (arguments[1] & TIMER_ABSTIME) == 0
                 ? limit
                 : absolute(limit, static_cast<clockid_t>(arguments[0]) == CLOCK_REALTIME);
    }
    case SYS_poll: return milliseconds(arguments[2]);
    case SYS_epoll_wait:
    case SYS_epoll_pwait: return milliseconds(arguments[3]);
    case SYS_ppoll: return timespec_at(arguments[2], process);
    case SYS_epoll_pwait2: return timespec_at(arguments[3], process);
    case SYS_select: return timeval_at(arguments[4], process);
    case SYS_pselect6: return timespec_at(arguments[4], process);
    case SYS_futex: {
      const Limit limit = timespec_at(arguments[3], process);
      if ((arguments[1] & FUTEX_CMD_MASK) == FUTEX_WAIT || limit.kind == Limit::Kind::never) return limit;
      return absolute(limit, (arguments[1] & FUTEX_CLOCK_REALTIME) != 0);
    }
    default: return never;
  }
}

bool try_to_end(const Wait& wait, const Process& process, const Tree& tree) {
  switch (wait.asked.call) {
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
      if (wait.is_over) tree.answer(wait.asked, 0);
      return wait.is_over;
    case SYS_futex: return try_futex(wait, process, tree);
    case SYS_poll:
    case SYS_ppoll: return try_poll(wait, process, tree);
    case SYS_epoll_wait:
    case SYS_epoll_pwait:
    case SYS_epoll_pwait2: return try_epoll(wait, process, tree);
    case SYS_select:
    case SYS_pselect6: return try_select(wait, process, tree);
    default: return try_read(wait, process, tree);
  }
}

}  // namespace holdfast::process
