// What is said of sets of faults: nothing but what was explored.
#include "reports/assumptions.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <sstream>

namespace holdfast::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr FaultSet three = {Fault::crash, Fault::pause, Fault::restart};

// Of three faults, at most two in one run; each alone holds.
AssumptionsReport report_of(std::vector<FaultSet> holds, std::vector<FaultSet> open) {
  AssumptionsReport report{.version = "test", .algorithm = "token"};
  report.found.together = 2;
  report.found.tried = three;
  report.found.properties.push_back({Property::recovery, {}, std::move(holds), std::move(open)});
  return report;
}

std::string text_of(const AssumptionsReport& report) {
  std::ostringstream out;
  write_assumptions_text(report, out, {});
  write_assumptions_markdown(report, out);
  return out.str();
}

TEST(AssumptionsReport, SaysAnyTwoOnlyWhereEveryPairWasExplored) {
  const std::string known = text_of(report_of(
      {{Fault::crash, Fault::pause}, {Fault::crash, Fault::restart}, {Fault::pause, Fault::restart}}, {}));
  EXPECT_THAT(known, HasSubstr("  holds under   any 2 of crash, pause, restart\n"));
  EXPECT_THAT(known, HasSubstr("| recovery | – | any 2 of crash, pause, restart |  |  |"));
}

TEST(AssumptionsReport, OnePairThatIsNotKnownLeavesTheSinglesAndThePairsThatAre) {
  const std::string open = text_of(report_of({{Fault::crash, Fault::pause}, {Fault::crash, Fault::restart}},
                                             {{Fault::pause, Fault::restart}}));
  EXPECT_THAT(open, HasSubstr("any one of crash, pause, restart; also crash + pause, crash + restart\n"));
  EXPECT_THAT(open, HasSubstr("  not known     pause + restart\n"));
  EXPECT_THAT(open, Not(HasSubstr("any 2")));
  EXPECT_THAT(open, Not(HasSubstr("all of")));
}

TEST(AssumptionsReport, AFaultThatIsNotKnownAloneIsInNoPhrase) {
  const std::string open =
      text_of(report_of({{Fault::crash}, {Fault::pause}},
                        {{Fault::restart}, {Fault::crash, Fault::pause}, {Fault::crash, Fault::restart}}));
  EXPECT_THAT(open, HasSubstr("  holds under   any one of crash, pause\n"));
  EXPECT_THAT(open, HasSubstr("  not known     restart, crash + pause, crash + restart\n"));
}

// A search that ends early may not even have come to the sets that are left.
TEST(AssumptionsReport, ASetThatNobodyCameToIsNotSaidToHold) {
  const std::string early = text_of(report_of({{Fault::crash}, {Fault::pause}}, {}));
  EXPECT_THAT(early, HasSubstr("  holds under   any one of crash, pause\n"));
}

// Nobody came to where it could hurt: that is no reason to believe that it does not.
TEST(AssumptionsReport, WhatIsHollowIsNotSaidToHold) {
  AssumptionsReport report = report_of({{Fault::crash, Fault::pause}}, {});
  report.found.properties[0].hollow = {{Fault::restart}};
  EXPECT_THAT(text_of(report), HasSubstr("  holds under   all of crash, pause\n"));
  EXPECT_THAT(text_of(report), HasSubstr("  hollow        restart\n"));
}

TEST(AssumptionsReport, NamesThePairThatBreaksAndOnlyThat) {
  AssumptionsReport report = report_of({{Fault::crash, Fault::restart}, {Fault::pause, Fault::restart}}, {});
  report.found.properties[0].breaks.push_back({{Fault::crash, Fault::pause}, {}});
  EXPECT_THAT(text_of(report), HasSubstr("any 2 of crash, pause, restart, but not crash + pause\n"));
}

}  // namespace
}  // namespace holdfast::reports
