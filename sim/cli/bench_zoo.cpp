// bench zoo: which planted bugs exhaustive exploration finds, its false alarms, and how many random runs each
// strategy needs.
#include "sim/cli/bench_zoo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "bench/zoo/zoo.hpp"
#include "reports/terminal.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/told.hpp"
#include "sim/explore/parallel.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;
using zoo::Planted;

constexpr std::array strategies{StrategyKind::random, StrategyKind::pct, StrategyKind::walk,
                                StrategyKind::swarm, StrategyKind::portfolio};
constexpr std::uint64_t seeds = 20;

struct ZooRow {
  const Planted* planted = nullptr;
  zoo::Outcome outcome;
  std::vector<zoo::Searched> searched;  // one for each strategy; empty: not asked for, or not for samples
  bool is_complete = false;             // else the budget ended first
  bool is_found() const { return zoo::is_found(*planted, outcome); }
  PropertySet false_alarms() const { return zoo::false_alarms(*planted, outcome); }
};

std::vector<std::string_view> ids_of(PropertySet properties) {
  std::vector<std::string_view> ids;
  for (std::size_t i = 0; i < property_ids.size(); ++i)
    if (properties.contains(static_cast<Property>(i))) ids.push_back(property_ids[i]);
  return ids;
}

// The faults of which a bug needs one: all, or the first and how many others there are.
std::string needs(const Planted& planted, bool is_brief) {
  if (is_brief && planted.suffices.size() > 1)
    return fmt::format("{} (or {} more)", zoo::in_words(planted.suffices.front()),
                       planted.suffices.size() - 1);
  std::vector<std::string> words;
  for (const std::vector<FaultRule>& faults : planted.suffices) words.push_back(zoo::in_words(faults));
  return fmt::format("{}", fmt::join(words, ", "));
}

ZooRow judged(const Planted& planted, const BenchOptions& options, const Budget& budget) {
  ZooRow row{.planted = &planted};
  row.outcome = zoo::outcome_of(planted, budget);
  row.is_complete = row.outcome.is_complete;
  if (!options.runs || !zoo::can_be_sampled(planted)) return row;
  for (const StrategyKind strategy : strategies) {
    row.searched.push_back(zoo::searched(planted, strategy, seeds, *options.runs, budget));
    row.is_complete &= row.searched.back().is_complete;
  }
  return row;
}

std::string runs_text(const ZooRow& row, std::size_t strategy, std::uint64_t runs_max) {
  if (row.searched.empty()) return "-";
  const zoo::Searched& searched = row.searched[strategy];
  return searched.median ? reports::grouped(*searched.median) : "> " + reports::grouped(runs_max);
}

// "random | pct | …"
std::string strategy_names() {
  std::vector<std::string_view> names;
  for (const StrategyKind strategy : strategies) names.push_back(id_of(strategy));
  return fmt::format("{}", fmt::join(names, " | "));
}

// "50 of 50 bugs found, 0 false alarms"
std::string score(const std::vector<ZooRow>& rows) {
  const auto found =
      std::count_if(rows.begin(), rows.end(), [](const ZooRow& row) { return row.is_found(); });
  const auto alarms =
      std::count_if(rows.begin(), rows.end(), [](const ZooRow& row) { return !row.false_alarms().empty(); });
  return fmt::format("{} of {} bugs found, {} false alarm{}", found, rows.size(), alarms,
                     alarms == 1 ? "" : "s");
}

void print_json(const std::vector<ZooRow>& rows) {
  Json json{{"schema", "holdfast/bench-zoo/1"}, {"score", score(rows)}, {"bugs", Json::array()}};
  for (const ZooRow& row : rows) {
    Json sets = Json::array();
    for (const std::vector<FaultRule>& faults : row.planted->suffices) {
      sets.push_back(Json::array());
      for (const FaultRule& rule : faults)
        sets.back().push_back({{"kind", id_of(rule.kind)}, {"budget", rule.budget}});
    }
    Json bug{{"bug", row.planted->id},
             {"lock", row.planted->host->id},
             {"mistake", row.planted->mistake},
             {"breaks", id_of(row.planted->breaks)},
             {"besides", ids_of(row.planted->besides)},
             {"suffices", std::move(sets)},
             {"reason", row.planted->reason},
             {"found", row.is_found()},
             {"false_alarms", ids_of(row.false_alarms())},
             {"states", row.outcome.states},
             {"steps", row.outcome.steps}};
    if (!row.searched.empty())
      for (std::size_t i = 0; i < strategies.size(); ++i) {
        const auto& median = row.searched[i].median;
        bug["runs_to_find"][id_of(strategies[i])] = median ? Json(*median) : Json();
      }
    json["bugs"].push_back(std::move(bug));
  }
  fmt::print("{}\n", json.dump(1));
}

void print_markdown(const std::vector<ZooRow>& rows, const BenchOptions& options) {
  fmt::print("{}.\n\n| lock | bug | what is wrong | needs one of | breaks | steps |", score(rows));
  if (options.runs) fmt::print(" {} |", strategy_names());
  fmt::print("\n|---|---|---|---|---|---|{}\n", options.runs ? "---|---|---|---|---|" : "");
  for (const ZooRow& row : rows) {
    fmt::print("| {} | `{}` | {} | {} | {} | {} |", row.planted->host->id, row.planted->id,
               row.planted->mistake, needs(*row.planted, false), id_of(row.planted->breaks),
               row.is_found() ? fmt::format("{}", row.outcome.steps) : "missed");
    for (std::size_t i = 0; options.runs && i < strategies.size(); ++i)
      fmt::print(" {} |", runs_text(row, i, *options.runs));
    fmt::print("\n");
  }
}

void print_text(const std::vector<ZooRow>& rows, const BenchOptions& options) {
  fmt::print("{:<40}{:<20}{:<28}{:>6}", "", "breaks", "needs", "steps");
  for (std::size_t i = 0; options.runs && i < strategies.size(); ++i)
    fmt::print("{:>11}", id_of(strategies[i]));
  fmt::print("\n");
  for (const ZooRow& row : rows) {
    fmt::print("{:<40}{:<20}{:<28}{:>6}", row.planted->id, id_of(row.planted->breaks),
               needs(*row.planted, true), row.is_found() ? fmt::format("{}", row.outcome.steps) : "missed");
    for (std::size_t i = 0; options.runs && i < strategies.size(); ++i)
      fmt::print("{:>11}", runs_text(row, i, *options.runs));
    fmt::print("\n");
    const auto alarms = ids_of(row.false_alarms());
    if (!alarms.empty()) fmt::print("  false alarm: {}\n", fmt::join(alarms, ", "));
  }
  fmt::print("\n{}\n", score(rows));
  if (options.runs)
    fmt::print("runs until it is found: the median of {} seeds, at most {} runs each\n", seeds,
               reports::grouped(*options.runs));
}

}  // namespace

int bench_zoo(const BenchOptions& options) {
  std::vector<std::string_view> names;
  for (const Planted& planted : zoo::all()) names.push_back(planted.id);
  const std::vector<std::string_view> chosen = matching("--only", options.only, {}, names);
  std::vector<ZooRow> rows;
  for (const Planted& planted : zoo::all())
    if (std::find(chosen.begin(), chosen.end(), planted.id) != chosen.end()) rows.push_back({&planted});
  Session session({.budget = options.budget});
  session.expect_jobs(rows.size(), "bugs");
  for_each_index(rows.size(), std::max(1u, options.jobs), [&](std::size_t i) {
    if (!session.budget().is_exhausted()) rows[i] = judged(*rows[i].planted, options, session.budget());
    session.note_done({.transitions = rows[i].outcome.states});
  });
  session.end_progress();
  const auto all = rows.size();
  std::erase_if(rows, [](const ZooRow& row) { return !row.is_complete; });
  if (options.format == "json") print_json(rows);
  else if (options.format == "markdown") print_markdown(rows, options);
  else print_text(rows, options);
  if (session.is_interrupted()) return exit_interrupted;
  if (rows.size() < all) {
    tell("holdfast: the budget ended before {} of {} bugs were searched for\n", all - rows.size(), all);
    return exit_inconclusive;
  }
  const bool is_perfect = std::all_of(rows.begin(), rows.end(), [](const ZooRow& row) {
    return row.is_found() && row.false_alarms().empty();
  });
  return is_perfect ? exit_as_expected : exit_bug;
}

}  // namespace holdfast::cli
