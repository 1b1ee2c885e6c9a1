// The language of stories and pages.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace holdfast::reports {

enum class Language : std::uint8_t { en, zh };
inline constexpr std::array<std::string_view, 2> language_ids{"en", "zh"};

}  // namespace holdfast::reports
