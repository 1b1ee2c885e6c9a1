// SHA-1 (FIPS 180-4): the name that Redis gives to a script. Not for secrets.
#pragma once

#include <string>
#include <string_view>

namespace holdfast {

// 40 hexadecimal digits in lower case.
std::string sha1_hex(std::string_view text);

}  // namespace holdfast
