#include "sim/stores/redis/numbers.hpp"

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace holdfast::redis {
namespace {

// As C's isspace.
bool is_blank(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); }

// Reads all of `text` with strtod or strtold (Redis' string2d and string2ld).
template <class Number>
std::optional<Number> read(std::string_view given, Number (*convert)(const char*, char**)) {
  if (given.empty() || is_blank(given.front()) || has_mark(given)) return no_number(given);
  const std::string text(given);  // with a NUL behind it
  char* end = nullptr;
  errno = 0;
  const Number number = convert(text.c_str(), &end);
  if (end != text.c_str() + text.size() || std::isnan(number)) return std::nullopt;
  if (errno == ERANGE && (std::isinf(number) || std::fpclassify(number) == FP_ZERO)) return std::nullopt;
  return number;
}

}  // namespace

std::optional<double> to_score(std::string_view text) { return read<double>(text, std::strtod); }

std::string score_text(double score) {
  if (std::isinf(score)) return score < 0 ? "-inf" : "inf";
  // Numbers that "%.17g" writes without a point or an exponent, nearly all that locks have.
  constexpr double whole_most = 1e15;
  std::array<char, 64> text;
  char* const end = text.data() + text.size();
  const bool is_whole = std::abs(score) < whole_most && std::trunc(score) == score && !std::signbit(score);
  const auto written = is_whole ? std::to_chars(text.data(), end, static_cast<std::int64_t>(score))
                                : std::to_chars(text.data(), end, score, std::chars_format::general, 17);
  return std::string(text.data(), written.ptr);
}

std::optional<double> to_bound(std::string_view given) {
  if (has_mark(given)) return no_number(given);
  const std::string text(given);  // with a NUL behind it
  char* end = nullptr;
  const double bound = std::strtod(text.c_str(), &end);
  if (*end != '\0' || std::isnan(bound)) return std::nullopt;
  return bound;
}

std::optional<std::int64_t> seconds_to_milliseconds(std::string_view text) {
  // Redis copies the text into so many bytes first.
  constexpr std::size_t longest = 5 * 1024;
  constexpr long double limit = 9223372036854775808.0L;  // 2^63
  if (text.size() >= longest) return std::nullopt;
  const std::optional<long double> seconds = read<long double>(text, std::strtold);
  if (!seconds) return std::nullopt;
  const long double milliseconds = std::ceil(*seconds * 1000);
  return milliseconds > -limit && milliseconds < limit ? static_cast<std::int64_t>(milliseconds) : -1;
}

}  // namespace holdfast::redis
