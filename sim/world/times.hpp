// Dense time: when things happen is unknown but for bounds, and a run decides only what is compared.
//
// Unknowns are instants, and bounds say by how much one is later than another. Lengths are whole
// milliseconds; a microsecond more or less stands for a moment as short as one likes: a key is dead a moment
// after the last instant of its life. What a state remembers of time is a list of instants, in the order in
// which its digest comes to them; by how much one of those may be later than another is its zone. A state
// whose zone lies within that of another with the same digest can do nothing that the other cannot.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/choose/choices.hpp"
#include "sim/core/units.hpp"
#include "sim/world/differences.hpp"

namespace holdfast {

// Of each instant of a state and each other, row by row.
using Zone = std::vector<Bound>;

class Times final : public TimeOracle {
 public:
  // So many unknowns at once; the first is the beginning of the run.
  static constexpr int most = Differences::most;

  explicit Times(Choices& choices);

  // Whose code runs: what it does next may depend on how its comparisons come out, and states say so.
  class Witness {
   public:
    virtual void note_comparison(bool is_less) = 0;

   protected:
    ~Witness() = default;
  };
  // nullptr: nobody's.
  void call(Witness* witness) { witness_ = witness; }

  // An instant of which nothing is known yet.
  Instant unknown();

  // From now on; false: then nothing satisfies all bounds any more.
  bool limit(const Limit& limit);
  // The one instant comes no later than the other, or, strictly, earlier. False: it cannot.
  bool order(Instant one, Instant other, bool strictly = false);
  // What says that; nothing: the other never comes.
  std::optional<Limit> limit_of(Instant one, Instant other, bool strictly = false) const;
  // Whether that instant may be within all of these. REQUIRES: it is in each.
  bool may_lie(Instant at, std::span<const Limit> limits) const;
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
  // Differences as wide as this zone, which is of a state of the same digest, and contains that of this one.
  void widen(const Zone& zone, std::span<const std::size_t> order);

  // Why this run cannot be explored in dense time; empty: it can.
  std::string_view obstacle() const { return obstacle_; }
  void obstruct(std::string_view why) const override;
  // A sum of lengths that have nothing in common was given wider bounds than it has: what nothing breaks then
  // no run breaks, but what is broken may be so by a run that cannot be.
  bool is_approximate() const { return is_approximate_; }

  bool is_less(std::int64_t one, std::int64_t other, int unit) override;
  bool is_equal(std::int64_t one, std::int64_t other, int unit) override;
  bool is_surely_less(std::int64_t one, std::int64_t other, int unit) override;
  std::int64_t end_of(std::int64_t length) override;
  std::int64_t begin_of(std::int64_t length) override;
  void keep(std::int64_t value) override;
  std::int64_t sum(std::int64_t one, std::int64_t other) override;
  std::int64_t difference(std::int64_t one, std::int64_t other) override;
  std::int64_t number(std::int64_t value, int unit) override;
  std::int64_t spelling(std::int64_t value, int unit) override;

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
  // One unknown for two of which a third is taken away.
  int name_of(const int (&two)[2], int third);
  bool is_known(const Affine& value) const {
    return used_[static_cast<std::size_t>(value.plus)] && used_[static_cast<std::size_t>(value.minus)];
  }
  std::size_t note(const Point& point);
  bool decide(const Affine& apart, int unit);
  std::vector<Point> noted(std::span<const std::size_t> order) const;

  Choices& choices_;
  Witness* witness_ = nullptr;
  Differences bounds_;
  std::bitset<most> used_;
  int last_ = 1;            // that was named
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
  bool is_approximate_ = false;
  // Of texts that may be left.
  struct Spelling {
    std::int64_t bits;
    int unit;
  };
  static constexpr std::size_t spellings_max = 32;
  std::array<Spelling, spellings_max> spellings_;
  std::size_t spellings_count_ = 0;
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
