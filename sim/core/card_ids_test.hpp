// Every lock as a parameter of tests: testing::ValuesIn(card_ids()), name_of_card.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/core/lock.hpp"

namespace holdfast {

inline std::vector<std::string> card_ids() {
  std::vector<std::string> ids;
  for (const Card& card : algorithms::all()) ids.emplace_back(card.id);
  return ids;
}

inline std::string name_of_card(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& letter : name)
    if (letter == '-') letter = '_';
  return name;
}

}  // namespace holdfast
