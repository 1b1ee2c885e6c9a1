#include "sim/explore/lease.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "sim/core/invariant.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/dense.hpp"

namespace holdfast {
namespace {

// For larger bounds, which few locks close in fine ticks.
constexpr std::uint64_t states_beyond = 500'000;

constexpr std::int64_t million = 1'000'000;

// What the client's own clock shows when so much time has passed.
Duration shown(Duration time, std::int64_t drift_ppm) { return time + time * drift_ppm / million; }

// Fewer schedules of the same, for what is only tried: the first client comes at once, and work takes as long
// as it can.
Scenario narrow(Scenario scenario) {
  for (ClientPlan& plan : scenario.clients)
    for (ProgramStep& step : plan.program) step.at_least.reset();
  scenario.clients.front().start_late = scenario.clients.front().start;
  return scenario;
}

// Every other client's clock runs fast, and those of the others run slow.
Scenario drifting(Scenario scenario, std::int32_t drift_ppm) {
  for (std::size_t i = 0; i < scenario.clients.size(); ++i) {
    ClientPlan& plan = scenario.clients[i];
    plan.drift_ppm = i % 2 == 0 ? -drift_ppm : drift_ppm;
    // The length of work does not depend on its client's clock.
    for (ProgramStep& step : plan.program) {
      step.length = shown(step.length, plan.drift_ppm);
      if (step.at_least) step.at_least = shown(*step.at_least, plan.drift_ppm);
    }
  }
  return scenario;
}

Comparison comparison_for(const LeaseConditions& conditions, Duration lease) {
  Comparison comparison;
  comparison.attempts = 1;
  comparison.faults = conditions.pauses;
  comparison.ttl = lease;
  comparison.given_ttl = lease;
  comparison.given_work = conditions.work;
  comparison.pause = conditions.pause;
  comparison.is_in_proportion = false;
  comparison.check = of_leases;
  comparison.explore.states_max = conditions.states_max;
  Timing& timing = comparison.timing;
  timing.tick = conditions.tick;
  timing.delay_max = conditions.delay;
  timing.timeout = 3 * conditions.delay;
  timing.retry = 2 * conditions.tick;
  timing.retry_late = 4 * conditions.tick;
  timing.recovery = 2 * conditions.tick;  // as long as the lease needs
  return comparison;
}

// The holder's clock may be the slow one or the fast one: of the narrow scenario, in which it is known which
// client comes first, both are explored.
std::vector<Job> jobs_of(const LeaseConditions& conditions, const Card& card, Duration lease,
                         const Scope& scope, bool is_narrow) {
  const Comparison comparison = at_scope(comparison_for(conditions, lease), scope);
  Scenario scenario =
      scenario_of(comparison, card, conditions.pause > Duration::zero() ? Fault::pause : Fault::none);
  conditions.finish(scenario);
  if (is_narrow) scenario = narrow(std::move(scenario));
  const std::int32_t drift_ppm = conditions.drift_ppm;
  std::vector<Job> jobs{{scenario, &card}};
  if (drift_ppm != 0) jobs.push_back({drifting(scenario, drift_ppm), &card});
  if (drift_ppm != 0 && is_narrow) jobs.push_back({drifting(scenario, -drift_ppm), &card});
  return jobs;
}

// Violated is worst, then what is not known.
int weight_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::violated: return 4;
    case Verdict::unknown: return 3;
    case Verdict::holds: return 2;
    case Verdict::hollow: return 1;
    case Verdict::sampled:
    case Verdict::not_applicable: break;
  }
  return 0;
}

void add(TriedLease& tried, const Scenario& scenario, Exploration found) {
  tried.states += found.states;
  for (PropertyResult& result : found.properties) {
    const auto same = std::find_if(tried.results.begin(), tried.results.end(),
                                   [&](const auto& each) { return each.property == result.property; });
    const auto place = static_cast<std::size_t>(same - tried.results.begin());
    if (same == tried.results.end()) {
      tried.results.push_back(std::move(result));
      tried.scenarios.push_back(scenario);
    } else if (weight_of(result.verdict) > weight_of(same->verdict)) {
      *same = std::move(result);
      tried.scenarios[place] = scenario;
    }
  }
}

Scope usual_scope(const LeaseConditions& conditions) { return {2, 1, 1, conditions.pauses, conditions.tick}; }

class LeaseSearch {
 public:
  LeaseSearch(const LeaseConditions& conditions, const Card& card, unsigned threads, const Budget& budget,
              const std::function<void(const TriedLease&)>& on_tried)
      : conditions_(conditions), card_(card), threads_(threads), budget_(budget), on_tried_(on_tried) {}

  LeaseEdge find() {
    find_longest();
    while (!edge_.is_open && edge_.sought != PropertySet()) {
      const auto [low, high] = bracket();
      if (high - low > 1) try_lease(low + (high - low) / 2);
      else if (holds_beyond(high)) break;
    }
    return result();
  }

 private:
  // A bit more than what the times add up to; a lock that renews, or counts seconds, may need much more.
  void find_longest() {
    const LeaseConditions& it = conditions_;
    const auto sum = static_cast<std::uint32_t>((it.work + it.pauses * it.pause + 4 * it.delay) / it.tick);
    longest_ = std::max(sum + sum / 4, 4u);
    constexpr int more = 3;
    for (int i = 0; i <= more && !edge_.is_open; ++i, longest_ *= 2) {
      note_sought(try_lease(longest_));
      if (edge_.sought.contains(Property::mutual_exclusion)) return;
    }
    longest_ /= 2;
    edge_.sought = {};
  }

  void note_sought(const TriedLease& longest) {
    edge_.sought = edge_.hopeless = {};
    for (const PropertyResult& each : longest.results) {
      if (each.verdict == Verdict::holds) edge_.sought.insert(each.property);
      if (each.verdict == Verdict::violated) edge_.hopeless.insert(each.property);
    }
  }

  const TriedLease& try_lease(std::uint32_t ticks) {
    TriedLease& tried = tried_[ticks];
    tried.lease = lease_at(conditions_, ticks);
    const std::vector<Job> jobs = jobs_of(conditions_, card_, tried.lease, usual_scope(conditions_), true);
    std::vector<Exploration> found = explore_all(jobs, threads_, budget_, nullptr);
    for (std::size_t i = 0; i < jobs.size(); ++i) add(tried, jobs[i].scenario, std::move(found[i]));
    for (const PropertyResult& each : tried.results) edge_.is_open |= each.verdict == Verdict::unknown;
    if (on_tried_) on_tried_(tried);
    return tried;
  }

  // The longest lease that breaks, and the shortest above it that holds. No lease at all breaks.
  std::pair<std::uint32_t, std::uint32_t> bracket() const {
    std::pair<std::uint32_t, std::uint32_t> bracket{0, longest_};
    for (const auto& [ticks, tried] : tried_)
      if (tried.lacking(edge_.sought) != nullptr) bracket.first = ticks;
    for (auto each = tried_.rbegin(); each != tried_.rend() && each->first > bracket.first; ++each)
      bracket.second = each->first;
    return bracket;
  }

  // Whether the lease holds in every schedule, not only the narrow ones; and then within larger bounds, as
  // far as they close. Where it does not, a longer one is looked for.
  bool holds_beyond(std::uint32_t ticks) {
    const Duration tick = conditions_.tick;
    const std::uint32_t pauses = conditions_.pauses;
    const std::array<Scope, 4> scopes{{usual_scope(conditions_),
                                       {2, 1, 2, pauses, tick},
                                       {3, 1, 1, pauses, tick},
                                       {2, 2, 1, pauses, tick}}};
    TriedLease& tried = tried_.at(ticks);
    edge_.within.clear();
    for (const Scope& scope : scopes) {
      const bool is_usual = scope == scopes.front();
      edge_.within.push_back(explore_beyond(tried, scope, is_usual ? conditions_.states_max : states_beyond));
      if (tried.lacking(edge_.sought) != nullptr) {
        give_up_on(tried, scope);
        return edge_.sought == PropertySet();
      }
      edge_.is_open |= is_usual && !edge_.within.back().is_closed;
      if (edge_.is_open || (budget_.is_exhausted && budget_.is_exhausted())) break;
    }
    return true;
  }

  LeaseWithin explore_beyond(TriedLease& tried, const Scope& scope, std::uint64_t most) {
    std::vector<Job> jobs = jobs_of(conditions_, card_, tried.lease, scope, false);
    for (Job& job : jobs) job.scenario.explore.states_max = most;
    std::vector<Exploration> found = explore_all(jobs, threads_, budget_, nullptr);
    LeaseWithin within{.scope = scope, .states = 0, .is_closed = true};
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      within.states += found[i].states;
      within.is_closed &= found[i].complete;
      std::erase_if(found[i].properties, [](const auto& each) { return each.verdict != Verdict::violated; });
      add(tried, jobs[i].scenario, std::move(found[i]));
    }
    return within;
  }

  // What the longest lease does not make hold within these bounds either, none does.
  void give_up_on(const TriedLease& tried, const Scope& scope) {
    TriedLease& longest = tried_.at(longest_);
    if (&longest != &tried) explore_beyond(longest, scope, states_beyond);
    while (const PropertyResult* lacking = longest.lacking(edge_.sought)) {
      edge_.sought.erase(lacking->property);
      edge_.hopeless.insert(lacking->property);
    }
    if (!edge_.sought.contains(Property::mutual_exclusion)) edge_.sought = {};
  }

  LeaseEdge result() {
    if (!edge_.is_open && edge_.sought != PropertySet()) {
      const auto [low, high] = bracket();
      edge_.holds = tried_.at(high);
      if (low != 0) edge_.breaks = tried_.at(low);
    }
    for (auto& [ticks, tried] : tried_) edge_.tried.push_back(std::move(tried));
    return std::move(edge_);
  }

  const LeaseConditions& conditions_;
  const Card& card_;
  unsigned threads_;
  const Budget& budget_;
  const std::function<void(const TriedLease&)>& on_tried_;
  std::uint32_t longest_ = 0;                  // in ticks
  std::map<std::uint32_t, TriedLease> tried_;  // by ticks
  LeaseEdge edge_;
};

}  // namespace

const PropertyResult* TriedLease::lacking(PropertySet among) const {
  const PropertyResult* lacking = nullptr;
  for (const PropertyResult& each : results) {
    if (!among.contains(each.property) || each.verdict == Verdict::holds) continue;
    if (each.verdict == Verdict::violated) return &each;
    if (lacking == nullptr) lacking = &each;
  }
  return lacking;
}

Duration lease_at(const LeaseConditions& conditions, std::uint32_t ticks) {
  return std::chrono::ceil<std::chrono::milliseconds>(ticks * conditions.tick);
}

Scenario lease_scenario(const LeaseConditions& conditions, const Card& card, Duration lease) {
  return jobs_of(conditions, card, lease, usual_scope(conditions), false).front().scenario;
}

std::vector<Scenario> lease_scenarios(const LeaseConditions& conditions, const Card& card, Duration lease) {
  std::vector<Scenario> scenarios;
  for (const Job& job : jobs_of(conditions, card, lease, usual_scope(conditions), false))
    scenarios.push_back(job.scenario);
  return scenarios;
}

bool closes(const LeaseConditions& conditions, const Card& card, Duration lease, std::uint64_t states_max,
            const Budget& budget) {
  for (Job& job : jobs_of(conditions, card, lease, usual_scope(conditions), true)) {
    job.scenario.explore.states_max = states_max;
    if (!explore(job.scenario, card, budget).complete) return false;
  }
  return true;
}

LeaseEdge lease_edge(const LeaseConditions& conditions, const Card& card, unsigned threads,
                     const Budget& budget, const std::function<void(const TriedLease&)>& on_tried) {
  return LeaseSearch(conditions, card, threads, budget, on_tried).find();
}

namespace {

// Of one lease: what is not there has more, and takes seconds.
constexpr std::uint64_t dense_states = 150'000;
// Shorter leases are tried where one has no more: a dozen of them are.
constexpr std::uint64_t few_dense_states = 20'000;

// nullptr: nothing is, but there were too many states.
const PropertyResult* broken_in(const Exploration& found) {
  for (const PropertyResult& each : found.properties)
    if (each.note == broken_between_ticks) return &each;
  return nullptr;
}

std::string why_unproved(const Exploration& found) {
  if (!found.needs_ticks.empty()) return std::string(found.needs_ticks);
  if (const PropertyResult* const broken = broken_in(found))
    return fmt::format("{} is violated", id_of(broken->property));
  if (found.states < dense_states) return "the search ended early";
  return fmt::format("it has more than {} states", dense_states);
}

}  // namespace

LeaseAtInstants lease_at_instants(const LeaseConditions& conditions, bool are_shorter, const Card& card,
                                  const LeaseEdge& edge, const Budget& budget) {
  const auto explored = [&](Duration lease, std::uint32_t rounds) {
    Comparison comparison = comparison_for(conditions, lease);
    comparison.check = edge.sought;
    comparison.explore.states_max = dense_states;
    const Scope scope{2, rounds, rounds, conditions.pauses, Duration::zero()};
    const Fault fault = conditions.pause > Duration::zero() ? Fault::pause : Fault::none;
    Scenario scenario = *scenario_at(comparison, scope, card, fault);
    conditions.finish(scenario);
    return explore(scenario, card, budget);
  };
  constexpr std::uint32_t once = 1, any_number = 0;
  LeaseAtInstants found;
  const Exploration known = explored(edge.holds->lease, once);
  if (!is_proved(known)) {
    found.why = why_unproved(known);
    return found;
  }
  found.holds = edge.holds->lease;
  Duration unproved{};
  bool is_broken = true;
  const PropertyResult* const lacking = edge.breaks ? edge.breaks->lacking(edge.sought) : nullptr;
  if (!are_shorter && lacking != nullptr && lacking->verdict == Verdict::violated) {
    unproved = edge.breaks->lease;
    // It may take a third client, or a second round or attempt.
    const Scenario& where =
        edge.breaks->scenarios[static_cast<std::size_t>(lacking - edge.breaks->results.data())];
    const auto comes_once = [](const ClientPlan& client) {
      return client.rounds == 1 && client.program.front().attempts == 1;
    };
    const bool is_once =
        where.clients.size() == 2 && std::all_of(where.clients.begin(), where.clients.end(), comes_once);
    INVARIANT(!is_once || !is_proved(explored(unproved, once)),
              "what breaks in ticks breaks where time is dense");
  }
  while (known.states <= few_dense_states && *found.holds - unproved > 1ms) {
    const Duration middle = unproved + (*found.holds - unproved) / 2ms * 1ms;
    const Exploration tried = explored(middle, once);
    if (is_proved(tried)) {
      found.holds = middle;
    } else {
      unproved = middle;
      is_broken = broken_in(tried) != nullptr;
    }
  }
  found.is_shortest = is_broken && *found.holds - unproved == 1ms;
  const Exploration last = explored(*found.holds, any_number);
  found.is_for_any_number = is_proved(last);
  found.states = found.is_for_any_number ? last.states : known.states;
  return found;
}

}  // namespace holdfast
