// Times in scripts where time is dense: nobody knows how many milliseconds they are.
//
// A script gets such a number, or a text that stands for one, as a value of its own type. It can be compared,
// added, and passed on; what else is done with it is an obstacle to dense time. LuaJIT asks the operators of
// such a type even when the other operand is a plain number, which it does for no userdata. Out of reach are
// tables: as a key, a time is found by nothing but itself.
#include <cmath>

#include "sim/core/time_text.hpp"
#include "sim/stores/redis/engine.hpp"

namespace holdfast::redis {
namespace {

struct LuaTime {
  std::int64_t bits = 0;
  std::int32_t unit = 0;  // in microseconds; of a plain number: 0
  std::int32_t is_text = 0;
};
constexpr const char* definition =
    "local ffi, operators = ... "
    "return ffi.metatype('struct { int64_t bits; int32_t unit, is_text; }', operators)";
constexpr const char* constructor = "holdfast.time";

// LUA_TCDATA, which lua.h does not name.
constexpr int type_of_time = 10;

const LuaTime* time_at(lua_State* L, int index) {
  if (lua_type(L, index) != type_of_time || !Engine::of(L).has_times) return nullptr;
  return static_cast<const LuaTime*>(lua_topointer(L, index));
}

int refuse(lua_State* L, std::string_view why) {
  time_oracle->obstruct(why);
  lua_pushnumber(L, 0);
  return 1;
}

bool is_unknown(std::int64_t bits) { return MilliTicks::of_bits(bits).is_unknown(); }

// As operators of numbers see it. False: it is none.
bool number_at(lua_State* L, int index, bool takes_texts, LuaTime& number) {
  if (const LuaTime* const time = time_at(L, index)) {
    number = *time;
    return takes_texts || time->is_text == 0;
  }
  if (lua_type(L, index) != LUA_TNUMBER && (!takes_texts || lua_isnumber(L, index) == 0)) return false;
  const double plain = lua_tonumber(L, index);
  constexpr double exact = 1e15;
  if (!(std::abs(plain) < exact) || plain != std::trunc(plain)) {
    time_oracle->obstruct("a script counts a time in fractions");
    number = {0, 0, 0};
  } else {
    number = {static_cast<std::int64_t>(plain), 0, 0};
  }
  return true;
}

// False: one is no number. Sets the unit of both.
bool numbers_at(lua_State* L, bool take_texts, LuaTime& one, LuaTime& other) {
  if (!number_at(L, 1, take_texts, one) || !number_at(L, 2, take_texts, other)) return false;
  if (one.unit != 0 && other.unit != 0 && one.unit != other.unit)
    time_oracle->obstruct("a script takes milliseconds for microseconds");
  one.unit = other.unit = std::max(one.unit, other.unit);
  return true;
}

bool is_less(const LuaTime& one, const LuaTime& other) {
  if (one.unit == 1) return Ticks::of_bits(one.bits) < Ticks::of_bits(other.bits);
  return MilliTicks::of_bits(one.bits) < MilliTicks::of_bits(other.bits);
}

bool is_equal(const LuaTime& one, const LuaTime& other) {
  if (one.unit == 1) return Ticks::of_bits(one.bits) == Ticks::of_bits(other.bits);
  return MilliTicks::of_bits(one.bits) == MilliTicks::of_bits(other.bits);
}

void push(lua_State* L, LuaTime time) {
  if (!is_unknown(time.bits) && time.is_text == 0) {
    lua_pushnumber(L, static_cast<double>(time.bits));
    return;
  }
  Engine::of(L).has_times = true;
  luaL_checkstack(L, 8, "too many times");
  lua_getfield(L, LUA_REGISTRYINDEX, constructor);
  if (lua_isnil(L, -1) != 0) {
    lua_pop(L, 1);
    push_type_of_times(L);
  }
  lua_call(L, 0, 1);
  *static_cast<LuaTime*>(const_cast<void*>(lua_topointer(L, -1))) = time;
}

// --- operators ---

int add(lua_State* L) {
  LuaTime one, other;
  if (!numbers_at(L, true, one, other)) return luaL_error(L, "attempt to perform arithmetic on a value");
  push(L, {(MilliTicks::of_bits(one.bits) + MilliTicks::of_bits(other.bits)).bits(), one.unit, 0});
  return 1;
}

int subtract(lua_State* L) {
  LuaTime one, other;
  if (!numbers_at(L, true, one, other)) return luaL_error(L, "attempt to perform arithmetic on a value");
  push(L, {(MilliTicks::of_bits(one.bits) - MilliTicks::of_bits(other.bits)).bits(), one.unit, 0});
  return 1;
}

int negate(lua_State* L) {
  LuaTime time;
  number_at(L, 1, true, time);
  push(L, {(-MilliTicks::of_bits(time.bits)).bits(), time.unit, 0});
  return 1;
}

int multiply(lua_State* L) {
  LuaTime one, other;
  if (!numbers_at(L, true, one, other)) return luaL_error(L, "attempt to perform arithmetic on a value");
  if (is_unknown(one.bits)) std::swap(one, other);
  if (is_unknown(one.bits) || one.bits < -1 || one.bits > 1) return refuse(L, "a script multiplies a time");
  const MilliTicks time = MilliTicks::of_bits(other.bits);
  push(L, {(one.bits == 0 ? MilliTicks() : one.bits < 0 ? -time : time).bits(), one.unit, 0});
  return 1;
}

int divide(lua_State* L) { return refuse(L, "a script divides a time"); }
int look_into(lua_State* L) { return refuse(L, "a script looks into a text with a time in it"); }

// Redis would refuse to compare a number with a text.
int compare(lua_State* L, bool is_reached) {
  LuaTime one, other;
  if (!numbers_at(L, false, one, other)) return look_into(L);
  lua_pushboolean(L, is_reached ? !is_less(other, one) : is_less(one, other));
  return 1;
}
int less(lua_State* L) { return compare(L, false); }
int less_or_equal(lua_State* L) { return compare(L, true); }

// Numbers with numbers, texts with texts; whatever else is another thing.
int equal(lua_State* L) {
  const LuaTime* const first = time_at(L, 1);
  const LuaTime* const second = time_at(L, 2);
  const bool are_texts =
      (first != nullptr && first->is_text != 0) || (second != nullptr && second->is_text != 0);
  const auto is_of_kind = [&](int index, const LuaTime* time) {
    if (time != nullptr) return (time->is_text != 0) == are_texts;
    return lua_type(L, index) == (are_texts ? LUA_TSTRING : LUA_TNUMBER);
  };
  LuaTime one, other;
  const bool may_be = is_of_kind(1, first) && is_of_kind(2, second) && numbers_at(L, are_texts, one, other);
  lua_pushboolean(L, may_be && is_equal(one, other));
  return 1;
}

LuaTime spelled(LuaTime time) { return {time_oracle->spelling(time.bits, time.unit), time.unit, 1}; }

void push_as_string(lua_State* L, LuaTime time) {
  Engine::of(L).has_marks = true;
  char text[TimeMark::size];
  if (time.unit == 1) write_mark(text, Ticks::of_bits(time.bits));
  else write_mark(text, MilliTicks::of_bits(time.bits));
  lua_pushlstring(L, text, sizeof text);
}

int join(lua_State* L) {
  lua_settop(L, 2);
  for (int index = 1; index <= 2; ++index) {
    const LuaTime* const time = time_at(L, index);
    if (time != nullptr) push_as_string(L, time->is_text != 0 ? *time : spelled(*time));
    else if (lua_isstring(L, index) != 0) lua_pushvalue(L, index);
    else return luaL_error(L, "attempt to concatenate a %s value", luaL_typename(L, index));
  }
  lua_concat(L, 2);
  return 1;
}

constexpr luaL_Reg operators[] = {{"__add", add},         {"__sub", subtract},   {"__unm", negate},
                                  {"__mul", multiply},    {"__div", divide},     {"__mod", divide},
                                  {"__pow", divide},      {"__lt", less},        {"__le", less_or_equal},
                                  {"__eq", equal},        {"__concat", join},    {"__len", look_into},
                                  {"__index", look_into}, {"__call", look_into}, {nullptr, nullptr}};

// --- functions of the library, whose upvalue is LuaJIT's own ---

int tonumber(lua_State* L) {
  const LuaTime* const time = time_at(L, 1);
  if (time == nullptr) return call_charged(L);
  push(L, {time->bits, time->unit, 0});
  return 1;
}

// All times are whole.
int round(lua_State* L) {
  if (time_at(L, 1) == nullptr) return call_charged(L);
  return tonumber(L);
}

int extreme(lua_State* L, bool is_greatest) {
  bool has_time = false;
  for (int i = 1; i <= lua_gettop(L); ++i) has_time |= time_at(L, i) != nullptr;
  if (!has_time) return call_charged(L);
  LuaTime found, each;
  bool are_numbers = number_at(L, 1, true, found);
  for (int i = 2; are_numbers && i <= lua_gettop(L); ++i) {
    are_numbers = number_at(L, i, true, each);
    if (are_numbers) found.unit = each.unit = std::max(found.unit, each.unit);
    if (are_numbers && (is_greatest ? is_less(found, each) : is_less(each, found))) found = each;
  }
  if (!are_numbers) return luaL_error(L, "number expected");
  push(L, {found.bits, found.unit, 0});
  return 1;
}
int longest(lua_State* L) { return extreme(L, true); }
int shortest(lua_State* L) { return extreme(L, false); }

int type(lua_State* L) {
  luaL_checkany(L, 1);
  const LuaTime* const time = time_at(L, 1);
  if (time == nullptr) lua_pushstring(L, luaL_typename(L, 1));
  else lua_pushstring(L, time->is_text != 0 ? "string" : "number");
  return 1;
}

}  // namespace

void push_type_of_times(lua_State* L) {
  if (luaL_loadstring(L, definition) != 0) lua_error(L);
  lua_pushcfunction(L, luaopen_ffi);
  lua_call(L, 0, 1);
  lua_newtable(L);
  luaL_register(L, nullptr, operators);
  lua_call(L, 2, 1);
  lua_pushvalue(L, -1);
  lua_setfield(L, LUA_REGISTRYINDEX, constructor);
}

void push_time(lua_State* L, MilliTicks time) { push(L, {time.bits(), 1000, 0}); }

void push_text(lua_State* L, std::string_view text) {
  const std::optional<TimeMark> mark = find_mark(text);
  if (mark && text.size() == TimeMark::size) return push(L, {mark->bits, mark->unit, 1});
  if (mark) Engine::of(L).has_times = Engine::of(L).has_marks = true;
  lua_pushlstring(L, text.data(), text.size());
}

bool add_time(lua_State* L, int index, Command& command) {
  const LuaTime* const time = time_at(L, index);
  if (time == nullptr) return false;
  const LuaTime text = time->is_text != 0 ? *time : spelled(*time);
  if (text.unit == 1) command.add(Ticks::of_bits(text.bits));
  else command.add(MilliTicks::of_bits(text.bits));
  return true;
}

std::optional<Reply> time_reply(lua_State* L, int index) {
  const LuaTime* const time = time_at(L, index);
  if (time == nullptr) return std::nullopt;
  if (time->is_text != 0) {
    Command text;
    add_time(L, index, text);
    return Reply::bulk(std::string(text.argv().front()));
  }
  if (time->unit != 1000) time_oracle->obstruct("a script tells a time in microseconds");
  return Reply::milliseconds(MilliTicks::of_bits(time->bits));
}

int push_time_as_text(lua_State* L) {
  const LuaTime* const time = time_at(L, 1);
  if (time == nullptr) return 0;
  push(L, time->is_text != 0 ? *time : spelled(*time));
  return 1;
}

bool is_time(lua_State* L, int index) { return time_at(L, index) != nullptr; }

// The globals on top, and the library `math` among them, are not protected yet.
void add_time_functions(lua_State* L) {
  const auto wrap = [L](const char* name, lua_CFunction function) {
    lua_getfield(L, -1, name);
    lua_pushcclosure(L, function, 1);
    lua_setfield(L, -2, name);
  };
  wrap("tonumber", tonumber);
  lua_pushcfunction(L, type);
  lua_setfield(L, -2, "type");
}

void add_time_functions_of_math(lua_State* L) {
  static constexpr luaL_Reg functions[] = {
      {"max", longest}, {"min", shortest}, {"floor", round}, {"ceil", round}};
  for (const luaL_Reg& each : functions) {
    lua_getfield(L, -1, each.name);
    lua_pushcclosure(L, each.func, 1);
    lua_setfield(L, -2, each.name);
  }
}

}  // namespace holdfast::redis
