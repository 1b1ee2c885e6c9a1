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

#include "sim/guest/program.hpp"

namespace holdfast::guest {

struct History {
  Node before = nullptr;
  std::uint32_t length = 0;  // how much it was told
  Told event = {};
  Action action = {};
  // By text_of() of what it is told next. For Histories alone, under its mutex.
  mutable std::map<std::string, Node, std::less<>> next = {};
};

class Histories final : public Program {
 public:
  using Begin = std::function<std::unique_ptr<Session>()>;
  struct Statistics {
    std::size_t histories = 0;               // nodes but for the root
    std::size_t sessions = 0;                // runs of the program
    std::size_t told = 0;                    // events, in all of them
    std::size_t compared = 0;                // of these, known before: the program did the same
    std::vector<std::string> problems = {};  // errors that ended a request, each once
  };

  // `begin` starts the program anew. So many of its runs wait at the end of what they were told, so that they
  // can go on from there.
  explicit Histories(Begin begin, std::size_t running_max = 64, TimeToTell time = TimeToTell::nothing);
  Node root() const override { return &root_; }
  TimeToTell time_to_tell() const override { return time_; }
  Node next(Node node, const Told& event) override;
  const Action& action(Node node) const override { return node->action; }
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
  // All require the mutex.
  Running run_to(Node node);
  Action tell(Running& running, const Told& event);
  void require_same(const History& known, const Action& again) const;

  const Begin begin_;
  const std::size_t running_max_;
  const TimeToTell time_;
  mutable std::shared_mutex mutex_;
  History root_;
  std::deque<History> learnt_;
  std::vector<Running> running_;  // some, the one that was used last at the end
  Statistics statistics_;
};

}  // namespace holdfast::guest
