#include "sim/world/dates.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "sim/core/time_text.hpp"

namespace holdfast {
namespace {

// Digits of a number of seconds since 1970.
constexpr std::size_t of_seconds = 10;

// How far a time is from the first one of its text.
constexpr char before_distance = '\2';

constexpr bool is_decimal(char sign) { return sign >= '0' && sign <= '9'; }
constexpr bool is_latin(char sign) { return (sign >= 'A' && sign <= 'Z') || (sign >= 'a' && sign <= 'z'); }

// A time at the beginning of a text.
struct Found {
  Instant time;
  std::string form;  // how it is written
  std::size_t size;
};

// Years before a run and after it: leases are shorter.
std::optional<Instant> instant_of(Duration since_1970) {
  constexpr Duration first = 1'500'000'000s;
  constexpr Duration last = 2'000'000'000s;
  if (since_1970 < first || since_1970 >= last) return std::nullopt;
  const bool is_steady = since_1970 < (steady_epoch.time_since_epoch() + wall_epoch.time_since_epoch()) / 2;
  return Instant(since_1970 - (is_steady ? steady_epoch.time_since_epoch() : wall_epoch.time_since_epoch()));
}

std::int64_t number_in(std::string_view digits) {
  std::int64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

std::size_t digits_at(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_decimal);
  return static_cast<std::size_t>(end - text.begin());
}

// Most texts have none, and are read once.
bool may_have_date(std::string_view text) {
  constexpr std::size_t of_year = 4;
  std::size_t digits = 0;
  for (const char sign : text) {
    if (is_decimal(sign) ? ++digits == of_seconds : sign == '-' && digits == of_year) return true;
    if (!is_decimal(sign)) digits = 0;
  }
  return false;
}

std::optional<Found> number_at(std::string_view text) {
  constexpr std::size_t of_fraction = 6;
  const std::size_t size = digits_at(text);
  if (size < of_seconds || size > of_seconds + of_fraction) return std::nullopt;
  const std::int64_t number = number_in(text.substr(0, size));
  const std::optional<Instant> whole = date_of(number);
  const bool has_fraction = whole && size == of_seconds && text.size() > size && text[size] == '.';
  const std::size_t places = has_fraction ? std::min(digits_at(text.substr(size + 1)), of_fraction) : 0;
  if (!whole || places == 0)
    return whole ? std::optional(Found{*whole, std::to_string(size), size}) : std::nullopt;
  std::int64_t fraction = number_in(text.substr(size + 1, places));
  for (std::size_t i = places; i < of_fraction; ++i) fraction *= 10;
  return Found{*whole + Duration(fraction), "." + std::to_string(places), size + 1 + places};
}

// ISO 8601, in UTC, with milliseconds.
std::optional<Found> calendar_at(std::string_view text) {
  constexpr std::string_view form = "0000-00-00T00:00:00.000Z";
  if (text.size() < form.size()) return std::nullopt;
  for (std::size_t i = 0; i < form.size(); ++i)
    if (is_decimal(form[i]) ? !is_decimal(text[i]) : text[i] != form[i]) return std::nullopt;
  const auto part = [&](std::size_t at, std::size_t size) { return number_in(text.substr(at, size)); };
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(part(0, 4))),
                                         std::chrono::month(static_cast<unsigned>(part(5, 2))),
                                         std::chrono::day(static_cast<unsigned>(part(8, 2))));
  if (!date.ok()) return std::nullopt;
  const Duration since_1970 = std::chrono::sys_days(date).time_since_epoch() +
                              std::chrono::hours(part(11, 2)) + std::chrono::minutes(part(14, 2)) +
                              std::chrono::seconds(part(17, 2)) + std::chrono::milliseconds(part(20, 3));
  const std::optional<Instant> time = instant_of(since_1970);
  return time ? std::optional(Found{*time, "Z", form.size()}) : std::nullopt;
}

}  // namespace

std::optional<Instant> date_of(std::int64_t number) {
  for (const std::int64_t unit : {1'000'000, 1'000, 1})
    if (number > 0 && number < std::int64_t{10'000'000'000'000'000} / unit)
      if (const std::optional<Instant> time = instant_of(Duration(number * unit))) return time;
  return std::nullopt;
}

std::optional<Dated> dates_in(std::string_view text) {
  if (!may_have_date(text)) return std::nullopt;
  std::optional<Dated> dated;
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_decimal(text[at])) {
      at += 1;
      continue;
    }
    const std::string_view rest = text.substr(at);
    const bool is_apart = at == 0 || !is_latin(text[at - 1]);
    std::optional<Found> found = is_apart ? calendar_at(rest) : std::nullopt;
    if (!found && is_apart) found = number_at(rest);
    if (found) {
      if (!dated) dated = {"", {found->time}};
      dated->text += text.substr(copied, at - copied);
      dated->text += '\1' + found->form + before_distance +
                     std::to_string((found->time - dated->times.front()).count()) + '\3';
      copied = at + found->size;
    }
    at += found ? found->size : digits_at(rest);
  }
  if (dated) dated->text += text.substr(copied);
  return dated;
}

char dates_of(Ticks unknown, std::vector<Instant>& times) {
  const std::int64_t number =
      unknown.bits() - Ticks::unknowns_of(unknown.bits()) * (std::int64_t{1} << Ticks::number_bits);
  const std::optional<Instant> shown = instant_of(Duration(number));
  const Ticks begin = Ticks::of_bits(time_oracle->begin_of(unknown.bits()));
  const Ticks end = Ticks::of_bits(time_oracle->end_of(unknown.bits()));
  // How much the number says of another time than the beginning of the run.
  const Ticks of_clock = shown ? number - shown->time_since_epoch().count() : Ticks();
  times.emplace_back(Duration(end - of_clock));
  if (begin.bits() != 0) times.emplace_back(Duration(begin));
  const char clock = !shown ? '-' : number < wall_epoch.time_since_epoch().count() ? 's' : 'w';
  return clock;
}

std::optional<Dated> marks_in(std::string_view text) {
  std::optional<Dated> dated;
  std::size_t copied = 0;
  for (std::optional<TimeMark> mark = find_mark(text); mark; mark = find_mark(text, copied)) {
    if (!dated) dated.emplace();
    dated->text += text.substr(copied, mark->at - copied);
    const Ticks time =
        mark->unit == 1 ? Ticks::of_bits(mark->bits) : to_ticks(MilliTicks::of_bits(mark->bits));
    dated->text += {'\1', mark->unit == 1 ? 'u' : 'm', dates_of(time, dated->times), '\3'};
    copied = mark->at + TimeMark::size;
  }
  if (dated) dated->text += text.substr(copied);
  return dated;
}

bool has_long_number(std::string_view text) {
  // Every such number has a digit at one of these places.
  for (std::size_t place = of_seconds - 1; place < text.size(); place += of_seconds) {
    if (!is_decimal(text[place])) continue;
    std::size_t at = place;
    while (at > 0 && is_decimal(text[at - 1])) --at;
    const std::size_t end = place + digits_at(text.substr(place));
    const bool is_apart = (at == 0 || (!is_latin(text[at - 1]) && text[at - 1] != before_distance)) &&
                          (end == text.size() || !is_latin(text[end]));
    if (end - at >= of_seconds && is_apart) return true;
  }
  return false;
}

}  // namespace holdfast
