// How long a process stands still: because it was stopped, or because the machine had no time for it.
#pragma once

#include <functional>
#include <utility>

#include "sim/live/loop.hpp"

namespace holdfast::live {

class Pulse {
 public:
  // A beat that comes later than by a beat is told: by how much.
  Pulse(Loop& loop, Duration beat, std::function<void(Duration)> on_stall)
      : loop_(loop), beat_(beat), on_stall_(std::move(on_stall)) {
    wait();
  }
  ~Pulse() { loop_.cancel(timer_); }
  Pulse(const Pulse&) = delete;

 private:
  void wait() {
    timer_ = loop_.at(steady_now() + beat_, [this] {
      const Duration late = steady_now() - timer_.first;
      if (late > beat_) on_stall_(late);
      wait();
    });
  }

  Loop& loop_;
  const Duration beat_;
  const std::function<void(Duration)> on_stall_;
  Loop::Timer timer_;
};

}  // namespace holdfast::live
