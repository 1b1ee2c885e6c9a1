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

  Stage(Subject& subject, Choices& choices, Engine engine) : subject_(subject), choices_(choices) {
    if (engine == Engine::replay || !Arena::is_available()) return;
    arena_ = std::make_unique<Arena>();
    {
      const Arena::Inside inside(*arena_);
      in_arena_ = new Run(subject_, choices_, false);
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
    if (arena_) arena_->restore(first_);
    else outside_.emplace(subject_, choices_, false);
  }
  void step() {
    const Arena::Inside inside(arena_.get());
    run().world.step();
  }
  Run& run() { return arena_ ? *in_arena_ : *outside_; }

 private:
  Subject& subject_;
  Choices& choices_;
  std::optional<Run> outside_;
  std::unique_ptr<Arena> arena_;
  Run* in_arena_ = nullptr;  // forgotten with the arena
  std::vector<std::byte> first_;
};

}  // namespace holdfast
