// What Redis 7.0 can do and the simulated server cannot. A lock that uses it is told what a server without it
// would say, so nothing that it does afterwards says anything of it: no checker may.
#pragma once

#include <span>
#include <string_view>

#include "sim/core/change.hpp"
#include "sim/core/command.hpp"

namespace holdfast::redis {

// The commands and subcommands of redis-server 7.0.15 that are not in the table of commands: "OBJECT",
// "OBJECT ENCODING". Both lists together are exactly those of the server (conformance_test.cpp).
std::span<const std::string_view> all_not_simulated();

// The name of what `argv` asks for, if that is one of these; empty: Redis does not know it either. Lives for
// ever. REQUIRES: it is not in the table of commands.
std::string_view not_simulated(WordsView argv);

}  // namespace holdfast::redis
