// What choose asks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/cli/options.hpp"

namespace holdfast::cli {

// What choose asks, in this order; an option and a question alike.
struct ChoiceQuestion {
  std::string_view option;
  std::string_view text;
  std::string& (*in)(Answers& answers);
  std::vector<std::string> (*words)();
  std::string_view usual;                                   // empty: it must be answered
  bool takes_many = false;                                  // separated by commas
  std::string (*about)(const std::string& word) = nullptr;  // says what a word means; null: it says so itself
};
const std::vector<ChoiceQuestion>& choice_questions();

}  // namespace holdfast::cli
