// Compiling and running. The memory and the instructions of a run are limited; compiling is limited too.
#include "sim/stores/redis/engine.hpp"

#include <luajit.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "sim/core/invariant.hpp"
#include "sim/core/sha1.hpp"
#include "sim/stores/redis/command.hpp"
#include "sim/stores/redis/disguise.hpp"
#include "sim/stores/redis/shebang.hpp"
#include "sim/stores/redis/tail_calls.hpp"

namespace holdfast::redis {
namespace {

constexpr std::size_t sha_size = 40;
// How often the instructions are counted. The limit is exact to this.
constexpr int instructions_per_count = 10'000;

}  // namespace

Engine::Engine(Scripts::Limits limits) : limits_(limits) { open(); }
Engine::~Engine() { close(); }

void Engine::open() {
  state_ = lua_newstate(&Engine::allocate, this);
  INVARIANT(state_ != nullptr, "LuaJIT takes an allocator of ours (on x86-64 it needs GC64 for that)");
  ++generation_;
  luaJIT_setmode(state_, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF);
  build_sandbox(state_);
  INVARIANT(lua_gettop(state_) == slot::last, "the sandbox fills its slots");
}

void Engine::close() {
  lua_close(state_);
  INVARIANT(bytes_used_ == 0, "a closed state gives everything back");
}

Engine& Engine::of(lua_State* L) {
  void* engine = nullptr;
  lua_getallocf(L, &engine);
  return *static_cast<Engine*>(engine);
}

void* Engine::allocate(void* engine, void* block, std::size_t old_size, std::size_t new_size) {
  Engine& self = *static_cast<Engine*>(engine);
  if (new_size == 0) {
    std::free(block);
    self.bytes_used_ -= old_size;
    return nullptr;
  }
  if (new_size > old_size &&
      new_size - old_size > self.bytes_allowed_ - std::min(self.bytes_allowed_, self.bytes_used_)) {
    self.is_out_of_memory_ = true;
    return nullptr;
  }
  void* result = std::realloc(block, new_size);
  if (result != nullptr) self.bytes_used_ += new_size - old_size;
  return result;
}

void Engine::count(lua_State* L, lua_Debug*) { of(L).charge(L, instructions_per_count); }

int Engine::enter(lua_State* L) {
  constexpr int deepest = 200;  // LUAI_MAXCCALLS of Lua 5.1
  if (depth_ >= deepest) luaL_error(L, "C stack overflow");
  return depth_++;
}

void Engine::charge(lua_State* L, std::size_t instructions) {
  instructions_left_ -= static_cast<std::int64_t>(std::min<std::size_t>(instructions, limits_.instructions));
  if (instructions_left_ <= 0) stop(L);
}

// From here on every instruction raises, so that no pcall() of the script brings it back to life.
void Engine::stop(lua_State* L) {
  is_stopped_ = true;
  if (host != nullptr) host->note_not_simulated("a script that takes so long");
  lua_sethook(L, &Engine::count, LUA_MASKCOUNT, 1);
  raise(L, "Script stopped by the simulation: it ran for too many instructions");
  std::abort();
}

std::uint32_t Engine::next_random() {
  random_ = (random_ * 0x5DEECE66D + 0xB) & ((std::uint64_t{1} << 48) - 1);
  return static_cast<std::uint32_t>(random_ >> 17);
}

void Engine::begin_limits() {
  bytes_allowed_ = bytes_used_ + limits_.bytes;
  instructions_left_ = limits_.instructions;
  depth_ = 0;
  is_out_of_memory_ = false;
  is_stopped_ = false;
  lua_sethook(state_, &Engine::count, LUA_MASKCOUNT, instructions_per_count);
}

void Engine::end_limits() { bytes_allowed_ = unlimited; }

const Script* Engine::find(std::string_view sha) const {
  if (sha.size() != sha_size) return nullptr;
  std::array<char, sha_size> lower;
  std::transform(sha.begin(), sha.end(), lower.begin(), [](char digit) {
    return digit >= 'A' && digit <= 'Z' ? static_cast<char>(digit - 'A' + 'a') : digit;
  });
  const auto found = by_sha_.find(std::string_view(lower.data(), lower.size()));
  return found == by_sha_.end() ? nullptr : &found->second->script;
}

bool Engine::load(std::string_view body) {
  const std::string_view source = without_shebang(body);
  const std::string adapted = without_tail_calls(source);
  begin_limits();
  bool is_loaded = luaL_loadbufferx(state_, adapted.data(), adapted.size(), "@user_script", "t") == 0;
  if (!is_loaded) {
    // The message should quote what was written.
    lua_pop(state_, 1);
    is_loaded = luaL_loadbufferx(state_, source.data(), source.size(), "@user_script", "t") == 0;
  }
  end_limits();
  return is_loaded;
}

const Script* Engine::compile(std::string_view body, Reply& problem) {
  const auto known = by_body_.find(body);
  if (known != by_body_.end()) return &known->second->script;
  Script script;
  problem = read_shebang(body, script);
  if (problem.is_error()) return nullptr;
  if (!load(body)) {
    problem = error(std::string("Error compiling script (new function): ") + lua_tostring(state_, -1));
    lua_pop(state_, 1);
    return nullptr;
  }
  script.sha = sha1_hex(body);
  std::from_chars(script.sha.data(), script.sha.data() + 16, script.word, 16);
  script.number = compiled_.size();
  script.own_texts = texts_of_carrier(body);
  script.may_take_apart = !script.own_texts && may_take_texts_apart(body);
  Compiled& compiled = compiled_.emplace_back(Compiled{std::move(script), std::string(body)});
  compiled.function = luaL_ref(state_, LUA_REGISTRYINDEX);
  compiled.generation = generation_;
  by_body_.emplace(compiled.body, &compiled);
  by_sha_.emplace(compiled.script.sha, &compiled);
  return &compiled.script;
}

void Engine::push_function(Compiled& compiled) {
  if (compiled.generation == generation_) {
    lua_rawgeti(state_, LUA_REGISTRYINDEX, compiled.function);
    return;
  }
  const bool is_loaded = load(compiled.body);
  INVARIANT(is_loaded, "what compiled once compiles again");
  lua_pushvalue(state_, -1);
  compiled.function = luaL_ref(state_, LUA_REGISTRYINDEX);
  compiled.generation = generation_;
}

void Engine::set_words(const char* name, WordsView words) {
  lua_createtable(state_, static_cast<int>(words.size()), 0);
  int place = 0;
  for (const std::string_view word : words) {
    push_text(state_, word);
    lua_rawseti(state_, -2, ++place);
  }
  lua_setfield(state_, slot::globals, name);
}

Reply Engine::run(const Script& script, WordsView keys_given, WordsView args_given,
                  Scripts::Host& host_given) {
  INVARIANT(host == nullptr, "scripts do not nest");
  INVARIANT(script.number < compiled_.size() && &compiled_[script.number].script == &script,
            "a script of this engine");
  push_function(compiled_[script.number]);
  has_times = has_marks = false;
  set_words("KEYS", keys_given);
  set_words("ARGV", args_given);
  host = &host_given;
  resp = 2;
  objects_named = 0;
  seed_random(0);
  is_seeded = false;
  begin_limits();
  const int status = lua_pcall(state_, 0, 1, slot::error_handler);
  end_limits();
  Reply result = status == 0 ? pop_reply(state_, resp) : failure(script);
  note_obstacles(compiled_[script.number], status != 0);
  host = nullptr;
  lua_settop(state_, slot::last);
  // A library function may be half done when its memory is refused.
  if (is_out_of_memory_) {
    close();
    open();
  }
  return result;
}

// An error may be that a function of the library takes no such time; and within texts no operator is asked.
void Engine::note_obstacles(const Compiled& compiled, bool has_failed) const {
  if (has_times && has_failed) time_oracle->obstruct("a script stops that was told a time");
  if (!has_marks) return;
  const std::string& body = compiled.body;
  const bool may_look = compiled.script.may_take_apart || body.find_first_of("#<>") != std::string::npos ||
                        body.find("sub") != std::string::npos || body.find("len") != std::string::npos;
  if (may_look) time_oracle->obstruct("a script looks into a text with a time in it");
}

Reply Engine::failure(const Script& script) {
  if (is_out_of_memory_ || !lua_istable(state_, -1)) {
    const char* message = is_out_of_memory_ ? "not enough memory" : lua_tostring(state_, -1);
    return error("Error running script " + script.sha + ", " +
                 std::string(message == nullptr ? "execution failure" : message).substr(0, 100));
  }
  const auto field = [this](const char* name) {
    lua_getfield(state_, -1, name);
    const char* text = lua_tostring(state_, -1);
    std::optional<std::string> copy;
    if (text != nullptr) copy = text;
    lua_pop(state_, 1);
    return copy;
  };
  const std::optional<std::string> source = field("source");
  const std::optional<std::string> line = field("line");
  std::string text = field("err").value_or("ERR unknown error");
  if (source && line) text += " script: " + script.sha + ", on " + *source + ":" + *line + ".";
  std::replace_if(
      text.begin(), text.end(), [](char letter) { return letter == '\r' || letter == '\n'; }, ' ');
  return Reply::error(std::move(text));
}

}  // namespace holdfast::redis
