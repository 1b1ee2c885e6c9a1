#include "sim/guest/lua_session.hpp"

#include <lua.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/beyond_model.hpp"
#include "sim/core/invariant.hpp"
#include "sim/guest/lua_host.hpp"

namespace holdfast::guest {
namespace {

// Between two waits; more is an endless loop.
constexpr int instructions_max = 20'000'000;

// Its address is where a Lua state keeps its session.
const char key_of_session = 0;

// What the preludes compile to, by their places: compiling them takes as long as all else that a session
// does.
std::string compiled(const Prelude& prelude) {
  const std::unique_ptr<lua_State, void (*)(lua_State*)> state(luaL_newstate(), &lua_close);
  lua_State* const L = state.get();
  INVARIANT(L != nullptr, "there is memory for a Lua state");
  const std::string_view text(prelude.text);
  const std::string chunk = "=" + std::string(prelude.name);
  const int status = luaL_loadbufferx(L, text.data(), text.size(), chunk.c_str(), "t");
  INVARIANT(status == 0, "our own Lua compiles");
  std::string code;
  const auto append = [](lua_State*, const void* part, std::size_t size, void* to) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(part), size);
    return 0;
  };
  lua_dump(L, append, &code);
  return code;
}

const std::string& code_of(const Prelude& prelude) {
  static const std::vector<std::string> codes = [] {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < prelude_count; ++i) all.push_back(compiled(preludes[i]));
    return all;
  }();
  return codes[static_cast<std::size_t>(&prelude - preludes)];
}

bool is_own(const lua_Debug& place) { return *place.source != '@'; }

void push_text(lua_State* L, std::string_view text) { lua_pushlstring(L, text.data(), text.size()); }

// "4000000us" is a number of seconds, "3" a number.
void push_parameter(lua_State* L, const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (error == std::errc() && rest == "us") lua_pushnumber(L, static_cast<double>(number) / 1e6);
  else if (error == std::errc() && rest.empty()) lua_pushnumber(L, static_cast<double>(number));
  else push_text(L, text);
}

}  // namespace

LuaSession::LuaSession(const ScriptSource& source, std::uint64_t seed)
    : source_(source), random_(seed), state_(luaL_newstate(), &lua_close) {
  INVARIANT(state_ != nullptr, "there is memory for a Lua state");
  lua_State* const L = state_.get();
  lua_gc(L, LUA_GCSTOP, 0);
  lua_pushlightuserdata(L, const_cast<char*>(&key_of_session));
  lua_pushlightuserdata(L, this);
  lua_rawset(L, LUA_REGISTRYINDEX);
  luaL_openlibs(L);  // which switches the compiler on
  luaJIT_setmode(L, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF);
  load_prelude();
}

LuaSession::~LuaSession() {
  // Finalisers run when a worker ends, too, and have no effect.
  is_collecting_ = true;
}

LuaSession& LuaSession::of(lua_State* L) {
  lua_pushlightuserdata(L, const_cast<char*>(&key_of_session));
  lua_rawget(L, LUA_REGISTRYINDEX);
  auto* const session = static_cast<LuaSession*>(lua_touserdata(L, -1));
  lua_pop(L, 1);
  return *session;
}

// SplitMix64.
std::uint64_t LuaSession::next_random() {
  std::uint64_t word = random_ += 0x9E3779B97F4A7C15;
  word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
  word = (word ^ word >> 27) * 0x94D049BB133111EB;
  return word ^ word >> 31;
}

// The line of the program that is being executed: the first on the stack that is not ours.
ScriptLine LuaSession::place_in(lua_State* L, int level) const {
  lua_Debug place;
  for (; lua_getstack(L, level, &place) != 0; ++level) {
    lua_getinfo(L, "Sl", &place);
    if (is_own(place)) continue;
    return {source_.stable_name(place.source + 1), static_cast<std::uint32_t>(place.currentline)};
  }
  return {source_.main().name.c_str(), 0};
}

void LuaSession::stop(lua_State* L, lua_Debug*) {
  LuaSession& session = of(L);
  const ScriptLine place = session.place_in(L, 0);
  session.unusable_ = std::string(place.file) + ":" + std::to_string(place.line) + ": it ran for " +
                      std::to_string(instructions_max) + " instructions without waiting for anything";
  luaL_error(L, "%s", session.unusable_.c_str());
}

void LuaSession::call(int arguments) {
  lua_State* const L = state_.get();
  lua_sethook(L, &stop, LUA_MASKCOUNT, instructions_max);
  if (lua_pcall(L, arguments, LUA_MULTRET, 0) == 0) return;
  const char* text = lua_tostring(L, -1);
  const std::string why = text == nullptr ? "an error without a text" : text;
  lua_settop(L, 0);
  if (!unusable_.empty()) give_up();
  throw Unusable(why);
}

void LuaSession::give_up() const {
  if (is_beyond_model_) throw BeyondModel(unusable_);
  throw Unusable(unusable_);
}

// memory, base, threads(host); shared, redis(host, loop, …); ngx(…); driver(host, loop, memory).
void LuaSession::load_prelude() {
  lua_State* const L = state_.get();
  Host::push(L);
  lua_setfield(L, LUA_REGISTRYINDEX, "host");
  const auto load = [&](std::string_view name, std::initializer_list<const char*> arguments) {
    const Prelude* const found = prelude_called(name);
    const std::string& code = code_of(*found);
    const int status = luaL_loadbufferx(L, code.data(), code.size(), found->name, "b");
    INVARIANT(status == 0, "what was compiled can be loaded");
    for (const char* argument : arguments) lua_getfield(L, LUA_REGISTRYINDEX, argument);
    call(static_cast<int>(arguments.size()));
    lua_setfield(L, LUA_REGISTRYINDEX, found->name);
  };
  load("memory", {"host"});
  load("base", {"host"});
  lua_settop(L, 0);
  load("threads", {"host"});
  load("shared", {"host", "threads"});
  lua_getfield(L, LUA_REGISTRYINDEX, "host");
  lua_getfield(L, -1, "null");
  lua_setfield(L, LUA_REGISTRYINDEX, "null");
  lua_settop(L, 0);
  load("redis", {"host", "threads", "null"});
  load("ngx", {"host", "threads", "shared", "redis"});
  lua_getfield(L, LUA_REGISTRYINDEX, "ngx");
  lua_setglobal(L, "ngx");
  load("driver", {"host", "threads", "memory"});
  load("doctor", {"host"});
}

void LuaSession::push_event(const Told& event) {
  lua_State* const L = state_.get();
  const auto function = [&](const char* table, const char* name) {
    lua_getfield(L, LUA_REGISTRYINDEX, table);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
  };
  switch (event.kind) {
    case Told::Kind::begin:
      servers_ = event.number;
      function("driver", "begin");
      lua_newtable(L);
      for (std::size_t i = 0; i + 1 < event.words.size(); i += 2) {
        push_parameter(L, event.words[i + 1]);
        lua_setfield(L, -2, event.words[i].c_str());
        if (event.words[i] == "dictionary") has_dictionary_ = event.words[i + 1] == "declared";
      }
      return call(1);
    case Told::Kind::acquire:
    case Told::Kind::release:
      function("driver", event.kind == Told::Kind::acquire ? "acquire" : "release");
      lua_pushinteger(L, event.party);
      for (const std::string& word : event.words) push_text(L, word);
      return call(1 + static_cast<int>(event.words.size()));
    case Told::Kind::abort:
      function("threads", "abort");
      lua_pushinteger(L, event.party);
      return call(1);
    case Told::Kind::reply:
      function("threads", "tell");
      lua_pushinteger(L, event.id);
      push_reply(L, event.reply);
      return call(3);
    case Told::Kind::woke:
      function("threads", "tell");
      lua_pushinteger(L, event.id);
      return call(1);
    case Told::Kind::time: return;
  }
}

Action LuaSession::tell(const Told& event) {
  lua_State* const L = state_.get();
  action_ = Action();
  push_event(event);
  lua_settop(L, 0);
  lua_getfield(L, LUA_REGISTRYINDEX, "threads");
  lua_getfield(L, -1, "run");
  lua_remove(L, -2);
  lua_pushnumber(L, static_cast<double>(event.number));
  call(1);
  lua_settop(L, 0);
  if (!unusable_.empty()) give_up();
  return std::move(action_);
}

std::optional<std::string> LuaSession::memory() {
  lua_State* const L = state_.get();
  lua_getfield(L, LUA_REGISTRYINDEX, "driver");
  lua_getfield(L, -1, "memory");
  lua_remove(L, -2);
  call(0);
  std::optional<std::string> text;
  std::size_t size = 0;
  if (const char* const read = lua_tolstring(L, -1, &size)) text.emplace(read, size);
  lua_settop(L, 0);
  return text;
}

void LuaSession::inspect(const std::function<void(lua_State*)>& read) {
  lua_State* const L = state_.get();
  lua_getfield(L, LUA_REGISTRYINDEX, "driver");
  lua_getfield(L, -1, "program");
  lua_remove(L, -2);
  lua_call(L, 0, 1);
  read(L);
  lua_settop(L, 0);
}

void LuaSession::look_at_globals(const std::function<void(std::uint32_t, std::string)>& report) {
  using Report = std::function<void(std::uint32_t, std::string)>;
  lua_State* const L = state_.get();
  lua_getfield(L, LUA_REGISTRYINDEX, "doctor");
  lua_pushlightuserdata(L, const_cast<Report*>(&report));
  lua_pushcclosure(
      L,
      [](lua_State* called) {
        const auto& to = *static_cast<const Report*>(lua_touserdata(called, lua_upvalueindex(1)));
        to(static_cast<std::uint32_t>(luaL_checkinteger(called, 1)), luaL_checkstring(called, 2));
        return 0;
      },
      1);
  call(1);
  lua_settop(L, 0);
}

}  // namespace holdfast::guest
