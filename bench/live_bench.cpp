// What real locks cost, by Google Benchmark: the cases of `holdfast bench live`, on private servers.
#include <benchmark/benchmark.h>

#include <cstdio>

#include "bench/live_cases.hpp"
#include "sim/live/usable_server.hpp"

namespace holdfast::bench {
namespace {

void perform(benchmark::State& state, const LiveCase& of, const std::vector<live::ServerForRun>& servers) {
  std::vector<live::Node> nodes;
  for (const live::ServerForRun& server : servers) nodes.emplace_back(server.address());
  constexpr std::uint64_t batch = 2000;
  std::uint64_t commands = 0;
  for (auto _ : state) {
    const LiveMeasurement did = execute(of, nodes, servers.front().key_prefix(), batch);
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
    const std::vector<bench::LiveCase> cases = bench::live_cases();
    std::vector<live::ServerForRun> servers;
    for (const bench::LiveCase& each : cases)
      while (servers.size() < bench::servers_of(each)) servers.push_back(live::ServerForRun::private_one());
    for (const bench::LiveCase& each : cases)
      benchmark::RegisterBenchmark(
          each.name.c_str(),
          [&servers, each](benchmark::State& state) { bench::perform(state, each, servers); })
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
