// A lock on one server whose acquire() waits: it asks every second until its time is over.
#include "bench/zoo/host.hpp"
#include "bench/zoo/zoo.hpp"

namespace holdfast::zoo {
namespace {

class Waiting final : public Host {
 public:
  explicit Waiting(const Params& params)
      : Host(params), timeout_(params.duration("timeout")), waits_(params.choice("blocking") == "yes") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const Stopwatch waited(env.clock);
    bool is_first = true;
    for (;;) {
      SetOptions options;
      options.px(ttl_);
      if (is_first || !has("asks-again-without-nx-when-it-waited")) options.nx();
      const Reply reply = co_await Redis(env.store()).set(key, token, options);
      if (reply.is_ok()) co_return granted(token);
      if (reply.is_lost()) co_return Attempt::failed("no answer");
      if (!waits_ || waited.elapsed() >= timeout_) break;
      is_first = false;
      co_await env.clock.sleep(1s);
    }
    if (waits_ && has("takes-the-end-of-its-wait-for-a-grant")) co_return granted(token);
    if (waits_ && has("cleans-up-when-its-wait-is-over")) co_await Redis(env.store()).del(key);
    co_return Attempt::refused("held");
  }

 private:
  const Duration timeout_;
  const bool waits_;
};

}  // namespace

Card waiting() {
  return card_of<Waiting>(
      "waiting", "as leased, and acquire() asks again until its time is over",
      {"asks-again-without-nx-when-it-waited", "takes-the-end-of-its-wait-for-a-grant",
       "cleans-up-when-its-wait-is-over"},
      {{"timeout", Parameter::Kind::duration, "1s", "how long acquire() waits"},
       {"blocking", Parameter::Kind::choice, "yes", "no: acquire() asks once", {"yes", "no"}}});
}

}  // namespace holdfast::zoo
