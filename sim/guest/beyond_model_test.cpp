// A lock that uses what is not simulated: the row says what it was, and nothing else, however the lock came
// to use it and whatever it made of the answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/core/beyond_model.hpp"
#include "sim/explore/planted_test.hpp"
#include "sim/guest/script.hpp"

namespace holdfast::guest {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// It deletes the key of any owner, which breaks owner-only-release under a pause. Before that it does
// something more, of which it takes every answer for yes.
LuaFile careless(const std::string& more) {
  return {"careless.lua", R"(local redis = require "resty.redis"
local function server() local r = redis:new() r:connect("127.0.0.1", 6379) return r end
return {ttl = "4s", stateless = true,
  acquire = function(key, params)
    local token = tostring(math.random(1e9))
    local ok, err = server():set(key, token, "NX", "PX", params.ttl * 1000)
    if ok == "OK" then return token end
    if not ok then return nil, err end
    return false, "taken"
  end,
  release = function(key, token)
    local r = server()
    pcall(function() )" + more +
                              R"( end)
    local n = server():del(key)
    if n == nil then return nil end
    return n == 1
  end}
)"};
}

struct Use {
  std::string code;
  std::string named;
};
const std::vector<Use> uses{
    // A command; one whose error is swallowed; one in a pipeline and in a transaction.
    {"r:bitpos(key, 1)", "BITPOS"},
    {"local encoding = r:object('encoding', key) if encoding == nil then return end", "OBJECT ENCODING"},
    {"r:init_pipeline() r:get(key) r:randomkey() r:commit_pipeline()", "RANDOMKEY"},
    {"r:multi() r:incrbyfloat(key, 1) r:exec()", "INCRBYFLOAT"},
    // Chance of the server, where it has a choice; another database.
    {"r:sadd('set', 'a', 'b') r:spop('set')", "spop with a choice between members"},
    {"r:scan(0, 'COUNT', 1)", "SCAN in several steps"},
    {"r:select(1)", "SELECT of another database than 0"},
    // A subcommand of a command that is simulated, and one of one that is not.
    {"r:client('tracking', 'on')", "CLIENT TRACKING"},
    {"r:config('SET', 'maxmemory', '1mb')", "CONFIG SET of other settings than notify-keyspace-events"},
    {"r:config('SET', 'notify-keyspace-events', 'KEm')", "keyspace notifications of keys that are missed"},
    {"r:fcall('unlock', 1, key)", "FCALL"},
    // In a script: a command, called so that its error is no error; libraries; an option of the engine;
    // chance.
    {"r:eval([[redis.pcall('lcs', KEYS[1], KEYS[1]) return 1]], 1, key)", "LCS"},
    {"r:eval([[return pcall(function() return cjson.encode({1}) end) and 1 or 0]], 0)", "cjson"},
    {"r:eval([[return rawget(_G, 'cmsgpack') and 1 or 0]], 0)", "cmsgpack"},
    {"r:eval([[redis.setresp(3) return redis.call('HGETALL', 'h')]], 0)", "redis.setresp(3)"},
    {"r:eval([[return math.random(100)]], 0)", "math.random() without a seed"},
    // The interface of OpenResty.
    {"ngx.req.get_headers()", "ngx.req"},
    {"ngx.socket.tcp()", "ngx.socket"},
};

// No verdict: neither what it breaks, nor what it does not.
TEST(BeyondModel, NothingIsSaidOfALockThatUsesWhatIsNotSimulated) {
  for (const auto& [code, named] : uses)
    for (const Fault fault : {Fault::none, Fault::pause}) {
      SCOPED_TRACE(code + " under " + std::string(id_of(fault)));
      const Script script(careless(code), "");
      const Exploration found = planted::explored(script.card(), fault);
      EXPECT_THAT(found.beyond_model, StartsWith("not simulated: " + named));
      EXPECT_THAT(found.beyond_model, HasSubstr("careless.lua:13"));
      EXPECT_FALSE(found.properties.empty());
      for (const PropertyResult& each : found.properties) {
        EXPECT_EQ(each.verdict, Verdict::unknown) << id_of(each.property);
        EXPECT_FALSE(each.counterexample.has_value());
        EXPECT_THAT(each.note, HasSubstr(named));
        EXPECT_THAT(each.note, HasSubstr("nothing is said of this lock"));
      }
    }
}

// What Redis 7.0 and OpenResty do not know either is answered as they do, and judged: the plain DEL is told.
TEST(BeyondModel, WhatRedisDoesNotKnowEitherIsJudged) {
  for (const char* code :
       {"", "r:objekt('encoding', key)", "r:object('encode', key)", "r['JSON.GET'](r, key)",
        "r:client('setinfo', 'lib-name', 'x')", "r:eval([[return redis.pcall('nonsense')]], 0)",
        "r:eval([[return json.encode({1})]], 0)", "r:subscribe('free:' .. key)", "error('no')",
        "r:eval([[math.randomseed(tonumber(ARGV[1])) return math.random(100)]], 0, 7)"}) {
    SCOPED_TRACE(code);
    const Script script(careless(code), "");
    const Exploration found = planted::explored(script.card(), Fault::pause);
    EXPECT_EQ(found.beyond_model, "");
    EXPECT_EQ(planted::result_of(found, Property::owner_only_release).verdict, Verdict::violated);
  }
}

// redis/redis#8900: SET NX GET answers nothing where it has set the key, and never OK. A client that waits
// for OK is refused always. So no property that judges grants was tested; that nobody ever gets the lock,
// although nobody has it, is what recovery asks.
TEST(NeverGranted, SaysNothingOfWhatJudgesGrants) {
  std::string text = careless("").text;
  const std::string plain = R"("NX", "PX")";
  text.replace(text.find(plain), plain.size(), R"("NX", "GET", "PX")");
  const Script script(LuaFile{"reads_ok.lua", text}, "");
  for (const Fault fault : {Fault::none, Fault::pause, Fault::crash, Fault::lost_reply}) {
    SCOPED_TRACE(id_of(fault));
    const Exploration found = planted::explored(script.card(), fault);
    for (const PropertyResult& each : found.properties) {
      EXPECT_NE(each.verdict, Verdict::holds) << id_of(each.property);
      if (each.property == Property::recovery) {
        EXPECT_EQ(each.verdict, Verdict::violated);
      } else if (fault == Fault::none && each.verdict == Verdict::hollow &&
                 each.property != Property::progress) {
        EXPECT_EQ(each.note, "no run granted the lock to any client") << id_of(each.property);
      }
    }
  }
}

}  // namespace
}  // namespace holdfast::guest
