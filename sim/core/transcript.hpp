// Whether upstream still says what a lock transcribes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/core/lock.hpp"

namespace holdfast {

// The first 16 hexadecimal digits of the SHA-1 of lines `first` to `last` of a text, counted from 1.
// Indentation, blank lines and the lengths of gaps do not count. Empty: the text has no such lines.
std::string digest_of_lines(std::string_view text, std::uint32_t first, std::uint32_t last);

// The same of all lines of a text.
std::string digest_of_text(std::string_view text);

// The first of the lines of `text` that are what the excerpt says; those that it names, if they are. Empty:
// none are.
std::optional<std::uint32_t> find_excerpt(std::string_view text, const Excerpt& excerpt);

}  // namespace holdfast
