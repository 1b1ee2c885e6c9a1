// The simulated Redis as a server on a socket, for programs that want to meet a Redis that misbehaves on
// purpose. Rules say which faults strike which commands. HOLDFAST, a command like any other, adds rules,
// moves the clock, and tells what struck.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/live/address.hpp"
#include "sim/live/live_clock.hpp"
#include "sim/live/loop.hpp"
#include "sim/live/stream.hpp"
#include "sim/serve/rule.hpp"
#include "sim/stores/redis/redis.hpp"
#include "sim/stores/redis/scripts.hpp"

namespace holdfast::serve {

using Words = std::vector<std::string>;  // of a command, its name first

struct Service {
  live::Address address;          // port 0: the system chooses one
  bool does_clock_stand = false;  // it moves only when HOLDFAST ADVANCE says so
  std::uint64_t seed = 1;         // of rules that strike by chance
  std::vector<Rule> rules;
};

class ServedRedis {
 public:
  // `on_strike` is told each time that a rule strikes a command. Throws std::system_error.
  ServedRedis(live::Loop& loop, Service service, std::function<void(const Rule&, const Words&)> on_strike);
  ~ServedRedis();
  ServedRedis(const ServedRedis&) = delete;

  const live::Address& address() const { return address_; }
  // Does what is due. Returns when more will be, on the loop's clock. To be called after each turn of the
  // loop.
  SteadyTime do_what_is_due();

 private:
  class Link;
  struct Standing {  // a rule, and what became of it
    Rule rule;
    std::uint64_t met = 0;  // commands that it concerns
    std::uint64_t struck = 0;
  };
  // What rules make of one command.
  struct Plan {
    Duration request_late{};
    Duration reply_late{};
    Duration silence{};  // nothing passes for so long, then the connection is cut
    bool loses_request = false;
    bool loses_reply = false;
    bool is_doubled = false;
  };
  // What a replica has not carried out yet. Without words: the connection ended.
  struct Replicated {
    ConnectionId connection;
    Words words;
    WallTime at;
    bool has_written = false;
  };

  Duration elapsed() const;
  WallTime now() const { return began_wall_ + elapsed() + jumped_; }
  void after(Duration delay, std::function<void()> act) { at(elapsed() + delay, std::move(act)); }
  // What is due at the same time is done in the order in which it was asked for.
  void at(Duration elapsed, std::function<void()> act);
  Plan plan_for(const Words& words);
  bool strikes(Standing& standing);
  void apply(const Rule& rule, const Words& words, Plan& plan);
  std::optional<Reply> execute(ConnectionId connection, const Words& words);
  void replicate(Replicated what);
  void catch_up();
  void deliver(Pushes pushes);
  void forget(ConnectionId connection);
  void cut(Link& link);
  // `but`: the number of a connection that stays; 0: none.
  void cut_all(std::uint32_t but);
  void restart(std::uint32_t but = 0);
  void fail_over(std::uint32_t but = 0);
  std::uint64_t evict(const Words& words, const std::string& glob);
  void advance(Duration duration);
  Reply control(const Words& words, const Link& link);
  Reply list_rules() const;
  Reply clear(const Words& words);

  live::Loop& loop_;
  const bool does_clock_stand_;
  const std::function<void(const Rule&, const Words&)> on_strike_;
  live::Address address_;
  live::LiveRandom random_;
  const SteadyTime began_ = live::steady_now();
  const WallTime began_wall_ = live::wall_now();
  Duration advanced_{};  // by command
  Duration jumped_{};    // of the server's clock alone
  redis::Scripts scripts_;
  redis::Redis redis_{scripts_};
  // It lacks the last write.
  redis::Redis replica_{scripts_};
  std::deque<Replicated> lag_;
  std::map<std::uint64_t, Standing> rules_;  // by number, from 1
  std::uint64_t rules_made_ = 0;
  std::multimap<Duration, std::function<void()>> due_;  // when so much has elapsed
  std::map<std::uint32_t, std::unique_ptr<Link>> links_;
  std::uint32_t accepted_ = 0;
  const std::shared_ptr<std::vector<std::unique_ptr<Link>>> ended_;  // not yet destroyed
  std::optional<live::Listener> listener_;
};

}  // namespace holdfast::serve
