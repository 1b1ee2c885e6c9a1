#include "sim/world/times.hpp"

#include <algorithm>
#include <cstdio>

#include "sim/core/invariant.hpp"
#include "sim/trace/digest.hpp"

namespace holdfast {
namespace {

constexpr int most = Times::most;
constexpr std::int64_t one_mark = std::int64_t{1} << Ticks::number_bits;
// No two of them differ by as much as any two others: so a difference says of which two it is.
constexpr std::array<int, most> marks{0,   1,   3,   7,   12,  20,  30,  44,  65,  80,  96,  122, 147,
                                      181, 203, 251, 289, 360, 400, 474, 564, 592, 661, 774, 821, 915};
constexpr int marks_end = 1 << (63 - Ticks::number_bits);

struct Pair {
  std::int8_t plus = -1;
  std::int8_t minus = -1;
};

constexpr auto pairs = [] {
  std::array<Pair, 2 * marks_end> found{};
  found[marks_end] = {0, 0};
  for (int i = 0; i < most; ++i)
    for (int j = 0; j < most; ++j)
      if (i != j) {
        Pair& place = found[static_cast<std::size_t>(marks_end + marks[i] - marks[j])];
        place = {static_cast<std::int8_t>(i), static_cast<std::int8_t>(j)};
      }
  return found;
}();

constexpr bool are_marks_sound() {
  std::size_t told = 0;
  for (const Pair& each : pairs) told += each.plus >= 0;
  return told == most * (most - 1) + 1;
}
static_assert(are_marks_sound(), "each difference is of one pair");

// What is too far away to count is far away.
constexpr std::int64_t in_microseconds(std::int64_t number, int unit) {
  constexpr std::int64_t most_microseconds = one_mark / 2;
  return std::clamp(number, -most_microseconds / unit, most_microseconds / unit) * unit;
}

// Of a number of microseconds, without moments.
constexpr Bound whole_milliseconds_of(std::int64_t microseconds) {
  const std::int64_t shifted = microseconds + 500;
  return static_cast<Bound>((shifted - (shifted % 1000 + 1000) % 1000) / 1000);
}

constexpr std::uint64_t mix_words(std::uint64_t one, std::uint64_t other) {
  return mix(Digest{one, other}, std::uint64_t{1}).low;
}

// Of the state that is noted: no word that stands for a number looks like it.
constexpr std::uint64_t told_of_time = std::uint64_t{0x7135} << 48;

}  // namespace

void Times::obstruct(std::string_view why) const {
  if (obstacle_.empty()) obstacle_ = why;
}

std::int64_t Times::end_of(std::int64_t length) {
  const Affine its = affine(length);
  return bits_of({its.plus, 0, its.number});
}

std::int64_t Times::begin_of(std::int64_t length) { return bits_of({affine(length).minus, 0, 0}); }

Times::Times(Choices& choices) : choices_(choices) { used_.set(0); }

Instant Times::unknown() {
  // In turn: who still has the name of one that was given back is found by it.
  int free = last_ % (most - 1) + 1;
  while (used_[static_cast<std::size_t>(free)] && free != last_) free = free % (most - 1) + 1;
  if (used_[static_cast<std::size_t>(free)]) {
    obstruct("more instants count at once than can be told apart");
    return Instant();
  }
  last_ = free;
  used_.set(static_cast<std::size_t>(free));
  bounds_.forget(free);
  return Instant(Duration(Ticks::of_bits(marks[free] * one_mark)));
}

// --- values ---

Times::Affine Times::affine(std::int64_t bits) const {
  const std::int64_t unknowns = Ticks::unknowns_of(bits);
  const Pair pair = pairs[static_cast<std::size_t>(marks_end + unknowns)];
  INVARIANT(pair.plus >= 0, "a time says which unknowns it counts from");
  return {pair.plus, pair.minus, bits - unknowns * one_mark};
}

// Where it counts when it was.
Times::Affine Times::looked_at(std::int64_t bits) const {
  const Affine value = affine(bits);
  if (used_[static_cast<std::size_t>(value.plus)] && used_[static_cast<std::size_t>(value.minus)])
    return value;
  obstruct("a time is looked at again that states do not tell");
  return {0, 0, value.number};
}

std::int64_t Times::bits_of(const Affine& value) {
  return (marks[value.plus] - marks[value.minus]) * one_mark + value.number;
}

Times::Affine Times::microseconds(Instant instant) const {
  const Affine value = looked_at(instant.time_since_epoch().count().bits());
  INVARIANT(value.minus == 0, "an instant is no length");
  return value;
}

std::int64_t Times::combine(Affine one, const Affine& other, bool adds) {
  const int plus = adds ? other.plus : other.minus;
  const int minus = adds ? other.minus : other.plus;
  one.number += adds ? other.number : -other.number;
  // What is added and taken away is neither.
  int up[2] = {one.plus, plus};
  int down[2] = {one.minus, minus};
  for (int& each : up)
    for (int& taken : down)
      if (each == taken) each = taken = 0;
  const auto are_two = [](const int(&both)[2]) { return both[0] != 0 && both[1] != 0; };
  if (are_two(up) || are_two(down)) {
    obstruct("lengths of time are added that have nothing in common");
    return one.number;
  }
  one.plus = up[0] != 0 ? up[0] : up[1];
  one.minus = down[0] != 0 ? down[0] : down[1];
  return bits_of(one);
}

std::int64_t Times::sum(std::int64_t one, std::int64_t other) {
  if (Ticks::is_endless(one)) return one;
  if (Ticks::is_endless(other)) return other;
  return combine(affine(one), affine(other), true);
}

std::int64_t Times::difference(std::int64_t one, std::int64_t other) {
  if (Ticks::is_endless(one)) return one;
  if (Ticks::is_endless(other)) return -other;
  return combine(affine(one), affine(other), false);
}

// --- comparisons ---

Times::Length Times::length(std::int64_t microseconds) const {
  const std::int64_t shifted = microseconds + 500;
  const std::int64_t whole = (shifted - (shifted % 1000 + 1000) % 1000) / 1000;
  const Length found{whole, microseconds - whole * 1000};
  constexpr std::int64_t moments_most = 9;
  if (found.moments > moments_most || found.moments < -moments_most)
    obstruct("a length is no whole millisecond");
  return found;
}

bool Times::is_less(std::int64_t one, std::int64_t other, int unit) {
  if (Ticks::is_endless(one) || Ticks::is_endless(other)) return one < other;
  const Affine apart = looked_at(difference(one, other));
  if (apart.plus == apart.minus) return apart.number < 0;
  const bool is_less = decide(apart, unit);
  if (witness_ != nullptr && !is_noting_) witness_->note_comparison(is_less);
  return is_less;
}

bool Times::decide(const Affine& apart, int unit) {
  const auto [by, moments] = length(in_microseconds(apart.number, unit));
  const Bound below = Differences::bound(-by, moments < 0);
  const Bound above = Differences::bound(by, moments >= 0);
  if (bounds_.between(apart.plus, apart.minus) <= below) return true;
  if (bounds_.between(apart.minus, apart.plus) <= above) return false;
  if (is_noting_) obstruct("a state asks which of two instants is earlier");
  if (is_noting_ || !obstacle_.empty()) return false;
  const bool is_less = choices_.pick(Site::order, Actor{}, 2) == 0;
  if (is_less) bounds_.limit({apart.plus, apart.minus, below});
  else bounds_.limit({apart.minus, apart.plus, above});
  return is_less;
}

bool Times::is_surely_less(std::int64_t one, std::int64_t other, int unit) {
  if (Ticks::is_endless(one) || Ticks::is_endless(other)) return one < other;
  if (is_noting_) {
    keep(one);
    keep(other);
  }
  const Affine apart = looked_at(difference(one, other));
  if (apart.plus == apart.minus) return apart.number < 0;
  const auto [by, moments] = length(in_microseconds(apart.number, unit));
  return bounds_.between(apart.plus, apart.minus) <= Differences::bound(-by, moments < 0);
}

bool Times::is_equal(std::int64_t one, std::int64_t other, int unit) {
  if (one == other) return true;
  if (Ticks::is_endless(one) || Ticks::is_endless(other)) return false;
  return !is_less(one, other, unit) && !is_less(other, one, unit);
}

std::optional<Limit> Times::limit_of(Instant one, Instant other, bool strictly) const {
  if (Ticks::is_endless(other.time_since_epoch().count().bits())) return std::nullopt;
  const Affine first = microseconds(one);
  const Affine second = microseconds(other);
  const std::int64_t later = second.number - first.number;
  if (first.plus == second.plus) {
    const bool precedes = strictly ? later > 0 : later >= 0;
    return Limit{first.plus, first.plus, Differences::bound(0, precedes)};
  }
  const auto [by, moments] = length(later);
  return Limit{first.plus, second.plus, Differences::bound(by, strictly ? moments > 0 : moments >= 0)};
}

bool Times::limit(const Limit& limit) { return bounds_.limit(limit); }

bool Times::order(Instant one, Instant other, bool strictly) {
  const std::optional<Limit> limit = limit_of(one, other, strictly);
  return !limit || bounds_.limit(*limit);
}

bool Times::may_lie(Instant at, std::span<const Limit> limits) const {
  return bounds_.allow(limits, microseconds(at).plus);
}

bool Times::may_precede(Instant one, Instant other, bool strictly) const {
  const std::optional<Limit> limit = limit_of(one, other, strictly);
  return !limit || bounds_.allows(*limit);
}

bool Times::must_precede(Instant one, Instant other, bool strictly) const {
  return !may_precede(other, one, !strictly);
}

// --- what states remember ---

void Times::begin_state(Instant now) {
  is_noting_ = true;
  now_ = microseconds(now);
  points_count_ = 0;
  kept_.reset();
  kept_.set(0);
  keep(now.time_since_epoch().count().bits());
  begin_part(0);
}

void Times::keep(std::int64_t value) {
  if (Ticks::is_endless(value)) return;
  const Affine its = affine(value);
  kept_.set(static_cast<std::size_t>(its.plus));
  kept_.set(static_cast<std::size_t>(its.minus));
}

std::size_t Times::note(const Point& point) {
  if (point == Point{now_.plus, now_.number}) return 0;
  std::size_t place = 1;
  for (std::size_t i = 0; i < points_count_; ++i) {
    if (parts_[i] != part_) continue;
    if (points_[i] == point) return place;
    ++place;
  }
  if (points_count_ == points_max || std::abs(point.microseconds) > Differences::far * 500) {
    obstruct("a state remembers more instants, or farther ones, than can be told");
    return 0;
  }
  points_[points_count_] = point;
  parts_[points_count_++] = static_cast<std::uint8_t>(part_);
  return place;
}

std::int64_t Times::number(std::int64_t value, int unit) {
  if (!is_noting_) {
    obstruct("a time is used as a number");
    return affine(value).number;
  }
  const Affine its = looked_at(value);
  const std::int64_t number = its.number * unit;
  Point later{its.plus, number};
  Point earlier{its.minus, 0};
  if (its.minus == now_.plus) {
    earlier.microseconds = now_.number;
    later.microseconds += now_.number;
  } else if (its.plus == now_.plus) {
    later.microseconds = now_.number;
    earlier.microseconds = now_.number - number;
  }
  // Differences are whole milliseconds, so moments are told here.
  const auto moments = [this](const Point& point) {
    return static_cast<std::uint64_t>(length(point.microseconds).moments + 16);
  };
  const std::uint64_t told = moments(later) << 8 | moments(earlier);
  const std::size_t first = note(later);
  return static_cast<std::int64_t>(told_of_time | told << 32 | first << 16 | note(earlier));
}

void Times::end_state() {
  is_noting_ = false;
  for (std::size_t i = 0; i < points_count_; ++i) kept_.set(static_cast<std::size_t>(points_[i].unknown));
  for (int i = 0; i < most; ++i)
    if (const auto place = static_cast<std::size_t>(i); used_[place] && !kept_[place]) bounds_.forget(i);
  used_ &= kept_;
}

std::vector<Times::Point> Times::noted(std::span<const std::size_t> order) const {
  std::vector<Point> all{{now_.plus, now_.number}};
  all.reserve(points_count_ + 1);
  for (const std::size_t part : order)
    for (std::size_t i = 0; i < points_count_; ++i)
      if (parts_[i] == part) all.push_back(points_[i]);
  return all;
}

std::uint64_t Times::structure(std::span<const std::size_t> order) const {
  const std::vector<Point> all = noted(order);
  std::uint64_t structure = all.size();
  for (std::size_t i = 1; i < all.size(); ++i) {
    const auto same = std::find_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i),
                                   [&](const Point& each) { return each.unknown == all[i].unknown; });
    const auto place = static_cast<std::size_t>(same - all.begin());
    if (place == i) continue;
    structure = mix_words(structure, i << 8 | place);
    structure = mix_words(structure, static_cast<std::uint64_t>(all[i].microseconds - same->microseconds));
  }
  return structure;
}

Zone Times::zone(std::span<const std::size_t> order) const {
  const std::vector<Point> all = noted(order);
  Zone zone;
  zone.reserve(all.size() * all.size());
  for (const Point& one : all)
    for (const Point& other : all) {
      const Bound apart = bounds_.between(one.unknown, other.unknown);
      zone.push_back(apart >= Differences::unbounded
                         ? Differences::unbounded
                         : apart + 2 * (whole_milliseconds_of(one.microseconds) -
                                        whole_milliseconds_of(other.microseconds)));
    }
  return zone;
}

void Times::widen(const Zone& zone, std::span<const std::size_t> order) {
  const std::vector<Point> all = noted(order);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all.size(); ++j) {
      const Bound apart = zone[i * all.size() + j];
      if (all[i].unknown == all[j].unknown) continue;
      bounds_.set(all[i].unknown, all[j].unknown,
                  apart >= Differences::unbounded ? Differences::unbounded
                                                  : apart - 2 * (whole_milliseconds_of(all[i].microseconds) -
                                                                 whole_milliseconds_of(all[j].microseconds)));
    }
  // What nobody noted is past, and nothing else is known of it.
  std::bitset<most> told;
  for (const Point& each : all) told.set(static_cast<std::size_t>(each.unknown));
  for (int i = 0; i < most; ++i) {
    if (told[static_cast<std::size_t>(i)] || !used_[static_cast<std::size_t>(i)]) continue;
    const Bound past = bounds_.between(i, now_.plus);
    bounds_.forget(i);
    bounds_.limit({i, now_.plus, past});
  }
}

}  // namespace holdfast
