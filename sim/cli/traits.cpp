// compare --traits: the five questions of document 004, for every lock.
#include "reports/traits.hpp"

#include <algorithm>
#include <iostream>

#include "reports/verdicts.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/compare.hpp"
#include "sim/cli/session.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/deepening.hpp"

namespace holdfast::cli {
namespace {

using reports::TraitQuestion;
using reports::TraitRow;

// One exploration answers all that is asked about one fault, except of a workload of its own.
struct Asked {
  Fault fault;
  PropertySet properties;
};

std::vector<Asked> explorations() {
  std::vector<Asked> all;
  for (const TraitQuestion& question : reports::trait_questions())
    for (const auto& [fault, property] : question.verdicts) {
      const bool is_alone = property == Property::reentrancy;
      const auto same = std::find_if(all.begin(), all.end(), [&, wanted = fault](const Asked& each) {
        return each.fault == wanted && !is_alone && !each.properties.contains(Property::reentrancy);
      });
      if (same != all.end()) same->properties.insert(property);
      else all.push_back({fault, {property}});
    }
  return all;
}

reports::TraitVerdict verdict_in(const std::vector<Asked>& asked, const DeepCell* cells, Fault fault,
                                 Property property) {
  reports::TraitVerdict verdict{fault, property, Verdict::unknown, 0};
  for (std::size_t i = 0; i < asked.size(); ++i)
    for (const PropertyResult& result : cells[i].found.properties)
      if (asked[i].fault == fault && result.property == property) {
        verdict.verdict = result.verdict;
        if (result.counterexample) verdict.steps = result.counterexample->steps;
      }
  return verdict;
}

// Within the bounds of the default comparison.
std::vector<DeepCell> explored(const Threads& options, const std::vector<const Card*>& cards,
                               const std::vector<Asked>& asked, Session& session) {
  std::vector<DeepCell> cells;
  for (const Card* card : cards)
    for (const Asked& each : asked) {
      Comparison comparison;
      comparison.check = each.properties;
      cells.push_back({card, [comparison, card, fault = each.fault](const Scope& scope) {
                         return scenario_at(comparison, scope, *card, fault);
                       }});
    }
  deepen(
      cells, usual_deepening(usual_scopes()), threads_of(options), session.budget(),
      [&](const Scope& scope, std::size_t jobs) {
        session.expect_jobs(jobs, "cells with " + reports::scope_in_words(scope));
      },
      [&](std::size_t, const Exploration& done) { session.note_done(done); });
  session.end_progress();
  return cells;
}

std::vector<TraitRow> rows_of(const CompareOptions& options, Session& session) {
  const std::vector<Asked> asked = explorations();
  const std::vector<const Card*> cards = chosen_cards(options);
  const std::vector<DeepCell> cells = explored(options, cards, asked, session);
  std::vector<TraitRow> rows;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    TraitRow row{std::string(cards[i]->id), {}};
    for (const TraitQuestion& question : reports::trait_questions()) {
      row.answers.emplace_back();
      for (const auto& [fault, property] : question.verdicts)
        row.answers.back().push_back(verdict_in(asked, &cells[i * asked.size()], fault, property));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

int compare_traits(const CompareOptions& options) {
  if (!options.faults.empty() || !options.properties.empty() || options.workload != Workload::contend ||
      options.shard || options.is_live || !options.params.empty() || options.stores)
    throw UserError(exit_usage,
                    "--traits: the table has its own questions; it takes only --only, --except, --format, "
                    "--budget and -j");
  if (options.format == "junit" || options.format == "csv")
    throw UserError(exit_usage, "--traits: the table is text, json or markdown");
  Session session(options);
  const std::vector<TraitRow> rows = rows_of(options, session);
  if (options.format == "json") reports::write_traits_json(rows, std::cout);
  else if (options.format == "markdown") reports::write_traits_markdown(rows, std::cout);
  else reports::write_traits_text(rows, std::cout, terminal_of(options));
  if (session.is_interrupted()) return exit_interrupted;
  const auto is_open = [](const TraitRow& row) {
    return std::any_of(row.answers.begin(), row.answers.end(), [](const auto& verdicts) {
      return reports::answer_of(verdicts) == reports::TraitAnswer::unknown;
    });
  };
  return std::any_of(rows.begin(), rows.end(), is_open) ? exit_inconclusive : exit_as_expected;
}

}  // namespace holdfast::cli
