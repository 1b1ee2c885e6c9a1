// A lock on one server that its holder may acquire again: a hash counts the holds.
#include "bench/zoo/host.hpp"
#include "bench/zoo/zoo.hpp"

namespace holdfast::zoo {
namespace {

// ARGV: holder, lease in ms, and what is wrong. 1: granted.
constexpr const char* enter_again =
    "if redis.call('EXISTS', KEYS[1]) == 1 and (ARGV[3] == 'refuses-its-holder' or "
    "redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0) then return 0 end "
    "if ARGV[3] == 'forgets-how-often' then redis.call('HSET', KEYS[1], ARGV[1], 1) "
    "else redis.call('HINCRBY', KEYS[1], ARGV[1], 1) end "
    "redis.call('PEXPIRE', KEYS[1], ARGV[2]) return 1";
// 0: not the holder.
constexpr const char* leave_once =
    "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end "
    "if redis.call('HINCRBY', KEYS[1], ARGV[1], -1) < 1 then redis.call('DEL', KEYS[1]) end return 1";

constexpr const char* leave_but_once =
    "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end "
    "if redis.call('HINCRBY', KEYS[1], ARGV[1], -1) < 0 then redis.call('DEL', KEYS[1]) end return 1";

class Nested final : public Host {
 public:
  using Host::Host;

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    if (holder_.empty()) holder_ = env.random.token();
    const Args args(holder_, to_milliseconds(ttl_), bug_);
    const Reply reply = co_await Redis(env.store()).eval(enter_again, Keys(key), args);
    co_return told_by(reply, holder_);
  }

 private:
  const char* exit() const override { return has("keeps-a-count-of-nothing") ? leave_but_once : leave_once; }

  std::string holder_;
};

}  // namespace

Card nested() {
  Card card = card_of<Nested>("nested", "its holder may acquire it again; a hash counts the holds",
                              {"forgets-how-often", "refuses-its-holder", "keeps-a-count-of-nothing"});
  card.is_stateless = false;
  return card;
}

}  // namespace holdfast::zoo
