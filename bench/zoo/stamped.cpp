// A lock on one server whose value is "TOKEN END": who finds the end past, by the server's clock, takes it
// over.
#include "bench/zoo/host.hpp"
#include "bench/zoo/zoo.hpp"

namespace holdfast::zoo {
namespace {

// ARGV: token, lease in ms, and the time in ms where the client brings it along.
constexpr const char* take =
    "local time = redis.call('TIME') local now = ARGV[3] or time[1] * 1000 + math.floor(time[2] / 1000) "
    "local last = string.match(redis.call('GET', KEYS[1]) or '', ' (%d+)$') "
    "if last and tonumber(now) <= tonumber(last) then return 0 end "
    "redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. string.format('%.0f', now + ARGV[2])) return 1";
constexpr const char* give_back =
    "if string.match(redis.call('GET', KEYS[1]) or '', '^[^ ]*') == ARGV[1] then "
    "return redis.call('DEL', KEYS[1]) end return 0";

class Stamped final : public Host {
 public:
  using Host::Host;

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const Reply reply = co_await Redis(env.store()).eval(take, Keys(key), arguments(env, token));
    co_return told_by(reply, token);
  }

 private:
  const char* exit() const override { return give_back; }
  Args arguments(Env& env, const std::string& token) const {
    if (!has("brings-its-own-time")) return Args(token, to_milliseconds(ttl_));
    return Args(token, to_milliseconds(ttl_), to_milliseconds(env.clock.wall().time_since_epoch()));
  }
};

}  // namespace

Card stamped() {
  return card_of<Stamped>("stamped", "the end of the lease is the value, by the server's clock",
                          {"brings-its-own-time"});
}

}  // namespace holdfast::zoo
