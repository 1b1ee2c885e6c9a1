// The finding of a run that starves a client. Such a run is a lasso of the graph of all states; no monitor
// finds it.
#pragma once

#include <fmt/format.h>

#include "sim/check/result.hpp"

namespace holdfast {

// `steps`: of the whole run, at the end of which its loop closes; the loop lasts `length`.
inline Finding starvation(const Loop& loop, std::uint32_t steps, Duration length) {
  return {Property::bounded_bypass, Step{loop.begin + 1}, Step{steps},
          fmt::format("{0} waits and keeps asking, the lock is granted to others {1}, and after {2} "
                      "everything is as it was after step {3}: so it can go on for ever, and {0} never holds "
                      "the lock.",
                      name_of(loop.waiter),
                      loop.grants == 1 ? std::string("once") : fmt::format("{} times", loop.grants),
                      to_text(length), loop.begin)};
}

// The same of all waiting clients.
inline Finding livelock(const Loop& loop, std::uint32_t steps, Duration length) {
  return {
      Property::livelock, Step{loop.begin + 1}, Step{steps},
      fmt::format("{0} waits and keeps asking, nobody is granted the lock, and after {1} everything is as "
                  "it was after step {2}: so it goes on for ever, for nothing that may happen leads to a "
                  "grant.",
                  name_of(loop.waiter), to_text(length), loop.begin)};
}

}  // namespace holdfast
