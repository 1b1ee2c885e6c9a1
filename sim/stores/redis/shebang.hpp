// The first line that a script may have: "#!lua flags=no-writes,allow-oom".
#pragma once

#include <string_view>

#include "sim/core/reply.hpp"
#include "sim/stores/redis/scripts.hpp"

namespace holdfast::redis {

// An error reply, or nil with `script` told what the line says. Nil too when there is no such line.
Reply read_shebang(std::string_view body, Script& script);
// The rest, from the end of that line on, so that lines keep their numbers.
std::string_view without_shebang(std::string_view body);

}  // namespace holdfast::redis
