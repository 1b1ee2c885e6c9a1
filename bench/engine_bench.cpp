// How fast the exploration engine is: states and transitions per second, by lock, fault and engine.
// One iteration explores one cell of the default comparison to its end.
#include <benchmark/benchmark.h>

#include "sim/explore/comparison.hpp"
#include "sim/explore/explore.hpp"

namespace holdfast {
namespace {

void explore_cell(benchmark::State& state, const Card& card, Fault fault, Engine engine) {
  const Scenario scenario = scenario_of(Comparison(), card, fault);
  double states = 0;
  double transitions = 0;
  for (auto _ : state) {
    const Exploration found = explore(scenario, card, Budget(), engine);
    states += static_cast<double>(found.states);
    transitions += static_cast<double>(found.transitions);
  }
  state.counters["states/s"] = benchmark::Counter(states, benchmark::Counter::kIsRate);
  state.counters["transitions/s"] = benchmark::Counter(transitions, benchmark::Counter::kIsRate);
}

void register_all() {
  for (const char* id : {"set-nx-px", "token", "getset"})
    for (const Fault fault : {Fault::none, Fault::pause})
      for (const Engine engine : {Engine::snapshots, Engine::replay}) {
        const Card& card = *algorithms::find(id);
        const std::string name = std::string("explore/") + id + "/" + std::string(id_of(fault)) +
                                 (engine == Engine::snapshots ? "/snapshots" : "/replay");
        benchmark::RegisterBenchmark(name.c_str(), explore_cell, card, fault, engine)
            ->Unit(benchmark::kMillisecond);
      }
}

}  // namespace
}  // namespace holdfast

int main(int argc, char** argv) {
  holdfast::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 64;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
