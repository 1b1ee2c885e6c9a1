#include "sim/explore/deepening.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/core/arena.hpp"
#include "sim/explore/engines.hpp"
#include "sim/explore/liveness.hpp"
#include "sim/explore/parallel.hpp"
#include "sim/explore/shares.hpp"

namespace holdfast {
namespace {

struct DeepJob {
  DeepCell* cell;
  Scenario scenario;
  std::uint64_t states;     // 0: it is only sampled
  std::uint64_t runs;       // of a sample, unless it is closed
  PropertySet sought = {};  // what is known to be broken between ticks; empty: all that is still open
  std::optional<Exploration> explored = std::nullopt;
  std::optional<Exploration> sampled = std::nullopt;
};

PropertySet unbroken(const Exploration& exploration) {
  PropertySet properties;
  for (const PropertyResult& each : exploration.properties)
    if (each.verdict != Verdict::violated) properties.insert(each.property);
  return properties;
}

// What of the properties that the scenario asks for is not broken yet. Empty asks for all. What finished
// clients have seen makes many states of some locks, so progress is asked only of two clients that come once,
// unless nothing else is.
PropertySet still_open(const DeepCell& cell, const Scope& scope, const Scenario& scenario) {
  PropertySet open = scenario.check;
  if (open == PropertySet()) open = unbroken(cell.found);
  for (std::size_t i = 0; i < cell.found.properties.size(); ++i) {
    const PropertyResult& each = cell.found.properties[i];
    if (each.verdict != Verdict::violated) continue;
    // A run that is perhaps too long may have a shorter one within smaller bounds.
    const bool is_shortest = !each.counterexample || each.counterexample->is_shortest;
    if (is_shortest || !cell.within[cell.decided_by[i]].scope.contains(scope)) open.erase(each.property);
  }
  const bool is_small = scope.clients == 2 && scope.rounds == 1 && scope.attempts == 1 && scope.faults == 1;
  if (!is_small && !scope.is_endless() && scenario.check != PropertySet{Property::progress})
    open.erase(Property::progress);
  return open;
}

Scenario sample_of(Scenario scenario, std::uint64_t runs) {
  scenario.explore.strategy = StrategyKind::portfolio;
  scenario.explore.runs_max = runs;
  return scenario;
}

// Not what is a sample itself, nor a lasso.
bool can_be_sampled(const Scenario& scenario) {
  return !is_sampling(scenario.explore.strategy) && !scenario.check.contains_any(of_graphs);
}

// What is known of this scenario: from exploring it, or from a sample.
const Within* known(const DeepCell& cell, const Scenario& scenario, bool is_sample) {
  for (const Within& each : cell.within) {
    if ((each.runs != 0) != is_sample) continue;
    const Scenario asked = is_sample ? sample_of(scenario, each.scenario.explore.runs_max) : scenario;
    if (each.scenario == asked) return &each;
  }
  return nullptr;
}

// Larger bounds were closed.
bool is_in_closed(const DeepCell& cell, const Scope& scope) {
  return std::any_of(cell.within.begin(), cell.within.end(), [&](const Within& each) {
    return each.is_closed && !(each.scope == scope) && each.scope.contains(scope);
  });
}

// Whether its lock objects keep nothing between calls, or tell what they keep.
bool is_all_told(const Card& card) {
  class Deaf final : public Memory {
    void note(std::int64_t) override {}
    void note(std::string_view) override {}
    void note(const Background&) override {}
  };
  if (card.is_stateless) return true;
  Deaf deaf;
  return card.make(Params(card.parameters))->recall(deaf);
}

bool is_faultless(const DeepCell& cell) {
  return !cell.within.empty() && cell.within.front().scenario.faults.empty();
}

const DeepCell* faultless(const std::vector<DeepCell>& cells, const DeepCell& cell) {
  for (const DeepCell& each : cells)
    if (each.card == cell.card && is_faultless(each)) return &each == &cell ? nullptr : &each;
  return nullptr;
}

// What there is still to find out of this cell; nothing, where all is broken, or was explored like this.
std::optional<DeepJob> job_of(DeepCell& cell, const Scope& scope, const Deepening& how,
                              const DeepCell* faultless) {
  if (!cell.found.beyond_model.empty()) return std::nullopt;
  std::optional<Scenario> scenario = cell.scenario_at(scope);
  if (!scenario) return std::nullopt;
  // A lock object that may keep something between calls has a new state after each.
  if (scope.is_endless() && how.states != all_states && !is_all_told(*cell.card)) return std::nullopt;
  const bool is_for_ticks = !cell.found.needs_ticks.empty() || scenario->check.contains_any(of_graphs);
  if (scope.is_dense() && (is_for_ticks || !Arena::is_available())) return std::nullopt;
  const bool is_begun = !cell.within.empty() && cell.within.front().is_closed;
  if (is_begun && spares_servers(*scenario, cell.found.reach)) return std::nullopt;
  const Within* explored = known(cell, *scenario, false);
  if ((explored && explored->is_closed) || is_in_closed(cell, scope)) return std::nullopt;
  const std::uint64_t states = states_for(cell, scope, *scenario, how);
  const bool is_explored = (explored && explored->states_max >= states) ||
                           is_hopeless(cell, scope, *scenario, states, faultless, how);
  const Within* sampled = known(cell, *scenario, true);
  // Of runs without end a sample sees little, and takes long.
  const bool is_tried = scope.is_dense() || (scope.is_endless() && how.states != all_states);
  const bool is_sampled = is_tried || !can_be_sampled(*scenario) || (sampled && sampled->runs >= how.runs);
  if (is_explored && is_sampled) return std::nullopt;
  if (!cell.within.empty() && still_open(cell, scope, *scenario) == PropertySet()) return std::nullopt;
  return DeepJob{&cell, std::move(*scenario), is_explored ? 0 : states, is_sampled ? 0 : how.runs};
}

// A run in these ticks that breaks what dense time has broken, and no run in ticks yet.
std::optional<DeepJob> search_of(DeepCell& cell, const Scope& scope, const Deepening& how) {
  PropertySet sought = cell.broken_between_ticks;
  for (const PropertyResult& each : cell.found.properties)
    if (each.verdict == Verdict::violated) sought.erase(each.property);
  if (sought == PropertySet()) return std::nullopt;
  std::optional<Scenario> scenario = cell.scenario_at(scope);
  if (!scenario || known(cell, *scenario, false) != nullptr) return std::nullopt;
  const std::uint64_t states = std::min(how.states, scenario->explore.states_max);
  return DeepJob{&cell, std::move(*scenario), states, 0, sought};
}

void perform(DeepJob& job, const Scope& scope, const Deepening& how, const Budget& budget, unsigned threads) {
  Scenario asked = job.scenario;
  const bool is_sought = job.sought != PropertySet();
  if (is_sought) asked.check = job.sought;
  else if (!job.cell->within.empty()) asked.check = still_open(*job.cell, scope, asked);
  if (job.states > 0) {
    asked.explore.states_max = job.states;
    // A search that was saved does not remember how it grew, and ranks have each a part of it.
    asked.explore.gives_up = !is_sought && how.states != all_states && !budget.checkpoints && !budget.ranks &&
                             (scope.is_dense() || !is_closed_in_coarse_ticks(*job.cell, scope));
    job.explored = explore(asked, *job.cell->card, budget, Engine::snapshots, threads);
    if (job.explored->complete || !job.explored->beyond_model.empty()) return;
    asked.check = unbroken(*job.explored);
  }
  if (job.runs > 0 && asked.check != PropertySet())
    job.sampled = explore(sample_of(asked, job.runs), *job.cell->card, budget, Engine::snapshots);
}

// Returns its place.
std::size_t note_within(DeepCell& cell, Within within) {
  const Within* before = known(cell, within.scenario, within.runs != 0);
  if (before == nullptr) {
    cell.within.push_back(std::move(within));
    return cell.within.size() - 1;
  }
  const auto at = static_cast<std::size_t>(before - cell.within.data());
  cell.within[at] = std::move(within);
  return at;
}

void add_effort(Effort& all, Effort& found) {
  all.states += found.states;
  all.transitions += found.transitions;
  all.runs += found.runs;
  all.seconds += found.seconds;
  all.snapshot_bytes = std::max(all.snapshot_bytes, found.snapshot_bytes);
  all.table_bytes = std::max(all.table_bytes, found.table_bytes);
  all.depth_max = std::max(all.depth_max, found.depth_max);
  all.reach.insert(found.reach);
  if (all.beyond_model.empty()) all.beyond_model = found.beyond_model;
  if (all.needs_ticks.empty()) all.needs_ticks = found.needs_ticks;
  if (found.sample) all.sample = std::move(found.sample);
  std::vector<SourceLine> awaits;
  std::set_union(all.awaits.begin(), all.awaits.end(), found.awaits.begin(), found.awaits.end(),
                 std::back_inserter(awaits));
  all.awaits = std::move(awaits);
}

// What says more than what is known: broken is worst, by a short run best, and what was closed last says
// most.
bool decides(const PropertyResult& result, bool is_complete, const PropertyResult& known) {
  const bool is_broken = result.verdict == Verdict::violated;
  if (known.verdict == Verdict::violated)
    return is_broken && result.counterexample && known.counterexample &&
           result.counterexample->steps < known.counterexample->steps;
  const int weight = weight_of(result.verdict, is_complete);
  return is_broken || weight == 3 || weight > weight_of(known.verdict, true);
}

void add(DeepCell& cell, Within within, Exploration found) {
  const std::size_t at = note_within(cell, std::move(within));
  Exploration& all = cell.found;
  for (const PropertyResult& result : found.properties)
    if (result.note == broken_between_ticks) cell.broken_between_ticks.insert(result.property);
  add_effort(all, found);
  for (PropertyResult& result : found.properties) {
    const auto same = std::find_if(all.properties.begin(), all.properties.end(),
                                   [&](const auto& each) { return each.property == result.property; });
    const auto place = static_cast<std::size_t>(same - all.properties.begin());
    if (same == all.properties.end()) {
      all.properties.push_back(std::move(result));
      cell.decided_by.push_back(at);
    } else if (decides(result, found.complete, *same)) {
      *same = std::move(result);
      cell.decided_by[place] = at;
    }
  }
}

void add(DeepJob& job, const Scope& scope) {
  // It was not explored in dense time, and will not be.
  if (job.explored && !job.explored->needs_ticks.empty()) return add_effort(job.cell->found, *job.explored);
  if (job.explored) {
    Within within{.scope = scope, .scenario = job.scenario, .states = job.explored->states};
    within.is_closed = job.explored->complete;
    // What was interrupted has decided nothing but what it broke; more states need more room.
    if (job.explored->memory_full) within.states_max = all_states;
    else if (within.states >= job.states || job.explored->gave_up) within.states_max = job.states;
    // Of a lock without a finite graph nothing is said that nobody has asked for.
    if (scope.variant == Variant::in_step && !within.is_closed) job.explored->properties.clear();
    add(*job.cell, std::move(within), std::move(*job.explored));
  }
  if (!job.sampled || job.sampled->runs == 0) return;
  // Shrinking takes runs, too.
  Within within{.scope = scope, .runs = std::min(job.runs, job.sampled->runs)};
  within.scenario = sample_of(std::move(job.scenario), within.runs);
  add(*job.cell, std::move(within), std::move(*job.sampled));
}

// What is known of one variant of a cell.
Verdict extent_of(const DeepCell& cell, Variant variant, Duration finest) {
  Verdict extent = Verdict::unknown;
  for (const Within& each : cell.within) {
    if (each.scope.variant != variant) continue;
    if (each.is_closed && each.scope.tick <= finest) return Verdict::holds;
    if (each.runs != 0) extent = Verdict::sampled;
  }
  return extent;
}

// Dense time closes what needs finest ticks; not every lock can be explored in it.
Duration finest_tick_of(Variant variant, const Deepening& how) {
  Duration finest = Duration::max();
  for (const Scope& each : how.scopes)
    if (each.variant == variant && !each.is_dense()) finest = std::min(finest, each.tick);
  return finest == Duration::max() ? Duration::zero() : finest;
}

constexpr std::string_view stays_open = "open: ";

// What keeps a property open, if its first variant was closed. Coarse ticks alone prove nothing: open bounds
// and closed ones meet between them.
struct Doubt {
  Verdict worst = Verdict::holds;
  std::string open = {};
};

Doubt doubt_about(Property property, const DeepCell& cell, const Deepening& how) {
  Doubt found;
  std::optional<Variant> first;
  for (const Scope& scope : how.scopes) {
    const std::optional<Scenario> scenario = cell.scenario_at(scope);
    // A variant may be there for a few properties.
    if (!scenario || (scenario->check != PropertySet() && !scenario->check.contains(property))) continue;
    const Duration finest = finest_tick_of(scope.variant, how);
    const Verdict extent = extent_of(cell, scope.variant, finest);
    const bool is_first = scope.variant == first.value_or(scope.variant);
    first = first.value_or(scope.variant);
    if (extent == Verdict::holds) continue;
    if (extent == Verdict::unknown || (is_first && found.worst == Verdict::holds)) found.worst = extent;
    const std::string id(id_of(scope.variant));
    if (found.open.find(id) == std::string::npos)
      found.open += (found.open.empty() ? std::string(stays_open) : ", ") + id;
  }
  return found;
}

void doubt(DeepCell& cell, const Deepening& how) {
  for (PropertyResult& result : cell.found.properties) {
    if (result.verdict != Verdict::holds && result.verdict != Verdict::sampled) continue;
    if (cell.broken_between_ticks.contains(result.property)) {
      result = {result.property, Verdict::unknown, std::string(broken_between_ticks), std::nullopt};
      continue;
    }
    const auto [worst, open] = doubt_about(result.property, cell, how);
    if (result.verdict == Verdict::holds && worst != Verdict::holds)
      result = {result.property, worst, "", std::nullopt};
    const bool is_open = result.verdict == Verdict::holds || result.verdict == Verdict::sampled;
    if (is_open && (!open.empty() || result.note.starts_with(stays_open))) result.note = open;
  }
}

}  // namespace

std::size_t deepen(std::vector<DeepCell>& cells, const Deepening& how, unsigned threads, const Budget& budget,
                   const std::function<void(const Scope& scope, std::size_t jobs)>& on_step,
                   const OnDone& on_done) {
  std::size_t explored = 0;
  // What is found without a fault says what is hopeless with one; of the first bounds nothing is known.
  const auto explore_jobs = [&](const Scope& scope, std::vector<DeepJob> jobs) {
    if (jobs.empty()) return;
    explored += jobs.size();
    on_step(scope, jobs.size());
    // What of a space is explored that is not explored whole depends on the number of threads.
    const bool is_whole = how.states == all_states;
    // Ranks explore one space at a time.
    const bool has_ranks = budget.ranks != nullptr;
    const std::size_t at_once = has_ranks ? 1 : jobs.size();
    const auto within = is_whole ? std::max(1u, threads / static_cast<unsigned>(at_once)) : 1;
    std::mutex mutex;
    for_each_index(jobs.size(), has_ranks ? 1 : threads, [&](std::size_t i) {
      perform(jobs[i], scope, how, budget, within);
      const std::scoped_lock hold(mutex);
      if (jobs[i].explored) on_done(i, *jobs[i].explored);
      else if (jobs[i].sampled) on_done(i, *jobs[i].sampled);
    });
    for (DeepJob& job : jobs) add(job, scope);
  };
  const auto explore_those = [&](const Scope& scope, const std::vector<DeepCell*>& those) {
    std::vector<DeepJob> jobs;
    for (DeepCell* cell : those)
      if (std::optional<DeepJob> job = job_of(*cell, scope, how, faultless(cells, *cell)))
        jobs.push_back(std::move(*job));
    explore_jobs(scope, std::move(jobs));
  };
  for (const Scope& scope : how.scopes) {
    // What is saved, or shared among processes, are states in ticks.
    if (scope.is_dense() && (budget.checkpoints != nullptr || budget.ranks != nullptr)) continue;
    std::vector<DeepCell*> first, then;
    for (DeepCell& cell : cells) (cell.within.empty() || is_faultless(cell) ? first : then).push_back(&cell);
    explore_those(scope, first);
    explore_those(scope, then);
    if (budget.is_exhausted && budget.is_exhausted()) break;
  }
  // Few are, and each is told by a run if one is found.
  for (const Duration tick : {500ms, 250ms})
    for (Scope scope : how.scopes) {
      if (!scope.is_dense() || (budget.is_exhausted && budget.is_exhausted())) continue;
      scope.tick = tick;
      std::vector<DeepJob> jobs;
      for (DeepCell& cell : cells)
        if (std::optional<DeepJob> job = search_of(cell, scope, how)) jobs.push_back(std::move(*job));
      explore_jobs(scope, std::move(jobs));
    }
  for (DeepCell& cell : cells) doubt(cell, how);
  for (DeepCell& cell : cells)
    if (!cell.found.beyond_model.empty()) withdraw_verdicts(cell.found);
  return explored;
}

}  // namespace holdfast
