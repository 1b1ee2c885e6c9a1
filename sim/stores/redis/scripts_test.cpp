// The Lua engine: a script cannot stop the process, nor leave anything to the next script.
#include "sim/stores/redis/scripts.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "sim/core/sha1.hpp"
#include "sim/stores/redis/redis.hpp"
#include "sim/stores/redis/tail_calls.hpp"

namespace holdfast::redis {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ScriptsTest : public testing::Test {
 protected:
  Reply run(const std::string& script, std::vector<std::string> words = {"0"}) {
    Changes changes;
    std::vector<std::string> argv{"EVAL", script};
    argv.insert(argv.end(), words.begin(), words.end());
    return redis.execute(argv, WallTime(1'700'000'000s), changes);
  }
  void expect_usable(const std::string& after) {
    EXPECT_EQ(run("redis.call('set', KEYS[1], ARGV[1]) return redis.call('get', KEYS[1])", {"1", "k", "v"}),
              Reply::bulk("v"))
        << after;
  }

  Scripts scripts{Scripts::Limits{.instructions = 1'000'000, .bytes = std::size_t{8} << 20}};
  Redis redis{scripts};
};

const std::string stopped = "ERR Script stopped by the simulation: it ran for too many instructions script: ";

TEST_F(ScriptsTest, EndlessWorkIsStopped) {
  for (const char* script :
       {"while true do end",
        "while true do pcall(function() while true do end end) end",
        "while true do pcall(error) end",
        "xpcall(function() while true do end end, function() while true do end end)",
        "local f = coroutine.wrap(function() while true do end end) f()",
        "local function f() return f() end return f()",
        "repeat local ok = pcall(redis.call, 'nothing') until false",
        "while true do redis.call('ping') end",
        "local t = {3, 2, 1} while true do table.sort(t) end",
        "while true do local s = ('x'):rep(1e6) end",
        "local s = ('x'):rep(1e6) while true do s:find('y', 1, true) end",
        "while true do redis.call('lpush', 'list', 1, 2, 3, 4, 5) redis.call('lrange', 'list', 0, -1) end",
        "for i = 1, 1e9 do redis.call('zadd', 'zset', i, i) end",
        "for i = 1, 1e9 do redis.call('hset', 'hash', i, i) redis.call('smove', 'from', 'to', 'x') end",
        "for i = 1, 1e9 do redis.call('set', i, i) redis.call('keys', 'x') end",
        "for i = 1, 1e9 do redis.call('append', 'k', ('x'):rep(1e6)) end",
        "return ('x'):rep(1e12)",
        "local t = setmetatable({}, {__index = function(t, k) while true do end end}) return t.x",
        "return load(function() return ' ' end)",
        "return ('a'):rep(1000):find(('.-'):rep(5) .. 'b')",
        "return ('a'):rep(1000):gsub(('a*'):rep(5) .. 'b', '')"}) {
    const Reply reply = run(script);
    EXPECT_EQ(reply.text(), stopped + sha1_hex(script) + ", on @user_script:1.") << script;
    expect_usable(script);
  }
}

TEST_F(ScriptsTest, MemoryIsRefusedBeyondTheLimit) {
  for (const char* script :
       {"local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end",
        "local s = 'x' while true do s = s .. s end", "local t = {} for i = 1, 1e9 do t[i] = {i} end",
        "local t = {} while true do t = {t, {}, {}} end",
        "local s = 'x' while true do s = pcall(function() s = s .. s end) and s or s .. s end",
        "return redis.call('set', 'k', ('x'):rep(1e7))", "return {loadstring(('x'):rep(1e7))}"}) {
    const Reply reply = run(script);
    EXPECT_EQ(reply.text(), "ERR Error running script " + sha1_hex(script) + ", not enough memory") << script;
    expect_usable(script);
  }
}

TEST_F(ScriptsTest, DeepRecursionIsAnError) {
  for (const char* script :
       {"local function f() return 1 + f() end return f()", "local function f() f() end f()",
        "local function f() local c = coroutine.wrap(f) c() end f()",
        "local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) return t[1]",
        "local t = setmetatable({}, {}) getmetatable(t).__tostring = function() return tostring(t) end "
        "return tostring(t)",
        "local function f() table.sort({1, 2}, f) end f()", "local function f() ('x'):gsub('x', f) end f()",
        "local function f() load(f) end f()", "local function f() table.foreach({1}, f) end f()"}) {
    EXPECT_THAT(run(script).text(), HasSubstr("stack overflow")) << script;
    expect_usable(script);
  }
}

TEST_F(ScriptsTest, CaughtRecursionLetsTheScriptGoOn) {
  EXPECT_TRUE(run("local function f() f() end pcall(f) return 1").is(1));
  EXPECT_TRUE(run("local function f() return pcall(f) end return f()").is(1));
}

TEST_F(ScriptsTest, ReplyThatContainsItselfEnds) {
  Reply reply = run("local t = {} t[1] = t return t");
  int depth = 0;
  while (reply.kind() == Reply::Kind::array) {
    ASSERT_EQ(reply.elements().size(), 1u);
    reply = Reply(reply.elements().front());
    ++depth;
  }
  EXPECT_EQ(reply, Reply::error("ERR reached lua stack limit"));
  EXPECT_GT(depth, 100);
}

TEST_F(ScriptsTest, BytecodeIsNotAccepted) {
  EXPECT_TRUE(run("return loadstring(string.dump(function() return 1 end))").is_nil());
  EXPECT_TRUE(
      run("local done return load(function() if not done then done = 1 return '\\27LJ' end end)").is_nil());
  EXPECT_THAT(run("\x1bLJ\x02").text(), StartsWith("ERR Error compiling script (new function): "));
}

TEST_F(ScriptsTest, NothingCanBeLeftToTheNextScript) {
  for (const char* script : {"x = 1",
                             "_G.x = 1",
                             "rawset(_G, 'x', 1)",
                             "redis.x = 1",
                             "redis.call = nil",
                             "string.rep = nil",
                             "KEYS = 1",
                             "table.insert(_G, 1)",
                             "table.insert(redis, 1, 1)",
                             "setmetatable(_G, nil)",
                             "setmetatable(redis, {})",
                             "getmetatable(_G).__index = nil",
                             "getmetatable('').__index = nil",
                             "getmetatable('').__index.rep = nil",
                             "coroutine.x = 1",
                             "bit.x = 1",
                             "math.pi = 3",
                             "local _, t = pairs(_G) t.x = 1",
                             "local t = select(2, pairs(redis)) t.x = 1",
                             "for k, v in pairs(_G) do if k == 'redis' then v.x = 1 end end",
                             "rawget(_G, 'redis').x = 1",
                             "local k, v = next(_G, 'rawset') v.x = 1",
                             "_G._G.x = 1"}) {
    EXPECT_THAT(run(script).text(), HasSubstr("Attempt to modify a readonly table")) << script;
  }
  EXPECT_TRUE(run("math.randomseed(7) return collectgarbage('stop')").is(0));
  EXPECT_EQ(run("return {rawget(_G, 'x') == nil, redis.x == nil, type(redis.call), ('x'):rep(2), #KEYS, "
                "#redis, #_G}"),
            Reply::array({Reply::integer(1), Reply::integer(1), Reply::bulk("function"), Reply::bulk("xx"),
                          Reply::integer(0), Reply::integer(0), Reply::integer(0)}));
}

TEST_F(ScriptsTest, RunsAreAlike) {
  // Also in another process: neither addresses nor LuaJIT's hash seed show.
  const std::string script =
      "local r = {} for k, v in pairs({b = 1, a = 2, [3] = 3, [1.5] = 4, [true] = 5, c = {}}) do r[#r + 1] = "
      "tostring(k) end "
      "return {r, tostring({}), tostring(r), tostring({}), tostring(print_ == nil and error), "
      "math.random(1000)}";
  const Reply once = run("local print_ " + script);
  EXPECT_EQ(once, run("local print_ " + script));
  EXPECT_EQ(once.elements().at(0), Reply::array({Reply::bulk("1.5"), Reply::bulk("3"), Reply::bulk("a"),
                                                 Reply::bulk("b"), Reply::bulk("c"), Reply::bulk("true")}));
  EXPECT_EQ(once.elements().at(1), Reply::bulk("table: 0x000000000010"));
  EXPECT_EQ(once.elements().at(2), Reply::bulk("table: 0x000000000020"));
  EXPECT_EQ(once.elements().at(4), Reply::bulk("function: 0x000000000040"));
  EXPECT_TRUE(once.elements().at(5).is(171));
}

TEST_F(ScriptsTest, NextGoesInTheOrderOfPairs) {
  EXPECT_EQ(run("local t, r, k = {10, z = 1, y = 2}, {}, nil repeat k = next(t, k) r[#r + 1] = k until k == "
                "nil return r"),
            Reply::array({Reply::integer(1), Reply::bulk("y"), Reply::bulk("z")}));
  EXPECT_EQ(
      run("local t, r = {a = 1, b = 2, c = 3}, {} for k in pairs(t) do r[#r + 1] = k t.b = nil end return r"),
      Reply::array({Reply::bulk("a"), Reply::bulk("c")}));
}

TEST_F(ScriptsTest, SmallLimitsAreKept) {
  Scripts small(Scripts::Limits{.instructions = 100'000, .bytes = 100'000});
  Redis server(small);
  Changes changes;
  const auto eval = [&](const std::string& script) {
    return server.execute({"EVAL", script, "0"}, WallTime(0s), changes).text();
  };
  EXPECT_EQ(eval("for i = 1, 10000 do end return 'done'"), "done");
  EXPECT_THAT(eval("for i = 1, 200000 do end return 'done'"), StartsWith(stopped));
  EXPECT_EQ(eval("return #('x'):rep(20000) > 0 and 'done'"), "done");
  EXPECT_THAT(eval("return ('x'):rep(200000)"), HasSubstr("not enough memory"));
}

TEST(TailCalls, GetParenthesesWhereTheyHideTheLine) {
  EXPECT_EQ(without_tail_calls("return redis.call('get', KEYS[1])"), "return (redis.call('get', KEYS[1]))");
  EXPECT_EQ(without_tail_calls("if x then return f(1) else return g{2} end"),
            "if x then return (f(1)) else return (g{2}) end");
  EXPECT_EQ(without_tail_calls("return f 'x' -- a ) comment"), "return (f 'x') -- a ) comment");
  EXPECT_EQ(without_tail_calls("return f(function() return 1, g() end)"),
            "return (f(function() return 1, g() end))");
  EXPECT_EQ(without_tail_calls("do return f[==[ ]] return ]==]; end"),
            "do return (f[==[ ]] return ]==]); end");
  EXPECT_EQ(without_tail_calls("local function f() return redis.call(')') end return f()"),
            "local function f() return (redis.call(')')) end return (f())");
}

TEST(TailCalls, StayWhereTheyCount) {
  for (const char* source :
       {"return", "return 1", "return f(), 2", "return {1, 2}.x", "return ...",
        "local function f() return f() end", "local function f() return redis.call('a'), 1 end",
        "local s = 'return f()'", "-- return f()", "--[[ return f() ]]",
        "local function f() return redis.call('a').ok end", "return f(", "end end return"})
    EXPECT_EQ(without_tail_calls(source), source);
}

}  // namespace
}  // namespace holdfast::redis
