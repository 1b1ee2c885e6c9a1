// How users of a library write down the lease that was found.
#pragma once

#include <string>

#include "sim/core/lock.hpp"

namespace holdfast::cli {

// In the library's language; of a lock of no library, what it sends.
std::string library_lines(const Card& card, Duration ttl);

}  // namespace holdfast::cli
