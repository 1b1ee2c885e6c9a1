// lua-setnx-expire: SETNX and EXPIRE inside one script.
#include <chrono>

#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

constexpr const char* setnx_and_expire =
    "if redis.call('setnx',KEYS[1],ARGV[1]) == 1 then"
    " redis.call('expire',KEYS[1],ARGV[2]) return 1 else return 0 end";

// What the caller passes to EXPIRE, which takes whole seconds.
std::string expire_argument(Duration ttl, std::string_view unit) {
  const std::int64_t milliseconds = to_milliseconds(ttl);
  if (unit == "printed") return std::to_string(milliseconds);
  if (unit == "repaired") return std::to_string(std::chrono::ceil<std::chrono::seconds>(ttl).count());
  std::string quotient = std::to_string(milliseconds / 1000);
  const std::string thousandths = std::to_string(1000 + milliseconds % 1000).substr(1);
  const std::size_t digits = thousandths.find_last_not_of('0') + 1;
  if (digits > 0) quotient.append(".").append(thousandths, 0, digits);
  return quotient;
}

class LuaSetnxExpire final : public Lock {
 public:
  explicit LuaSetnxExpire(const Params& params)
      : ttl_(params.duration("ttl")),
        expire_argument_(expire_argument(ttl_, params.choice("expire-unit"))),
        takes_zero_for_success_(params.choice("zero-is") == "success") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string value = "1234";
    const Args args(value, expire_argument_);
    const Reply created = co_await Redis(env.store()).eval(setnx_and_expire, Keys(key), args);
    // `if not res`: 0 is true in Lua.
    if (is_failure(created)) co_return Attempt::failed("failed to eval script: " + error_of(created));
    if (!created.is(1) && !takes_zero_for_success_) co_return Attempt::refused("eval result: 0");
    Grant grant(value);
    grant.lease = ttl_;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant) override {
    const Reply deleted = co_await Redis(env.store()).del(key);
    co_return release_by(deleted);
  }

 private:
  Duration ttl_;
  std::string expire_argument_;
  bool takes_zero_for_success_;
};

constexpr std::string_view lesson =
    "A script runs alone on the server, so no other client can come, and no client can die, between its "
    "SETNX and its EXPIRE. The code around it loses that: it asks `if not res`, the script answers 0 when "
    "another holds the lock, and in Lua 0 is true. So every client is granted the lock, without any fault. "
    "zero-is=refusal reads the 0, and then the rest shows. A script that stops with an error keeps what it "
    "has written: it is undivided, not all-or-nothing. As printed, it passes 1000, meant as milliseconds, to "
    "EXPIRE, which takes seconds: the one-second lease lasts 16 minutes and 40 seconds, and a crashed "
    "holder, an answer that got lost, or a client that was paused until it gave up blocks all others for as "
    "long. The obvious correction, dividing by 1000 in the caller (expire-unit=divided), is right for whole "
    "seconds only: with ttl 1.5s EXPIRE gets \"1.5\", the script fails after its SETNX, and the key stays "
    "without any TTL, for ever. expire-unit=repaired rounds up to whole seconds. With both repaired, the "
    "release is what remains: a holder that outlives the lease shares the lock with the next one, and its "
    "plain DEL, like one that arrives late, deletes a lock that is not its own. Repair: SET with PX and NX "
    "(set-nx-px), and an owner in the value (token).";

constexpr Protocol protocol{
    .acquire = "EVAL of SETNX and EXPIRE, one script; 1 grants, and so does 0",
    .release = "DEL key",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "the script answers 0 when another holds, and 0 is true in Lua: every caller is granted",
       .lesson = "a-zero-taken-for-success-excludes-nobody",
       .repair = "a-zero-that-is-read-keeps-the-second-client-out"},
      {.what =
           "EXPIRE takes seconds and is given milliseconds: a crash blocks for an hour instead of seconds",
       .lesson = "milliseconds-given-to-expire-block-for-an-hour-after-a-crash",
       .repair = "seconds-given-to-expire-let-the-lock-recover-after-a-crash"},
      {.what = "a script that fails at EXPIRE keeps what SETNX has written",
       .lesson = "a-script-that-fails-keeps-what-it-has-written",
       .repair = "seconds-given-to-expire-let-the-lock-recover-after-a-crash"},
      {.what = "DEL removes whatever is there, after the lease the lock of another",
       .lesson = "a-script-that-takes-the-lock-does-not-protect-it-from-del",
       .repair = "a-token-keeps-a-slow-holder-from-deleting-the-lock-of-another"},
  };
}

}  // namespace

Card lua_setnx_expire() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "lua-setnx-expire",
      .summary = "one script does SETNX and EXPIRE, as printed in milliseconds and with 0 for success; DEL",
      .source = "document 004, way three (shows no release); Redis documentation, EVAL, EXPIRE",
      .lesson = lesson,
      .protocol = protocol,
      // No call is refused, so nobody stays locked out, and EXPIRE follows only on its own SETNX.
      .claims = {{{owner_only_change, recovery}, every_fault}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Parameter::Kind::duration, "1s", "the lease that is meant"},
                     {"expire-unit",
                      Parameter::Kind::choice,
                      "printed",
                      "EXPIRE gets. printed: the milliseconds; divided: them / 1000; repaired: whole seconds",
                      {"printed", "divided", "repaired"}},
                     {"zero-is",
                      Parameter::Kind::choice,
                      "success",
                      "what an answer of 0 counts as. success: as printed; refusal: repaired",
                      {"success", "refusal"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<LuaSetnxExpire>(params);
      },
      .is_stateless = true,
  };
}

}  // namespace holdfast::algorithms
