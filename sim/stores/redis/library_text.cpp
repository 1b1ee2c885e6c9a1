// The libraries string, table and math of a script: LuaJIT's, with their work charged to the limits of the
// run, and worded as Lua 5.1 words them.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <string_view>

#include "sim/stores/redis/engine.hpp"

namespace holdfast::redis {
namespace {

// How much work the arguments may cause. A function of LuaJIT cannot be interrupted, so it is paid for in
// advance.
std::size_t price(lua_State* L) {
  std::size_t bytes = 0;
  for (int i = 1; i <= lua_gettop(L); ++i)
    if (lua_type(L, i) == LUA_TSTRING) bytes += lua_objlen(L, i);
  if (lua_istable(L, 1) != 0) bytes += Engine::bytes_per_instruction * lua_objlen(L, 1);
  return bytes / Engine::bytes_per_instruction;
}

// LuaJIT blames the wrapper, which has no name and no place. Words the error anew for the script that called.
int raise_again(lua_State* L) {
  const char* text = lua_tostring(L, -1);
  if (text == nullptr || lua_type(L, -1) != LUA_TSTRING) return lua_error(L);
  // Errors of operators, as of the comparison that sort() makes, have no place in Lua 5.1 either.
  if (std::string_view(text).starts_with("attempt to ")) return lua_error(L);
  constexpr std::string_view begin = "bad argument #";
  constexpr std::string_view middle = " to '?' (";
  std::string_view rest(text);
  if (rest.starts_with(begin)) {
    rest.remove_prefix(begin.size());
    int argument = 0;
    for (; !rest.empty() && rest[0] >= '0' && rest[0] <= '9'; rest.remove_prefix(1))
      argument = argument * 10 + (rest[0] - '0');
    if (rest.starts_with(middle)) {
      rest.remove_prefix(middle.size());
      lua_pushlstring(L, rest.data(), rest.size() - 1);
      return luaL_argerror(L, argument, lua_tostring(L, -1));
    }
  }
  return luaL_error(L, "%s", text);
}

int rep(lua_State* L) {
  const std::size_t size = lua_isstring(L, 1) != 0 ? lua_objlen(L, 1) : 0;
  const double times = lua_tonumber(L, 2);
  constexpr double most = 1e15;
  if (times > 0)
    Engine::of(L).charge(L, static_cast<std::size_t>(std::fmin(times * static_cast<double>(size), most)) /
                                Engine::bytes_per_instruction);
  return call_charged(L);
}

int sub(lua_State* L) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(L, 1, &size);
  const auto length = static_cast<lua_Integer>(size);
  lua_Integer first = luaL_checkinteger(L, 2);
  lua_Integer last = luaL_optinteger(L, 3, -1);
  // Negative places count from the end.
  if (first < 0) first = std::max<lua_Integer>(first + length + 1, 1);
  if (last < 0) last += length + 1;
  first = std::max<lua_Integer>(first, 1);
  last = std::min(last, length);
  const std::size_t taken = first <= last ? static_cast<std::size_t>(last - first + 1) : 0;
  Engine::of(L).charge(L, taken / Engine::bytes_per_instruction);
  lua_pushlstring(L, text + (first - 1), taken);
  return 1;
}

int sort(lua_State* L) {
  constexpr std::size_t instructions_per_element = 64;
  if (lua_istable(L, 1) != 0) Engine::of(L).charge(L, instructions_per_element * lua_objlen(L, 1));
  return call_charged(L);
}

int remove(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  return call_charged(L);
}

// Skips "%[flags][width][.precision]" and returns the letter behind it.
const char* skip_directive(lua_State* L, const char* at) {
  constexpr std::size_t flags_most = 5;
  const std::size_t flags = std::strspn(at, "-+ #0");
  if (flags > flags_most) luaL_error(L, "invalid format (repeated flags)");
  at += flags;
  constexpr std::size_t digits_most = 2;
  std::size_t digits = std::strspn(at, "0123456789");
  at += digits;
  if (*at == '.' && digits <= digits_most) {
    digits = std::strspn(++at, "0123456789");
    at += digits;
  }
  if (digits > digits_most) luaL_error(L, "invalid format (width or precision too long)");
  return at;
}

// Lua 5.1 takes only texts and numbers for %s; LuaJIT takes anything, and prints addresses.
int format(lua_State* L) {
  const char* at = luaL_checkstring(L, 1);
  const int top = lua_gettop(L);
  int argument = 1;
  while ((at = std::strchr(at, '%')) != nullptr) {
    if (*++at == '%') {
      ++at;
      continue;
    }
    if (++argument > top) luaL_argerror(L, argument, "no value");
    at = skip_directive(L, at);
    if (*at == 's' || *at == 'q') luaL_checkstring(L, argument);
    else if (*at != '\0' && std::strchr("cdiouxXeEfgG", *at) != nullptr) luaL_checknumber(L, argument);
    else return luaL_error(L, "invalid option '%%%c' to 'format'", *at);
    ++at;
  }
  return call_charged(L);
}

int insert(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const int end = static_cast<int>(lua_objlen(L, 1)) + 1;
  int place = end;
  if (lua_gettop(L) == 3) {
    place = static_cast<int>(luaL_checkinteger(L, 2));
    const int last = place > end ? place : end;
    Engine::of(L).charge(L, static_cast<std::size_t>(last > place ? last - place : 0));
    if (push_behind(L, 1)) return refuse_write(L);
    for (int i = last; i > place; --i) {
      lua_rawgeti(L, 1, i - 1);
      lua_rawseti(L, 1, i);
    }
  } else if (lua_gettop(L) != 2) {
    return luaL_error(L, "wrong number of arguments to 'insert'");
  } else if (push_behind(L, 1)) {
    return refuse_write(L);
  }
  lua_rawseti(L, 1, place);
  return 0;
}

int setn(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  return luaL_error(L, "'setn' is obsolete");
}

int foreach (lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  if (push_behind(L, 1)) lua_replace(L, 1);
  const int count = push_sorted_keys(L, 1);
  for (int i = 1; i <= count; ++i) {
    lua_pushvalue(L, 2);
    lua_rawgeti(L, 3, i);
    lua_pushvalue(L, -1);
    lua_rawget(L, 1);
    const int depth = Engine::of(L).enter(L);
    lua_call(L, 2, 1);
    Engine::of(L).leave(depth);
    if (lua_isnil(L, -1) == 0) return 1;
    lua_pop(L, 1);
  }
  return 0;
}

// As Lua 5.1, on Redis' generator.
int random(lua_State* L) {
  constexpr double limit = 2147483647;
  Engine& engine = Engine::of(L);
  const double share = std::fmod(engine.next_random(), limit) / limit;
  if (!engine.is_seeded) engine.host->note_not_simulated("math.random() without a seed");
  if (lua_gettop(L) == 0) {
    lua_pushnumber(L, share);
    return 1;
  }
  const bool has_low = lua_gettop(L) == 2;
  if (lua_gettop(L) > 2) return luaL_error(L, "wrong number of arguments");
  const double low = has_low ? std::trunc(luaL_checknumber(L, 1)) : 1;
  const double high = std::trunc(luaL_checknumber(L, has_low ? 2 : 1));
  luaL_argcheck(L, low <= high, has_low ? 2 : 1, "interval is empty");
  lua_pushnumber(L, std::floor(share * (high - low + 1)) + low);
  return 1;
}

int randomseed(lua_State* L) {
  Engine& engine = Engine::of(L);
  engine.seed_random(static_cast<std::uint32_t>(to_reply_integer(luaL_checknumber(L, 1))));
  engine.is_seeded = true;
  return 0;
}

// Takes LuaJIT's functions of these names, from library `library`, into the table on top. `alias` is the
// older name that Lua 5.1 still has.
void take(lua_State* L, const char* library, std::initializer_list<const char*> names, bool are_charged) {
  lua_getglobal(L, library);
  for (const char* name : names) {
    lua_getfield(L, -1, name);
    if (are_charged) {
      lua_CFunction wrapper = call_charged;
      for (const luaL_Reg& special : {luaL_Reg{"rep", rep}, luaL_Reg{"format", format},
                                      luaL_Reg{"sort", sort}, luaL_Reg{"remove", remove}})
        if (std::strcmp(name, special.name) == 0) wrapper = special.func;
      lua_pushcclosure(L, wrapper, 1);
    }
    lua_setfield(L, -3, name);
  }
  lua_pop(L, 1);
}

void alias(lua_State* L, const char* old_name, const char* name) {
  lua_getfield(L, -1, name);
  lua_setfield(L, -2, old_name);
}

}  // namespace

// A callback's error is let through as it is.
int call_charged(lua_State* L) {
  Engine::of(L).charge(L, price(L));
  bool has_callback = false;
  for (int i = 1; i <= lua_gettop(L); ++i) has_callback |= lua_isfunction(L, i) != 0;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  const int count = lua_gettop(L) - 1;
  const int depth = Engine::of(L).enter(L);
  if (has_callback) lua_call(L, count, LUA_MULTRET);
  else if (lua_pcall(L, count, LUA_MULTRET, 0) != 0) return raise_again(L);
  Engine::of(L).leave(depth);
  return lua_gettop(L);
}

void add_string_functions(lua_State* L) {
  take(L, "string", {"byte", "char", "len"}, false);
  take(L, "string", {"dump", "format", "lower", "rep", "reverse", "upper"}, true);
  add_pattern_functions(L);
  lua_pushcfunction(L, sub);
  lua_setfield(L, -2, "sub");
}

void add_table_functions(lua_State* L) {
  take(L, "table", {"getn"}, false);
  take(L, "table", {"concat", "foreachi", "maxn", "remove", "sort"}, true);
  static constexpr luaL_Reg functions[] = {
      {"insert", insert}, {"setn", setn}, {"foreach", foreach}, {nullptr, nullptr}};
  luaL_register(L, nullptr, functions);
}

void add_math_functions(lua_State* L) {
  take(L, "math", {"abs",   "acos", "asin",  "atan", "atan2", "ceil", "cos",   "cosh", "deg", "exp",
                   "floor", "fmod", "frexp", "huge", "ldexp", "log",  "log10", "max",  "min", "modf",
                   "pi",    "pow",  "rad",   "sin",  "sinh",  "sqrt", "tan",   "tanh"},
       false);
  alias(L, "mod", "fmod");
  add_time_functions_of_math(L);
  static constexpr luaL_Reg functions[] = {
      {"random", random}, {"randomseed", randomseed}, {nullptr, nullptr}};
  luaL_register(L, nullptr, functions);
}

}  // namespace holdfast::redis
