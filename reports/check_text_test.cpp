// What `check` prints: what is alike once, and one story for each cause.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <sstream>

#include "reports/causes.hpp"
#include "reports/report.hpp"
#include "reports/samples_test.hpp"

namespace holdfast::reports {
namespace {

using testing::HasSubstr;

PropertyResult judged(Property property, Verdict verdict, std::string note = "") {
  PropertyResult made{property, verdict, std::move(note), std::nullopt};
  if (verdict == Verdict::violated) made.counterexample = paused_holder();
  return made;
}

// A cell of the matrix of one lock.
MatrixCell tried(Fault fault, std::vector<PropertyResult> results) {
  MatrixCell made{.algorithm = "token", .fault = fault};
  const Scenario scenario = sample_scenario("token", fault);
  for (PropertyResult& each : results) made.properties.push_back({std::move(each), scenario});
  made.effort.states = 1;
  made.effort.reach.struck.insert(fault);
  made.effort.reach.struck_held.insert(fault);
  return made;
}

TEST(CheckText, TellsOneStoryForEachCauseAndTheLikeliestFirst) {
  const auto both = [](Fault fault) {
    return tried(fault, {judged(Property::mutual_exclusion, Verdict::violated),
                         judged(Property::owner_only_release, Verdict::violated)});
  };
  Matrix matrix;
  matrix.cells = {both(Fault::server_clock_jump), both(Fault::restart), both(Fault::slow_section),
                  both(Fault::pause), both(Fault::eviction)};
  // The shortest run is of a fault that nobody meets.
  matrix.cells[0].properties[0].result.counterexample->steps = 2;
  std::ostringstream out;
  write_check_text(matrix, out, Terminal{.width = 200});
  const std::string text = out.str();
  std::size_t place = 0;
  for (const char* part :
       {"cause 1 of 3, likeliest first: a client is stopped or slow", "token × pause: mutual-exclusion",
        "breaks  also owner-only-release", "fix     No lock with a lease",
        "fix     Delete or renew the key only", "cause 2 of 3, likeliest first: the server forgets",
        "token × restart: mutual-exclusion", "cause 3 of 3, likeliest first: a clock is wrong",
        "token × server-clock-jump: mutual-exclusion"}) {
    place = text.find(part, place);
    ASSERT_NE(place, std::string::npos) << part << "\n" << text;
  }
}

TEST(CheckText, WhatBreaksWithoutAFaultIsToldOnce) {
  Matrix matrix;
  matrix.cells = {tried(Fault::none, {judged(Property::mutual_exclusion, Verdict::violated)}),
                  tried(Fault::pause, {judged(Property::mutual_exclusion, Verdict::violated)})};
  std::ostringstream out;
  write_check_text(matrix, out, Terminal{.width = 200});
  EXPECT_THAT(out.str(), HasSubstr("cause 1 of 1, likeliest first: nothing goes wrong"));
}

TEST(CheckText, WhatIsAlikeIsToldOnce) {
  Matrix matrix;
  const std::string never = "clock-skew never struck";
  matrix.cells = {
      tried(Fault::clock_skew, {judged(Property::mutual_exclusion, Verdict::not_applicable, never),
                                judged(Property::fence_order, Verdict::not_applicable, "no number"),
                                judged(Property::recovery, Verdict::not_applicable, never)}),
      tried(Fault::pause, {judged(Property::mutual_exclusion, Verdict::not_applicable, never),
                           judged(Property::recovery, Verdict::not_applicable, never)})};
  std::ostringstream out;
  write_check_text(matrix, out, Terminal{.width = 200});
  EXPECT_THAT(out.str(), HasSubstr("    · fence-order         not applicable: no number\n"
                                   "    · the other 2         not applicable: clock-skew never struck\n"
                                   "· pause: not applicable, all 2 properties: clock-skew never struck ("));
}

TEST(Causes, EveryFaultAndEveryPropertyHasAdvice) {
  for (std::size_t f = 0; f < fault_ids.size(); ++f)
    for (std::size_t p = 0; p < property_ids.size(); ++p) {
      Matrix matrix;
      matrix.cells = {tried(static_cast<Fault>(f), {judged(static_cast<Property>(p), Verdict::violated)})};
      const std::vector<Cause> causes = causes_of(matrix);
      ASSERT_EQ(causes.size(), 1u) << fault_ids[f];
      // Of a run that nothing is known of.
      matrix.cells[0].properties[0].result.counterexample->events.clear();
      EXPECT_EQ(causes[0].kind, kind_of(static_cast<Fault>(f)));
      for (const std::string& advice : advice_for(causes[0])) EXPECT_TRUE(advice.ends_with('.')) << advice;
      EXPECT_EQ(advice_for(causes[0]).size(), 1u) << property_ids[p];
    }
}

// The lock of the sample run takes its key by SET NX PX and gives it an expiry: to be told to do so misses.
TEST(Causes, WhatTheRunShowsToBeDoneAlreadyIsNoAdvice) {
  const auto advice_of = [](Property property, Fault fault) {
    Matrix matrix;
    matrix.cells = {tried(fault, {judged(property, Verdict::violated)})};
    return advice_for(causes_of(matrix)[0]);
  };
  EXPECT_TRUE(advice_of(Property::recovery, Fault::crash).empty());
  EXPECT_FALSE(advice_of(Property::mutual_exclusion, Fault::pause).empty());
}

}  // namespace
}  // namespace holdfast::reports
