// What texts that a program makes by chance have in common: "worker:", and then a mark.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/guest/names.hpp"

namespace holdfast::guest {

// A text, with marks from `first` on in place of the words in which the texts differ. If they differ in more
// than words, one mark stands for all from the first difference to the last. The texts may have marks.
std::string common_pattern(const std::vector<std::string>& texts, std::size_t first);

// The numbers of its marks, in order, each as often as it stands there.
std::vector<std::size_t> marks_in(std::string_view text);

// What `parts` has for them.
std::vector<std::string> parts_of(std::string_view text, const std::vector<std::string>& parts);
// Without the numbers of its marks; nothing, where a mark is all.
std::string around_marks(std::string_view text);

// Adds to `known` what the new marks of `pattern` stand for in `text`. False: it is no text of this pattern.
bool add_parts(std::string_view pattern, std::string_view text, Names& known);

}  // namespace holdfast::guest
