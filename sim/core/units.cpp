#include "sim/core/units.hpp"

#include <array>
#include <charconv>
#include <limits>

namespace holdfast {
namespace {

struct Unit {
  std::string_view suffix;
  std::int64_t microseconds;
};
constexpr std::array units{Unit{"us", 1}, Unit{"ms", 1'000}, Unit{"s", 1'000'000}, Unit{"m", 60'000'000},
                           Unit{"h", 3'600'000'000}};

// A sum of a few still fits.
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max() / 4;

}  // namespace

std::string duration_complaint(std::string_view text) {
  const std::size_t digits = text.find_first_not_of("0123456789");
  const std::string_view suffix = digits == std::string_view::npos ? "" : text.substr(digits);
  for (const Unit& unit : units)
    if (digits != 0 && unit.suffix == suffix) return "is longer than 640000000h";
  return "is not a duration with a unit (us, ms, s, m or h), such as 30s";
}

std::optional<Duration> parse_duration(std::string_view text) {
  const std::size_t digits = text.find_first_not_of("0123456789.");
  if (digits == 0 || digits == std::string_view::npos) return std::nullopt;
  const std::string_view number = text.substr(0, digits);
  const std::string_view suffix = text.substr(digits);
  for (const Unit& unit : units) {
    if (unit.suffix != suffix) continue;
    const std::size_t point = number.find('.');
    const std::string_view whole = number.substr(0, point);
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(whole.data(), whole.data() + whole.size(), count);
    if (error != std::errc() || end != whole.data() + whole.size()) return std::nullopt;
    if (count > largest / unit.microseconds) return std::nullopt;
    std::int64_t total = count * unit.microseconds;
    if (point != std::string_view::npos) {
      const std::string_view fraction = number.substr(point + 1);
      if (fraction.empty() || fraction.find('.') != std::string_view::npos) return std::nullopt;
      std::int64_t place = unit.microseconds;
      for (const char digit : fraction) {
        if (digit != '0' && (place == 0 || place % 10 != 0)) return std::nullopt;
        place /= 10;
        total += (digit - '0') * place;
      }
    }
    return Duration(total);
  }
  return std::nullopt;
}

std::string to_text(Duration duration) {
  const std::int64_t total = duration.count();
  const std::int64_t size = total < 0 ? -total : total;
  const Unit unit = size >= 1'000'000 ? units[2] : size >= 1'000 ? units[1] : size == 0 ? units[1] : units[0];
  std::string text = (total < 0 ? "-" : "") + std::to_string(size / unit.microseconds);
  if (std::int64_t rest = size % unit.microseconds; rest != 0) {
    text += '.';
    for (std::int64_t place = unit.microseconds / 10; rest != 0; place /= 10) {
      text += static_cast<char>('0' + rest / place);
      rest %= place;
    }
  }
  return text.append(unit.suffix);
}

std::string name_of(ClientId client) {
  if (client.value < 26) return std::string(1, static_cast<char>('A' + client.value));
  return "C" + std::to_string(client.value);
}

}  // namespace holdfast
