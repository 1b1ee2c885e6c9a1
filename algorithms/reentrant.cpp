// reentrant: a hash with the holder as field and its count as value, changed by scripts.
#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

// nil: granted; else how long the lease of the other lasts, as PTTL tells it.
constexpr const char* enter =
    "if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then"
    " redis.call('HINCRBY', KEYS[1], ARGV[1], 1)"
    " redis.call('PEXPIRE', KEYS[1], ARGV[2])"
    " return false end"
    " return redis.call('PTTL', KEYS[1])";

// nil: not the holder; 0: still held, its lease begun anew; 1: free.
constexpr const char* leave =
    "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return false end"
    " if redis.call('HINCRBY', KEYS[1], ARGV[1], -1) > 0 then"
    " redis.call('PEXPIRE', KEYS[1], ARGV[2]) return 0 end"
    " redis.call('DEL', KEYS[1]) return 1";

struct Kept {
  // The same for all acquisitions of this process: by it the store recognises the holder.
  std::string holder;
};

class Reentrant final : public LockThatKeeps<Kept> {
 public:
  explicit Reentrant(const Params& params) : ttl_(params.duration("ttl")) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    std::string& holder = kept().holder;
    if (holder.empty()) holder = env.random.token();
    const Args args(holder, to_milliseconds(ttl_));
    const Reply left = co_await Redis(env.store()).eval(enter, Keys(key), args);
    if (is_failure(left)) co_return Attempt::failed("failed to enter lock: " + error_of(left));
    if (!left.is_nil()) co_return Attempt::refused("lock is held by another.");
    Grant grant(holder);
    grant.lease = ttl_;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) const override {
    const Args args(grant.token, to_milliseconds(ttl_));
    const Reply free = co_await Redis(env.store()).eval(leave, Keys(key), args);
    if (is_failure(free)) co_return Release::unknown;
    // Redisson returns without an error as long as the hold was there, whatever its count.
    co_return free.is_nil() ? Release::not_held : Release::released;
  }

 private:
  Duration ttl_;
};

constexpr std::string_view lesson =
    "A process that holds the lock may take it again: the key is a hash whose one field is the holder, with "
    "the number of its holds as value, and scripts count up and down; the last release deletes. The price is "
    "that acquire() is no longer harmless to repeat. When the answer is lost, the caller tries again, is "
    "recognised, and is counted twice; its one release leaves a hold that stays until the lease ends. A "
    "request that arrives late, or whose caller has given up waiting, does the same to a hold that was "
    "granted since. The holder's name is its owner check: no other client can release, and a release after "
    "the lease is refused. Two holders at once, after a pause or slow work, are possible as with every "
    "lease. Repair of the double count: a name for every request, by which the store tells a repetition from "
    "a second entry.";

constexpr Protocol protocol{
    .acquire =
        "EVAL of EXISTS, HEXISTS, HINCRBY and PEXPIRE: counts the holds of one holder; refuses with PTTL",
    .release = "EVAL of HEXISTS and HINCRBY; at the last hold DEL, else PEXPIRE",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a repeated acquire() after a lost answer is counted twice",
       .lesson = "a-lost-reply-counts-one-holder-twice"},
  };
}

}  // namespace

Card reentrant() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "reentrant",
      .summary = "a hash counts the holds of one holder; scripts enter and leave, the last one deletes",
      .source =
          "document 004, the trait that its five ways lack; redisson/redisson 6686397, RLock, unwatched",
      .lesson = lesson,
      .protocol = protocol,
      // The hash knows no rounds: a release that lands late, or twice, ends the next hold of the same client,
      // and a failover may bring back one that is over.
      .claims = {{{mutual_exclusion, no_stale_write},
                  every_fault_but({pause, slow_section, late_request, duplicate, restart, server_clock_jump,
                                   failover, eviction})},
                 {{recovery}, every_fault},
                 {{owner_only_release}, every_fault_but({late_request, duplicate})},
                 {{owner_only_change}, every_fault_but({late_request, duplicate, cancel})},
                 {{truthful_release}, every_fault_but({late_request, duplicate, failover, cancel})}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Parameter::Kind::duration, "30s",
                      "how long the hash lives after it was entered"}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<Reentrant>(params);
      },
      .is_reentrant = true,
  };
}

}  // namespace holdfast::algorithms
