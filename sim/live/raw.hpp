// Plain hiredis, without locks and coroutines: what live locks are compared with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/units.hpp"
#include "sim/live/address.hpp"

namespace holdfast::live {

using Commands = std::vector<std::vector<std::string>>;

// SET, as long as what locks send.
Commands plain_set();
// How long it takes to send these commands `count` times on one connection of hiredis' asynchronous
// interface, with `depth` of them under way at a time. Throws std::runtime_error when the connection breaks.
Duration time_of(const Commands& commands, const Address& address, std::uint64_t count, std::uint32_t depth);
// The same, one after the other, with hiredis' blocking interface.
Duration time_of_blocking(const Commands& commands, const Address& address, std::uint64_t count);

}  // namespace holdfast::live
