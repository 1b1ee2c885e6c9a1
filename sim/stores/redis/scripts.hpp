// The Lua engine: runs the scripts of EVAL in Redis' sandbox. Which scripts a server knows is the server's
// business.
//
// Lua is LuaJIT with its compiler switched off, so that runs are deterministic and can be stopped. Between
// two runs the engine keeps nothing that a script could see: compiled functions are a cache, the sandbox
// cannot be written to.
//
// Where it differs from Redis 7.0.15 on purpose (scripts_test.cpp and conformance_test.cpp show each):
// - the libraries cjson, cmsgpack and struct are absent, as Host is told when a script looks for them;
// - a script is stopped after Limits::instructions, and Host is told, or when it holds Limits::bytes more
// than
//   before; a reply nests 200 deep at most;
// - pairs() and next() give numbers in rising order, then texts in rising order; Redis' order is that of its
//   hash table;
// - after redis.setresp(3), of which Host is told, maps, sets and numbers with decimals still look as they do
// before;
// - math.random() starts from the same seed in every run, of which Host is told unless the script seeds it;
// tostring() of a table or function shows no address;
// - LuaJIT is a little more than Lua 5.1 (goto, \x41, 1LL, 0b1) and a little less (the table `arg`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/by_chance.hpp"
#include "sim/core/command.hpp"
#include "sim/core/reply.hpp"

namespace holdfast::redis {

// A script that compiles. Lives as long as the engine.
struct Script {
  std::string sha;
  bool has_flags = false;     // its first line is "#!lua", with flags or without
  bool is_read_only = false;  // they include no-writes
  std::size_t number = 0;     // the engine's own
  std::uint64_t word = 0;     // the first half of the first digits of `sha`: for digests
  // If it only compares texts and passes them on (disguise.hpp): those that it contains.
  std::optional<std::vector<std::string>> own_texts{};
  bool may_take_apart = false;  // may_take_texts_apart() of it
};

class Engine;
class ScriptMemo;

// What a script is told, and how many elements were looked at to find it out (its limits count them).
struct ScriptAnswer {
  Reply reply;
  std::size_t elements = 0;
  bool operator==(const ScriptAnswer&) const = default;
};

// What one run called and was answered, in order, and its result.
struct ScriptCourse {
  std::vector<std::pair<Command, ScriptAnswer>> calls;
  Reply result;
};

class Scripts {
 public:
  struct Limits {
    std::int64_t instructions = 10'000'000;
    std::size_t bytes = std::size_t{64} << 20;
  };
  // What redis.call() reaches.
  class Host {
   public:
    // Adds to `elements` how many elements of collections the command had before it.
    virtual Reply call(WordsView argv, std::size_t& elements) = 0;
    virtual bool has_command(WordsView argv) const = 0;
    // The script uses what Redis has and the engine has not. `what` lives for ever.
    virtual void note_not_simulated(std::string_view what) = 0;

   protected:
    ~Host() = default;
  };

  Scripts();
  explicit Scripts(Limits limits);
  ~Scripts();
  Scripts(const Scripts&) = delete;

  // The script of this text. nullptr with `problem` set to Redis' error reply when it does not compile.
  const Script* compile(std::string_view body, Reply& problem);
  // nullptr when no such script was ever compiled. Takes 40 digits of either case.
  const Script* find(std::string_view sha) const;
  // REQUIRES: `script` came from this engine, and no run is in progress.
  Reply run(const Script& script, WordsView keys, WordsView args, Host& host);
  // Whether runs that go the way of an earlier one leave Lua out (script_memo.hpp). On by default.
  void remember(bool remembers) { remembers_ = remembers; }
  // From now on; nullptr: there are none. A script that may look into texts does the same when it is given
  // others instead, or looked() says which text it looked into.
  void suppose(const ByChance* texts) { by_chance_ = texts; }
  const std::string& looked() const { return looked_; }

 private:
  Reply run_along(ScriptMemo& memo, const Script& script, WordsView keys, WordsView args, Host& host);
  // Notes in `memo` what it did, unless that is null.
  Reply run_in_lua(ScriptMemo* memo, const Script& script, WordsView keys, WordsView args, Host& host,
                   std::span<const ScriptAnswer> told);
  void look_for_looks(const Script& script, WordsView keys, WordsView args, const ScriptCourse& course);
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<ScriptMemo> memo_;
  std::unique_ptr<ScriptMemo> disguised_memo_;  // of runs whose texts are hidden
  std::unique_ptr<ScriptMemo> chancy_memo_;     // of runs that did the same with other texts
  const ByChance* by_chance_ = nullptr;
  std::string looked_;
  bool remembers_ = true;
};

}  // namespace holdfast::redis
