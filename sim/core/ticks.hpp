// A number of microseconds or milliseconds that may contain unknown times: what all lengths and instants are
// made of.
//
// Where time is dense (world/times.hpp), an instant is "unknown 3, and 4,000 ms": nobody knows when unknown 3
// was, but for bounds. Such values can be added, subtracted and compared. A comparison that the bounds leave
// open is a choice of the run, and what was chosen becomes a bound. Everywhere else a Ticks is the number
// that it contains, at its price.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace holdfast {

// Whom dense time asks. One for each thread, while a step of a dense run is taken or looked at.
class TimeOracle {
 public:
  // How one value compares with another; `unit` in microseconds. A choice, where the bounds leave it open.
  virtual bool is_less(std::int64_t one, std::int64_t other, int unit) = 0;
  virtual bool is_equal(std::int64_t one, std::int64_t other, int unit) = 0;
  // Whether it is certain, whatever else is decided.
  virtual bool is_surely_less(std::int64_t one, std::int64_t other, int unit) = 0;
  // A length between two instants: those.
  virtual std::int64_t end_of(std::int64_t length) = 0;
  virtual std::int64_t begin_of(std::int64_t length) = 0;
  // A state has it, though what it tells of it is not when it was.
  virtual void keep(std::int64_t value) = 0;
  virtual std::int64_t sum(std::int64_t one, std::int64_t other) = 0;
  virtual std::int64_t difference(std::int64_t one, std::int64_t other) = 0;
  // The lock, or the world, uses an unknown as a number: to print, to divide.
  virtual std::int64_t number(std::int64_t value, int unit) = 0;
  // The value that is to stand in a text for all that are equal to it (time_text.hpp): those of texts that
  // may be left are asked whether they are.
  virtual std::int64_t spelling(std::int64_t value, int unit) = 0;
  // What is asked of a time cannot be answered. REQUIRES: the text is a literal.
  virtual void obstruct(std::string_view why) const = 0;

 protected:
  ~TimeOracle() = default;
};
inline thread_local TimeOracle* time_oracle = nullptr;
inline bool is_time_dense() { return time_oracle != nullptr; }

template <int unit>
class TicksOf {
 public:
  // The low bits are a number with a sign, the high ones say which unknowns it counts from; 0: none.
  static constexpr int number_bits = 53;

  constexpr TicksOf() = default;
  template <class Number>
  requires std::is_arithmetic_v<Number>
  constexpr TicksOf(Number number) : bits_(static_cast<std::int64_t>(number)) {}
  [[gnu::always_inline]] constexpr operator std::int64_t() const { return known(); }

  static constexpr TicksOf of_bits(std::int64_t bits) {
    TicksOf made;
    made.bits_ = bits;
    return made;
  }
  constexpr std::int64_t bits() const { return bits_; }
  static constexpr std::int64_t unknowns_of(std::int64_t bits) {
    const auto above = static_cast<std::uint64_t>(bits) + (std::uint64_t{1} << (number_bits - 1));
    return static_cast<std::int64_t>(above) >> number_bits;
  }
  // Every step asks many times.
  [[gnu::always_inline]] constexpr bool is_unknown() const {
    return unknowns_of(bits_) != 0 && !std::is_constant_evaluated() && time_oracle != nullptr &&
           !is_endless(bits_);
  }
  // What stands for "never" and its like.
  static constexpr bool is_endless(std::int64_t bits) {
    return unknowns_of(bits) == -(std::int64_t{1} << (63 - number_bits));
  }

  [[gnu::always_inline]] friend constexpr TicksOf operator+(TicksOf one, TicksOf other) {
    if (one.is_unknown() || other.is_unknown()) [[unlikely]]
      return asked_sum(one, other);
    return of_bits(one.bits_ + other.bits_);
  }
  [[gnu::always_inline]] friend constexpr TicksOf operator-(TicksOf one, TicksOf other) {
    if (one.is_unknown() || other.is_unknown()) [[unlikely]]
      return asked_difference(one, other);
    return of_bits(one.bits_ - other.bits_);
  }
  constexpr TicksOf operator-() const { return TicksOf() - *this; }
  constexpr TicksOf operator+() const { return *this; }
  friend constexpr TicksOf operator*(TicksOf one, TicksOf other) {
    if (one.bits_ == 1) return other;
    if (other.bits_ == 1) return one;
    if (one.bits_ == 0 || other.bits_ == 0) return TicksOf();
    return of_bits(one.known() * other.known());
  }
  friend constexpr TicksOf operator/(TicksOf one, TicksOf other) {
    if (other.bits_ == 1) return one;
    return of_bits(one.known() / other.known());
  }
  friend constexpr TicksOf operator%(TicksOf one, TicksOf other) {
    return of_bits(one.known() % other.known());
  }
  constexpr TicksOf& operator+=(TicksOf other) { return *this = *this + other; }
  constexpr TicksOf& operator-=(TicksOf other) { return *this = *this - other; }
  constexpr TicksOf& operator*=(TicksOf other) { return *this = *this * other; }
  constexpr TicksOf& operator/=(TicksOf other) { return *this = *this / other; }
  constexpr TicksOf& operator%=(TicksOf other) { return *this = *this % other; }
  constexpr TicksOf& operator++() { return *this += 1; }
  constexpr TicksOf& operator--() { return *this -= 1; }

  [[gnu::always_inline]] friend constexpr bool operator==(TicksOf one, TicksOf other) {
    if (one.is_unknown() || other.is_unknown()) [[unlikely]]
      return asked_equal(one, other);
    return one.bits_ == other.bits_;
  }
  [[gnu::always_inline]] friend constexpr bool operator<(TicksOf one, TicksOf other) {
    if (one.is_unknown() || other.is_unknown()) [[unlikely]]
      return asked_less(one, other);
    return one.bits_ < other.bits_;
  }
  // It would ask twice, and std::chrono prefers it.
  friend auto operator<=>(TicksOf one, TicksOf other) = delete;
  friend constexpr bool operator>(TicksOf one, TicksOf other) { return other < one; }
  friend constexpr bool operator<=(TicksOf one, TicksOf other) { return !(other < one); }
  friend constexpr bool operator>=(TicksOf one, TicksOf other) { return !(one < other); }

 private:
  // Out of the way of what is known.
  [[gnu::cold, gnu::noinline]] static TicksOf asked_sum(TicksOf one, TicksOf other) {
    return of_bits(time_oracle->sum(one.bits_, other.bits_));
  }
  [[gnu::cold, gnu::noinline]] static TicksOf asked_difference(TicksOf one, TicksOf other) {
    return of_bits(time_oracle->difference(one.bits_, other.bits_));
  }
  [[gnu::cold, gnu::noinline]] static bool asked_equal(TicksOf one, TicksOf other) {
    return time_oracle->is_equal(one.bits_, other.bits_, unit);
  }
  [[gnu::cold, gnu::noinline]] static bool asked_less(TicksOf one, TicksOf other) {
    return time_oracle->is_less(one.bits_, other.bits_, unit);
  }
  [[gnu::cold, gnu::noinline]] std::int64_t asked_number() const { return time_oracle->number(bits_, unit); }
  [[gnu::always_inline]] constexpr std::int64_t known() const {
    if (is_unknown()) [[unlikely]]
      return asked_number();
    return bits_;
  }
  std::int64_t bits_ = 0;
};

// Microseconds, and milliseconds as servers count them.
using Ticks = TicksOf<1>;
using MilliTicks = TicksOf<1000>;
// Whole ones, rounded down. Unknown times are whole milliseconds.
constexpr MilliTicks to_milliticks(Ticks microseconds) {
  const std::int64_t bits = microseconds.bits();
  if (!microseconds.is_unknown()) return (bits - (bits % 1000 + 1000) % 1000) / 1000;
  const std::int64_t unknowns = Ticks::unknowns_of(bits) * (std::int64_t{1} << Ticks::number_bits);
  const std::int64_t number = bits - unknowns;
  return MilliTicks::of_bits(unknowns + (number - (number % 1000 + 1000) % 1000) / 1000);
}
constexpr Ticks to_ticks(MilliTicks milliseconds) {
  const std::int64_t bits = milliseconds.bits();
  if (!milliseconds.is_unknown()) return bits * 1000;
  const std::int64_t unknowns = Ticks::unknowns_of(bits) * (std::int64_t{1} << Ticks::number_bits);
  return Ticks::of_bits(unknowns + (bits - unknowns) * 1000);
}

template <class Number>
concept PlainNumber = std::is_integral_v<Number>;

// With whole numbers of any type, as with each other; with fractions, as the number that they are.
#define HOLDFAST_TICKS_WITH_NUMBERS(result, op)                   \
  template <int unit, PlainNumber Number>                         \
  constexpr result operator op(TicksOf<unit> one, Number other) { \
    return one op TicksOf<unit>(other);                           \
  }                                                               \
  template <int unit, PlainNumber Number>                         \
  constexpr result operator op(Number one, TicksOf<unit> other) { \
    return TicksOf<unit>(one) op other;                           \
  }
HOLDFAST_TICKS_WITH_NUMBERS(TicksOf<unit>, +)
HOLDFAST_TICKS_WITH_NUMBERS(TicksOf<unit>, -)
HOLDFAST_TICKS_WITH_NUMBERS(TicksOf<unit>, *)
HOLDFAST_TICKS_WITH_NUMBERS(TicksOf<unit>, /)
HOLDFAST_TICKS_WITH_NUMBERS(TicksOf<unit>, %)
HOLDFAST_TICKS_WITH_NUMBERS(bool, ==)
HOLDFAST_TICKS_WITH_NUMBERS(bool, !=)
HOLDFAST_TICKS_WITH_NUMBERS(bool, <)
HOLDFAST_TICKS_WITH_NUMBERS(bool, >)
HOLDFAST_TICKS_WITH_NUMBERS(bool, <=)
HOLDFAST_TICKS_WITH_NUMBERS(bool, >=)
#undef HOLDFAST_TICKS_WITH_NUMBERS

}  // namespace holdfast

template <int unit, holdfast::PlainNumber Number>
struct std::common_type<holdfast::TicksOf<unit>, Number> {
  using type = holdfast::TicksOf<unit>;
};
template <int unit, holdfast::PlainNumber Number>
struct std::common_type<Number, holdfast::TicksOf<unit>> {
  using type = holdfast::TicksOf<unit>;
};
template <int unit, std::floating_point Fraction>
struct std::common_type<holdfast::TicksOf<unit>, Fraction> {
  using type = Fraction;
};
template <int unit, std::floating_point Fraction>
struct std::common_type<Fraction, holdfast::TicksOf<unit>> {
  using type = Fraction;
};
template <int unit>
struct std::numeric_limits<holdfast::TicksOf<unit>> : std::numeric_limits<std::int64_t> {
  static constexpr holdfast::TicksOf<unit> min() { return std::numeric_limits<std::int64_t>::min(); }
  static constexpr holdfast::TicksOf<unit> max() { return std::numeric_limits<std::int64_t>::max(); }
  static constexpr holdfast::TicksOf<unit> lowest() { return min(); }
};
