// Locks in Lua under the explorer: the same as their twins in C++, event by event, and upstream's own code.
#include "sim/guest/script.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "sim/guest/alike_test.hpp"

namespace holdfast::guest {
namespace {

using testing::HasSubstr;

std::string_view verdict_of(const Exploration& found, Property property) {
  return id_of(planted::result_of(found, property).verdict);
}

std::string text_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// --- twins ---

class LuaTwin : public testing::TestWithParam<std::string> {};

TEST_P(LuaTwin, IsTheLockInCppUnderEveryFault) {
  const std::string path = std::string(HOLDFAST_SOURCE_DIR) + "/algorithms/" + GetParam();
  const Script script(LuaFile{"algorithms/" + GetParam(), text_of_file(path)}, "");
  const Card* const twin = algorithms::find(script.twin_of());
  ASSERT_NE(twin, nullptr) << script.twin_of();
  for (const Fault fault : planted::faults_to_explore()) expect_alike(*twin, script.card(), fault);
  EXPECT_TRUE(script.statistics().problems.empty());
}

std::vector<std::string> twins() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(HOLDFAST_SOURCE_DIR "/algorithms"))
    if (entry.path().extension() == ".lua") names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}
INSTANTIATE_TEST_SUITE_P(All, LuaTwin, testing::ValuesIn(twins()),
                         [](const auto& it) { return it.param.substr(0, it.param.find('.')); });

TEST(LuaTwins, AreHeldToTheLockTheyNameByMoreThanTheirName) {
  std::string text = text_of_file(std::string(HOLDFAST_SOURCE_DIR) + "/algorithms/token.lua");
  const std::string compare = "if redis.call('GET', KEYS[1]) == ARGV[1] then";
  text.replace(text.find(compare), compare.size(), "if true then");
  const Script broken(LuaFile{"token.lua", text}, "");
  const Exploration found =
      explore(scenario_of(planted::one_attempt(), broken.card(), Fault::pause), broken.card(), Budget());
  EXPECT_EQ(verdict_of(found, Property::owner_only_release), "violated");
}

// --- upstream ---

// Not ours to ship: HOLDFAST_RESTY_LOCK names lib/resty/lock.lua of openresty/lua-resty-lock 63ddddb.
std::string upstream() {
  const char* const path = std::getenv("HOLDFAST_RESTY_LOCK");
  return path == nullptr ? "" : text_of_file(path);
}

TEST(RestyLock, OfUpstreamIsTheOneInCppUnderEveryFault) {
  if (upstream().empty()) GTEST_SKIP() << "HOLDFAST_RESTY_LOCK names no lock.lua of lua-resty-lock";
  const Script script(LuaFile{"lock.lua", upstream()}, "");
  const Card& ours = *algorithms::find("resty-lock");
  for (const Fault fault : planted::faults_to_explore()) expect_alike(ours, script.card(), fault);
  const std::vector<std::vector<std::pair<std::string, std::string>>> options{
      {{"timeout", "3s"}, {"step", "1s"}, {"max-step", "1s"}},
      {{"expire-every", "1s"}},
      {{"unlock", "forgotten"}, {"collect-after", "6s"}},
      {{"dictionary", "undeclared"}}};
  for (const auto& each : options)
    for (const Fault fault : {Fault::none, Fault::pause, Fault::crash, Fault::eviction, Fault::cancel}) {
      Params params(script.card().parameters);
      params.set("ttl", "4s");
      for (const auto& [name, text] : each) params.set(name, text);
      expect_alike(ours, script.card(), fault, params);
    }
}
TEST(RestyLock, OfUpstreamWithAPlantedBugIsFound) {
  if (upstream().empty()) GTEST_SKIP() << "HOLDFAST_RESTY_LOCK names no lock.lua of lua-resty-lock";
  std::string text = upstream();
  const std::string add = "local ok, err = dict:add(key, true, exptime)";
  text.replace(text.find(add), add.size(), "local ok, err = dict:set(key, true, exptime)");
  const Script broken(LuaFile{"lock.lua", text}, "");
  const Exploration found =
      explore(planted::on_time(scenario_of(planted::one_attempt(), broken.card(), Fault::none)),
              broken.card(), Budget());
  EXPECT_EQ(verdict_of(found, Property::mutual_exclusion), "violated");
}

// --- cards ---

TEST(Script, SaysWhyItIsNoLock) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      const Script script(LuaFile{"x.lua", text}, "");
      return "it is one";
    } catch (const BadCard& why) {
      return why.what();
    }
  };
  const std::string lock = "acquire = function() end, release = function() end, ";
  EXPECT_THAT(refusal("return 7"), HasSubstr("x.lua: a lock in Lua returns a table"));
  EXPECT_THAT(refusal("retrun {}"), HasSubstr("x.lua: cannot be loaded: x.lua:1: "));
  EXPECT_THAT(refusal("require 'nothing'"), HasSubstr("module 'nothing' not found"));
  EXPECT_THAT(refusal("ngx.sleep(1) return {}"), HasSubstr("while it is loaded"));
  EXPECT_THAT(refusal("return {" + lock + "ttl = 'long'}"), HasSubstr("ttl is a time"));
  EXPECT_THAT(refusal("return {" + lock + "store = 'disk'}"), HasSubstr("store is \"redis\""));
  EXPECT_THAT(refusal("return {" + lock + "claims = {{properties = 'speed', under = 'none'}}}"),
              HasSubstr("there is no property \"speed\""));
  EXPECT_EQ(refusal("return {" + lock + "}"), "it is one");
}
TEST(Script, HasTheParametersThatItNames) {
  const Script script(LuaFile{"x.lua",
                              "return {acquire = function() end, release = function() end, "
                              "ttl = '2s', parameters = {tries = 3, pause = '10ms', "
                              "mode = {'fast', 'slow'}}}"},
                      "");
  const Params params(script.card().parameters);
  EXPECT_EQ(params.duration("ttl"), 2s);
  EXPECT_EQ(params.count("tries"), 3);
  EXPECT_EQ(params.duration("pause"), 10ms);
  EXPECT_EQ(params.choice("mode"), "fast");
}

// Only what is chance has another name in the world.
TEST(Script, IsToldItsOwnTokenAgainInARunOfItsOwn) {
  for (const char* token : {"'1234'", "tostring(math.random(1e9))"}) {
    const Script script(LuaFile{"x.lua", std::string(R"(
local function server() local r = require("resty.redis"):new() r:connect("127.0.0.1", 6379) return r end
return {ttl = "4s", stateless = true,
  acquire = function(key)
    local token = )") + token + R"(
    return server():set(key, token, "NX", "PX", 4000) == "OK" and token or nil, "taken"
  end,
  release = function(key, token)
    if token == "" or token:find("%W") then error("what is " .. token) end
    if server():get(key) ~= token then return false end
    return server():del(key) == 1
  end}
)"},
                        "");
    const Exploration found =
        explore(planted::on_time(scenario_of(planted::one_attempt(), script.card(), Fault::none)),
                script.card(), Budget());
    EXPECT_EQ(verdict_of(found, Property::recovery), "holds") << token;
    EXPECT_EQ(verdict_of(found, Property::truthful_release), "holds") << token;
  }
}

// --- several requests of one worker ---

TEST(Script, SharesItsModuleAmongRequestsOfOneWorker) {
  const Script script(LuaFile{"x.lua", R"(
local busy = false
return {ttl = "4s",
  acquire = function(key, params)
    if busy then return false, "another request has it" end
    busy = true
    local r = require("resty.redis"):new()
    r:connect("127.0.0.1", 6379)
    local ok = r:set(key, "x", "NX", "PX", 4000)
    if ok ~= "OK" then busy = false return nil, "taken" end
    return "x"
  end,
  release = function(key)
    local r = require("resty.redis"):new()
    r:connect("127.0.0.1", 6379)
    local deleted = r:del(key)
    busy = false
    return deleted == 1
  end}
)"},
                      "");
  Scenario scenario = scenario_of(planted::one_attempt(), script.card(), Fault::slow_section);
  EXPECT_EQ(verdict_of(explore(scenario, script.card(), Budget()), Property::mutual_exclusion), "violated")
      << "of two workers, one works longer than the lease";
  scenario.clients[1].shares_lock_of = ClientId{0};
  EXPECT_NE(verdict_of(explore(scenario, script.card(), Budget()), Property::mutual_exclusion), "violated")
      << "of two requests of one worker, the second sees the flag";
}

// One request posts what another one of its worker waits for.
std::string with_semaphore(const std::string& at_release) {
  return R"(
local turn = require("ngx.semaphore").new(1)
local function connect()
  local r = require("resty.redis"):new()
  r:connect("127.0.0.1", 6379)
  return r
end
return {ttl = "4s",
  acquire = function(key)
    local ok, err = turn:wait(30)
    if not ok then return nil, err end
    if connect():set(key, "x", "NX", "PX", 30000) ~= "OK" then turn:post() return nil, "taken" end
    return "x"
  end,
  release = function(key)
    connect():del(key)
    )" + at_release +
         R"(
    return true
  end}
)";
}
TEST(Script, LetsARequestGoOnThatAnotherOneWoke) {
  const auto progress = [](const std::string& at_release) {
    const Script script(LuaFile{"x.lua", with_semaphore(at_release)}, "");
    Scenario scenario = planted::on_time(scenario_of(planted::one_attempt(), script.card(), Fault::none));
    scenario.clients[1].shares_lock_of = ClientId{0};
    const Exploration found = explore(scenario, script.card(), Budget());
    EXPECT_TRUE(script.statistics().problems.empty());
    EXPECT_EQ(verdict_of(found, Property::recovery), "holds");
    return verdict_of(found, Property::progress);
  };
  EXPECT_NE(progress("turn:post()"), "violated");
  EXPECT_EQ(progress(""), "violated") << "the other request waits for what nobody posts";
}

// --- connections of its own ---

Exploration explored(const std::string& text, Fault fault) {
  const Script script(LuaFile{"x.lua", text}, "");
  Exploration found = explore(planted::on_time(scenario_of(planted::one_attempt(), script.card(), fault)),
                              script.card(), Budget());
  EXPECT_THAT(script.statistics().problems, testing::IsEmpty());
  return found;
}

constexpr const char* by_transaction = R"(local redis = require "resty.redis"
local function server() local r = redis:new() assert(r:connect("127.0.0.1", 6379)) return r end
return {ttl = "4s",
  acquire = function(key, params)
    local r = server()
    local token = tostring(math.random(1e9))
    r:watch(key)
    if r:exists(key) ~= 0 then return false, "busy" end
    r:multi()
    r:set(key, token, "PX", params.ttl * 1000)
    local done, err = r:exec()
    if not done then return nil, err end
    if done == ngx.null then return false, "lost the race" end
    return token
  end,
  release = function(key, token)
    local r = server()
    r:watch(key)
    if r:get(key) ~= token then return false end
    r:multi()
    r:del(key)
    local done = r:exec()
    if done == ngx.null then return false end
    return done ~= nil or nil
  end}
)";

TEST(Script, WatchesAKeyInATransaction) {
  const Exploration good = explored(by_transaction, Fault::none);
  for (const Property each : {Property::mutual_exclusion, Property::recovery})
    EXPECT_EQ(verdict_of(good, each), "holds") << id_of(each);
  std::string blind = by_transaction;
  const std::string watch = "r:watch(key)";
  blind.replace(blind.find(watch), watch.size(), "");
  EXPECT_EQ(verdict_of(explored(blind, Fault::none), Property::mutual_exclusion), "violated");
}

// A client that gives up after a second is not granted the lock by an answer that comes later, on whatever
// connection it waits: then work of at most 2 s ends within the lease of 4 s, and nobody clashes with it.
TEST(Script, KeepsItsTimeoutOnAConnectionOfItsOwn) {
  const std::string lock = R"(local redis = require "resty.redis"
local function server() local r = redis:new() r:set_timeout(1000) r:connect("127.0.0.1", 6379) return r end
return {ttl = "4s", stateless = true,
  acquire = function(key, params)
    local token, r = tostring(math.random(1e9)), server()
    TAKE
    if not done then return nil, err end
    if not done[1] or done[1] == ngx.null or done[1] == 0 then return false, "taken" end
    return token
  end,
  release = function(key, token)
    local n = server():eval([[if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
                              return redis.call('DEL', KEYS[1])]], 1, key, token)
    if n == nil then return nil end
    return n == 1
  end}
)";
  const auto taking = [&lock](const std::string& how) {
    std::string text = lock;
    text.replace(text.find("TAKE"), 4, how);
    return explored(text, Fault::late_reply);
  };
  const Exploration in_one = taking(
      "local ok, err = r:set(key, token, 'PX', 4000, 'NX') local done = ok and {ok ~= ngx.null and ok}");
  const Exploration in_transaction =
      taking("r:multi() r:set(key, token, 'PX', 4000, 'NX') local done, err = r:exec()");
  EXPECT_EQ(verdict_of(in_one, Property::mutual_exclusion), "holds");
  EXPECT_EQ(verdict_of(in_transaction, Property::mutual_exclusion), "holds");
}

// The lock is the one element of a list. Who comes first leaves a sign that it was put there.
TEST(Script, OwnsNoKeyWhereALaterGrantWritesNone) {
  const Exploration found = explored(R"(local redis = require "resty.redis"
local function server() local r = redis:new() assert(r:connect("127.0.0.1", 6379)) return r end
return {ttl = "4s", stateless = true,
  acquire = function(key)
    if server():set(key .. ":made", "1", "NX") == "OK" then server():rpush(key .. ":free", "x") end
    local element, err = server():lpop(key .. ":free")
    if element == nil then return nil, err end
    return element == "x" and "x" or false, "taken"
  end,
  release = function(key) return server():rpush(key .. ":free", "x") == 1 end})",
                                     Fault::none);
  EXPECT_EQ(verdict_of(found, Property::mutual_exclusion), "holds");
  EXPECT_EQ(verdict_of(found, Property::truthful_release), "not-applicable");
}

// A dictionary keeps the type of what is stored: a text of digits is no number, and "true" is no truth.
TEST(Script, FindsTextsInADictionaryAsTheyWereStored) {
  const char* const lock = R"(local dict = ngx.shared.locks
return {store = "shared-dict", stateless = true,
  acquire = function(key)
    for _, value in ipairs({"12", "true", '"x', "", 7, true, false}) do
      dict:set("k", value)
      if dict:get("k") ~= value or dict:get_stale("k") ~= value then return false, tostring(value) end
    end
    dict:set("k", "12")
    dict:rpush("l", "0x10")
    if dict:incr("k", 1) or dict:lpop("l") ~= "0x10" then return false, "a number" end
    local token = tostring(math.random(1e9))
    return dict:add(key, token) and token or false, "taken"
  end,
  release = function(key, token)
    if dict:get(key) ~= token then return false end
    dict:delete(key)
    return true
  end})";
  const Exploration found = explored(lock, Fault::none);
  EXPECT_EQ(verdict_of(found, Property::recovery), "holds");
}

constexpr const char* by_channel = R"(local redis = require "resty.redis"
local function server() local r = redis:new() assert(r:connect("127.0.0.1", 6379)) return r end
return {ttl = "4s",
  acquire = function(key, params)
    local listener = server()
    listener:set_timeout(2000)
    local res, err = listener:subscribe("free:" .. key)
    if not res then return nil, err end
    local r = server()
    for i = 1, 2 do
      local ok, err = r:set(key, "x", "NX", "PX", params.ttl * 1000)
      if ok == "OK" then listener:close() return "x" end
      if not ok then return nil, err end
      local message, err = listener:read_reply()
      if not message then break end
    end
    listener:close()
    return false, "busy"
  end,
  release = function(key)
    local r = server()
    r:init_pipeline()
    r:del(key)
    r:publish("free:" .. key, "go")
    local all = r:commit_pipeline()
    return all and all[1] == 1
  end}
)";

TEST(Script, ListensToAChannelAndSendsPipelines) {
  for (const Fault fault : {Fault::none, Fault::lost_reply, Fault::cancel}) {
    const Exploration found = explored(by_channel, fault);
    for (const Property each : {Property::mutual_exclusion, Property::recovery, Property::progress})
      EXPECT_NE(verdict_of(found, each), "violated") << id_of(fault) << " " << id_of(each);
  }
}

}  // namespace
}  // namespace holdfast::guest
