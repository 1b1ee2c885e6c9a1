// The table `redis` of a script: call, pcall, error_reply, status_reply, sha1hex, log and the rest.
#include <array>
#include <cmath>
#include <cstdio>

#include "sim/core/sha1.hpp"
#include "sim/stores/redis/engine.hpp"

namespace holdfast::redis {
namespace {

// What a command costs beside its work on bytes, in instructions.
constexpr std::size_t call_price = 50;

// As Redis writes a Lua number into a command: "%.17g".
void add_number(Command& command, double number) {
  constexpr double exact = 9007199254740992.0;  // 2^53
  if (number > -exact && number < exact && number == std::trunc(number) &&
      (number != 0 || !std::signbit(number))) {
    command.add(static_cast<std::int64_t>(number));
    return;
  }
  std::array<char, 64> text;
  const int size = std::snprintf(text.data(), text.size(), "%.17g", number);
  command.add(std::string_view(text.data(), static_cast<std::size_t>(size)));
}

// Moves the arguments into engine.argv. False with an error table pushed.
bool take_words(lua_State* L, Engine& engine) {
  const int count = lua_gettop(L);
  if (count == 0) {
    push_error(L, "Please specify at least one argument for this redis lib call");
    return false;
  }
  engine.argv.clear();
  for (int i = 1; i <= count; ++i) {
    if (lua_type(L, i) == LUA_TNUMBER) {
      add_number(engine.argv, lua_tonumber(L, i));
    } else if (lua_type(L, i) == LUA_TSTRING) {
      std::size_t size = 0;
      const char* text = lua_tolstring(L, i, &size);
      engine.argv.add(std::string_view(text, size));
    } else if (!add_time(L, i, engine.argv)) {
      push_error(L, "Lua redis lib command arguments must be strings or integers");
      return false;
    }
  }
  lua_settop(L, 0);
  return true;
}

std::size_t price_of(const Engine& engine) {
  const std::size_t bytes = engine.reply.text().size() + engine.argv.argv().bytes();
  return call_price + bytes / Engine::bytes_per_instruction;
}

int call_command(lua_State* L, bool raises) {
  Engine& engine = Engine::of(L);
  if (!take_words(L, engine)) return raises ? lua_error(L) : 1;
  std::size_t elements = 0;
  engine.reply = engine.host->call(engine.argv.argv(), elements);
  engine.charge(L, price_of(engine) + elements);
  push_reply(L, engine.reply, engine.resp);
  return raises && engine.reply.is_error() ? lua_error(L) : 1;
}

int call(lua_State* L) { return call_command(L, true); }
int call_protected(lua_State* L) { return call_command(L, false); }

bool has_one_text(lua_State* L) {
  if (lua_gettop(L) == 1 && lua_type(L, 1) == LUA_TSTRING) return true;
  push_error(L, "wrong number or type of arguments");
  return false;
}

int error_reply(lua_State* L) {
  if (!has_one_text(L)) return 1;
  const char* text = lua_tostring(L, 1);
  if (*text != '-') text = lua_pushfstring(L, "-%s", text);
  push_error(L, text);
  return 1;
}

int status_reply(lua_State* L) {
  if (!has_one_text(L)) return 1;
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, 1);
  lua_setfield(L, -2, "ok");
  return 1;
}

int sha1hex(lua_State* L) {
  if (lua_gettop(L) != 1) return raise(L, "wrong number of arguments");
  std::size_t size = 0;
  const char* text = lua_tolstring(L, 1, &size);
  Engine& engine = Engine::of(L);
  if (is_time(L, 1)) time_oracle->obstruct("a script looks into a text with a time in it");
  engine.charge(L, size);
  engine.argv.clear();
  engine.argv.add(sha1_hex(std::string_view(text, size)));
  const std::string_view digits = engine.argv.argv().front();
  lua_pushlstring(L, digits.data(), digits.size());
  return 1;
}

// There is no log file; the arguments are judged as Redis judges them.
int log(lua_State* L) {
  constexpr double highest_level = 3;
  if (lua_gettop(L) < 2) return raise(L, "redis.log() requires two arguments or more.");
  if (lua_isnumber(L, 1) == 0) return raise(L, "First argument must be a number (log level).");
  const double level = std::trunc(lua_tonumber(L, 1));
  if (!(level >= 0 && level <= highest_level)) return raise(L, "Invalid debug level.");
  return 0;
}

int setresp(lua_State* L) {
  if (lua_gettop(L) != 1) return raise(L, "redis.setresp() requires one argument.");
  const double version = std::trunc(lua_tonumber(L, 1));
  if (version != 2 && version != 3) return raise(L, "RESP version must be 2 or 3.");
  Engine& engine = Engine::of(L);
  engine.resp = static_cast<int>(version);
  if (version == 3) engine.host->note_not_simulated("redis.setresp(3)");
  return 0;
}

// There are no replicas and no file to write to.
int set_repl(lua_State* L) {
  constexpr std::int64_t every_flag = 3;
  if (lua_gettop(L) != 1) return raise(L, "redis.set_repl() requires two arguments.");
  if ((to_reply_integer(lua_tonumber(L, 1)) & ~every_flag) != 0)
    return raise(L, "Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
  return 0;
}

int replicate_commands(lua_State* L) {
  lua_pushboolean(L, 1);
  return 1;
}

// Outside a debugger.
int breakpoint(lua_State* L) {
  lua_pushboolean(L, 0);
  return 1;
}
int debug(lua_State*) { return 0; }

// The one user may do everything.
int acl_check_cmd(lua_State* L) {
  Engine& engine = Engine::of(L);
  if (!take_words(L, engine)) return lua_error(L);
  if (!engine.host->has_command(engine.argv.argv()))
    return raise(L, "Invalid command passed to redis.acl_check_cmd()");
  lua_pushboolean(L, 1);
  return 1;
}

struct Constant {
  const char* name;
  double value;
};
constexpr Constant constants[] = {{"LOG_DEBUG", 0},  {"LOG_VERBOSE", 1},
                                  {"LOG_NOTICE", 2}, {"LOG_WARNING", 3},
                                  {"REPL_NONE", 0},  {"REPL_AOF", 1},
                                  {"REPL_SLAVE", 2}, {"REPL_REPLICA", 2},
                                  {"REPL_ALL", 3},   {"REDIS_VERSION_NUM", 0x07000F}};

}  // namespace

void add_redis_functions(lua_State* L) {
  static constexpr luaL_Reg functions[] = {{"call", call},
                                           {"pcall", call_protected},
                                           {"error_reply", error_reply},
                                           {"status_reply", status_reply},
                                           {"sha1hex", sha1hex},
                                           {"log", log},
                                           {"setresp", setresp},
                                           {"set_repl", set_repl},
                                           {"replicate_commands", replicate_commands},
                                           {"breakpoint", breakpoint},
                                           {"debug", debug},
                                           {"acl_check_cmd", acl_check_cmd},
                                           {nullptr, nullptr}};
  luaL_register(L, nullptr, functions);
  for (const Constant& constant : constants) {
    lua_pushnumber(L, constant.value);
    lua_setfield(L, -2, constant.name);
  }
  lua_pushliteral(L, "7.0.15");
  lua_setfield(L, -2, "REDIS_VERSION");
}

}  // namespace holdfast::redis
