#include "bench/live_cases.hpp"

#include <chrono>

#include "sim/live/raw.hpp"
#include "sim/live/tally.hpp"
#include "sim/live/workload.hpp"

namespace holdfast::bench {
namespace {

using Kind = LiveCase::Kind;

LiveMeasurement execute_lock(const LiveCase& of, const live::Address& address, const std::string& key_prefix,
                             std::uint64_t count) {
  live::Workload workload;
  workload.clients = of.kind == Kind::uncontended ? 1 : of.kind == Kind::contended ? contenders : live_depth;
  workload.locks = of.kind == Kind::shared ? live_depth : 1;
  workload.work = Duration::zero();
  workload.retry = Duration::zero();
  workload.timeout = 10s;
  workload.key_prefix = key_prefix;
  workload.unique = key_prefix + "token-";
  workload.length = std::nullopt;
  workload.pairs = count;
  const Params params(of.card->parameters);
  Trace trace(false);
  const live::RunFacts facts =
      live::perform(address, workload, [&] { return of.card->make(params); }, trace, [] { return false; });
  return {count, facts.commands, std::chrono::duration<double>(facts.length).count()};
}

}  // namespace

std::vector<LiveCase> live_cases() {
  std::vector<LiveCase> cases{{"raw/set/blocking", Kind::blocking},
                              {"raw/set/round-trip", Kind::round_trip},
                              {"raw/set/pipelined-64", Kind::pipelined}};
  for (const Card& card : algorithms::all()) {
    if (card.store != StoreKind::redis) continue;
    const std::string id(card.id);
    cases.push_back({id + "/uncontended", Kind::uncontended, &card});
    cases.push_back({id + "/contended-8", Kind::contended, &card});
    cases.push_back({id + "/pipelined-64", Kind::shared, &card});
  }
  return cases;
}

LiveMeasurement execute(const LiveCase& live_case, const live::Address& address,
                        const std::string& key_prefix, std::uint64_t count) {
  if (live_case.is_lock()) return execute_lock(live_case, address, key_prefix, count);
  const Duration time =
      live_case.kind == Kind::blocking
          ? live::time_of_blocking_sets(address, count)
          : live::time_of_sets(address, count, live_case.kind == Kind::pipelined ? live_depth : 1);
  return {count, count, std::chrono::duration<double>(time).count()};
}

}  // namespace holdfast::bench
