// Why a test that needs a real server was not run: GTEST_SKIP() << no_server.
#pragma once

namespace holdfast::live {

inline constexpr const char* no_server = "skipped: no redis-server";

}  // namespace holdfast::live
