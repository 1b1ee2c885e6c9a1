#include "sim/explore/deepening.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "sim/explore/parallel.hpp"

namespace holdfast {
namespace {

struct DeepJob {
  DeepCell* cell;
  Scenario scenario;
  Exploration found = {};
};

PropertySet unbroken(const Exploration& exploration) {
  PropertySet properties;
  for (const PropertyResult& each : exploration.properties)
    if (each.verdict != Verdict::violated) properties.insert(each.property);
  return properties;
}

// What there is still to find out of this cell; nothing, where all is broken, or was explored like this.
std::optional<DeepJob> job_of(DeepCell& cell, const Scope& scope, std::uint64_t states_max) {
  DeepJob job{&cell, cell.scenario_at(scope)};
  if (cell.within.empty()) return job;
  for (const Within& each : cell.within)
    if (each.scenario == job.scenario && (each.is_closed || each.states_max >= states_max))
      return std::nullopt;
  if (unbroken(cell.found) == PropertySet()) return std::nullopt;
  return job;
}

// Returns its place.
std::size_t note_scope(DeepCell& cell, Within within) {
  const auto known = std::find_if(cell.within.begin(), cell.within.end(),
                                  [&](const Within& each) { return each.scenario == within.scenario; });
  const auto at = static_cast<std::size_t>(known - cell.within.begin());
  if (known == cell.within.end()) cell.within.push_back(std::move(within));
  else *known = std::move(within);
  return at;
}

// A hollow result takes back nothing: where more may happen, another scope has closed something.
bool says_more(const PropertyResult& result, const PropertyResult& known) {
  if (result.verdict == Verdict::violated || result.verdict == Verdict::holds) return true;
  return result.verdict == Verdict::hollow && known.verdict != Verdict::holds;
}

void add(DeepCell& cell, Within within, Exploration found) {
  const bool is_first = cell.within.empty();
  const std::size_t at = note_scope(cell, std::move(within));
  Exploration& whole = cell.found;
  if (is_first) {
    whole = std::move(found);
    cell.decided_by.assign(whole.properties.size(), 0);
    return;
  }
  whole.states += found.states;
  whole.transitions += found.transitions;
  whole.runs += found.runs;
  whole.seconds += found.seconds;
  whole.snapshot_bytes = std::max(whole.snapshot_bytes, found.snapshot_bytes);
  whole.table_bytes = std::max(whole.table_bytes, found.table_bytes);
  whole.reach.insert(found.reach);
  std::vector<SourceLine> awaits;
  std::set_union(whole.awaits.begin(), whole.awaits.end(), found.awaits.begin(), found.awaits.end(),
                 std::back_inserter(awaits));
  whole.awaits = std::move(awaits);
  for (PropertyResult& result : found.properties) {
    const auto known = std::find_if(whole.properties.begin(), whole.properties.end(),
                                    [&](const auto& each) { return each.property == result.property; });
    if (!says_more(result, *known)) continue;
    cell.decided_by[static_cast<std::size_t>(known - whole.properties.begin())] = at;
    *known = std::move(result);
  }
}

// Coarse ticks alone prove nothing: open bounds and closed ones meet between them.
void doubt_coarse(DeepCell& cell, Duration finest) {
  const auto is_fine = [&](const Within& each) { return each.is_closed && each.scope.tick <= finest; };
  if (std::any_of(cell.within.begin(), cell.within.end(), is_fine)) return;
  for (PropertyResult& result : cell.found.properties)
    if (result.verdict == Verdict::holds)
      result = {result.property, Verdict::unknown, "only coarser steps of time were closed", std::nullopt};
}

}  // namespace

std::size_t deepen(std::vector<DeepCell>& cells, const Deepening& how, unsigned threads, const Budget& budget,
                   const std::function<void(const Scope& scope, std::size_t jobs)>& on_scope,
                   const OnDone& on_done) {
  std::size_t explored = 0;
  for (std::size_t d = 0; d < how.scopes.size(); ++d) {
    const Scope& scope = how.scopes[d];
    const bool is_whole = d < how.whole_scopes;
    const std::uint64_t states_max = is_whole ? std::numeric_limits<std::uint64_t>::max() : how.states_max;
    std::vector<DeepJob> jobs;
    for (DeepCell& cell : cells)
      if (std::optional<DeepJob> job = job_of(cell, scope, states_max)) jobs.push_back(std::move(*job));
    if (jobs.empty()) continue;
    explored += jobs.size();
    on_scope(scope, jobs.size());
    // What of a space is explored that is not explored whole depends on the number of threads.
    const auto within = is_whole ? std::max(1u, threads / static_cast<unsigned>(jobs.size())) : 1;
    std::mutex mutex;
    for_each_index(jobs.size(), threads, [&](std::size_t i) {
      DeepJob& job = jobs[i];
      Scenario asked = job.scenario;
      asked.explore.states_max = std::min(asked.explore.states_max, states_max);
      if (!job.cell->within.empty()) asked.check = unbroken(job.cell->found);
      // What finished clients have seen makes many states of some locks: with limits, others would be missed.
      if (!is_whole && asked.check != PropertySet{Property::progress}) asked.check.erase(Property::progress);
      job.found = explore(asked, *job.cell->card, budget, Engine::snapshots, within);
      const std::scoped_lock hold(mutex);
      on_done(i, job.found);
    });
    // What was interrupted has decided nothing but what it broke.
    for (DeepJob& job : jobs) {
      const bool is_closed = job.found.complete;
      add(*job.cell, {scope, std::move(job.scenario), states_max, is_closed}, std::move(job.found));
    }
    if (budget.is_exhausted && budget.is_exhausted()) break;
  }
  Duration finest = Duration::max();
  for (const Scope& scope : how.scopes) finest = std::min(finest, scope.tick);
  for (DeepCell& cell : cells) doubt_coarse(cell, finest);
  return explored;
}

}  // namespace holdfast
