// A lock on one server whose waiters stand in a line. Who stays away for a lease loses its place.
#include "bench/zoo/host.hpp"
#include "bench/zoo/zoo.hpp"

namespace holdfast::zoo {
namespace {

// KEYS: the holder's name; the line, a list of names. Beside the line, each place in it is a key with a
// lease. ARGV: name, lease in ms, and what is wrong. 1: granted.
constexpr const char* enter =
    "local me, bug = ARGV[1], ARGV[3] "
    "local function place(name) return KEYS[2] .. ':' .. name end "
    "if bug ~= 'keeps-the-dead-in-line' then for _, name in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do "
    "if redis.call('EXISTS', place(name)) == 0 then redis.call('LREM', KEYS[2], 0, name) end end end "
    "local function step_out() redis.call('LREM', KEYS[2], 0, me) redis.call('DEL', place(me)) end "
    "if redis.call('EXISTS', place(me)) == 0 then redis.call('RPUSH', KEYS[2], me) end "
    "redis.call('SET', place(me), '1', 'PX', ARGV[2]) "
    "local is_first = redis.call('LINDEX', KEYS[2], 0) == me or bug == 'takes-what-is-free' "
    "if redis.call('EXISTS', KEYS[1]) == 1 or not is_first then "
    "if bug == 'leaves-the-line-to-wait' then step_out() end return 0 end step_out() "
    "redis.call('SET', KEYS[1], me, 'PX', ARGV[2]) return 1";
constexpr const char* leave_line =
    "redis.call('DEL', KEYS[2] .. ':' .. ARGV[1]) redis.call('LREM', KEYS[2], 0, ARGV[1]) "
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

class Queued final : public Host {
 public:
  explicit Queued(const Params& params) : Host(params), waits_(params.choice("blocking") == "yes") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    // Who waits for ever takes a name that comes back, for exploration to recognise what it has seen.
    const std::string me = waits_ ? name_of(env.self()) : env.random.token();
    const Keys keys(key, key + ":line");
    const Args args(me, to_milliseconds(ttl_), bug_);
    for (;;) {
      env.loop_head();
      const Reply reply = co_await Redis(env.store()).eval(enter, keys, args);
      if (reply.is(1)) co_return granted(me);
      if (!waits_) break;
      co_await env.clock.sleep(1s);
    }
    co_await Redis(env.store()).eval(leave_line, keys, Args(me));
    co_return Attempt::refused("others hold it, or wait before");
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Keys keys(key, key + ":line");
    const Reply left = co_await Redis(env.store()).eval(leave_line, keys, Args(grant.token));
    co_return told_by(left);
  }

 private:
  const bool waits_;
};

}  // namespace

Card queued() {
  return card_of<Queued>("queued", "waiters stand in a line on the server",
                         {"keeps-the-dead-in-line", "leaves-the-line-to-wait", "takes-what-is-free"},
                         {{"blocking",
                           Parameter::Kind::choice,
                           "yes",
                           "no: acquire() asks once and leaves the line",
                           {"yes", "no"}}});
}

}  // namespace holdfast::zoo
