// redismutex: a read-write lock of Lua scripts, renewed at half its TTL, whose writers can announce
// themselves.
#include <algorithm>
#include <map>

#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "algorithms/scripts_sent.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

constexpr const char* lock_script =
    "if not redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') then"
    " if ARGV[3] == '1' then redis.call('SET', KEYS[2], 1, 'PX', ARGV[2]) end"
    " return redis.call('PTTL', KEYS[1]) end"
    " redis.call('DEL', KEYS[2]) return nil";
constexpr const char* read_lock_script =
    "if redis.call('TYPE', KEYS[1])['ok'] == 'string' then return redis.call('PTTL', KEYS[1]) end"
    " if redis.call('EXISTS', KEYS[2]) == 1 then return redis.call('PTTL', KEYS[2]) end"
    " redis.call('SADD', KEYS[1], ARGV[1]) redis.call('PEXPIRE', KEYS[1], ARGV[2]) return nil";
constexpr const char* refresh_script =
    "local kind = redis.call('TYPE', KEYS[1])['ok']"
    " if (kind == 'string' and redis.call('GET', KEYS[1]) ~= ARGV[1])"
    " or (kind == 'set' and redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 0) or kind == 'none' then return 0 "
    "end"
    " return redis.call('PEXPIRE', KEYS[1], ARGV[2])";
// Every way through it ends in 1, but that of the last reader, whose SREM has removed the set already: 0.
constexpr const char* unlock_script =
    "local kind = redis.call('TYPE', KEYS[1])['ok']"
    " if kind == 'string' and redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1])"
    " elseif kind == 'set' and redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 1 then"
    " redis.call('SREM', KEYS[1], ARGV[1])"
    " if redis.call('SCARD', KEYS[1]) == 0 then return redis.call('DEL', KEYS[1]) end end return 1";

// WithTTL takes nothing shorter, and says nothing.
constexpr Duration ttl_min = 2s;
constexpr Duration ttl_default = 4s;
constexpr Duration retry_after_error = 500ms;

struct Kept {
  std::map<std::string, Background> renewals;  // by token
};

class Redismutex final : public LockThatKeeps<Kept> {
 public:
  explicit Redismutex(const Params& params)
      : ttl_(params.duration("ttl") < ttl_min ? ttl_default : params.duration("ttl")),
        waits_(params.choice("blocking") == "yes"),
        announces_(waits_ && params.choice("intent") == "yes"),
        by_digest_(params.choice("scripts") == "evalsha") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode mode) const override {
    const char* const script = mode == Mode::shared ? read_lock_script : lock_script;
    const std::string intent = key + ":lock-intent";
    for (;;) {
      env.loop_head();
      const std::string token = env.random.token();
      Args args(token, to_milliseconds(ttl_));
      if (mode == Mode::exclusive) args = Args(token, to_milliseconds(ttl_), announces_ ? "1" : "0");
      const Reply reply = co_await eval_or_evalsha(env, by_digest_, script, Keys(key, intent), args);
      if (is_failure(reply)) co_return Attempt::failed(error_of(reply));
      if (reply.is_nil()) {
        kept().renewals[token] = Background(env, *this, &Redismutex::renew, key, token);
        Grant grant(token);
        grant.lease = ttl_;
        co_return Attempt(grant);
      }
      if (!waits_) co_return Attempt::refused("redismutex: lock not obtained");
      // As long as the store says; nobody is woken by a release. A key without an expiry says -1ms.
      co_await env.clock.sleep(reply.milliseconds());
    }
  }

  // Its context ends first. Unlock() returns nothing; an error is a line in a log.
  Task<Release> release(Env& env, std::string key, Grant grant) const override {
    kept().renewals.erase(grant.token);
    co_await eval_or_evalsha(env, by_digest_, unlock_script, Keys(key), Args(grant.token));
    co_return Release::released;
  }

 private:
  // The deadline counts from the reply, and is not looked at while a refresh is under way.
  Task<> renew(Env& env, std::string key, std::string token) const {
    Stopwatch since_reply(env.clock);
    Duration next = ttl_ / 2;
    for (;;) {
      env.loop_head(Args(next.count()));
      const Duration left = ttl_ - since_reply.elapsed();
      co_await env.clock.sleep(std::min(left, next));
      if (left <= next) break;
      const Args args(token, to_milliseconds(ttl_));
      const Reply reply = co_await eval_or_evalsha(env, by_digest_, refresh_script, Keys(key), args);
      if (is_failure(reply)) {
        next = retry_after_error;
        continue;
      }
      if (reply.is(0)) break;
      since_reply.restart();
      next = ttl_ / 2;
      env.renewed(token, ttl_);
    }
    env.lost(token);
  }

  Duration ttl_;
  bool waits_;
  bool announces_;
  bool by_digest_;
};

constexpr std::string_view lesson =
    "A read-write lock in four scripts. A writer's key is a string, readers share a set; a client that is "
    "refused sleeps for exactly the TTL it was told, and the holder renews at half the TTL and stops when "
    "its own deadline passes. Three things break it. The deadline counts from the reply, and is not looked "
    "at while a renewal is under way: a renewal that is lost, or late by more than half a TTL, leaves a "
    "holder that believes while the next one has the lock. The set has one TTL for all readers: each one "
    "that joins sets it anew, so a reader with a short TTL ends the lease of one with a long TTL, and one "
    "that died stays in the set for as long as others come. And the writer's intent, which keeps new readers "
    "out, lives for the writer's TTL while the writer sleeps for the lock's, and the writer that wins "
    "deletes the intent of all. Since no waiter is woken and all sleep until the same instant, writers lose "
    "against many readers, with an intent too. Unlock() returns nothing, to the holder or anybody else, so a "
    "lost lock is never noticed there. A TTL below two seconds is ignored without a word.";

constexpr Protocol protocol{
    .acquire =
        "EVAL: a writer does SET with NX and PX, and DEL of the intent, or is told PTTL and may SET an "
        "intent; a reader looks at TYPE and EXISTS, then SADD and PEXPIRE. A refused client sleeps for the "
        "PTTL",
    .renew =
        "at half the TTL, EVAL with TYPE, GET or SISMEMBER, and PEXPIRE; after an error again 500 ms later",
    .release = "EVAL with TYPE, GET and DEL, or SISMEMBER, SREM and SCARD; the caller is told nothing",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "the deadline counts from the reply of a renewal: one that travels long outlives the lease",
       .lesson = "a-deadline-from-a-late-reply-outlives-the-lease",
       .repair = "a-deadline-from-the-request-keeps-claims-apart-under-a-pause"},
      {.what = "a renewal that is late finds the lock of another; until its answer the holder believes",
       .lesson = "a-renewal-that-is-late-finds-the-lock-of-another"},
      {.what = "nobody looks at the deadline while a renewal is under way",
       .lesson = "nobody-looks-at-the-deadline-while-a-renewal-is-under-way",
       .repair = "a-driver-that-gives-up-early-lets-the-deadline-be-seen"},
      {.what = "a reader with a short TTL ends the lease of all readers",
       .tracker = "the same in redisson/redisson #2144",
       .lesson = "a-reader-with-a-short-ttl-ends-the-lease-of-one-with-a-long-one"},
      {.what = "a reader that died stays in the set for as long as others prolong it",
       .tracker = "the same in redisson/redisson pull request 7098",
       .lesson = "a-reader-that-died-stays-for-as-long-as-others-come",
       .repair = "readers-with-pauses-let-a-writer-in"},
      {.what = "without an intent, readers keep a writer out for ever",
       .lesson = "without-an-intent-readers-keep-a-writer-out",
       .repair = "an-intent-as-long-as-the-lock-lets-the-writer-in"},
      {.what = "an intent lives for the TTL of the writer, which sleeps for that of the lock",
       .lesson = "an-intent-that-ends-before-the-writer-wakes-keeps-nobody-out",
       .repair = "an-intent-as-long-as-the-lock-lets-the-writer-in"},
      {.what = "the writer that wins deletes the intents of all others",
       .lesson = "the-writer-that-wins-deletes-the-intent-of-the-other",
       .repair = "in-a-queue-no-writer-takes-the-place-of-another"},
      {.what =
           "all that were refused wake up at the same millisecond, and the client with the shorter way wins",
       .instead = "no exploration says how likely it is; no property limits how long acquire() takes"},
      {.what = "a release wakes no client: all sleep for the TTL that they were told",
       .instead = "no property limits how long acquire() takes"},
      {.what = "writers that come without a break leave readers hardly a chance, for they sleep",
       .instead = "the new client that recovery asks about is a writer"},
      {.what = "a holder that locks again waits for itself, and its own renewal keeps the key",
       .lesson = "a-holder-that-locks-again-waits-for-itself",
       .repair = "a-holder-is-counted-when-it-locks-again"},
      {.what = "a client that has lost the lock unlocks, and is told nothing",
       .lesson = "unlock-tells-nothing-to-a-client-that-has-lost-the-lock",
       .repair = "a-token-tells-its-holder-that-the-lock-was-lost"},
      {.what = "when the answer to an attempt is lost, nothing takes back what it was granted",
       .lesson = "a-lock-whose-reply-was-lost-blocks-for-a-ttl",
       .repair = "a-lock-that-gives-back-after-a-failure-blocks-nobody"},
      {.what = "a key without an expiry says PTTL -1, and acquire() asks again at once, for ever",
       .instead = "asking too often breaks no property; known_bugs_test shows the sleep of -1ms"},
  };
}

}  // namespace

Card redismutex() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "redismutex",
      .summary =
          "readers share a set, a writer has a string; scripts renew it; the refused sleep out the TTL",
      .source = "document 002; itcomusic/redismutex d97063d",
      .upstream =
          Upstream{.name = "itcomusic/redismutex", .language = "Go",
                   .repository = "itcomusic/redismutex",
                   .commit = "d97063d9ea076bee3155a8a30187277eddf23750",
                   .excerpts = {{"lua/lock.lua", 1, 11, "e8556d297b6ff7b2"},
                                {"lua/rlock.lua", 1, 14, "a647c94994c8ea11"},
                                {"lua/refresh.lua", 1, 10, "83fd59ca04020280"},
                                {"lua/unlock.lua", 1, 12, "fd843e89f54ceb09"},
                                {"lock.go", 51, 57, "583c77680c8d4095"},
                                {"lock.go", 59, 93, "0623d72b7e93ec58"}},
                   .files = {{"lua/lock.lua", "e8556d297b6ff7b2"},
                             {"lua/rlock.lua", "a647c94994c8ea11"},
                             {"lua/refresh.lua", "83fd59ca04020280"},
                             {"lua/unlock.lua", "fd843e89f54ceb09"},
                             {"lock.go", "c1975960e154945e"}}},
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{owner_only_release, owner_only_change, recovery}, every_fault}},
      .bugs = known_bugs(),
      .driver_retries = 3,
      .belief = Belief::notified,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply,
                  Belief::notified},
      .parameters = {{"ttl", Parameter::Kind::duration, "4s", "of the key; less than 2s counts as 4s"},
                     {"intent",
                      Parameter::Kind::choice,
                      "no",
                      "yes: a waiting writer keeps new readers out",
                      {"no", "yes"}},
                     {"blocking",
                      Parameter::Kind::choice,
                      "yes",
                      "no: TryLock and TryRLock, which never announce",
                      {"yes", "no"}},
                     how_scripts_are_sent()},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<Redismutex>(params);
      },
      .renews = true,
      .has_readers = true,
  };
}

}  // namespace holdfast::algorithms
