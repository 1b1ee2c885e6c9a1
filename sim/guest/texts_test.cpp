// Whatever a lock in Lua, or its script on the server, does with the text of a token: the explorer says what
// a real server would show. Each lock here sets the key if it is not there, and gives it back by a script.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "sim/explore/planted_test.hpp"
#include "sim/guest/script.hpp"
#include "sim/guest/twins.hpp"

namespace holdfast::guest {
namespace {

struct Texts {
  std::string token = "tostring(math.random(1e12))";
  std::string value = "token";  // that is stored
  std::string script;           // KEYS[1], ARGV[1]: `shown`
  std::string shown = "token";
  std::string refused = "";  // what is done when the lock is taken
  std::string expiry = R"(, "PX", 4000)";
};

std::string lock_of(const Texts& texts) {
  return fmt::format(R"(local redis = require "resty.redis"
local function open() local r = redis:new() assert(r:connect("127.0.0.1", 6379)) return r end
return {{ttl = "4s", stateless = true,
  acquire = function(key)
    local token = {}
    local ok, why = open():set(key, {}, "NX"{})
    if ok == ngx.null then {} return false, "taken" end
    if not ok then return nil, why end
    return token
  end,
  release = function(key, token)
    local n = open():eval([[{}]], 1, key, {})
    if n == nil then return nil end
    return n == 1
  end}})",
                     texts.token, texts.value, texts.expiry, texts.refused, texts.script, texts.shown);
}

// As the command line does: where texts repeat, everything begins anew.
Exploration explored_as_told(const std::string& text, Fault fault) {
  const Script script(LuaFile{"x.lua", text}, "");
  const auto once = [&] {
    return explore(planted::on_time(scenario_of(planted::one_attempt(), script.card(), fault)), script.card(),
                   Budget());
  };
  try {
    return once();
  } catch (const TextsRepeat&) {
    EXPECT_TRUE(script.let_texts_repeat());
    return once();
  }
}

std::string_view verdict_of(const std::string& text, Property property, Fault fault) {
  try {
    return id_of(planted::result_of(explored_as_told(text, fault), property).verdict);
  } catch (const Unusable&) {
    return "unknown";
  }
}

// A holder whose key the server has dropped gives back the lock of the next one?
std::string_view owners(const Texts& texts) {
  return verdict_of(lock_of(texts), Property::owner_only_release, Fault::eviction);
}

// Of a lock without a lease: one that a release does not free is never free again.
std::string_view frees(Texts texts) {
  texts.expiry = "";
  return verdict_of(lock_of(texts), Property::recovery, Fault::none);
}

constexpr const char* compares =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end";

TEST(Texts, ThatAreComparedAsWholesTellOwnersApart) {
  EXPECT_EQ(owners({.script = compares}), "holds");
  EXPECT_EQ(frees({.script = compares}), "holds");
}
// Every token begins alike, so the comparison is true of any.
TEST(Texts, WhoseBeginningIsComparedInAScriptDoNotTellOwnersApart) {
  const Texts texts{.token = R"("worker:" .. math.random(1e9))",
                    .script =
                        "local v = redis.call('GET', KEYS[1]) if v and string.sub(v, 1, 7) == 'worker:' "
                        "then return redis.call('DEL', KEYS[1]) else return 0 end"};
  EXPECT_EQ(owners(texts), "violated");
  EXPECT_EQ(frees(texts), "holds");
}
// The same with GETRANGE, which looks into the value on the server: it is not said to hold.
TEST(Texts, WhoseBeginningACommandReadsAreNotSaidToTellOwnersApart) {
  EXPECT_EQ(owners({.token = R"("worker:" .. math.random(1e9))",
                    .script = "if redis.call('GETRANGE', KEYS[1], 0, 6) == 'worker:' then return "
                              "redis.call('DEL', KEYS[1]) else return 0 end"}),
            "unknown");
}
// In Lua beside the lock: GET, then a comparison of the beginning, then DEL.
TEST(Texts, WhoseBeginningIsComparedByTheProgramDoNotTellOwnersApart) {
  EXPECT_EQ(
      owners({.token = R"("worker:" .. math.random(1e9))",
              .script = "return redis.call('DEL', KEYS[1])",
              .shown = R"((function() if tostring(open():get(key)):sub(1, 7) ~= "worker:" then return end
                                return "x" end)() or error("not mine"))"}),
      "violated");
}
// All tokens of one client and of all others are as long as each other.
TEST(Texts, OfWhichOnlyLengthsAreComparedDoNotTellOwnersApart) {
  EXPECT_EQ(owners({.token = R"(require "resty.string".to_hex(require "resty.random".bytes(8)))",
                    .script = "local v = redis.call('GET', KEYS[1]) if v and #v == #ARGV[1] then return "
                              "redis.call('DEL', KEYS[1]) else return 0 end"}),
            "violated");
}
// "owner=" is stored before the token, and the token alone is compared: no release is ever true.
TEST(Texts, ThatAreStoredWithMoreThanIsComparedAreNeverGivenBack) {
  const std::string value = R"("owner=" .. token)";
  EXPECT_EQ(frees({.value = value, .script = compares}), "violated");
  EXPECT_EQ(frees({.value = value, .script = compares, .shown = value}), "holds");
  EXPECT_EQ(owners({.value = value, .script = compares, .shown = value}), "holds");
}
// The script makes the text that it compares with: of the token that it is given, in full.
TEST(Texts, ThatAScriptPutsTogetherTellOwnersApart) {
  const Texts texts{.value = R"("owner=" .. token)",
                    .script =
                        "if redis.call('GET', KEYS[1]) == 'owner=' .. ARGV[1] then return "
                        "redis.call('DEL', KEYS[1]) else return 0 end"};
  EXPECT_EQ(frees(texts), "holds");
  EXPECT_EQ(owners(texts), "holds");
}
// The owner is a field of an object; the script looks for the token, twelve digits, in the whole.
TEST(Texts, InAnObjectAreFoundThere) {
  const Texts texts{.token = R"(require "resty.string".to_hex(require "resty.random".bytes(8)))",
                    .value = R"('{"owner":"' .. token .. '","since":7}')",
                    .script =
                        "local v = redis.call('GET', KEYS[1]) if v and string.find(v, '\"' .. ARGV[1] .. "
                        "'\"', 1, true) then return redis.call('DEL', KEYS[1]) else return 0 end"};
  EXPECT_EQ(frees(texts), "holds");
  EXPECT_EQ(owners(texts), "holds");
}
// A refused client takes the holder's value apart, and finds two parts, as the program made it of two.
TEST(Texts, OfAnotherClientCanBeTakenApart) {
  EXPECT_EQ(frees({.token = R"("host-7:" .. math.random(1e9))",
                   .script = compares,
                   .refused = R"(local host, number = tostring(open():get(key)):match("^([%w-]+):(%d+)$")
                       if not host and open():exists(key) == 1 then while true do end end)"}),
            "holds");
}
// Ten values: the next owner may have the token of the last one, which then gives its lock back.
TEST(Texts, OfWhichThereAreTenDoNotTellOwnersApart) {
  EXPECT_EQ(owners({.token = "tostring(math.random(10))", .script = compares}), "violated");
  EXPECT_EQ(frees({.token = "tostring(math.random(10))", .script = compares}), "holds");
}
// One sign in sixteen is alike: a schedule cannot be said to be safe, whatever the texts of one run are.
TEST(Texts, OfWhichTheLastSignIsComparedAreNotSaidToTellOwnersApart) {
  const std::string token = R"(require "resty.string".to_hex(require "resty.random".bytes(8)))";
  EXPECT_EQ(
      owners({.token = token,
              .script = "local v = redis.call('GET', KEYS[1]) if v and v:sub(-1) == ARGV[1]:sub(-1) then "
                        "return redis.call('DEL', KEYS[1]) else return 0 end"}),
      "unknown");
  const Texts takes{.token = token,
                    .script = compares,
                    .refused = "if tostring(open():get(key)):sub(-1) == token:sub(-1) then return token end"};
  EXPECT_EQ(verdict_of(lock_of(takes), Property::mutual_exclusion, Fault::none), "unknown");
}
// Half of all tokens are less than another one.
TEST(Texts, ThatAreOnlyOrderedAreNotSaidToTellOwnersApart) {
  EXPECT_EQ(owners({.token = R"(require "resty.string".to_hex(require "resty.random".bytes(8)))",
                    .script = "local v = redis.call('GET', KEYS[1]) if v and v <= ARGV[1] then return "
                              "redis.call('DEL', KEYS[1]) else return 0 end"}),
            "unknown");
}

}  // namespace
}  // namespace holdfast::guest
