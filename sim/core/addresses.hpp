// Addresses, reserved before it is known how many of them will be used: memory is taken as they are touched.
#pragma once

#include <cstddef>

namespace holdfast {

// 4 GiB; less where a limit (ulimit -v, as batch systems set one) leaves a process fewer. Each thread that
// explores reserves two blocks.
std::size_t addresses_for_one_block();

// Throws std::system_error (ENOMEM), with what to do about it.
std::byte* reserve_addresses(std::size_t bytes);

}  // namespace holdfast
