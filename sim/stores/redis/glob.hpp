// Glob-style patterns as KEYS takes them: * ? [abc] [^abc] [a-z] and backslash.
#pragma once

#include <string_view>

namespace holdfast::redis {

bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace holdfast::redis
