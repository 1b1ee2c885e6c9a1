#include "sim/world/times.hpp"

#include <algorithm>
#include <cstdio>

#include "sim/core/invariant.hpp"

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
  if (is_known(value)) return value;
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
  if ((are_two(up) || are_two(down)) && (is_noting_ || !obstacle_.empty())) {
    obstruct("a state adds lengths of time that have nothing in common");
    return one.number;
  }
  if (are_two(up)) {
    int& taken = down[0] != 0 ? down[0] : down[1];
    up[0] = name_of(up, taken);
    up[1] = taken = 0;
  }
  if (are_two(down)) {
    int& added = up[0] != 0 ? up[0] : up[1];
    down[0] = name_of(down, added);
    down[1] = added = 0;
  }
  one.plus = up[0] != 0 ? up[0] : up[1];
  one.minus = down[0] != 0 ? down[0] : down[1];
  return bits_of(one);
}

// It is as far from each of the two as the other one is from the third.
int Times::name_of(const int (&two)[2], int third) {
  const std::bitset<most> known = used_;
  const std::int64_t bits = unknown().time_since_epoch().count().bits();
  if (!obstacle_.empty()) return 0;
  const int made = affine(bits).plus;
  for (const int each : {two[0], two[1], third})
    if (!known[static_cast<std::size_t>(each)]) obstruct("a time is looked at again that states do not tell");
  for (const int i : {0, 1}) {
    bounds_.limit({made, two[i], bounds_.between(two[1 - i], third)});
    bounds_.limit({two[i], made, bounds_.between(third, two[1 - i])});
  }
  is_approximate_ = true;
  return made;
}

// Those of which an unknown was given back can be looked at no more.
std::int64_t Times::spelling(std::int64_t value, int unit) {
  if (is_noting_ || !obstacle_.empty()) return value;
  const auto is_gone = [&](const Spelling& each) { return !is_known(affine(each.bits)); };
  const auto end = spellings_.begin() + static_cast<std::ptrdiff_t>(spellings_count_);
  spellings_count_ =
      static_cast<std::size_t>(std::remove_if(spellings_.begin(), end, is_gone) - spellings_.begin());
  looked_at(value);
  for (std::size_t i = 0; i < spellings_count_; ++i) {
    const auto [bits, its_unit] = spellings_[i];
    const bool may_be_equal = unit == its_unit && std::abs(affine(bits).number - affine(value).number) <
                                                      Differences::far * 1000 / unit;
    if (may_be_equal && is_equal(bits, value, unit)) return bits;
  }
  if (spellings_count_ == spellings_max) obstruct("more times stand in texts than can be told apart");
  else spellings_[spellings_count_++] = {value, unit};
  return value;
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

}  // namespace holdfast
