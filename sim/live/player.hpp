// One client of a performance: the coroutines of its lock, with clocks and chance as in the simulated run.
// What it sends waits until the performance says that it is carried out.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/core/program_random.hpp"
#include "sim/trace/tape.hpp"

namespace holdfast::live {

class Player;

class PlayerStore final : public Store {
 public:
  PlayerStore(Player& player, NodeId node, std::uint32_t driver_retries)
      : Store(driver_retries), player_(player), node_(node) {}

 private:
  void submit(Call& call) override;
  void forget(Call& call) noexcept override;
  void close(OwnConnection& connection) noexcept override;
  Player& player_;
  NodeId node_;
};

class Player final : private Clock, private ProgramRandom {
 public:
  struct Setting {
    const Card& card;
    const Params& params;
    const Instant& now;  // true time, as the performance goes on
    WallTime epoch;
    std::int32_t drift_ppm = 0;
    std::uint32_t nodes = 1;
    std::uint32_t driver_retries = 0;
    // It hangs up a connection that it had for itself: which, as Sending tells.
    std::function<void(ClientId, std::uint32_t line)> on_hang_up;
  };
  // What is sent next. `line`: the connection of its own that it goes over, from 1; 0: the shared one.
  struct Sending {
    NodeId node;
    std::uint32_t line;
    WordsView argv;
  };
  Player(ClientId id, const Setting& setting);

  void begin(Duration wall_offset);
  void crash();
  // The caller gives up acquire().
  void cancel() { acquiring_ = Task<Attempt>(); }
  void set_wall_offset(Duration offset) { wall_offset_ = offset; }
  void add_jitter(const Choice& choice) { jitters_.push_back(choice); }
  void begin_acquiring(const std::string& key, Mode mode);
  void begin_releasing(const std::string& key);

  // Each goes on until that happens, as far as sleeps that are over allow; false if it does not.
  bool has_sent();
  bool has_acquired();
  bool has_released();
  // REQUIRES: has_acquired(), has_released(). They throw what the algorithm threw.
  Attempt take_attempt();
  Release take_release() { return releasing_.take(); }
  const Grant& grant() const { return grant_; }

  // REQUIRES: has_sent().
  Sending next_sent() const;
  // The next one is on its way from now on, as `message`.
  void send_next(MessageId message);
  // The client goes on with this answer. False if it does not wait for one. What it asked on a connection
  // that it had lost was never sent: that is answered under an unknown name.
  bool deliver(MessageId message, Reply reply);

 private:
  friend class PlayerStore;
  // The client that sent it need not wait for the answer.
  struct Submitted {
    NodeId node;
    std::uint32_t line;
    Command command;
    Call* call;
  };
  template <class Done>
  bool goes_on_until(const Done& is_done);

  WallTime wall() override;
  SteadyTime steady() override;
  void arm(Sleep& sleep) override;
  void disarm(Sleep& sleep) noexcept override;
  std::string token() override;
  std::string identity() override;
  Duration jitter(Duration most) override;
  std::uint64_t chance() override { return chance_of(id_.value, chances_++); }
  void made(const Made&) override {}

  const ClientId id_;
  const Setting setting_;
  Duration wall_offset_{};
  std::uint32_t tokens_ = 0;
  std::uint32_t lives_ = 0;
  std::uint32_t chances_ = 0;
  std::uint32_t lines_ = 0;  // connections of its own
  std::deque<Choice> jitters_;
  std::vector<PlayerStore> nodes_;
  std::vector<Store*> stores_;
  Env env_;
  std::deque<Submitted> submitted_;
  std::map<std::uint32_t, Call*> under_way_;  // by message
  std::vector<std::pair<Instant, Sleep*>> asleep_;
  Grant grant_;
  std::unique_ptr<Lock> lock_;
  Task<Attempt> acquiring_;  // last: destroyed first
  Task<Release> releasing_;
};

}  // namespace holdfast::live
