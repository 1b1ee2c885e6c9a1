// The lease that is seen is the lease: whatever an option, a card or a file says it is.
#include <gmock/gmock.h>

#include <map>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

// The head of a file for nginx, and a release that compares.
constexpr const char* head = R"(local redis = require "resty.redis"
local function server() local r = redis:new() r:connect("127.0.0.1", 6379) return r end
local mine = [[if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end return 0]]
local function release(key, token) return server():eval(mine, 1, key, token) == 1 end
local function text() return tostring(math.random(1e9)) end
)";

class LeasesOf : public Program {
 protected:
  // Explores it once, in ticks of half a second for a lease of 4 s; the verdicts under this fault.
  std::map<std::string, std::string> verdicts(const std::string& lock, const std::string& more,
                                              const std::string& fault = "none") {
    const Outcome outcome = run("check " + lock + " --faults " + fault +
                                " --clients 2 --rounds 1 --attempts 1 -j1 --format json " + more);
    EXPECT_NE(outcome.code, 65) << outcome.err;
    matrix_ = Json::parse(outcome.out, nullptr, false);
    EXPECT_FALSE(matrix_.is_discarded()) << outcome.err;
    std::map<std::string, std::string> verdicts;
    for (const Json& cell : matrix_["cells"]) verdicts[cell["property"]] = cell["verdict"];
    return verdicts;
  }
  std::string of(const std::string& property, const std::string& lock, const std::string& more,
                 const std::string& fault = "none") {
    return verdicts(lock, "--properties " + property + " " + more, fault)[property];
  }
  std::string seen(const std::string& lock) {
    return matrix_["bounds"].value("seen_leases", Json::object()).value(lock, "");
  }
  std::string asked() { return matrix_["bounds"]["ttl"]; }
  std::uint64_t states() const { return matrix_["cells"][0]["states"]; }
  // SET NX PX with this time in milliseconds, whatever `ttl` says.
  void write_lock(const std::string& name, const std::string& ms, const std::string& ttl) {
    write(name, std::string(head) + "return {" + (ttl.empty() ? "" : "ttl = \"" + ttl + "\", ") +
                    "release = release, acquire = function(key, params) local token = text()\n"
                    "  local ok = server():set(key, token, \"NX\", \"PX\", " +
                    ms + ") return ok == \"OK\" and token or nil, \"taken\" end}\n");
  }
  Json matrix_;
};

// Work of 30 s outlives a lease of 10 s, and who asks then is let in: no lease of 4 s excuses it. Work of 5 s
// ends before, with what two messages take. A crashed holder's key ends when 10 s are over, and a new client
// asks until then.
constexpr const char* driver = R"(
import os, socket, sys
def ask(*words):
    s = socket.create_connection(("127.0.0.1", 6379))
    s.sendall(("*%d\r\n" % len(words) + "".join("$%d\r\n%s\r\n" % (len(w), w) for w in words)).encode())
    answer = s.recv(4096).decode()
    s.close()
    return answer
DELETE = 'if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end return 0'
for line in sys.stdin:
    word, key = line.split()[:2]
    if word == "acquire":
        token = os.urandom(8).hex()
        ok = ask("SET", key, token, "NX", "PX", "10000") == "+OK\r\n"
        print("granted " + token + " 10000" if ok else "refused taken", flush=True)
    else:
        print("released" if ask("EVAL", DELETE, "1", key, token) == ":1\r\n" else "not-held", flush=True)
)";
TEST_F(LeasesOf, AProgramInPythonAreThoseThatItTakes) {
  if (!std::filesystem::exists("/usr/bin/python3")) GTEST_SKIP() << "skipped: no python3";
  write("driver.py", driver);
  const std::string lock = "driver.guest.json";
  write(lock, R"({"command": "/usr/bin/python3 driver.py"})");
  EXPECT_EQ(of("mutual-exclusion", lock, "--work 30s"), "violated");
  EXPECT_EQ(seen(lock), "10s");
  EXPECT_EQ(asked(), "4s");
  EXPECT_EQ(of("mutual-exclusion", lock, "--work 5s"), "holds");
  EXPECT_EQ(of("recovery", lock, "", "crash"), "holds");
}

TEST_F(LeasesOf, AFileInLuaAreThoseThatItSends) {
  write_lock("px.lua", "10000", "4s");
  EXPECT_EQ(of("mutual-exclusion", "px.lua", "--work 30s"), "violated");
  EXPECT_EQ(asked(), "4s");
  EXPECT_EQ(of("mutual-exclusion", "px.lua", "--work 5s"), "holds");
  EXPECT_EQ(of("recovery", "px.lua", "", "crash"), "holds");
  EXPECT_EQ(of("mutual-exclusion", "px.lua", "", "pause"), "violated");  // a pause of 20 s
  EXPECT_THAT(run("check px.lua --fault none --attempts 1").out, HasSubstr("lease 10s (seen of px.lua;"));
  // What it says is what it takes.
  write_lock("true.lua", "params.ttl * 1000", "10s");
  EXPECT_EQ(of("mutual-exclusion", "true.lua", "--work 30s"), "violated");
  EXPECT_EQ(seen("true.lua"), "");
  EXPECT_EQ(asked(), "10s");
}

// The time is set by a second command: a crash between the two leaves a key without an end.
TEST_F(LeasesOf, SetnxAndPexpireAreThoseOfPexpire) {
  write("two.lua", std::string(head) + R"(return {ttl = "4s", release = release,
  acquire = function(key) local token, r = text(), server()
    if r:setnx(key, token) ~= 1 then return nil, "taken" end
    r:pexpire(key, 20000)
    return token end}
)");
  EXPECT_EQ(of("mutual-exclusion", "two.lua", "--work 60s"), "violated");
  EXPECT_EQ(seen("two.lua"), "20s");
  EXPECT_EQ(of("mutual-exclusion", "two.lua", "--work 5s"), "holds");
  EXPECT_EQ(of("recovery", "two.lua", "", "crash"), "violated");
}

// One script takes the lock, so no crash comes between: the key ends with its holder.
TEST_F(LeasesOf, AHashAreThoseOfItsKey) {
  write("hash.lua", R"(local redis = require "resty.redis"
local function server() local r = redis:new() r:connect("127.0.0.1", 6379) return r end
local take = [[if redis.call("EXISTS", KEYS[1]) == 1 then return 0 end
  redis.call("HSET", KEYS[1], "owner", ARGV[1]) redis.call("PEXPIRE", KEYS[1], 12000) return 1]]
local give = [[if redis.call("HGET", KEYS[1], "owner") == ARGV[1] then return redis.call("DEL", KEYS[1]) end
  return 0]]
return {ttl = "4s",
  acquire = function(key) local token = tostring(math.random(1e9))
    return server():eval(take, 1, key, token) == 1 and token or nil, "taken" end,
  release = function(key, token) return server():eval(give, 1, key, token) == 1 end}
)");
  EXPECT_EQ(of("mutual-exclusion", "hash.lua", "--work 24s"), "violated");
  EXPECT_EQ(seen("hash.lua"), "12s");
  EXPECT_EQ(of("mutual-exclusion", "hash.lua", "--work 3s"), "holds");
  EXPECT_EQ(of("recovery", "hash.lua", "", "crash"), "holds");
}

// A file that renews says its ttl, too: the bounds have it, and not what locks that renew are asked for else.
TEST_F(LeasesOf, AFileThatRenewsAreThoseThatItSays) {
  write("renews.lua", std::string(head) + R"(local more = [[if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("PEXPIRE", KEYS[1], ARGV[2]) end return 0]]
local held = {}
return {ttl = "10s", renews = true,
  acquire = function(key, params) local token = text()
    if server():set(key, token, "NX", "PX", params.ttl * 1000) ~= "OK" then return nil, "taken" end
    held[token] = true
    local function again(is_early)
      if is_early or not held[token] then return end
      server():eval(more, 1, key, token, params.ttl * 1000)
      ngx.timer.at(params.ttl / 4, again)
    end
    ngx.timer.at(params.ttl / 4, again)
    return token end,
  release = function(key, token) held[token] = nil return release(key, token) end}
)");
  EXPECT_EQ(of("mutual-exclusion", "renews.lua", ""), "holds");
  EXPECT_EQ(asked(), "10s");
}

// The lock knows no other time, so the space is the same, only longer; a pause of twice the lease breaks
// each, and a wrong clock that nobody reads is no fault. Milliseconds and whole seconds shift some instants.
TEST_F(LeasesOf, AnyLengthHaveSpacesOfOneSize) {
  std::map<std::string, std::uint64_t> sizes;
  for (const char* const ms : {"4000", "400", "30000", "7200000", "86400000"}) {
    const std::string lock = "l" + std::string(ms) + ".lua";
    write_lock(lock, ms, "");
    auto found = verdicts(lock, "", "pause");
    EXPECT_EQ(found["mutual-exclusion"], "violated") << ms;
    EXPECT_EQ(found["owner-only-release"], "holds") << ms;
    EXPECT_EQ(found["recovery"], "holds") << ms;
    found = verdicts(lock, "", "none");
    EXPECT_EQ(found["mutual-exclusion"], "holds") << ms;
    sizes[ms] = states();
    found = verdicts(lock, "", "clock-skew");
    EXPECT_EQ(found["mutual-exclusion"], "not-applicable") << ms;
  }
  for (const auto& [ms, size] : sizes) EXPECT_LE(size, 2 * sizes["4000"]) << ms;
}

// 300 ms are no whole number of half ticks. Nothing goes wrong by itself, where messages take a quarter of
// it.
TEST_F(LeasesOf, ThreeHundredMillisecondsAreEnoughForQuickMessages) {
  write_lock("short.lua", "300", "");
  EXPECT_EQ(of("mutual-exclusion", "short.lua", ""), "holds");
  EXPECT_EQ(of("mutual-exclusion", "short.lua", "", "pause"), "violated");
  EXPECT_EQ(of("recovery", "short.lua", "", "crash"), "holds");
}

// Asked for 4 s it takes 4,000, asked for 8 s 8,000: it follows, and a user who asked for 4 s waits for an
// hour.
TEST_F(LeasesOf, ALockThatTakesMillisecondsForSecondsAreOwedAsAskedFor) {
  write("seconds.lua", std::string(head) + R"(return {ttl = "4s", release = release,
  acquire = function(key, params) local token = text()
    local ok = server():set(key, token, "NX", "EX", params.ttl * 1000)
    return ok == "OK" and token or nil, "taken" end}
)");
  EXPECT_EQ(of("recovery", "seconds.lua", "", "crash"), "violated");
  EXPECT_EQ(seen("seconds.lua"), "4000s");
  EXPECT_EQ(of("recovery", "seconds.lua", ""), "holds");
}

// Asked for 4 s it takes 4 ms, asked for 8 s 8 ms. Its user works for a second, and not for two milliseconds.
TEST_F(LeasesOf, ALockThatTakesSecondsForMillisecondsAreTooShortForTheWorkThatWasPlanned) {
  write("milliseconds.lua", std::string(head) + R"(return {ttl = "4s", release = release,
  acquire = function(key, params) local token = text()
    local ok = server():set(key, token, "NX", "PX", params.ttl)
    return ok == "OK" and token or nil, "taken" end}
)");
  EXPECT_EQ(of("mutual-exclusion", "milliseconds.lua", ""), "violated");
  EXPECT_EQ(seen("milliseconds.lua"), "4ms");
  EXPECT_EQ(matrix_["bounds"]["delay_max"], "1s");
}

// The second grant lasts longer than the first: what is owed is owed when the longest is over.
TEST_F(LeasesOf, GrantsThatDifferAreMeasuredByTheShortestAndOwedByTheLongest) {
  write("growing.lua", std::string(head) + R"(return {release = release,
  acquire = function(key) local token, r = text(), server()
    local grown = r:exists("grown:" .. key)
    local ok = r:set(key, token, "NX", "PX", grown == 1 and 12000 or 4000)
    if ok ~= "OK" then return nil, "taken" end
    r:set("grown:" .. key, "yes")
    return token end}
)");
  EXPECT_EQ(of("recovery", "growing.lua", "", "crash"), "holds");
  EXPECT_EQ(seen("growing.lua"), "12s");
  EXPECT_EQ(matrix_["bounds"]["tick"], "500ms");
}

// --- parameters ---

TEST_F(LeasesOf, ComparedLocksAreThoseThatParamAsksFor) {
  const Outcome outcome =
      run("compare --only token,setnx --faults none --clients 2 --attempts 1 --param ttl=12s --format json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["bounds"]["ttl"], "12s");
  const Outcome wrong = run("compare --only token,setnx --faults none --param tll=12s");
  EXPECT_EQ(wrong.code, 64);
  EXPECT_THAT(wrong.err, HasSubstr("no lock here has a parameter \"tll\" — did you mean \"ttl\"?"));
  EXPECT_EQ(run("compare --only token --faults none --param ttl=soon").code, 64);
  EXPECT_EQ(run("compare --traits --only token --param ttl=12s").code, 64);
  EXPECT_EQ(run("hunt token --faults pause --param tll=12s --seconds 1").code, 64);
}

TEST_F(LeasesOf, ABaselineRemembersParameters) {
  write_lock("follows.lua", "params.ttl * 1000", "4s");
  const std::string saved = " --only ./follows.lua --faults none --attempts 1 --clients 2";
  const Outcome save = run("baseline save long" + saved + " --param ttl=10s");
  EXPECT_EQ(save.code, 0) << save.err;
  const Json file = read_json("holdfast-baselines/long.json");
  EXPECT_THAT(file["options"].dump(), HasSubstr("--param=ttl=10s"));
  EXPECT_EQ(file["bounds"]["ttl"], "10s");
  EXPECT_EQ(run("baseline compare long").code, 0);
  const Outcome again = run("baseline compare long --param ttl=4s");
  EXPECT_EQ(again.code, 64);
  EXPECT_THAT(again.err, HasSubstr("the baseline says what is explored"));
}

}  // namespace
}  // namespace holdfast::cli
