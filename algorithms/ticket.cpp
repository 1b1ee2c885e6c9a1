// ticket: INCR draws a number, and the client whose turn it is enters; an absentee's turn ends with its TTL.
#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

// KEYS: the lock, the numbers drawn, the numbers done with, and the turn, which lives while the one whose
// number comes next may still enter.

// The number. One that comes next at once begins its turn.
constexpr const char* draw =
    "local number = redis.call('INCR', KEYS[2])"
    " if number == tonumber(redis.call('GET', KEYS[3]) or '0') + 1 then"
    " redis.call('SET', KEYS[4], number, 'PX', ARGV[1]) end"
    " return number";

// 0: entered; -1: the number is over, or was never drawn; else how many are before it. A client that finds
// that the next one neither holds the lock nor comes in its turn calls the one after it.
constexpr const char* enter =
    "local number = tonumber(ARGV[1])"
    " local done = tonumber(redis.call('GET', KEYS[3]) or '0')"
    " if number <= done or number > tonumber(redis.call('GET', KEYS[2]) or '0') then return -1 end"
    " local is_free = redis.call('EXISTS', KEYS[1]) == 0"
    " if number > done + 1 and is_free and redis.call('EXISTS', KEYS[4]) == 0 then"
    " done = redis.call('INCR', KEYS[3])"
    " redis.call('SET', KEYS[4], done + 1, 'PX', ARGV[2]) end"
    " if number > done + 1 or not is_free then return number - done end"
    " redis.call('SET', KEYS[1], number, 'PX', ARGV[2])"
    " redis.call('DEL', KEYS[4])"
    " return 0";

// 1: free, and the next one's turn begins; 0: it was not mine.
constexpr const char* leave =
    "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end"
    " redis.call('DEL', KEYS[1])"
    " redis.call('SET', KEYS[4], redis.call('INCR', KEYS[3]) + 1, 'PX', ARGV[2])"
    " return 1";

struct Kept {
  std::string number;  // drawn and not over: a client that was refused keeps its place
};

class Ticket final : public LockThatKeeps<Kept> {
 public:
  explicit Ticket(const Params& params)
      : ttl_(params.duration("ttl")),
        timeout_(params.duration("timeout")),
        sleep_(params.duration("sleep")) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    const bool tries_once = timeout_ == Duration::zero();
    const SteadyTime stop = tries_once ? SteadyTime() : env.clock.steady() + timeout_;
    for (;;) {
      if (kept().number.empty()) {
        const Reply drawn = co_await Redis(env.store()).eval(draw, keys(key), Args(to_milliseconds(ttl_)));
        if (is_failure(drawn)) co_return Attempt::failed("failed to draw a number: " + error_of(drawn));
        kept().number = std::to_string(drawn.number());
      }
      const Args args(kept().number, to_milliseconds(ttl_));
      const Reply before = co_await Redis(env.store()).eval(enter, keys(key), args);
      // What became of this number nobody knows: the next attempt draws another.
      if (is_failure(before) || before.number() <= 0) {
        const std::string number = std::exchange(kept().number, std::string());
        if (is_failure(before)) co_return Attempt::failed("failed to enter: " + error_of(before));
        if (before.is(0)) co_return granted(number);
      }
      if (tries_once || env.clock.steady() + sleep_ > stop) break;
      co_await env.clock.sleep(sleep_);
    }
    co_return Attempt::refused("it is not my turn.");
  }

  Task<Release> release(Env& env, std::string key, Grant grant) const override {
    const Args args(grant.token, to_milliseconds(ttl_));
    const Reply left = co_await Redis(env.store()).eval(leave, keys(key), args);
    co_return release_by(left);
  }

 private:
  static Keys keys(const std::string& key) { return Keys(key, key + ":drawn", key + ":done", key + ":turn"); }
  Attempt granted(const std::string& number) const {
    Grant grant(number);
    grant.lease = ttl_;
    return Attempt(grant);
  }

  Duration ttl_;
  Duration timeout_;
  Duration sleep_;
};

constexpr std::string_view lesson =
    "In other locks, waiters race when the lock is free; here they stand in a queue. INCR draws numbers, a "
    "second counter says how many are done with, and only the next number may enter. The queue is as fair as "
    "it is fragile: every one in it must come when called. A process that died in the queue, or an answer "
    "that was lost, or given up, together with its number would block all behind it for ever; so a turn has "
    "a TTL, like the lock itself, and a client that finds it over calls the next number. What stays is that "
    "each absentee costs the others a whole lease, and more when the clock of the server is set back "
    "meanwhile. The lock's value is the number, which is unique while the counters live, and the release "
    "compares it; but a server that loses its data draws the same numbers again. And with a lease, two "
    "holders after a pause or slow work are possible as ever.";

constexpr Protocol protocol{
    .acquire =
        "EVAL of INCR draws a number; EVAL with GET, EXISTS, INCR, SET and DEL enters when it is the next "
        "one's turn",
    .release = "EVAL of GET, DEL, INCR and SET: calls the next number",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a client that leaves the line without a word costs the others a lease",
       .lesson = "everybody-who-leaves-the-queue-silently-costs-the-others-a-lease"},
  };
}

}  // namespace

Card ticket() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "ticket",
      .summary = "INCR draws a number, the next number enters; turns and locks end with their TTL",
      .source = "the ticket lock of shared-memory machines (Reed and Kanodia, 1979), as Redis scripts",
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write},
                  every_fault_but({pause, slow_section, restart, server_clock_jump, failover, eviction})},
                 // Two evictions, of the lock and of the numbers drawn, give one number twice.
                 {{owner_only_release, truthful_release}, every_fault_but({restart, failover, eviction})},
                 {{owner_only_change}, every_fault},
                 {{recovery}, {none, slow_section, restart, clock_skew}}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Parameter::Kind::duration, "1s", "how long the lock lives, and each turn"},
                     {"timeout", Parameter::Kind::duration, "10s",
                      "how long acquire() goes on trying; 0s: once. The next call keeps the number"},
                     {"sleep", Parameter::Kind::duration, "100ms", "between two tries"}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> { return std::make_unique<Ticket>(params); },
      .ignores_date = true,
      .counters = {"%:drawn", "%:done"},
      .waiting = {{"timeout", "3s"}, {"sleep", "1s"}},
  };
}

}  // namespace holdfast::algorithms
