#include "sim/live/performance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <memory>
#include <thread>
#include <utility>

#include "sim/core/invariant.hpp"
#include "sim/live/blocking_client.hpp"
#include "sim/live/loop.hpp"
#include "sim/live/player.hpp"

namespace holdfast::live {
namespace {

std::string shown(const Reply& reply) {
  switch (reply.kind()) {
    case Reply::Kind::nil: return "(nil)";
    case Reply::Kind::status: return reply.text();
    case Reply::Kind::integer: return fmt::format("(integer) {}", reply.number());
    case Reply::Kind::bulk: return fmt::format("\"{}\"", reply.text());
    case Reply::Kind::error: return fmt::format("(error) {}", reply.text());
    case Reply::Kind::lost: return "(nothing)";
    case Reply::Kind::array: break;
  }
  std::string list;
  for (const Reply& element : reply.elements()) list += (list.empty() ? "" : ", ") + shown(element);
  return "[" + list + "]";
}

std::string shown(const std::vector<std::string>& argv) { return fmt::format("{}", fmt::join(argv, " ")); }

bool is_time_left(const std::vector<std::string>& argv) {
  if (argv.front() != "EVAL") return argv.front() == "PTTL";
  return argv.at(1).find("'PTTL'") != std::string::npos || argv.at(1).find("'pttl'") != std::string::npos;
}

// The run is over where reality left it.
struct Departed {
  std::string what;
};

class Performer {
 public:
  Performer(const Script& script, std::vector<ServerForRun>& servers,
            const std::function<bool()>& should_stop)
      : script_(script), servers_(servers), should_stop_(should_stop) {}

  Performance perform() {
    begin_ = steady_now();
    for (const ServerForRun& server : servers_)
      for (const auto& [key, value] : script_.store)
        BlockingClient(server.address()).send({"SET", key, value});
    for (const Event& event : script_.events) {
      current_ = &event;
      now_ = event.at;
      try {
        wait_until(event.at);
        std::visit(
            [this](const auto& what) {
              if constexpr (requires { act(what); }) act(what);
            },
            event.what);
      } catch (const Departed& departed) {
        done_.departure = Departure{event.step, departed.what};
        break;
      } catch (const std::exception& error) {  // of the lock, or there is no server any more
        done_.departure = Departure{event.step, error.what()};
        break;
      }
    }
    // What was looked at too late may have changed by then.
    if (done_.departure) latest_ = std::max(latest_, steady_now() - begin_ - script_.pace.real(now_));
    done_.length = steady_now() - begin_;
    done_.was_late = latest_ > script_.pace.margin;
    return std::move(done_);
  }

 private:
  // --- what clients do ---

  void act(const Started& what) { player(what.client).begin(what.wall_offset); }
  void act(const Crashed& what) { player(what.client).crash(); }
  void act(const Acquiring& what) {
    keys_[what.acquisition.client] = what.key;
    player(what.acquisition.client).begin_acquiring(what.key, what.mode);
  }
  void act(const Granted& what) {
    const Attempt attempt = attempt_of(what.acquisition.client);
    if (!attempt.is_granted()) depart(what.acquisition.client, "is not granted the lock: " + attempt.why());
    if (attempt.grant().token != what.token || attempt.grant().fence != what.fence)
      depart(what.acquisition.client, "is granted the lock with another token");
  }
  void act(const Refused& what) {
    const Attempt attempt = attempt_of(what.acquisition.client);
    // The simulated client turns down a grant whose lease is over.
    if (attempt.is_granted() && what.why == "the lease was over before the grant arrived") return;
    if (attempt.kind() == what.kind && attempt.why() == what.why) return;
    depart(what.acquisition.client,
           attempt.is_granted()
               ? std::string("is granted the lock")
               : fmt::format("is refused with \"{}\", and not with \"{}\"", attempt.why(), what.why));
  }
  void act(const Releasing& what) {
    player(what.acquisition.client).begin_releasing(keys_[what.acquisition.client]);
  }
  void act(const Released& what) {
    const ClientId client = what.acquisition.client;
    if (!player(client).has_released()) depart(client, "does not return from release()");
    if (player(client).take_release() != what.result) depart(client, "returns another result from release()");
  }
  void act(const Finished& what) {
    if (what.error.empty()) return;
    try {
      if (player(what.client).has_acquired()) player(what.client).take_attempt();
      if (player(what.client).has_released()) player(what.client).take_release();
    } catch (const std::exception& error) {
      if (error.what() == what.error) return;
    }
    depart(what.client, fmt::format("does not end with \"{}\"", what.error));
  }

  Attempt attempt_of(ClientId client) {
    if (!player(client).has_acquired()) depart(client, "does not return from acquire()");
    return player(client).take_attempt();
  }

  // --- messages ---

  void act(const Sent& what) {
    const ClientId client = self();
    Player& sender = player(client);
    if (!sender.has_sent()) depart(client, fmt::format("does not send {}", shown(what.argv)));
    const auto [node, argv] = sender.next_sent();
    if (node != what.node || *argv != what.argv)
      depart(client, fmt::format("sends {}, and not {}", shown(*argv), shown(what.argv)));
    sender.send_next(what.message);
    requests_[what.message.value] = {client, &what};
  }
  void act(const Executed& what) {
    const auto& [client, request] = requests_.at(what.message.value);
    const SteadyTime due = begin_ + script_.pace.real(now_);
    Reply reply = connection(client, what.node).send(request->argv);
    latest_ = std::max(latest_, steady_now() - due);
    ++done_.commands;
    if (reply.is_lost()) throw Departed{"the server does not answer"};
    // How much longer a key lives is told to the millisecond, which real time cannot be; the client is told
    // what it was told in the run.
    if (is_time_left(request->argv) && is_near(reply, what.reply)) reply = what.reply;
    if (reply != what.reply)
      throw Departed{fmt::format("{} is answered with {}, and not with {}", shown(request->argv),
                                 shown(reply), shown(what.reply))};
    replies_[what.message.value] = std::move(reply);
  }
  void act(const Delivered& what) { deliver(what.message, std::move(replies_[what.message.value])); }
  void act(const GaveUp& what) { deliver(what.message, Reply::lost()); }

  void deliver(MessageId message, Reply reply) {
    if (!player(self()).deliver(message, std::move(reply))) depart(self(), "does not wait for an answer");
  }

  // Whether both are times left, in milliseconds, that differ by no more than the run does from real time.
  bool is_near(const Reply& real, const Reply& simulated) const {
    const bool are_times = real.kind() == Reply::Kind::integer && simulated.kind() == Reply::Kind::integer &&
                           real.number() > 0 && simulated.number() > 0;
    const Duration apart = std::chrono::milliseconds(std::abs(real.number() - simulated.number()));
    const Duration elapsed = now_.time_since_epoch() - script_.pace.real(now_);
    return are_times && (apart <= elapsed || apart - elapsed <= script_.pace.margin);
  }

  // The client whose event this is.
  ClientId self() const {
    INVARIANT(current_->actor.kind == Actor::Kind::client, "only clients send and receive");
    return ClientId{current_->actor.index};
  }

  // --- servers ---

  // A server without data remembers no time: while it comes back, the run stands still.
  void act(const ServerRestarted& what) {
    const SteadyTime before = steady_now();
    RedisProcess* const process = servers_[what.node.value].process();
    INVARIANT(process != nullptr, "only private servers are restarted");
    process->restart();
    std::erase_if(connections_, [&](const auto& entry) { return entry.first.second == what.node; });
    begin_ += steady_now() - before;
    ++done_.restarts;
  }

  // What the simulated server holds after a command, the real one must hold, too.
  void act(const KeyChanged& what) {
    using Kind = KeyChanged::Kind;
    if (what.kind == Kind::expired || what.kind == Kind::lost || changes_again(what)) return;
    BlockingClient& control = connection(ClientId{~std::uint32_t{0}}, what.node);
    const Reply ttl = control.send({"PTTL", what.key});
    const bool exists = !ttl.is(-2);
    if (what.kind == Kind::removed) {
      if (exists) throw Departed{fmt::format("the server still has the key {}", what.key)};
      return;
    }
    if (!exists) throw Departed{fmt::format("the server has no key {}", what.key)};
    if (ttl.is(-1) != (what.expires_at == never))
      throw Departed{
          fmt::format("the key {} {} on the server", what.key, ttl.is(-1) ? "never expires" : "expires")};
    const Reply value = control.send({"GET", what.key});
    if (value.kind() == Reply::Kind::bulk && value.text() != what.value)
      throw Departed{fmt::format("the key {} is {} on the server, and not {}", what.key, shown(value),
                                 shown(Reply::bulk(what.value)))};
  }

  // Whether the same command changes the key once more.
  bool changes_again(const KeyChanged& what) const {
    const Event* const end = script_.events.data() + script_.events.size();
    for (const Event* next = current_ + 1; next != end && next->step == current_->step; ++next)
      if (const auto* const change = std::get_if<KeyChanged>(&next->what))
        if (change->node == what.node && change->key == what.key) return true;
    return false;
  }

  // --- the stage ---

  void wait_until(Instant at) {
    constexpr Duration slice = 50ms;
    const SteadyTime due = begin_ + script_.pace.real(at);
    for (SteadyTime now = steady_now(); now < due; now = steady_now()) {
      if (should_stop_()) throw Departed{"the performance was stopped"};
      std::this_thread::sleep_for(std::min(slice, due - now));
    }
  }

  Player& player(ClientId id) {
    std::unique_ptr<Player>& found = players_[id];
    if (!found) {
      const auto drift = script_.drift_ppm.find(id);
      const auto own = script_.own_params.find(id);
      const Params& params = own == script_.own_params.end() ? script_.params : own->second;
      found =
          std::make_unique<Player>(id, Player::Setting{script_.card, params, now_, script_.epoch,
                                                       drift == script_.drift_ppm.end() ? 0 : drift->second,
                                                       static_cast<std::uint32_t>(servers_.size())});
      for (const Choice& choice : script_.tape)
        if (choice.site == Site::jitter && choice.actor == actor_of(id)) found->add_jitter(choice);
    }
    return *found;
  }

  BlockingClient& connection(ClientId client, NodeId node) {
    std::unique_ptr<BlockingClient>& found = connections_[{client, node}];
    if (!found) found = std::make_unique<BlockingClient>(servers_.at(node.value).address());
    return *found;
  }

  [[noreturn]] static void depart(ClientId client, const std::string& what) {
    throw Departed{fmt::format("{} {}", name_of(client), what)};
  }

  const Script& script_;
  std::vector<ServerForRun>& servers_;
  const std::function<bool()>& should_stop_;
  Performance done_;
  SteadyTime begin_{};
  Duration latest_{};  // by how much a command came late
  Instant now_{};
  const Event* current_ = nullptr;
  std::map<std::uint32_t, std::pair<ClientId, const Sent*>> requests_;  // by message
  std::map<std::uint32_t, Reply> replies_;
  std::map<ClientId, std::string> keys_;
  std::map<std::pair<ClientId, NodeId>, std::unique_ptr<BlockingClient>> connections_;
  std::map<ClientId, std::unique_ptr<Player>> players_;  // last: destroyed first
};

}  // namespace

Performance perform_run(const Script& script, std::vector<ServerForRun>& servers,
                        const std::function<bool()>& should_stop) {
  return Performer(script, servers, should_stop).perform();
}

}  // namespace holdfast::live
