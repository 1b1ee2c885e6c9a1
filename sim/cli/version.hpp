// The version, as every output that names it writes it.
#pragma once

namespace holdfast::cli {

inline constexpr const char* version = HOLDFAST_VERSION;
#ifdef __clang__
inline constexpr const char* compiler = "clang " __clang_version__;
#else
inline constexpr const char* compiler = "g++ " __VERSION__;
#endif

}  // namespace holdfast::cli
