// One lock under one fault, whose bounds deepen.
#pragma once

#include <gtest/gtest.h>

#include "sim/core/arena.hpp"
#include "sim/explore/deepening.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {

inline DeepCell cell_of(const Card& card, Fault fault, PropertySet check) {
  return {&card, [&card, fault, check](const Scope& scope) {
            Comparison comparison;
            comparison.check = check;
            return scenario_at(comparison, scope, card, fault);
          }};
}
inline DeepCell cell_of(const char* lock, Fault fault, PropertySet check) {
  return cell_of(*algorithms::find(lock), fault, check);
}

inline constexpr std::uint64_t few_runs = 20;
inline constexpr std::uint64_t few_states = 10;

// What is explored, step by step.
inline std::vector<std::size_t> deepened(std::vector<DeepCell>& cells, std::span<const Scope> scopes,
                                         std::uint64_t states = usual_states, unsigned threads = 1,
                                         const Budget& budget = {}, std::uint64_t runs = few_runs) {
  std::vector<std::size_t> jobs;
  deepen(
      cells, {scopes, states, runs}, threads, budget,
      [&](const Scope&, std::size_t count) { jobs.push_back(count); }, [](std::size_t, const auto&) {});
  return jobs;
}

inline const PropertyResult& only_result(const DeepCell& cell) { return cell.found.properties.at(0); }

class BoundsDeepen : public testing::Test {
 protected:
  void SetUp() override {
    if (!Arena::is_available()) GTEST_SKIP() << planted::too_slow;
  }
};

}  // namespace holdfast
