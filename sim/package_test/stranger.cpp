// A lock that is no part of holdfast, written against the installed package only.
#include <cstdio>

#include "sim/core/lock.hpp"

namespace {

using namespace holdfast;

// Takes whatever the store says for success.
class Careless final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const Reply reply = co_await env.store().set(key, "mine");
    if (reply.is_lost()) co_return Attempt::failed("no answer");
    Grant grant("mine");
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant) override {
    const Reply reply = co_await env.store().del(key);
    co_return reply.is(1) ? Release::released : Release::unknown;
  }
};

}  // namespace

int main() {
  const Careless lock;
  const Card* const token = algorithms::find("token");
  if (token == nullptr) {
    std::puts("the package knows no lock called token");
    return 1;
  }
  return 0;
}
