// node-redlock: Redlock whose acquire neither looks at the validity nor cleans up after a failed try.
#include <span>
#include <vector>

#include "algorithms/quorum.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/lock.hpp"

namespace holdfast::algorithms {
namespace {

// Refuses a key that exists, also with the caller's own value.
constexpr const char* acquire_script =
    "for i, key in ipairs(KEYS) do if redis.call('exists', key) == 1 then return 0 end end"
    " for i, key in ipairs(KEYS) do redis.call('set', key, ARGV[1], 'PX', ARGV[2]) end return #KEYS";
constexpr const char* release_script =
    "local count = 0 for i, key in ipairs(KEYS) do if redis.call('get', key) == ARGV[1] then"
    " redis.pcall('del', key) count = count + 1 end end return count";

struct Votes {
  std::size_t yes = 0;
  std::size_t no = 0;
};

Votes votes_in(const std::vector<Reply>& replies) {
  Votes votes;
  for (const Reply& reply : replies) {
    votes.yes += reply.is(1) ? 1 : 0;
    votes.no += reply.is(1) ? 0 : 1;
  }
  return votes;
}

// Upstream settles as soon as a majority has voted; the other requests may still land. What has no answer yet
// looks lost here, so only answers count: requests that are lost end together, with the driver's timeout.
bool has_majority(std::span<const Reply> replies) {
  std::size_t yes = 0;
  std::size_t no = 0;
  for (const Reply& reply : replies) {
    yes += reply.is(1) ? 1 : 0;
    no += reply.is(1) || reply.is_lost() ? 0 : 1;
  }
  return is_majority(yes, replies.size()) || is_majority(no, replies.size());
}

class NodeRedlock final : public Lock {
 public:
  explicit NodeRedlock(const Params& params)
      : ttl_(params.duration("ttl")),
        retry_delay_(params.duration("retry-delay")),
        retry_jitter_(params.duration("retry-jitter")),
        acquire_retries_(params.choice("blocking") == "yes" ? params.count("retry-count") : 0),
        release_retries_(params.choice("release") == "repeated" ? params.count("retry-count") : 0) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    // One value for all tries.
    const std::string value = env.random.token();
    const Command acquire("EVAL", acquire_script, 1, key, value, to_milliseconds(ttl_));
    const Command release("EVAL", release_script, 1, key, value);
    const bool is_granted = co_await execute(env, acquire, value, acquire_retries_);
    if (!is_granted) {
      const std::vector<Reply> ignored = co_await env.ask_all(release).until(has_majority);
      co_return Attempt::refused("The operation was unable to achieve a quorum during its retry window.");
    }
    Grant grant(value);
    grant.lease = ttl_ - drift_of(ttl_);
    co_return Attempt(grant);
  }

  // When no majority says that it has removed the key, one error is raised for all reasons.
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Command release("EVAL", release_script, 1, key, grant.token);
    const bool is_released = co_await execute(env, release, grant.token, release_retries_);
    co_return is_released ? Release::released : Release::unknown;
  }

 private:
  // Whether a majority carries it out, in so many tries more than one. The library's way with every script.
  Task<bool> execute(Env& env, Command command, std::string value, std::int64_t retries) {
    for (std::int64_t tries = 0;; ++tries) {
      // By their words acquire() and release() differ.
      env.loop_head(Args(command.argv().size(), value, tries));
      const std::vector<Reply> replies = co_await env.ask_all(command).until(has_majority);
      const Votes votes = votes_in(replies);
      if (is_majority(votes.yes, env.stores.size())) co_return true;
      // Success and failure both want a majority: with a tie the promise is never settled.
      if (!is_majority(votes.no, env.stores.size())) {
        for (;;) {
          env.loop_head();
          co_await env.clock.sleep(24h);
        }
      }
      if (tries >= retries) co_return false;
      const Duration wait = retry_delay_ - retry_jitter_ + env.random.jitter(2 * retry_jitter_);
      co_await env.clock.sleep(wait);
    }
  }

  Duration ttl_;
  Duration retry_delay_;
  Duration retry_jitter_;
  std::int64_t acquire_retries_;
  std::int64_t release_retries_;
};

constexpr std::string_view lesson =
    "Redlock for Node.js, version 5, as its repository has it: npm installs 4.2.0 (node-redlock-4), or betas "
    "that count the lease from the first of all tries. Here the expiration counts from the start of the try, "
    "rightly; but acquire() never looks at it, so it can return a lock that is over (pull request 369). A "
    "failed try leaves its keys standing, and the next one is refused by them, for the script refuses a key "
    "that exists, also with the caller's own value: a client that got two servers of five blocks itself "
    "until the TTL ends. Success and failure both need more than half of the votes, so with an even number "
    "of servers a tie settles neither, and the caller waits for ever. release() is repeated until a majority "
    "has removed the key: a request that was lost is sent again soon, but a majority that did so and whose "
    "answers were lost can only say no from then on. So after a lost answer, and of a lease that has ended, "
    "it takes 11 tries and throws that no quorum was reached (168, 131), which many take for an error of the "
    "network. Users asked to count the lease from the moment of the answer instead (166): that would have "
    "been the bug.";

constexpr Protocol protocol{
    .acquire =
        "EVAL of EXISTS and SET with PX on all servers at once; a majority settles it; a failed try is "
        "repeated with the same value",
    .release = "EVAL of GET and DEL everywhere, again and again until a majority has removed the key",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "acquire() does not look whether it was in time, and returns a lock that is over",
       .tracker = "mike-marcacci/node-redlock pull request 369",
       .lesson = "a-lock-that-is-over-when-it-is-granted",
       .repair = "a-lock-that-was-granted-too-late-is-given-back"},
      {.what = "a failed try leaves its keys standing, and they refuse the next one",
       .tracker = "mike-marcacci/node-redlock pull request 369",
       .instead = "no property says that acquire() must succeed; known_bugs_test shows it"},
      {.what = "with an even number of servers a tie is never settled",
       .instead = "the caller waits for ever, and only runs that end are judged"},
      {.what = "the release of a lease that has ended throws that there was no quorum",
       .tracker = "mike-marcacci/node-redlock #168, #131",
       .instead = "it is about a text"},
  };
}

}  // namespace

Card node_redlock() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "node-redlock",
      .summary = "Redlock that does not look whether it was in time, and is refused by its own failed try",
      .source = "mike-marcacci/node-redlock afe5cf9, the head: after 5.0.0-beta.2, and not published",
      .upstream =
          Upstream{.name = "redlock, the head", .language = "JavaScript",
                   .repository = "mike-marcacci/node-redlock",
                   .commit = "afe5cf92c8247ba7b65b4ae36230f415493c44f0",
                   .excerpts = {{"src/index.ts", 12, 27, "4a91f7051e3d123f"},
                                {"src/index.ts", 46, 58, "d3e3fd0f17a53b76"},
                                {"src/index.ts", 297, 341, "4884602e8f3713a9"},
                                {"src/index.ts", 350, 364, "72d7ca0a30adf607"},
                                {"src/index.ts", 416, 471, "35fc2be0d5b7ca0f"},
                                {"src/index.ts", 473, 550, "9fd60e8f554fdfda"},
                                {"src/index.ts", 552, 624, "7833802bb5388a1f"}},
                   .files = {{"src/index.ts", "be89068fdea8dfa3"}}},
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write, owner_only_release, owner_only_change, truthful_release,
                   recovery},
                  {none}}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request},
      .parameters = {{"ttl", Parameter::Kind::duration, "10s", "duration: how long the keys live"},
                     {"nodes", Parameter::Kind::count, "3", "how many clients; a majority holds the lock"},
                     {"retry-count", Parameter::Kind::count, "10", "how often it tries again"},
                     {"retry-delay", Parameter::Kind::duration, "200ms", "between two tries"},
                     {"retry-jitter", Parameter::Kind::duration, "100ms", "more or less of that, by chance"},
                     {"blocking",
                      Parameter::Kind::choice,
                      "yes",
                      "no: acquire() with retryCount 0",
                      {"yes", "no"}},
                     {"release",
                      Parameter::Kind::choice,
                      "repeated",
                      "repeated: as often as retry-count says, until a majority has removed the key; once: "
                      "release() with retryCount 0",
                      {"repeated", "once"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<NodeRedlock>(params);
      },
      .is_stateless = true,
      .waiting = {{"retry-count", "2"}, {"retry-delay", "1s"}, {"retry-jitter", "0s"}},
  };
}

}  // namespace holdfast::algorithms
