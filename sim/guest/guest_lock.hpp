// A program in another language, as a lock of holdfast.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/core/any_of.hpp"
#include "sim/core/lock.hpp"
#include "sim/guest/names.hpp"
#include "sim/guest/program.hpp"

namespace holdfast::guest {

// One process: it is told what its clients observe, and does what it says. What it waits for outlives its
// calls. Crash: the object is gone, and the next one begins at the root.
class GuestLock final : public Lock {
 public:
  // `program` outlives it. Each call of a stateless program begins a new run of it.
  GuestLock(Program& program, const Params& params, bool is_stateless);

  Task<Attempt> acquire(Env& env, std::string key, Mode mode) override;
  Task<Release> release(Env& env, std::string key, Grant grant) override;
  bool recall(Memory&) const override;
  void require_usable() const override {
    if (trouble_) std::rethrow_exception(trouble_);
  }

 private:
  using Ended = AnyOf<Reply>::Ended;
  struct Connection {
    Connection(std::uint32_t its_number, Store& node) : number(its_number), own(node) {}
    std::uint32_t number;
    OwnConnection own;
  };
  // One run of the program: where it is in the tree, its chance, and what it has made by that.
  struct Run {
    Node at;
    Voice voice = {};
    Names tokens = {};
  };
  // A client of this process.
  struct Party {
    Party(Env& its_env, std::uint32_t its_number, Node root) : env(its_env), number(its_number), own{root} {}
    Env& env;
    std::uint32_t number;
    Run own;  // of a stateless program: of the call that goes on
    // Tokens that it was granted, of those that a program made by chance: the parts that are.
    std::map<std::string, std::vector<std::string>> granted = {};
    std::list<Connection> connections = {};
    AnyOf<Reply> waits = {};
    Background beside = {};          // tells what ends while no call goes on
    const Effect* result = nullptr;  // of the call that goes on
    Node joint = nullptr;            // what was sent there is waited for as a whole; null: nothing is
    bool is_joint_cut = false;  // … and the caller gave up meanwhile, when some of the replies may be here
    std::optional<Stopwatch> since_begin = {};  // of a program that is told the time
    bool is_in_call = false;
  };
  class InCall;

  Party& party_of(Env& env);
  // Nothing waits, and the program goes on as one that has only begun.
  bool keeps_nothing() const;
  void begin_anew(Party& party);
  Run& run_of(Party& party) { return is_stateless_ ? party.own : run_; }
  void begin(Party& party, Told event);
  Task<> go_on(Party* party);
  Task<> run_beside(Party* party);
  void finish_wait(Party& party, const Ended& ended);
  Task<Reply> send(Party* party, const Effect* effect);
  static Task<Reply> sleep(Env& env, Duration duration);
  bool waits_for_all(const Party& party, Node node) const;
  Task<Reply> send_to_all(Party* party, Node node);
  void tell_all(Party& party, const Reply& replies);
  void note_order_matters(Node node);
  void begin_run(Party& party);
  void tell(Party& party, Told event);
  void learn_texts(Party& party, const Action& action);
  void go_to(Party& party, Told& event);
  void date(Party& party, Told& event, TimeToTell needs, std::optional<Duration> passed) const;
  void apply(const Party& mover, const Effect& effect);
  void start_beside();
  OwnConnection& connection_of(Party& party, const Effect& effect);
  Program& program_;
  const bool is_stateless_;
  Told begin_event_;
  Run run_;
  std::set<std::string> made_;  // texts that programs made by chance: tokens
  std::list<Party> parties_;
  std::exception_ptr trouble_ = nullptr;  // what next() threw
};

// The card of a program of any language. All texts outlive it. `nodes`: how many servers it uses; empty: one,
// and it is not told.
Card program_card(std::string_view id, std::string_view summary, std::string_view nodes,
                  std::function<std::unique_ptr<Lock>(const Params&)> make);

}  // namespace holdfast::guest
