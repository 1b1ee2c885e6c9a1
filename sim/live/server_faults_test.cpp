// Servers are restarted, fail over and drop keys while clients use them, and only keys of the lock are
// dropped.
#include "sim/live/server_faults.hpp"

#include <gmock/gmock-matchers.h>

#include "sim/live/blocking_client.hpp"
#include "sim/live/no_server_test.hpp"
#include "sim/live/processes.hpp"
#include "sim/live/tally.hpp"
#include "sim/live/workload.hpp"

namespace holdfast::live {
namespace {

class ServerFaultsTest : public testing::Test {
 protected:
  void SetUp() override {
    server_ = RedisProcess::start();
    if (!server_) GTEST_SKIP() << no_server;
    nodes_.emplace_back(at_socket(server_->socket_path()), server_.get());
  }
  Reply ask(const std::vector<std::string>& argv) {
    return BlockingClient(server_->socket_path()).send(argv);
  }

  std::unique_ptr<RedisProcess> server_;
  std::vector<Node> nodes_;
};

TEST_F(ServerFaultsTest, OnlyKeysOfTheLockAreEvictedAndWhatFindsNoneDoesNotCount) {
  FaultChance chance({Fault::eviction}, 1, 1);
  ServerFaults faults(nodes_, "mine:", chance);
  ask({"MSET", "mine:a", "1", "{mine:a}:queue", "2", "others:a", "3"});
  for (int i = 0; i < 5; ++i) faults.disturb();
  EXPECT_EQ(chance.struck().at(Fault::eviction), 2u);
  EXPECT_EQ(ask({"KEYS", "*"}), Reply::array({Reply::bulk("others:a")}));
}

TEST_F(ServerFaultsTest, AFailoverLosesWhatTheReplicaDidNotSeeAndNothingElse) {
  FaultChance chance({Fault::failover}, 1, 1);
  ServerFaults faults(nodes_, "mine:", chance);
  ask({"SET", "kept", "x"});
  for (std::uint64_t failovers = 1; failovers <= 3; ++failovers) {
    faults.disturb();  // loses sight
    EXPECT_EQ(ask({"SET", "mine:a", "x"}), Reply::ok());
    EXPECT_EQ(ask({"MGET", "kept", "mine:a"}), Reply::array({Reply::bulk("x"), Reply::bulk("x")}));
    faults.disturb();  // takes over
    EXPECT_EQ(chance.struck().at(Fault::failover), failovers);
    EXPECT_EQ(ask({"MGET", "kept", "mine:a"}), Reply::array({Reply::bulk("x"), Reply::nil()}));
    faults.disturb();  // follows anew
  }
}

// In processes of their own, clients find the new server at the same address.
TEST_F(ServerFaultsTest, ClientsGoOnAfterFailovers) {
  Workload workload;
  workload.clients = 3;
  workload.retry = 1ms;
  workload.timeout = 100ms;
  workload.key_prefix = "test:";
  workload.unique = "u-";
  workload.length = 2s;
  workload.one_in = 5;
  workload.faults = {Fault::failover, Fault::eviction};
  const Card& card = *algorithms::find("token");
  Params params(card.parameters);
  params.set("ttl", "50ms");
  const auto make = [&] { return card.make(params); };
  for (const bool in_processes : {false, true}) {
    Tally tally(workload);
    Trace trace(false);
    trace.subscribe(tally);
    const auto never_stop = [] { return false; };
    const RunFacts facts = in_processes ? perform_in_processes(nodes_, workload, make, trace, never_stop)
                                        : perform(nodes_, workload, make, trace, never_stop);
    for (const Fault fault : {Fault::failover, Fault::eviction})
      EXPECT_GT(facts.struck.count(fault) != 0 ? facts.struck.at(fault) : 0, 0u) << id_of(fault);
    EXPECT_GT(tally.pairs(), 10u);
    EXPECT_EQ(facts.cut_off, 0u);
    EXPECT_EQ(facts.error, "");
  }
}

}  // namespace
}  // namespace holdfast::live
