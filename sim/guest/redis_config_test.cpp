// Locks whose verdict depends on the redis.conf of their servers: one that waits for keyspace notifications,
// and one with two keys on a cluster.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/core/beyond_model.hpp"
#include "sim/explore/planted_test.hpp"
#include "sim/guest/script.hpp"

namespace holdfast::guest {
namespace {

Exploration explored(const std::string& text, Fault fault, Texts redis_config) {
  const Script script({"lock.lua", text}, "");
  Comparison comparison = planted::coarse();
  comparison.redis_config = std::move(redis_config);
  return planted::explored(script.card(), fault, comparison);
}

// It waits as long as it takes for the key to go, whether somebody deletes it or it dies.
constexpr const char* by_notice = R"(local redis = require "resty.redis"
local function server() local r = redis:new() assert(r:connect("127.0.0.1", 6379)) return r end
return {ttl = "4s",
  acquire = function(key, params)
    local listener, r = server(), server()
    listener:set_timeout(3600000)
    local res, err = listener:subscribe("__keyspace@0__:" .. key)
    if not res then return nil, err end
    while true do
      local token = tostring(math.random(1e9))
      local ok, err = r:set(key, token, "NX", "PX", params.ttl * 1000)
      if ok == "OK" then listener:close() return token end
      if not ok then return nil, err end
      repeat
        local message, err = listener:read_reply()
        if not message then return nil, err end
      until message[3] == "del" or message[3] == "expired"
    end
  end,
  release = function(key, token)
    return server():eval("if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end " ..
      "return redis.call('del', KEYS[1]) ", 1, key, token) == 1
  end}
)";

// A server as installed sends nothing, so the second client waits in vain. With 'x' alone it hears of keys
// that have died, and not of those that were given back; with 'g' the other way round.
TEST(RedisConfig, WhoWaitsForNoticesIsWokenIfTheServerIsToldToSendThem) {
  const auto progress = [](Fault fault, const char* letters) {
    const Texts config = *letters == '\0' ? Texts() : Texts{{"notify-keyspace-events", letters}};
    return planted::result_of(explored(by_notice, fault, config), Property::progress).verdict;
  };
  EXPECT_EQ(progress(Fault::none, ""), Verdict::violated);
  EXPECT_EQ(progress(Fault::none, "Kx"), Verdict::violated);
  EXPECT_EQ(progress(Fault::none, "Kg"), Verdict::holds);
  EXPECT_EQ(progress(Fault::none, "Eg"), Verdict::violated);
  EXPECT_EQ(progress(Fault::crash, "Kg"), Verdict::violated);
  EXPECT_EQ(progress(Fault::crash, "Kgx"), Verdict::holds);
}

// A lock and a counter of grants, both changed by one script. `other` is the name of the counter's key.
std::string with_counter(const std::string& other) {
  return R"(local redis = require "resty.redis"
local function server() local r = redis:new() assert(r:connect("127.0.0.1", 6379)) return r end
return {ttl = "4s",
  acquire = function(key, params)
    local token = tostring(math.random(1e9))
    local got, err = server():eval("if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', 4000) then " ..
      "redis.call('incr', KEYS[2]) return 1 end return 0", 2, key, )" +
         other +
         R"(, token)
    if not got then return nil, err end
    return got == 1 and token or false, "taken"
  end,
  release = function(key, token)
    return server():eval("if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end " ..
      "return redis.call('del', KEYS[1]) ", 1, key, token) == 1
  end}
)";
}

// A script whose keys are in two slots is refused by every cluster, so nobody ever gets the lock.
TEST(RedisConfig, OnAClusterTheKeysOfALockAreInOneSlotOrItIsNeverGranted) {
  const Texts cluster{{"cluster-enabled", "yes"}};
  const auto recovery = [&](const std::string& other, const Texts& config) {
    return planted::result_of(explored(with_counter(other), Fault::none, config), Property::recovery).verdict;
  };
  EXPECT_EQ(recovery("key .. ':grants'", {}), Verdict::holds);
  EXPECT_EQ(recovery("key .. ':grants'", cluster), Verdict::violated);
  EXPECT_EQ(recovery("'{' .. key .. '}:grants'", cluster), Verdict::holds);
}

}  // namespace
}  // namespace holdfast::guest
