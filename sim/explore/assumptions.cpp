#include "sim/explore/assumptions.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/core/invariant.hpp"
#include "sim/explore/run.hpp"

namespace holdfast {
namespace {

std::uint32_t size_of(FaultSet set) { return static_cast<std::uint32_t>(std::popcount(set.bits())); }

class AssumptionSearch {
 public:
  AssumptionSearch(const Job& calm, const std::vector<Fault>& faults, std::uint32_t together)
      : calm_(calm), faults_(faults) {
    found_.together = together;
    for (const Fault fault : faults) found_.tried.insert(fault);
    const PropertySet judged = Subject(calm.scenario, *calm.card).properties;
    for (std::size_t i = 0; i < property_ids.size(); ++i)
      if (judged.contains(static_cast<Property>(i)))
        found_.properties.push_back({static_cast<Property>(i), {}, {}, {}, {}});
  }

  Assumptions find(unsigned threads, const Budget& budget, const OnDone& on_done) {
    for (std::uint32_t size = 0; size <= found_.together; ++size) {
      std::vector<Job> jobs;
      std::vector<FaultSet> sets;
      add_sets(size, 0, {}, sets, jobs);
      std::vector<Exploration> explored = explore_all(jobs, threads, budget, on_done);
      for (std::size_t i = 0; i < sets.size(); ++i) note(sets[i], std::move(explored[i]));
    }
    for (Assumption& it : found_.properties) {
      keep_the_strongest(it.holds);
      // What holds under more holds under less.
      std::erase_if(it.hollow, [&](FaultSet set) {
        return std::any_of(it.holds.begin(), it.holds.end(),
                           [&](FaultSet larger) { return larger.contains_all(set); });
      });
    }
    return std::move(found_);
  }

 private:
  // Every set of this size about which something is not known yet.
  void add_sets(std::uint32_t size, std::size_t from, FaultSet set, std::vector<FaultSet>& sets,
                std::vector<Job>& jobs) const {
    if (size > 0) {
      for (std::size_t i = from; i < faults_.size(); ++i) {
        if (found_.idle.contains(faults_[i])) continue;
        FaultSet larger = set;
        larger.insert(faults_[i]);
        add_sets(size - 1, i + 1, larger, sets, jobs);
      }
      return;
    }
    Job job = calm_;
    job.scenario.check = {};
    for (const Assumption& it : found_.properties)
      if (!is_broken(it, set)) job.scenario.check.insert(it.property);
    if (job.scenario.check.empty()) return;
    for (const Fault fault : faults_)
      if (set.contains(fault)) job.scenario.faults.push_back({.kind = fault});
    sets.push_back(set);
    jobs.push_back(std::move(job));
  }

  static bool is_broken(const Assumption& it, FaultSet set) {
    return std::any_of(it.breaks.begin(), it.breaks.end(),
                       [&](const BreakingSet& smaller) { return set.contains_all(smaller.faults); });
  }

  void note(FaultSet set, Exploration explored) {
    found_.sets += explored.complete ? 1 : 0;
    found_.states += explored.states;
    if (size_of(set) == 1 && explored.complete && !explored.reach.struck.contains_all(set))
      found_.idle.insert(set);
    for (PropertyResult& result : explored.properties) {
      const auto it = std::find_if(found_.properties.begin(), found_.properties.end(),
                                   [&](const Assumption& each) { return each.property == result.property; });
      INVARIANT(it != found_.properties.end(), "only properties that were asked for are judged");
      if (result.verdict == Verdict::violated) it->breaks.push_back({set, std::move(*result.counterexample)});
      else if (result.verdict == Verdict::hollow) it->hollow.push_back(set);
      else if (explored.complete) it->holds.push_back(set);
      else it->open.push_back(set);
    }
  }

  static void keep_the_strongest(std::vector<FaultSet>& sets) {
    std::vector<FaultSet> strongest;
    for (const FaultSet set : sets)
      if (std::none_of(sets.begin(), sets.end(),
                       [&](FaultSet other) { return other != set && other.contains_all(set); }))
        strongest.push_back(set);
    sets = std::move(strongest);
  }

  const Job& calm_;
  const std::vector<Fault>& faults_;
  Assumptions found_;
};

}  // namespace

Assumptions assumptions_of(const Job& calm, const std::vector<Fault>& faults, std::uint32_t together,
                           unsigned threads, const Budget& budget, const OnDone& on_done) {
  return AssumptionSearch(calm, faults, together).find(threads, budget, on_done);
}

}  // namespace holdfast
