// A lock in Lua, without a compiler: wherever the name of a lock goes.
#include <gmock/gmock.h>

#include "sim/cli/program_test.hpp"
#include "sim/live/nginx_process.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

// That of the README.
constexpr const char* ten_lines = R"(local redis = require "resty.redis"
local function server() local r = redis:new() r:connect("127.0.0.1", 6379) return r end
return {ttl = "4s",
  acquire = function(key, params)
    local token = tostring(math.random(1e9))
    local ok = server():set(key, token, "NX", "PX", params.ttl * 1000)
    return ok == "OK" and token or nil, "taken"
  end,
  release = function(key) return server():del(key) == 1 end}
)";

class Scripts : public Program {
 protected:
  Scripts() { write("my_lock.lua", ten_lines); }
};

TEST_F(Scripts, AreChecked) {
  const Outcome outcome = run("check my_lock.lua --fault pause --rounds 1 --attempts 1");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("✘ owner-only-release  violated"));
  EXPECT_THAT(outcome.out, HasSubstr("histories learnt in"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("ended with an error")));
}
TEST_F(Scripts, StandBesideLocksInCpp) {
  const Outcome outcome =
      run("compare --only token,./my_lock.lua --faults none,pause --rounds 1 --attempts 1");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("my_lock.lua"));
  EXPECT_THAT(outcome.out, HasSubstr("token "));
  EXPECT_EQ(read_json("holdfast-out/matrix.json")["programs"][0]["algorithm"], "my_lock.lua");
}
TEST_F(Scripts, AreReplayedAndShownWithTheirLines) {
  run("check my_lock.lua --fault pause --rounds 1 --attempts 1");
  const std::string trace = "holdfast-out/my_lock.lua+pause+owner-only-release.trace.json";
  const Outcome again = run("replay " + trace);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("as recorded"));
  EXPECT_THAT(again.out, HasSubstr("my_lock.lua"));
  EXPECT_THAT(read("holdfast-out/my_lock.lua+pause+owner-only-release.html"), HasSubstr("local ok = server"));
}
TEST_F(Scripts, AreNamedInScenarios) {
  write("a.json", R"({"version": 1, "algorithm": {"name": "my_lock.lua", "params": {"ttl": "4s"}},
 "faults": [{"kind": "pause"}], "check": ["owner-only-release"],
 "expect": {"verdict": "violated", "property": "owner-only-release"}})");
  const Outcome outcome = run("run a.json");
  EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
}
TEST_F(Scripts, ThatCannotRunSayWhyInOneLine) {
  const auto refusal = [&](const std::string& text) {
    write("bad.lua", text);
    const Outcome outcome = run("check bad.lua --fault none --rounds 1 --attempts 1");
    EXPECT_EQ(outcome.code, 65) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(refusal("return 7"), HasSubstr("bad.lua: a lock in Lua returns a table with acquire(key)"));
  EXPECT_THAT(refusal("x = = 1"), HasSubstr("bad.lua: cannot be loaded: bad.lua:1: "));
  EXPECT_THAT(refusal("return {acquire = function() while true do end end, release = function() end}"),
              HasSubstr("without waiting for anything"));
  EXPECT_EQ(run("check no.lua").code, 66);
  EXPECT_THAT(run("check no.lua").err, HasSubstr("no.lua: No such file"));
}
// OpenResty has it: nothing is said of such a lock.
TEST_F(Scripts, ThatCallWhatIsNotSimulatedAreUnknownByItsName) {
  write("bad.lua", "return {acquire = function()\n ngx.exit(1) end, release = function() end}");
  const Outcome outcome = run("check bad.lua --fault none");
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("unknown"));
  EXPECT_THAT(outcome.out, HasSubstr("not simulated: ngx.exit (bad.lua:2)"));
}
TEST_F(Scripts, TellOfErrorsThatEndACall) {
  write("bad.lua", "return {acquire = function() local t = nil return t.x end, release = function() end}");
  EXPECT_THAT(run("check bad.lua --fault none --rounds 1 --attempts 1").out,
              HasSubstr("ended with an error: bad.lua:1: attempt to index local 't'"));
}
TEST_F(Scripts, AreExaminedByTheDoctor) {
  EXPECT_EQ(run("doctor my_lock.lua").code, 0);
  write("bad.lua",
        "local lock = {}\ncount = 0\nfunction lock.acquire()\n  return nil, nobody\nend\n"
        "function lock.release() while true do end end\nreturn lock");
  const Outcome outcome = run("doctor bad.lua");
  EXPECT_EQ(outcome.code, 65);
  EXPECT_THAT(outcome.out, HasSubstr("bad.lua:2: sets the global count"));
  EXPECT_THAT(outcome.out, HasSubstr("bad.lua:4: reads the global nobody"));
  EXPECT_THAT(outcome.out, HasSubstr("bad.lua:6: it ran for"));
}
// What a call leaves in the program is no less than what it was told: the bug is in the second call.
TEST_F(Scripts, AreExploredWithAllThatTheyKeep) {
  const auto lock = [](const std::string& kept) {
    return "local redis = require 'resty.redis'\nlocal calls = 0\n"
           "local function server() local r = redis:new() r:connect('127.0.0.1', 6379) return r end\n"
           "return {ttl = '4s', acquire = function(key, params)\n" +
           kept +
           "local token = tostring(math.random(1e9))\n"
           "if server():set(key, token, 'NX', 'PX', params.ttl * 1000) == 'OK' or calls == 2 then return "
           "token end\nreturn false end,\nrelease = function(key, token) return server():eval(\n"
           "\"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return "
           "0\",\n"
           "1, key, token) == 1 end}\n";
  };
  write("counts.lua", lock("calls = calls + 1\n"));
  write("counts_not.lua", lock("calls = 1\n"));
  const std::string bounds =
      " --fault none --properties mutual-exclusion --clients 2 --rounds 2 --attempts 1";
  EXPECT_EQ(run("check counts.lua" + bounds).code, 1);
  EXPECT_EQ(run("check counts_not.lua" + bounds).code, 0);
}
// Its second token is made by another run of the program where it has released the first: two texts.
TEST_F(Scripts, WithOneNumberForTwoTokensAreToldApart) {
  write("hash.lua", R"(local redis = require "resty.redis"
local function server() local r = redis:new() r:connect("127.0.0.1", 6379) return r end
local take = [[
if redis.call('HEXISTS', KEYS[1], 'owner') == 0 then
  redis.call('HSET', KEYS[1], 'owner', ARGV[1]) redis.call('PEXPIRE', KEYS[1], ARGV[2]) return 1 end
return 0]]
return {ttl = "4s",
  acquire = function(key, params)
    local token = tostring(math.random(1e9))
    local got = server():eval(take, 1, key, token, params.ttl * 1000)
    if got == 1 then return token end
    return false, "taken"
  end,
  release = function(key, token) return server():del(key) == 1 end}
)");
  const Outcome outcome =
      run("check hash.lua --fault duplicate --properties mutual-exclusion --rounds 2 --attempts 1");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
}
TEST_F(Scripts, ThatComeAlongAreFoundByTheirName) {
  EXPECT_EQ(run("check token.lua --fault crash --rounds 1 --attempts 1").code, 0);
}

// --- the real nginx ---

class OnNginx : public Scripts {
 protected:
  void SetUp() override {
    if (const std::string missing = live::NginxProcess::missing(); !missing.empty()) GTEST_SKIP() << missing;
  }
};

TEST_F(OnNginx, RestyLockIsTakenAndGivenBack) {
  const Outcome outcome = run("live resty-lock --count 20 --clients 2 --work 1ms --retry 1ms");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("nginx/"));
  EXPECT_THAT(outcome.out, HasSubstr("resty-lock"));
}
TEST_F(OnNginx, CounterexamplesOfRestyLockAreConfirmed) {
  run("check resty-lock --fault pause --rounds 1 --attempts 1");
  for (const char* property : {"mutual-exclusion", "owner-only-release", "truthful-release"}) {
    const Outcome outcome =
        run("replay --live holdfast-out/resty-lock+pause+" + std::string(property) + ".trace.json");
    EXPECT_EQ(outcome.code, 0) << property << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("confirmed on nginx/")) << property;
  }
}

}  // namespace
}  // namespace holdfast::cli
