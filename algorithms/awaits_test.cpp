// The list of awaits that the build makes of the locks' sources.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "sim/core/card_ids_test.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

class AwaitsOf : public testing::TestWithParam<std::string> {};

const AwaitLine* find(const Card& card, std::string_view file, std::uint32_t line) {
  for (const AwaitLine& await : card.awaits)
    if (await.file == file && line >= await.first_line && line <= await.last_line) return &await;
  return nullptr;
}

TEST_P(AwaitsOf, EveryLineThatAwaitsIsListedWithItsText) {
  const Card& card = *algorithms::find(GetParam());
  std::string file = "algorithms/" + GetParam() + ".cpp";
  std::replace(file.begin(), file.end(), '-', '_');
  std::ifstream source(std::string(HOLDFAST_SOURCE_DIR "/") + file);
  std::uint32_t number = 0;
  for (std::string line; std::getline(source, line);) {
    ++number;
    const std::size_t place = line.substr(0, line.find("//")).find("co_await ");
    if (place == std::string::npos) continue;
    const AwaitLine* const await = find(card, file, number);
    ASSERT_NE(await, nullptr) << file << ":" << number;
    EXPECT_THAT(std::string(await->text), testing::HasSubstr(line.substr(place)));
  }
}

TEST_P(AwaitsOf, WhateverRunsIsListed) {
  const Card& card = *algorithms::find(GetParam());
  Scenario scenario = planted::on_time(scenario_of(planted::one_attempt(), card, Fault::none));
  if (planted::is_large(card)) {
    scenario.explore.strategy = StrategyKind::random;
    scenario.explore.runs_max = 200;
  }
  const Exploration found = explore(scenario, card, Budget());
  std::size_t of_lock = 0;
  for (const SourceLine& at : found.awaits) {
    if (!std::string_view(at.file).starts_with("algorithms/")) continue;
    ++of_lock;
    EXPECT_NE(find(card, at.file, at.line), nullptr) << at.file << ":" << at.line;
  }
  EXPECT_GE(of_lock, 2u);
}

INSTANTIATE_TEST_SUITE_P(Card, AwaitsOf, testing::ValuesIn(card_ids()), name_of_card);

// A shared header's awaits are those of each lock that includes it.
TEST(Awaits, InHeadersBelongToEveryLockThatIncludesThem) {
  for (const char* id : {"redisson", "redisson-rw", "redisson-fair"}) {
    const std::span<const AwaitLine> awaits = algorithms::find(id)->awaits;
    EXPECT_TRUE(std::any_of(awaits.begin(), awaits.end(), [](const AwaitLine& await) {
      return await.file == "algorithms/redisson.hpp";
    })) << id;
  }
}

}  // namespace
}  // namespace holdfast
