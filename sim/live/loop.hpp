// The event loop of one thread: real time, timers and sockets. Everything that live clients wait for ends in
// turn(), and nowhere else are coroutines resumed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "sim/core/units.hpp"

namespace holdfast::live {

// Real time, since the machine started.
SteadyTime steady_now();
WallTime wall_now();

// What a loop needs of the owner of a socket.
class Socket {
 public:
  virtual ~Socket() = default;
  virtual void on_readable() = 0;
  virtual void on_writable() = 0;
};

class Loop {
 public:
  Loop();
  ~Loop();
  Loop(const Loop&) = delete;

  // When this turn began: exact enough for timeouts, and free.
  SteadyTime now() const { return now_; }

  // Timers that are due at the same time go off in the order in which they were set.
  using Timer = std::pair<SteadyTime, std::uint64_t>;
  Timer at(SteadyTime time, std::function<void()> act);
  void cancel(const Timer& timer) { timers_.erase(timer); }
  // Called before the loop next waits.
  void soon(std::function<void()> act) { soon_.push_back(std::move(act)); }

  // Watches the socket until unwatch(). REQUIRES: not watched yet.
  void watch(int descriptor, Socket& socket);
  void want_writable(int descriptor, bool wanted);
  void unwatch(int descriptor);

  // Does what can be done now; if nothing can, waits for it until `latest`.
  void turn(SteadyTime latest = SteadyTime::max());
  // How often turn() was called.
  std::uint64_t turns() const { return turns_; }

 private:
  struct Watched {
    Socket* socket = nullptr;
    bool wants_writable = false;
  };
  void do_what_is_soon();
  void fire_timers();
  // True: `latest` or the first timer is due, or something is to be done.
  bool must_not_wait(SteadyTime latest) const;
  void wake_at(SteadyTime time);

  int epoll_;
  // Ends a wait in time. Unlike a timeout of epoll_wait() it costs nothing where it stays as it is.
  int alarm_;
  SteadyTime alarm_at_ = SteadyTime::max();
  std::vector<Watched> watched_;  // by descriptor
  std::map<Timer, std::function<void()>> timers_;
  SteadyTime now_ = steady_now();
  std::uint64_t timers_set_ = 0;
  std::uint64_t turns_ = 0;
  std::vector<std::function<void()>> soon_;
};

}  // namespace holdfast::live
