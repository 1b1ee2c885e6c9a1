// Dense time: when things happen is unknown but for bounds, and a run decides only what is compared.
//
// Unknowns are instants. Bounds say by how much one is later than another, at most, or by less than how
// much; together they are a difference-bound matrix, which is kept canonical (Dill 1989). Lengths are whole
// milliseconds; a microsecond more or less stands for a moment as short as one likes: a key is dead a
// moment after the last instant of its life. What a state remembers of time is a list of instants, in the
// order in which its digest comes to them; by how much one of those may be later than another is its zone.
// A state whose zone lies within that of another with the same digest can do nothing that the other cannot.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/choose/choices.hpp"
#include "sim/core/units.hpp"

namespace holdfast {

// By how much an instant is later than another: twice the milliseconds, and one more where exactly so much
// is possible.
using Bound = std::int32_t;
// Of each instant of a state and each other, row by row.
using Zone = std::vector<Bound>;

class Times final : public TimeOracle {
 public:
  // So many unknowns at once; the first is the beginning of the run.
  static constexpr int most = 26;
  static constexpr Bound unbounded = 1 << 30;

  explicit Times(Choices& choices);

  // A set of bounds that may be tried and thrown away.
  class Bounds {
   public:
    Bounds();
    // One is later than the other by at most so much. False: then nothing satisfies them any more.
    bool limit(int one, int other, Bound by);
    Bound between(int one, int other) const { return at_[one][other]; }
    // REQUIRES: all bounds together stay canonical.
    void set(int one, int other, Bound by) { at_[one][other] = by; }
    // An unknown of which nothing is known.
    void forget(int one);

   private:
    std::array<std::array<Bound, most>, most> at_;
  };
  Bounds& bounds() { return bounds_; }
  // An instant of which nothing is known yet.
  Instant unknown();

  // In `bounds`: the one instant comes no later than the other, or, strictly, earlier. False: it cannot.
  bool order(Bounds& bounds, Instant one, Instant other, bool strictly = false) const;
  bool may_precede(Instant one, Instant other, bool strictly = false) const;
  bool must_precede(Instant one, Instant other, bool strictly = false) const;

  // --- what states remember ---

  // From now on, code that takes an unknown for a number is told which one of the state's times it is.
  void begin_state(Instant now);
  // What comes next belongs to this client, or to none.
  void begin_part(std::size_t part) { part_ = part; }
  // Unknowns that nobody noted are given back.
  void end_state();
  // Of all that was noted, parts in this order: which instants count from one unknown, and how far apart
  // they are.
  std::uint64_t structure(std::span<const std::size_t> order) const;
  // The zone of all that was noted.
  Zone zone(std::span<const std::size_t> order) const;
  // Bounds as wide as this zone, which is of a state of the same digest, and contains that of this one.
  void widen(const Zone& zone, std::span<const std::size_t> order);

  // Why this run cannot be explored in dense time; empty: it can.
  std::string_view obstacle() const { return obstacle_; }
  // REQUIRES: the text is a literal.
  void obstruct(std::string_view why) const;

  bool is_less(std::int64_t one, std::int64_t other, int unit) override;
  bool is_equal(std::int64_t one, std::int64_t other, int unit) override;
  bool is_surely_less(std::int64_t one, std::int64_t other, int unit) override;
  std::int64_t end_of(std::int64_t length) override;
  std::int64_t begin_of(std::int64_t length) override;
  void keep(std::int64_t value) override;
  std::int64_t sum(std::int64_t one, std::int64_t other) override;
  std::int64_t difference(std::int64_t one, std::int64_t other) override;
  std::int64_t number(std::int64_t value, int unit) override;

 private:
  // One unknown minus another, and a number of some unit.
  struct Affine {
    int plus = 0;
    int minus = 0;
    std::int64_t number = 0;
  };
  struct Point {
    int unknown;
    std::int64_t microseconds;  // later than it
    bool operator==(const Point&) const = default;
  };
  Affine affine(std::int64_t bits) const;
  // Where it counts when it was.
  Affine looked_at(std::int64_t bits) const;
  static std::int64_t bits_of(const Affine& value);
  Affine microseconds(Instant instant) const;
  // Whole milliseconds, and moments.
  struct Length {
    std::int64_t milliseconds;
    std::int64_t moments;
  };
  Length length(std::int64_t microseconds) const;
  std::int64_t combine(Affine one, const Affine& other, bool adds);
  std::size_t note(const Point& point);
  std::vector<Point> noted(std::span<const std::size_t> order) const;

  Choices& choices_;
  Bounds bounds_;
  std::bitset<most> used_;
  int last_ = 1;  // that was named
  std::bitset<most> kept_;  // by the state that is noted
  bool is_noting_ = false;
  Affine now_;
  std::size_t part_ = 0;
  // States are looked at outside of the arena, so nothing grows here.
  static constexpr std::size_t points_max = 96;
  std::array<Point, points_max> points_;
  std::array<std::uint8_t, points_max> parts_;  // whose each is
  std::size_t points_count_ = 0;
  mutable std::string_view obstacle_;
};

// As long as it lives, this thread asks these times, if any.
class AskTimes {
 public:
  explicit AskTimes(Times* times) : before_(time_oracle) {
    if (times != before_) time_oracle = times;
  }
  AskTimes(const AskTimes&) = delete;
  ~AskTimes() { time_oracle = before_; }

 private:
  TimeOracle* before_;
};

}  // namespace holdfast
