// What real locks cost, by Google Benchmark: the cases of `holdfast bench live`, on a private server.
#include <benchmark/benchmark.h>

#include <cstdio>

#include "bench/live_cases.hpp"
#include "sim/live/usable_server.hpp"

namespace holdfast::bench {
namespace {

void perform(benchmark::State& state, const LiveCase& of, const live::ServerForRun& server) {
  constexpr std::uint64_t batch = 2000;
  std::uint64_t commands = 0;
  for (auto _ : state) {
    const LiveMeasurement did = execute(of, server.address(), server.key_prefix(), batch);
    commands += did.commands;
    state.SetIterationTime(did.seconds);
  }
  const auto pairs = static_cast<std::int64_t>(state.iterations() * batch);
  state.SetItemsProcessed(pairs);
  state.counters["commands"] = static_cast<double>(commands) / static_cast<double>(pairs);
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
  using namespace holdfast;
  try {
    const live::ServerForRun server = live::ServerForRun::private_one();
    for (const bench::LiveCase& each : bench::live_cases())
      benchmark::RegisterBenchmark(
          each.name.c_str(),
          [&server, each](benchmark::State& state) { bench::perform(state, each, server); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 64;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
  } catch (const live::NoServer& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 69;
  }
}
