// The simulated server as a cluster against a real one, of one node with all slots: which keys a command has,
// in which slots they are, and what is refused.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>

#include "sim/live/command_generator_test.hpp"
#include "sim/live/no_server_test.hpp"
#include "sim/live/server_pair_test.hpp"
#include "sim/stores/redis/slots.hpp"
#include "sim/stores/redis/words.hpp"

namespace holdfast::redis {
namespace {

// Its sessions of own connections are one on each side.
class ClusterPair {
 public:
  static std::unique_ptr<ClusterPair> start() {
    const std::string port = std::to_string(live::RedisProcess::free_port());
    const std::string bus = std::to_string(live::RedisProcess::free_port());
    std::unique_ptr<live::RedisProcess> process =
        live::RedisProcess::start({"--cluster-enabled", "yes", "--cluster-port", bus, "--port", port});
    return process ? std::unique_ptr<ClusterPair>(new ClusterPair(std::move(process))) : nullptr;
  }
  Reply real(const Argv& argv) { return client_.send(argv); }
  // nullopt: what follows is left to the real server.
  struct Outcome {
    Reply real;
    Reply model;
    bool agree = false;
  };
  std::optional<Outcome> run(const Argv& argv, const std::string& name) {
    Redis tried = model_;
    Changes changes;
    Pushes pushes;
    const WallTime now = ServerPair::now();
    const std::optional<Reply> answer = tried.execute(ConnectionId{1}, argv, now, changes, pushes);
    if (!answer || !pushes.empty() || !tried.not_simulated().what.empty()) return std::nullopt;
    model_ = std::move(tried);
    Outcome outcome{client_.send(argv), *answer, false};
    constexpr std::chrono::milliseconds slowest{20};
    outcome.agree = answers_agree(name, slowest, outcome.real, outcome.model);
    return outcome;
  }
  void reset() {
    client_.send({"RESET"});
    client_.send_all({{"FLUSHALL"}, {"SCRIPT", "FLUSH"}});
    model_ = Redis(scripts_);
    model_.configure("cluster-enabled", "yes");
  }

 private:
  explicit ClusterPair(std::unique_ptr<live::RedisProcess> process)
      : process_(std::move(process)), client_(process_->socket_path()), model_(scripts_) {
    client_.send({"CLUSTER", "ADDSLOTSRANGE", "0", "16383"});
    constexpr int attempts_most = 500;
    for (int i = 0; i < attempts_most && !client_.send({"SET", "a", "b"}).is_ok(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    reset();
  }
  std::unique_ptr<live::RedisProcess> process_;
  live::BlockingClient client_;
  Scripts scripts_;
  Redis model_;
};

// Half of all commands have their keys in one slot.
Argv tagged(Argv argv) {
  static constexpr auto keys = std::to_array<std::string_view>(
      {"a", "b", "c", "key:4", "list1", "list2", "set1", "set2", "zset1", "zset2", "hash1", "hash2"});
  const std::string tag = random::pick(2) == 0 ? "" : random::pick(2) == 0 ? "{t}" : "{u}:";
  for (std::size_t i = 1; i < argv.size(); ++i)
    if (std::find(keys.begin(), keys.end(), argv[i]) != keys.end()) argv[i].insert(0, tag);
  return argv;
}

// Scripts and what connections remember are in the list of tricky ones.
bool is_left_out(const std::string& name) {
  static constexpr auto names = std::to_array<std::string_view>(
      {"time", "multi", "exec", "discard", "watch", "subscribe", "psubscribe", "unsubscribe", "punsubscribe",
       "client", "script", "config", "pubsub", "sync", "srandmember", "reset"});
  return name.starts_with("eval") || std::find(names.begin(), names.end(), name) != names.end();
}

TEST(ClusterConformance, SlotsAndKeysAreThoseOfRedis) {
  const std::unique_ptr<ClusterPair> servers = ClusterPair::start();
  if (!servers) GTEST_SKIP() << live::no_server;
  std::int64_t compared = 0;
  EXPECT_TRUE(rc::check("slots", [&] {
    const std::string key =
        *rc::gen::container<std::string>(rc::gen::element('{', '}', 'a', 'b', '\0', '\xff'));
    RC_ASSERT(servers->real({"CLUSTER", "KEYSLOT", key}).number() == slot_of(key));
    ++compared;
  }));
  EXPECT_TRUE(rc::check("keys", [&] {
    const Argv argv = *random::command();
    const Command command(argv);
    const CommandRow* const row = find_row(command.argv());
    if (row == nullptr || !row->takes(argv.size())) return;
    Argv asked{"COMMAND", "GETKEYS"};
    asked.insert(asked.end(), argv.begin(), argv.end());
    const Reply real = servers->real(asked);
    const std::vector<std::string_view> keys = keys_of(*row, command.argv());
    Replies expected;
    for (const std::string_view key : keys) expected.push_back(Reply::bulk(std::string(key)));
    if (real.is_error()) RC_ASSERT(keys.empty());
    else RC_ASSERT(sorted(real.elements()) == sorted(expected));
    ++compared;
  }));
  std::cout << "compared " << compared << " keys and commands\n";
}

TEST(ClusterConformance, RandomCommandsAreRefusedAlike) {
  const std::unique_ptr<ClusterPair> servers = ClusterPair::start();
  if (!servers) GTEST_SKIP() << live::no_server;
  std::int64_t compared = 0;
  std::int64_t refused = 0;
  EXPECT_TRUE(rc::check("same replies", [&] {
    servers->reset();
    constexpr int commands = 60;
    for (int i = 0; i < commands; ++i) {
      const Argv argv = tagged(*random::command());
      const std::string name = to_lower(argv[0]);
      if (is_left_out(name)) continue;
      const std::optional<ClusterPair::Outcome> outcome = servers->run(argv, name);
      if (!outcome) continue;
      ++compared;
      refused += outcome->real.is_error() && outcome->real.text().starts_with("CROSSSLOT");
      // Keys that die meanwhile are compared elsewhere.
      if (!outcome->agree && name.find("tl") == std::string::npos)
        RC_FAIL(show(argv) + "\n  real:  " + show(outcome->real) + "\n  model: " + show(outcome->model));
    }
  }));
  EXPECT_GT(refused, compared / 100);
  std::cout << "compared " << compared << " random commands, " << refused << " of which were refused\n";
}

TEST(ClusterConformance, TrickyCommandsAreRefusedAlike) {
  const std::unique_ptr<ClusterPair> servers = ClusterPair::start();
  if (!servers) GTEST_SKIP() << live::no_server;
  std::ifstream in(HOLDFAST_SOURCE_DIR "/sim/stores/redis/conformance_cluster.txt");
  std::int64_t compared = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::optional<Argv> argv = split_words(line);
    ASSERT_TRUE(argv) << line;
    const std::optional<ClusterPair::Outcome> outcome = servers->run(*argv, to_lower(argv->front()));
    ASSERT_TRUE(outcome) << line << ": not simulated";
    EXPECT_EQ(outcome->real, outcome->model)
        << line << "\n  real:  " << show(outcome->real) << "\n  model: " << show(outcome->model);
    ++compared;
  }
  EXPECT_GT(compared, 30);
  std::cout << "compared " << compared << " commands\n";
}

// One node with all slots lets a script ask for any key; here every slot may be on another node.
TEST(ClusterConformance, ScriptThatAsksForAKeyOfAnotherSlotDiffers) {
  const std::unique_ptr<ClusterPair> servers = ClusterPair::start();
  if (!servers) GTEST_SKIP() << live::no_server;
  const std::optional<ClusterPair::Outcome> outcome =
      servers->run({"EVAL", "return redis.call('GET', 'b')", "1", "a"}, "eval");
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->real.is_nil());
  EXPECT_TRUE(outcome->model.text().starts_with(
      "ERR Script attempted to access a non local key in a cluster node script: "))
      << outcome->model.text();
}

}  // namespace
}  // namespace holdfast::redis
