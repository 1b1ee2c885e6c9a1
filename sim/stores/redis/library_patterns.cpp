// string.find, match, gmatch and gsub as in Lua 5.1.
#include <cctype>
#include <cstring>
#include <string_view>

#include "sim/stores/redis/engine.hpp"
#include "sim/stores/redis/pattern_matcher.hpp"

namespace holdfast::redis {
namespace {

// Where the search begins: argument 3, from the end when negative.
std::size_t first_place(lua_State* L, std::size_t size) {
  lua_Integer place = luaL_optinteger(L, 3, 1);
  if (place < 0) place += static_cast<lua_Integer>(size) + 1;
  if (place < 1) return 0;
  return static_cast<std::size_t>(place) - 1 < size ? static_cast<std::size_t>(place) - 1 : size;
}

int find_or_match(lua_State* L, bool is_find) {
  std::size_t size = 0;
  std::size_t pattern_size = 0;
  const char* text = luaL_checklstring(L, 1, &size);
  const char* pattern = luaL_checklstring(L, 2, &pattern_size);
  const std::size_t first = first_place(L, size);
  if (is_find && (lua_toboolean(L, 4) != 0 || std::strpbrk(pattern, "^$*+?.([%-") == nullptr)) {
    Engine::of(L).charge(L, (size - first) / Engine::bytes_per_instruction);
    const std::size_t found =
        std::string_view(text, size).find(std::string_view(pattern, pattern_size), first);
    if (found == std::string_view::npos) return lua_pushnil(L), 1;
    lua_pushinteger(L, static_cast<lua_Integer>(found + 1));
    lua_pushinteger(L, static_cast<lua_Integer>(found + pattern_size));
    return 2;
  }
  PatternMatcher matcher(L, text, size);
  const bool is_anchored = *pattern == '^';
  if (is_anchored) ++pattern;
  for (const char* at = text + first; at <= matcher.end(); ++at) {
    const char* end = matcher.match_anew(at, pattern);
    if (end != nullptr) {
      if (!is_find) return matcher.push_captures(at, end);
      lua_pushinteger(L, at - text + 1);
      lua_pushinteger(L, end - text);
      return matcher.push_captures(nullptr, nullptr) + 2;
    }
    if (is_anchored) break;
  }
  lua_pushnil(L);
  return 1;
}

int find(lua_State* L) { return find_or_match(L, true); }
int match(lua_State* L) { return find_or_match(L, false); }

// Upvalues: text, pattern, how much of the text is done.
int next_match(lua_State* L) {
  std::size_t size = 0;
  const char* text = lua_tolstring(L, lua_upvalueindex(1), &size);
  const char* pattern = lua_tostring(L, lua_upvalueindex(2));
  PatternMatcher matcher(L, text, size);
  for (const char* at = text + lua_tointeger(L, lua_upvalueindex(3)); at <= matcher.end(); ++at) {
    const char* end = matcher.match_anew(at, pattern);
    if (end == nullptr) continue;
    lua_pushinteger(L, end - text + (end == at ? 1 : 0));
    lua_replace(L, lua_upvalueindex(3));
    return matcher.push_captures(at, end);
  }
  return 0;
}

int gmatch(lua_State* L) {
  luaL_checkstring(L, 1);
  luaL_checkstring(L, 2);
  lua_settop(L, 2);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_match, 3);
  return 1;
}

// A text with %0 to %9 for captures.
void add_replacement(lua_State* L, luaL_Buffer& result, PatternMatcher& matcher, const char* at,
                     const char* end) {
  std::size_t size = 0;
  const char* text = lua_tolstring(L, 3, &size);
  for (std::size_t i = 0; i < size; ++i) {
    if (text[i] != '%' || ++i == size || std::isdigit(static_cast<unsigned char>(text[i])) == 0) {
      luaL_addchar(&result, i < size ? text[i] : '\0');
    } else if (text[i] == '0') {
      luaL_addlstring(&result, at, static_cast<std::size_t>(end - at));
    } else {
      matcher.push_capture(text[i] - '1', at, end);
      luaL_addvalue(&result);
    }
  }
}

// What the function or table at index 3 says; the match stays when that is nil or false.
void add_looked_up(lua_State* L, luaL_Buffer& result, PatternMatcher& matcher, const char* at,
                   const char* end) {
  const int depth = Engine::of(L).enter(L);
  if (lua_isfunction(L, 3) != 0) {
    lua_pushvalue(L, 3);
    const int count = matcher.push_captures(at, end);
    lua_call(L, count, 1);
  } else {
    matcher.push_capture(0, at, end);
    lua_gettable(L, 3);
  }
  Engine::of(L).leave(depth);
  if (lua_toboolean(L, -1) == 0) {
    lua_pop(L, 1);
    lua_pushlstring(L, at, static_cast<std::size_t>(end - at));
  } else if (lua_isstring(L, -1) == 0) {
    luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  }
  luaL_addvalue(&result);
}

int gsub(lua_State* L) {
  std::size_t size = 0;
  const char* at = luaL_checklstring(L, 1, &size);
  const char* pattern = luaL_checkstring(L, 2);
  const int type = lua_type(L, 3);
  const lua_Integer most = luaL_optinteger(L, 4, static_cast<lua_Integer>(size) + 1);
  const bool is_text = type == LUA_TSTRING || type == LUA_TNUMBER;
  luaL_argcheck(L, is_text || type == LUA_TFUNCTION || type == LUA_TTABLE, 3,
                "string/function/table expected");
  lua_settop(L, 3);
  if (is_text) lua_tostring(L, 3);
  const bool is_anchored = *pattern == '^';
  if (is_anchored) ++pattern;
  PatternMatcher matcher(L, at, size);
  luaL_Buffer result;
  luaL_buffinit(L, &result);
  lua_Integer count = 0;
  while (count < most) {
    const char* end = matcher.match_anew(at, pattern);
    if (end != nullptr) {
      ++count;
      if (is_text) add_replacement(L, result, matcher, at, end);
      else add_looked_up(L, result, matcher, at, end);
    }
    if (end != nullptr && end > at) at = end;
    else if (at < matcher.end()) luaL_addchar(&result, *at++);
    else break;
    if (is_anchored) break;
  }
  luaL_addlstring(&result, at, static_cast<std::size_t>(matcher.end() - at));
  luaL_pushresult(&result);
  lua_pushinteger(L, count);
  return 2;
}

}  // namespace

void add_pattern_functions(lua_State* L) {
  static constexpr luaL_Reg functions[] = {{"find", find},    {"match", match}, {"gmatch", gmatch},
                                           {"gfind", gmatch}, {"gsub", gsub},   {nullptr, nullptr}};
  luaL_register(L, nullptr, functions);
}

}  // namespace holdfast::redis
