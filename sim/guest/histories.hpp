// What a program does after what it was told, learnt from the program itself when it is first asked.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "sim/guest/names.hpp"
#include "sim/guest/program.hpp"
#include "sim/guest/twins.hpp"

namespace holdfast::guest {

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
  // What the marks are that it adds, by voices.
  mutable std::map<std::string, Parts, std::less<>> texts = {};
};

class Histories final : public Program {
 public:
  // Runs of the program.
  struct Runs {
    // Starts it anew; all of its chance follows from the number.
    std::function<std::unique_ptr<Session>(std::uint64_t chance, bool is_late)> begin;
    // How many learn together what depends on chance, and whether another is told everything later.
    std::size_t twins = 3;
    bool has_late = false;
    // How many more, a prime number of them, are asked for their first texts, which may repeat, and where
    // they are told a text, into which they may look.
    std::size_t fresh = 0;
    // So many wait at the end of what they were told, so that they can go on from there.
    std::size_t waiting_max = 64;
    bool comes_to_rest = false;  // its memory is known, and a call leaves nothing in it
    TimeToTell time = TimeToTell::nothing;
    std::vector<std::uint64_t> chances = {};  // as Program has it
  };
  struct Statistics {
    std::size_t histories = 0;               // nodes but for the root
    std::size_t sessions = 0;                // runs of the program
    std::size_t told = 0;                    // events, in all of them
    std::size_t compared = 0;                // of these, known before: the program did the same
    std::vector<std::string> problems = {};  // errors that ended a request, each once
  };

  explicit Histories(Runs runs);
  Node root() const override { return &root_; }
  TimeToTell time_to_tell() const override { return runs_.time; }
  TimeToTell needs(Node node, const Told& event) override;
  Node next(Node node, const Told& event) override;
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
  Statistics statistics_;
};

}  // namespace holdfast::guest
