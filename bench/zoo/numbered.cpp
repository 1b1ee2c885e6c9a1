// A lock on one server that numbers its grants: the script that sets the key also counts.
#include "bench/zoo/host.hpp"
#include "bench/zoo/zoo.hpp"

namespace holdfast::zoo {
namespace {

constexpr const char* set_and_count =
    "if redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') then "
    "return redis.call('INCR', KEYS[2]) end return 0";
// The count ends with the lease.
constexpr const char* set_and_count_for_a_lease =
    "if redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') then "
    "local number = redis.call('INCR', KEYS[2]) redis.call('PEXPIRE', KEYS[2], ARGV[2]) return number end "
    "return 0";

class Numbered final : public Host {
 public:
  using Host::Host;

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const std::string counter = key + ":number";
    if (has("counts-before-it-asks")) {
      const Reply counted = co_await Redis(env.store()).incr(counter);
      const Reply set = co_await Redis(env.store()).set(key, token, SetOptions().px(ttl_).nx());
      if (set.is_ok()) co_return numbered(token, counted);
      co_return Attempt::refused("held");
    }
    const char* const script = has("forgets-the-count") ? set_and_count_for_a_lease : set_and_count;
    const Reply counted =
        co_await Redis(env.store()).eval(script, Keys(key, counter), Args(token, to_milliseconds(ttl_)));
    if (counted.is_lost()) co_return Attempt::failed("no answer");
    if (counted.is(0)) co_return Attempt::refused("held");
    if (has("asks-for-its-number-afterwards")) {
      const Reply asked = co_await Redis(env.store()).get(counter);
      co_return numbered(token, asked);
    }
    if (!has("takes-the-time-for-a-number")) co_return numbered(token, counted);
    const std::int64_t now_ms = to_milliseconds(env.clock.wall().time_since_epoch());
    co_return numbered(token, static_cast<std::uint64_t>(now_ms));
  }

 private:
  Attempt numbered(const std::string& token, std::uint64_t number) const {
    Grant grant(token);
    grant.lease = ttl_;
    grant.fence = number;
    return Attempt(grant);
  }
  Attempt numbered(const std::string& token, const Reply& number) const {
    if (number.kind() == Reply::Kind::integer)
      return numbered(token, static_cast<std::uint64_t>(number.number()));
    if (number.kind() == Reply::Kind::bulk) return numbered(token, std::stoull(number.text()));
    return Attempt::failed("no number");
  }
};

}  // namespace

Card numbered() {
  return card_of<Numbered>("numbered",
                           "a lease whose script counts the grants; the resource may look at the numbers",
                           {"counts-before-it-asks", "forgets-the-count", "asks-for-its-number-afterwards",
                            "takes-the-time-for-a-number"});
}

}  // namespace holdfast::zoo
