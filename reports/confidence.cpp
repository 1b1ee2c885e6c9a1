#include "reports/confidence.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "reports/exercised.hpp"
#include "reports/terminal.hpp"
#include "sim/scenario/specification.hpp"

namespace holdfast::reports {
namespace {

// With three violating runs or more expected, none is seen with a probability of less than 5 %: e^-3.
constexpr double rule_of_three = 3;

// A guarantee that leaves more than this is none.
constexpr double miss_worth_telling = 0.95;

// Rounded up: what is told is a bound. Never to a certainty.
std::string percent(double part) {
  if (part < 1e-6) return "0.0001 %";
  if (part >= 0.01) return fmt::format("{:.0f} %", std::min(std::ceil(part * 100), 99.0));
  const double unit = std::pow(10.0, std::floor(std::log10(part * 100)));
  return fmt::format("{:.1g} %", std::ceil(part * 100 / unit) * unit);
}

// The guarantee of PCT, for the depths at which it is one.
std::string guarantee(const SampleClaim& sample) {
  std::string known;
  std::uint64_t runs = 0;
  for (const DepthClaim& depth : sample.depths) {
    runs += depth.runs;
    if (depth.miss_at_most > miss_worth_telling) continue;
    known += fmt::format("{} depth {} with {}", known.empty() ? "one of" : ", of", depth.depth,
                         percent(depth.miss_at_most));
  }
  const std::string size =
      fmt::format("({} with marks, {} and {} at most)", counted(runs, "run"),
                  counted(sample.strands, "strand"), counted(sample.questions, "question"));
  if (known.empty()) return "PCT guarantees nothing yet: too few runs " + size;
  return fmt::format("PCT missed a violation with a probability of at most: {}; deeper ones may be missed {}",
                     known, size);
}

double violating_at_most(const SampleClaim& sample) {
  return std::min(1.0, rule_of_three / static_cast<double>(sample.independent_runs));
}

}  // namespace

bool rests_on_sample(const Exploration& exploration) {
  return exploration.sample && exploration.has(Verdict::sampled);
}
bool rests_on_sample(const MatrixCell& cell) { return cell.effort.sample && cell.has(Verdict::sampled); }

std::vector<std::string> confidence_in_words(const Effort& effort, bool is_broken) {
  const SampleClaim& sample = *effort.sample;
  std::vector<std::string> words;
  if (!sample.depths.empty()) words.push_back(guarantee(sample));
  if (sample.independent_runs > 0)
    words.push_back(fmt::format("at most {} of runs drawn like these violate{}, with 95 % confidence ({})",
                                percent(violating_at_most(sample)),
                                is_broken ? " one of the properties that none violated" : "",
                                counted(sample.independent_runs, "independent run")));
  std::string never;
  for (const Situation situation : never_met(effort.reach))
    never.append(never.empty() ? "never met: " : "; ").append(words_of(situation).never);
  if (!never.empty()) words.push_back(never);
  return words;
}

nlohmann::ordered_json sample_json(const Effort& effort) {
  using Json = nlohmann::ordered_json;
  const SampleClaim& sample = *effort.sample;
  Json json{{"strands", sample.strands},
            {"questions", sample.questions},
            {"alternatives", sample.alternatives},
            {"depths", Json::array()},
            {"independent_runs", sample.independent_runs},
            {"violating_at_most", sample.independent_runs > 0 ? Json(violating_at_most(sample)) : Json()},
            {"circumstances", sample.circumstances},
            {"never_met", Json::array()}};
  for (const DepthClaim& depth : sample.depths)
    json["depths"].push_back(
        {{"depth", depth.depth}, {"runs", depth.runs}, {"miss_at_most", depth.miss_at_most}});
  for (const Situation situation : never_met(effort.reach)) json["never_met"].push_back(id_of(situation));
  return json;
}

}  // namespace holdfast::reports
