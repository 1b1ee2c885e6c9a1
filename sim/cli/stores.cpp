// compare --stores: the same question, put to every store.
#include "reports/stores.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "sim/cli/chosen.hpp"
#include "sim/cli/compare.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/parallel.hpp"

namespace holdfast::cli {
namespace {

// Of the graph on which one waits while others come again and again.
constexpr std::uint64_t states_of_waiting = 100'000;

void require_own_question(const CompareOptions& options) {
  if (options.properties.empty() && options.workload == Workload::contend &&
      options.fencing == Fencing::none && !options.shard && !options.is_live && options.format != "junit")
    return;
  throw UserError(
      exit_usage,
      "--stores: the table has its own question: clients read, work and write, and the target "
      "refuses older numbers; it takes no --properties, --workload, --fencing, --shard, --live and "
      "--format junit");
}

// Those that stand for their stores, unless the user names others; store by store.
std::vector<const Card*> cards_of_stores(const CompareOptions& options) {
  std::vector<const Card*> cards = chosen_cards(options);
  if (options.only.empty()) std::erase_if(cards, [](const Card* card) { return !card->stands_for_store; });
  std::stable_sort(cards.begin(), cards.end(), [](const Card* one, const Card* other) {
    return std::tuple(one->store, one->stands_for_store) < std::tuple(other->store, other->stands_for_store);
  });
  return cards;
}

// Whom others overtake while it waits, again and again, inside acquire() where the lock can.
struct Waiting {
  Scope scope;
  Scenario scenario;
};
Waiting waiting_for(const CompareOptions& options, const Card& card) {
  Comparison comparison = comparison_of(options);
  comparison.check = {Property::bounded_bypass};
  comparison.explore.reductions.erase(Reduction::symmetry);
  comparison.explore.states_max = states_of_waiting;
  Scope scope = scope_of(comparison);
  scope.rounds = scope.attempts = 0;
  if (can(card, Variant::waiting)) scope.variant = Variant::waiting;
  return {scope, *scenario_at(comparison, scope, card, Fault::none)};
}

// Adds to the cells without faults who waits for how long.
void add_waiting(const CompareOptions& options, const std::vector<const Card*>& cards,
                 reports::Matrix& matrix, Session& session) {
  std::vector<Job> jobs;
  std::vector<Scope> scopes;
  for (const Card* const card : cards) {
    auto [scope, scenario] = waiting_for(options, *card);
    scopes.push_back(scope);
    jobs.push_back({std::move(scenario), card});
  }
  session.expect_jobs(jobs.size(), "locks asked who waits");
  const std::vector<Exploration> found =
      explore_all(jobs, threads_of(options), session.budget(),
                  [&](std::size_t, const Exploration& done) { session.note_done(done); });
  session.end_progress();
  for (std::size_t i = 0; i < jobs.size(); ++i)
    for (reports::MatrixCell& cell : matrix.cells) {
      // Of a graph that is too large nothing is said, as nobody has asked for it alone.
      if (cell.algorithm != cards[i]->id || cell.fault != Fault::none || !found[i].complete) continue;
      cell.within.push_back({.scope = scopes[i],
                             .scenario = jobs[i].scenario,
                             .states = found[i].states,
                             .is_closed = found[i].complete});
      cell.properties.push_back({.result = found[i].properties.front(),
                                 .scenario = jobs[i].scenario,
                                 .decided_by = cell.within.size() - 1});
    }
}

}  // namespace

reports::Matrix explored_stores(const CompareOptions& options, MatrixOptions& how, Session& session) {
  require_own_question(options);
  how.workload = Workload::read_modify_write;
  how.fencing = Fencing::first_read;
  for (std::size_t i = 0; i < property_ids.size(); ++i)
    if (reports::of_holders.contains(static_cast<Property>(i))) how.properties.emplace_back(property_ids[i]);
  if (how.faults.empty())
    for (const Fault fault : reports::faults_of_stores()) how.faults.emplace_back(id_of(fault));
  how.faults.emplace_back(id_of(Fault::none));
  const std::vector<const Card*> cards = cards_of_stores(options);
  reports::Matrix matrix = explored_matrix(how, cards, session);
  for (const Card* const card : cards)
    matrix.stores.push_back({std::string(card->id), card->store, card->stands_for_store});
  if (!matrix.interrupted && !is_sampling(comparison_of(how).explore.strategy))
    add_waiting(options, cards, matrix, session);
  matrix.seconds = session.seconds();
  return matrix;
}

}  // namespace holdfast::cli
