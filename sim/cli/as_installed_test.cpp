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

}  // namespace
}  // namespace holdfast::cli
