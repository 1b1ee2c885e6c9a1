// What a program in Lua goes on with: one that keeps nothing of a call goes on as one that has only begun.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "sim/guest/lua_session.hpp"

namespace holdfast::guest {
namespace {

// The memory of a worker when it has begun, and after acquire(), whose body this is; every command is
// answered with OK, and no sleep ends.
struct Memories {
  std::optional<std::string> begun;
  std::optional<std::string> after;
};
Memories memories_of(const std::string& before, const std::string& acquire, std::uint64_t seed = 1) {
  const ScriptSource source(
      LuaFile{"test.lua", before + "\nreturn {acquire = function(key, params)\n" + acquire +
                              "\nreturn false, 'taken'\nend,\nrelease = function(key, token)\nend}"},
      "");
  LuaSession session(source, seed);
  session.tell({.kind = Told::Kind::begin, .number = 1, .words = {"ttl", "4000000us"}});
  Memories memories{session.memory(), {}};
  Action now = session.tell({.kind = Told::Kind::acquire, .party = 1, .words = {"job", "exclusive"}});
  while (!now.effects.empty() && now.effects.back().kind == Effect::Kind::send)
    now = session.tell(
        {.kind = Told::Kind::reply, .party = 1, .id = now.effects.back().id, .reply = Reply::ok()});
  memories.after = session.memory();
  return memories;
}
bool keeps_nothing(const std::string& before, const std::string& acquire) {
  const Memories memories = memories_of(before, acquire);
  return memories.begun && memories.after == memories.begun;
}

constexpr const char* on_a_server = "local r = require('resty.redis'):new() r:connect('127.0.0.1', 6379) ";

struct Kept {
  const char* before;
  std::string acquire;
};

TEST(LuaMemory, IsThatOfABeginnerWhereACallKeepsNothing) {
  const Kept cases[] = {
      {"", ""},
      {"", std::string(on_a_server) + "r:set(key, tostring(math.random(1e9)), 'NX')"},
      {"", std::string(on_a_server) + "r:watch(key) r:multi() r:exec()"},
      {"local held = {}", "held[key] = true held[key] = nil"},
      {"local redis = require 'resty.redis'", "local r = redis:new() r:set_timeout(1000)"},
      {"local function f(x)\nreturn x\nend", "f(1)"},
      {"", "local t = {} t[t] = t"},
      {"", "error('an error keeps nothing either')"},
  };
  for (const Kept& each : cases) EXPECT_TRUE(keeps_nothing(each.before, each.acquire)) << each.acquire;
}

TEST(LuaMemory, HasAllThatACallLeavesBehind) {
  const Kept cases[] = {
      {"local count = 0", "count = count + 1"},
      {"local held = {}", "held[key] = 'x'"},
      {"local held = {[1] = {}}", "held[1].deep = {true}"},
      {"local f", "f = function()\nreturn key\nend"},
      {"local one, other = {}, {} local chosen = one", "chosen = other"},
      {"local shared = {} local a, b = {shared}, {shared}", "b[1] = {} local same = a[1] == b[1] and shared"},
      {"", "calls = (calls or 0) + 1"},
      {"", "ngx.ctx.mine = 1"},
      {"", "string.mine = true"},
      {"", "getmetatable('').__call = print"},
      {"", "table.insert = table.remove"},
      {"", "ngx.worker.id = ngx.worker.count"},
      {"", "math.randomseed(7)"},
      {"", "ngx.worker.pid()"},
      {"", "package.loaded.mine = true"},
      {"local t = setmetatable({}, {})", "getmetatable(t).__index = string"},
      {"local f = function()\nreturn x\nend", "setfenv(f, {x = 1})"},
      {"local cache = require('resty.lrucache').new(1)", "cache:set(key, 1)"},
      {"local sema = require('ngx.semaphore').new(0)", "sema:post()"},
      {"local r = require('resty.redis'):new()", "r:set_timeout(1000)"},
  };
  for (const Kept& each : cases) EXPECT_FALSE(keeps_nothing(each.before, each.acquire)) << each.acquire;
}

TEST(LuaMemory, IsUnknownWhereItCannotBeRead) {
  const Kept cases[] = {
      {"local co", "co = coroutine.create(function()\nend)"},
      {"local by_table = {}", "by_table[{}] = 1"},
      {"local kept", "kept = newproxy(true)"},
      {"", "require 'ffi'"},
      {"local f, g = function() return 1 end, function() return 2 end", "f, g = g, f"},
      {"local f = loadstring('return function() return 1 end')()", "f()"},
      {"", "ngx.timer.at(1, function()\nend)"},
  };
  for (const Kept& each : cases) EXPECT_FALSE(memories_of(each.before, each.acquire).after) << each.acquire;
}

// Chance decides no memory that is the same in all runs.
TEST(LuaMemory, DiffersBetweenRunsWhereItIsMadeByChance) {
  const auto begun = [](const char* before, std::uint64_t seed) {
    return *memories_of(before, "", seed).begun;
  };
  EXPECT_EQ(begun("", 1), begun("", 2));
  EXPECT_NE(begun("local me = math.random(1e9)\nmine = function()\nreturn me\nend", 1),
            begun("local me = math.random(1e9)\nmine = function()\nreturn me\nend", 2));
}

}  // namespace
}  // namespace holdfast::guest
