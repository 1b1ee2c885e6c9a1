// A run that can be put back to where it was: by copying the arena that it lives in, or by beginning anew.
#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/core/arena.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/run.hpp"

namespace holdfast {

class Stage {
 public:
  using Bytes = std::span<const std::byte>;
  // Copies of states that wait take at most this much; what is beyond is replayed from the start.
  static constexpr std::size_t copies_bytes_max = std::size_t{2} << 30;

  // `listener`, if any, hears every run.
  Stage(Subject& subject, Choices& choices, Engine engine, Observer* listener = nullptr)
      : subject_(subject), choices_(choices), listener_(listener) {
    if (engine == Engine::replay || !Arena::is_available()) return;
    arena_ = std::make_unique<Arena>();
    {
      const Arena::Inside inside(*arena_);
      in_arena_ = new Run(subject_, choices_, false);
      if (listener_ != nullptr) in_arena_->trace.subscribe(*listener_);
    }
    first_.assign(arena_->used().begin(), arena_->used().end());
  }

  bool has_arena() const { return arena_ != nullptr; }
  // What to copy, for restore().
  Bytes used() const { return arena_->used(); }
  // REQUIRES: has_arena().
  void restore(Bytes copy) { arena_->restore(copy); }
  // A run before its first step.
  void reset() {
    if (arena_) return arena_->restore(first_);
    outside_.emplace(subject_, choices_, false);
    if (listener_ != nullptr) outside_->trace.subscribe(*listener_);
  }
  void step() {
    const Arena::Inside inside(arena_.get());
    run().world.step();
  }
  Passage come_to_choice() {
    const Arena::Inside inside(arena_.get());
    return run().world.come_to_choice();
  }
  Run& run() { return arena_ ? *in_arena_ : *outside_; }

 private:
  Subject& subject_;
  Choices& choices_;
  Observer* listener_;
  std::optional<Run> outside_;
  std::unique_ptr<Arena> arena_;
  Run* in_arena_ = nullptr;  // forgotten with the arena
  std::vector<std::byte> first_;
};

}  // namespace holdfast
