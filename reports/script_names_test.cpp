// Names of scripts are promises: each is carried out by a server, and what only looks like it has no name.
#include "reports/script_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/stores/redis/redis.hpp"
#include "sim/stores/redis/scripts.hpp"

namespace holdfast::reports {
namespace {

using Words = std::vector<std::string>;

class Server {
 public:
  Reply execute(const Words& argv) {
    std::vector<redis::Change> changes;
    return redis_.execute(argv, WallTime(1'700'000'000s), changes);
  }
  // All keys, values and ends.
  std::string all() const {
    std::string text;
    redis_.visit([&](std::string_view key, std::string_view value, std::optional<WallTime> until) {
      text += std::string(key) + "=" + std::string(value) + "@" +
              (until ? std::to_string(until->time_since_epoch().count()) : "ever") + "\n";
    });
    return text;
  }

 private:
  redis::Scripts scripts_;
  redis::Redis redis_{scripts_};
};

const std::vector<std::pair<std::string, ScriptDeed>> named{
    {"if redis.call('setnx',KEYS[1],ARGV[1]) == 1 then redis.call('expire',KEYS[1],ARGV[2]) return 1 else "
     "return 0 end",
     ScriptDeed::take},
    {"if redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') then return redis.call('INCR', KEYS[2]) "
     "else return 0 end",
     ScriptDeed::take},
    {"return redis.call(\"set\", KEYS[1], ARGV[1], \"nx\", \"px\", ARGV[2])", ScriptDeed::take},
    {"if redis.call('setnx', KEYS[1], ARGV[1]) ~= 1 then return 0 end -- taken\nredis.call('pexpire', "
     "KEYS[1], ARGV[2]) return 1",
     ScriptDeed::take},
    {"if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then "
     "redis.call('HINCRBY', KEYS[1], ARGV[1], 1) redis.call('PEXPIRE', KEYS[1], ARGV[2]) return false end "
     "return redis.call('PTTL', KEYS[1])",
     ScriptDeed::take_or_retake},
    {"if ((redis.call('exists', KEYS[1]) == 0) or (redis.call('hexists', KEYS[1], ARGV[1]) == 1)) then "
     "redis.call('incr', KEYS[2]) redis.call('hincrby', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], "
     "ARGV[2]) return nil end return redis.call('pttl', KEYS[1])",
     ScriptDeed::take_or_retake},
    {"local id = redis.call('get', KEYS[1]) if not id or id == ARGV[1] then return redis.call('set', "
     "KEYS[1], ARGV[1], 'PX', ARGV[2]) else return redis.error_reply('ERROR') end",
     ScriptDeed::take_or_retake},
    {"if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end",
     ScriptDeed::remove},
    {"local token = redis.call('get', KEYS[1]) if not token or token ~= ARGV[1] then return 0 end "
     "redis.call('del', KEYS[1]) return 1",
     ScriptDeed::remove},
    {"local val = redis.call('GET', KEYS[1]) if val == ARGV[1] then return redis.call('DEL', KEYS[1]) elseif "
     "val == false then return -1 else return 0 end",
     ScriptDeed::remove},
    {"local id = redis.call('GET', KEYS[1]) if (id == ARGV[1] and redis.call('UNLINK', KEYS[1]) == 1) then "
     "redis.call('PUBLISH', ARGV[2], KEYS[1]) return true end return false",
     ScriptDeed::remove},
    {"if redis.call('get', KEYS[1]) ~= ARGV[1] then return false end redis.call('del', KEYS[1]) return "
     "redis.status_reply('OK')",
     ScriptDeed::remove},
    {"if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) else "
     "return 0 end",
     ScriptDeed::extend},
    {"if redis.call('hexists', KEYS[1], ARGV[1]) == 1 then redis.call('pexpire', KEYS[1], ARGV[2]) return 1 "
     "end return 0",
     ScriptDeed::extend},
    {"if redis.call('get', KEYS[1]) ~= ARGV[1] then return 1 end if redis.call('ttl', KEYS[1]) < 0 then "
     "return 2 end redis.call('expire', KEYS[1], ARGV[2]) return 0",
     ScriptDeed::extend},
    {"return {redis.call('get', KEYS[1]), redis.call('pttl', KEYS[1])}", ScriptDeed::look}};

TEST(ScriptNames, KeepWhatTheyPromise) {
  for (const auto& [script, deed] : named) {
    EXPECT_EQ(deed_of_script(script), deed) << script;
    const auto run = [&, &text = script](Server& server) {
      server.execute({"EVAL", text, "2", "job", "count", "A1", "9000"});
    };
    // Whatever another client has there stays as it is, also where it has no end.
    for (const Words& other : {Words{"SET", "job", "B1", "PX", "4000"}, Words{"SET", "job", "B1"},
                               Words{"HSET", "job", "B1", "1"}}) {
      Server server;
      server.execute(other);
      const std::string before = server.all();
      run(server);
      EXPECT_EQ(server.all(), before) << script;
    }
    // And where nobody has, the key is there if and only if this is what the name says.
    Server empty;
    run(empty);
    const bool takes = deed == ScriptDeed::take || deed == ScriptDeed::take_or_retake;
    EXPECT_EQ(empty.execute({"EXISTS", "job"}), Reply::integer(takes ? 1 : 0)) << script;
  }
}

TEST(ScriptNames, DoToTheOwnKeyWhatTheySay) {
  for (const auto& [script, deed] : named)
    for (const Words& own : {Words{"SET", "job", "A1", "PX", "4000"}, Words{"HSET", "job", "A1", "1"}}) {
      const bool is_hash = own[0] == "HSET";
      if (is_hash !=
          (script.find("exists") != std::string::npos || script.find("EXISTS") != std::string::npos))
        continue;
      Server server;
      server.execute(own);
      if (is_hash) server.execute({"PEXPIRE", "job", "4000"});
      const std::string before = server.all();
      server.execute({"EVAL", script, "2", "job", "count", "A1", "9000"});
      const Reply left = server.execute({"PTTL", "job"});
      if (deed == ScriptDeed::remove) {
        EXPECT_EQ(left, Reply::integer(-2)) << script;
      } else if (deed == ScriptDeed::extend || deed == ScriptDeed::take_or_retake) {
        EXPECT_GT(left.number(), 4000) << script;
      } else {
        EXPECT_EQ(server.all(), before) << script;
      }
    }
}

// Each of these would break the promise of the name that it resembles.
TEST(ScriptNames, WhatOnlyResemblesThemHasNone) {
  for (const char* script :
       {"redis.call('DEL', KEYS[1])",
        "return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])",
        "return redis.call('SET', KEYS[1], 'NX')",
        "",
        "if redis.call('GET', KEYS[1]) ~= ARGV[1] then redis.call('DEL', KEYS[1]) end",
        "if redis.call('GET', KEYS[1]) == ARGV[1] then return 1 end redis.call('DEL', KEYS[1])",
        "if redis.call('GET', KEYS[1]) == ARGV[1] then return 1 else redis.call('DEL', KEYS[1]) end",
        "if redis.call('GET', KEYS[1]) == ARGV[1] or ARGV[2] then redis.call('DEL', KEYS[1]) end",
        "if not (redis.call('GET', KEYS[1]) == ARGV[1]) then redis.call('DEL', KEYS[1]) end",
        "if not (redis.call('GET', KEYS[1]) ~= ARGV[1]) then return 0 end redis.call('DEL', KEYS[1])",
        "if redis.call('GET', KEYS[1]) ~= ARGV[1] and ARGV[2] then return 0 end redis.call('DEL', KEYS[1])",
        "if redis.call('GET', KEYS[1]) ~= ARGV[1] then local x = 1 end redis.call('DEL', KEYS[1])",
        "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[2]) end",
        "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call(ARGV[2], KEYS[1]) end",
        "if redis.call('GET', KEYS[1]) == ARGV[1]:sub(1, 1) then redis.call('DEL', KEYS[1]) end",
        "local t = redis.call('GET', KEYS[1]) t = ARGV[1] if t == ARGV[1] then redis.call('DEL', KEYS[1]) "
        "end",
        "local c = redis.call c('DEL', KEYS[1]) return redis.call('GET', KEYS[1])",
        "local r = redis r.call('DEL', KEYS[1]) return redis.call('GET', KEYS[1])",
        "return redis['call']('DEL', KEYS[1])",
        "redis.call('D' .. 'EL', KEYS[1])",
        "redis.setresp(2) return redis.call('GET', KEYS[1])",
        "redis.call('setnx', KEYS[1], ARGV[1]) redis.call('expire', KEYS[1], ARGV[2])",
        "if redis.call('setnx', KEYS[1], ARGV[1]) == 0 then redis.call('expire', KEYS[1], ARGV[2]) end",
        "if not redis.call('setnx', KEYS[1], ARGV[1]) ~= 1 then redis.call('expire', KEYS[1], ARGV[2]) end",
        "if redis.call('SET', KEYS[1], ARGV[1], 'NX') then redis.call('DEL', KEYS[1]) end",
        "if redis.call('EXISTS', KEYS[1]) == 1 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then "
        "redis.call('HINCRBY', KEYS[1], ARGV[1], 1) end",
        "if redis.call('EXISTS', KEYS[2]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then "
        "redis.call('HINCRBY', KEYS[1], ARGV[1], 1) end",
        "if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then redis.call('pexpire', KEYS[1], ARGV[2]) end",
        "local t = redis.call('get', KEYS[1]) if not t or t ~= ARGV[1] then redis.call('set', KEYS[1], "
        "ARGV[1]) end",
        "local t = redis.call('get', KEYS[2]) if not t or t == ARGV[1] then redis.call('set', KEYS[1], "
        "ARGV[1]) end",
        "local t = redis.call('get', KEYS[1]) if not t or t == ARGV[1] then return 0 end redis.call('set', "
        "KEYS[1], ARGV[1])",
        "for i, key in ipairs(KEYS) do if redis.call('get', key) == ARGV[1] then redis.call('del', key) end "
        "end"})
    EXPECT_EQ(deed_of_script(script), ScriptDeed::none) << script;
}

}  // namespace
}  // namespace holdfast::reports
