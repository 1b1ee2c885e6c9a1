#include "sim/live/performance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <memory>
#include <set>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

#include "sim/core/invariant.hpp"
#include "sim/live/loop.hpp"
#include "sim/live/played_servers.hpp"
#include "sim/live/player.hpp"

namespace holdfast::live {
namespace {

constexpr std::array<std::string_view, 4> time_words{"'PTTL'", "'pttl'", "'TIME'", "'time'"};

// Scripts tell it as Redis does, or from the server's clock.
bool may_tell_time_left(const std::vector<std::string>& argv) {
  if (argv.front() != "EVAL") return argv.front() == "PTTL";
  return std::any_of(time_words.begin(), time_words.end(),
                     [&](std::string_view word) { return argv.at(1).find(word) != std::string::npos; });
}

class Performer {
 public:
  Performer(const Script& script, std::span<ServerForRun> servers, const std::function<bool()>& should_stop)
      : script_(script), servers_(servers, followed(script)), should_stop_(should_stop) {}

  Performance perform() {
    begin_ = steady_now();
    for (const auto& [key, value] : script_.store) servers_.fill(key, value);
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
  void act(const ClockSkewed& what) { player(what.client).set_wall_offset(what.offset); }
  void act(const Cancelled& what) {
    player(what.acquisition.client).cancel();
    cancelled_.insert(what.acquisition.client);
  }
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
    if (cancelled_.erase(what.acquisition.client) != 0) return;
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
    // The second of two equal requests, which the driver has sent.
    if (what.where.line == 0) {
      requests_[what.message.value] = {client, 0, &what};
      return;
    }
    Player& sender = player(client);
    if (!sender.has_sent()) depart(client, fmt::format("does not send {}", shown(what.argv)));
    const auto [node, line, argv] = sender.next_sent();
    if (node != what.node || argv != what.argv)
      depart(client, fmt::format("sends {}, and not {}", shown(argv), shown(what.argv)));
    servers_.expect(client, line);
    requests_[what.message.value] = {client, line, &what};
    sender.send_next(what.message);
  }
  void act(const Executed& what) {
    const auto unseen = script_.unseen.find(what.node);
    if (unseen != script_.unseen.end() && unseen->second == what.message) servers_.lose_sight(what.node);
    const auto& [client, line, request] = requests_.at(what.message.value);
    const SteadyTime due = begin_ + script_.pace.real(now_);
    ++done_.commands;
    if (what.reply.is_lost()) return servers_.begin_wait(client, what.node, line, request->argv);
    Reply reply = servers_.execute(client, what.node, line, request->argv);
    latest_ = std::max(latest_, steady_now() - due);
    if (reply.is_lost()) throw Departed{"the server does not answer"};
    // How much longer a key lives is told to the millisecond, which real time cannot be; the client is told
    // what it was told in the run.
    if (may_tell_time_left(request->argv) && is_near(reply, what.reply)) reply = what.reply;
    if (is_same_error(reply, what.reply)) reply = what.reply;
    require_equal(*request, reply, what.reply);
    replies_[what.message.value] = std::move(reply);
  }
  void act(const Pushed& what) {
    const auto& [client, line, request] = requests_.at(what.message.value);
    // Waits that are over end by the clock of the run, which the server's is behind.
    if (what.reply.is_nil()) {
      servers_.hang_up(client, line);
    } else if (const Reply real = servers_.end_wait(client, line); !is_same_error(real, what.reply)) {
      require_equal(*request, real, what.reply);
    }
    replies_[what.message.value] = what.reply;
  }
  // A database says which constraint, table and so on; what counts is the code before that.
  bool is_same_error(const Reply& real, const Reply& simulated) const {
    const auto code = [](const Reply& reply) { return reply.text().substr(0, reply.text().find(' ')); };
    return !script_.has_keys && real.is_error() && simulated.is_error() && code(real) == code(simulated);
  }
  static void require_equal(const Sent& request, const Reply& real, const Reply& simulated) {
    if (real == simulated) return;
    throw Departed{fmt::format("{} is answered with {}, and not with {}", shown(request.argv), shown(real),
                               shown(simulated))};
  }
  void act(const Delivered& what) {
    const auto reply = replies_.find(what.message.value);
    deliver(what.message, reply == replies_.end() ? Reply::lost() : reply->second);
  }
  void act(const GaveUp& what) {
    const Request& request = requests_.at(what.message.value);
    if (request.line != 0) servers_.hang_up(request.client, request.line);
    deliver(what.message, Reply::lost());
  }

  void deliver(MessageId message, Reply reply) {
    if (!player(self()).deliver(message, std::move(reply))) depart(self(), "does not wait for an answer");
  }

  // Whether both are times left, in milliseconds, that differ by no more than the run does from real time. (0
  // and 1 may be no and yes.)
  bool is_near(const Reply& real, const Reply& simulated) const {
    const std::pair<std::int64_t, std::int64_t> both = std::minmax({real.number(), simulated.number()});
    const bool are_times = real.kind() == Reply::Kind::integer && simulated.kind() == Reply::Kind::integer &&
                           both.first >= 0 && both.second > 1;
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
    servers_.restart(what.node);
    begin_ += steady_now() - before;
    ++done_.restarts;
  }
  // One with what it had on its disk.
  void act(const ServerRecovered& what) { act(ServerRestarted{what.node}); }
  void act(const FailedOver& what) { servers_.fail_over(what.node); }
  void act(const Evicted& what) { servers_.evict(what.node, what.key); }

  // What the simulated server holds after a command, the real one must hold, too.
  void act(const KeyChanged& what) {
    if (!script_.has_keys) return;
    if (what.kind != KeyChanged::Kind::expired && !changes_again(what)) servers_.require_key(what);
  }

  // Whether the same command changes the key once more.
  bool changes_again(const KeyChanged& what) const {
    const Event* const end = script_.events.data() + script_.events.size();
    for (const Event* next = current_ + 1; next != end && next->step == current_->step; ++next) {
      if (std::holds_alternative<Executed>(next->what)) return false;
      if (const auto* const change = std::get_if<KeyChanged>(&next->what))
        if (change->node == what.node && change->key == what.key) return true;
    }
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
      found = std::make_unique<Player>(
          id, Player::Setting{script_.card, params, now_, script_.epoch,
                              drift == script_.drift_ppm.end() ? 0 : drift->second, servers_.count(),
                              script_.driver_retries, [this](ClientId client, std::uint32_t line) {
                                servers_.hang_up(client, line);
                              }});
      for (const Choice& choice : script_.tape)
        if (choice.site == holdfast::Site::jitter && choice.actor == actor_of(id)) found->add_jitter(choice);
    }
    return *found;
  }

  // Those from which a replica takes over, and those that are asked what a replica has.
  static std::vector<NodeId> followed(const Script& script) {
    std::set<NodeId> nodes;
    for (const auto& [node, message] : script.unseen) nodes.insert(node);
    for (const Event& event : script.events)
      if (const auto* const sent = std::get_if<Sent>(&event.what); sent && is_wait(*sent))
        nodes.insert(sent->node);
    return {nodes.begin(), nodes.end()};
  }

  [[noreturn]] static void depart(ClientId client, const std::string& what) {
    throw Departed{fmt::format("{} {}", name_of(client), what)};
  }

  const Script& script_;
  PlayedServers servers_;
  const std::function<bool()>& should_stop_;
  Performance done_;
  SteadyTime begin_{};
  Duration latest_{};  // by how much a command came late
  Instant now_{};
  const Event* current_ = nullptr;
  struct Request {
    ClientId client;
    PlayedServers::Line line;
    const Sent* sent;
  };
  std::map<std::uint32_t, Request> requests_;  // by message
  std::map<std::uint32_t, Reply> replies_;
  std::map<ClientId, std::string> keys_;
  std::set<ClientId> cancelled_;
  std::map<ClientId, std::unique_ptr<Player>> players_;  // last: destroyed first
};

}  // namespace

Performance perform_run(const Script& script, std::span<ServerForRun> servers,
                        const std::function<bool()>& should_stop) {
  try {
    return Performer(script, servers, should_stop).perform();
  } catch (const std::runtime_error& error) {  // a replica was not ready in time
    Performance nothing;
    nothing.departure = Departure{Step{}, error.what()};
    nothing.was_late = true;
    return nothing;
  }
}

}  // namespace holdfast::live
