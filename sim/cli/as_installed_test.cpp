// A library that gives its keys no lease by default is a lock of its own, beside the one with a lease.
#include "sim/cli/as_installed.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace holdfast::cli {
namespace {

struct Nothing final : Lock {
  Task<Attempt> acquire(Env&, std::string, Mode) override { co_return Attempt::refused("nothing"); }
  Task<Release> release(Env&, std::string, Grant) override { co_return Release::unknown; }
};

Card library(std::string_view lease) {
  Card card;
  card.id = "library";
  card.upstream = Upstream{.name = "library", .language = "C++"};
  card.parameters = {{"ttl", Parameter::Kind::duration, lease, "its lease"},
                     {"sleep", Parameter::Kind::duration, "1s", "between tries"}};
  return card;
}

TEST(AsInstalled, IsAboutLibrariesWithoutALeaseOfTheirOwn) {
  EXPECT_TRUE(has_no_lease_of_its_own(library("0s")));
  EXPECT_FALSE(has_no_lease_of_its_own(library("8s")));
  Card of_nobody = library("0s");
  of_nobody.upstream.reset();
  EXPECT_FALSE(has_no_lease_of_its_own(of_nobody));
}

TEST(AsInstalled, TheLockIsMadeWithTheDefaultLeaseAndWithTheOthersAsGiven) {
  Card card = library("0s");
  Duration lease = -1s;
  Duration sleep{};
  card.make = [&](const Params& params) -> std::unique_ptr<Lock> {
    lease = params.duration("ttl");
    sleep = params.duration("sleep");
    return std::make_unique<Nothing>();
  };
  const Card installed = as_installed(card, "library-as-installed");
  Params params(installed.parameters);
  EXPECT_FALSE(params.has("ttl"));
  params.set("sleep", "3s");
  installed.make(params);
  EXPECT_EQ(lease, 0s);
  EXPECT_EQ(sleep, 3s);
}

TEST(Editions, AreTheSameLockWithOtherDefaultsAndWithoutItsClaims) {
  Card card = library("8s");
  card.driver_retries = 3;
  card.claims = {{{Property::recovery}, {Fault::none}}};
  card.editions = {{.name = "old", .summary = "sleeps for longer", .params = {{"sleep", "5s"}}},
                   {.name = "other-driver", .summary = "asks once", .driver_retries = 0}};
  const Card old = edition_of(card, card.editions[0], "library-old");
  EXPECT_EQ(Params(old.parameters).duration("sleep"), 5s);
  EXPECT_EQ(Params(old.parameters).duration("ttl"), 8s);
  EXPECT_EQ(old.driver_retries, 3u);
  EXPECT_EQ(old.summary, "sleeps for longer");
  EXPECT_TRUE(old.claims.empty());
  EXPECT_TRUE(old.editions.empty());
  EXPECT_EQ(edition_of(card, card.editions[1], "library-other-driver").driver_retries, 0u);
}

TEST(Editions, OfEveryCardSetParametersThatItHasToValuesThatItAllows) {
  for (const Card& card : algorithms::all())
    for (const Edition& each : card.editions) {
      Params params(card.parameters);
      for (const auto& [name, value] : each.params) {
        EXPECT_TRUE(params.has(name)) << card.id << " " << name;
        params.set(name, value);
        EXPECT_NE(Params(card.parameters).text(name), value) << card.id << ": " << name << " is the default";
      }
      EXPECT_TRUE(!each.params.empty() || each.driver_retries) << card.id << "-" << each.name;
    }
}

}  // namespace
}  // namespace holdfast::cli
