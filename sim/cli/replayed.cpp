#include "sim/cli/replayed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "sim/cli/commands.hpp"
#include "sim/explore/liveness.hpp"

namespace holdfast::cli {
namespace {

bool is_in(const Finding& finding, const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& other) {
    return std::tie(finding.property, finding.from, finding.to, finding.because) ==
           std::tie(other.property, other.from, other.to, other.because);
  });
}

// The recorder of the run may have judged it by less, so the replay may say more than the file, unless that
// says nothing at all.
std::string different_finding(const std::vector<Finding>& recorded, const std::vector<Finding>& again) {
  for (const Finding& finding : recorded)
    if (!is_in(finding, again))
      return fmt::format("the file says of {}: \"{}\", and the replay does not", id_of(finding.property),
                         finding.because);
  if (!recorded.empty() || again.empty()) return {};
  return fmt::format("the replay says of {}: \"{}\", and the file does not", id_of(again.front().property),
                     again.front().because);
}

std::string different_run(const Counterexample& example, const Replay& again) {
  if (again.divergence) {
    const ReplayChoices::Divergence& at = *again.divergence;
    return fmt::format(
        "choice {} of the tape is {}, but the run asks for {} of {} with {} options", at.position,
        at.recorded ? fmt::format("{} of {} with {} options", id_of(at.recorded->site),
                                  name_of(at.recorded->actor, example.store), at.recorded->options)
                    : "missing",
        id_of(at.asked.site), name_of(at.asked.actor, example.store), at.asked.options);
  }
  if (again.fingerprint == example.fingerprint) return {};
  return fmt::format("its fingerprint is {}, not {}", again.fingerprint.hex(), example.fingerprint.hex());
}

}  // namespace

Replayed replayed(const reports::TraceFile& trace) {
  const Counterexample& example = trace.example;
  const Card& card = *algorithms::find(trace.scenario.algorithm);
  Scenario scenario = trace.scenario;
  // Judged by all that the file says of it; by what is usual, if it does not choose.
  if (!scenario.check.empty())
    for (const Finding& finding : example.findings) scenario.check.insert(finding.property);
  Replayed result{replay(scenario, card, example.tape, example.steps)};
  result.other_run = different_run(example, result.run);
  if (!result.other_run.empty()) return result;
  if (!example.loop) {
    result.other_finding = different_finding(example.findings, result.run.findings);
    return result;
  }
  if (!is_confirmed(trace.scenario, card, example))
    result.other_run = fmt::format("it does not lead back to its state after step {}", example.loop->begin);
  else
    result.other_finding =
        different_finding(example.findings, {finding_of_loop(trace.scenario, card, example)});
  return result;
}

}  // namespace holdfast::cli
