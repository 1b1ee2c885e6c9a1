// A million random runs, or as many as HOLDFAST_NIGHTLY_RUNS says; fails on anything that must never happen.
#include <malloc.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "bench/marathon.hpp"

namespace {

constexpr std::int64_t mebibyte = 1 << 20;
constexpr std::int64_t growth_max = 8 * mebibyte;
constexpr std::uint64_t states_max = 300'000;

std::int64_t resident_bytes() {
  malloc_trim(0);
  std::int64_t all_pages = 0;
  std::int64_t resident_pages = 0;
  std::ifstream("/proc/self/statm") >> all_pages >> resident_pages;  // proc(5), in pages
  return resident_pages * 4096;
}

}  // namespace

int main() {
  const char* const asked = std::getenv("HOLDFAST_NIGHTLY_RUNS");
  const std::uint64_t runs = asked == nullptr ? 1'000'000 : std::strtoull(asked, nullptr, 10);
  // What is kept for ever, such as compiled scripts, is there after a first round.
  holdfast::bench::run_marathon(1, 1, 0);
  const std::int64_t before = resident_bytes();
  const auto begin = std::chrono::steady_clock::now();
  const holdfast::bench::Marathon done = holdfast::bench::run_marathon(runs, 1, states_max);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::int64_t growth = resident_bytes() - before;
  std::printf("%llu runs, %llu steps, %llu cells in %.0f s\n", static_cast<unsigned long long>(done.runs),
              static_cast<unsigned long long>(done.steps), static_cast<unsigned long long>(done.cells),
              seconds);
  std::printf("%llu samples drawn twice, %llu counterexamples replayed, %llu samples beside a closed space\n",
              static_cast<unsigned long long>(done.repeated), static_cast<unsigned long long>(done.replayed),
              static_cast<unsigned long long>(done.confirmed));
  std::printf("memory: %+lld KiB\n", static_cast<long long>(growth / 1024));
  for (const std::string& complaint : done.complaints) std::printf("FAILED: %s\n", complaint.c_str());
  if (growth > growth_max) std::printf("FAILED: memory grew\n");
  return done.complaints.empty() && growth <= growth_max ? 0 : 1;
}
