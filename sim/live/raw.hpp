// Plain hiredis, without locks and coroutines: what live locks are compared with.
#pragma once

#include <cstdint>

#include "sim/core/units.hpp"
#include "sim/live/address.hpp"

namespace holdfast::live {

// How long `count` times SET takes on one connection of hiredis' asynchronous interface, with `depth` of them
// under way at a time. Throws std::runtime_error when the connection breaks.
Duration time_of_sets(const Address& address, std::uint64_t count, std::uint32_t depth);
// The same, one after the other, with hiredis' blocking interface.
Duration time_of_blocking_sets(const Address& address, std::uint64_t count);

}  // namespace holdfast::live
