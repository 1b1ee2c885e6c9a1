// Every lock is held to what its card claims, within the bounds of the default comparison.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "sim/core/arena.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

class EveryLock : public testing::TestWithParam<std::string> {};

TEST_P(EveryLock, KeepsWhatItsCardClaims) {
  const Card& card = *algorithms::find(GetParam());
  Comparison comparison;
  if (!Arena::is_available()) comparison.attempts = 1;  // sanitizer builds are slow: smaller bounds
  for (std::size_t i = 0; i < fault_ids.size(); ++i) {
    const auto fault = static_cast<Fault>(i);
    PropertySet claimed;
    for (const Claim& claim : card.claims)
      if (claim.under.contains(fault)) claimed.insert(claim.property);
    if (claimed.empty()) continue;
    const Exploration found = planted::explored(card, fault, comparison);
    for (const PropertyResult& result : found.properties) {
      if (!claimed.contains(result.property)) continue;
      EXPECT_TRUE(result.verdict == Verdict::holds || result.verdict == Verdict::not_applicable)
          << id_of(fault) << ": " << id_of(result.property) << " is " << id_of(result.verdict);
    }
  }
}

TEST_P(EveryLock, ClaimsOnlyFaultsThatCanBeSimulated) {
  for (const Claim& claim : algorithms::find(GetParam())->claims)
    EXPECT_EQ(claim.under.bits() & ~simulated_faults.bits(), 0u) << id_of(claim.property);
}

std::vector<std::string> all_ids() {
  std::vector<std::string> ids;
  for (const Card& card : algorithms::all()) ids.emplace_back(card.id);
  return ids;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& letter : name)
    if (letter == '-') letter = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Card, EveryLock, testing::ValuesIn(all_ids()), test_name);

}  // namespace
}  // namespace holdfast
