#include "sim/cli/bench_live.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "bench/live_cases.hpp"
#include "reports/terminal.hpp"
#include "sim/cli/live_server.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/version.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;
using bench::LiveCase;
using bench::LiveMeasurement;
using Kind = LiveCase::Kind;

// Each case is executed so often, and the median counts: every time beside its plain case, so that a machine
// that is slower for a while is slower for both.
constexpr int rounds = 7;
constexpr double seconds_of_round = 0.1;

struct Row {
  LiveCase of;
  double micros = 0;        // per SET, or per pair
  double commands = 0;      // per pair
  double ratio = 0;         // to as many plain SET as one pair has commands (two, uncontended)
  double ratio_spread = 0;  // between the second best and the second worst round
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

class Bench {
 public:
  explicit Bench(const live::ServerForRun& server) : server_(server) {}

  Row measure(const LiveCase& of, Session& session) {
    const LiveCase plain{"", of.plain()};
    const std::uint64_t count = count_for(of);
    const std::uint64_t plain_count = count_for(plain);
    Row row{of};
    std::vector<double> micros;
    std::vector<double> ratios;
    for (int i = 0; i < rounds && !session.budget().is_exhausted(); ++i) {
      const double plain_micros = execute(plain, plain_count).micros_per_count();
      const LiveMeasurement did = execute(of, count);
      row.commands = static_cast<double>(did.commands) / static_cast<double>(did.count);
      micros.push_back(did.micros_per_count());
      ratios.push_back(micros.back() / plain_micros / (of.is_lock() ? 2 : 1));
    }
    if (micros.empty()) return row;
    row.micros = median(micros);
    row.ratio = median(ratios);
    std::sort(ratios.begin(), ratios.end());
    if (ratios.size() > 2) row.ratio_spread = ratios[ratios.size() - 2] - ratios[1];
    return row;
  }

 private:
  LiveMeasurement execute(const LiveCase& of, std::uint64_t count) {
    return bench::execute(of, server_.address(), fmt::format("{}{}:", server_.key_prefix(), ++executions_),
                          count);
  }
  // So many that one round takes long enough to be measured.
  std::uint64_t count_for(const LiveCase& of) {
    constexpr std::uint64_t least = 20;
    constexpr std::uint64_t most = 200'000;
    std::uint64_t count = least;
    double seconds = execute(of, count).seconds;
    while (seconds < seconds_of_round / 10 && count < most) seconds = execute(of, count *= 10).seconds;
    const double wanted = static_cast<double>(count) * seconds_of_round / seconds;
    return std::clamp(static_cast<std::uint64_t>(wanted), least, most);
  }

  const live::ServerForRun& server_;
  std::uint64_t executions_ = 0;
};

void print_json(const live::ServerForRun& server, const std::vector<Row>& rows) {
  Json json{{"schema", "holdfast/bench-live/1"},
            {"version", version},
            {"redis", server.version()},
            {"benchmarks", Json::array()}};
  for (const Row& row : rows)
    json["benchmarks"].push_back({{"name", row.of.name},
                                  {"microseconds", row.micros},
                                  {"per_second", 1e6 / row.micros},
                                  {"commands", row.of.is_lock() ? row.commands : 1},
                                  {"ratio", row.ratio},
                                  {"ratio_spread", row.ratio_spread}});
  fmt::print("{}\n", json.dump(1));
}

void print_text(const live::ServerForRun& server, const std::vector<Row>& rows) {
  fmt::print(
      "redis-server {} at {}; ratio: to as many plain SET on one connection as a pair needs at least, "
      "two\n\n",
      server.version(), to_text(server.address()));
  fmt::print("{:<36}{:>12}{:>14}{:>10}{:>8}{:>9}\n", "", "microseconds", "per second", "commands", "ratio",
             "spread");
  for (const Row& row : rows)
    fmt::print("{:<36}{:>12.2f}{:>14}{:>10.2f}{:>8.3f}{:>9.3f}\n", row.of.name, row.micros,
               reports::grouped(static_cast<std::uint64_t>(1e6 / row.micros)),
               row.of.is_lock() ? row.commands : 1, row.ratio, row.ratio_spread);
}

std::vector<LiveCase> chosen_cases(const Options& options) {
  const std::vector<LiveCase> all = bench::live_cases();
  std::vector<std::string_view> names;
  for (const LiveCase& each : all) names.push_back(each.name);
  const std::vector<std::string_view> wanted = matching("--only", options.only, {}, names);
  std::vector<LiveCase> cases;
  for (const LiveCase& each : all)
    if (std::find(wanted.begin(), wanted.end(), each.name) != wanted.end()) cases.push_back(each);
  return cases;
}

}  // namespace

int bench_live(const Options& options) {
  const std::vector<LiveCase> cases = chosen_cases(options);
  live::ServerForRun server = server_for(options);
  Session session(options);
  session.expect_jobs(cases.size(), "benchmarks");
  Bench bench(server);
  std::vector<Row> rows;
  for (const LiveCase& each : cases) {
    if (session.budget().is_exhausted()) break;
    rows.push_back(bench.measure(each, session));
    session.note_done(Exploration());
  }
  session.end_progress();
  clean_up(server);
  if (options.format == "json") print_json(server, rows);
  else print_text(server, rows);
  if (session.is_interrupted()) return exit_interrupted;
  return rows.size() == cases.size() ? exit_as_expected : exit_inconclusive;
}

}  // namespace holdfast::cli
