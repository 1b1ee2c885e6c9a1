#include "sim/cli/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <thread>

#include "sim/cli/json_file.hpp"
#include "sim/cli/options.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name") && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  return "unknown";
}

double nanoseconds_in(const std::string& file, const std::string& unit, const std::string& pointer) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{
      {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
  for (const auto& [name, nanoseconds] : units)
    if (name == unit) return nanoseconds;
  refuse_json(file, fmt::format("unknown unit \"{}\" · allowed: ns, us, ms, s", unit), pointer);
}

// A repetition, as (name, nanoseconds); nothing for an aggregate.
std::optional<std::pair<std::string, double>> sample_of(const std::string& file, const Json& entry,
                                                        const std::string& pointer) {
  if (!entry.is_object()) refuse_json(file, "expected an object", pointer);
  const auto text = [&](const char* key, const std::string& otherwise) -> std::string {
    const auto found = entry.find(key);
    if (found == entry.end()) return otherwise;
    if (!found->is_string()) refuse_json(file, "expected a text", pointer + "/" + key);
    return *found;
  };
  if (text("run_type", "iteration") != "iteration") return std::nullopt;
  const std::string name = text("run_name", text("name", ""));
  if (name.empty()) refuse_json(file, "expected a name", pointer + "/name");
  const char* key = name.ends_with("/real_time") ? "real_time" : "cpu_time";
  const auto time = entry.find(key);
  if (time == entry.end() || !time->is_number() || !std::isfinite(time->get<double>()) ||
      time->get<double>() <= 0)
    refuse_json(file, "expected a time above zero", fmt::format("{}/{}", pointer, key));
  return std::pair(name, time->get<double>() * nanoseconds_in(file, text("time_unit", "ns"), pointer));
}

}  // namespace

Json context_here() {
  return Json{{"processor", processor()},
              {"num_cpus", std::thread::hardware_concurrency()},
#ifdef __clang__
              {"compiler", fmt::format("clang {}", __clang_major__)},
#else
              {"compiler", fmt::format("g++ {}", __GNUC__)},
#endif
#ifdef __OPTIMIZE__
              {"library_build_type", "release"},
#else
              {"library_build_type", "debug"},
#endif
              {"json_schema_version", 1}};
}

Json benchmark_json(const std::string& name, std::size_t repetition, std::uint64_t iterations, double real_ns,
                    double cpu_ns) {
  return Json{{"name", name},
              {"run_name", name},
              {"run_type", "iteration"},
              {"repetition_index", repetition},
              {"iterations", iterations},
              {"real_time", real_ns},
              {"cpu_time", cpu_ns},
              {"time_unit", "ns"}};
}

Measured read_measured(const std::string& file, const Json& json) {
  Measured measured;
  const auto entries = json.find("benchmarks");
  if (entries == json.end()) return measured;
  if (!entries->is_array()) refuse_json(file, "expected a list", "/benchmarks");
  if (const auto context = json.find("context"); context != json.end() && context->is_object())
    measured.context = *context;
  for (std::size_t i = 0; i < entries->size(); ++i) {
    const auto sample = sample_of(file, (*entries)[i], fmt::format("/benchmarks/{}", i));
    if (!sample) continue;
    const auto is_it = [&](const Series& each) { return each.name == sample->first; };
    auto series = std::find_if(measured.series.begin(), measured.series.end(), is_it);
    if (series == measured.series.end()) series = measured.series.insert(series, Series{sample->first, {}});
    series->times.push_back(sample->second);
  }
  if (measured.series.empty() && !entries->empty())
    refuse_json(file, "there are only aggregates here, no repetitions (--benchmark_report_aggregates_only)",
                "/benchmarks");
  return measured;
}

std::optional<Interval> interval_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const std::size_t count = times.size();
  // The number of samples below the median has the binomial distribution of `count` and 1/2. So the median
  // lies below the sample of rank r, from zero, with a probability of at most P(at most r samples are below).
  double probability = std::exp2(-static_cast<double>(count));
  double below = 0;
  std::size_t rank = 0;
  for (std::size_t below_count = 0; below_count < count / 2; ++below_count) {
    below += probability;
    if (2 * below > 0.025) break;
    rank = below_count + 1;
    probability *= static_cast<double>(count - below_count) / static_cast<double>(below_count + 1);
  }
  if (rank == 0) return std::nullopt;
  const double median = (times[count / 2] + times[(count - 1) / 2]) / 2;
  return Interval{times[rank - 1], median, times[count - rank]};
}

}  // namespace holdfast::cli
