// Programs in which something that runs beside a call reads a token of the client's own, while the call makes
// another: two replies that look alike are told apart by which token they have.
#include <gtest/gtest.h>

#include "sim/explore/planted_test.hpp"
#include "sim/guest/script.hpp"

namespace holdfast::guest {
namespace {

// n8n-io/n8n PR 29696, the older election: a timer renews by GET, a comparison, EXPIRE. `timer`: what it
// does.
LuaFile renewing(const std::string& take, const std::string& timer, const std::string& timers) {
  return {"renewing.lua", R"(local redis = require "resty.redis"
local function server() local r = redis:new() r:connect("127.0.0.1", 6379) return r end
local held = {}
return {ttl = "4s", renews = true,
  acquire = function(key, params)
    local token = tostring(math.random(1e9))
    local r = server()
    )" + take + R"(
    if ok == nil then return nil, "no answer" end
    if ok ~= "OK" and ok ~= 1 then return false, "taken" end
    held[key] = token
    local function beat(premature)
      if premature or held[key] ~= token then return end
      local r = server()
      )" + timer + R"(
      if who == token then
        if r:expire(key, params.ttl) == 1 then holdfast.renewed(token, params.ttl) end
      elseif who ~= nil then held[key] = nil holdfast.lost(token) return end
      if held[key] == token then ngx.timer.at(params.ttl / 2, beat) end
    end
    )" + timers + R"(
    return token
  end,
  release = function(key, token)
    held[key] = nil
    return server():del(key) == 1
  end}
)"};
}

const std::string take = R"(local ok = r:set(key, token, "NX", "EX", params.ttl))";
const std::string get = "local who = r:get(key)";
const std::string one_timer = "ngx.timer.at(params.ttl / 2, beat)";

// One state in 128 is visited again to see whether the same comes next; so a false likeness ends the
// exploration with an exception.
TEST(OwnToken, ThatATimerReadsTellsStatesApart) {
  const std::vector<LuaFile> files{
      renewing(take, get, one_timer), renewing(take, get, one_timer + " ngx.timer.at(params.ttl / 4, beat)"),
      renewing(R"x(local ok = r:eval("if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end "
                 .. "redis.call('HSET', KEYS[1], 'owner', ARGV[1]) "
                 .. "return redis.call('EXPIRE', KEYS[1], 4)", 1, key, token))x",
               "local who = r:hget(key, 'owner')", one_timer),
      renewing(take, "local all = r:mget(key, 'other') local who = all and all[1]", one_timer)};
  for (const LuaFile& file : files)
    for (const Fault fault : {Fault::pause, Fault::late_request}) {
      const Script script(file, "");
      Scenario scenario = planted::on_time(scenario_of(planted::one_attempt(), script.card(), fault));
      scenario.explore.states_max = 10'000;
      EXPECT_NO_THROW(explore(scenario, script.card(), Budget())) << id_of(fault);
    }
}

}  // namespace
}  // namespace holdfast::guest
