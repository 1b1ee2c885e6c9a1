// The simulated world: network, clocks, faults, clients, servers. It is a transition system: in each state
// some actions are enabled, and one step applies one of them.
//
// Everything that is going to happen is a Scheduled with the earliest and the latest time at which it may. In
// exhaustive runs it may happen at any tick between the two, and time cannot pass the latest: it passes by
// choice, or when nothing can happen now. In timed runs the instant is drawn when it is scheduled. Faults are
// actions like all others (strikes.cpp): each is enabled whenever its budget allows it and it can make a
// difference. After the last client has finished comes the calm phase: no faults, and a new client, the
// probe, tries to acquire the lock. Endless clients beside others that finish go on meanwhile. Where nobody
// does, and locks keep something between calls, the probe then gives the lock back, and one of the clients
// comes back, with the lock object that it has.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/choose/choices.hpp"
#include "sim/core/lock.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/trace/digest.hpp"
#include "sim/trace/trace.hpp"
#include "sim/world/clients.hpp"
#include "sim/world/dense_time.hpp"
#include "sim/world/faults.hpp"
#include "sim/world/knowledge.hpp"
#include "sim/world/network.hpp"
#include "sim/world/resource.hpp"
#include "sim/world/shelves.hpp"

namespace holdfast {

class World final : private Enabled {
 public:
  // Nothing is known of the lock.
  static const LockFacts unrehearsed;
  // Whether its state will be digested: mix_client() and mix_rest(). Joined: a step also goes on with
  // unobservable replies (joint_replies.cpp), so there are no states in between. Earnest: asked, and what a
  // program does after one time it is not taken to do after another.
  enum class States : std::uint8_t { unasked, asked, joined, earnest };
  // `scenario`, `card`, `params`, `scripts` and `facts` must outlive the world. `known` counts as told from
  // the beginning.
  World(const Scenario& scenario, const Card& card, const Params& params, stores::Kinds& kinds,
        Choices& choices, Trace& trace, Knowledge known = {}, States states = States::asked,
        const LockFacts& facts = unrehearsed);
  ~World();
  World(const World&) = delete;

  // Performs one step; false when the run is over. The first step sets the stage.
  bool step() {
    const AskTimes ask(times());
    if (!take_step()) return false;
    if (joins_replies_) join_replies();
    return true;
  }
  bool is_over() const { return course_.over; }
  Times* times() { return dense_ ? &dense_->times : nullptr; }  // nullptr: time passes in ticks
  // Lets time pass until something may happen, as step() does at its beginning; clients come to rest only in
  // step().
  Passage come_to_choice();
  // Whether in the last step nothing but time has passed.
  bool only_time_passed() const { return last_.only_time_passed; }
  // What is going to happen. step() chooses from what is due and not held up, in this order; then come time
  // that passes, and faults.
  std::span<const Scheduled> scheduled() const { return network_.pending(); }
  bool is_held_up(const Scheduled& each) const {
    return (network_.has_lines() && network_.is_behind(each)) || (clients_.paused() > 0 && is_in_pause(each));
  }
  // Whether what an event does to the rest and to its mover's part depends on these two and on itself alone,
  // as long as it leaves all other parts as they are.
  bool has_local_steps() const;
  // … but for two things that the parts of others decide: whether another client than the mover holds a
  // grant (bit i: client i does),
  std::uint64_t holders() const { return clients_.which_hold(); }
  // and whether keys have owners and forgotten tokens.
  Digest digest_of_keys() const { return servers_.digest_of_keys(clients_); }
  // Clients whose programs have not ended, of those that end; bit i is client i.
  std::uint64_t unfinished() const { return clients_.which_unfinished(); }
  // Clients whose values or commands are what keys hold; bit i is client i.
  std::uint64_t owners() const { return servers_.owners(); }
  // Whether the last step leads nowhere where the same does not lead that comes later (joint_replies.cpp).
  bool was_needless() const { return last_.was_needless; }
  bool is_calm() const { return course_.calm; }
  Instant now() const { return now_; }
  Step position() const { return step_; }
  // Everything that the future depends on, in parts: one for each client, and the rest. Times are relative to
  // now and names to their client. Equal rests and equal parts in any order mean equal futures.
  std::size_t client_count() const { return clients_.size(); }
  Digest mix_client(Digest history, ClientId client);
  // Adds to the clients' parts what only the world knows of them.
  Digest mix_rest(std::span<Digest> of_clients) const;
  // The values that clients were told in this run.
  Knowledge told() const { return told_; }
  // The clients whose mix_client(), or what an observer knows of them, may have changed since the last call;
  // bit i is client i. All, when there are more than 64.
  // `note_judged(Counts&)` notes the counts that the judge refers to.
  template <class NoteJudged>
  std::uint64_t take_touched(const NoteJudged& note_judged) {
    if (network_.has_lines()) servers_.note_sessions(clients_, told_);
    if (std::exchange(last_.told_before, told_) != told_) touched_.note_all();
    if (told_.of_others && !told_.of_names) {
      rank_tokens();
      note_judged(clients_.change_counts());
      told_.of_names |= clients_.counts().is_full();
      touched_.note_all();
    }
    return touched_.take(clients_.size());
  }
  // How many acquisitions the client has begun.
  std::uint32_t acquisitions(ClientId id) const { return clients_.at(id).acquisitions(); }
  const Reach& reach() const { return reach_; }
  // As of the last call of take_touched().
  const Counts& counts() const { return clients_.counts(); }
  // What the client was granted last.
  const Grant& grant_of(ClientId id) const { return clients_.at(id).grant(); }
  // Whether `text` is, or may contain, a token.
  bool has_name(std::string_view text) const { return clients_.has_name(text); }

 private:
  friend class Client;
  friend class SimStore;

  // A fault that may strike now.
  struct Strike {
    Fault fault;
    std::uint32_t rule;  // of faults_
    Actor actor;         // the client or the server
    How how = {};
    std::uint32_t at = 0;  // the slot of the message, or the index of the work among what is pending
  };

  // The loop.
  bool take_step();
  // How many there are to choose from.
  std::uint32_t options() const {
    const std::size_t calm = outlook_.ready.size() + (outlook_.may_wait ? 1 : 0);
    return static_cast<std::uint32_t>(calm) + faults();
  }
  void set_up();
  void choose_who_is_away();
  void choose_delays();
  void open_start_windows();
  // Which actions are enabled: what may happen now, in the calm order (oldest first); whether time may pass
  // instead; which faults may strike. And when the next thing is due.
  void collect();
  bool is_anything_enabled() const { return !outlook_.ready.empty() || !strikes_.empty(); }
  std::span<const Option> all() override;
  std::uint32_t faults() const override { return static_cast<std::uint32_t>(strikes_.size()); }
  Option option_of(const Scheduled& each) const;
  void perform(std::size_t index);
  void pass();
  void advance_to(Instant time);
  void come_to_rest();
  void begin_calm();
  bool let_somebody_come_back();
  Duration bound_of_calm() const {
    return scenario_.timing.recovery * (scenario_.timing.recovery_rounds - 1);
  }
  // A lock that keeps nothing between calls is the same as a new one. Where clocks are read, every state is
  // new, and what finished clients have seen would make too many.
  bool do_clients_come_back() const { return asks_for_progress_ && !card_.is_stateless && !told_.of_date; }
  // Lock objects of clients that have finished will be used again.
  bool may_come_back() const { return do_clients_come_back() && course_.turn != Turn::return_of_a_client; }
  bool is_lock_free() const;
  // The lock is free, all that is left are waits for it, and none ends within the bound.
  bool do_all_wait_in_vain();
  void end();
  void schedule(Scheduled what);
  void settle_instant(Scheduled& what);
  bool is_quiet_until(Instant time) const;
  bool is_in_pause(const Scheduled& each) const;
  bool only_background_is_left() {
    return (clients_.unfinished() == 0 || network_.has_lines()) && is_background_alone();
  }
  bool is_background_alone();

  // Dense time (dense.cpp).
  void begin_dense_time();
  bool take_dense_step();
  void collect_coming();
  void forget_past();
  void offer_faults();
  void narrow(const Coming& to);
  Instant collect_limits(const Coming& moment);
  Instant instant_of(const Coming& moment);
  void happen(std::uint32_t index);

  // Faults (strikes.cpp).
  void collect_strikes();
  bool may_strike(const FaultRule& rule, const Client& client) const;
  bool may_strike_before_sending(ClientId client) const;
  bool is_about_to_go_on(ClientId client) const;
  bool is_about_to_start(ClientId client) const;
  void offer(std::uint32_t rule, const Client& client);
  void offer_slow_sections(std::uint32_t rule);
  void offer_messages(std::uint32_t rule, Scheduled::Kind kind);
  void offer_cuts(std::uint32_t rule);
  void offer_servers(std::uint32_t rule);
  std::uint32_t ways_of(const FaultRule& rule, const Server& host) const;
  void strike(const Strike& strike);
  void apply(const Strike& strike);
  void crash(ClientId client);
  void stop(ClientId client, Duration longest);
  void end_pause(Client& paused);
  void slow_down(std::uint32_t index, Duration longest);
  Duration shift_by(const FaultRule& rule, const Strike& strike);
  void strike_message(const Strike& strike, Duration longest);
  void send_twice(const Strike& strike, Duration longest);
  void cut(ClientId client, NodeId node, std::uint32_t way, Duration longest);
  void heal(std::uint32_t number);

  // Unobservable replies (joint_replies.cpp).
  void join_replies();
  void join_replies_in_dense_time();
  std::optional<std::uint32_t> joint_reply() const;
  bool is_joint(const Scheduled& reply) const;
  bool may_outlive(const Message& each, const Message& own, Instant latest) const;
  bool is_tried_later(const Scheduled& reply) const;

  // What travels (sending.cpp).
  void submit(ClientId client, NodeId node, Call& call);
  void forget(Call& call) noexcept;
  void leave(Message& message);
  void depart(std::uint32_t slot);
  void drop_dead_timeouts(ClientId client);
  bool is_round_timeless() const;
  bool is_sure_to_be_answered(const Message& sent) const;
  void schedule_timeout(Message& message, Duration patience);
  static bool is_patient(const Message& sent);
  void note_broken(Message& lost);
  void note_missing(Line* line);
  void wait_on(std::uint32_t slot);
  void send_request(Message& message);
  void send_copy(std::uint32_t original, Duration longest);
  void send_reply(Message& message);
  void travel(Scheduled::Kind kind, Message& message);
  void note_content(Message& orphan);
  void note_answer(Message& answered);
  void note_token(const Client& maker);
  void rank_tokens();
  void note_number(History& history, std::uint64_t number);

  // What servers do, and what is done to them (servers.cpp).
  void execute(std::uint32_t slot);
  // A server was asked for what is not simulated. Throws BeyondModel.
  [[noreturn]] void leave_model(const Message& asked, NotSimulated found);
  void note_looks(const Server& host);
  void note_asking(const Message& arrived);
  bool has_outlived(const Client& holder, const Server& host, const LockedKey& locked) const;
  Reply wait_for_replica(Message& arrived, const stores::Acknowledgement& asked);
  void restart(NodeId node, const FaultRule& rule, std::uint32_t lost);
  void lose_everything(NodeId node);
  void fail_over(NodeId node, std::uint32_t lost);
  // It lacks its last `lost` writes now.
  void roll_back(NodeId node, std::uint32_t lost);
  void evict(NodeId node, std::uint32_t key);
  void set_clock(NodeId node, Duration by);
  void let_pass(NodeId node);
  void note_keys(Shelf& shelf) { servers_.note_keys(shelf, clients_, told_); }
  void note_changes(const Changes& changes, NodeId node, Acquisition by);
  void note_change(KeyChanged::Kind kind, Change::Way way, NodeId node, LockedKey& locked, Acquisition by);
  void note_loss(NodeId node, LockedKey& locked, Holdings after);
  void emit_change(KeyChanged::Kind kind, NodeId node, const LockedKey& locked, Acquisition by,
                   Acquisition before);

  // Connections of clients' own, at both ends (connections.cpp).
  void submit_on(ClientId client, NodeId node, Call& call);
  void hang_up(std::uint32_t connection) noexcept;
  void drop_at_reset(Message& message);
  void lose(Line& line);
  void end_at_server(Line& line);
  void end_lines_of_the_gone();
  void reset_lines(NodeId node);
  void reset(Line& line);
  std::vector<stores::Server::Session> endable_at(const Server& host) const;
  void lose_session(NodeId node, std::uint32_t which);
  void end_execution(ConnectionId connection, NodeId node);
  bool end_session(ConnectionId session, NodeId node);
  void send_pushes(NodeId node, Pushes pushes);
  // False: there were none.
  bool let_rivals_go_on();
  void send_push(Line& line, Reply message);
  std::uint32_t stuck();
  void note_push(History& content, const Reply& reply);

  bool is_sending_asked(const Client& client) const;

  // Clients.
  void add_client(const ClientPlan& plan);
  void wake_client(Scheduled& due);
  void resume_client(ClientId client);
  // `window`: it may last up to so much longer; `is_work`: it is work under the lock.
  void arm(ClientId client, Sleep& sleep, Duration window, bool is_work);
  void disarm(ClientId client, Sleep& sleep) noexcept;
  template <class Kind>
  bool hears() const {
    return trace_.wants<Kind>();
  }
  template <class Kind>
  void emit(Actor actor, Kind&& what) {
    using Plain = std::remove_cvref_t<Kind>;
    // What other clients' accounts may depend on; all else is about the client that moves.
    constexpr EventKinds kind = events_of<Plain>();
    if constexpr ((kind & faults_of_servers) != 0) touched_.note_all();
    constexpr bool is_felt = (kind & events_of<Granted, Wrote>()) != 0;
    constexpr bool ends_claim = (kind & events_of<Releasing, BeliefEnded, Crashed, Finished>()) != 0;
    if constexpr (is_felt || ends_claim)
      if ((is_felt || scenario_.overlap_max > Duration::zero()) &&
          clients_.do_others_hold(ClientId{actor.index}))
        touched_.note_all();
    if constexpr (std::is_same_v<Plain, KeyChanged>)
      for (const Acquisition each : {what.by, what.before})
        if (!each.is_nobody()) touched_.note(each.client);
    if (hears<Plain>()) trace_.emit(Event{step_, now_, actor, std::forward<Kind>(what)});
  }
  // A text for an event: traces that are not recorded have none.
  std::string text(const std::string& full) const { return trace_.is_recording() ? full : std::string(); }
  void note_strike(FaultSet faults);
  // Something of this client, in the call that ends now, is still under way or goes on at once.
  bool goes_on(ClientId client) const;
  void note(Situation situation) { reach_.met.insert(situation); }
  bool is_timed() const { return is_timed_; }
  std::uint32_t pick(Site site, Actor actor, std::uint32_t options) {
    return course_.calm ? 0 : choices_.pick(site, actor, options);
  }

  // What may happen now, as collect() found it.
  struct Outlook {
    bool is_collected = false;  // it is of now
    bool is_at_rest = false;    // nothing is left to happen but faults
    bool may_wait = false;
    Instant next = never;
    std::vector<std::uint32_t> ready;
    std::vector<Option> options;  // filled when a strategy asks
  };
  // What the last step did.
  struct Last {
    bool only_time_passed = false;
    bool was_needless = false;
    Knowledge told_before;  // at the last call of take_touched()
  };
  // Whose it is in the calm phase.
  enum class Turn : std::uint8_t { probe, giving_back, return_of_a_client };
  // How far the run has come.
  struct Course {
    // Where all clients may start at the same time, one of them does so within the first second: a run in
    // which all wait for longer is the same run, whole seconds later. True until it has.
    bool waits_for_first = false;
    bool calm = false;
    bool over = false;
    bool is_cached = false;      // what clients look up
    Instant calm_until = never;  // where clients go on meanwhile
    Turn turn = Turn::probe;     // in the calm phase
    std::optional<NodeId> away;  // never answers
  };

  const Scenario& scenario_;
  const Card& card_;
  const Params& params_;
  const LockFacts& facts_;
  stores::Kinds& kinds_;
  const Belief belief_;
  const bool has_states_;
  const bool may_times_stand_for_others_;
  const bool leaves_out_dead_;  // values and timeouts
  const bool joins_replies_;
  const std::uint32_t tokens_before_;
  const bool is_timed_;
  const bool asks_for_progress_;
  Choices& choices_;
  Trace& trace_;
  std::unique_ptr<DenseTime> dense_;  // where time is dense
  Instant now_{};
  Step step_{};
  Touched touched_;  // since states were asked for
  Faults faults_;
  Network network_;
  Servers servers_;
  Resource resource_;
  stores::Effects effects_;
  std::vector<Strike> strikes_;
  Outlook outlook_;
  Last last_;
  Course course_;
  Instant beliefs_end_ = never;  // none ends before
  Reach reach_;
  Knowledge told_;
  std::vector<std::uint32_t> delays_;  // where they are fixed: by client, then by server, in ticks
  ClientPlan probe_plan_;
  std::array<std::vector<ProgramStep>, 2> returns_;  // the program of a client that comes back, by mode
  Clients clients_;                                  // last: destroyed first
};

}  // namespace holdfast
