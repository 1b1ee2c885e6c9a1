#include "sim/live/loop.hpp"

#include <signal.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "sim/core/invariant.hpp"

namespace holdfast::live {

SteadyTime steady_now() {
  return SteadyTime(
      std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch()));
}

WallTime wall_now() {
  return WallTime(std::chrono::duration_cast<Duration>(std::chrono::system_clock::now().time_since_epoch()));
}

Loop::Loop() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
  if (epoll_ < 0) throw std::system_error(errno, std::generic_category(), "no event loop");
  // Writing to a connection that the other side has closed is an error like any other.
  ::signal(SIGPIPE, SIG_IGN);
}

Loop::~Loop() { ::close(epoll_); }

Loop::Timer Loop::at(SteadyTime time, std::function<void()> act) {
  const Timer timer{time, ++timers_set_};
  timers_.emplace(timer, std::move(act));
  return timer;
}

void Loop::watch(int descriptor, Socket& socket) {
  const auto index = static_cast<std::size_t>(descriptor);
  if (watched_.size() <= index) watched_.resize(index + 1);
  INVARIANT(watched_[index].socket == nullptr, "a socket is watched once");
  watched_[index] = {&socket, false};
  epoll_event event{.events = EPOLLIN, .data = {.fd = descriptor}};
  INVARIANT(::epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) == 0, "an open socket can be watched");
}

void Loop::want_writable(int descriptor, bool wanted) {
  Watched& watched = watched_[static_cast<std::size_t>(descriptor)];
  if (watched.wants_writable == wanted) return;
  watched.wants_writable = wanted;
  epoll_event event{.events = EPOLLIN | (wanted ? std::uint32_t{EPOLLOUT} : 0u), .data = {.fd = descriptor}};
  INVARIANT(::epoll_ctl(epoll_, EPOLL_CTL_MOD, descriptor, &event) == 0, "it is watched");
}

void Loop::unwatch(int descriptor) {
  watched_[static_cast<std::size_t>(descriptor)] = {};
  ::epoll_ctl(epoll_, EPOLL_CTL_DEL, descriptor, nullptr);
}

void Loop::turn(SteadyTime latest) {
  ++turns_;
  do_what_is_soon();
  constexpr int events_most = 64;
  std::array<epoll_event, events_most> events;
  const int count = ::epoll_wait(epoll_, events.data(), events_most, wait_ms(latest));
  now_ = steady_now();
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    const auto index = static_cast<std::size_t>(event.data.fd);
    // Whoever came first in this round may have closed the others.
    if (Socket* const socket = watched_[index].socket; socket != nullptr && (event.events & EPOLLOUT) != 0)
      socket->on_writable();
    if (Socket* const socket = watched_[index].socket;
        socket != nullptr && (event.events & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0)
      socket->on_readable();
  }
  fire_timers();
}

void Loop::do_what_is_soon() {
  // What is done may ask for more.
  for (std::size_t i = 0; i < soon_.size(); ++i) std::exchange(soon_[i], nullptr)();
  soon_.clear();
}

void Loop::fire_timers() {
  if (timers_.empty()) return;
  while (!timers_.empty() && timers_.begin()->first.first <= now_) {
    const std::function<void()> act = std::move(timers_.begin()->second);
    timers_.erase(timers_.begin());
    act();
  }
}

// Rounded up: whoever wakes too early would only wait again.
int Loop::wait_ms(SteadyTime latest) const {
  if (!soon_.empty()) return 0;
  const SteadyTime next = timers_.empty() ? latest : std::min(latest, timers_.begin()->first.first);
  if (next == SteadyTime::max()) return -1;
  const Duration left = next - now_;
  constexpr std::int64_t most = 60'000;
  return static_cast<int>(
      std::clamp<std::int64_t>(std::chrono::ceil<std::chrono::milliseconds>(left).count(), 0, most));
}

}  // namespace holdfast::live
