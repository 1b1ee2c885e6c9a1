// The shell prints what redis-cli prints.
#include "sim/cli/redis_shell.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "sim/live/redis_process.hpp"

namespace holdfast::cli {
namespace {

std::string shell(const std::string& input, bool interactive) {
  std::istringstream in(input);
  std::ostringstream out;
  EXPECT_EQ(redis_shell(in, out, interactive), 0);
  return out.str();
}

std::string without_prompts(std::string text) {
  const std::string prompt = "redis> ";
  for (std::size_t at = 0; (at = text.find(prompt, at)) != std::string::npos;) text.erase(at, prompt.size());
  return text;
}

const std::string session = R"(set a 1
GET a
get nokey
incr a
mget a nokey
foo
  set   a  "b\x00\xffc\n\t\a\b\r\\\"'"
get a
set 'it\'s' "it's"
keys a
eval "return {1, {2, {3, 'x'}}, {}, false, redis.status_reply('st'), redis.error_reply('ER r'), {{}, 5}}" 0
eval "local t = {} for i = 1, 12 do t[i] = i end return {t, 7}" 0
eval "return {}" 0
"unclosed
get 'a
get "a"b

   
3 strlen a
0 strlen a
-1 strlen a
99999999999999999999 strlen a
3
strlen a b
set "" ""
get ""
ping "two words"
hset h f 1 g "two words"
hgetall h
rpush l a b c
lrange l 0 -1
blpop l 1
zadd z 1 x 2.5 y
zrange z 0 -1 withscores
sadd s 3 1 2
smembers s
get l
multi
incr a
lpop l
get s
exec
watch a
multi
discard
blpop nobody 0.001
publish nobody hello
wait 0 0
time x
exit now
get a
)";

// What redis-cli prints for the session on a fresh server; empty without redis-cli.
std::string redis_cli(const std::string& options) {
  const std::unique_ptr<live::RedisProcess> server = live::RedisProcess::start();
  if (!server || std::system("command -v redis-cli > /dev/null") != 0) return std::string();
  const std::string input = server->socket_path() + ".input";
  std::ofstream(input, std::ios::binary) << session;
  FILE* pipe =
      ::popen(("redis-cli -s " + server->socket_path() + " " + options + " < " + input).c_str(), "r");
  std::string output;
  std::array<char, 4096> chunk;
  for (std::size_t size = 0; (size = std::fread(chunk.data(), 1, chunk.size(), pipe)) > 0;)
    output.append(chunk.data(), size);
  EXPECT_EQ(::pclose(pipe), 0);
  return output;
}

TEST(RedisShell, PrintsRawRepliesAsRedisCli) {
  const std::string expected = redis_cli("");
  if (expected.empty()) GTEST_SKIP() << "skipped: no redis-server or no redis-cli";
  EXPECT_EQ(shell(session, false), expected);
}

TEST(RedisShell, FormatsRepliesAsRedisCliOnATerminal) {
  const std::string expected = redis_cli("--no-raw");
  if (expected.empty()) GTEST_SKIP() << "skipped: no redis-server or no redis-cli";
  EXPECT_EQ(without_prompts(shell(session, true)), expected);
}

TEST(RedisShell, PromptsOnlyOnATerminal) {
  EXPECT_EQ(shell("PING\n", true), "redis> PONG\nredis> ");
  EXPECT_EQ(shell("PING\n", false), "PONG\n");
}

TEST(RedisShell, AdvanceMovesTheClock) {
  // A key with PX 100 is alive in the 100th millisecond and dead in the next.
  EXPECT_EQ(shell("SET k v PX 100\nADVANCE 100ms\nPTTL k\nEXISTS k\nadvance 1ms\nEXISTS k\n", false),
            "OK\nOK\n0\n1\nOK\n0\n");
}

TEST(RedisShell, AdvanceTakesDurationsOnly) {
  const std::string problem = "ERR ADVANCE takes one duration, such as 250us, 100ms, 1.5s or 2m\n\n";
  EXPECT_EQ(shell("ADVANCE\nADVANCE 5\nADVANCE -5ms\nADVANCE 1s 1s\n", false),
            problem + problem + problem + problem);
}

TEST(RedisShell, WaitingTakesTime) {
  EXPECT_EQ(shell("SET k v PX 1500\nBLPOP list 1.5\nEXISTS k\n", true),
            "redis> OK\nredis> (nil)\n(1.50s)\nredis> (integer) 0\nredis> ");
}

TEST(RedisShell, WaitingForEverIsRefused) {
  const std::string beyond_time = "BLPOP list 9100000000000000\n";
  EXPECT_EQ(shell(beyond_time, false), shell("BLPOP list 0\n", false));
  EXPECT_EQ(shell("BLPOP list 0\nRPUSH list a\nBLPOP list 0\n", false),
            "ERR this would wait for ever; use ON to act on another connection meanwhile\n\n1\nlist\na\n");
}

TEST(RedisShell, OtherConnectionsWaitAndListen) {
  EXPECT_EQ(
      shell("ON 2 BLPOP list 0\nON 3 BLPOP list 0.1\nON 2 PING\nRPUSH list a\nADVANCE 101ms\n", false),
      "(waiting)\n(waiting)\nERR connection 2 waits for an answer\n\n1\nconnection 2 receives\nlist\na\n"
      "OK\nconnection 3 receives\n\n");
  EXPECT_EQ(
      shell("ON 2 SUBSCRIBE a b\nPUBLISH b hello\nON 2 GET k\nON x GET k\n", false),
      "subscribe\na\n1\nsubscribe\nb\n2\n1\nconnection 2 receives\nmessage\nb\nhello\n"
      "ERR Can't execute 'get': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in "
      "this context\n\n"
      "ERR ON takes the number of a connection and a command, such as ON 2 GET key\n\n");
}

TEST(RedisShell, EndsWhenTheOutputTakesNoMore) {
  std::istringstream in("2000000000 PING\nPING\n");
  std::ofstream full("/dev/full");
  EXPECT_EQ(redis_shell(in, full, false), 0);
  EXPECT_FALSE(full);
  EXPECT_EQ(in.get(), 'P');
}

TEST(RedisShell, EndsAtQuit) { EXPECT_EQ(shell("PING\nQuit\nPING\n", false), "PONG\n"); }

}  // namespace
}  // namespace holdfast::cli
