// "Did you mean …?": the candidate that a mistyped word most likely stands for.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace holdfast {

// The candidate with the fewest edits: insert, delete, replace, swap two neighbours; letter case does not
// count. At most two edits, one for words under five letters; otherwise nullopt. Of equals, the first.
std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace holdfast
