// The words of every request: what Redis receives is what its documentation says.
#include "sim/core/store.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/core/redis_client.hpp"

namespace holdfast {
namespace {

using Argv = std::vector<std::string>;

// Only for making calls; nobody awaits them here.
class Silent final : public Store {
  void submit(Call&) override {}
  void forget(Call&) noexcept override {}
};
Silent silent;
Argv argv(const Call& call) { return call.command().argv(); }

TEST(Store, AsksInTheWordsOfRedis) {
  EXPECT_EQ(argv(Redis(silent).get("k")), (Argv{"GET", "k"}));
  EXPECT_EQ(argv(Redis(silent).del("k")), (Argv{"DEL", "k"}));
  EXPECT_EQ(argv(Redis(silent).exists("k")), (Argv{"EXISTS", "k"}));
  EXPECT_EQ(argv(Redis(silent).incr("k")), (Argv{"INCR", "k"}));
  EXPECT_EQ(argv(Redis(silent).pttl("k")), (Argv{"PTTL", "k"}));
  EXPECT_EQ(argv(Redis(silent).setnx("k", "v")), (Argv{"SETNX", "k", "v"}));
  EXPECT_EQ(argv(Redis(silent).getset("k", "v")), (Argv{"GETSET", "k", "v"}));
  EXPECT_EQ(argv(Redis(silent).pexpire("k", 1500ms)), (Argv{"PEXPIRE", "k", "1500"}));
  EXPECT_EQ(argv(Redis(silent).set("k", "v")), (Argv{"SET", "k", "v"}));
}
TEST(Store, KeepsTheOrderOfOptions) {
  EXPECT_EQ(argv(Redis(silent).set("k", "v", SetOptions().nx().px(30ms))),
            (Argv{"SET", "k", "v", "NX", "PX", "30"}));
  EXPECT_EQ(argv(Redis(silent).set("k", "v", SetOptions().ex(2s).xx().get().keepttl())),
            (Argv{"SET", "k", "v", "EX", "2", "XX", "GET", "KEEPTTL"}));
}
TEST(Store, CountsTheKeysOfAScript) {
  EXPECT_EQ(argv(Redis(silent).eval("return 1", Keys("a", "b"), Args("x", 7))),
            (Argv{"EVAL", "return 1", "2", "a", "b", "x", "7"}));
  EXPECT_EQ(argv(Redis(silent).eval("return 1", Keys(), Args())), (Argv{"EVAL", "return 1", "0"}));
}
TEST(Store, RoundsDownWhatRedisTakesInWholeUnits) {
  EXPECT_EQ(argv(Redis(silent).expire("k", 1999ms)), (Argv{"EXPIRE", "k", "1"}));
  EXPECT_EQ(argv(Redis(silent).pexpire("k", 1999us)), (Argv{"PEXPIRE", "k", "1"}));
  EXPECT_EQ(argv(Redis(silent).pexpire("k", -1us)), (Argv{"PEXPIRE", "k", "-1"}));
}
TEST(Store, RemembersTheLineThatAsked) {
  const Call call = Redis(silent).get("k");
  EXPECT_EQ(call.where().line(), static_cast<std::uint_least32_t>(__LINE__ - 1));
  EXPECT_TRUE(std::string(call.where().file_name()).ends_with("store_test.cpp"));
}
TEST(Command, KeepsEveryByteOfAWord) {
  const std::string bytes("a\0\r\n\xff", 5);
  EXPECT_EQ(Command("SET", bytes, std::int64_t{-9}).argv(), (Argv{"SET", bytes, "-9"}));
}

TEST(Attempt, SaysWhyInTheProgramsWordsOrInOthers) {
  const std::string composed = "lock " + std::to_string(7);
  EXPECT_EQ(Attempt::refused("taken").why(), "taken");
  EXPECT_EQ(Attempt::failed(composed).why(), composed);
  EXPECT_EQ(Attempt(Grant("t")).why(), "");
}

TEST(Reply, IsWhatItWasMadeAs) {
  EXPECT_TRUE(Reply().is_nil());
  EXPECT_TRUE(Reply::ok().is_ok());
  EXPECT_EQ(Reply::ok().text(), "OK");
  EXPECT_EQ(Reply::status("OK"), Reply::ok());
  EXPECT_FALSE(Reply::status("").is_ok());
  EXPECT_FALSE(Reply::bulk("OK").is_ok());
  EXPECT_TRUE(Reply::integer(0).is(0));
  EXPECT_FALSE(Reply::nil().is(0));
  EXPECT_TRUE(Reply::lost().is_lost());
  EXPECT_FALSE(Reply::lost().is_nil());
  EXPECT_TRUE(Reply::error("ERR no").is_error());
  EXPECT_EQ(Reply::array({Reply::integer(1), Reply::nil()}), Reply::array({Reply::integer(1), Reply()}));
  EXPECT_NE(Reply::array({Reply::integer(1)}), Reply::array({Reply::bulk("1")}));
}

}  // namespace
}  // namespace holdfast
