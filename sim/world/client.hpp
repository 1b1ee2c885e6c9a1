// One simulated client: its program, its clocks, its chance, and a digest of everything that it has observed.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "sim/core/lock.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/trace/digest.hpp"
#include "sim/trace/event.hpp"

namespace holdfast {

class World;

// The store as one client sees it: requests go into the world's network.
class SimStore final : public Store {
 public:
  SimStore(World& world, ClientId client, NodeId node) : world_(world), client_(client), node_(node) {}

 private:
  void submit(Call& call) override;
  void forget(Call& call) noexcept override;
  World& world_;
  ClientId client_;
  NodeId node_;
};

// One text that a client made with token(): its first is number 1.
struct Token {
  ClientId client;
  std::uint32_t number = 0;
};

class Client final : private Clock, private Random, private Memory {
 public:
  // `plan` must outlive the client.
  Client(World& world, ClientId id, const ClientPlan& plan, Belief belief);

  // Begins the program, from its first line, with a new lock object: nothing survives a crash.
  void start();
  // The process dies: frames are destroyed, sleeps and calls unregister themselves.
  void crash();
  // It saw something. Whoever has seen the same is in the same state.
  void observe(std::uint64_t word) { observed_ = mix(observed_, word); }
  void observe(const Reply& reply);
  // The same for a reply on its way to this client. Tokens of its own are counted back from its latest;
  // `has_names` is set when others' are in it.
  Digest mix_reply(Digest history, const Reply& reply, bool& has_names) const;
  Digest mix_text(Digest history, std::string_view text, bool& has_names) const;

  ClientId id() const { return id_; }
  Place place() const { return place_; }
  Acquisition acquisition() const { return acquisition_; }
  const ClientPlan& plan() const { return plan_; }
  const std::string& key() const;
  bool is_claiming() const { return claiming_; }
  bool is_finished() const { return finished_; }
  bool has_program() const { return static_cast<bool>(program_); }
  // True time at which the belief ends by itself, `never` unless claiming with a deadline.
  Instant belief_until() const { return claiming_ ? belief_until_ : never; }
  void end_belief();
  void skew(Duration offset) { skew_ = offset; }
  Duration wall_offset() const { return plan_.wall_offset + skew_; }
  // After the program ran: it may have come to its end.
  void check_finished();
  // What its future depends on, but for what is on its way. Names are relative to it: tokens and acquisitions
  // count back from its latest.
  Digest mix_state(Digest history, Instant now) const;
  std::uint32_t tokens() const { return tokens_; }
  std::uint32_t acquisitions() const { return acquisitions_; }
  // How long ago it made a token, or began an acquisition, counted in its own; `forgotten` if it, and whoever
  // asks about its acquisitions, have forgotten it.
  std::uint32_t age_of_token(std::uint32_t number) const {
    return number < oldest_known_token_ ? forgotten : tokens_ - number;
  }
  std::uint32_t age_of_acquisition(std::uint32_t number) const {
    return number < oldest_open_ ? forgotten : acquisitions_ - number;
  }
  static constexpr std::uint32_t forgotten = ~std::uint32_t{0};

  // Notes for beliefs that count from the granting request or reply.
  void note_sent(Instant at) { sent_at_ = at; }
  void note_reply(Instant at) { reply_at_ = at; }
  // How long a duration by this client's steady clock lasts in true time, rounded up.
  Duration true_length(Duration steady) const;

 private:
  Task<> run_program();
  // A call of a stateless lock is over: of all that was seen, only where the program stands and `grant_`
  // matter now.
  void forget_call(bool has_grant);
  void begin_call();
  void close_acquisition();
  bool forgets() const;
  bool has_attempt(const ProgramStep& step) const { return step.attempts == 0 || attempt_ < step.attempts; }
  bool looks_before_writing() const;
  bool is_sure();
  void begin_releasing();
  void end_releasing(Release result);
  void begin_acquiring(Mode mode);
  // True when the client now believes that it holds the lock.
  bool end_acquiring(Mode mode, const Attempt& attempt);
  Instant belief_end(const Grant& grant) const;
  Duration choose_wait();
  Duration begin_work(Duration length);
  Instant true_time(WallTime wall) const;

  WallTime wall() override;
  SteadyTime steady() override;
  void arm(Sleep& sleep) override;
  void disarm(Sleep& sleep) noexcept override;
  std::string token() override;
  Duration jitter(Duration most) override;
  void keep_only(const Args& values, Where where) override;
  void know_clients() override;

  World& world_;
  const ClientId id_;
  const ClientPlan& plan_;
  const Belief belief_;
  SimStore store_;
  std::array<Store*, 1> stores_{&store_};
  Env env_;
  Duration skew_{};
  Digest observed_;
  // How things stood when the call of the lock that is going on began.
  struct BeforeCall {
    Digest observed;
    std::uint32_t tokens = 0;
  };
  BeforeCall before_call_;
  std::uint32_t round_ = 0;
  std::uint32_t line_ = 0;     // of the program
  std::uint32_t attempt_ = 0;  // in this line
  std::uint32_t tokens_ = 0;
  std::uint32_t oldest_known_token_ = 1;  // by its frames and `grant_`
  std::uint32_t granted_token_ = 0;       // the token of its own that is in `grant_`; 0: none
  std::uint32_t acquisitions_ = 0;
  std::uint32_t open_ = 0;         // acquisitions that were neither refused nor released
  std::uint32_t oldest_open_ = 1;  // none before this is open
  Acquisition acquisition_;
  Place place_ = Place::anywhere;
  bool claiming_ = false;
  bool finished_ = false;
  Instant belief_until_ = never;
  Instant sent_at_{};
  Instant reply_at_{};
  Grant grant_;
  std::unique_ptr<Lock> lock_;
  Task<> program_;  // last: destroyed first
};

}  // namespace holdfast
