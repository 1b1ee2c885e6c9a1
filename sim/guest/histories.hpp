// What a program does after what it was told, learnt from the program itself when it is first asked.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/guest/names.hpp"
#include "sim/guest/program.hpp"
#include "sim/guest/twins.hpp"

namespace holdfast::guest {

// An event that happened `at` so long after the program began, where a client counts from the times that
// stood for those before.
struct Visit {
  Told event = {};
  std::int64_t at = 0;
  Standing after = {};
  bool is_read() const { return event.elapsed >= 0; }
};

// The chance of the first twin: of no client, for what a client has made may be told to another as the text
// of a stranger.
inline constexpr std::uint64_t first_twin = std::uint64_t{1} << 61;

struct History {
  Node before = nullptr;
  std::uint32_t length = 0;  // how much it was told
  Told event = {};
  Action action = {};
  bool is_as_begun = false;
  // By text_of() of what it is told next. For Histories alone, under its mutex; as what follows.
  mutable std::map<std::string, Node, std::less<>> next = {};
  // Of these it reads a clock in the step that follows: which.
  mutable std::map<std::string, TimeToTell, std::less<>> needs = {};
  // Where times stand for others (classes.cpp): what happened here, by event and time …
  mutable std::map<std::string, Visit, std::less<>> visits = {};
  // … and the events, without times, of which no time stands for another.
  mutable std::set<std::string, std::less<>> sensitive = {};
  // What it sends here is waited for as a whole (orders.cpp), in any order; it was found that that matters.
  mutable bool is_joint = false;
  mutable bool does_order_matter = false;
  // What the marks are that it adds, by voices.
  mutable std::map<std::string, Parts, std::less<>> texts = {};
};

// The earliest time, since the program began, at which `event` may happen after `node`.
std::int64_t earliest(Node node, const Told& event);

// A step of a history with times and orders of its own, where others stood for them.
struct RealStep {
  Node before = nullptr;
  std::string event = {};  // without a time
  Node node = nullptr;     // where it is after it
  Told told = {};
};
using RealWay = std::vector<RealStep>;

class Histories final : public Program, public Presumed {
 public:
  // Runs of the program.
  struct Runs {
    // Starts it anew; all of its chance follows from the number. `late`: 0, or which of the late ones it is.
    std::function<std::unique_ptr<Session>(std::uint64_t chance, std::size_t late)> begin;
    // How many learn together what depends on chance, and how many others are told everything later.
    std::size_t twins = 3;
    std::size_t late = 0;
    // How many more, a prime number of them, are asked for their first texts, which may repeat, and where
    // they are told a text, into which they may look.
    std::size_t fresh = 0;
    // So many wait at the end of what they were told, so that they can go on from there.
    std::size_t waiting_max = 64;
    bool comes_to_rest = false;  // its memory is known, and a call leaves nothing in it
    TimeToTell time = TimeToTell::nothing;
    bool has_classes = false;                 // times stand for others
    std::vector<std::uint64_t> chances = {};  // as Program has it
  };
  struct Statistics {
    std::size_t histories = 0;               // nodes but for the root
    std::size_t sessions = 0;                // runs of the program
    std::size_t told = 0;                    // events, in all of them
    std::size_t compared = 0;                // of these, known before: the program did the same
    std::vector<std::string> problems = {};  // errors that ended a request, each once
    bool looks = false;                      // at clocks, which are not told: see Runs::late
    std::size_t stood_for = 0;               // readings of time for which another one stands
    std::size_t joint = 0;                   // histories with replies whose order stands for all others
    std::size_t to_confirm = 0;              // histories with such times and orders of their own …
    std::size_t confirmed = 0;               // … that were told to runs of their own, which did the same
  };

  explicit Histories(Runs runs);
  Node root() const override { return &root_; }
  TimeToTell time_to_tell() const override { return runs_.time; }
  TimeToTell needs(Node node, const Told& event) override;
  Node next(Node node, const Told& event) override;
  bool has_classes() const override { return runs_.has_classes; }
  Standing stand_in(Node node, const Told& event, std::int64_t elapsed) override;
  std::uint64_t version() const override;
  bool is_in_doubt() const override { return is_in_doubt_; }
  bool waits_for_all(Node node, bool has_one_order) override;
  void note_order_matters(Node node) override;
  Answer ask(const std::function<bool()>& is_over) override;
  const Action& action(Node node) const override { return node->action; }
  bool is_as_begun(Node node) const override {
    return node == &root_ ? runs_.comes_to_rest : node->is_as_begun;
  }
  const Parts& texts(Node node, const Voice& voice) override;
  ProgramRandom::Others others(const std::string& around) const override;
  const std::vector<std::uint64_t>& chances() const override { return runs_.chances; }
  // Texts were found to repeat: these chances, which make texts that differ, are to be explored by another.
  // Empty: they were not.
  std::vector<std::uint64_t> chances_to_explore() const;
  Statistics statistics() const;
  // Each history after the one that it goes on from, and what it is told last, as text_of() has it.
  void visit(const std::function<void(Node, std::string_view told)>& see) const;
  // Of those that wait. What they did stays known.
  void end_runs();

 private:
  struct Running {
    Node at = nullptr;
    std::unique_ptr<Session> session;
  };
  // One run with its own texts: what it is told and does has no marks.
  struct Speaking {
    std::string voice;
    Node at = nullptr;
    std::unique_ptr<Session> session;
    Names texts = {};
  };
  // All require the mutex.
  std::unique_ptr<Session> begin(Node node, const Told& event);
  Running run_to(Node node, const Told& event);
  const History& learn(Node node, const Told& event);
  Node exactly(Node node, const Told& event);
  Node class_of(Node node, const Told& event);
  // Which such histories were told, by what is told and the node; and of which all orders were, of the
  // replies to what was sent at these nodes.
  struct Real {
    std::map<std::pair<std::string, Node>, Real> next = {};
    bool is_told = false;
    std::vector<Node> joint = {};
  };
  class Confirmation;
  // All require the mutex.
  bool are_orders_refuted();
  static void let_order_matter(Node node);
  Action tell(Session& session, const Told& event);
  bool is_as_begun(Node node, Session& session);
  void require_same(const History& known, const Action& again) const;
  bool has_new_around(const History& node) const;
  void note_fresh(const History& node, bool is_first_grant);
  void ask_fresh(Node node, std::size_t number, bool was_granted);
  const Parts& learn_texts(Node node, const Voice& voice);
  Speaking speaker_on_way_to(Node node, const std::string& voice, const Voice& whose);
  void require_unique(const History& node);

  const Runs runs_;
  mutable std::shared_mutex mutex_;
  History root_;
  std::deque<History> learnt_;
  std::map<Node, std::optional<std::string>> begun_;  // what is kept by a run that has only begun
  std::vector<Running> running_;                      // some, the one that was used last at the end
  std::vector<Speaking> speaking_;                    // likewise
  Granted granted_;
  Granted granted_of_fresh_;
  std::map<std::string, Granted> others_;  // what fresh runs have for marks, by around_marks()
  std::vector<std::uint64_t> to_explore_;
  Real real_;
  std::set<Node> out_of_order_;  // where order matters, as was found since the last question
  std::atomic<bool> is_in_doubt_ = false;
  std::set<std::string> acts_early_on_;  // commands whose replies it does not all wait for
  std::uint64_t version_ = 0;
  Statistics statistics_;
};

}  // namespace holdfast::guest
