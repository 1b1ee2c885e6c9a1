// The version, as every output that names it writes it.
#pragma once

namespace holdfast::cli {

inline constexpr const char* version = HOLDFAST_VERSION;

}  // namespace holdfast::cli
