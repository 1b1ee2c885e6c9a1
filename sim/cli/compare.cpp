// compare and check: explore locks under faults, save the evidence, print the matrix.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "reports/causes.hpp"
#include "reports/report.hpp"
#include "reports/verdicts.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/company.hpp"
#include "sim/cli/compare.hpp"
#include "sim/cli/compare_live.hpp"
#include "sim/cli/expectation.hpp"
#include "sim/cli/go_on.hpp"
#include "sim/cli/never_ran.hpp"
#include "sim/cli/pages.hpp"
#include "sim/cli/results.hpp"
#include "sim/cli/scripts.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/steps.hpp"
#include "sim/cli/tables.hpp"
#include "sim/cli/told.hpp"
#include "sim/cli/version.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/deepening.hpp"
#include "sim/explore/parallel.hpp"
#include "sim/process/interruption.hpp"
#include "sim/process/program.hpp"

namespace holdfast::cli {
namespace {

constexpr std::uint32_t cost_clients = 8;

// Those of which a shard measures the costs. Not of programs: a minute of eight clients is a history that no
// other run shares, told from its beginning whenever a process is missing.
std::vector<const Card*> own_part(const std::optional<Part>& shard, const std::vector<const Card*>& cards) {
  std::vector<const Card*> own;
  for (std::size_t i = 0; i < cards.size(); ++i)
    if ((!shard || shard->has(i)) && process::programs::of(*cards[i]) == nullptr) own.push_back(cards[i]);
  return own;
}

// What can be said of a lock that the workload is not about.
std::vector<reports::JudgedProperty> unexplored(PropertySet check, std::string_view why) {
  std::vector<reports::JudgedProperty> properties;
  for (std::size_t i = 0; i < property_ids.size(); ++i)
    if (check.contains(static_cast<Property>(i)))
      properties.push_back(
          {{static_cast<Property>(i), Verdict::not_applicable, std::string(why), std::nullopt}});
  return properties;
}

}  // namespace

std::optional<Scenario> chosen_at(const MatrixOptions& options, const Comparison& comparison,
                                  const Scope& scope, const Card& card, Fault fault) {
  Comparison asked = comparison;
  if (is_of_its_own(scope.variant)) {
    if (!options.properties.empty()) return std::nullopt;
    asked.check = PropertySet();
  }
  std::optional<Scenario> scenario = scenario_at(asked, scope, card, fault);
  if (!scenario) return std::nullopt;
  // What can be asked of nested clients alone.
  if (scope.variant == Variant::nested && options.properties.empty())
    scenario->check.insert(Property::reentrancy);
  return scenario;
}

Cells cells_of(const MatrixOptions& options, const Comparison& comparison,
               const std::vector<const Card*>& cards, reports::Matrix& matrix) {
  Cells cells;
  std::vector<std::string> whole;
  for (const Card* card : cards)
    for (const Fault fault : chosen_faults(options)) {
      whole.push_back(fmt::format("{}+{}", card->id, id_of(fault)));
      if (options.shard && !options.shard->has(whole.size() - 1)) continue;
      // Each is asked for again and again, and takes a rehearsal.
      using Known = std::vector<std::pair<Scope, std::optional<Scenario>>>;
      const auto known = std::make_shared<Known>();
      const auto at = [&options, comparison, card, fault, known](const Scope& scope) {
        for (const auto& [of, scenario] : *known)
          if (of == scope) return scenario;
        return known->emplace_back(scope, chosen_at(options, comparison, scope, *card, fault)).second;
      };
      matrix.cells.push_back({std::string(card->id), fault, comparison.belief.value_or(card->belief),
                              at(scopes_of(options, comparison).front())->faults});
      if (const std::string_view why = unconcerned(comparison.workload, *card); !why.empty()) {
        matrix.cells.back().properties = unexplored(comparison.check, why);
        continue;
      }
      cells.places.push_back(matrix.cells.size() - 1);
      cells.deep.push_back({card, at});
    }
  if (options.shard) matrix.shard = {options.shard->index, options.shard->count, std::move(whole)};
  return cells;
}

void take_cells(const Cells& cells, reports::Matrix& matrix) {
  for (std::size_t i = 0; i < cells.deep.size(); ++i) {
    reports::MatrixCell& cell = matrix.cells[cells.places[i]];
    const DeepCell& deep = cells.deep[i];
    cell.effort = deep.found;
    cell.within = deep.within;
    for (Within& within : cell.within) {
      within.scope.tick = within.scenario.timing.tick;
      within.scope.clients = static_cast<std::uint32_t>(within.scenario.clients.size());  // a semaphore's
    }
    cell.properties.clear();
    for (std::size_t p = 0; p < deep.decided_by.size(); ++p)
      cell.properties.push_back({.result = deep.found.properties[p],
                                 .scenario = deep.within[deep.decided_by[p]].scenario,
                                 .decided_by = deep.decided_by[p]});
  }
}

namespace {

// Explores every card under every fault.
reports::Matrix explore_matrix(const MatrixOptions& options, const std::vector<const Card*>& cards,
                               Session& session) {
  const process::Interruptible may_end_early;
  for (const Card* const card : cards) require_shareable(*card);
  require_params(options, cards);
  tell_who_asks_once(options, cards);
  const Comparison comparison = comparison_of(options);
  const std::vector<Scope> scopes = scopes_of(options, comparison);
  reports::Matrix matrix{.version = version,
                         .seed = options.seed,
                         .bounds = bounds_of(options, at_scope(comparison, scopes.front()), cards),
                         .cells = {}};
  Cells cells = cells_of(options, comparison, cards, matrix);
  explore_in_steps(options, scopes, cells, matrix, session);
  session.begin_part(scopes.size());
  matrix.interrupted = session.is_interrupted();
  matrix.never_ran = never_ran(matrix, cards);
  matrix.programs = learnt_programs(cards);
  return matrix;
}

bool any(const reports::Matrix& matrix, Verdict verdict) {
  const auto has = [&](const reports::MatrixCell& cell) { return cell.has(verdict); };
  return std::any_of(matrix.cells.begin(), matrix.cells.end(), has);
}

// What cards claim of the usual bounds and clients: tells what of it is violated, and returns how much.
std::size_t tell_denied_claims(const MatrixOptions& options, const reports::Matrix& matrix) {
  const Comparison comparison = comparison_of(options);
  const bool is_usual = scopes_of(options, comparison).size() > 1 && !options.deepen &&
                        matrix.stores.empty() && comparison.workload == Workload::contend &&
                        !comparison.belief;
  std::size_t denied = 0;
  for (const reports::MatrixCell& cell : matrix.cells)
    for (const reports::JudgedProperty& each : cell.properties)
      for (const Claim& claim : algorithms::find(cell.algorithm)->claims) {
        const PropertyResult& result = each.result;
        const bool is_claimed =
            is_usual && claim.properties.contains(result.property) && claim.under.contains(cell.fault);
        if (!is_claimed || result.verdict != Verdict::violated) continue;
        ++denied;
        tell("{} under {}: its card claims {}, which is violated\n", cell.algorithm, id_of(cell.fault),
             id_of(result.property));
      }
  return denied;
}

std::vector<Cost> costs_of(const std::vector<const Card*>& cards, const MatrixOptions& options,
                           Session& session) {
  std::vector<Cost> costs(cards.size());
  session.expect_jobs(cards.size(), "locks measured");
  for_each_index(cards.size(), threads_of(options), [&](std::size_t i) {
    costs[i] = measure_costs({cards[i]}, cost_clients, options.seed, 1, options.params).front();
    session.note_done({});
  });
  session.end_progress();
  return costs;
}

void tell_unexpected(const std::vector<std::string>& differing, const std::string& file) {
  for (const std::string& line : differing) tell("{}\n", line);
  tell("holdfast: {} from {}\n",
       reports::counted(differing.size(), "verdict") + (differing.size() == 1 ? " differs" : " differ"),
       file);
}

}  // namespace

reports::Matrix explored_matrix(const MatrixOptions& options, const std::vector<const Card*>& cards,
                                Session& session) {
  prepare_directory(options.out);
  reports::Matrix matrix = explore_matrix(options, cards, session);
  if (!matrix.interrupted) matrix.costs = costs_of(own_part(options.shard, cards), options, session);
  matrix.seconds = session.seconds();
  return matrix;
}

int compare(const CompareOptions& options) {
  if (options.traits) return compare_traits(options);
  const SavedVerdicts expected = options.expect.empty() ? SavedVerdicts() : read_verdicts(options.expect);
  Session session(options);
  MatrixOptions how(options);
  if (session.is_watched() && options.format == "text") how.watched = terminal_of(options);
  reports::Matrix matrix = options.stores ? explored_stores(options, how, session)
                                          : explored_matrix(how, compared_cards(options), session);
  std::vector<std::string> differing;
  if (!options.expect.empty()) differing = note_unexpected(matrix, expected, options.expect);
  const std::size_t unreal = options.is_live ? confirm_matrix(options.redis, matrix, session) : 0;
  matrix.interrupted = session.is_interrupted();
  Saved saved(options);
  name_traces(options, matrix, saved);
  // The text comes before all that takes long, or may find the disk full; the other formats tell why, too.
  const bool is_early = options.format == "text";
  if (is_early) print(options, matrix, false);
  if (is_early && options.is_live) print_confirmations(matrix);
  std::cout.flush();
  explain_counterexamples(options, matrix, {}, session);
  matrix.interrupted = session.is_interrupted();
  save_traces(matrix, saved);
  if (is_early) reports::write_saved_traces(matrix, std::cout, terminal_of(options));
  else print(options, matrix, false);
  save_matrix(options, matrix, saved);
  std::cout.flush();
  saved.require_all();
  if (!options.stores) tell_left_out(options);
  if (!options.shard) save_pages(saved.directory(), matrix, threads_of(options));
  if (matrix.interrupted) return exit_interrupted;
  if (unreal != 0)
    throw UserError(exit_bug, fmt::format("on a real server, {} differed: that is a bug of the model",
                                          reports::counted(unreal, "counterexample")));
  if (!differing.empty()) tell_unexpected(differing, options.expect);
  if (tell_denied_claims(options, matrix) + differing.size() != 0) return exit_violated;
  return any(matrix, Verdict::unknown) ? exit_inconclusive : exit_as_expected;
}

int check(const CheckOptions& options) {
  const std::string& id = options.names.front();
  const Card* card = &lock_called(id);
  require_params(options, {card});
  if (!options.learn.empty()) require_learnable(options.learn, *card);
  prepare_directory(options.out);
  Session session(options);
  MatrixOptions how(options);
  if (session.is_watched() && options.format == "text") how.watched = terminal_of(options);
  reports::Matrix matrix = explore_matrix(how, {card}, session);
  std::set<const Counterexample*> told;
  for (const reports::Cause& cause : reports::causes_of(matrix))
    told.insert(&*cause.property->result.counterexample);
  explain_counterexamples(options, matrix, told, session);
  matrix.seconds = session.seconds();
  Saved saved(options);
  name_traces(options, matrix, saved);
  save_traces(matrix, saved);
  print(options, matrix, true);
  if (const std::string more = how_to_go_on(options, matrix); options.format == "text" && !more.empty()) {
    reports::Page page(std::cout, terminal_of(options));
    page.line();
    page.paragraph("next    ", reports::printable(page.terminal(), more));
  }
  if (!options.learn.empty()) save_table(options.learn, *card);
  save_matrix(options, matrix, saved);
  std::cout.flush();
  saved.require_all();
  if (!options.shard) save_pages(saved.directory(), matrix, threads_of(options));
  if (matrix.interrupted) return exit_interrupted;
  if (any(matrix, Verdict::violated)) return exit_violated;
  const bool is_open = any(matrix, Verdict::unknown) || any(matrix, Verdict::hollow);
  return is_open ? exit_inconclusive : exit_as_expected;
}

}  // namespace holdfast::cli
