// One simulated client: its program, its clocks, its chance, and a digest of everything that it has observed.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/core/program_random.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/trace/digest.hpp"
#include "sim/trace/event.hpp"
#include "sim/world/client_state.hpp"
#include "sim/world/times.hpp"
#include "sim/world/touched.hpp"

namespace holdfast {

class World;

// The store as one client sees it: requests go into the world's network.
class SimStore final : public Store {
 public:
  SimStore(World& world, ClientId client, NodeId node);
  ClientId client() const { return client_; }

 private:
  void submit(Call& call) override;
  void forget(Call& call) noexcept override;
  void close(OwnConnection& connection) noexcept override;
  World& world_;
  ClientId client_;
  NodeId node_;
};

class Client final : private Clock, private ProgramRandom, private Listener, private Times::Witness {
 public:
  // `plan` must outlive the client, and so must `steps`, which are those of its program.
  Client(World& world, ClientId id, const ClientPlan& plan, std::span<const ProgramStep> steps, Belief belief,
         std::size_t nodes);
  ~Client();

  // Begins the program, from its first line, with a new lock object: nothing survives a crash.
  void start();
  // The process dies: frames are destroyed, sleeps and calls unregister themselves. REQUIRES: all clients
  // that share its lock object have dropped their frames.
  void crash();
  // All of its code that runs, and its part of the lock object.
  void drop_frames();
  // The caller of acquire() gives up: the frames of that call are destroyed, and the program goes on.
  // REQUIRES: is_in_acquire().
  void cancel();
  bool is_in_acquire() const { return static_cast<bool>(state_->acquiring); }
  // In the calm phase: it asks once more, with the lock object that it has.
  // REQUIRES: it has finished, and has one.
  void come_back(std::span<const ProgramStep> steps);
  const std::shared_ptr<Lock>& lock() const { return state_->lock; }
  bool has_lock() const { return state_->lock != nullptr; }
  // The first client of its process.
  ClientId process() const { return plan_.shares_lock_of.value_or(id_); }
  // REQUIRES: lock objects are shared, so it says when.
  Digest observed() const { return state_->observed.at(Instant()); }
  // … and gives back what it was granted at last. REQUIRES: it has finished, and was_granted().
  void give_back();
  // And has not released that. A grant whose lease was over when it arrived is refused.
  bool was_granted() const { return state_->open > 0; }
  // Nothing will wake it in time: it waits no more, and its lock object is gone.
  void give_up_waiting();
  // It stops, and goes on: all that runs beside its program, too.
  void pause(Instant now) { state_.change().paused_since = now; }
  // Returns when it stopped.
  Instant resume() { return std::exchange(state_.change().paused_since, never); }
  bool is_paused() const { return state_->paused_since != never; }

  void begin_wait(const void* wait) {
    state_.change().waits.begin(wait, state_->task);
  }  // for a sleep or a call
  void note_sleep() { ++state_.change().sleeps; }
  void note_sleep_end() noexcept { --state_.change().sleeps; }
  void end_wait(const void* wait) noexcept { state_.change().waits.end(wait); }
  // Among all that its tasks wait for.
  std::uint64_t rank_of(const void* wait) const {
    return state_->waits.rank_of(wait) | place_of(state_->beside, state_->waits.task_of(wait)) << 16;
  }
  bool is_waiting() const { return state_->waits.are_any(); }
  std::size_t waits() const { return state_->waits.count(); }
  bool waits_for_several() const { return state_->waits.are_several(); }
  bool has_ranks() const { return waits_for_several() || !state_->beside.empty(); }
  // The task that waited for it is told what follows.
  void begin_turn_of(const void* wait) { state_.change().task = state_->waits.task_of(wait); }
  // … and goes on: it may look at what the lock object keeps.
  void observe_memory() {
    if (state_->is_memory_told) observed_by_task().add(state_->memory);
  }
  // It goes on with what it waited for.
  void observe_end_of(const void* wait) {
    begin_turn_of(wait);
    if (waits_for_several()) observe_rank_of(wait);
    end_wait(wait);
  }
  // It saw something. A client that has seen the same is in the same state.
  void observe(std::uint64_t word) {
    if (has_states_) observed_by_task().add(word);
  }
  void observe(Duration length) {
    if (has_states_) observed_by_task().add(length);
  }
  // It looked at a clock, which showed the time of this instant.
  void observe(Instant time);
  // The times in the texts of a request: equal ones get equal texts, for those are what is compared.
  void spell_times(Command& command);
  void observe(const Reply& reply);
  // One of several replies that it waits for together, from this node; the last one lets it go on.
  void observe_part(NodeId node, const Reply& reply);
  void observe_parts();
  // The same for a reply on its way to this client. Tokens of its own are counted back from its latest;
  // `has_names` is set when others' are in it.
  // Calls `note` with the tokens that it knows of, in what mix_state() looks at.
  void note_tokens(const NoteToken& note) const;
  void mix_reply(History& history, const Reply& reply) const;
  void mix_text(History& history, std::string_view text) const;

  ClientId id() const { return id_; }
  Place place() const { return state_->place; }
  Acquisition acquisition() const { return state_->acquisition; }
  const ClientPlan& plan() const { return plan_; }
  // In which it asks for the lock.
  Mode mode() const;
  std::span<const ProgramStep> steps() const { return steps_; }
  // Of the lock that it uses in this period.
  const std::string& key() const { return key_in_this_period().name; }
  std::size_t locked_place() const { return key_in_this_period().locked_place; }
  // What it was granted last.
  const Grant& grant() const { return state_->grant; }
  bool is_claiming() const { return state_->claiming; }
  // It was granted the lock and has not begun to release it, whatever it believes, or it has released it and
  // may still write.
  bool holds() const { return state_->grants > 0 || state_->writes_late; }
  bool is_finished() const { return state_->finished; }
  bool has_program() const { return static_cast<bool>(state_->program); }
  // Since the beginning of the run; also before a crash.
  bool has_begun() const { return state_->has_begun; }
  // Until check_finished(), its code runs.
  void begin_turn();
  // True time at which the belief ends by itself, `never` unless claiming with a deadline.
  Instant belief_until() const { return state_->claiming ? state_->belief_until : never; }
  void end_belief();
  // Its wall clock is wrong by so much more from now on. A deadline that its belief took from it moves along.
  void skew(Duration by, Fault fault);
  // Its belief ends at a time of its wall clock.
  bool has_wall_deadline() const {
    return state_->claiming && state_->grant.lease_until && belief_ != Belief::until_release &&
           belief_ != Belief::notified;
  }
  // It stopped waiting for an answer; in the call that goes on, or in one that is over.
  void note_doubt() { state_.change().in_doubt = true; }
  bool is_in_doubt() const { return state_->in_doubt; }
  // What its wall clock shows, without its being told.
  WallTime wall_time() const;
  // As in its Grant.
  std::optional<WallTime> lease_until() const { return state_->grant.lease_until; }
  Duration wall_offset() const { return plan_.wall_offset + state_->skew; }
  // After the program ran: it may have come to its end.
  void check_finished();
  Digest mix_state(Digest history, Instant now) const;
  std::uint32_t tokens() const { return state_->tokens; }
  std::uint32_t lives() const { return state_->lives; }
  const Digest& made_texts() const { return state_->made_texts; }
  std::uint32_t acquisitions() const { return state_->acquisitions; }
  // How long ago it made a token, or began an acquisition, counted in its own. What it, and the checkers that
  // ask about its acquisitions, have forgotten is counted among what messages refer to; else `forgotten`.
  std::uint32_t age_of_token(std::uint32_t number) const;
  std::uint32_t age_of_acquisition(std::uint32_t number) const;
  bool knows_token(std::uint32_t number) const { return state_->knows_token(number); }
  static constexpr std::uint32_t forgotten = ~std::uint32_t{0};

  // For beliefs that count from the granting request or reply: the reply that was received last.
  void note_reply(Instant sent_at, Instant reply_at) {
    state_.change().sent_at = sent_at;
    state_.change().reply_at = reply_at;
  }
  // It sends a request. Returns how many it has sent at this instant.
  std::uint32_t note_request(Instant now) {
    state_.change().asked = state_->asked_at == now ? state_->asked + 1 : 1;
    state_.change().asked_at = now;
    return state_->asked;
  }
  Duration jitter_in_dense_time(Duration most);
  // How long a duration by this client's steady clock lasts in true time, rounded up.
  Duration true_length(Duration steady) const;

 private:
  struct Key {
    std::string name;
    std::uint32_t locked_place;  // of its first key, among all that hold grants
  };
  const Key& key_in_this_period() const { return keys_of_periods_.empty() ? key_ : key_of_period(); }
  const Key& key_of_period() const;
  Key key_called(std::string name) const;
  std::vector<Key> keys_for(const ClientPlan& plan) const;
  struct Stores;
  std::unique_ptr<Stores> stores_of(std::size_t nodes);
  Task<> run_program();
  Task<Attempt> acquiring(Mode mode);
  Task<> acquire_again(Mode mode);
  Task<Release> releasing();  // what was granted last
  Task<> releasing_once();
  bool is_skipped(const ProgramStep& step);
  bool wants_to_end();
  // What a step does before it waits; how long it waits, if it does; and what it does afterwards.
  std::optional<Duration> begin(const ProgramStep& step);
  void finish(const ProgramStep& step);
  // What it remembers (client_memory.cpp).
  class Recollection;
  bool forgets() const;
  bool is_all_told() const;  // that may be left in the lock object of calls that are over
  void note_memory();
  void begin_call();
  void forget_call(bool has_grant);
  void forget_program();
  void end_run();
  void observe_grant(const Grant& grant);
  ClientState::Beside& beside(std::uint32_t task);
  History& observed_by_task() {
    return state_->task == 0 ? state_.change().observed : beside(state_->task).observed;
  }
  History& parts_of_task() { return state_->task == 0 ? state_.change().parts : beside(state_->task).parts; }
  std::uint32_t own_token(std::string_view text) const;
  std::uint32_t oldest_token_in(const Args& values) const;
  void mix_word(History& history, std::string_view word);
  void mix_words(History& history, const Args& words);
  void observe_rank_of(const void* wait);
  void close_acquisition();
  void set_grants(std::uint32_t grants, bool writes_late = false);
  // It goes on with another reply than the last one, so the time of the last one is dead.
  bool is_reply_dead() const;
  bool has_attempt(const ProgramStep& step) const {
    return step.attempts == 0 || state_->attempt < step.attempts;
  }
  bool looks_before_writing() const;
  // It releases, and writes after that, with the number of the grant that it had.
  bool writes_after_this() const {
    return steps_[state_->line].op == ProgramStep::Op::release && writes_late(steps_.subspan(state_->line));
  }
  bool is_sure();
  void note_token();
  bool note_end_of_call();
  void begin_releasing();
  // `was_again`: what it had acquired while it held.
  void end_releasing(Release result, bool was_again);
  void begin_acquiring(Mode mode);
  // True when the client now believes that it holds the lock.
  bool end_acquiring(Mode mode, const Attempt& attempt);
  Instant belief_end(const Grant& grant) const;
  void expect_belief_end();
  Duration begin_wait_to_retry();
  Duration begin_work(const ProgramStep& step);
  Duration begin_fetch(const ProgramStep& step);
  Duration begin_job(const ProgramStep& step);
  // Sets the round.
  bool has_another_period(const ProgramStep& step);
  std::optional<Duration> until_period(const ProgramStep& step);
  std::uint32_t period() const;
  Duration since_first_period() const;  // by its steady clock
  void end_period();
  Duration note_work(const ProgramStep& step);
  bool find_in_cache();
  void end_acquiring_again(const Attempt& attempt);
  Instant true_time(WallTime wall) const;

  WallTime wall() override;
  SteadyTime steady() override;
  SteadyTime start(const Stopwatch& watch) override;
  Duration elapsed(const Stopwatch& watch, SteadyTime since) override;
  Duration set_by(const Stopwatch& watch) override;
  std::optional<Duration> look(const Stopwatch& watch) override;
  void go_on_from(const Stopwatch& watch, Duration passed, bool has_read) override;
  const ClientState::Watch& running(const Stopwatch& watch) const;
  void stop(const Stopwatch& watch) noexcept override;
  void arm(Sleep& sleep) override;
  void disarm(Sleep& sleep) noexcept override;
  std::string token() override;
  std::string identity() override;
  Duration jitter(Duration most) override;
  std::uint64_t chance() override;
  void made(const Made& what) override;
  void keep_only(const Args& values, Where where) override;
  ReplyOrders reply_orders() const override;
  std::uint32_t begin_beside(const Args& values, Where where, std::coroutine_handle<> frame) override;
  void end_turn() override;
  void end_beside(std::uint32_t task) noexcept override;
  void know_clients() override;
  void note_comparison(bool is_less) override;
  void renewed(const std::string& token, Duration lease) override;
  void lost(const std::string& token) override;

  // Awaited in the program: whether an attempt, which may be cancelled meanwhile, was granted.
  class Outcome {
   public:
    explicit Outcome(Client& client)
        : client_(client), inner_(std::move(client.state_.change().acquiring).operator co_await()) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> program) noexcept {
      client_.state_.change().after_acquire = program;
      inner_.await_suspend(program);
    }
    bool await_resume();

   private:
    Attempt take();
    Client& client_;
    Task<Attempt>::Awaiter inner_;
  };

  // First what it needs whenever it goes on, close together.
  World& world_;
  SimStore store_;  // of the first server, which most locks have alone
  Store* const first_store_ = &store_;
  struct Stores {
    std::vector<SimStore> others;
    std::vector<Store*> all;
  };
  const std::unique_ptr<Stores> several_;  // null: there is but one
  Env env_;
  const Key key_;
  const std::vector<Key> keys_of_periods_;  // empty: it uses one in all
  std::span<const ProgramStep> steps_;      // of the program
  const ClientId id_;
  const std::int32_t drift_ppm_;
  const Belief belief_;
  const bool has_states_;  // mix_state() is used
  std::uint32_t rounds_;   // 0: endless
  Part<ClientState> state_;
  // From here on, what is needed now and then.
  const ClientPlan& plan_;
  std::optional<Params> own_params_;  // if the plan has some
};

}  // namespace holdfast
