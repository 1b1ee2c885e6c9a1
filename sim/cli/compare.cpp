// compare and check: explore locks under faults, save the evidence, print the matrix.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "reports/report.hpp"
#include "reports/trace_json.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/compare.hpp"
#include "sim/cli/compare_live.hpp"
#include "sim/cli/expectation.hpp"
#include "sim/cli/pages.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/version.hpp"
#include "sim/explore/but_for.hpp"
#include "sim/explore/comparison.hpp"

namespace holdfast::cli {
namespace {

constexpr std::uint32_t cost_clients = 8;

// Those of which a shard measures the costs.
std::vector<const Card*> own_part(const Options& options, const std::vector<const Card*>& cards) {
  std::vector<const Card*> own;
  for (std::size_t i = 0; i < cards.size(); ++i)
    if (!options.shard || options.shard->has(i)) own.push_back(cards[i]);
  return own;
}

// What can be said of a lock that the workload is not about.
Exploration unexplored(PropertySet check, std::string_view why) {
  Exploration exploration;
  for (std::size_t i = 0; i < property_ids.size(); ++i)
    if (check.contains(static_cast<Property>(i)))
      exploration.properties.push_back(
          {static_cast<Property>(i), Verdict::not_applicable, std::string(why), std::nullopt});
  return exploration;
}

// Explores every card under every fault.
reports::Matrix explore_matrix(const Options& options, const std::vector<const Card*>& cards,
                               Session& session) {
  const Comparison comparison = comparison_of(options);
  reports::Matrix matrix{
      .version = version, .seed = options.seed, .bounds = bounds_of(options, comparison, cards), .cells = {}};
  std::vector<Job> jobs;
  std::vector<std::size_t> cells;  // of the jobs
  std::vector<std::string> whole;
  for (const Card* card : cards)
    for (const Fault fault : chosen_faults(options)) {
      whole.push_back(fmt::format("{}+{}", card->id, id_of(fault)));
      if (options.shard && !options.shard->has(whole.size() - 1)) continue;
      Job job{scenario_of(comparison, *card, fault), card};
      set_params(options, job.scenario);
      matrix.cells.push_back(
          {std::string(card->id), fault, comparison.belief.value_or(card->belief), job.scenario, {}});
      if (const std::string_view why = unconcerned(comparison.workload, *card); !why.empty()) {
        matrix.cells.back().exploration = unexplored(comparison.check, why);
        continue;
      }
      cells.push_back(matrix.cells.size() - 1);
      jobs.push_back(std::move(job));
    }
  if (options.shard) matrix.shard = {options.shard->index, options.shard->count, std::move(whole)};
  session.expect_jobs(jobs.size(), "cells");
  std::vector<Exploration> found =
      explore_all(jobs, threads_of(options), session.budget(),
                  [&](std::size_t, const Exploration& done) { session.note_done(done); });
  for (std::size_t i = 0; i < found.size(); ++i) matrix.cells[cells[i]].exploration = std::move(found[i]);
  matrix.interrupted = session.is_interrupted();
  session.end_progress();
  return matrix;
}

void explain_counterexamples(const Options& options, Detail detail, reports::Matrix& matrix,
                             Session& session) {
  std::vector<Unexplained> list;
  for (reports::MatrixCell& cell : matrix.cells)
    for (PropertyResult& result : cell.exploration.properties)
      if (result.counterexample)
        list.push_back({&cell.scenario, algorithms::find(cell.algorithm), &*result.counterexample});
  if (session.is_interrupted()) return;
  session.expect_jobs(list.size(), "counterexamples explained");
  explain_all(list, detail, threads_of(options), session.budget(), [&] { session.note_done(Exploration()); });
  session.end_progress();
}

void save_traces(const Options& options, reports::Matrix& matrix) {
  for (reports::MatrixCell& cell : matrix.cells)
    for (const PropertyResult& result : cell.exploration.properties) {
      cell.trace_files.emplace_back();
      if (!result.counterexample) continue;
      const std::string name =
          fmt::format("{}+{}+{}.trace.json", cell.algorithm, id_of(cell.fault), id_of(result.property));
      cell.trace_files.back() = (std::filesystem::path(options.out) / name).string();
      write_file(cell.trace_files.back(),
                 reports::trace_json(cell.scenario, *result.counterexample, version));
    }
}

void save_matrix(const Options& options, const reports::Matrix& matrix) {
  std::ostringstream text;
  reports::write_matrix_json(matrix, text);
  const std::string part =
      options.shard ? fmt::format(".{}-of-{}", options.shard->index, options.shard->count) : "";
  write_file(std::filesystem::path(options.out) / fmt::format("matrix{}.json", part), text.str());
}

bool any(const reports::Matrix& matrix, Verdict verdict) {
  for (const reports::MatrixCell& cell : matrix.cells)
    for (const PropertyResult& result : cell.exploration.properties)
      if (result.verdict == verdict) return true;
  return false;
}

void print(const Options& options, const reports::Matrix& matrix, bool in_full) {
  if (options.format == "json") reports::write_matrix_json(matrix, std::cout);
  else if (options.format == "markdown") reports::write_matrix_markdown(matrix, std::cout);
  else if (options.format == "junit") reports::write_matrix_junit(matrix, std::cout);
  else if (in_full) reports::write_check_text(matrix, std::cout, terminal_of(options));
  else reports::write_matrix_text(matrix, std::cout, terminal_of(options));
}

void tell_unexpected(const reports::Matrix& matrix, std::size_t differing, const std::string& file) {
  for (const reports::MatrixCell& cell : matrix.cells)
    for (std::size_t i = 0; i < cell.unexpected.size(); ++i)
      if (!cell.unexpected[i].empty())
        fmt::print(stderr, "{} under {}, {}: {}\n", cell.algorithm, id_of(cell.fault),
                   id_of(cell.exploration.properties[i].property), cell.unexpected[i]);
  fmt::print(stderr, "holdfast: {} from {}\n",
             differing == 1 ? "1 verdict differs" : fmt::format("{} verdicts differ", differing), file);
}

}  // namespace

reports::Matrix explored_matrix(const Options& options, Session& session) {
  const std::vector<const Card*> cards = chosen_cards(options);
  prepare_directory(options.out);
  reports::Matrix matrix = explore_matrix(options, cards, session);
  if (!matrix.interrupted)
    matrix.costs = measure_costs(own_part(options, cards), cost_clients, options.seed, threads_of(options));
  explain_counterexamples(options, Detail::brief, matrix, session);
  matrix.seconds = session.seconds();
  save_traces(options, matrix);
  tell_who_is_left_out(options);
  return matrix;
}

int compare(const Options& options) {
  if (options.traits) return compare_traits(options);
  const SavedVerdicts expected = options.expect.empty() ? SavedVerdicts() : read_verdicts(options.expect);
  Session session(options);
  reports::Matrix matrix = explored_matrix(options, session);
  const std::size_t differing =
      options.expect.empty() ? 0 : note_unexpected(matrix, expected, options.expect);
  const std::size_t unreal = options.live.is_asked_for ? confirm_matrix(options, matrix, session) : 0;
  matrix.interrupted = session.is_interrupted();
  save_matrix(options, matrix);
  if (!options.shard) save_pages(options.out, matrix, threads_of(options));
  print(options, matrix, false);
  if (options.live.is_asked_for && options.format == "text") print_confirmations(matrix);
  if (matrix.interrupted) return exit_interrupted;
  if (unreal != 0)
    throw UserError(exit_bug, fmt::format("on a real server, {} went another way: that is a bug of the model",
                                          reports::counted(unreal, "counterexample")));
  if (differing == 0) return any(matrix, Verdict::unknown) ? exit_inconclusive : exit_as_expected;
  tell_unexpected(matrix, differing, options.expect);
  return exit_violated;
}

int check(const Options& options) {
  const std::string& id = options.names.front();
  const Card* card = &lock_called(id);
  Params given(card->parameters);
  for (const auto& [name, value] : options.params) given.set(name, value);  // throws BadParameter
  prepare_directory(options.out);
  Session session(options);
  reports::Matrix matrix = explore_matrix(options, {card}, session);
  explain_counterexamples(options, Detail::full, matrix, session);
  matrix.seconds = session.seconds();
  save_traces(options, matrix);
  save_matrix(options, matrix);
  if (!options.shard) save_pages(options.out, matrix, threads_of(options));
  print(options, matrix, true);
  if (matrix.interrupted) return exit_interrupted;
  if (any(matrix, Verdict::violated)) return exit_violated;
  return any(matrix, Verdict::unknown) ? exit_inconclusive : exit_as_expected;
}

}  // namespace holdfast::cli
