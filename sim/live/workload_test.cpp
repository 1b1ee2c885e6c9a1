// Live clients: what they send, what they are told, and what becomes of them when the server does not answer.
#include "sim/live/workload.hpp"

#include <gmock/gmock-matchers.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "sim/core/redis_client.hpp"
#include "sim/live/blocking_client.hpp"
#include "sim/live/no_server_test.hpp"
#include "sim/live/redis_process.hpp"
#include "sim/live/tally.hpp"
#include "sim/live/usable_server.hpp"

namespace holdfast::live {
namespace {

// SET NX PX with a token, and a plain DEL.
class Simple final : public Lock {
 public:
  explicit Simple(Duration at_most = {}) : at_most_(at_most) {}
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const Reply reply =
        co_await Redis(env.store()).set(key, token, SetOptions().px(1s).nx()).within(at_most_);
    if (reply.is_lost() || reply.is_error()) co_return Attempt::failed(reply.text());
    if (reply.is_nil()) co_return Attempt::refused("held");
    Grant grant(token);
    co_return Attempt(grant);
  }
  Task<Release> release(Env& env, std::string key, Grant) override {
    const Reply reply = co_await Redis(env.store()).del(key).within(at_most_);
    if (reply.is_lost() || reply.is_error()) co_return Release::unknown;
    co_return reply.is(1) ? Release::released : Release::not_held;
  }

 private:
  Duration at_most_;  // for each call; zero: the driver's
};

std::unique_ptr<Lock> make_simple() { return std::make_unique<Simple>(); }
std::unique_ptr<Lock> make_impatient() { return std::make_unique<Simple>(80ms); }

const auto never_stop = [] { return false; };

Workload quick(std::uint32_t clients) {
  Workload workload;
  workload.clients = clients;
  workload.work = 0us;
  workload.retry = 1ms;
  workload.key_prefix = "test:";
  workload.unique = "u-";
  workload.length = std::nullopt;
  return workload;
}

TEST(Live, EveryPairIsTwoCommandsAndTwoRoundTripsWithoutContention) {
  const auto server = RedisProcess::start();
  if (!server) GTEST_SKIP() << no_server;
  Workload workload = quick(16);
  workload.locks = 16;
  workload.pairs = 5000;
  Tally tally(workload);
  Trace trace(false);
  trace.subscribe(tally);
  const RunFacts facts =
      perform({at_socket(server->socket_path())}, workload, make_simple, trace, never_stop);
  EXPECT_EQ(tally.pairs(), 5000u);
  EXPECT_EQ(facts.commands, 10'000u);
  EXPECT_EQ(facts.round_trips, 10'000u);
  EXPECT_EQ(facts.breaks, 0u);
  EXPECT_EQ(tally.overlaps(), 0u);
  EXPECT_EQ(tally.refusals(), 0u);
  EXPECT_GT(tally.wait(500), 0us);
  EXPECT_LE(tally.wait(500), tally.wait(1000));
}

TEST(Live, ThousandsOfClientsShareOneConnectionOrHaveSome) {
  const auto server = RedisProcess::start();
  if (!server) GTEST_SKIP() << no_server;
  for (const std::uint32_t connections : {1u, 50u}) {
    Workload workload = quick(3000);
    workload.locks = 3000;
    workload.connections = connections;
    workload.pairs = 9000;
    workload.timeout = 10s;
    Tally tally(workload);
    Trace trace(false);
    trace.subscribe(tally);
    const Address address = at_socket(server->socket_path());
    const RunFacts facts = perform({address}, workload, make_simple, trace, never_stop);
    EXPECT_EQ(tally.pairs(), 9000u);
    EXPECT_EQ(facts.cut_off, 0u);
    EXPECT_EQ(BlockingClient(address).send({"DBSIZE"}), Reply::integer(0));
  }
}

TEST(Live, ClientsOfOneLockExcludeEachOther) {
  const auto server = RedisProcess::start();
  if (!server) GTEST_SKIP() << no_server;
  Workload workload = quick(8);
  workload.pairs = 500;
  Tally tally(workload);
  Trace trace(true);
  trace.subscribe(tally);
  perform({at_socket(server->socket_path())}, workload, make_simple, trace, never_stop);
  EXPECT_EQ(tally.pairs(), 500u);
  EXPECT_EQ(tally.overlaps(), 0u);
  EXPECT_GT(tally.refusals(), 0u);
  EXPECT_GT(tally.jain_index(), 0.1);
  // The events are those of a simulation, in the order of time.
  Instant last{};
  for (const Event& event : trace.events()) {
    EXPECT_GE(event.at, last);
    last = event.at;
  }
}

// The same on every server it has.
class Everywhere final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const Command command("INCR", key);
    const std::vector<Reply> replies = co_await env.ask_all(command);
    Grant grant(std::to_string(replies.size()));
    co_return Attempt(grant);
  }
  Task<Release> release(Env& env, std::string key, Grant) override {
    for (Store* const node : env.stores) co_await Redis(*node).incr(key);
    co_return Release::released;
  }
};

TEST(Live, ALockOnSeveralServersReachesEachOfThem) {
  std::vector<std::unique_ptr<RedisProcess>> servers;
  std::vector<Node> nodes;
  for (int i = 0; i < 3; ++i) {
    servers.push_back(RedisProcess::start());
    if (!servers.back()) GTEST_SKIP() << no_server;
    nodes.emplace_back(at_socket(servers.back()->socket_path()), servers.back().get());
  }
  Workload workload = quick(4);
  workload.locks = 4;
  workload.connections = 2;
  workload.pairs = 100;
  Trace trace(false);
  const auto make = [] { return std::make_unique<Everywhere>(); };
  const RunFacts facts = perform(nodes, workload, make, trace, never_stop);
  EXPECT_EQ(facts.commands, 600u);
  EXPECT_EQ(facts.round_trips, 400u);  // all at once, and then one after the other
  for (const Node& node : nodes) {
    std::int64_t sum = 0;
    for (int i = 0; i < 4; ++i)
      sum += std::stoll(BlockingClient(node.address).send({"GET", "test:lock:" + std::to_string(i)}).text());
    EXPECT_EQ(sum, 200);
  }
  // Any of them may be killed and come back.
  workload.faults = {Fault::restart};
  workload.one_in = 2;
  workload.pairs = std::nullopt;
  workload.length = 300ms;
  workload.timeout = 100ms;
  const RunFacts restarted = perform(nodes, workload, make, trace, never_stop);
  EXPECT_GT(restarted.struck.at(Fault::restart), 2u);
  EXPECT_EQ(restarted.cut_off, 0u);
}

// `timeout` is the driver's.
void stop_for_a_while(Duration timeout, std::unique_ptr<Lock> (*make)()) {
  const auto server = RedisProcess::start();
  if (!server) GTEST_SKIP() << no_server;
  Workload workload = quick(4);
  workload.locks = 4;
  workload.timeout = timeout;
  workload.length = 600ms;
  Tally tally(workload);
  Trace trace(false);
  trace.subscribe(tally);
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    server->stop();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    server->go_on();
  });
  const RunFacts facts = perform({at_socket(server->socket_path())}, workload, make, trace, never_stop);
  stopper.join();
  EXPECT_GE(tally.failures(), 4u);
  EXPECT_GT(tally.pairs(), 100u);
  EXPECT_EQ(facts.breaks, 0u);
  EXPECT_EQ(facts.cut_off, 0u);
}

TEST(Live, AServerThatStopsForAWhileCostsTimeoutsAndNothingElse) { stop_for_a_while(80ms, make_simple); }
TEST(Live, ACallMayHaveLessTimeThanTheDriverWouldGiveIt) { stop_for_a_while(10s, make_impatient); }

TEST(Live, FiftyRestartsOfTheServerNeitherHangNorCrash) {
  const auto server = RedisProcess::start();
  if (!server) GTEST_SKIP() << no_server;
  Workload workload = quick(32);
  workload.locks = 8;
  workload.connections = 4;
  workload.timeout = 200ms;
  Tally tally(workload);
  Trace trace(false);
  trace.subscribe(tally);
  std::atomic<bool> done = false;
  std::atomic<bool> over = false;
  // A server ends with the thread that started it.
  std::thread killer([&] {
    constexpr int restarts = 50;
    for (int i = 0; i < restarts; ++i) {
      server->restart();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    done = true;
    while (!over) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  });
  const RunFacts facts =
      perform({at_socket(server->socket_path())}, workload, make_simple, trace, [&] { return done.load(); });
  EXPECT_GE(facts.breaks, 50u);
  EXPECT_GT(tally.pairs(), 50u);
  EXPECT_EQ(facts.cut_off, 0u);
  EXPECT_EQ(facts.error, "");
  EXPECT_TRUE(delete_keys(at_socket(server->socket_path()), "test:").has_value());
  EXPECT_EQ(BlockingClient(server->socket_path()).send({"DBSIZE"}), Reply::integer(0));
  over = true;
  killer.join();
}

TEST(Live, ASilentServerIsGivenUpAndAskedAnew) {
  const auto server = RedisProcess::start();
  if (!server) GTEST_SKIP() << no_server;
  Workload workload = quick(4);
  workload.locks = 4;
  workload.timeout = 20ms;
  workload.length = 800ms;
  Tally tally(workload);
  Trace trace(false);
  trace.subscribe(tally);
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    server->stop();
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    server->go_on();
  });
  const RunFacts facts =
      perform({at_socket(server->socket_path())}, workload, make_simple, trace, never_stop);
  stopper.join();
  EXPECT_GE(facts.breaks, 1u);
  EXPECT_EQ(facts.cut_off, 0u);
}

TEST(Live, CrashedClientsComeBackAndRestartsLoseNobody) {
  const auto server = RedisProcess::start();
  if (!server) GTEST_SKIP() << no_server;
  Workload workload = quick(8);
  workload.locks = 4;
  workload.length = 1s;
  workload.one_in = 3;
  workload.faults = {Fault::crash, Fault::restart};
  workload.fault_length = 1ms;
  Tally tally(workload);
  Trace trace(true);
  trace.subscribe(tally);
  const RunFacts facts = perform({Node(at_socket(server->socket_path()), server.get())}, workload,
                                 make_simple, trace, never_stop);
  EXPECT_GT(facts.struck.at(Fault::crash), 3u);
  EXPECT_GT(facts.struck.at(Fault::restart), 3u);
  EXPECT_EQ(facts.cut_off, 0u);
  std::uint64_t started = 0;
  for (const Event& event : trace.events()) started += std::holds_alternative<Started>(event.what) ? 1 : 0;
  EXPECT_GT(started, 8u);
}

// Something listens that is no Redis server, and answers the same to everything.
class Impostor {
 public:
  explicit Impostor(std::string answer) : answer_(std::move(answer)) {
    std::string directory = testing::TempDir() + "holdfast-impostor-XXXXXX";
    path_ = std::string(::mkdtemp(directory.data())) + "/s";
    listener_ = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path_.copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(listener_, 8), 0);
    thread_ = std::thread([this] { serve(); });
  }
  ~Impostor() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
    ::unlink(path_.c_str());
    ::rmdir(path_.substr(0, path_.size() - 2).c_str());
  }
  const std::string& path() const { return path_; }

 private:
  void serve() {
    for (int client = ::accept(listener_, nullptr, nullptr); client >= 0;
         client = ::accept(listener_, nullptr, nullptr)) {
      char buffer[1000];
      while (::read(client, buffer, sizeof buffer) > 0)
        if (::send(client, answer_.data(), answer_.size(), MSG_NOSIGNAL) < 0) break;
      ::close(client);
    }
  }
  std::string answer_;
  std::string path_;
  int listener_;
  std::thread thread_;
};

TEST(Live, WhatCannotBeUsedIsToldInOneLine) {
  const auto complaint = [](const std::string& answer) -> std::string {
    const Impostor impostor(answer);
    try {
      require_usable(at_socket(impostor.path()), "test:");
    } catch (const NoServer& error) {
      return error.what();
    }
    return "usable";
  };
  EXPECT_THAT(complaint("HTTP/1.1 400 Bad Request\r\n\r\n"),
              testing::EndsWith("does not speak Redis' protocol"));
  EXPECT_THAT(complaint("-NOAUTH Authentication required.\r\n"), testing::HasSubstr("wants a password"));
  EXPECT_THAT(complaint("-READONLY You can't write against a read only replica.\r\n"),
              testing::HasSubstr("is a read-only replica"));
  EXPECT_THAT(complaint("-OOM command not allowed when used memory > 'maxmemory'.\r\n"),
              testing::HasSubstr("has no memory left"));
  EXPECT_THAT(complaint("+OK\r\n"), testing::HasSubstr("is no Redis server"));
}

TEST(Live, AConnectionThatIsToldNonsenseBreaksAndEveryCallIsLost) {
  const Impostor impostor("nonsense\r\n");
  Workload workload = quick(3);
  workload.length = 100ms;
  Tally tally(workload);
  Trace trace(false);
  trace.subscribe(tally);
  const RunFacts facts = perform({at_socket(impostor.path())}, workload, make_simple, trace, never_stop);
  EXPECT_EQ(tally.grants(), 0u);
  EXPECT_GT(tally.failures(), 3u);
  EXPECT_GT(facts.breaks, 0u);
  EXPECT_EQ(facts.cut_off, 0u);
  EXPECT_THAT(facts.trouble, testing::HasSubstr("Protocol error"));
}

}  // namespace
}  // namespace holdfast::live
