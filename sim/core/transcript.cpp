#include "sim/core/transcript.hpp"

#include <algorithm>
#include <vector>

#include "sim/core/sha1.hpp"

namespace holdfast {
namespace {

constexpr std::size_t digits = 16;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// Each gap as one blank, none at the ends.
void add_words(std::string& normal, std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  for (std::size_t begin = line.find_first_not_of(blanks); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
    normal.append(line.substr(begin, end - begin)) += ' ';
    begin = line.find_first_not_of(blanks, end);
  }
}

// REQUIRES: there are as many lines.
std::string digest_of(const std::vector<std::string_view>& lines, std::size_t from, std::size_t count) {
  std::string normal;
  for (std::size_t i = from; i < from + count; ++i) add_words(normal, lines[i]);
  return sha1_hex(normal).substr(0, digits);
}

}  // namespace

std::string digest_of_lines(std::string_view text, std::uint32_t first, std::uint32_t last) {
  const std::vector<std::string_view> lines = lines_of(text);
  if (first == 0 || first > last || last > lines.size()) return {};
  return digest_of(lines, first - 1, last - first + 1);
}

std::string digest_of_text(std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(text);
  return digest_of(lines, 0, lines.size());
}

std::optional<std::uint32_t> find_excerpt(std::string_view text, const Excerpt& excerpt) {
  if (digest_of_lines(text, excerpt.first, excerpt.last) == excerpt.digest) return excerpt.first;
  const std::vector<std::string_view> lines = lines_of(text);
  const std::size_t count = excerpt.last - excerpt.first + 1;
  for (std::size_t from = 0; from + count <= lines.size(); ++from)
    if (digest_of(lines, from, count) == excerpt.digest) return static_cast<std::uint32_t>(from + 1);
  return std::nullopt;
}

}  // namespace holdfast
