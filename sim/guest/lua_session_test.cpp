// What a program in Lua finds around it: light threads, timers, semaphores, connections, a dictionary, chance
// and time as the run gives them; and what is not there.
#include "sim/guest/lua_session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/guest/names.hpp"
#include "sim/guest/twins.hpp"

namespace holdfast::guest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Kind = Effect::Kind;

// A worker whose acquire() is this Lua; `holdfast_test.lua` is the name of the file.
class Worker {
 public:
  explicit Worker(const std::string& acquire, std::uint64_t seed = 1)
      : source_(LuaFile{"test.lua", "return {acquire = function(key, params) " + acquire +
                                        "\nend, release = function(key, token) return true end}"},
                ""),
        session_(source_, seed) {
    session_.tell({.kind = Told::Kind::begin, .number = 3, .words = {"ttl", "4000000us"}});
    now_ = session_.tell({.kind = Told::Kind::acquire, .party = 1, .words = {"job", "exclusive"}});
  }
  Worker& reply(std::uint32_t id, Reply reply) {
    now_ = session_.tell({.kind = Told::Kind::reply, .party = 1, .id = id, .reply = std::move(reply)});
    return *this;
  }
  Worker& woke(std::uint32_t id) {
    now_ = session_.tell({.kind = Told::Kind::woke, .party = 1, .id = id});
    return *this;
  }
  Worker& time(std::int64_t us) {
    now_ = session_.tell({.kind = Told::Kind::time, .party = 1, .number = us});
    return *this;
  }
  Worker& abort() {
    now_ = session_.tell({.kind = Told::Kind::abort, .party = 1});
    return *this;
  }
  const std::vector<Effect>& effects() const { return now_.effects; }
  // "send SET job x", "sleep 500000", "granted t", …
  std::vector<std::string> deeds() const {
    std::vector<std::string> deeds;
    for (const Effect& each : now_.effects) {
      std::string text = text_of(each);
      deeds.push_back(text.substr(0, text.find(" (")));
    }
    return deeds;
  }
  const std::string& problem() const { return now_.problem; }

 private:
  ScriptSource source_;
  LuaSession session_;
  Action now_;
};

constexpr const char* connect = "local r = require('resty.redis'):new() r:connect('127.0.0.1', 6379) ";

TEST(LuaWorker, SendsToTheServerOfThePort) {
  Worker worker(
      "local r = require('resty.redis'):new() assert(r:connect('127.0.0.1', 6381)) "
      "return r:set(key, 'x', 'NX') == 'OK' and 'x'");
  ASSERT_EQ(worker.effects().size(), 1u);
  EXPECT_EQ(worker.effects()[0].server, 2u);
  EXPECT_THAT(worker.deeds(), ElementsAre("sends SET job x NX"));
  EXPECT_EQ(worker.effects()[0].line.line, 1u);
  EXPECT_STREQ(worker.effects()[0].line.file, "test.lua");
  EXPECT_THAT(worker.reply(1, Reply::ok()).deeds(), ElementsAre("is granted x"));
  EXPECT_EQ(worker.effects()[0].duration, 4s) << "the lease of a grant is the parameter ttl";
}
TEST(LuaWorker, HasAsManyServersAsTheRun) {
  Worker worker(
      "local r = require('resty.redis'):new() local ok, err = r:connect('127.0.0.1', 6382) "
      "return false, err");
  EXPECT_THAT(worker.deeds(), ElementsAre("is refused connection refused"));
}
TEST(LuaWorker, ReadsRepliesAsRestyRedisDoes) {
  const auto told = [](const Reply& reply) {
    Worker worker(std::string(connect) +
                  "local v, e = r:get(key) if v == ngx.null then return false, 'null' end "
                  "return false, type(v) .. ' ' .. tostring(type(v) == 'table' and v[1] or v) .. ' ' .. "
                  "tostring(e)");
    return worker.reply(1, reply).effects().back().text;
  };
  EXPECT_EQ(told(Reply::nil()), "null");
  EXPECT_EQ(told(Reply::bulk("a")), "string a nil");
  EXPECT_EQ(told(Reply::integer(7)), "number 7 nil");
  EXPECT_EQ(told(Reply::ok()), "string OK nil");
  EXPECT_EQ(told(Reply::error("ERR no")), "boolean false ERR no");
  EXPECT_EQ(told(Reply::lost()), "nil nil timeout");
  EXPECT_EQ(told(Reply::array({Reply::bulk("a"), Reply::nil()})), "table a nil");
}
TEST(LuaWorker, FailsWhereAnAnswerWasLostAndIsRefusedElse) {
  Worker lost(std::string(connect) + "local ok, err = r:get(key) return nil, err");
  EXPECT_THAT(lost.reply(1, Reply::lost()).deeds(), ElementsAre("fails timeout"));
  Worker refused("return nil, 'taken'");
  EXPECT_THAT(refused.deeds(), ElementsAre("is refused taken"));
}
TEST(LuaWorker, SendsAPipelineAtOnce) {
  Worker worker(std::string(connect) +
                "r:init_pipeline() r:get('a') r:get('b') "
                "local all = r:commit_pipeline() return false, all[1] .. all[2]");
  EXPECT_THAT(worker.deeds(), ElementsAre("sends GET a", "sends GET b"));
  worker.reply(2, Reply::bulk("2"));
  EXPECT_THAT(worker.reply(1, Reply::bulk("1")).deeds(), ElementsAre("is refused 12"));
}
// As lua-resty-redis does, which reads one after the other: the time begins anew with each.
TEST(LuaWorker, WaitsForEachAnswerOfAPipelineForItsTimeout) {
  const std::string pipeline = std::string(connect) +
                               "r:set_timeout(1000) r:init_pipeline() r:get('a') r:get('b') "
                               "local all, err = r:commit_pipeline() return false, all and all[2] or err";
  Worker late(pipeline);
  EXPECT_EQ(late.effects()[0].within, 1s);
  EXPECT_EQ(late.effects()[1].within, 2s);
  EXPECT_THAT(late.reply(1, Reply::bulk("1")).deeds(), ElementsAre("sleeps for 1000000 us"));
  EXPECT_EQ(late.woke(3).effects().back().text, "timeout");
  Worker timely(pipeline);
  timely.reply(1, Reply::bulk("1"));
  EXPECT_EQ(timely.reply(2, Reply::bulk("2")).effects().back().text, "2");
  Worker at_once(pipeline);
  at_once.reply(2, Reply::bulk("2"));
  EXPECT_THAT(at_once.reply(1, Reply::bulk("1")).deeds(), ElementsAre("is refused 2"));
}
TEST(LuaWorker, GivesWhatWaitsAConnectionOfItsOwn) {
  Worker worker(std::string(connect) + "r:blpop('list', 2) r:get('a') return false");
  EXPECT_EQ(worker.effects()[0].connection, 1u);
  EXPECT_EQ(worker.effects()[0].duration, 2s);
  worker.reply(1, Reply::nil());
  EXPECT_EQ(worker.effects()[0].connection, 1u) << "what follows on it stays there";
}
TEST(LuaWorker, KeepsADictionary) {
  Worker worker("local ok, err = ngx.shared.locks:add(key, true, 1.5) return ok and 'true' or false, err");
  EXPECT_THAT(worker.deeds(), ElementsAre("sends ADD job true 1.5"));
  EXPECT_THAT(worker.reply(1, Reply::error("exists")).deeds(), ElementsAre("is refused exists"));
}
TEST(LuaWorker, SetsAfterItHasDeletedBySettingNil) {
  Worker worker("local d = ngx.shared.locks d:set(key, nil) d:set(key, 1) return false");
  EXPECT_THAT(worker.deeds(), ElementsAre("sends DELETE job"));
  EXPECT_THAT(worker.reply(1, Reply::ok()).deeds(), ElementsAre("sends SET job 1 0"));
}
TEST(LuaWorker, EndsThreadsInTheOrderInWhichTheyBegan) {
  Worker worker(
      "for i = 1, 40 do ngx.thread.spawn(function() ngx.sleep(i) end) end ngx.sleep(99) return 'x'");
  worker.abort();
  ASSERT_EQ(worker.effects().size(), 41u);
  EXPECT_EQ(worker.effects()[0].id, 41u) << "the request itself is the first";
  for (std::uint32_t i = 1; i < 41; ++i) EXPECT_EQ(worker.effects()[i].id, i);
}
TEST(LuaWorker, TakesTurnsWithItsThreads) {
  Worker worker(
      "local a = ngx.thread.spawn(function() ngx.sleep(0.2) return 'a' end) "
      "local b = ngx.thread.spawn(function() ngx.sleep(0.1) return 'b' end) "
      "local ok, first = ngx.thread.wait(a, b) ngx.thread.kill(a) return false, first");
  EXPECT_THAT(worker.deeds(), ElementsAre("sleeps for 200000 us", "sleeps for 100000 us"));
  EXPECT_THAT(worker.woke(2).deeds(), ElementsAre("waits no more for", "is refused b"));
}
TEST(LuaWorker, RunsTimersAfterItsRequest) {
  Worker worker("ngx.timer.at(1, function(premature, text) holdfast.lost(text) end, 'x') return 'x'");
  EXPECT_THAT(worker.deeds(), ElementsAre("sleeps for 1000000 us", "is granted x"));
  EXPECT_THAT(worker.woke(1).deeds(), ElementsAre("lost x"));
}
TEST(LuaWorker, ForgetsTheLeastRecentlyUsed) {
  Worker worker(
      "local cache = require('resty.lrucache').new(2) cache:set('a', 1) cache:set('b', 2) "
      "cache:get('a') cache:set('c', 3) "
      "return false, tostring(cache:get('a')) .. tostring(cache:get('b')) .. cache:count()");
  EXPECT_THAT(worker.deeds(), ElementsAre("is refused 1nil2"));
}
TEST(LuaWorker, GivesUpAfterTheTimeoutOfTheProgram) {
  Worker worker(std::string(connect) + "r:set_timeout(250) r:get(key) return false");
  EXPECT_EQ(worker.effects()[0].within, 250ms);
}
TEST(LuaWorker, RunsATimerAgainAndAgain) {
  Worker worker("ngx.timer.every(1, function() holdfast.renewed('x', 4) end) return 'x'");
  EXPECT_THAT(worker.woke(1).deeds(), ElementsAre("sleeps for 1000000 us", "renewed x"));
  EXPECT_THAT(worker.woke(2).deeds(), ElementsAre("sleeps for 1000000 us", "renewed x"));
}
TEST(LuaWorker, WaitsForASemaphoreOrItsTime) {
  const std::string acquire =
      "local s = require('ngx.semaphore').new() ngx.timer.at(1, function() s:post() end) "
      "local ok, err = s:wait(2) return false, tostring(err)";
  Worker posted(acquire);
  EXPECT_THAT(posted.woke(1).deeds(), ElementsAre("waits no more for", "is refused nil"));
  Worker late(acquire);
  EXPECT_THAT(late.woke(3).deeds(), ElementsAre("is refused timeout"));
}
TEST(LuaWorker, WaitsWithinCoroutinesOfTheProgram) {
  Worker worker(
      "local co = coroutine.wrap(function() ngx.sleep(1) coroutine.yield('a') return 'b' end) "
      "return false, co() .. co()");
  EXPECT_THAT(worker.woke(1).deeds(), ElementsAre("is refused ab"));
}
TEST(LuaWorker, AsksWhatTimeItIsWhenTheProgramDoes) {
  Worker worker("local before = ngx.now() ngx.sleep(1) return false, tostring(ngx.now() - before)");
  EXPECT_THAT(worker.deeds(), ElementsAre("asks for the time"));
  EXPECT_THAT(worker.time(1'700'000'000'500'000).deeds(), ElementsAre("sleeps for 1000000 us"));
  EXPECT_THAT(worker.woke(1).deeds(), ElementsAre("asks for the time"));
  EXPECT_THAT(worker.time(1'700'000'003'500'000).deeds(), ElementsAre("is refused 3"));
}
TEST(LuaWorker, EndsThreadsOfACallerThatGaveUp) {
  Worker worker("ngx.timer.at(5, function() holdfast.lost('x') end) ngx.sleep(1) return 'x'");
  EXPECT_THAT(worker.abort().deeds(), ElementsAre("waits no more for"));
  EXPECT_THAT(worker.woke(1).deeds(), ElementsAre("lost x")) << "timers stay";
}
TEST(LuaWorker, NamesTheLineOfAnError) {
  Worker worker("\nlocal t = nil\nreturn t.x");
  EXPECT_THAT(worker.problem(), HasSubstr("test.lua:3: "));
  EXPECT_THAT(worker.deeds(), ElementsAre(HasSubstr("fails test.lua:3: ")));
}
TEST(LuaWorker, SaysByNameWhatIsNotThere) {
  const auto missing = [](const std::string& acquire) -> std::string {
    try {
      const Worker worker(acquire);
    } catch (const Unusable& why) {
      return why.what();
    }
    return "nothing is missing";
  };
  EXPECT_THAT(missing("ngx.req.read_body()"), HasSubstr("not simulated: ngx.req (test.lua:1)"));
  EXPECT_THAT(missing("pcall(function() ngx.exit(500) end)"), HasSubstr("not simulated: ngx.exit"));
  EXPECT_THAT(missing("os.execute('ls')"), HasSubstr("not simulated: os.execute()"));
  EXPECT_THAT(missing("io.open('x')"), HasSubstr("not simulated: io.open"));
  EXPECT_THAT(missing("while true do end"), HasSubstr("without waiting for anything"));
  EXPECT_THAT(missing("ngx.shared.a:add('k', 1) "), HasSubstr("nothing is missing"));
}
TEST(LuaWorker, IsTheSameInEveryProcess) {
  const std::string acquire =
      "local t = {} for i = 1, 40 do t['key' .. i] = i end local all = tostring({}) .. tostring({}) "
      "for k, v in pairs(t) do all = all .. k end return false, all";
  EXPECT_EQ(Worker(acquire, 1).effects()[0].text, Worker(acquire, 2).effects()[0].text);
}
TEST(LuaWorker, DrawsChanceFromItsSeedUnlessTheProgramSeedsIt) {
  const auto drawn = [](const std::string& acquire, std::uint64_t seed) {
    return Worker(acquire, seed).effects()[0].text;
  };
  EXPECT_EQ(drawn("return tostring(math.random(1e9))", 1), drawn("return tostring(math.random(1e9))", 1));
  EXPECT_NE(drawn("return tostring(math.random(1e9))", 1), drawn("return tostring(math.random(1e9))", 2));
  const std::string seeded = "math.randomseed(7) return tostring(math.random(1e9))";
  EXPECT_EQ(drawn(seeded, 1), drawn(seeded, 2)) << "two workers with one seed draw the same";
}
TEST(LuaWorker, CollectsGarbageWhenItIsTold) {
  Worker worker(
      "local ffi = require 'ffi' "
      "local made = ffi.metatype('struct { int x; }', {__gc = function() "
      "ngx.shared.locks:delete('gone') end}) "
      "do local object = ffi.new(made) end "
      "for i = 1, 1000 do local garbage = {i} end ngx.sleep(1) collectgarbage() return false");
  EXPECT_THAT(worker.deeds(), ElementsAre("sleeps for 1000000 us")) << "not by itself";
  EXPECT_THAT(worker.woke(1).deeds(), ElementsAre("sends DELETE gone", "is refused refused"));
}

}  // namespace
}  // namespace holdfast::guest
