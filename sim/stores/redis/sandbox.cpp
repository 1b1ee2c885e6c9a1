// Redis' sandbox: which names a script finds, and that it cannot change them.
//
// Lua 5.1 as shipped with Redis can mark a table as read-only, LuaJIT cannot. Here a protected table is an
// empty one whose metatable shows the real one behind it; the few library functions that look past metatables
// know of it.
#include <algorithm>
#include <array>

#include "sim/stores/redis/engine.hpp"

namespace holdfast::redis {
namespace {

// Its address is the key, in the metatable of a protected table, of the real table.
const char behind = 0;

constexpr const char* readonly_text = "Attempt to modify a readonly table";

int refuse_assignment(lua_State* L) { return luaL_error(L, readonly_text); }

int refuse_global(lua_State* L) {
  if (lua_isstring(L, -1) == 0)
    return luaL_error(L, "Second argument to luaProtectedTableError must be a string or number");
  note_if_absent(L, lua_tostring(L, -1));
  return luaL_error(L, "Script attempted to access nonexistent global variable '%s'", lua_tostring(L, -1));
}

// Steps from `level` on to the first function that is not a wrapper of ours. False when there is none.
bool find_place(lua_State* L, int& level, lua_Debug& place) {
  for (; lua_getstack(L, level, &place) != 0; ++level) {
    lua_getinfo(L, "Slf", &place);
    const lua_CFunction function = lua_tocfunction(L, -1);
    lua_pop(L, 1);
    if (function != call_deeper && function != call_charged) return true;
  }
  return false;
}

// Turns any error into Redis' table {err, source, line}. The place is that of the function that raised, or of
// its caller when the former is written in C.
int handle_error(lua_State* L) {
  if (lua_istable(L, 1) == 0) {
    const char* text = lua_tostring(L, 1);
    if (text == nullptr && lua_isboolean(L, 1) != 0) text = lua_toboolean(L, 1) != 0 ? "true" : "false";
    if (text == nullptr) text = luaL_typename(L, 1);
    lua_pushfstring(L, "ERR %s", text);
    lua_createtable(L, 0, 3);
    lua_insert(L, -2);
    lua_setfield(L, -2, "err");
  }
  lua_Debug place;
  int level = 1;
  bool has_place = find_place(L, level, place);
  if (has_place && *place.what == 'C') has_place = find_place(L, ++level, place);
  if (has_place) {
    lua_pushstring(L, place.source);
    lua_setfield(L, -2, "source");
    lua_pushinteger(L, place.currentline);
    lua_setfield(L, -2, "line");
  }
  return 1;
}

void open_library(lua_State* L, lua_CFunction open, const char* name) {
  lua_pushcfunction(L, open);
  lua_pushstring(L, name);
  lua_call(L, 1, 0);
}

// Copies the named globals of LuaJIT into the table on top.
void copy_globals(lua_State* L) {
  for (const char* name : {"_VERSION", "error", "rawequal", "select", "tonumber", "type", "unpack", "bit"}) {
    lua_getglobal(L, name);
    lua_setfield(L, -2, name);
  }
}

// Makes a protected table of a new library, filled by `add`, the field of the table on top.
void add_library(lua_State* L, const char* name, void (*add)(lua_State*)) {
  lua_newtable(L);
  add(L);
  protect_table(L);
  lua_setfield(L, -2, name);
}

void protect_field(lua_State* L, const char* name) {
  lua_getfield(L, -1, name);
  protect_table(L);
  lua_setfield(L, -2, name);
}

// What getmetatable("") shows; methods of strings are looked up in the real table, as fast as ever.
void share_string_library(lua_State* L) {
  lua_getfield(L, -1, "string");
  push_behind(L, -1);
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 3);
  lua_newtable(L);
  lua_insert(L, -2);
  lua_setfield(L, -2, "__index");
  protect_table(L);
  lua_setfield(L, LUA_REGISTRYINDEX, "holdfast.string_metatable");
}

}  // namespace

void note_if_absent(lua_State* L, std::string_view name) {
  static constexpr auto absent = std::to_array<std::string_view>({"cjson", "cmsgpack", "struct"});
  const auto* const found = std::find(absent.begin(), absent.end(), name);
  Scripts::Host* const host = Engine::of(L).host;
  if (host != nullptr && found != absent.end()) host->note_not_simulated(*found);
}

int raise(lua_State* L, const char* text) {
  push_error(L, text);
  return lua_error(L);
}

int refuse_write(lua_State* L) {
  lua_pushstring(L, readonly_text);
  return lua_error(L);
}

void protect_table(lua_State* L) {
  lua_newtable(L);
  lua_createtable(L, 0, 4);
  lua_pushlightuserdata(L, const_cast<char*>(&behind));
  lua_pushvalue(L, -4);
  lua_rawset(L, -3);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, refuse_assignment);
  lua_setfield(L, -2, "__newindex");
  lua_setmetatable(L, -2);
  lua_remove(L, -2);
}

bool push_behind(lua_State* L, int index) {
  if (lua_istable(L, index) == 0 || lua_getmetatable(L, index) == 0) return false;
  lua_pushlightuserdata(L, const_cast<char*>(&behind));
  lua_rawget(L, -2);
  lua_remove(L, -2);
  if (lua_istable(L, -1) != 0) return true;
  lua_pop(L, 1);
  return false;
}

void build_sandbox(lua_State* L) {
  open_library(L, luaopen_base, "");
  open_library(L, luaopen_table, LUA_TABLIBNAME);
  open_library(L, luaopen_string, LUA_STRLIBNAME);
  open_library(L, luaopen_math, LUA_MATHLIBNAME);
  open_library(L, luaopen_bit, LUA_BITLIBNAME);
  lua_pushcfunction(L, handle_error);
  lua_newtable(L);
  copy_globals(L);
  protect_field(L, "bit");
  add_base_functions(L);
  add_time_functions(L);
  add_library(L, "coroutine", add_coroutine_functions);
  add_library(L, "string", add_string_functions);
  add_library(L, "table", add_table_functions);
  add_library(L, "math", add_math_functions);
  add_library(L, "redis", add_redis_functions);
  lua_pushvalue(L, slot::error_handler);
  lua_setfield(L, -2, "__redis__err__handler");
  share_string_library(L);
  lua_newtable(L);
  lua_pushcfunction(L, refuse_global);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, slot::globals);
  lua_pushvalue(L, slot::globals);
  protect_table(L);
  lua_pushvalue(L, -1);
  lua_setfield(L, slot::globals, "_G");
  lua_replace(L, LUA_GLOBALSINDEX);
}

}  // namespace holdfast::redis
