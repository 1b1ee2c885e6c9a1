#include "sim/redis/scripts.hpp"

#include "sim/core/arena.hpp"
#include "sim/redis/engine.hpp"
#include "sim/redis/script_memo.hpp"

namespace holdfast::redis {
namespace {

// The engine outlives the world that calls it: what it keeps lies outside of the world's arena, and what the
// world keeps inside. So everything that crosses is copied. What the script was told before it lost its way
// in the memo is told again; the calls were made.
class BackInside final : public Scripts::Host {
 public:
  BackInside(Scripts::Host& host, Arena* arena, std::span<const ScriptMemo::Answer> told)
      : host_(host), arena_(arena), told_(told) {}
  Reply call(const std::vector<std::string>& argv, std::size_t& elements) override {
    const ScriptMemo::Answer answer =
        course.calls.size() < told_.size() ? told_[course.calls.size()] : call_inside(argv);
    elements = answer.elements;
    const Arena::Outside outside;
    course.calls.emplace_back(argv, answer);
    return course.calls.back().second.reply;
  }
  bool has_command(const std::vector<std::string>& argv) const override { return host_.has_command(argv); }

  ScriptMemo::Course course;

 private:
  ScriptMemo::Answer call_inside(const std::vector<std::string>& argv) {
    const Arena::Inside inside(arena_);
    return ScriptMemo::ask(host_, argv);
  }
  Scripts::Host& host_;
  Arena* arena_;
  std::span<const ScriptMemo::Answer> told_;
};

}  // namespace

Scripts::Scripts() : Scripts(Limits()) {}
Scripts::Scripts(Limits limits)
    : engine_(std::make_unique<Engine>(limits)), memo_(std::make_unique<ScriptMemo>()) {}
Scripts::~Scripts() = default;

const Script* Scripts::compile(std::string_view body, Reply& problem) {
  Reply found;
  const Script* script = nullptr;
  {
    const Arena::Outside outside;
    script = engine_->compile(body, found);
  }
  if (script == nullptr) problem = Reply(found);
  return script;
}

const Script* Scripts::find(std::string_view sha) const { return engine_->find(sha); }

bool Scripts::remembers() const { return remembers_ && !memo_->is_overrun(); }

Reply Scripts::run(const Script& script, std::span<const std::string> keys, std::span<const std::string> args,
                   Host& host) {
  const ScriptMemo::Node* node = nullptr;
  if (remembers()) {
    const Arena::Outside outside;
    node = memo_->find(script, keys, args);
  }
  std::vector<ScriptMemo::Answer> told;
  while (node != nullptr && !node->is_end) {
    told.push_back(ScriptMemo::ask(host, node->call));
    node = ScriptMemo::after(*node, told.back());
  }
  return node != nullptr ? node->result : run_in_lua(script, keys, args, host, told);
}

Reply Scripts::run_in_lua(const Script& script, std::span<const std::string> keys,
                          std::span<const std::string> args, Host& host,
                          std::span<const ScriptMemo::Answer> told) {
  Reply outer;
  {
    const Arena::Outside outside;
    BackInside back(host, outside.before(), told);
    outer = engine_->run(script, keys, args, back);
    back.course.result = outer;
    if (remembers()) memo_->note(script, keys, args, std::move(back.course));
  }
  const Reply& result = outer;
  return result;
}

}  // namespace holdfast::redis
