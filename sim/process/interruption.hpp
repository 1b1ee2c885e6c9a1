// What ends runs of programs that take long, when their user wants an end.
#pragma once

#include <functional>

#include "sim/core/interruption.hpp"

namespace holdfast::process {

// As long as one of these lives, runs may end by Interrupted.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
};

// Whether somebody wants an end. REQUIRES: no program runs.
void interrupt_when(std::function<bool()> is_wanted);
// Somebody does, for a while already, and it may be.
bool is_interrupted();

}  // namespace holdfast::process
