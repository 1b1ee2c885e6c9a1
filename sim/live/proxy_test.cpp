// The proxy knows where messages end, and what it does to them is what clients see.
#include "sim/live/proxy.hpp"

#include <gmock/gmock-matchers.h>

#include "sim/core/redis_client.hpp"
#include "sim/live/blocking_client.hpp"
#include "sim/live/no_server_test.hpp"
#include "sim/live/redis_process.hpp"
#include "sim/live/tally.hpp"
#include "sim/live/workload.hpp"

namespace holdfast::live {
namespace {

TEST(Proxy, FindsTheEndOfEveryKindOfMessage) {
  for (const char* message :
       {"+OK\r\n", ":12\r\n", "-ERR no\r\n", "$-1\r\n", "$0\r\n\r\n", "$2\r\n\r\n\r\n", "*-1\r\n", "*0\r\n",
        "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n", "*2\r\n*1\r\n:1\r\n$-1\r\n"}) {
    const std::string whole = message;
    EXPECT_EQ(message_size(whole), whole.size()) << whole;
    EXPECT_EQ(message_size(whole + "+OK\r\n"), whole.size()) << whole;
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_EQ(message_size(whole.substr(0, size)), 0u) << whole.substr(0, size);
  }
}

// INCR, as often as it is granted: the counter tells how often a request was carried out.
class Counting final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const Reply reply = co_await Redis(env.store()).incr(key);
    if (reply.is_lost()) co_return Attempt::failed("no answer");
    Grant grant(std::to_string(reply.number()));
    co_return Attempt(grant);
  }
  Task<Release> release(Env& env, std::string key, Grant) override {
    const Reply reply = co_await Redis(env.store()).get(key);
    co_return reply.is_lost() ? Release::unknown : Release::released;
  }
};

struct Result {
  RunFacts facts;
  std::uint64_t grants = 0;
  std::uint64_t failures = 0;
  std::int64_t counter = 0;
};

Result run_with(const RedisProcess& server, Fault fault, Duration timeout = 200ms) {
  Workload workload;
  workload.clients = 1;
  workload.work = 0us;
  workload.retry = 0us;
  workload.timeout = timeout;
  workload.key_prefix = std::string(id_of(fault)) + ":";
  workload.length = std::nullopt;
  workload.pairs = 300;
  workload.faults = {fault};
  workload.one_in = 20;
  workload.fault_length = 2ms;
  Tally tally(workload);
  Trace trace(false);
  trace.subscribe(tally);
  const Address address = at_socket(server.socket_path());
  Result result;
  result.facts =
      perform({address}, workload, [] { return std::make_unique<Counting>(); }, trace, [] { return false; });
  result.grants = tally.grants();
  result.failures = tally.failures();
  result.counter = std::stoll(BlockingClient(address).send({"GET", workload.key_prefix + "lock:0"}).text());
  EXPECT_GT(result.facts.struck[fault], 5u) << id_of(fault);
  EXPECT_EQ(tally.pairs(), 300u) << id_of(fault);
  EXPECT_EQ(result.facts.cut_off, 0u) << id_of(fault);
  return result;
}

TEST(Proxy, WhatIsLateArrivesAndChangesNothing) {
  const auto server = RedisProcess::start();
  if (!server) GTEST_SKIP() << no_server;
  for (const Fault fault : {Fault::late_request, Fault::late_reply}) {
    const Result result = run_with(*server, fault, 10s);
    EXPECT_EQ(result.counter, 300);
    EXPECT_EQ(result.failures, 0u);
    EXPECT_EQ(result.facts.breaks, 0u);
    EXPECT_GE(result.facts.length, 2ms * result.facts.struck.at(fault));
  }
}

TEST(Proxy, ALostRequestIsNotCarriedOutAndALostReplyIs) {
  const auto server = RedisProcess::start();
  if (!server) GTEST_SKIP() << no_server;
  const Result request = run_with(*server, Fault::lost_request);
  EXPECT_EQ(request.counter, 300);
  EXPECT_GT(request.failures, 0u);
  EXPECT_EQ(request.facts.breaks, request.facts.struck.at(Fault::lost_request));
  const Result reply = run_with(*server, Fault::lost_reply);
  EXPECT_EQ(reply.counter, 300 + static_cast<std::int64_t>(reply.failures));
  EXPECT_GT(reply.failures, 0u);
}

TEST(Proxy, APartitionSwallowsRequestsRepliesOrBothAndThenBreaksTheConnection) {
  const auto server = RedisProcess::start();
  if (!server) GTEST_SKIP() << no_server;
  const Result result = run_with(*server, Fault::partition);
  // Some of what nobody was answered was carried out, some was not.
  EXPECT_GT(result.counter, 300);
  EXPECT_LT(result.counter, 300 + static_cast<std::int64_t>(result.failures));
  EXPECT_GT(result.facts.breaks, 0u);
  EXPECT_LE(result.facts.breaks, result.facts.struck.at(Fault::partition));
}

TEST(Proxy, ADuplicateIsCarriedOutTwiceAndAnsweredOnce) {
  const auto server = RedisProcess::start();
  if (!server) GTEST_SKIP() << no_server;
  const Result result = run_with(*server, Fault::duplicate);
  EXPECT_GT(result.counter, 300);
  EXPECT_LE(result.counter, 300 + static_cast<std::int64_t>(result.facts.struck.at(Fault::duplicate)));
  EXPECT_EQ(result.failures, 0u);
}

}  // namespace
}  // namespace holdfast::live
