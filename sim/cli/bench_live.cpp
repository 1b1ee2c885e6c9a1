#include "sim/cli/bench_live.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/live_cases.hpp"
#include "reports/terminal.hpp"
#include "sim/cli/live_server.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/told.hpp"
#include "sim/cli/version.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;
using bench::LiveCase;
using bench::LiveMeasurement;
using Kind = LiveCase::Kind;

// Each case is executed so often and for so short a time, each time beside what it is compared with, that
// some executions have the machine for themselves. What else a machine does makes nothing faster: the fastest
// tenth counts.
constexpr int rounds = 155;
constexpr double seconds_of_round = 0.004;

struct LiveRow {
  LiveCase of;
  double micros = 0;         // per SET, or per pair
  double commands = 1;       // per pair
  double ratio_to_set = 0;   // to two plain SET; of SET, to one
  double ratio_to_same = 0;  // to the same commands by plain hiredis
};

double fast(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 10];
}

class Bench {
 public:
  explicit Bench(Servers& servers) : servers_(servers) {}

  LiveRow measure(const LiveCase& of, Session& session) {
    const bool many = of.kind == Kind::shared && of.is_lock();
    const LiveCase set{"", many ? Kind::pipelined : Kind::round_trip};
    const live::Commands commands =
        of.is_lock() ? bench::commands_of(*of.card, nodes_of(of), next_prefix()) : live::plain_set();
    const auto execute_same = [&](std::uint64_t count) {
      return bench::execute_plain(of, commands, servers_.first(1).front().address(), count);
    };
    const std::uint64_t count = count_for([&](std::uint64_t n) { return execute(of, n); });
    const std::uint64_t set_count = count_for([&](std::uint64_t n) { return execute(set, n); });
    const std::uint64_t same_count = count_for(execute_same);
    std::vector<double> micros;
    std::vector<double> set_micros;
    std::vector<double> same_micros;
    LiveRow row{of};
    for (int i = 0; i < rounds && !session.budget().is_exhausted(); ++i) {
      set_micros.push_back(execute(set, set_count).micros_per_count());
      const LiveMeasurement did = execute(of, count);
      same_micros.push_back(execute_same(same_count).micros_per_count());
      row.commands = static_cast<double>(did.commands) / static_cast<double>(did.count);
      micros.push_back(did.micros_per_count());
    }
    if (micros.empty()) return row;
    row.micros = fast(micros);
    row.ratio_to_set = row.micros / fast(set_micros) / (of.is_lock() ? 2 : 1);
    row.ratio_to_same = row.micros / fast(same_micros);
    return row;
  }

 private:
  std::string next_prefix() {
    return fmt::format("{}{}:", servers_.first(1).front().key_prefix(), ++executions_);
  }
  std::vector<live::Node> nodes_of(const LiveCase& of) { return servers_.first_nodes(bench::servers_of(of)); }
  LiveMeasurement execute(const LiveCase& of, std::uint64_t count) {
    return bench::execute(of, nodes_of(of), next_prefix(), count);
  }
  // So many that one round takes long enough to be measured.
  template <class Execute>
  static std::uint64_t count_for(const Execute& execute) {
    constexpr std::uint64_t least = 10;
    constexpr std::uint64_t most = 200'000;
    std::uint64_t count = least;
    double seconds = execute(count).seconds;
    while (seconds < seconds_of_round / 10 && count < most) seconds = execute(count *= 10).seconds;
    const double wanted = static_cast<double>(count) * seconds_of_round / seconds;
    return std::clamp(static_cast<std::uint64_t>(wanted), least, most);
  }

  Servers& servers_;
  std::uint64_t executions_ = 0;
};

void print_json(const live::ServerForRun& server, const std::vector<LiveRow>& rows) {
  Json json{{"schema", "holdfast/bench-live/1"},
            {"version", version},
            {"redis", server.version()},
            {"benchmarks", Json::array()}};
  for (const LiveRow& row : rows)
    json["benchmarks"].push_back({{"name", row.of.name},
                                  {"microseconds", row.micros},
                                  {"per_second", 1e6 / row.micros},
                                  {"commands", row.commands},
                                  {"ratio_to_set", row.ratio_to_set},
                                  {"ratio_to_same", row.ratio_to_same}});
  fmt::print("{}\n", json.dump(1));
}

void print_text(const live::ServerForRun& server, const std::vector<LiveRow>& rows) {
  fmt::print("redis-server {} at {}\n\n", server.version(), to_text(server.address()));
  fmt::print("{:<34} {:>14} {:>12} {:>10} {:>10} {:>9}\n", "", "microseconds", "per second", "commands",
             "to 2 SET", "to same");
  for (const LiveRow& row : rows)
    fmt::print("{:<34} {:>14.2f} {:>12} {:>10.2f} {:>10.3f} {:>9.3f}\n", row.of.name, row.micros,
               reports::grouped(static_cast<std::uint64_t>(1e6 / row.micros)), row.commands, row.ratio_to_set,
               row.ratio_to_same);
  fmt::print(
      "\n"
      "to 2 SET: the time of a pair compared with two plain SET through hiredis; of SET: with one\n"
      "to same: compared with the same commands through plain hiredis, as many at a time\n");
}

std::vector<LiveCase> chosen_cases(const BenchOptions& options, const Servers& servers) {
  const std::vector<LiveCase> all = bench::live_cases();
  std::vector<std::string_view> names;
  for (const LiveCase& each : all) names.push_back(each.name);
  const std::vector<std::string_view> wanted = matching("--only", options.only, {}, names);
  std::vector<LiveCase> cases;
  for (const LiveCase& each : all)
    if (std::find(wanted.begin(), wanted.end(), each.name) != wanted.end()) cases.push_back(each);
  const std::size_t left_out = std::erase_if(
      cases, [&](const LiveCase& each) { return !servers.are_enough_for(bench::servers_of(each)); });
  if (left_out != 0)
    tell("holdfast: {} left out: --redis names too few servers\n", reports::counted(left_out, "benchmark"));
  return cases;
}

}  // namespace

int bench_live(const BenchOptions& options) {
  Servers servers(options.redis);
  const std::vector<LiveCase> cases = chosen_cases(options, servers);
  Session session({.budget = options.budget});
  session.expect_jobs(cases.size(), "benchmarks");
  Bench bench(servers);
  std::vector<LiveRow> rows;
  for (const LiveCase& each : cases) {
    if (session.budget().is_exhausted()) break;
    rows.push_back(bench.measure(each, session));
    session.note_done({});
  }
  session.end_progress();
  const live::ServerForRun& server = servers.first(1).front();
  if (options.format == "json") print_json(server, rows);
  else print_text(server, rows);
  if (session.is_interrupted()) return exit_interrupted;
  return rows.size() == cases.size() ? exit_as_expected : exit_inconclusive;
}

}  // namespace holdfast::cli
