// `holdfast live` and `holdfast hunt` of locks on other stores than Redis, each on a private real one.
#include <gmock/gmock-more-matchers.h>

#include "sim/cli/program_test.hpp"
#include "sim/live/store_process.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::ordered_json;

class LiveOnStores : public Program {
 protected:
  static std::string missing(StoreKind kind) { return live::StoreProcess::missing(kind); }
  // No run without a fault gives the lock to two: that is what all of them are for.
  void expect_apart(const std::string& locks, std::size_t count) {
    const Outcome outcome = run("live " + locks + " --count 30 --clients 3 --work 1ms --format json");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = Json::parse(outcome.out);
    EXPECT_EQ(json["results"].size(), count);
    for (const Json& row : json["results"]) {
      EXPECT_EQ(row["pairs"], 30) << row;
      EXPECT_EQ(row["overlaps"], 0) << row;
      EXPECT_THAT(row["violations"], IsEmpty()) << row;
    }
  }
};

// The session is the lock, and nothing tells its holder that it has ended.
TEST_F(LiveOnStores, WhoseSessionPostgresEndsHoldsBesideTheNext) {
  if (!missing(StoreKind::postgres).empty()) GTEST_SKIP() << missing(StoreKind::postgres);
  const Outcome outcome =
      run("live pg-advisory --seconds 2 --clients 3 --work 20ms --faults session-lost --one-in 10");
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(", PostgreSQL 1"));
  EXPECT_THAT(outcome.out, HasSubstr("pg-advisory: struck: session-lost "));
  EXPECT_THAT(outcome.out, HasSubstr("mutual-exclusion: At "));
}

TEST_F(LiveOnStores, WhatCannotBeDoneIsSaid) {
  const Outcome elsewhere = run("live etcd-mutex --count 1 --redis unix:/nowhere");
  EXPECT_EQ(elsewhere.code, 69);
  EXPECT_THAT(elsewhere.err, HasSubstr("etcd-mutex: it runs only on a private server"));
  if (!missing(StoreKind::postgres).empty()) GTEST_SKIP() << missing(StoreKind::postgres);
  const Outcome evicted = run("live pg-advisory --count 1 --faults eviction");
  EXPECT_EQ(evicted.code, 64);
  EXPECT_THAT(evicted.err, HasSubstr("--faults: eviction is not done to the postgres of pg-advisory"));
}

TEST_F(LiveOnStores, LocksOnPostgresKeepClientsApartNightly) {
  if (!missing(StoreKind::postgres).empty()) GTEST_SKIP() << missing(StoreKind::postgres);
  expect_apart("pg-advisory,pg-advisory-xact,row-lock,with-advisory-lock,shedlock-jdbc,laravel-database", 6);
}
TEST_F(LiveOnStores, LocksOnEtcdKeepClientsApartNightly) {
  if (!missing(StoreKind::etcd).empty()) GTEST_SKIP() << missing(StoreKind::etcd);
  expect_apart("etcd-mutex,etcd-lease-key,k8s-lease", 3);
}
TEST_F(LiveOnStores, LocksOnZooKeeperKeepClientsApartNightly) {
  if (!missing(StoreKind::zookeeper).empty()) GTEST_SKIP() << missing(StoreKind::zookeeper);
  expect_apart("zk-recipe,curator,kazoo", 3);
}

TEST_F(LiveOnStores, ARunOnPostgresIsConfirmedOnARealOne) {
  if (!missing(StoreKind::postgres).empty()) GTEST_SKIP() << missing(StoreKind::postgres);
  ASSERT_EQ(run("check pg-advisory --fault restart --rounds 1 --property mutual-exclusion").code, 1);
  const Outcome outcome = run("replay --live holdfast-out/pg-advisory+restart+mutual-exclusion.trace.json");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("confirmed on PostgreSQL 1"));
}

// A lease ends within a window, and a real etcd chooses where.
TEST_F(LiveOnStores, ARunOnEtcdCannotBeMadeRealAndIsNotTriedNightly) {
  ASSERT_EQ(run("check etcd-lease-key --fault pause --rounds 1 --property mutual-exclusion").code, 1);
  const Outcome outcome = run("replay --live holdfast-out/etcd-lease-key+pause+mutual-exclusion.trace.json");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out,
              HasSubstr("not confirmed: when leases end, and which numbers are given, cannot be"));
}

// A plain DELETE removes whatever stands under the name: after a pause, the key of the next holder.
TEST_F(LiveOnStores, AHuntSeesADeleteRemoveTheKeyOfTheNextHolderNightly) {
  if (!missing(StoreKind::etcd).empty()) GTEST_SKIP() << missing(StoreKind::etcd);
  std::string found;
  for (int i = 0; i < 3 && found.find("owner-only-release is violated in reality") == found.npos; ++i)
    found = run("hunt etcd-lease-key --param release=delete --faults pause --violated --properties "
                "owner-only-release --seconds 60")
                .out;
  EXPECT_THAT(found, HasSubstr("etcd-lease-key under pause: owner-only-release is violated in reality"));
}

}  // namespace
}  // namespace holdfast::cli
