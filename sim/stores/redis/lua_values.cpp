// Between Lua's values and Redis' replies (Redis documentation, "Lua API reference", data type conversion).
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "sim/core/invariant.hpp"
#include "sim/stores/redis/command.hpp"
#include "sim/stores/redis/engine.hpp"
#include "sim/stores/redis/numbers.hpp"

namespace holdfast::redis {
namespace {

// What the conversions below need of the Lua stack at most, per level of nesting.
constexpr int slots_per_level = 6;
// How much of the Lua stack a reply may take: about one slot per level. Redis stops at 8000, which would be
// too much for the stack of a thread; no client library reads a reply that is nested so deep.
constexpr int slots_most = 200;

std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char letter) { return letter == '\r' || letter == '\n'; }, ' ');
  return line;
}

// An error or status reply ends at the first NUL.
std::string_view c_text(lua_State* L, int index) { return lua_tostring(L, index); }

// Pushes the field of the table on top; true if it is of this type, otherwise takes it off again.
bool push_field(lua_State* L, const char* name, int type) {
  lua_pushstring(L, name);
  lua_rawget(L, -2);
  if (lua_type(L, -1) == type) return true;
  lua_pop(L, 1);
  return false;
}

std::string error_text(lua_State* L) {
  std::string_view text = c_text(L, -1);
  const std::size_t end = text.find_last_not_of("\r\n");
  return one_line(text.substr(0, end == std::string_view::npos ? 0 : end + 1));
}

// The table on top is {verbatim_string = {format = …, string = …}}. Pushes the text.
bool push_verbatim(lua_State* L) {
  if (!push_field(L, "verbatim_string", LUA_TTABLE)) return false;
  if (push_field(L, "format", LUA_TSTRING)) {
    lua_pop(L, 1);
    if (push_field(L, "string", LUA_TSTRING)) {
      lua_remove(L, -2);
      return true;
    }
  }
  lua_pop(L, 1);
  return false;
}

// {map = {…}} is keys and values in turn, {set = {…}} is keys. The inner table is on top.
Reply keyed_reply(lua_State* L, bool has_values, int resp) {
  const int table = lua_gettop(L);
  const int count = push_sorted_keys(L, table);
  std::vector<Reply> elements;
  for (int i = 1; i <= count; ++i) {
    lua_rawgeti(L, table + 1, i);
    if (has_values) {
      lua_pushvalue(L, -1);
      lua_rawget(L, table);
      lua_insert(L, -2);
    }
    elements.push_back(pop_reply(L, resp));
    if (has_values) elements.push_back(pop_reply(L, resp));
  }
  lua_pop(L, 1);
  return Reply::array(std::move(elements));
}

Reply array_reply(lua_State* L, int resp) {
  std::vector<Reply> elements;
  for (int i = 1;; ++i) {
    lua_rawgeti(L, -1, i);
    if (lua_isnil(L, -1)) break;
    elements.push_back(pop_reply(L, resp));
  }
  lua_pop(L, 1);
  return Reply::array(std::move(elements));
}

// The table on top stays there. The order of the fields is Redis': the first one found decides.
Reply table_reply(lua_State* L, int resp) {
  const int table = lua_gettop(L);
  Reply reply;
  if (push_field(L, "err", LUA_TSTRING)) reply = Reply::error(error_text(L));
  else if (push_field(L, "ok", LUA_TSTRING)) reply = Reply::status(one_line(c_text(L, -1)));
  else if (push_field(L, "double", LUA_TNUMBER)) reply = Reply::bulk(score_text(lua_tonumber(L, -1)));
  else if (push_field(L, "big_number", LUA_TSTRING))
    reply = Reply::bulk(one_line(std::string_view(lua_tostring(L, -1), lua_objlen(L, -1))));
  else if (push_verbatim(L)) reply = Reply::bulk(std::string(lua_tostring(L, -1), lua_objlen(L, -1)));
  else if (push_field(L, "map", LUA_TTABLE)) reply = keyed_reply(L, true, resp);
  else if (push_field(L, "set", LUA_TTABLE)) reply = keyed_reply(L, false, resp);
  else reply = array_reply(L, resp);
  lua_settop(L, table);
  return reply;
}

}  // namespace

std::int64_t to_reply_integer(double number) {
  // The conversion of x86-64: what does not fit is the least integer.
  constexpr double limit = 9223372036854775808.0;
  if (number >= -limit && number < limit) return static_cast<std::int64_t>(number);
  return std::numeric_limits<std::int64_t>::min();
}

Reply pop_reply(lua_State* L, int resp) {
  Reply reply;
  if (lua_gettop(L) > slots_most || lua_checkstack(L, slots_per_level) == 0) {
    lua_pop(L, 1);
    return error("reached lua stack limit");
  }
  switch (lua_type(L, -1)) {
    case LUA_TSTRING: reply = Reply::bulk(std::string(lua_tostring(L, -1), lua_objlen(L, -1))); break;
    case LUA_TNUMBER: reply = Reply::integer(to_reply_integer(lua_tonumber(L, -1))); break;
    case LUA_TBOOLEAN:
      if (lua_toboolean(L, -1) != 0) reply = Reply::integer(1);
      else if (resp == 3) reply = Reply::integer(0);
      break;
    case LUA_TTABLE: reply = table_reply(L, resp); break;
    default: reply = time_reply(L, -1).value_or(Reply()); break;
  }
  lua_pop(L, 1);
  return reply;
}

void push_error(lua_State* L, std::string_view text) {
  lua_createtable(L, 0, 1);
  const bool has_code = text.starts_with('-');
  if (has_code) text.remove_prefix(1);
  text = text.substr(0, text.find('\0'));
  const std::size_t blank = text.find(' ');
  // "-CODE text" keeps its code; anything else gets one.
  const std::string_view code = has_code && blank != std::string_view::npos ? text.substr(0, blank) : "ERR";
  if (has_code && blank != std::string_view::npos) text.remove_prefix(blank + 1);
  while (text.starts_with('\r') || text.starts_with('\n')) text.remove_prefix(1);
  while (text.ends_with('\r') || text.ends_with('\n')) text.remove_suffix(1);
  lua_pushlstring(L, code.data(), code.size());
  lua_pushliteral(L, " ");
  lua_pushlstring(L, text.data(), text.size());
  lua_concat(L, 3);
  lua_setfield(L, -2, "err");
}

static void push_time_or_count(lua_State* L, const Reply& reply) {
  if (reply.is_unknown()) push_time(L, reply.milliticks());
  else lua_pushnumber(L, static_cast<double>(reply.number()));
}

void push_reply(lua_State* L, const Reply& reply, int resp) {
  luaL_checkstack(L, slots_per_level, "too many nested replies");
  switch (reply.kind()) {
    case Reply::Kind::nil:
      if (resp == 3) lua_pushnil(L);
      else lua_pushboolean(L, 0);
      break;
    case Reply::Kind::integer: push_time_or_count(L, reply); break;
    case Reply::Kind::bulk: push_text(L, reply.text()); break;
    case Reply::Kind::status:
      lua_createtable(L, 0, 1);
      lua_pushlstring(L, reply.text().data(), reply.text().size());
      lua_setfield(L, -2, "ok");
      break;
    case Reply::Kind::array: {
      lua_createtable(L, static_cast<int>(reply.elements().size()), 0);
      int place = 0;
      for (const Reply& element : reply.elements()) {
        push_reply(L, element, resp);
        lua_rawseti(L, -2, ++place);
      }
      break;
    }
    case Reply::Kind::error:
      lua_createtable(L, 0, 2);
      lua_pushlstring(L, reply.text().data(), reply.text().size());
      lua_setfield(L, -2, "err");
      // Redis marks errors of commands so, for its statistics; a script can see it.
      lua_pushboolean(L, 1);
      lua_setfield(L, -2, "ignore_error_stats_update");
      break;
    case Reply::Kind::lost: INVARIANT(false, "a server never loses its own reply");
  }
}

}  // namespace holdfast::redis
