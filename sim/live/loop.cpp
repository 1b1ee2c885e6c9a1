#include "sim/live/loop.hpp"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
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

Loop::Loop()
    : epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      alarm_(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) {
  // Told once each time it goes off: it need not be read.
  epoll_event event{.events = EPOLLIN | EPOLLET, .data = {.fd = alarm_}};
  if (epoll_ < 0 || alarm_ < 0 || ::epoll_ctl(epoll_, EPOLL_CTL_ADD, alarm_, &event) != 0)
    throw std::system_error(errno, std::generic_category(), "no event loop");
  // Writing to a connection that the other side has closed is an error like any other.
  ::signal(SIGPIPE, SIG_IGN);
}

Loop::~Loop() {
  ::close(alarm_);
  ::close(epoll_);
}

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
  const bool at_once = must_not_wait(latest);
  if (!at_once) wake_at(timers_.empty() ? latest : std::min(latest, timers_.begin()->first.first));
  const int count = ::epoll_wait(epoll_, events.data(), events_most, at_once ? 0 : -1);
  now_ = steady_now();
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    if (event.data.fd == alarm_) continue;
    const auto index = static_cast<std::size_t>(event.data.fd);
    // A socket that came first in this round may have closed the others.
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

bool Loop::must_not_wait(SteadyTime latest) const {
  return !soon_.empty() || latest <= now_ || (!timers_.empty() && timers_.begin()->first.first <= now_);
}

// An alarm that goes off too early is no harm: then it is set anew.
void Loop::wake_at(SteadyTime time) {
  if (alarm_at_ <= now_) alarm_at_ = SteadyTime::max();  // it has gone off
  if (time >= alarm_at_) return;
  alarm_at_ = time;
  const auto since = time.time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  const itimerspec at{.it_interval = {},
                      .it_value = {seconds.count(), std::chrono::nanoseconds(since - seconds).count()}};
  INVARIANT(::timerfd_settime(alarm_, TFD_TIMER_ABSTIME, &at, nullptr) == 0, "an alarm can be set");
}

}  // namespace holdfast::live
