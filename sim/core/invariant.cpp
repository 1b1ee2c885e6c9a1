#include "sim/core/invariant.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

namespace holdfast {

void invariant_failed(const char* condition, const char* reason, const char* file, int line) {
  std::fprintf(stderr,
               "holdfast: INVARIANT broken: %s\n  %s\n  at %s:%d, seed 0x%" PRIx64 ", step %" PRIu32
               "\n  This is a bug in holdfast. Please report the line above with the command that you ran.\n",
               reason, condition, file, line, run_position.seed, run_position.step);
  std::fflush(nullptr);
  std::_Exit(70);
}

}  // namespace holdfast
