// Times of benchmarks: samples, what can be said of them, and the JSON of Google Benchmark, which has both.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::cli {

struct Series {
  std::string name;
  std::vector<double> times;  // nanoseconds, one for each repetition
};

struct Measured {
  nlohmann::ordered_json context = nlohmann::ordered_json::object();  // the machine and the build
  std::vector<Series> series;
};

// This machine and this build, as the "context" of Google Benchmark.
nlohmann::ordered_json context_here();
// One repetition of one benchmark, as Google Benchmark writes it. Times are those of one iteration.
nlohmann::ordered_json benchmark_json(const std::string& name, std::size_t repetition,
                                      std::uint64_t iterations, double real_ns, double cpu_ns);

// "context" and "benchmarks" of `json`. A time is the processor's, or the clock's where the name ends in
// /real_time, as Google Benchmark names it. Throws UserError; aggregates say too little to be compared.
Measured read_measured(const std::string& file, const nlohmann::ordered_json& json);

// Between which bounds the median of what was sampled lies, with a confidence of at least 97.5 %: two such
// intervals are right together in at least 95 % of cases. By the order of the samples alone, for any
// distribution. Empty for fewer than repetitions_min samples.
struct Interval {
  double low = 0;
  double median = 0;
  double high = 0;
};
constexpr std::size_t repetitions_min = 7;
std::optional<Interval> interval_of(std::vector<double> times);

// The benchmarks of `holdfast bench engine` that the globs mean; none without globs. Throws UserError.
std::vector<std::string> benchmarks_called(const std::vector<std::string>& globs);

// Takes `repetitions` more samples of each of `names` with each of `programs`: one repetition of all after
// the other, the programs taking turns in being first, so that what disturbs the machine for a while disturbs
// all alike. Ends early, with false, when is_over() says so. Throws UserError when a program cannot measure.
bool measure_in_turns(const std::vector<std::pair<std::string, Measured*>>& programs,
                      const std::vector<std::string>& names, std::size_t repetitions,
                      const std::function<bool()>& is_over);

}  // namespace holdfast::cli
