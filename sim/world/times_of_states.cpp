// What states tell of times: which instants they remember, and how far those are apart.
#include <algorithm>

#include "sim/core/invariant.hpp"
#include "sim/trace/digest.hpp"
#include "sim/world/times.hpp"

namespace holdfast {
namespace {

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
