// A program that renews its lock by a thread of its own. Python's threads are those of the system.
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "sim/explore/planted_test.hpp"
#include "sim/process/program.hpp"

namespace holdfast::process {
namespace {

// It has a connection for each thread. `RENEWAL` is the script of a renewal.
const std::string renews_by_a_thread = R"(
import os, random, socket, threading
ttl_ms = int(os.environ["HOLDFAST_TTL_MS"])

class Redis:
    def __init__(self):
        self.socket = socket.create_connection(("127.0.0.1", 6379))
        self.lines = self.socket.makefile("rb")
    def ask(self, *words):
        self.socket.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%b\r\n" % (len(w), w)
                            for w in (str(word).encode() for word in words)))
        reply = self.lines.readline().strip().decode()
        if not reply: raise ConnectionError("lost")
        return reply

def say(line): os.write(1, line.encode() + b"\n")

COMPARES = "if redis.call('GET', KEYS[1]) == ARGV[1] then return "
def renew(key, token, is_over):
    redis = None
    while not is_over.wait(ttl_ms / 2000):
        try:
            redis = redis or Redis()
            if redis.ask("EVAL", RENEWAL, 1, key, token, ttl_ms) != ":1": return say("lost")
            say(f"renewed {ttl_ms}")
        except OSError: redis = None

redis = None
while words := os.read(0, 4096).decode().split():
    try:
        redis = redis or Redis()
        if words[0] == "acquire":
            token = "%016x" % random.getrandbits(64)
            if redis.ask("SET", words[1], token, "PX", ttl_ms, "NX") == "+OK":
                is_over = threading.Event()
                thread = threading.Thread(target=renew, args=(words[1], token, is_over), daemon=True)
                thread.start()
                say(f"granted {token} {ttl_ms}")
            else: say("refused")
        else:
            is_over.set()
            thread.join()
            deletes = COMPARES + "redis.call('DEL', KEYS[1]) end return 0"
            deleted = redis.ask("EVAL", deletes, 1, words[1], token)
            say("released" if deleted == ":1" else "not-held")
    except OSError as error:
        redis = None
        say(("failed " if words[0] == "acquire" else "unknown ") + str(error))
)";

class Python {
 public:
  explicit Python(const std::string& renewal)
      : program_({.id = "python",
                  .words = {"python3", "-c", "RENEWAL = \"" + renewal + "\"\n" + renews_by_a_thread},
                  .summary = "a program"},
                 {"PATH=/usr/bin:/bin"}) {}
  Exploration explored(Fault fault, Duration ttl) {
    Comparison comparison = planted::one_attempt();
    comparison.explore.states_max = 500'000;
    comparison.given_ttl = ttl;
    return explore(scenario_of(comparison, program_.card(), fault), program_.card(), Budget());
  }
  const Program& operator*() const { return program_; }

 private:
  Program program_;
};

bool holds(const Exploration& found, Property property) {
  return planted::result_of(found, property).verdict == Verdict::holds;
}

constexpr const char* compares =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then "
    "return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0";
constexpr const char* renews_blindly = "return redis.call('PEXPIRE', KEYS[1], ARGV[2])";
constexpr const char* does_nothing = "return 1";

// A renewal that does nothing must be seen, too.
TEST(GuestThatRenewsByAThread, HoldsBeyondItsLease) {
  if (access("/usr/bin/python3", X_OK) != 0) GTEST_SKIP() << "there is no /usr/bin/python3";
  constexpr Duration ttl = 6s;
  Python good(compares);
  EXPECT_TRUE(holds(good.explored(Fault::slow_section, ttl), Property::mutual_exclusion));
  EXPECT_TRUE((*good).observed().has_threads);
  Python bad(does_nothing);
  EXPECT_FALSE(holds(bad.explored(Fault::slow_section, ttl), Property::mutual_exclusion));
}
TEST(GuestThatRenewsByAThread, WithoutItsTokenIsFound) {
  if (access("/usr/bin/python3", X_OK) != 0) GTEST_SKIP() << "there is no /usr/bin/python3";
  constexpr Duration ttl = 4s;
  Python good(compares);
  EXPECT_TRUE(holds(good.explored(Fault::pause, ttl), Property::owner_only_change));
  Python bug(renews_blindly);
  EXPECT_FALSE(holds(bug.explored(Fault::pause, ttl), Property::owner_only_change));
}

}  // namespace
}  // namespace holdfast::process
