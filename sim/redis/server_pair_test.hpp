// For tests: the simulated server and a private real one, given the same commands at the same time.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "sim/core/reply.hpp"
#include "sim/live/blocking_client.hpp"
#include "sim/live/redis_process.hpp"
#include "sim/redis/redis.hpp"
#include "sim/redis/scripts.hpp"

namespace holdfast::redis {

using Argv = std::vector<std::string>;

inline std::string to_lower(std::string text) {
  for (char& letter : text)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return text;
}

// Printable, in one line, with its kind.
inline std::string show(std::string_view text) {
  std::string shown = "\"";
  for (const char letter : text) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') shown += '\\';
    if (byte >= ' ' && byte < 0x7f) shown += letter;
    else (((shown += "\\x") += digits[byte >> 4]) += digits[byte & 15]);
  }
  return shown + '"';
}
inline std::string show(const Argv& argv) {
  std::string shown;
  for (const std::string& word : argv) shown += (shown.empty() ? "" : " ") + show(word);
  return shown;
}
inline std::string show(const Reply& reply) {
  switch (reply.kind()) {
    case Reply::Kind::nil: return "nil";
    case Reply::Kind::status: return "status " + show(reply.text());
    case Reply::Kind::integer: return "integer " + std::to_string(reply.number());
    case Reply::Kind::bulk: return "bulk " + show(reply.text());
    case Reply::Kind::error: return "error " + show(reply.text());
    case Reply::Kind::lost: return "lost";
    case Reply::Kind::array: break;
  }
  std::string shown = "[";
  for (const Reply& element : reply.elements()) shown += (shown.size() == 1 ? "" : ", ") + show(element);
  return shown + "]";
}

class ServerPair {
 public:
  struct Outcome {
    Reply real;
    Reply model;
    // Something died, or may have died, while the command was under way: nothing can be said.
    bool is_ambiguous = false;
    bool agree = false;
  };

  // nullptr without a redis-server. Then say GTEST_SKIP() << no_server.
  static std::unique_ptr<ServerPair> start() {
    std::unique_ptr<live::RedisProcess> process = live::RedisProcess::start();
    return process ? std::unique_ptr<ServerPair>(new ServerPair(std::move(process))) : nullptr;
  }
  static constexpr const char* no_server = "skipped: no redis-server";

  // Both servers are as if newly started.
  void reset() {
    client_.send_all({{"FLUSHALL"}, {"SCRIPT", "FLUSH"}});
    model_.restart();
    slowest_ = std::chrono::milliseconds(0);
  }
  // For a real server that has crashed.
  void restart() {
    process_->restart();
    client_ = live::BlockingClient(process_->socket_path());
    reset();
  }
  void sleep(std::chrono::milliseconds duration) { std::this_thread::sleep_for(duration); }

  // `name` is the command whose reply this is: argv[0], or what a script passes on. REQUIRES: in lower case.
  Outcome run(const Argv& argv, const std::string& name) {
    keep_clear_of_expiry();
    if (may_tie(argv)) return Outcome{Reply(), Reply(), true, false};
    // Redis counts keys that have died until it comes across them; the model does not (known_differences).
    if (name == "dbsize") client_.send({"SCAN", "0", "COUNT", "10000"});
    const WallTime sent = now();
    Outcome outcome;
    outcome.real = client_.send(argv);
    const WallTime received = now();
    const std::optional<WallTime> next = model_.next_expiry();
    outcome.is_ambiguous = next && *next > sent - margin && *next < received + margin;
    slowest_ = std::max(slowest_, std::chrono::ceil<std::chrono::milliseconds>(received - sent));
    outcome.model = execute(argv, received);
    outcome.agree = agree(name, outcome.real, outcome.model);
    return outcome;
  }
  Outcome run(const Argv& argv) { return run(argv, to_lower(argv[0])); }
  Reply execute(const Argv& argv, WallTime at) {
    changes_.clear();
    return model_.execute(argv, at, changes_);
  }
  Redis& model() { return model_; }
  static WallTime now() {
    const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    return WallTime(std::chrono::duration_cast<Duration>(since_epoch));
  }

 private:
  // Wider than the scheduling of this machine usually is; what is slower makes an outcome ambiguous, not
  // wrong.
  static constexpr Duration margin = 3ms;

  explicit ServerPair(std::unique_ptr<live::RedisProcess> process)
      : process_(std::move(process)), client_(process_->socket_path()), model_(scripts_) {}

  // Waits until no key is about to die.
  void keep_clear_of_expiry() {
    constexpr Duration too_close = 20ms;
    while (true) {
      changes_.clear();
      model_.expire_due(now(), changes_);
      const std::optional<WallTime> next = model_.next_expiry();
      if (!next || *next > now() + too_close) return;
      const Duration wait = *next - now() + 2 * margin + slowest_;
      if (wait > Duration(0)) std::this_thread::sleep_for(wait);
    }
  }

  // Whether GT or LT may have to compare two times that the two servers' clocks do not order alike.
  bool may_tie(const Argv& argv) const {
    constexpr std::int64_t too_close_ms = 5000;
    const auto compares = [](const std::string& word) {
      return to_lower(word) == "gt" || to_lower(word) == "lt";
    };
    if (std::none_of(argv.begin(), argv.end(), compares)) return false;
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

  bool agree(const std::string& name, const Reply& real, const Reply& model) const {
    const std::int64_t tolerance_ms = 2 * slowest_.count() + 2;
    const auto is_near = [&](std::int64_t unit_ms) {
      if (real.kind() != Reply::Kind::integer || real.kind() != model.kind()) return real == model;
      if (real.number() < 0 || model.number() < 0) return real == model;
      return std::abs(real.number() - model.number()) <= (tolerance_ms + unit_ms - 1) / unit_ms;
    };
    if (name == "pttl" || name == "pexpiretime") return is_near(1);
    if (name == "ttl" || name == "expiretime") return is_near(1000);
    if (name == "time" && real.elements().size() == 2 && model.elements().size() == 2) {
      const auto second = [](const Reply& reply) { return std::atoll(reply.elements()[0].text().c_str()); };
      return std::abs(second(real) - second(model)) <= 1;
    }
    if (name == "keys" && real.kind() == Reply::Kind::array && model.kind() == Reply::Kind::array)
      return sorted(real) == sorted(model);
    return real == model;
  }

  static std::vector<std::string> sorted(const Reply& reply) {
    std::vector<std::string> texts;
    for (const Reply& element : reply.elements()) texts.push_back(show(element));
    std::sort(texts.begin(), texts.end());
    return texts;
  }

  std::unique_ptr<live::RedisProcess> process_;
  live::BlockingClient client_;
  Scripts scripts_;
  Redis model_;
  Changes changes_;
  // The longest that a command took since the last reset: how far the two servers' times of one command can
  // differ.
  std::chrono::milliseconds slowest_{0};
};

}  // namespace holdfast::redis
