// The global functions that differ from LuaJIT's: because Redis changed them, because Lua 5.1 words its
// errors otherwise, because of protected tables, or because LuaJIT's depend on addresses and on a hash seed
// that is new in every process.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "sim/stores/redis/engine.hpp"

namespace holdfast::redis {
namespace {

int assert_true(lua_State* L) {
  luaL_checkany(L, 1);
  if (lua_toboolean(L, 1) == 0) return luaL_error(L, "%s", luaL_optstring(L, 2, "assertion failed!"));
  return lua_gettop(L);
}

// The error may be that a function takes no time that nobody knows.
void note_caught(lua_State* L, int status) {
  if (status != 0 && Engine::of(L).has_times)
    time_oracle->obstruct("a script catches an error that was told a time");
}

// Redis' own: a caught error table with a text `err` is given to the script as that text.
int pcall(lua_State* L) {
  if (lua_gettop(L) == 0) {
    // What Redis' implementation comes to: it calls its own placeholder.
    lua_pushboolean(L, 0);
    lua_pushliteral(L, "attempt to call a boolean value");
    return 2;
  }
  const int depth = Engine::of(L).enter(L);
  const int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
  Engine::of(L).leave(depth);
  note_caught(L, status);
  lua_pushboolean(L, status == 0);
  lua_insert(L, 1);
  if (status != 0 && lua_istable(L, -1) != 0) {
    lua_getfield(L, -1, "err");
    if (lua_isstring(L, -1) != 0) lua_replace(L, -2);
    else lua_pop(L, 1);
  }
  return lua_gettop(L);
}

// Upvalue: the handler of the script. It is not asked about the end of the run: LuaJIT would call it with the
// count of instructions switched off, and it could run for ever.
int handle_unless_stopped(lua_State* L) {
  if (Engine::of(L).is_stopped()) return 1;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

int xpcall(lua_State* L) {
  luaL_checkany(L, 2);
  lua_settop(L, 2);
  lua_pushcclosure(L, handle_unless_stopped, 1);
  lua_insert(L, 1);
  const int depth = Engine::of(L).enter(L);
  const int status = lua_pcall(L, 0, LUA_MULTRET, 1);
  Engine::of(L).leave(depth);
  note_caught(L, status);
  lua_pushboolean(L, status == 0);
  lua_replace(L, 1);
  return lua_gettop(L);
}

// The collector works when the engine wants it to. What a script may ask of it is answered, and changes
// nothing.
int collectgarbage(lua_State* L) {
  static constexpr const char* options[] = {"stop", "restart",  "collect",    "count",
                                            "step", "setpause", "setstepmul", nullptr};
  enum { count = 3, step = 4, setpause = 5, setstepmul = 6 };
  const int option = luaL_checkoption(L, 1, "collect", options);
  luaL_optinteger(L, 2, 0);
  if (option == step) lua_pushboolean(L, 0);
  else if (option == count) lua_pushnumber(L, 64);
  else if (option == setpause || option == setstepmul) lua_pushinteger(L, 200);
  else lua_pushinteger(L, 0);
  return 1;
}

int gcinfo(lua_State* L) {
  lua_pushinteger(L, 64);
  return 1;
}

int getmetatable(lua_State* L) {
  luaL_checkany(L, 1);
  lua_settop(L, 1);
  if (lua_type(L, 1) == LUA_TSTRING) {
    lua_getfield(L, LUA_REGISTRYINDEX, "holdfast.string_metatable");
    return 1;
  }
  const bool is_protected = push_behind(L, 1);
  if (lua_getmetatable(L, -1) == 0) {
    lua_pushnil(L);
    return 1;
  }
  if (is_protected) protect_table(L);
  else luaL_getmetafield(L, 1, "__metatable");
  return 1;
}

int setmetatable(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const int type = lua_type(L, 2);
  luaL_argcheck(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table expected");
  if (push_behind(L, 1)) return refuse_write(L);
  if (luaL_getmetafield(L, 1, "__metatable") != 0)
    return luaL_error(L, "cannot change a protected metatable");
  lua_settop(L, 2);
  lua_setmetatable(L, 1);
  return 1;
}

int rawget(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  lua_settop(L, 2);
  if (push_behind(L, 1)) {
    lua_replace(L, 1);
    if (lua_type(L, 2) == LUA_TSTRING) note_if_absent(L, lua_tostring(L, 2));
  }
  lua_rawget(L, 1);
  return 1;
}

int rawset(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  luaL_checkany(L, 3);
  lua_settop(L, 3);
  if (push_behind(L, 1)) return refuse_write(L);
  lua_rawset(L, 1);
  return 1;
}

int ipairs(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 3);
  return 3;
}

bool compare(const Engine::Key& one, const Engine::Key& other) {
  const auto rank = [](const Engine::Key& key) {
    return key.type == LUA_TNUMBER ? 0 : key.type == LUA_TSTRING ? 1 : 2;
  };
  if (rank(one) != rank(other)) return rank(one) < rank(other);
  if (one.type == LUA_TNUMBER) return one.number < other.number;
  if (one.type == LUA_TSTRING) return one.text < other.text;
  return one.place < other.place;
}

Engine::Key key_at(lua_State* L, int index, int place) {
  Engine::Key key{lua_type(L, index), 0, std::string_view(), place};
  if (key.type == LUA_TNUMBER) key.number = lua_tonumber(L, index);
  if (key.type == LUA_TSTRING) key.text = std::string_view(lua_tostring(L, index), lua_objlen(L, index));
  return key;
}

// Only texts and objects have an order that LuaJIT draws by lot.
bool has_random_order(lua_State* L, int index) {
  for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
    if (lua_type(L, -2) == LUA_TNUMBER) continue;
    lua_pop(L, 2);
    return true;
  }
  return false;
}

// Upvalues: the table, its keys in order, how many were given. Keys that are gone meanwhile are left out.
int next_sorted(lua_State* L) {
  lua_Integer place = lua_tointeger(L, lua_upvalueindex(3));
  while (true) {
    lua_settop(L, 0);
    lua_rawgeti(L, lua_upvalueindex(2), static_cast<int>(++place));
    if (lua_isnil(L, 1) != 0) return 1;
    lua_pushvalue(L, 1);
    lua_rawget(L, lua_upvalueindex(1));
    if (lua_isnil(L, 2) == 0) break;
  }
  lua_pushinteger(L, place);
  lua_replace(L, lua_upvalueindex(3));
  return 2;
}

int pairs(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  if (!push_behind(L, 1)) lua_pushvalue(L, 1);
  if (has_random_order(L, 2)) {
    Engine::of(L).charge(L, static_cast<std::size_t>(push_sorted_keys(L, 2)));
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_sorted, 3);
  } else {
    lua_pushvalue(L, lua_upvalueindex(1));
  }
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

// The key that follows in the order of pairs(); nil goes before the first.
int next(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  if (push_behind(L, 1)) lua_replace(L, 1);
  if (!has_random_order(L, 1)) {
    if (lua_next(L, 1) == 0) lua_pushnil(L);
    return lua_isnil(L, -1) != 0 && lua_gettop(L) == 2 ? 1 : 2;
  }
  const int count = push_sorted_keys(L, 1);
  Engine::of(L).charge(L, static_cast<std::size_t>(count));
  int place = 1;
  if (lua_isnil(L, 2) == 0) {
    for (; place <= count; ++place) {
      lua_rawgeti(L, 3, place);
      const bool is_it = lua_rawequal(L, 2, -1) != 0;
      lua_pop(L, 1);
      if (is_it) break;
    }
    if (place++ > count) {
      lua_pushliteral(L, "invalid key to 'next'");
      return lua_error(L);
    }
  }
  lua_rawgeti(L, 3, place);
  if (lua_isnil(L, -1) != 0) return 1;
  lua_pushvalue(L, -1);
  lua_rawget(L, 1);
  return 2;
}

// Objects are numbered in the order in which a script names them.
int tostring(lua_State* L) {
  luaL_checkany(L, 1);
  if (push_time_as_text(L) != 0) return 1;
  Engine& engine = Engine::of(L);
  const int depth = engine.enter(L);
  const bool is_named_by_script = luaL_callmeta(L, 1, "__tostring") != 0;
  engine.leave(depth);
  if (is_named_by_script) return 1;
  switch (lua_type(L, 1)) {
    case LUA_TNUMBER: {
      const double number = lua_tonumber(L, 1);
      if (std::isnan(number)) lua_pushstring(L, std::signbit(number) ? "-nan" : "nan");
      else lua_pushvalue(L, 1);
      lua_tostring(L, -1);
      return 1;
    }
    case LUA_TSTRING: lua_pushvalue(L, 1); return 1;
    case LUA_TBOOLEAN: lua_pushstring(L, lua_toboolean(L, 1) != 0 ? "true" : "false"); return 1;
    case LUA_TNIL: lua_pushliteral(L, "nil"); return 1;
    default: break;
  }
  if (engine.objects_named == 0) {
    lua_newtable(L);
    lua_setfield(L, LUA_REGISTRYINDEX, "holdfast.names");
  }
  lua_getfield(L, LUA_REGISTRYINDEX, "holdfast.names");
  lua_pushvalue(L, 1);
  lua_rawget(L, -2);
  if (lua_isnil(L, -1) != 0) {
    constexpr std::int64_t bytes_apart = 16;
    char text[64];
    std::snprintf(text, sizeof text, "%s: 0x%012llx", luaL_typename(L, 1),
                  static_cast<unsigned long long>(++engine.objects_named * bytes_apart));
    lua_pushvalue(L, 1);
    lua_pushstring(L, text);
    lua_rawset(L, -4);
    lua_pushstring(L, text);
  }
  return 1;
}

// A chunk of text only: bytecode made by hand can crash LuaJIT.
int load_text(lua_State* L, const char* text, std::size_t size, const char* name) {
  if (luaL_loadbufferx(L, text, size, name, "t") == 0) return 1;
  lua_pushnil(L);
  lua_insert(L, -2);
  return 2;
}

int loadstring(lua_State* L) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(L, 1, &size);
  return load_text(L, text, size, luaL_optstring(L, 2, text));
}

int load(lua_State* L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  const char* name = luaL_optstring(L, 2, "=(load)");
  luaL_Buffer pieces;
  lua_settop(L, 2);
  luaL_buffinit(L, &pieces);
  while (true) {
    lua_pushvalue(L, 1);
    const int depth = Engine::of(L).enter(L);
    lua_call(L, 0, 1);
    Engine::of(L).leave(depth);
    if (lua_isnil(L, -1) != 0) break;
    if (lua_isstring(L, -1) == 0) return luaL_error(L, "reader function must return a string");
    if (lua_objlen(L, -1) == 0) break;
    luaL_addvalue(&pieces);
  }
  lua_pop(L, 1);
  luaL_pushresult(&pieces);
  return load_text(L, lua_tostring(L, -1), lua_objlen(L, -1), name);
}

}  // namespace

int push_sorted_keys(lua_State* L, int index) {
  std::vector<Engine::Key>& keys = Engine::of(L).keys;
  keys.clear();
  lua_newtable(L);
  const int found = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
    const int place = static_cast<int>(keys.size()) + 1;
    if (is_time(L, -2)) time_oracle->obstruct("a script takes a time for a key of a table");
    keys.push_back(key_at(L, -2, place));
    lua_pushvalue(L, -2);
    lua_rawseti(L, found, place);
  }
  std::sort(keys.begin(), keys.end(), compare);
  const int count = static_cast<int>(keys.size());
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    lua_rawgeti(L, found, keys[static_cast<std::size_t>(i)].place);
    lua_rawseti(L, -2, i + 1);
  }
  lua_remove(L, found);
  return count;
}

void add_base_functions(lua_State* L) {
  static constexpr luaL_Reg functions[] = {{"assert", assert_true},
                                           {"pcall", pcall},
                                           {"xpcall", xpcall},
                                           {"collectgarbage", collectgarbage},
                                           {"gcinfo", gcinfo},
                                           {"getmetatable", getmetatable},
                                           {"setmetatable", setmetatable},
                                           {"rawget", rawget},
                                           {"rawset", rawset},
                                           {"next", next},
                                           {"tostring", tostring},
                                           {"loadstring", loadstring},
                                           {"load", load},
                                           {nullptr, nullptr}};
  luaL_register(L, nullptr, functions);
  lua_getglobal(L, "ipairs");
  lua_pushcclosure(L, ipairs, 1);
  lua_setfield(L, -2, "ipairs");
  lua_getglobal(L, "next");
  lua_pushcclosure(L, pairs, 1);
  lua_setfield(L, -2, "pairs");
}

}  // namespace holdfast::redis
