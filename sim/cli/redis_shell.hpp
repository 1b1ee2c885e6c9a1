// A shell onto the simulated Redis, after redis-cli 7.0.15.
#pragma once

#include <iosfwd>

namespace holdfast::cli {

// Reads one command per line until the input ends, the output takes no more, or "quit" or "exit".
// Interactive: prints a prompt, and replies as redis-cli does on a terminal; otherwise raw, as redis-cli does
// elsewhere. The clock stands still until "ADVANCE 100ms" moves it. Returns the exit code, which is that of
// redis-cli: 0 also after error replies.
int redis_shell(std::istream& in, std::ostream& out, bool interactive);

}  // namespace holdfast::cli
