// Remembers what scripts did: a script is a function of its keys, its arguments, and what its calls were
// answered. A run that repeats an earlier one leaves Lua out.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/stores/redis/scripts.hpp"

namespace holdfast::redis {

class ScriptMemo {
 public:
  using Answer = ScriptAnswer;
  static Answer ask(Scripts::Host& host, WordsView argv) {
    Answer answer;
    answer.reply = host.call(argv, answer.elements);
    return answer;
  }

  // What a script does next, given all that it has been told so far.
  struct Node {
    const Node* before = nullptr;  // where it came from; null: from nowhere, it is the beginning …
    Answer told;                   // … and what it was told there
    bool is_end = false;
    Reply result;             // is_end
    Command call;             // else: what it calls …
    std::vector<Node*> next;  // … and where each answer leads
  };

  // nullptr when nothing is known of such a run.
  const Node* find(const Script& script, WordsView keys, WordsView args);
  // Where `answer` leads; nullptr when that answer is new.
  static const Node* after(const Node& node, const Answer& answer) {
    for (const Node* const next : node.next)
      if (next->told == answer) return next;
    return nullptr;
  }
  // All that it was told on the way there, in order.
  static std::vector<Answer> told_before(const Node& node);

  using Course = ScriptCourse;
  // Forgets everything, for good, when there is too much of it, or when it is hardly ever asked for.
  void note(const Script& script, WordsView keys, WordsView args, Course course);

  // There are too many different runs to remember, or they do not come again.
  bool is_overrun() const { return is_overrun_; }

 private:
  std::string& name_of(const Script& script, WordsView keys, WordsView args);
  Node& node() { return nodes_.emplace_back(); }

  std::unordered_map<std::string, Node*> roots_;
  std::deque<Node> nodes_;
  std::string name_;       // scratch
  std::size_t found_ = 0;  // how often something was
  bool is_overrun_ = false;
};

}  // namespace holdfast::redis
