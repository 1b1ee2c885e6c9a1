// A lock on one server whose key is a hash: who owns it, and how many were refused.
#include "bench/zoo/host.hpp"
#include "bench/zoo/zoo.hpp"

namespace holdfast::zoo {
namespace {

// ARGV: token, lease in ms.
constexpr const char* take_or_count =
    "if redis.call('HEXISTS', KEYS[1], 'owner') == 0 then redis.call('HSET', KEYS[1], 'owner', ARGV[1]) "
    "redis.call('PEXPIRE', KEYS[1], ARGV[2]) return 1 end "
    "redis.call('HINCRBY', KEYS[1], 'refused', 1) return 0";
constexpr const char* take_or_write_over =
    "if redis.call('HSETNX', KEYS[1], 'owner', ARGV[1]) == 1 then "
    "redis.call('PEXPIRE', KEYS[1], ARGV[2]) return 1 end "
    "redis.call('HSET', KEYS[1], 'owner', ARGV[1]) return 0";
constexpr const char* compare_and_delete_hash =
    "if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
constexpr const char* delete_hash = "return redis.call('DEL', KEYS[1])";
constexpr const char* delete_owner = "return redis.call('HDEL', KEYS[1], 'owner')";

class Tallied final : public Host {
 public:
  using Host::Host;

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const char* const script = has("writes-over-the-owner") ? take_or_write_over : take_or_count;
    const Reply reply =
        co_await Redis(env.store()).eval(script, Keys(key), Args(token, to_milliseconds(ttl_)));
    co_return told_by(reply, token);
  }

 private:
  const char* exit() const override {
    if (has("deletes-the-hash-blindly")) return delete_hash;
    return has("deletes-the-owner-blindly") ? delete_owner : compare_and_delete_hash;
  }
};

}  // namespace

Card tallied() {
  return card_of<Tallied>("tallied", "a hash with the owner, and a count of those who were refused",
                          {"deletes-the-hash-blindly", "deletes-the-owner-blindly", "writes-over-the-owner"});
}

}  // namespace holdfast::zoo
