#include "sim/stores/redis/glob.hpp"

#include <cstddef>
#include <utility>

namespace holdfast::redis {
namespace {

// Whether `letter` is in the class at the front of `pattern` (behind the "["). Removes the class, except its
// last byte: the caller steps over it. A class that is never closed ends with the pattern, as in Redis.
bool take_class(std::string_view& pattern, char letter) {
  const bool is_negated = pattern.starts_with('^');
  if (is_negated) pattern.remove_prefix(1);
  bool is_in = false;
  while (true) {
    if (pattern.size() >= 2 && pattern[0] == '\\') {
      pattern.remove_prefix(1);
      is_in |= pattern[0] == letter;
    } else if (pattern.starts_with(']')) {
      break;
    } else if (pattern.empty()) {
      break;
    } else if (pattern.size() >= 3 && pattern[1] == '-') {
      auto [low, high] = std::pair(pattern[0], pattern[2]);
      if (low > high) std::swap(low, high);
      pattern.remove_prefix(2);
      is_in |= letter >= low && letter <= high;
    } else {
      is_in |= pattern[0] == letter;
    }
    pattern.remove_prefix(1);
  }
  return is_in != is_negated;
}

// One pattern element that is not a star, against one letter. Leaves `pattern` behind the element.
bool take_element(std::string_view& pattern, char letter) {
  bool matches = true;
  if (pattern[0] == '[') {
    pattern.remove_prefix(1);
    matches = take_class(pattern, letter);
  } else if (pattern[0] != '?') {
    if (pattern[0] == '\\' && pattern.size() >= 2) pattern.remove_prefix(1);
    matches = pattern[0] == letter;
  }
  if (!pattern.empty()) pattern.remove_prefix(1);
  return matches;
}

}  // namespace

// Goes back to the last star only: longer matches of earlier stars cannot help. So no pattern takes more than
// |pattern| * |text| steps.
bool glob_matches(std::string_view pattern, std::string_view text) {
  // Redis looks at no pattern, not even "*", when there is no text.
  if (text.empty()) return pattern.empty();
  std::string_view star_pattern;
  std::string_view star_text;
  bool has_star = false;
  while (!text.empty()) {
    if (pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      if (pattern.empty()) return true;
      has_star = true;
      star_pattern = pattern;
      star_text = text;
      continue;
    }
    if (!pattern.empty() && take_element(pattern, text[0])) {
      text.remove_prefix(1);
      continue;
    }
    if (!has_star) return false;
    star_text.remove_prefix(1);
    pattern = star_pattern;
    text = star_text;
  }
  while (pattern.starts_with('*')) pattern.remove_prefix(1);
  return pattern.empty();
}

}  // namespace holdfast::redis
