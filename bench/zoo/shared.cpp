// A lock for readers and writers on one server: a writer's key is its token, that of readers the set of
// theirs.
#include "bench/zoo/host.hpp"
#include "bench/zoo/zoo.hpp"

namespace holdfast::zoo {
namespace {

constexpr const char* read =
    "if redis.call('TYPE', KEYS[1]).ok == 'string' then return 0 end "
    "redis.call('SADD', KEYS[1], ARGV[1]) "
    "if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end "
    "return 1";
constexpr const char* read_and_cut =
    "if redis.call('TYPE', KEYS[1]).ok == 'string' then return 0 end "
    "redis.call('SADD', KEYS[1], ARGV[1]) redis.call('PEXPIRE', KEYS[1], ARGV[2]) return 1";
constexpr const char* read_without_extending =
    "if redis.call('TYPE', KEYS[1]).ok == 'string' then return 0 end "
    "redis.call('SADD', KEYS[1], ARGV[1]) "
    "if redis.call('SCARD', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 1";
constexpr const char* read_beside_a_writer =
    "if redis.call('TYPE', KEYS[1]).ok == 'string' then return 1 end "
    "redis.call('SADD', KEYS[1], ARGV[1]) redis.call('PEXPIRE', KEYS[1], ARGV[2]) return 1";
constexpr const char* read_counted =
    "local held = redis.call('GET', KEYS[1]) "
    "if held and not tonumber(held) then return 0 end "
    "redis.call('INCR', KEYS[1]) redis.call('PEXPIRE', KEYS[1], ARGV[2]) return 1";
constexpr const char* write =
    "if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end return 0";
constexpr const char* write_over_readers =
    "if redis.call('TYPE', KEYS[1]).ok == 'set' then redis.call('DEL', KEYS[1]) end "
    "if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end return 0";
constexpr const char* leave =
    "if redis.call('TYPE', KEYS[1]).ok == 'set' then return redis.call('SREM', KEYS[1], ARGV[1]) end "
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
constexpr const char* leave_and_send_all_home =
    "if redis.call('TYPE', KEYS[1]).ok == 'set' then return redis.call('DEL', KEYS[1]) end "
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
constexpr const char* leave_counted =
    "local held = redis.call('GET', KEYS[1]) "
    "if held == ARGV[1] then return redis.call('DEL', KEYS[1]) end "
    "if not held or not tonumber(held) then return 0 end "
    "if redis.call('DECR', KEYS[1]) < 1 then redis.call('DEL', KEYS[1]) end return 1";

class Shared final : public Host {
 public:
  using Host::Host;

  Task<Attempt> acquire(Env& env, std::string key, Mode mode) override {
    const std::string token = env.random.token();
    const Reply reply =
        co_await Redis(env.store()).eval(entrance(mode), Keys(key), Args(token, to_milliseconds(ttl_)));
    co_return told_by(reply, token);
  }

 private:
  const char* entrance(Mode mode) const {
    if (mode == Mode::exclusive) return has("writes-over-readers") ? write_over_readers : write;
    if (has("counts-its-readers")) return read_counted;
    if (has("does-not-extend-for-the-second-reader")) return read_without_extending;
    if (has("cuts-the-lease-of-others")) return read_and_cut;
    return has("reads-beside-a-writer") ? read_beside_a_writer : read;
  }
  const char* exit() const override {
    if (has("counts-its-readers")) return leave_counted;
    return has("first-reader-out-sends-all-home") ? leave_and_send_all_home : leave;
  }
};

}  // namespace

Card shared() {
  return card_of<Shared>("shared", "readers share a set of tokens, a writer's key is its token",
                         {"writes-over-readers", "reads-beside-a-writer", "counts-its-readers",
                          "does-not-extend-for-the-second-reader", "cuts-the-lease-of-others",
                          "first-reader-out-sends-all-home"});
}

}  // namespace holdfast::zoo
