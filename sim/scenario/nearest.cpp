#include "sim/scenario/nearest.hpp"

#include <algorithm>
#include <array>

namespace holdfast {
namespace {

// Longer words are no typing errors, and the table below stays small.
constexpr std::size_t length_max = 64;

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// Damerau-Levenshtein distance, restricted: no letter is edited twice. REQUIRES: neither is longer than
// length_max.
std::size_t edits(std::string_view left, std::string_view right) {
  std::array<std::array<std::size_t, length_max + 1>, length_max + 1> cost;
  for (std::size_t i = 0; i <= left.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= right.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const bool same = lower(left[i - 1]) == lower(right[j - 1]);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(left[i - 1]) == lower(right[j - 2]) &&
                           lower(left[i - 2]) == lower(right[j - 1]);
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[left.size()][right.size()];
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.size() > length_max) return std::nullopt;
  std::size_t edits_best = word.size() < 5 ? 2 : 3;  // one more than is allowed
  std::optional<std::string_view> best;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > length_max) continue;
    const std::size_t distance = edits(word, candidate);
    if (distance >= edits_best) continue;
    edits_best = distance;
    best = candidate;
  }
  return best;
}

}  // namespace holdfast
