// What a scenario file may name: the locks at hand, and the faults and properties that this build can do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/core/vocabulary.hpp"

namespace holdfast {

// Every word of a vocabulary.
template <class Enum, std::size_t N>
constexpr SetOf<Enum> whole(const std::array<std::string_view, N>&) {
  SetOf<Enum> all;
  for (std::size_t i = 0; i < N; ++i) all.insert(static_cast<Enum>(i));
  return all;
}

struct Known {
  // Finds a lock that is a file; nullptr when there is none of that name.
  using Finder = const Card* (*)(const std::string& name);
  // `all_cards` must outlive this object.
  Known(const std::vector<Card>& all_cards, FaultSet can_strike = whole<Fault>(fault_ids),
        PropertySet can_judge = whole<Property>(property_ids), Finder find = nullptr)
      : cards(all_cards), faults(can_strike), properties(can_judge), file_called(find) {}

  const std::vector<Card>& cards;
  FaultSet faults;
  PropertySet properties;
  Finder file_called;

  // "none" is the absence of a rule, not a rule.
  bool allows(Fault fault) const { return fault != Fault::none && faults.contains(fault); }
  bool allows(Property property) const { return properties.contains(property); }
  template <class Enum>
  bool allows(Enum) const {
    return true;
  }
  // nullptr when there is none.
  const Card* card(std::string_view id) const {
    for (const Card& card : cards)
      if (card.id == id) return &card;
    return file_called != nullptr ? file_called(std::string(id)) : nullptr;
  }
};

}  // namespace holdfast
