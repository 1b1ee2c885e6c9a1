// Makes LuaJIT blame the line that Lua 5.1, the Lua of Redis, blames.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::redis {

// LuaJIT runs `return redis.call(…)` as a tail call: the script's own frame is gone when the callee fails,
// and with it the line for the error text. Lua 5.1 keeps the frame when the callee is written in C. So
// parentheses are put around what the main chunk returns (of which Redis uses the first value only), and
// around redis.NAME(…) where an inner function returns it (those return one value). The line numbers stay,
// and what does not compile does not compile afterwards.
std::string without_tail_calls(std::string_view source);

}  // namespace holdfast::redis
