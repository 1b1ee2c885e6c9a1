// Tests that hold a program in another language to the lock in C++ that it says the same as.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/explore/planted_test.hpp"

namespace holdfast::guest {

// What a cell says of each property: its verdict and how long its shortest run is.
inline std::map<Property, std::pair<Verdict, std::size_t>> outcome_of(const Exploration& found) {
  std::map<Property, std::pair<Verdict, std::size_t>> outcome;
  for (const PropertyResult& each : found.properties)
    outcome[each.property] = {each.verdict, each.counterexample ? each.counterexample->steps : 0};
  return outcome;
}

// Tokens by the order in which they come: each lock makes its own.
class TokensInOrder {
 public:
  // Words of commands, numbers, and names of options are no tokens, nor are keys and scripts.
  std::string name_of(const std::string& word) {
    const bool is_one = word.size() > 1 && word.size() < 40 &&
                        word.find_first_of("0123456789") != word.npos &&
                        word.find_first_not_of("0123456789") != word.npos;
    if (!is_one) return word;
    return "token " + std::to_string(numbers_.emplace(word, numbers_.size()).first->second);
  }

 private:
  std::map<std::string, std::size_t> numbers_;
};

// But for the lines of source, the texts of tokens, and for what the program answers its caller with.
inline std::vector<std::string> story_of(const Scenario& scenario, const Card& card,
                                         const Counterexample& example) {
  std::vector<std::string> story;
  TokensInOrder tokens;
  for (const holdfast::Event& event : replay(scenario, card, example.tape, example.steps).events) {
    std::string text = std::to_string(event.step.value) + " " +
                       std::to_string(event.at.time_since_epoch().count()) + " " +
                       std::to_string(event.what.index());
    if (const auto* const sent = std::get_if<Sent>(&event.what))
      for (const std::string& word : sent->argv) text += " " + tokens.name_of(word);
    if (const auto* const executed = std::get_if<Executed>(&event.what))
      text += " " + tokens.name_of(executed->reply.text());
    story.push_back(std::move(text));
  }
  return story;
}

inline void expect_alike(const Card& one, const Card& other, Fault fault, const Params& params = Params({}),
                         Duration timeout = Timing().timeout) {
  Comparison comparison = planted::one_attempt();
  comparison.timing.timeout = timeout;
  comparison.given_ttl = comparison.ttl;  // files have their own
  comparison.explore.states_max = 20'000;
  const auto scenario = [&](const Card& card) {
    Scenario made = planted::on_time(scenario_of(comparison, card, fault));
    for (const Parameter& each : params.declared()) {
      const auto given = std::find_if(made.params.begin(), made.params.end(),
                                      [&](const auto& known) { return known.first == each.name; });
      if (given != made.params.end()) given->second = params.text(each.name);
      else made.params.emplace_back(each.name, params.text(each.name));
    }
    return made;
  };
  const Exploration first = explore(scenario(one), one, Budget());
  const Exploration second = explore(scenario(other), other, Budget());
  EXPECT_EQ(outcome_of(first), outcome_of(second)) << other.id << " under " << id_of(fault);
  for (std::size_t i = 0; i < std::min(first.properties.size(), second.properties.size()); ++i) {
    if (first.properties[i].counterexample && second.properties[i].counterexample) {
      EXPECT_EQ(story_of(scenario(one), one, *first.properties[i].counterexample),
                story_of(scenario(other), other, *second.properties[i].counterexample))
          << other.id << " under " << id_of(fault);
    }
  }
}

}  // namespace holdfast::guest
