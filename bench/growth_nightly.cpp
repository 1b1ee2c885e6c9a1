// Explores for ten minutes, or as long as HOLDFAST_NIGHTLY_SECONDS says, and fails when memory grows: what
// the process holds after each round of the same work stays the same, and what an exploration holds beside
// its table of states is small.
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "bench/engine_cases.hpp"

namespace holdfast::bench {
namespace {

using RealClock = std::chrono::steady_clock;

constexpr std::int64_t mebibyte = 1 << 20;
constexpr std::int64_t growth_max = 4 * mebibyte;   // over all rounds but the first
constexpr std::int64_t beside_max = 96 * mebibyte;  // for each thread: known steps, and copies of states
constexpr std::uint64_t states_max = 1'000'000;     // of one exploration

std::int64_t resident_bytes() {
  std::int64_t all_pages = 0;
  std::int64_t resident_pages = 0;
  std::ifstream("/proc/self/statm") >> all_pages >> resident_pages;  // proc(5), in pages
  return resident_pages * 4096;
}

int failures = 0;
void expect(bool condition, const std::string& otherwise) {
  if (condition) return;
  ++failures;
  std::printf("FAILED: %s\n", otherwise.c_str());
}

// Fails when it holds much beside its table.
void explore_once(const char* name, unsigned threads) {
  EngineCase of = *engine_case(name);
  of.scenario.explore.states_max = states_max;
  const std::int64_t before = resident_bytes();
  std::int64_t peak = before;
  std::uint64_t asked = 0;
  const Budget watching{[&] {
                          if (++asked % 64 == 0) peak = std::max(peak, resident_bytes());
                          return false;
                        },
                        {}};
  const Measurement did = execute(of, threads, watching);
  const std::int64_t beside = peak - before - static_cast<std::int64_t>(did.table_bytes);
  expect(beside <= threads * beside_max, std::string(name) + " holds " + std::to_string(beside / mebibyte) +
                                             " MiB beside its table of " +
                                             std::to_string(did.table_bytes / mebibyte) + " MiB");
}

// What the process holds after one round.
std::int64_t perform_round() {
  explore_once("yardstick/4-2-3-2/token", 1);
  explore_once("yardstick/4-2-3-2/token-lua+reduced", 2);
  explore_once("getset/4-2-1+reduced", 2);
  execute(*engine_case("random/8x1/token"), 1, Budget());
  Scenario sample = engine_case("yardstick/3-2-3-2/token")->scenario;
  sample.explore.strategy = StrategyKind::portfolio;
  sample.explore.runs_max = 2000;
  explore(sample, *algorithms::find("token"), Budget{[] { return false; }, {}});
  malloc_trim(0);
  return resident_bytes();
}

int run(double seconds) {
  const auto begin = RealClock::now();
  std::int64_t first = 0;
  std::int64_t last = 0;
  int rounds = 0;
  // The first round fills what is kept for ever: pools, compiled scripts. The second is what others must
  // keep.
  while (rounds < 3 || std::chrono::duration<double>(RealClock::now() - begin).count() < seconds) {
    last = perform_round();
    if (++rounds == 2) first = last;
  }
  expect(last - first <= growth_max, "memory grew by " + std::to_string(last - first) + " bytes");
  std::printf("%d rounds: %lld KiB after the second, %lld KiB after the last\n", rounds,
              static_cast<long long>(first / 1024), static_cast<long long>(last / 1024));
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace holdfast::bench

int main() {
  const char* const seconds = std::getenv("HOLDFAST_NIGHTLY_SECONDS");
  return holdfast::bench::run(seconds == nullptr ? 600 : std::atof(seconds));
}
