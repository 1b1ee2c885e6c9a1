// The simulated world: network, clocks, faults, clients, servers. It is a transition system: in each state
// some actions are enabled, and one step applies one of them.
//
// Everything that is going to happen is a Scheduled with the earliest and the latest time at which it may. In
// exhaustive runs it may happen at any tick between the two, and time cannot pass the latest: it passes by
// choice, or when nothing can happen now. In timed runs the instant is drawn when it is scheduled. Faults are
// actions like all others (strikes.cpp): each is enabled whenever its budget allows it and it can make a
// difference. After the last client has finished comes the calm phase: no faults, and a new client, the
// probe, tries to acquire the lock. Endless clients beside others that finish go on meanwhile.
#pragma once

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
#include "sim/world/client.hpp"
#include "sim/world/contents.hpp"
#include "sim/world/faults.hpp"
#include "sim/world/messages.hpp"
#include "sim/world/parts.hpp"
#include "sim/world/resource.hpp"
#include "sim/world/scheduled.hpp"
#include "sim/world/sightings.hpp"

namespace holdfast {

class World final : private Enabled {
 public:
  // Whether anybody will ask for its state: mix_client() and mix_rest().
  enum class States : bool { unasked, asked };
  // `scenario`, `card`, `params` and `scripts` must outlive the world. `known` counts as told from the
  // beginning.
  World(const Scenario& scenario, const Card& card, const Params& params, redis::Scripts& scripts,
        Choices& choices, Trace& trace, Knowledge known = {}, States states = States::asked);
  ~World();
  World(const World&) = delete;

  // Performs one step; false when the run is over. The first step sets the stage.
  bool step();
  bool is_over() const { return over_; }
  // Lets time pass until something may happen, as step() does at its beginning; clients come to rest only in
  // step().
  Passage come_to_choice();
  // Whether in the last step nothing but time has passed.
  bool only_time_passed() const { return only_time_passed_; }
  // What is going to happen. step() chooses from what is due and not held up, in this order; then come time
  // that passes, and faults.
  std::span<const Scheduled> scheduled() const { return pending_; }
  bool is_held_up(const Scheduled& each) const {
    return (!lines_.empty() && is_behind(each)) || (paused_ > 0 && is_in_pause(each));
  }
  // Whether what an event does to the rest and to its mover's part depends on these two and on itself alone,
  // as long as it leaves all other parts as they are.
  bool has_local_steps() const;
  // … but for two things that the parts of others decide: whether another client than the mover holds a
  // grant (bit i: client i does),
  std::uint64_t holders() const;
  // and whether keys have owners and forgotten tokens.
  Digest digest_of_keys() const;
  // Clients whose programs have not ended, of those that end; bit i is client i.
  std::uint64_t unfinished() const;
  // Clients whose values or commands are what keys hold; bit i is client i.
  std::uint64_t owners() const;
  // Nothing that concerns all will happen before all clients that end have ended: no fault, no calm phase.
  bool is_undisturbed() const;
  // Whether nobody but its client could notice the last step, nor it anybody else's, as long as the world is
  // undisturbed and the client neither holds a grant nor owns a key, before or afterwards.
  bool was_private() const { return was_private_; }
  bool is_calm() const { return calm_; }
  Instant now() const { return now_; }
  Step position() const { return step_; }
  // Everything that the future depends on, in parts: one for each client, and the rest. Times are relative to
  // now and names to their client. Equal rests and equal parts in any order mean equal futures.
  std::size_t client_count() const { return clients_.size(); }
  Digest mix_client(Digest history, ClientId client);
  // Adds to the clients' parts what only the world knows of them.
  Digest mix_rest(std::span<Digest> of_clients) const;
  // What somebody was told in this run.
  Knowledge told() const { return told_; }
  // The clients whose mix_client(), or what an observer knows of them, may have changed since the last call;
  // bit i is client i. All, when there are more than 64.
  std::uint64_t take_touched() {
    if (std::exchange(told_before_, told_) != told_) touched_ = all_touched;
    return std::exchange(touched_, clients_.size() > 64 ? all_touched : 0);
  }
  // How many acquisitions the client has begun.
  std::uint32_t acquisitions(ClientId id) const { return clients_[id.value]->acquisitions(); }
  const Sightings& sightings() const { return sightings_; }

 private:
  friend class Client;
  friend class SimStore;

  using LockedKey = parts::LockedKey;
  using LockedKeys = parts::LockedKeys;
  using Key = parts::Key;
  using Shelf = parts::Shelf;
  using Server = parts::Server;
  using Line = parts::Line;
  using Cut = parts::Cut;
  using Strike = parts::Strike;

  // The loop.
  void set_up();
  void open_start_windows();
  // Which actions are enabled: what may happen now, in the calm order (oldest first); whether time may pass
  // instead; which faults may strike. And when the next thing is due.
  void collect();
  bool is_anything_enabled() const { return !ready_.empty() || !strikes_.empty(); }
  std::span<const Option> all() override;
  std::uint32_t faults() const override { return static_cast<std::uint32_t>(strikes_.size()); }
  Option option_of(const Scheduled& each) const;
  void perform(std::size_t index);
  void pass();
  void advance_to(Instant time);
  void come_to_rest();
  void end();
  void schedule(Scheduled what);
  void settle_instant(Scheduled& what);
  void take_due();
  bool is_quiet_until(Instant time) const;
  bool is_in_pause(const Scheduled& each) const;
  bool only_background_is_left() { return (unfinished_ == 0 || !lines_.empty()) && is_background_alone(); }
  bool is_background_alone();
  bool others_hold(ClientId mover) const { return holders_ > (client_of(mover).holds() ? 1u : 0u); }
  // Nobody waits for its end.
  bool goes_on(const Client& client) const { return some_finish_ && client.plan().rounds == 0; }

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
  void crash(ClientId client);
  void stop(ClientId client, Duration longest);
  void end_pause(Client& paused);
  void slow_down(std::uint32_t index, Duration longest);
  Duration shift_by(const FaultRule& rule, const Strike& strike);
  void strike_message(const Strike& strike, Duration longest);
  void send_twice(const Strike& strike, Duration longest);
  void cut(ClientId client, NodeId node, std::uint32_t way, Duration longest);
  void heal(std::uint32_t number);

  // The network and the server.
  void submit(ClientId client, NodeId node, Call& call);
  void forget(Call& call) noexcept;
  Message& new_message(ClientId client, NodeId node);
  void leave(Message& message);
  void depart(std::uint32_t slot);
  void schedule_timeout(Message& message, Duration patience);
  void send_request(Message& message);
  void send_copy(std::uint32_t original, Duration longest);
  void execute(std::uint32_t slot);
  void send_reply(Message& message);
  void travel(Scheduled::Kind kind, Message& message);
  // REQUIRES: it is on its way.
  Scheduled& travelling(Message& message);
  void restart(NodeId node, const FaultRule& rule, std::uint32_t lost);
  void lose_everything(NodeId node);
  void fail_over(NodeId node, std::uint32_t lost);
  bool keeps_past() const { return may_fail_over() || may_lose_latest(); }
  bool may_fail_over() const { return card_.store == StoreKind::redis && faults_.can(Fault::failover); }
  bool may_lose_latest() const {
    return card_.store == StoreKind::redis && loses_latest_ > Duration::zero() && faults_.can(Fault::restart);
  }
  void note_past(Server& host, Shelf before, ClientId writer);
  Reply wait_for_replica(Message& arrived);
  bool is_recent(const Server::Past& past) const;
  std::size_t lag(const Server& host) const;             // how many writes its replica may lack
  std::size_t reachable_past(const Server& host) const;  // how much of its past may come back
  // How many of its latest writes are at most so old.
  std::uint32_t writes_since(const Server& host, Duration age) const;
  std::vector<std::string> living_keys(const Server& host) const;
  // It lacks its last `lost` writes now.
  void roll_back(NodeId node, std::uint32_t lost);
  void evict(NodeId node, std::uint32_t key);
  void set_clock(NodeId node, Duration by);
  void expire_due(NodeId node);
  void note_changes(const Changes& changes, NodeId node, Acquisition by);
  void note_loss(NodeId node, LockedKey& locked, Acquisition after);
  bool is_cut(const Message& message, Scheduled::Kind direction) const;
  void settle(Message& message);
  void drop_pending(Scheduled::Kind kind, Message& message);
  std::uint32_t slot_of(const Message& message) const {
    return static_cast<std::uint32_t>(&message - messages_.data());
  }
  void note_content(Message& orphan);
  Digest digest_scheduled(const Scheduled& scheduled) const;
  Digest mix_message(Digest digest, const Scheduled& scheduled) const;
  std::uint64_t word_of_cut(std::uint32_t number) const;
  void note_keys(Shelf& shelf);
  void note_locked();
  void fill_stores();
  std::size_t locked_place(std::string_view key) const;
  LockedKey* locked_at(LockedKeys& locked, std::string_view key, Acquisition by) const;
  Digest mix_server(const Server& server, std::uint64_t number, std::span<Digest> of_clients,
                    Digest rest) const;
  Digest mix_shelf(const Shelf& shelf, std::uint64_t number, WallTime now, std::span<Digest> of_clients,
                   Digest rest) const;
  std::uint32_t age_of(Token token) const;
  std::uint32_t age_of(Acquisition acquisition) const;
  const Client& client_of(ClientId id) const { return *clients_[id.value]; }
  Server& server(NodeId node) { return servers_[node.value]; }
  WallTime time_of(const Server& server) const {
    return epoch + now_.time_since_epoch() + server.clock_offset;
  }
  // The first instant at which a key of the server is dead; `never` when none dies.
  Instant next_death(const Server& server) const;

  // Connections of clients' own (connections.cpp).
  void submit_on(ClientId client, NodeId node, Call& call);
  void hang_up(std::uint32_t connection) noexcept;
  Line* line_of(redis::ConnectionId connection);
  bool is_reset(redis::ConnectionId connection);
  void drop_at_reset(Message& message);
  void lose(Line& line);
  void end_at_server(Line& line);
  void end_lines_of_the_gone();
  void reset_lines(NodeId node);
  void drop_pushes(redis::ConnectionId connection);
  void answer_now(Message& message, MessageId id, Reply reply, Digest content);
  void execute_among_lines(Message& arrived);
  void end_execution(redis::ConnectionId connection, NodeId node);
  void send_pushes(NodeId node);
  void send_push(Line& line, Reply message);
  bool receive(Scheduled& due);
  Message* waiting_on(const Line& line);
  Instant next_wait_end() const;
  Instant next_wait_end(const Server& server) const;
  void end_waits(NodeId node);
  bool is_behind(const Scheduled& scheduled) const;
  void keep_order(Scheduled& scheduled, const Message& message);
  void keep_followers_behind(Message& late, std::uint64_t number);
  // Nothing that it waits for is on its way, and it will not give up.
  static bool is_stuck(const Message& message) { return message.call != nullptr && message.ahead == 0; }
  std::uint32_t stuck();
  Digest digest_of_push(const Reply& reply);
  Digest mix_lines(Digest history, ClientId client) const;
  void mix_lines_at_servers(std::span<Digest> of_clients) const;
  std::uint64_t rank_of(redis::ConnectionId connection) const;
  std::uint64_t rank_of(const Scheduled& scheduled) const;

  // Names: texts by which clients know each other. Those of tokens are of one length, as random texts are: a
  // lock may ask how long they are. So where a client may make ten of them, its first is number 11, and so
  // on.
  static constexpr std::uint32_t tokens_before_max = 1'000;
  static std::uint32_t tokens_before(const Scenario& scenario);
  static std::string text_of(Token token);
  // nullopt when no client made `text`.
  std::optional<Token> token_of(std::string_view text) const;
  // Whether `text` is, or may contain, a token.
  bool has_name(std::string_view text) const;
  void note_classes();

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
    constexpr bool is_felt = (kind & events_of<Granted, Wrote>()) != 0;
    constexpr bool is_quiet =
        (kind & events_of<Started, Acquiring, Refused, Slept, Sent, Delivered, GaveUp>()) != 0;
    if constexpr (!is_quiet) was_private_ = false;
    constexpr bool ends_claim = (kind & events_of<Releasing, BeliefEnded, Crashed, Finished>()) != 0;
    if constexpr (is_felt || ends_claim)
      if ((is_felt || scenario_.overlap_max > Duration::zero()) && others_hold(ClientId{actor.index}))
        touched_ = all_touched;
    if (hears<Plain>()) trace_.emit(Event{step_, now_, actor, std::forward<Kind>(what)});
  }
  void touch(ClientId id) { touched_ |= std::uint64_t{1} << (id.value & 63); }
  void touch(Acquisition acquisition) {
    if (!acquisition.is_nobody()) touch(acquisition.client);
  }
  // A text for an event: traces that are not recorded have none.
  std::string text(const std::string& full) const { return trace_.is_recording() ? full : std::string(); }
  Client& client(ClientId id) { return *clients_[id.value]; }
  void note_strike(FaultSet faults);
  bool is_timed() const { return is_timed_; }
  std::uint32_t pick(Site site, Actor actor, std::uint32_t options) {
    return calm_ ? 0 : choices_.pick(site, actor, options);
  }

  // What every wall clock shows when a run begins.
  static constexpr WallTime epoch{1'700'000'000s};

  const Scenario& scenario_;
  const Card& card_;
  const Params& params_;
  const Belief belief_;
  const bool has_states_;
  const std::uint32_t tokens_before_;  // each client's first: these numbers are left out
  Choices& choices_;
  Trace& trace_;
  Faults faults_;
  std::vector<Server> servers_;
  Duration loses_latest_;  // a restart may lose the writes of so long; 0: none
  Resource resource_;
  Changes changes_;
  std::vector<Cut> cuts_;
  std::uint32_t cuts_made_ = 0;
  std::vector<Line> lines_;  // in the order in which they were opened
  std::uint32_t lines_opened_ = 0;
  redis::Pushes pushes_;
  std::vector<Scheduled> pending_;  // in timed runs, only what is due now
  std::vector<std::uint32_t> ready_;
  std::vector<Strike> strikes_;
  bool is_collected_ = false;    // these are of now
  bool is_at_rest_ = false;      // nothing is left to happen but faults
  std::vector<Option> options_;  // filled when a strategy asks
  bool may_wait_ = false;
  bool only_time_passed_ = false;
  bool was_private_ = false;
  Instant next_ = never;
  Instant beliefs_end_ = never;  // none ends before
  const bool is_timed_;
  Agenda agenda_;  // of timed runs: what is not due yet
  std::uint64_t scheduled_ = 0;
  std::vector<Message> messages_;  // a free slot has no id
  std::vector<std::uint32_t> free_slots_;
  std::uint32_t messages_sent_ = 0;
  Step step_{};
  Instant now_{};
  // Where all clients may start at the same time, one of them does so within the first second: a run in which
  // all wait for longer is the same run, whole seconds later. True until it has.
  bool waits_for_first_ = false;
  bool calm_ = false;
  Instant calm_until_ = never;  // where clients go on meanwhile
  bool over_ = false;
  std::uint32_t paused_ = 0;        // clients that are
  bool is_cached_ = false;          // what clients look up
  bool some_finish_ = false;        // programs, by themselves
  std::uint32_t unfinished_ = 0;    // clients that are, without those that go on
  std::uint32_t may_be_stuck_ = 0;  // at least stuck(): counted again where that matters
  std::uint32_t holders_ = 0;       // clients with a grant
  Sightings sightings_;
  Knowledge told_;
  Knowledge told_before_;  // at the last call of take_touched()
  // The first client that has the same plan, for each: only clients of one class are interchangeable.
  std::vector<std::uint32_t> classes_;
  ClientPlan probe_plan_;
  static constexpr std::uint64_t all_touched = ~std::uint64_t{0};
  std::uint64_t touched_ = all_touched;
  std::vector<std::unique_ptr<Client>> clients_;  // last: destroyed first
};

}  // namespace holdfast
