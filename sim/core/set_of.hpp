// A set of enumerators of one vocabulary, at most 32.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace holdfast {

template <class Enum>
class SetOf {
 public:
  constexpr SetOf() = default;
  constexpr SetOf(std::initializer_list<Enum> members) {
    for (const Enum member : members) insert(member);
  }
  constexpr void insert(Enum member) { bits_ |= 1u << static_cast<unsigned>(member); }
  constexpr void insert(SetOf others) { bits_ |= others.bits_; }
  constexpr void erase(Enum member) { erase(SetOf{member}); }
  constexpr void erase(SetOf others) { bits_ &= ~others.bits_; }
  constexpr bool contains(Enum member) const { return (bits_ >> static_cast<unsigned>(member) & 1u) != 0; }
  constexpr bool contains_all(SetOf others) const { return (others.bits_ & ~bits_) == 0; }
  constexpr bool contains_any(SetOf others) const { return (others.bits_ & bits_) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr std::uint32_t bits() const { return bits_; }
  constexpr bool operator==(const SetOf&) const = default;
  friend constexpr SetOf operator|(SetOf one, SetOf other) { return of_bits(one.bits_ | other.bits_); }
  friend constexpr SetOf operator&(SetOf one, SetOf other) { return of_bits(one.bits_ & other.bits_); }

 private:
  static constexpr SetOf of_bits(std::uint32_t bits) {
    SetOf set;
    set.bits_ = bits;
    return set;
  }
  std::uint32_t bits_ = 0;
};

}  // namespace holdfast
