// A real client's clocks and chance.
#pragma once

#include <map>
#include <string>

#include "sim/core/program_random.hpp"
#include "sim/live/loop.hpp"
#include "sim/trace/digest.hpp"

namespace holdfast::live {

class LiveClock final : public Clock {
 public:
  // The wall clock shows the machine's plus `wall_offset`.
  explicit LiveClock(Loop& loop, Duration wall_offset = {}) : loop_(loop), wall_offset_(wall_offset) {}
  WallTime wall() override { return wall_now() + wall_offset_; }
  SteadyTime steady() override { return steady_now(); }

 private:
  void arm(Sleep& sleep) override {
    asleep_[&sleep] = loop_.at(steady_now() + sleep.duration(), [this, &sleep] {
      asleep_.erase(&sleep);
      run(sleep.wake());
    });
  }
  void disarm(Sleep& sleep) noexcept override {
    const auto found = asleep_.find(&sleep);
    if (found == asleep_.end()) return;
    loop_.cancel(found->second);
    asleep_.erase(found);
  }

  Loop& loop_;
  Duration wall_offset_;
  std::map<Sleep*, Loop::Timer> asleep_;  // of one client: seldom more than one
};

class LiveRandom final : public ProgramRandom {
 public:
  // No two values of `unique` may be equal, on any machine. Jitter follows from `seed`.
  LiveRandom(std::string unique, std::uint64_t seed) : unique_(std::move(unique)), state_(seed) {}
  std::string token() override { return unique_ + std::to_string(++tokens_); }
  std::string identity() override { return unique_ + "0"; }
  Duration jitter(Duration most) override {
    const auto options = static_cast<std::uint64_t>(most.count()) + 1;
    return Duration(static_cast<Duration::rep>(next() % options));
  }
  std::uint64_t chance() override { return digest_of(unique_ + '#' + std::to_string(++chances_)).low; }
  void made(const Made&) override {}

 private:
  // SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators").
  std::uint64_t next() {
    std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }

  std::string unique_;
  std::uint64_t state_;
  std::uint64_t tokens_ = 0;
  std::uint64_t chances_ = 0;
};

}  // namespace holdfast::live
