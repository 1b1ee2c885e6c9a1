// EVAL and its kin, and SCRIPT. A script that was run once is known to the server until SCRIPT FLUSH or a
// restart.
#include <algorithm>
#include <optional>
#include <utility>

#include "sim/core/invariant.hpp"
#include "sim/stores/redis/families.hpp"
#include "sim/stores/redis/numbers.hpp"
#include "sim/stores/redis/scripts.hpp"

namespace holdfast::redis {
namespace {

// What a running script reaches: the server that runs it, at the time at which it began. It has no connection
// of its own, and that of its client is not its.
class RunningScript final : public Scripts::Host {
 public:
  RunningScript(Invocation& in, bool is_read_only)
      : in_(in),
        caller_{.connection = std::nullopt, .pushes = in.caller.pushes},
        is_read_only_(is_read_only) {}
  Reply call(WordsView argv, std::size_t& elements) override {
    const std::size_t before = caller_.elements;
    Reply reply = execute_for_script(in_, argv, caller_, is_read_only_);
    elements += caller_.elements - before;
    return reply;
  }
  bool has_command(WordsView argv) const override {
    if (find_row(argv) != nullptr) return true;
    in_.server.note({redis::not_simulated(argv)});
    return false;
  }
  void note_not_simulated(std::string_view what) override { in_.server.note({what}); }

 private:
  Invocation& in_;
  Caller caller_;
  bool is_read_only_;
};

Reply no_script() { return Reply::error("NOSCRIPT No matching script. Please use EVAL."); }

// The number of keys; nullopt with `problem` set when it is none.
std::optional<std::size_t> count_keys(const Invocation& in, Reply& problem) {
  const std::optional<std::int64_t> count = to_integer(in.argv[2]);
  if (!count) problem = not_an_integer();
  else if (*count > static_cast<std::int64_t>(in.argc() - 3))
    problem = error("Number of keys can't be greater than number of args");
  else if (*count < 0) problem = error("Number of keys can't be negative");
  else return static_cast<std::size_t>(*count);
  return std::nullopt;
}

Reply run(Invocation& in, const Script& script, std::size_t key_count, bool is_read_only) {
  if (is_read_only && script.has_flags && !script.is_read_only)
    return error("Can not execute a script with write flag using *_ro command.");
  in.server.has_told_apart = in.server.has_told_apart || !script.own_texts;
  in.server.has_told_in_parts = in.server.has_told_in_parts || script.may_take_apart;
  const WordsView words = in.argv.subspan(3);
  RunningScript host(in, is_read_only || script.is_read_only);
  return in.server.scripts->run(script, words.first(key_count), words.subspan(key_count), host);
}

Reply eval(Invocation& in, bool is_read_only) {
  Reply problem;
  const std::optional<std::size_t> key_count = count_keys(in, problem);
  if (!key_count) return problem;
  const Script* script = in.server.scripts->compile(in.argv[1], problem);
  if (script == nullptr) return problem;
  if (!in.server.has_loaded(script)) in.server.loaded.push_back(script);
  return run(in, *script, *key_count, is_read_only);
}

Reply evalsha(Invocation& in, bool is_read_only) {
  constexpr std::size_t sha_size = 40;
  if (in.argv[1].size() != sha_size) return no_script();
  Reply problem;
  const std::optional<std::size_t> key_count = count_keys(in, problem);
  if (!key_count) return problem;
  const Script* script = in.server.scripts->find(in.argv[1]);
  if (script == nullptr || !in.server.has_loaded(script)) return no_script();
  return run(in, *script, *key_count, is_read_only);
}

}  // namespace

Reply eval(Invocation& in) { return eval(in, false); }
Reply eval_ro(Invocation& in) { return eval(in, true); }
Reply evalsha(Invocation& in) { return evalsha(in, false); }
Reply evalsha_ro(Invocation& in) { return evalsha(in, true); }

Reply script_load(Invocation& in) {
  Reply problem;
  const Script* script = in.server.scripts->compile(in.argv[2], problem);
  if (script == nullptr) return problem;
  if (!in.server.has_loaded(script)) in.server.loaded.push_back(script);
  return Reply::bulk(script->sha);
}

Reply script_exists(Invocation& in) {
  std::vector<Reply> found;
  for (std::size_t i = 2; i < in.argc(); ++i) {
    const Script* script = in.server.scripts->find(in.argv[i]);
    found.push_back(Reply::integer(script != nullptr && in.server.has_loaded(script)));
  }
  return Reply::array(std::move(found));
}

Reply script_flush(Invocation& in) {
  const bool knows_mode = in.argc() == 3 && (is_word(in.argv[2], "sync") || is_word(in.argv[2], "async"));
  if (in.argc() > 2 && !knows_mode) return error("SCRIPT FLUSH only support SYNC|ASYNC option");
  in.server.loaded.clear();
  return Reply::ok();
}

// No client can ask while a script runs: time stands still.
Reply script_kill(Invocation&) { return Reply::error("NOTBUSY No scripts in execution right now."); }

}  // namespace holdfast::redis
