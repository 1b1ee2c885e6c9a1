#include "sim/stores/redis/script_memo.hpp"

#include <algorithm>

#include "sim/core/invariant.hpp"

namespace holdfast::redis {
namespace {

// Beyond this many steps of scripts, the memory would rather cost than save time.
constexpr std::size_t nodes_max = 1 << 16;
// Looking for an answer among more than so many would take longer than running the script.
constexpr std::size_t answers_max = 64;
// From so many different runs on they must come again as often: in a long random run, every attempt has a
// token of its own.
constexpr std::size_t runs_tried = 1 << 10;

void append(std::string& text, std::size_t number) {
  text.append(reinterpret_cast<const char*>(&number), sizeof number);
}

}  // namespace

// Equal exactly for equal runs: lengths before texts.
std::string& ScriptMemo::name_of(const Script& script, WordsView keys, WordsView args) {
  name_.clear();
  append(name_, script.number);
  append(name_, keys.size());
  for (const WordsView& words : {keys, args})
    for (const std::string_view word : words) {
      append(name_, word.size());
      name_ += word;
    }
  return name_;
}

const ScriptMemo::Node* ScriptMemo::find(const Script& script, WordsView keys, WordsView args) {
  const auto found = roots_.find(name_of(script, keys, args));
  if (found == roots_.end()) return nullptr;
  ++found_;
  return found->second;
}

std::vector<ScriptMemo::Answer> ScriptMemo::told_before(const Node& node) {
  std::vector<Answer> told;
  for (const Node* at = &node; at->before != nullptr; at = at->before) told.push_back(at->told);
  std::reverse(told.begin(), told.end());
  return told;
}

void ScriptMemo::note(const Script& script, WordsView keys, WordsView args, Course course) {
  const bool is_in_vain = roots_.size() >= runs_tried && found_ < roots_.size();
  if (is_in_vain || nodes_.size() + course.calls.size() + 1 > nodes_max) {
    roots_.clear();
    nodes_.clear();
    is_overrun_ = true;
    return;
  }
  Node*& root = roots_[name_of(script, keys, args)];
  if (root == nullptr) root = &node();
  Node* at = root;
  for (auto& [call, answer] : course.calls) {
    INVARIANT(!at->is_end && (at->call.argv().empty() || at->call == call),
              "a script does the same when told the same");
    at->call = std::move(call);
    Node* next = const_cast<Node*>(after(*at, answer));
    if (next == nullptr && at->next.size() == answers_max) return;
    if (next == nullptr) {
      Node& made = node();
      made.before = at;
      made.told = std::move(answer);
      at->next.push_back(&made);
      next = &made;
    }
    at = next;
  }
  INVARIANT(at->call.argv().empty(), "a script ends where it ended when told the same");
  at->is_end = true;
  at->result = std::move(course.result);
}

}  // namespace holdfast::redis
