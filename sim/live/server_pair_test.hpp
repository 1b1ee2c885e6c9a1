// For tests: the simulated server and a private real one, given the same commands at the same time.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "sim/core/reply.hpp"
#include "sim/live/agreement_test.hpp"
#include "sim/live/blocking_client.hpp"
#include "sim/live/redis_process.hpp"
#include "sim/stores/redis/redis.hpp"
#include "sim/stores/redis/scripts.hpp"

namespace holdfast::redis {

class ServerPair {
 public:
  // Outcomes have what each connection received, in order: its messages, and then its answer.
  struct Outcome {
    Reply real;
    Reply model;
    // Something died, or may have died, while the command was under way: nothing can be said.
    bool is_ambiguous = false;
    bool agree = false;
    // The model says that it does not simulate this.
    bool is_not_simulated = false;
  };
  static constexpr std::size_t connections = 3;

  // nullptr without a redis-server. Then say GTEST_SKIP() << live::no_server.
  static std::unique_ptr<ServerPair> start() {
    std::unique_ptr<live::RedisProcess> process = live::RedisProcess::start();
    return process ? std::unique_ptr<ServerPair>(new ServerPair(std::move(process))) : nullptr;
  }

  // Both servers are as if newly started.
  void reset() {
    if (knows_connections()) {
      connect();
      control_.send({"PING"});
    }
    control_.send_all({{"FLUSHALL"}, {"SCRIPT", "FLUSH"}, {"CONFIG", "SET", "notify-keyspace-events", ""}});
    model_ = Redis(scripts_);
    for (std::vector<std::string>& names : queued_) names.clear();
    slowest_ = std::chrono::milliseconds(0);
  }
  // For a real server that has crashed.
  void restart() {
    process_->restart();
    control_ = live::BlockingClient(process_->socket_path());
    connect();
    reset();
  }
  void sleep(std::chrono::milliseconds duration) { std::this_thread::sleep_for(duration); }
  // Ends the connection and opens another one in its place.
  void disconnect(std::size_t connection) {
    model_.disconnect(id_of(connection));
    queued_[connection].clear();
    clients_[connection] = live::BlockingClient(process_->socket_path());
    collect();
  }
  bool is_waiting(std::size_t connection) const { return model_.is_waiting(id_of(connection)); }

  // `name` is the command whose reply this is: argv[0], or what a script passes on. REQUIRES: in lower case;
  // the connection does not wait.
  Outcome run(const Argv& argv, const std::string& name, std::size_t connection = 0) {
    Outcome outcome;
    if (!keep_clear(outcome)) return outcome;
    if (may_tie(argv)) return Outcome{Reply(), Reply(), true, false};
    // Redis counts keys that have died until it comes across them; the model does not (known_differences).
    // And who begins to listen may hear of them.
    const bool begins_to_listen = name == "config" || name == "subscribe" || name == "psubscribe";
    if (name == "dbsize" || name == "scan" || name == "exec" || begins_to_listen)
      control_.send({"SCAN", "0", "COUNT", "10000"});
    const WallTime sent = now();
    Received real = exchange(argv, connection);
    // Of a key that has died the real server tells when it comes across it.
    const bool tells_of_deaths = knows_connections() && model_.tells();
    if (tells_of_deaths) add(real, look_at_all_keys());
    const WallTime received = now();
    outcome.is_ambiguous =
        is_near(model_.next_expiry(), sent, received) || is_near(model_.next_wait_end(), sent, received);
    slowest_ = std::max(slowest_, std::chrono::ceil<std::chrono::milliseconds>(received - sent));
    Received model;
    Pushes pushes;
    changes_.clear();
    std::optional<Reply> answer = model_.execute(id_of(connection), argv, received, changes_, pushes);
    if (tells_of_deaths) model_.expire_due(received, changes_, pushes);
    // A wait that began here began earlier in the real server.
    const std::optional<WallTime> end = model_.next_wait_end();
    outcome.is_ambiguous |= end && *end - (received - sent) < received + margin;
    outcome.is_not_simulated = !model_.not_simulated().what.empty();
    for (Push& push : pushes) model[push.connection.value - 1].push_back(std::move(push.message));
    if (answer) model[connection].push_back(*answer);
    const std::vector<std::string> queued = note_queued(connection, name, answer);
    outcome.agree = replies_agree(name, queued, argv.size(), real, model);
    outcome.real = shown(std::move(real), connection);
    outcome.model = shown(std::move(model), connection);
    return outcome;
  }
  Outcome run(const Argv& argv) { return run(argv, to_lower(argv[0])); }
  Reply real_reply(const Argv& argv) { return control_.send(argv); }
  static WallTime now() {
    const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    return WallTime(std::chrono::duration_cast<Duration>(since_epoch));
  }

 private:
  using Received = std::array<std::vector<Reply>, connections>;
  // Wider than the scheduling of this machine usually is; what is slower makes an outcome ambiguous, not
  // wrong.
  static constexpr Duration margin = 3ms;

  explicit ServerPair(std::unique_ptr<live::RedisProcess> process)
      : process_(std::move(process)), control_(process_->socket_path()), model_(scripts_) {
    connect();
  }
  static ConnectionId id_of(std::size_t connection) {
    return ConnectionId{static_cast<std::uint32_t>(connection + 1)};
  }
  void connect() {
    clients_.clear();
    for (std::size_t i = 0; i < connections; ++i) clients_.emplace_back(process_->socket_path());
  }

  // Whether a command may bring anything but one answer.
  bool knows_connections() const {
    bool knows = false;
    model_.visit_connections([&](ConnectionId, std::string_view, std::optional<WallTime>) { knows = true; });
    return knows;
  }

  // What the real server sends because of one command, to all connections.
  Received exchange(const Argv& argv, std::size_t connection) {
    static const std::vector<std::string> may_wait_or_say_more{
        "blpop", "brpop",     "blmove",     "brpoplpush",  "bzpopmin",    "bzpopmax",
        "wait",  "subscribe", "psubscribe", "unsubscribe", "punsubscribe"};
    Received received;
    if (!knows_connections() && std::find(may_wait_or_say_more.begin(), may_wait_or_say_more.end(),
                                          to_lower(argv[0])) == may_wait_or_say_more.end()) {
      received[connection].push_back(clients_[connection].send(argv));
      return received;
    }
    clients_[connection].post(argv);
    return collect();
  }
  // What has arrived by now. The server has sent all of it when it answers the second of two requests, for it
  // looks at all connections in turn.
  Received collect() {
    for (int i = 0; i < 2; ++i) control_.send({"PING"});
    Received received;
    for (std::size_t i = 0; i < connections; ++i) {
      while (std::optional<Reply> reply = clients_[i].poll()) {
        received[i].push_back(*reply);
        if (reply->is_lost()) break;
      }
    }
    return received;
  }

  Received look_at_all_keys() {
    control_.send({"SCAN", "0", "COUNT", "10000"});
    return collect();
  }
  static void add(Received& received, Received more) {
    for (std::size_t i = 0; i < connections; ++i)
      for (Reply& reply : more[i]) received[i].push_back(std::move(reply));
  }

  // Waits until no key is about to die and no wait about to end. False when what connections then receive
  // differs.
  bool keep_clear(Outcome& outcome) {
    constexpr Duration too_close = 20ms;
    while (true) {
      changes_.clear();
      Pushes pushes;
      model_.expire_due(now(), changes_, pushes);
      model_.end_waits_due(now(), pushes);
      if (!pushes.empty()) {
        Received model;
        for (Push& push : pushes) model[push.connection.value - 1].push_back(std::move(push.message));
        Received real = look_at_all_keys();
        // Several may have died since.
        outcome.agree = true;
        for (std::size_t i = 0; i < connections; ++i)
          outcome.agree = outcome.agree && sorted(real[i]) == sorted(model[i]);
        outcome.real = shown(std::move(real), connections);
        outcome.model = shown(std::move(model), connections);
        if (!outcome.agree) return false;
      }
      const std::optional<WallTime> death = model_.next_expiry();
      const std::optional<WallTime> end = model_.next_wait_end();
      const WallTime next = std::min(death.value_or(WallTime::max()), end.value_or(WallTime::max()));
      if (next > now() + too_close + slowest_) return true;
      const Duration wait = next - now() + 2 * margin + slowest_;
      if (wait > Duration(0)) std::this_thread::sleep_for(wait);
    }
  }
  static bool is_near(std::optional<WallTime> time, WallTime sent, WallTime received) {
    return time && *time > sent - margin && *time < received + margin;
  }

  // The names of what EXEC carries out. Remembers them, because EXEC does not tell.
  std::vector<std::string> note_queued(std::size_t connection, const std::string& name,
                                       const std::optional<Reply>& answer) {
    if (answer == Reply::status("QUEUED")) queued_[connection].push_back(name);
    else if (name == "exec") return std::exchange(queued_[connection], {});
    else if ((name == "discard" || name == "reset") && answer && !answer->is_error())
      queued_[connection].clear();
    return {};
  }

  // Whether GT or LT may have to compare two times that the two servers' clocks do not order alike.
  bool may_tie(const Argv& argv) const {
    constexpr std::int64_t too_close_ms = 5000;
    const auto compares = [](const std::string& word) {
      return to_lower(word) == "gt" || to_lower(word) == "lt";
    };
    const bool sets_expiry = std::any_of(argv.begin(), argv.end(), [](const std::string& word) {
      return to_lower(word).find("expire") != std::string::npos;
    });
    if (!sets_expiry || std::none_of(argv.begin(), argv.end(), compares)) return false;
    bool may = false;
    model_.visit([&](std::string_view, std::string_view, std::optional<WallTime> expires_at) {
      if (!expires_at) return;
      const std::int64_t left_ms = to_milliseconds(*expires_at - now());
      for (const std::string& word : argv) {
        constexpr std::int64_t far_away = 1'000'000'000'000'000;
        const std::int64_t number = std::clamp<std::int64_t>(std::atoll(word.c_str()), -far_away, far_away);
        may |= std::abs(number - left_ms) < too_close_ms ||
               std::abs(number - left_ms / 1000) < too_close_ms / 1000;
      }
    });
    return may;
  }

  bool replies_agree(const std::string& name, const std::vector<std::string>& queued, std::size_t argc,
                     const Received& real, const Received& model) const {
    for (std::size_t i = 0; i < connections; ++i) {
      if (real[i].size() != model[i].size()) return false;
      if (real[i].size() > 1 && several_agree(name, queued, argc, real[i], model[i])) continue;
      for (std::size_t j = 0; j < real[i].size(); ++j) {
        const bool is_answer = j + 1 == real[i].size();
        if (!is_answer && real[i][j] != model[i][j]) return false;
        if (is_answer && !answers_agree(name, queued, slowest_, real[i][j], model[i][j])) return false;
      }
    }
    return true;
  }
  // Redis does not say in which order patterns are looked at, nor in which subscriptions end. And where the
  // answer of EXEC is in several pieces, one cannot tell which command they belong to.
  static bool several_agree(const std::string& name, const std::vector<std::string>& queued, std::size_t argc,
                            const Replies& real, const Replies& model) {
    if (sorted(real) == sorted(model)) return true;
    const bool ends_all = argc == 1 && (name == "unsubscribe" || name == "punsubscribe");
    if (!ends_all && name != "exec") return false;
    const bool tells_time = std::any_of(queued.begin(), queued.end(), [](const std::string& command) {
      return command == "client" || command.find("time") != std::string::npos ||
             command.find("ttl") != std::string::npos;
    });
    return tells_time ? pieces(real).size() == pieces(model).size() : pieces(real) == pieces(model);
  }

  // For people: the answer alone if there is nothing else.
  static Reply shown(Received received, std::size_t connection) {
    bool is_alone = connection < connections && received[connection].size() == 1;
    std::vector<Reply> lists;
    for (std::size_t i = 0; i < connections; ++i) {
      is_alone &= i == connection || received[i].empty();
      lists.push_back(Reply::array(received[i]));
    }
    return is_alone ? received[connection].front() : Reply::array(std::move(lists));
  }

  std::unique_ptr<live::RedisProcess> process_;
  live::BlockingClient control_;
  std::vector<live::BlockingClient> clients_;
  Scripts scripts_;
  Redis model_;
  Changes changes_;
  std::array<std::vector<std::string>, connections> queued_;
  // The longest that a command took since the last reset: how far the two servers' times of one command can
  // differ.
  std::chrono::milliseconds slowest_{0};
};

}  // namespace holdfast::redis
