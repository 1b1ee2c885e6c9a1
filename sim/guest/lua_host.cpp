#include "sim/guest/lua_host.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include "sim/core/sha1.hpp"

namespace holdfast::guest {
namespace {

std::string text_at(lua_State* L, int index) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(L, index, &size);
  return std::string(text, size);
}

Duration seconds_at(lua_State* L, int index) {
  const double seconds = luaL_checknumber(L, index);
  return seconds < 0 ? Duration::zero() : Duration(std::llround(seconds * 1e6));
}

struct Named {
  std::string_view name;
  Effect::Kind kind;
};
using Kind = Effect::Kind;
constexpr std::array effects{
    Named{"send", Kind::send},         Named{"sleep", Kind::sleep},     Named{"drop", Kind::drop},
    Named{"hang-up", Kind::hang_up},   Named{"clock", Kind::clock},     Named{"granted", Kind::granted},
    Named{"refused", Kind::refused},   Named{"failed", Kind::failed},   Named{"released", Kind::released},
    Named{"not-held", Kind::not_held}, Named{"unknown", Kind::unknown}, Named{"renewed", Kind::renewed},
    Named{"lost", Kind::lost},
};

// Its arguments from 3 on, as openresty/ gives them.
void read(lua_State* L, Effect& effect) {
  const auto number = [&](int index) { return static_cast<std::uint32_t>(luaL_checkinteger(L, index)); };
  switch (effect.kind) {
    case Kind::send: {
      effect.id = number(3);
      effect.server = number(4);
      effect.connection = number(5);
      const double patience = luaL_checknumber(L, 6);
      effect.duration = patience < 0 ? OwnConnection::for_ever : Duration(std::llround(patience));
      effect.within = Duration(std::llround(luaL_checknumber(L, 7)));
      for (int i = 8; i <= lua_gettop(L); ++i) effect.words.push_back(text_at(L, i));
      return;
    }
    case Kind::sleep:
      effect.id = number(3);
      effect.duration = Duration(std::llround(luaL_checknumber(L, 4)));
      return;
    case Kind::drop: effect.id = number(3); return;
    case Kind::hang_up: effect.connection = number(3); return;
    case Kind::granted:
      effect.text = text_at(L, 3);
      effect.duration = seconds_at(L, 4);
      effect.number = static_cast<std::int64_t>(luaL_checknumber(L, 5));
      if (const double until = luaL_checknumber(L, 6); until >= 0)
        effect.lease_until = std::llround(until * 1e6);
      return;
    case Kind::renewed:
      effect.text = text_at(L, 3);
      effect.duration = seconds_at(L, 4);
      return;
    case Kind::refused:
    case Kind::failed:
    case Kind::lost: effect.text = lua_gettop(L) >= 3 ? text_at(L, 3) : std::string(); return;
    default: return;
  }
}

const FunctionLines& own_functions(const Prelude& prelude) {
  static const std::vector<FunctionLines> all = [] {
    std::vector<FunctionLines> lines;
    for (std::size_t i = 0; i < prelude_count; ++i) lines.emplace_back(preludes[i].text);
    return lines;
  }();
  return all[static_cast<std::size_t>(&prelude - preludes)];
}

}  // namespace

const Prelude* prelude_called(std::string_view name) {
  const Prelude* const end = preludes + prelude_count;
  const Prelude* const found =
      std::find_if(preludes, end, [&](const Prelude& it) { return it.name == name; });
  return found == end ? nullptr : found;
}

int LuaSession::Host::emit(lua_State* L) {
  LuaSession& session = of(L);
  const std::string name = text_at(L, 1);
  if (name == "error") {
    session.action_.problem = text_at(L, 3);
    return 0;
  }
  if (name == "unusable") {
    if (session.unusable_.empty()) session.unusable_ = text_at(L, 3);
    return 0;
  }
  const auto named =
      std::find_if(effects.begin(), effects.end(), [&](const Named& each) { return each.name == name; });
  if (named == effects.end()) return luaL_error(L, "there is no effect %s", name.c_str());
  Effect effect{.kind = named->kind, .party = static_cast<std::uint32_t>(luaL_checkinteger(L, 2))};
  read(L, effect);
  if (effect.kind == Kind::send) effect.line = session.place_in(L);
  session.action_.effects.push_back(std::move(effect));
  return 0;
}

int LuaSession::Host::missing(lua_State* L) {
  LuaSession& session = of(L);
  const ScriptLine place = session.place_in(L);
  if (session.unusable_.empty()) {
    session.unusable_ = "not simulated: " + text_at(L, 1) + " (" + place.file + ":" +
                        std::to_string(place.line) + "): holdfast has of OpenResty what locks use";
    session.is_beyond_model_ = true;
  }
  return luaL_error(L, "%s", session.unusable_.c_str());
}

int LuaSession::Host::uniform(lua_State* L) {
  constexpr double steps = 9007199254740992.0;  // 2^53
  lua_pushnumber(L, static_cast<double>(of(L).next_random() >> 11) / steps);
  return 1;
}

int LuaSession::Host::module(lua_State* L) {
  const LuaFile* const file = of(L).source_.module(text_at(L, 1));
  if (file == nullptr) return 0;
  const std::string name = "@" + file->name;
  if (luaL_loadbufferx(L, file->text.data(), file->text.size(), name.c_str(), "t") != 0) return lua_error(L);
  return 1;
}

int LuaSession::Host::load_main(lua_State* L) {
  const LuaFile& file = of(L).source_.main();
  const std::string name = "@" + file.name;
  if (luaL_loadbufferx(L, file.text.data(), file.text.size(), name.c_str(), "t") != 0) return lua_error(L);
  return 1;
}

// Whether no other function begins in this line of this source: then the two say which one it is.
int LuaSession::Host::is_alone(lua_State* L) {
  const std::string source = text_at(L, 1);
  const auto line = static_cast<std::size_t>(luaL_checkinteger(L, 2));
  const Prelude* const own = source[0] == '=' ? prelude_called(source.substr(1)) : nullptr;
  const bool is_file = source[0] == '@' && of(L).source_.has_one_function(source.substr(1), line);
  lua_pushboolean(L, own != nullptr ? own_functions(*own).has_one_at(line) : is_file);
  return 1;
}

int LuaSession::Host::has_server(lua_State* L) {
  const auto server = luaL_checkinteger(L, 1);
  lua_pushboolean(L, server >= 0 && server < of(L).servers_);
  return 1;
}

int LuaSession::Host::has_dictionary(lua_State* L) {
  lua_pushboolean(L, of(L).has_dictionary_);
  return 1;
}

int LuaSession::Host::is_collecting(lua_State* L) {
  lua_pushboolean(L, of(L).is_collecting_);
  return 1;
}

// Finalisers run now, and at no other time: what the collector does is a choice of the run.
int LuaSession::Host::collect(lua_State* L) {
  LuaSession& session = of(L);
  session.is_collecting_ = true;
  lua_gc(L, LUA_GCCOLLECT, 0);
  lua_gc(L, LUA_GCCOLLECT, 0);
  lua_gc(L, LUA_GCSTOP, 0);
  session.is_collecting_ = false;
  return 0;
}

// As zlib has it (RFC 1952, section 8).
int LuaSession::Host::crc32(lua_State* L) {
  std::uint32_t sum = ~std::uint32_t{0};
  for (const char letter : text_at(L, 1)) {
    sum ^= static_cast<unsigned char>(letter);
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ (0xEDB88320U & (0U - (sum & 1U)));
  }
  lua_pushnumber(L, ~sum);
  return 1;
}

int LuaSession::Host::sha1(lua_State* L) {
  const std::string digits = sha1_hex(text_at(L, 1));
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    unsigned byte = 0;
    std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
    bytes += static_cast<char>(byte);
  }
  lua_pushlstring(L, bytes.data(), bytes.size());
  return 1;
}

int LuaSession::Host::base64(lua_State* L) {
  static constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string text = text_at(L, 1);
  std::string made;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      made += i + k > text.size() ? '=' : letters[three >> (18 - 6 * k) & 63];
  }
  lua_pushlstring(L, made.data(), made.size());
  return 1;
}

// os.time(table), in UTC.
int LuaSession::Host::time_of(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const auto field = [&](const char* name, int otherwise) {
    lua_getfield(L, 1, name);
    const int value = lua_isnumber(L, -1) != 0 ? static_cast<int>(lua_tointeger(L, -1)) : otherwise;
    lua_pop(L, 1);
    return value;
  };
  std::tm when{};
  when.tm_year = field("year", 1970) - 1900;
  when.tm_mon = field("month", 1) - 1;
  when.tm_mday = field("day", 1);
  when.tm_hour = field("hour", 12);
  when.tm_min = field("min", 0);
  when.tm_sec = field("sec", 0);
  lua_pushnumber(L, static_cast<double>(timegm(&when)));
  return 1;
}

void LuaSession::Host::push(lua_State* L) {
  static constexpr luaL_Reg functions[] = {{"emit", emit},
                                           {"missing", missing},
                                           {"uniform", uniform},
                                           {"module", module},
                                           {"load_main", load_main},
                                           {"is_alone", is_alone},
                                           {"has_server", has_server},
                                           {"has_dictionary", has_dictionary},
                                           {"is_collecting", is_collecting},
                                           {"collect", collect},
                                           {"crc32", crc32},
                                           {"sha1", sha1},
                                           {"base64", base64},
                                           {"time_of", time_of},
                                           {nullptr, nullptr}};
  lua_newtable(L);
  luaL_register(L, nullptr, functions);
  lua_pushlightuserdata(L, nullptr);
  lua_setfield(L, -2, "null");
}

void push_reply(lua_State* L, const Reply& reply) {
  static constexpr const char* kinds[] = {"nil", "status", "integer", "bulk", "array", "error", "lost"};
  lua_pushstring(L, kinds[static_cast<std::size_t>(reply.kind())]);
  switch (reply.kind()) {
    case Reply::Kind::integer: lua_pushnumber(L, static_cast<double>(reply.number())); return;
    case Reply::Kind::array: {
      lua_newtable(L);
      int place = 0;
      for (const Reply& element : reply.elements()) {
        lua_createtable(L, 2, 0);
        push_reply(L, element);
        lua_rawseti(L, -3, 2);
        lua_rawseti(L, -2, 1);
        lua_rawseti(L, -2, ++place);
      }
      return;
    }
    case Reply::Kind::nil:
    case Reply::Kind::lost: lua_pushnil(L); return;
    default: lua_pushlstring(L, reply.text().data(), reply.text().size());
  }
}

}  // namespace holdfast::guest
