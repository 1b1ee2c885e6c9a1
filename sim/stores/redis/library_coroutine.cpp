// The library coroutine of a script: LuaJIT's, with the nesting limited and errors worded as Lua 5.1 words
// them.
#include "sim/stores/redis/engine.hpp"

namespace holdfast::redis {
namespace {

int yield(lua_State* L) {
  const bool is_main = lua_pushthread(L) != 0;
  lua_pop(L, 1);
  if (!is_main) return lua_yield(L, lua_gettop(L));
  lua_pushliteral(L, "attempt to yield across metamethod/C-call boundary");
  return lua_error(L);
}

int resume(lua_State* L) {
  luaL_argcheck(L, lua_isthread(L, 1) != 0, 1, "coroutine expected");
  return call_deeper(L);
}

bool is_lua_function(lua_State* L, int index) {
  return lua_isfunction(L, index) != 0 && lua_iscfunction(L, index) == 0;
}

int create(lua_State* L) {
  luaL_argcheck(L, is_lua_function(L, 1), 1, "Lua function expected");
  lua_State* coroutine = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, coroutine, 1);
  return 1;
}

// Upvalues: LuaJIT's resume, the coroutine.
int resume_wrapped(lua_State* L) {
  const int depth = Engine::of(L).enter(L);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_insert(L, 2);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  Engine::of(L).leave(depth);
  if (lua_toboolean(L, 1) != 0) return lua_gettop(L) - 1;
  if (lua_isstring(L, -1) != 0) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

int wrap(lua_State* L) {
  create(L);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, -2);
  lua_pushcclosure(L, resume_wrapped, 2);
  return 1;
}

}  // namespace

int call_deeper(lua_State* L) {
  const int depth = Engine::of(L).enter(L);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  Engine::of(L).leave(depth);
  return lua_gettop(L);
}

void add_coroutine_functions(lua_State* L) {
  static constexpr luaL_Reg functions[] = {{"create", create}, {"yield", yield}, {nullptr, nullptr}};
  luaL_register(L, nullptr, functions);
  lua_getglobal(L, "coroutine");
  for (const char* name : {"running", "status"}) {
    lua_getfield(L, -1, name);
    lua_setfield(L, -3, name);
  }
  lua_getfield(L, -1, "resume");
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, resume, 1);
  lua_setfield(L, -4, "resume");
  lua_pushcclosure(L, wrap, 1);
  lua_setfield(L, -3, "wrap");
  lua_pop(L, 1);
}

}  // namespace holdfast::redis
