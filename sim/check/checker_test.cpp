// Every property meets good, bad and borderline traces; all properties judge every trace, so each must also
// keep silent where another speaks.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/check/checker.hpp"
#include "sim/check/story_test.hpp"

namespace holdfast {
namespace {

using ::testing::HasSubstr;

std::vector<Finding> findings(const std::string& text) {
  Judge judge(checkers::all());
  for (const Event& event : Story(text).events()) judge.on(event);
  return judge.findings();
}

// The ids of all violated properties, e.g. "mutual-exclusion no-stale-write".
std::string violated(const std::string& text) {
  std::string ids;
  for (const Finding& finding : findings(text))
    ids.append(ids.empty() ? "" : " ").append(id_of(finding.property));
  return ids;
}

Finding only_finding(const std::string& text) {
  const std::vector<Finding> all = findings(text);
  if (all.size() != 1) throw std::logic_error("not exactly one finding in: " + text);
  return all.front();
}

// --- every property has a trace that it accepts and one that only it rejects ---

struct Pair {
  Property property;
  std::string good;
  std::string bad;
};
const std::vector<Pair> pairs{
    {Property::mutual_exclusion,
     a_holds + "A releasing; A removes; A released; B acquiring; B creates; B granted; B releasing",
     a_holds + "B acquiring; B granted"},
    {Property::no_stale_write,
     a_holds + "A writes; A belief-ends; key expires; B acquiring; B creates; B granted; B writes",
     a_holds + "A belief-ends; key expires; B acquiring; B creates; B granted; A writes"},
    {Property::fenced_writes,
     a_holds + "A releasing; A removes; A released; B acquiring; B creates; B granted fence 2; B writes",
     "A acquiring shared; A creates; A granted shared fence 1; B acquiring shared; B granted shared fence 2; "
     "B writes; A writes"},
    {Property::fence_order,
     "A acquiring; A creates; key expires; B acquiring; B creates; B granted fence 2; B releasing; "
     "B removes; B released; A granted fence 1",
     "A acquiring; A creates; key expires; B acquiring; B creates; B granted fence 1; B releasing; "
     "B removes; B released; A granted fence 2"},
    {Property::rightful_write,
     "A acquiring; A creates; A granted fence 1; A belief-ends; key expires; B acquiring; B creates; "
     "B granted fence 2; B writes; A write-refused",
     "A acquiring; A creates; A granted fence 9; A writes; A releasing; A removes; A released; "
     "B acquiring; B creates; B granted fence 10; B write-refused"},
    {Property::no_lost_update,
     "A acquiring; A creates; A granted; A reads; A writes; A releasing; A removes; A released; B acquiring; "
     "B creates; B granted; B reads; B writes",
     "A acquiring; A creates; A granted; A belief-ends; key expires; B acquiring shared; B creates; "
     "B granted shared; B reads; A crashed; A acquiring shared; A granted shared; A writes; B writes"},
    {Property::owner_only_release, a_holds + "A writes; A releasing; A removes; A released",
     a_holds + "B acquiring; B removes; B refused"},
    {Property::owner_only_change,
     a_holds + "A touches until 9s; A overwrites; A releasing; A removes; A released",
     a_holds + "B acquiring; B touches until 9s; B refused"},
    {Property::truthful_release, a_holds + "4s; key expires; A releasing; A not-held",
     a_holds + "4s; key expires; A releasing; A released"},
    {Property::release_frees, a_holds + "A releasing; A removes; A released",
     a_holds + "A releasing; A leaves; A released"},
    {Property::recovery,
     "A acquiring; A creates until 3s; A crashed; P calm; 4s; key expires; P acquiring; P granted; ended",
     "A acquiring; A creates; A crashed; P calm; P acquiring; P refused; 15s; ended"},
    {Property::progress,
     "A acquiring; A refused; A finished; P calm; P acquiring; P granted; P finished; A comes-back; A "
     "acquiring; "
     "A creates; A granted; ended",
     "A acquiring; A refused; A finished; P calm; P acquiring; P granted; P finished; A comes-back; A "
     "acquiring; "
     "A refused; ended"},
    {Property::availability, "A loses-server; P calm; P acquiring; P granted; ended",
     "A loses-server; P calm; P acquiring; P refused; ended"},
    {Property::reentrancy, a_holds + "A again; A released-again; A releasing; A removes; A released",
     a_holds + "A refused-again"},
    {Property::single_fill, a_holds + "A fetches; A crashed; B acquiring; B granted; B fetches; B stores",
     a_holds + "A fetches; A releasing; A removes; A released; B acquiring; B creates; B granted; B fetches"},
    {Property::once_per_period,
     a_holds + "A begins-job; A crashed; B acquiring; B granted; B begins-job; B ends-job; B leaves-period; "
               "P calm; P acquiring; P granted; ended",
     a_holds + "A begins-job; A ends-job; A releasing; A removes; A released; B acquiring; B creates; "
               "B granted; B begins-job"},
};

TEST(EveryProperty, HasAGoodAndABadTrace) {
  PropertySet covered;
  for (const Pair& pair : pairs) covered.insert(pair.property);
  EXPECT_EQ(covered, checkers::all());
}

TEST(EveryProperty, AcceptsItsGoodTraceAndAloneRejectsItsBadOne) {
  for (const Pair& pair : pairs) {
    EXPECT_EQ(violated(pair.good), "") << id_of(pair.property);
    EXPECT_EQ(violated(pair.bad), id_of(pair.property));
  }
}

TEST(EveryProperty, IsViolatedFromTheLaterStepThatItsFindingNames) {
  for (const Pair& pair : pairs) {
    const Finding finding = only_finding(pair.bad);
    EXPECT_LT(finding.from, finding.to) << id_of(pair.property);
    Judge judge({pair.property});
    for (const Event& event : Story(pair.bad).events()) {
      judge.on(event);
      EXPECT_EQ(!judge.violated().empty(), event.step >= finding.to) << id_of(pair.property);
    }
  }
}

TEST(Judge, JudgesOnlyWhatItWasAskedAndReportsInTheOrderOfTheVocabulary) {
  const std::string bad = a_expired_b_holds + "A writes; A releasing; A removes; A released";
  EXPECT_EQ(violated(bad), "mutual-exclusion no-stale-write owner-only-release truthful-release");
  Judge judge({Property::owner_only_release, Property::no_stale_write, Property::fenced_writes});
  for (const Event& event : Story(bad).events()) judge.on(event);
  EXPECT_EQ(judge.violated(), PropertySet({Property::no_stale_write, Property::owner_only_release}));
  EXPECT_EQ(judge.findings().front().property, Property::no_stale_write);
}

// --- mutual-exclusion ---

TEST(MutualExclusion, IsViolatedAtTheSecondGrantAndSaysWhyTheFirstClaimStillStands) {
  const Finding finding = only_finding(a_expired_b_holds);
  EXPECT_EQ(finding.from.value, 3u);
  EXPECT_EQ(finding.to.value, 7u);
  EXPECT_EQ(finding.because,
            "At 5s B was granted the lock while A, granted at 1s, still believes that it holds it: A has "
            "neither released it nor noticed a loss; its key expired at 4s.");
}

TEST(MutualExclusion, TellsAKeyThatStillStandsFromOneThatTheStoreNeverHeld) {
  EXPECT_THAT(only_finding(a_holds + "B acquiring; B granted").because, HasSubstr("; its key still stands."));
  EXPECT_THAT(only_finding("A acquiring; A granted; B acquiring; B creates; B granted").because,
              HasSubstr("; the store never held a key of it."));
  EXPECT_THAT(only_finding("A acquiring; A creates; A removes; A granted; B acquiring; B granted").because,
              HasSubstr("; its own command removed its key."));
  EXPECT_THAT(findings(a_holds + "B acquiring; B removes; B creates; B granted").front().because,
              HasSubstr("; its key was removed by B at 1s."));
  EXPECT_THAT(findings(a_holds + "B acquiring; B overwrites; B granted").front().because,
              HasSubstr("; its key was overwritten by B at 1s."));
  EXPECT_THAT(findings(a_holds + "key lost; B acquiring; B creates; B granted").front().because,
              HasSubstr("; the server lost its key at 1s."));
}

TEST(MutualExclusion, LetsAClaimEndAndAnotherBeginAtTheSameInstant) {
  EXPECT_EQ(violated(a_holds + "2s; A releasing; A removes; B acquiring; B creates; B granted; A released"),
            "");
  EXPECT_EQ(violated(a_holds + "2s; key expires; A belief-ends; B acquiring; B creates; B granted"), "");
  EXPECT_EQ(violated(a_holds + "2s; key expires; B acquiring; B creates; B granted; A belief-ends"),
            "mutual-exclusion");
}

TEST(MutualExclusion, EndsAClaimWithItsClient) {
  EXPECT_EQ(violated(a_holds + "A crashed; key expires; B acquiring; B creates; B granted"), "");
  EXPECT_EQ(violated(a_holds + "A finished; key expires; B acquiring; B creates; B granted"), "");
  EXPECT_EQ(violated(a_holds + "B crashed; key expires; B acquiring; B creates; B granted"),
            "mutual-exclusion");
}

TEST(MutualExclusion, DoesNotSetAClientAgainstItself) {
  EXPECT_EQ(violated(a_holds + "A acquiring; A granted; A releasing"), "");
  EXPECT_EQ(violated(a_holds + "A acquiring; A granted; A1 releasing; B acquiring; B granted"),
            "mutual-exclusion");
}

TEST(MutualExclusion, LetsSharedClaimsOverlapButNotWithAnExclusiveOne) {
  const std::string reader = "A acquiring shared; A granted shared; ";
  EXPECT_EQ(violated(reader + "B acquiring shared; B granted shared"), "");
  EXPECT_EQ(violated(reader + "B acquiring; B granted"), "mutual-exclusion");
  EXPECT_EQ(violated(a_holds + "B acquiring shared; B granted shared"), "mutual-exclusion");
}

// --- no-stale-write ---

const std::string a_overtaken =
    a_holds + "A belief-ends; 4s; key expires; B acquiring; B creates; 5s; B granted; ";

TEST(NoStaleWrite, CountsALaterGrantEvenWhenItIsOver) {
  const Finding finding = only_finding(a_overtaken + "B releasing; B removes; B released; 6s; A writes");
  EXPECT_EQ(finding.from.value, 8u);
  EXPECT_EQ(finding.to.value, 12u);
  EXPECT_EQ(
      finding.because,
      "At 6s a write of A, granted at 1s, reached the resource although B had been granted the lock at 5s.");
  EXPECT_EQ(violated(a_overtaken + "B crashed; A writes"), "no-stale-write");
}

TEST(NoStaleWrite, NamesTheFirstOfSeveralLaterGrants) {
  const Finding finding = only_finding(
      a_overtaken + "B releasing; B removes; B released; C acquiring; C creates; C granted; A writes");
  EXPECT_EQ(finding.from.value, 8u);
}

TEST(NoStaleWrite, NeedsAWriteThatTheResourceAccepts) {
  EXPECT_EQ(violated(a_overtaken + "A write-refused"), "");
  EXPECT_EQ(violated(a_overtaken + "A write-refused; A writes"), "no-stale-write");
}

TEST(NoStaleWrite, GoesByTheOrderOfGrantsNotOfTimes) {
  EXPECT_EQ(violated(a_overtaken + "B writes"), "");
  EXPECT_EQ(violated("A acquiring; B acquiring; B granted; B belief-ends; A granted; A writes"), "");
  EXPECT_EQ(violated("A acquiring; B acquiring; B granted; B belief-ends; A granted; B writes"),
            "no-stale-write");
  EXPECT_EQ(violated(a_holds + "A belief-ends; key expires; A writes; B acquiring; B creates; B granted"),
            "");
}

TEST(NoStaleWrite, ConcernsGrantsThatClash) {
  const std::string reader = "A acquiring shared; A granted shared; A belief-ends; ";
  EXPECT_EQ(violated(reader + "B acquiring shared; B granted shared; A writes"), "");
  EXPECT_EQ(violated(reader + "B acquiring; B granted; A writes"), "no-stale-write");
  EXPECT_EQ(violated("A acquiring; A granted; A belief-ends; A acquiring; A granted; A1 writes"), "");
}

TEST(NoStaleWrite, ForgetsAClientThatWasOvertakenAndAcquiredAgain) {
  EXPECT_EQ(violated(a_overtaken + "B releasing; B removes; B released; A releasing; A not-held; "
                                   "A acquiring; A creates; A granted; A writes"),
            "");
}

// --- owner-only-release ---

TEST(OwnerOnlyRelease, CatchesALateDeletionOfAStrangersKey) {
  const Finding finding = only_finding(
      a_holds + "A releasing; key expires; B acquiring; B creates; 5s; B granted; 6s; A removes");
  EXPECT_EQ(finding.from.value, 8u);
  EXPECT_EQ(finding.to.value, 9u);
  EXPECT_EQ(finding.because,
            "At 6s a command of A removed the key of the lock that B was granted at 5s and still holds.");
}

TEST(OwnerOnlyRelease, CatchesAnEarlierAcquisitionOfTheSameClient) {
  const Finding finding = only_finding(
      a_holds + "A releasing; key expires; A unknown; A acquiring; A creates; A granted; A1 removes");
  EXPECT_EQ(finding.property, Property::owner_only_release);
  EXPECT_THAT(finding.because, HasSubstr("a command of another acquisition of A removed"));
}

const std::string b_pending = a_holds + "A releasing; key expires; B acquiring; B creates; 3s; A removes; ";

TEST(OwnerOnlyRelease, CountsARemovalBeforeTheGrantOnceTheGrantArrives) {
  EXPECT_EQ(violated(b_pending), "");
  const Finding finding = only_finding(b_pending + "5s; B granted");
  EXPECT_EQ(finding.from.value, 8u);
  EXPECT_EQ(finding.to.value, 9u);
  EXPECT_EQ(
      finding.because,
      "At 3s a command of A removed the key that B had written; at 5s B was granted the lock all the same.");
}

TEST(OwnerOnlyRelease, ForgetsARemovalBeforeAGrantThatNeverComes) {
  EXPECT_EQ(violated(b_pending + "B refused; B acquiring; B granted"), "");
  EXPECT_EQ(violated(b_pending + "B crashed; B acquiring; B granted"), "");
  EXPECT_EQ(violated(b_pending + "B creates; B granted"), "");
}

TEST(OwnerOnlyRelease, IgnoresARemovalAfterTheKeyHadEnded) {
  EXPECT_EQ(violated("A acquiring; A creates; key expires; B acquiring; B creates; B removes; A granted"),
            "");
  EXPECT_EQ(violated(a_holds + "A releasing; B acquiring; B removes"), "");
  EXPECT_EQ(violated(a_holds + "A belief-ends; B acquiring; B removes"), "");
  EXPECT_EQ(violated(a_holds + "A crashed; B acquiring; B removes"), "");
}

TEST(OwnerOnlyRelease, ProtectsAGrantUpToAndIncludingTheLastInstantOfItsLease) {
  const std::string leased = "A acquiring; A creates; 1s; A granted until 4s; B acquiring; ";
  EXPECT_EQ(violated(leased + "4s; B removes"), "owner-only-release");
  EXPECT_EQ(violated(leased + "4001ms; B removes"), "");
  const std::string pending = "A acquiring; A creates; B acquiring; 4s; B removes; 6s; ";
  EXPECT_EQ(violated(pending + "A granted until 4s"), "owner-only-release");
  EXPECT_EQ(violated(pending + "A granted until 3999ms"), "");
}

// --- owner-only-change ---

TEST(OwnerOnlyChange, CatchesAnotherExpiryAndAnotherValue) {
  EXPECT_THAT(only_finding(a_holds + "3s; B acquiring; B touches until 9s").because,
              "At 3s a command of B changed the key of the lock that A was granted at 1s and still holds.");
  EXPECT_EQ(violated(a_holds + "B acquiring; B overwrites"), "owner-only-change");
  const std::string again = "A releasing; A gives-up; A unknown; A acquiring; A overwrites; A granted; ";
  EXPECT_EQ(violated(a_holds + again + "A1 overwrites"), "owner-only-change");
  EXPECT_EQ(violated(a_holds + again + "A1 touches"), "");  // a late renewal
}

TEST(OwnerOnlyChange, CountsAChangeBeforeTheGrantOnceTheGrantArrives) {
  const std::string pending = "A acquiring; A creates; B acquiring; 2s; B overwrites; 3s; ";
  EXPECT_EQ(violated(pending + "A granted"), "owner-only-change");
  EXPECT_EQ(violated(pending + "A granted until 2s"), "owner-only-change");
  EXPECT_EQ(violated(pending + "A granted until 1s"), "");
  EXPECT_EQ(violated(pending + "A overwrites; A granted"), "");
  EXPECT_EQ(violated(pending + "A refused"), "");
}

TEST(OwnerOnlyChange, LetsAWaiterTakeOverAfterTheLease) {
  const std::string leased = "A acquiring; A creates; 1s; A granted until 4s; B acquiring; ";
  EXPECT_EQ(violated(leased + "4s; B overwrites"), "owner-only-change");
  EXPECT_EQ(violated(leased + "4001ms; B overwrites"), "");
}

// --- truthful-release ---

TEST(TruthfulRelease, CatchesEveryWayToLoseTheLock) {
  const std::string lie = "; A releasing; 6s; A released";
  EXPECT_EQ(only_finding(a_holds + "4s; key expires" + lie).because,
            "At 6s release() told A that it had held the lock until then; but its key expired at 4s.");
  EXPECT_EQ(violated(a_holds + "key lost" + lie), "truthful-release");
  EXPECT_EQ(violated(a_holds + "B acquiring; B overwrites" + lie), "owner-only-change truthful-release");
  EXPECT_EQ(violated(a_holds + "B acquiring; B removes" + lie), "owner-only-release truthful-release");
  EXPECT_EQ(violated("A acquiring; A granted" + lie), "truthful-release");
}

TEST(TruthfulRelease, ComparesTheLossWithItsOwnCommandNotWithTheCall) {
  EXPECT_EQ(violated(a_holds + "A releasing; key expires; A released"), "truthful-release");
  EXPECT_EQ(violated(a_holds +
                     "A releasing; A removes; B acquiring; B creates; B granted; key expires; A released"),
            "");
  EXPECT_EQ(violated(a_holds + "key expires; B acquiring; B creates; A releasing; A removes; A released"),
            "truthful-release");
}

TEST(TruthfulRelease, AllowsEveryOtherAnswer) {
  EXPECT_EQ(violated(a_holds + "key expires; A releasing; A unknown"), "");
  EXPECT_EQ(violated(a_holds + "A belief-ends; key expires; A releasing; A not-held"), "");
  EXPECT_EQ(violated(a_holds + "A releasing; A removes; A not-held"), "");
}

TEST(TruthfulRelease, CountsTheHoldThatStoodAtTheGrant) {
  EXPECT_EQ(
      violated(
          "A acquiring; A creates; key expires; A creates; A granted; A releasing; A removes; A released"),
      "");
  EXPECT_EQ(
      violated(
          "A acquiring; A creates; key expires; A granted; A creates; A releasing; A removes; A released"),
      "truthful-release");
  EXPECT_EQ(violated("A acquiring; A creates; A removes; A granted; A releasing; A released"),
            "truthful-release");
}

// --- recovery ---

TEST(Recovery, NamesTheKeyThatStandsInTheWay) {
  EXPECT_EQ(
      only_finding("2s; A acquiring; A creates; A crashed; 3s; P calm; P acquiring; P refused; 18s; ended")
          .because,
      "A new client, P, tried for 15s after the last fault and was not granted the lock: the key that A "
      "wrote at 2s "
      "still stands and has no expiry.");
  EXPECT_THAT(
      only_finding("A acquiring; A creates; A touches until 1000s; P calm; P acquiring; P refused; ended")
          .because,
      HasSubstr("still stands and expires at 1000s."));
  EXPECT_THAT(
      only_finding("A acquiring; A creates; P calm; key expires; P acquiring; P refused; ended").because,
      HasSubstr("although no key stands in its way."));
}

TEST(Recovery, NeedsAGrantToTheProbeAfterTheFaults) {
  EXPECT_EQ(violated("P calm; P acquiring; P granted; P releasing; P unknown; ended"), "");
  EXPECT_EQ(violated("P calm; ended"), "recovery");
  EXPECT_EQ(violated("P acquiring; P granted; P calm; ended"), "recovery");
  EXPECT_EQ(violated("P calm; A acquiring; A granted; ended"), "recovery");
  EXPECT_EQ(violated("A acquiring; A creates; ended"), "");
  EXPECT_EQ(violated("P calm; P acquiring; P refused"), "");
}

// --- reentrancy ---

TEST(Reentrancy, TheFirstOfTwoReleasesFreesTheLock) {
  const Finding found = only_finding(a_holds + "A again; 3s; A removes; A released-again");
  EXPECT_EQ(found.property, Property::reentrancy);
  EXPECT_EQ(found.because,
            "At 3s A, which holds the lock since 1s, freed it with the first of two releases.");
}

TEST(Reentrancy, AClientThatHasLostTheLockMayBeRefused) {
  EXPECT_EQ(violated(a_holds + "4s; key expires; A refused-again; A releasing; A not-held"), "");
}

}  // namespace
}  // namespace holdfast
