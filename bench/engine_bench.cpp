// How fast the engine is, by Google Benchmark: the cases of `holdfast bench engine`. One iteration closes one
// space, or simulates one run.
#include <benchmark/benchmark.h>

#include "bench/engine_cases.hpp"

namespace holdfast::bench {
namespace {

void perform(benchmark::State& state, const EngineCase& of) {
  const Budget unlimited{[] { return false; }, {}};
  Measurement total;
  Measurement last;
  for (auto _ : state) {
    last = execute(of, 1, unlimited);
    total.states += last.states;
    total.transitions += last.transitions;
    total.events += last.events;
  }
  const auto rate = [&](const char* name, std::uint64_t count) {
    state.counters[name] = benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsRate);
  };
  if (of.is_timed()) return rate("events/s", total.events);
  rate("states/s", total.states);
  rate("transitions/s", total.transitions);
  state.counters["bytes/state"] = static_cast<double>(last.table_bytes) / static_cast<double>(last.states);
  state.counters["snapshot"] = static_cast<double>(last.snapshot_bytes);
}

void register_all() {
  for (const std::string& name : usual_engine_cases())
    benchmark::RegisterBenchmark(name.c_str(), perform, *engine_case(name))
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
  holdfast::bench::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 64;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
