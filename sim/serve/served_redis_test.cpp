// Claims about a Redis that misbehaves on purpose: each rule strikes as it says, and leaves all else alone.
#include "sim/serve/served_redis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sim/live/blocking_client.hpp"
#include "sim/live/private_directory.hpp"

namespace holdfast::serve {
namespace {

using live::BlockingClient;
using testing::ElementsAre;
using testing::HasSubstr;

// A server in a thread of its own.
class Served {
 public:
  explicit Served(const std::vector<std::string>& rules = {}, bool does_clock_stand = false,
                  std::uint64_t seed = 1, live::Address address = {}) {
    Service service;
    service.address =
        address.host.empty() ? live::at_socket(directory_.path() + "/redis.sock") : std::move(address);
    service.does_clock_stand = does_clock_stand;
    service.seed = seed;
    for (const std::string& rule : rules) service.rules.push_back(parse_rule(rule));
    std::promise<live::Address> told;
    thread_ = std::thread([this, &told, &service] {
      live::Loop loop;
      ServedRedis server(loop, std::move(service), [](const Rule&, const Words&) {});
      told.set_value(server.address());
      while (!is_over_) loop.turn(std::min(server.do_what_is_due(), live::steady_now() + 5ms));
    });
    address_ = told.get_future().get();
  }
  ~Served() {
    is_over_ = true;
    thread_.join();
  }

  const live::Address& address() const { return address_; }
  BlockingClient client() const { return BlockingClient(address_); }

 private:
  live::PrivateDirectory directory_;
  live::Address address_;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

// How long a command takes.
Duration time_of(BlockingClient& client, const Words& words) {
  const SteadyTime began = live::steady_now();
  client.send(words);
  return live::steady_now() - began;
}

std::vector<std::string> texts(const Reply& list) {
  std::vector<std::string> texts;
  for (const Reply& each : list.elements()) texts.push_back(each.text());
  return texts;
}

TEST(ServedRedis, ListensAtATcpPortThatIsFree) {
  const Served served({}, false, 1, live::parse_address("redis://127.0.0.1:0", 0));
  EXPECT_NE(served.address().port, 0);
  EXPECT_EQ(served.client().send({"PING"}), Reply::status("PONG"));
}
TEST(ServedRedis, AnswersAPipelineInItsOrder) {
  const Served served({"late-reply 50ms of GET"});
  BlockingClient client = served.client();
  const std::vector<Reply> replies =
      client.send_all({{"SET", "a", "1"}, {"GET", "a"}, {"INCR", "a"}, {"EVAL", "return KEYS[1]", "1", "k"}});
  EXPECT_THAT(replies, ElementsAre(Reply::ok(), Reply::bulk("1"), Reply::integer(2), Reply::bulk("k")));
}
TEST(ServedRedis, ALateRequestIsCarriedOutLateAndALateReplyAtOnce) {
  const Served served({"late-request 100ms of SET with a", "late-reply 100ms of SET with b"});
  BlockingClient slow = served.client();
  BlockingClient other = served.client();
  const SteadyTime began = live::steady_now();
  slow.post({"SET", "a", "1"});
  EXPECT_TRUE(other.send({"GET", "a"}).is_nil());
  slow.post({"SET", "b", "1"});
  slow.send({"PING"});
  EXPECT_GE(live::steady_now() - began, 100ms);
  EXPECT_EQ(other.send({"GET", "a"}), Reply::bulk("1"));

  BlockingClient late = served.client();
  other.send({"DEL", "b"});
  late.post({"SET", "b", "2"});
  late.poll();
  while (other.send({"GET", "b"}).is_nil()) {
  }
  EXPECT_EQ(late.poll(), std::nullopt) << "the server has it, and its client no answer";
  EXPECT_LT(time_of(other, {"SET", "c", "1"}), 50ms) << "a command that no rule concerns";
}
TEST(ServedRedis, ALossCutsTheConnectionBeforeOrAfterTheCommand) {
  const Served served({"lost-request of SET once", "lost-reply of INCR once"});
  BlockingClient other = served.client();
  EXPECT_TRUE(served.client().send({"SET", "a", "1"}).is_lost());
  EXPECT_TRUE(other.send({"GET", "a"}).is_nil());
  EXPECT_TRUE(served.client().send({"INCR", "a"}).is_lost());
  EXPECT_EQ(other.send({"GET", "a"}), Reply::bulk("1"));
  EXPECT_EQ(served.client().send({"SET", "a", "2"}), Reply::ok()) << "once is over";
}
TEST(ServedRedis, ADuplicateIsCarriedOutTwiceAndAnsweredOnce) {
  const Served served({"duplicate of INCR every 2"});
  BlockingClient client = served.client();
  EXPECT_EQ(client.send({"INCR", "a"}), Reply::integer(1));
  EXPECT_EQ(client.send({"INCR", "a"}), Reply::integer(2));
  EXPECT_EQ(client.send({"INCR", "a"}), Reply::integer(4));
}
TEST(ServedRedis, APartitionIsSilentAndThenCutsItsConnectionOnly) {
  const Served served({"partition 100ms of SET once"});
  BlockingClient apart = served.client();
  BlockingClient other = served.client();
  const SteadyTime began = live::steady_now();
  EXPECT_TRUE(apart.send({"SET", "a", "1"}).is_lost());
  EXPECT_GE(live::steady_now() - began, 100ms);
  EXPECT_TRUE(other.send({"GET", "a"}).is_nil());
}
TEST(ServedRedis, ARestartForgetsAllAndCutsAll) {
  const Served served({"restart of DEL with job once"});
  BlockingClient bystander = served.client();
  bystander.send({"SET", "job", "1"});
  EXPECT_TRUE(served.client().send({"DEL", "job"}).is_lost());
  EXPECT_TRUE(bystander.send({"GET", "job"}).is_lost());
  EXPECT_TRUE(served.client().send({"GET", "job"}).is_nil());
}
TEST(ServedRedis, AFailoverLacksTheLastWriteUnlessItWasWaitedFor) {
  const Served served;
  BlockingClient client = served.client();
  client.send({"SET", "a", "1"});
  client.send({"SET", "job", "1", "NX"});
  client.send({"GET", "job"});
  EXPECT_EQ(client.send({"HOLDFAST", "FAILOVER"}), Reply::ok());
  EXPECT_EQ(client.send({"GET", "a"}), Reply::bulk("1"));
  EXPECT_TRUE(client.send({"GET", "job"}).is_nil());
  client.send({"SET", "job", "2", "NX"});
  client.send({"WAIT", "1", "0"});
  client.send({"HOLDFAST", "FAILOVER"});
  EXPECT_EQ(client.send({"GET", "job"}), Reply::bulk("2"));
}
TEST(ServedRedis, EvictsTheKeyThatACommandNames) {
  const Served served({"eviction of GET with job once"});
  BlockingClient client = served.client();
  client.send({"MSET", "job", "1", "other", "1"});
  EXPECT_EQ(client.send({"GET", "other"}), Reply::bulk("1"));
  EXPECT_TRUE(client.send({"GET", "job"}).is_nil());
  client.send({"MSET", "job:1", "1", "job:2", "2"});
  EXPECT_EQ(client.send({"HOLDFAST", "EVICT", "job:*"}), Reply::integer(2));
  EXPECT_EQ(client.send({"DBSIZE"}), Reply::integer(1));
}
TEST(ServedRedis, ItsClockCanJump) {
  const Served served({"server-clock-jump 10s of PING once"});
  BlockingClient client = served.client();
  client.send({"SET", "job", "1", "PX", "9000"});
  EXPECT_EQ(client.send({"GET", "job"}), Reply::bulk("1"));
  client.send({"PING"});
  EXPECT_TRUE(client.send({"GET", "job"}).is_nil());
}
TEST(ServedRedis, AClockThatStandsMovesByCommandOnly) {
  const Served served({"late-reply 30s of INCR"}, true);
  BlockingClient clock = served.client();
  BlockingClient client = served.client();
  clock.send({"SET", "job", "1", "PX", "50"});
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(clock.send({"PTTL", "job"}), Reply::integer(50));
  clock.send({"HOLDFAST", "ADVANCE", "50ms"});
  EXPECT_EQ(clock.send({"GET", "job"}), Reply::bulk("1"));
  clock.send({"HOLDFAST", "ADVANCE", "1ms"});
  EXPECT_TRUE(clock.send({"GET", "job"}).is_nil());

  client.post({"INCR", "a"});
  client.post({"BLPOP", "list", "60"});
  client.poll();
  while (clock.send({"GET", "a"}).is_nil()) {
  }
  clock.send({"HOLDFAST", "ADVANCE", "29s"});
  EXPECT_EQ(client.poll(), std::nullopt);
  clock.send({"HOLDFAST", "ADVANCE", "32s"});
  EXPECT_EQ(client.send({"GET", "a"}), Reply::integer(1)) << "the answer to INCR";
  EXPECT_EQ(client.poll(), Reply::nil()) << "BLPOP waited its whole minute";
}
TEST(ServedRedis, OneInSoManyIsTheSameForTheSameSeed) {
  const auto struck = [](std::uint64_t seed) {
    const Served served({"duplicate of INCR one in 4"}, false, seed);
    BlockingClient client = served.client();
    std::vector<std::int64_t> values;
    for (int i = 0; i < 100; ++i) values.push_back(client.send({"INCR", "a"}).number());
    return values;
  };
  const std::vector<std::int64_t> first = struck(1);
  EXPECT_EQ(first, struck(1));
  EXPECT_NE(first, struck(2));
  EXPECT_GT(first.back(), 105);
  EXPECT_LT(first.back(), 150);
}
TEST(ServedRedis, ABlockedClientIsServedWhenAnotherPushes) {
  const Served served;
  BlockingClient waiting = served.client();
  BlockingClient other = served.client();
  waiting.post({"BLPOP", "list", "0"});
  waiting.poll();
  other.send({"RPUSH", "list", "a"});
  EXPECT_EQ(texts(waiting.send({"PING"})), (std::vector<std::string>{"list", "a"}));
}
TEST(ServedRedis, SubscribersHearInTheProtocolThatTheySpeak) {
  const Served served;
  BlockingClient old = served.client();
  BlockingClient other = served.client();
  old.send({"SUBSCRIBE", "news"});
  EXPECT_EQ(other.send({"PUBLISH", "news", "x"}), Reply::integer(1));
  std::optional<Reply> heard;
  while (!heard) heard = old.poll();
  EXPECT_EQ(texts(*heard), (std::vector<std::string>{"message", "news", "x"}));
}
TEST(ServedRedis, RulesComeAndGoByCommandAndCountWhatTheyDid) {
  const Served served({"lost-reply of SET"});
  BlockingClient client = served.client();
  EXPECT_EQ(client.send({"HOLDFAST", "RULE", "duplicate", "of", "INCR", "every", "2"}), Reply::integer(2));
  EXPECT_EQ(client.send({"HOLDFAST", "RULE", "restart of FLUSHALL"}), Reply::integer(3));
  client.send({"INCR", "a"});
  client.send({"INCR", "a"});
  EXPECT_THAT(texts(client.send({"HOLDFAST", "RULES"})),
              ElementsAre("1: lost-reply of SET; concerned 0, struck 0",
                          "2: duplicate of INCR every 2; concerned 2, struck 1",
                          "3: restart of FLUSHALL; concerned 0, struck 0"));
  EXPECT_EQ(client.send({"HOLDFAST", "CLEAR", "1"}), Reply::ok());
  EXPECT_EQ(client.send({"SET", "a", "1"}), Reply::ok());
  EXPECT_THAT(client.send({"HOLDFAST", "CLEAR", "1"}).text(), HasSubstr("there is no rule 1"));
  EXPECT_THAT(client.send({"HOLDFAST", "ADVANSE"}).text(), HasSubstr("did you mean ADVANCE?"));
  EXPECT_THAT(client.send({"HOLDFAST", "ADVANCE", "soon"}).text(), HasSubstr("such as 500ms"));
  EXPECT_THAT(client.send({"HOLDFAST", "RULE", "lost"}).text(), HasSubstr("is none of"));
}
TEST(ServedRedis, CutsWhatSpeaksAnotherProtocolAndNothingElse) {
  const Served served;
  BlockingClient client = served.client();
  EXPECT_EQ(client.send({"PING"}), Reply::status("PONG"));
  live::Address address = served.address();
  address.preamble = "*x\r\n";
  EXPECT_TRUE(BlockingClient(address).send({"PING"}).is_lost());
  EXPECT_EQ(client.send({"PING"}), Reply::status("PONG"));
}

}  // namespace
}  // namespace holdfast::serve
