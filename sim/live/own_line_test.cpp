// Connections of live clients' own: locks that block at the server or listen to it do so on a real one.
#include "sim/live/own_line.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <string>

#include "sim/live/no_server_test.hpp"
#include "sim/live/redis_process.hpp"
#include "sim/live/tally.hpp"
#include "sim/live/workload.hpp"

namespace holdfast::live {
namespace {

struct Outcome {
  RunFacts facts;
  std::uint64_t pairs = 0;
  std::uint64_t overlaps = 0;
};

Outcome contend(RedisProcess& server, const std::string& id, FaultSet faults = {}) {
  const Card& card = *algorithms::find(id);
  const Params params(card.parameters);
  Workload workload;
  workload.clients = 6;
  workload.work = 1ms;
  workload.retry = 1ms;
  workload.key_prefix = "test:" + id + ":";
  workload.unique = "u-";
  workload.length = 10s;
  workload.pairs = 300;
  workload.faults = faults;
  workload.one_in = 20;
  Tally tally(workload);
  Trace trace(false);
  trace.subscribe(tally);
  const RunFacts facts = perform(
      {Node(at_socket(server.socket_path()), &server)}, workload, [&] { return card.make(params); }, trace,
      [] { return false; });
  return {facts, tally.pairs(), tally.overlaps()};
}

class OwnLines : public testing::TestWithParam<const char*> {};

// A waiter that nobody wakes would wait for a lease of half a minute, or for ever.
TEST_P(OwnLines, WakeTheClientThatWaits) {
  const auto server = RedisProcess::start();
  if (!server) GTEST_SKIP() << no_server;
  const Outcome outcome = contend(*server, GetParam());
  EXPECT_EQ(outcome.facts.error, "");
  EXPECT_EQ(outcome.facts.cut_off, 0u);
  EXPECT_EQ(outcome.overlaps, 0u);
  EXPECT_EQ(outcome.pairs, 300u);
}

TEST_P(OwnLines, EndWithTheClientThatDiesAndWithTheServerThatRestarts) {
  const auto server = RedisProcess::start();
  if (!server) GTEST_SKIP() << no_server;
  const Outcome outcome = contend(*server, GetParam(), {Fault::crash, Fault::restart});
  EXPECT_EQ(outcome.facts.error, "");
  EXPECT_GT(outcome.pairs, 0u);
}

INSTANTIATE_TEST_SUITE_P(Lock, OwnLines,
                         testing::Values("python-redis-lock", "redisson", "redisson-rw", "redisson-fair"),
                         [](const auto& of) {
                           std::string name = of.param;
                           for (char& letter : name)
                             if (letter == '-') letter = '_';
                           return name;
                         });

}  // namespace
}  // namespace holdfast::live
