// node-redlock-4: redlock as npm installs it: asks all servers, looks whether it was in time, gives back if
// not.
#include <algorithm>
#include <vector>

#include "algorithms/claims.hpp"
#include "algorithms/quorum.hpp"
#include "algorithms/replies.hpp"
#include "algorithms/scripts_sent.hpp"
#include "sim/core/any_of.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {
namespace of_node_redlock_4 {

// Refuses a key that exists, also with the caller's own value.
constexpr const char* lock_script =
    "for i, key in ipairs(KEYS) do if redis.call('exists', key) == 1 then return 0 end end"
    " for i, key in ipairs(KEYS) do redis.call('set', key, ARGV[1], 'PX', ARGV[2]) end return #KEYS";
constexpr const char* unlock_script =
    "local count = 0 for i, key in ipairs(KEYS) do if redis.call('get', key) == ARGV[1] then"
    " redis.pcall('del', key) count = count + 1 end end return count";

class NodeRedlock4 final : public Lock {
 public:
  explicit NodeRedlock4(const Params& params)
      : ttl_(params.duration("ttl")),
        retry_delay_(params.duration("retry-delay")),
        retry_jitter_(params.duration("retry-jitter")),
        retries_(params.choice("blocking") == "yes" ? params.count("retry-count") : 0),
        by_digest_(params.choice("scripts") == "evalsha") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    // One value for all tries.
    const std::string value = env.random.token();
    for (std::int64_t tries = 1;; ++tries) {
      env.loop_head(Args(value, tries));
      // Date.now(), as a number of milliseconds.
      const WallTime start = env.clock.wall();
      const bool is_set = co_await have_majority(env, lock_script, key, Args(value, to_milliseconds(ttl_)));
      if (is_set && start + ttl_ - drift() > env.clock.wall()) {
        Grant grant(value);
        grant.lease = ttl_ - drift();
        co_return Attempt(grant);
      }
      env.loop_head(Args(value, tries));
      // Whatever the servers say.
      co_await have_majority(env, unlock_script, key, Args(value));
      if (tries > retries_) break;
      const Duration wait = retry_delay_ - retry_jitter_ + env.random.jitter(2 * retry_jitter_);
      co_await env.clock.sleep(std::max(Duration::zero(), wait));
    }
    co_return Attempt::refused("Exceeded the attempts to lock the resource");
  }

  // One error for all reasons: "Unable to fully release the lock on resource".
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const bool is_released = co_await have_majority(env, unlock_script, key, Args(grant.token));
    co_return is_released ? Release::released : Release::unknown;
  }

 private:
  // Math.round(driftFactor * ttl) + 2, in milliseconds.
  Duration drift() const { return std::chrono::milliseconds((to_milliseconds(ttl_) + 50) / 100 + 2); }

  // Whether a majority answers 1. All answers are waited for.
  Task<bool> have_majority(Env& env, std::string script, std::string key, Args args) {
    std::vector<Reply> replies;
    if (by_digest_) {
      AnyOf<Reply> asked;
      for (std::uint32_t node = 0; node < env.stores.size(); ++node)
        asked.begin(node, by_digest(env, node, script, key, args));
      while (!asked.is_empty()) {
        const auto ended = co_await asked.next();
        replies.push_back(ended.result);
      }
    } else {
      const Command whole("EVAL", script, 1, key, args.list());
      const std::vector<Reply> answers = co_await env.ask_all(whole);
      replies = answers;
    }
    const auto votes =
        std::count_if(replies.begin(), replies.end(), [](const Reply& reply) { return reply.is(1); });
    co_return is_majority(static_cast<std::size_t>(votes), env.stores.size());
  }

  Task<Reply> by_digest(Env& env, std::uint32_t node, std::string script, std::string key, Args args) {
    const Reply reply = co_await Redis(*env.stores[node]).evalsha(sha1_hex(script), Keys(key), args);
    if (!is_unknown_script(reply)) co_return reply;
    const Reply whole = co_await Redis(*env.stores[node]).eval(script, Keys(key), args);
    co_return whole;
  }

  Duration ttl_;
  Duration retry_delay_;
  Duration retry_jitter_;
  std::int64_t retries_;
  bool by_digest_;
};

constexpr std::string_view lesson =
    "The Redlock that npm installs: version 4.2.0 of 2020, for version 5 was never finished. What the head "
    "(node-redlock) lost, it has: the try is measured by Date.now() from before the first request, and a "
    "majority that comes too late is given back and tried again; every failed try is given back; a tie is no "
    "majority. It waits for all servers, though: one that does not answer delays each try by as long as the "
    "driver waits, and what is left of the lease then is what the work has, down to a millisecond. Nobody "
    "looks at lock.expiration later. One value serves all tries, so an unlock that travels longer than the "
    "next try takes deletes what that one has set. extend() is the caller's.";

constexpr Protocol protocol{
    .acquire =
        "EVALSHA, and EVAL where the script is unknown, of EXISTS and SET with PX, on all servers at once; "
        "if "
        "no majority has set it in time GET and DEL everywhere; ten more tries with the same value",
    .release = "EVALSHA, and EVAL where the script is unknown, of GET and DEL, once on all servers",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "a server that does not answer leaves next to nothing of the lease to the work",
       .lesson = "redlock-4-that-waits-for-a-silent-server-has-no-lease-left-for-the-work",
       .repair = "redlock-4-with-a-lease-that-outlasts-a-silent-server-keeps-it"},
      {.what = "the release of a lease that has ended rejects as if the network had failed",
       .tracker = "mike-marcacci/node-redlock #131",
       .instead = "it is about a text"},
  };
}

}  // namespace of_node_redlock_4
}  // namespace

Card node_redlock_4() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  return Card{
      .id = "node-redlock-4",
      .summary = "Redlock as npm installs it: all servers at once, given back if it was not in time",
      .source = "mike-marcacci/node-redlock 870778c (4.2.0), redlock.js",
      .upstream = Upstream{.name = "redlock of npm, 4.2.0",
                           .language = "JavaScript",
                           .also = {"redlock", "npm redlock"},
                           .repository = "mike-marcacci/node-redlock",
                           .commit = "870778cd520f9649e80f74fa755ee0f12519c683",
                           .excerpts = {{"redlock.js", 9, 38, "149d740e1b842cc6"},
                                        {"redlock.js", 57, 63, "ef2ec2f08b1adb1c"},
                                        {"redlock.js", 231, 288, "f5af19a2fd47a50b"},
                                        {"redlock.js", 347, 445, "f7e805b825973f86"},
                                        {"redlock.js", 452, 464, "edb6d84dfa7a582f"}},
                           .files = {{"redlock.js", "e690af605eb56938"}}},
      .lesson = of_node_redlock_4::lesson,
      .protocol = of_node_redlock_4::protocol,
      // All servers are waited for: whatever keeps one answer away costs the work as much of the lease as the
      // driver waits. Scripts compare, so nobody else's key is touched, and a key without a holder ends.
      .claims = {{{mutual_exclusion, no_stale_write, owner_only_release, owner_only_change, recovery},
                  {none, crash}}},
      .bugs = of_node_redlock_4::known_bugs(),
      .driver =
          "ioredis sends again after a reconnect, which is left out: what goes to several servers at once "
          "is sent once here (read)",
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request},
      .parameters = {{"ttl", Kind::duration, "10s", "how long the keys live; callers must say it"},
                     {"nodes", Kind::count, "3", "how many clients; a majority holds the lock"},
                     {"retry-count", Kind::count, "10", "how often it tries again"},
                     {"retry-delay", Kind::duration, "200ms", "between two tries"},
                     {"retry-jitter", Kind::duration, "100ms", "more or less of that, by chance"},
                     {"blocking", Kind::choice, "yes", "no: the option retryCount is 0", {"yes", "no"}},
                     how_scripts_are_sent()},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<of_node_redlock_4::NodeRedlock4>(params);
      },
      .is_stateless = true,
      .ignores_date = true,
      .waiting = {{"retry-count", "2"}, {"retry-delay", "1s"}, {"retry-jitter", "0s"}},
  };
}

}  // namespace holdfast::algorithms
