// Two locks that are no part of holdfast, explored with nothing but the installed package.
#include <cstdio>

#include "sim/core/redis_client.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/explore.hpp"

namespace {

using namespace holdfast;

// Takes every answer for success: SET without NX always succeeds.
class Careless : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const Reply reply = co_await Redis(env.store()).set(key, "mine", options());
    if (!reply.is_ok()) co_return Attempt::refused("not mine");
    Grant grant("mine");
    co_return Attempt(grant);
  }
  Task<Release> release(Env& env, std::string key, Grant) override {
    const Reply reply = co_await Redis(env.store()).del(key);
    co_return reply.is(1) ? Release::released : Release::unknown;
  }

 private:
  virtual SetOptions options() const { return SetOptions(); }
};

class Careful final : public Careless {
  SetOptions options() const override { return SetOptions().nx(); }
};

template <class TheLock>
Verdict mutual_exclusion_of(std::string_view id) {
  Card card;
  card.id = id;
  card.make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<TheLock>(); };
  const Exploration exploration = explore(scenario_of(Comparison(), card, Fault::none), card, Budget());
  for (const PropertyResult& result : exploration.properties)
    if (result.property == Property::mutual_exclusion) return result.verdict;
  return Verdict::unknown;
}

}  // namespace

int main() {
  const Verdict careless = mutual_exclusion_of<Careless>("careless");
  const Verdict careful = mutual_exclusion_of<Careful>("careful");
  std::printf("careless: %s, careful: %s\n", id_of(careless).data(), id_of(careful).data());
  return careless == Verdict::violated && careful == Verdict::holds ? 0 : 1;
}
