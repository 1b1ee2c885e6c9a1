#include "sim/explore/explore.hpp"

#include <algorithm>
#include <mutex>

#include "sim/core/arena.hpp"
#include "sim/core/beyond_model.hpp"
#include "sim/core/interruption.hpp"
#include "sim/explore/dense.hpp"
#include "sim/explore/engines.hpp"
#include "sim/explore/liveness.hpp"
#include "sim/explore/parallel.hpp"
#include "sim/explore/rehearsal.hpp"
#include "sim/scenario/specification.hpp"
#include "sim/trace/source_line.hpp"
#include "sim/world/magnitude.hpp"

namespace holdfast {

namespace {

// Without an operation that only it looks at, a property says nothing.
std::optional<ProgramStep::Op> looks_at(Property property) {
  if (property == Property::reentrancy) return ProgramStep::Op::acquire_again;
  if (property == Property::no_lost_update) return ProgramStep::Op::read;
  if (property == Property::single_fill) return ProgramStep::Op::fetch;
  if (property == Property::once_per_period) return ProgramStep::Op::job;
  return std::nullopt;
}

bool is_askable(const Scenario& scenario, Property property) {
  const auto op = looks_at(property);
  return !op || has_step(scenario.clients, *op);
}

// What a resource that does not look at numbers accepts is judged on request.
bool is_usual(const Scenario& scenario, Property property) {
  if (property == Property::availability) return scenario.away > 0;
  if (property == Property::fenced_writes || property == Property::rightful_write)
    return scenario.fencing != Fencing::none;
  return checkers::all().contains(property) && is_askable(scenario, property);
}

PropertySet usual(const Scenario& scenario) {
  PropertySet properties;
  for (const std::string_view id : property_ids) {
    const Property property = *from_id<Property>(property_ids, id);
    if (is_usual(scenario, property)) properties.insert(property);
  }
  return properties;
}

// What is said of one holder, or of one key that one client owns.
constexpr PropertySet of_single_holders{
    Property::no_stale_write,    Property::fenced_writes,    Property::fence_order,
    Property::rightful_write,    Property::no_lost_update,   Property::owner_only_release,
    Property::owner_only_change, Property::truthful_release, Property::release_frees,
    Property::bounded_bypass,    Property::single_fill,      Property::once_per_period};

}  // namespace

Subject::Subject(const Scenario& the_scenario, const Card& the_card)
    : scenario(the_scenario), card(the_card), params(the_card.parameters), properties(the_scenario.check) {
  for (const auto& [name, text] : scenario.params) params.set(name, text);
  if (properties.empty()) properties = usual(scenario);
  for (std::size_t i = 0; i < scenario.clients.size(); ++i)
    late_writers |= std::uint64_t{writes_late(scenario.clients[i].program)} << (i & 63);
  kinds.remember_scripts(scenario.explore.remembers_scripts);
  facts = rehearse(scenario, card, kinds);
  const auto leave_out = [&](Property property, std::string_view why) {
    if (why.empty() || !properties.contains(property)) return;
    unjudged.emplace(property, why);
    properties.erase(property);
  };
  for (const Property property : about_owners) leave_out(property, facts.why_ownerless);
  leave_out(Property::release_frees, facts.why_ownerless);
  leave_out(Property::release_frees, facts.why_never_gone);
  if (card.capacity > 1)
    for (const std::string_view id : property_ids) {
      const Property property = *from_id<Property>(property_ids, id);
      if (of_single_holders.contains(property)) leave_out(property, "several clients may hold it at once");
    }
}

// "1,234,567".
static std::string in_groups(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string why_unknown(const Exploration& exploration) {
  const std::string reached = in_groups(exploration.states) + " states";
  if (!exploration.memory_full) return "it ended early, after " + reached;
  return "there was no room for more than " + reached + " (" + in_groups(exploration.transitions) +
         " transitions)";
}

namespace {

// The first fault of the scenario that never struck, if there is one.
std::optional<Fault> idle_fault(const Scenario& scenario, const Reach& reach) {
  for (const FaultRule& rule : scenario.faults)
    if (rule.kind != Fault::none && !reach.struck.contains(rule.kind)) return rule.kind;
  return std::nullopt;
}

// Who asks a semaphore gets a place, for a fault takes one at most, unless it strikes the server.
bool are_places_left(const Scenario& scenario, const Card& card, Property property) {
  constexpr PropertySet of_askers{Property::recovery, Property::progress, Property::availability};
  constexpr FaultSet of_servers = fault_table.striking({Struck::server});
  std::uint64_t strikes = 0;
  for (const FaultRule& rule : scenario.faults)
    strikes += of_servers.contains(rule.kind) ? card.capacity : rule.budget;
  return of_askers.contains(property) && strikes > 0 && strikes < card.capacity;
}

// A lock that is said to survive the loss of servers has a majority without them.
std::string_view why_not_available(const Subject& subject) {
  if (subject.scenario.away == 0) return "every server answers";
  const std::uint64_t nodes = subject.params.has("nodes") ? subject.params.count("nodes") : 1;
  return nodes < 2 * subject.scenario.away + 1 ? "without a server there is no majority" : "";
}

PropertyResult verdict_without_counterexample(const Scenario& scenario, const Exploration& exploration,
                                              Property property) {
  if (!is_askable(scenario, property))
    return {property, Verdict::not_applicable,
            "no client's program says \"" + std::string(id_of(*looks_at(property))) + "\"", std::nullopt};
  const bool is_sample = is_sampling(scenario.explore.strategy);
  if (!exploration.complete && !is_sample)
    return {property, Verdict::unknown, why_unknown(exploration), std::nullopt};
  if (property == Property::fence_order && !exploration.reach.numbered)
    return {property, Verdict::not_applicable, "no grant brings a number", std::nullopt};
  if (property == Property::rightful_write && scenario.fencing == Fencing::none)
    return {property, Verdict::not_applicable, "the resource does not compare fencing tokens", std::nullopt};
  return judged_by_reach({property, is_sample ? Verdict::sampled : Verdict::holds, {}, std::nullopt},
                         scenario, exploration);
}

}  // namespace

bool spares_servers(const Scenario& scenario, const Reach& reach) {
  constexpr FaultSet of_servers = fault_table.striking({Struck::server});
  const std::optional<Fault> idle = idle_fault(scenario, reach);
  return idle && of_servers.contains(*idle);
}

PropertyResult judged_by_reach(PropertyResult unbroken, const Scenario& scenario,
                               const Exploration& exploration) {
  if (const auto idle = idle_fault(scenario, exploration.reach))
    return {unbroken.property, exploration.complete ? Verdict::not_applicable : Verdict::hollow,
            std::string(id_of(*idle)) + " never struck", std::nullopt};
  std::string why = why_hollow(exploration.reach, scenario.faults, unbroken.property);
  if (!why.empty()) return {unbroken.property, Verdict::hollow, std::move(why), std::nullopt};
  return unbroken;
}

namespace {

// The whole space, then the shortest violations of what is violated. One that is not found again, because the
// budget ends, keeps the run in which it was found first.
Exploration explore_exhaustively(Subject& subject, const Budget& budget, Engine engine, unsigned threads) {
  subject.learns = true;
  subject.is_in_earnest = false;
  if (is_dense(subject.scenario)) return explore_dense(subject, budget);
  if (engine == Engine::replay || !Arena::is_available())
    return explore_breadth_first(subject, budget, engine, {});
  Exploration found = explore_depth_first(subject.scenario, subject.card, budget, threads, subject.known);
  PropertySet violated;
  for (const PropertyResult& each : found.properties) violated.insert(each.property);
  if (violated.empty()) return found;
  Exploration shortest = explore_breadth_first(subject, budget, engine, violated);
  for (PropertyResult& each : found.properties)
    for (PropertyResult& shorter : shortest.properties)
      if (shorter.property == each.property) each = std::move(shorter);
  found.runs += shortest.runs;
  return found;
}

// Decided on a graph of its own, beside what the others are judged by.
void add_part(Exploration& whole, Exploration part) {
  whole.properties.push_back(std::move(part.properties.front()));
  whole.states += part.states;
  whole.transitions += part.transitions;
  whole.runs += part.runs;
  whole.snapshot_bytes = std::max(whole.snapshot_bytes, part.snapshot_bytes);
  whole.table_bytes += part.table_bytes;
  whole.reach.insert(part.reach);
  whole.complete &= part.complete;
  whole.memory_full |= part.memory_full;
}

}  // namespace

namespace {

Exploration explore_unnoted(const Scenario& scenario, const Card& card, const Budget& budget, Engine engine,
                            unsigned threads) {
  const double begin = budget.seconds ? budget.seconds() : 0;
  const double end = begin + std::chrono::duration<double>(scenario.explore.time_max).count();
  const Budget limited{[&] {
                         return (budget.is_exhausted && budget.is_exhausted()) ||
                                (budget.seconds && budget.seconds() > end);
                       },
                       budget.seconds, budget.checkpoints, budget.progress, budget.ranks};
  Subject subject(scenario, card);
  if (!subject.facts.beyond_model.empty()) throw BeyondModel(subject.facts.beyond_model);
  run_position = RunPosition{scenario.explore.seed, 0};
  for (const Property property : {Property::bounded_bypass, Property::livelock})
    if (subject.properties == PropertySet{property}) {
      Exploration exploration = explore_graph(property, scenario, card, limited, engine);
      if (budget.seconds) exploration.seconds = budget.seconds() - begin;
      return exploration;
    }
  Exploration exploration = is_sampling(scenario.explore.strategy)
                                ? explore_randomly(subject, limited)
                                : explore_exhaustively(subject, limited, engine, threads);
  for (const Property property : {Property::bounded_bypass, Property::livelock})
    if (subject.properties.contains(property))
      add_part(exploration, explore_graph(property, scenario, card, limited, engine));
  std::vector<PropertyResult> found = std::move(exploration.properties);
  exploration.properties.clear();
  for (std::size_t i = 0; i < property_ids.size(); ++i) {
    const auto property = static_cast<Property>(i);
    if (const auto it = subject.unjudged.find(property); it != subject.unjudged.end())
      exploration.properties.push_back(
          {property, Verdict::not_applicable, std::string(it->second), std::nullopt});
    if (!subject.properties.contains(property)) continue;
    if (const std::string_view why = why_not_available(subject);
        property == Property::availability && !why.empty()) {
      exploration.properties.push_back({property, Verdict::not_applicable, std::string(why), std::nullopt});
      continue;
    }
    const auto violated =
        std::find_if(found.begin(), found.end(), [&](const auto& each) { return each.property == property; });
    PropertyResult& result = exploration.properties.emplace_back(
        violated != found.end() ? std::move(*violated)
                                : verdict_without_counterexample(scenario, exploration, property));
    const bool is_unbroken = result.verdict == Verdict::holds || result.verdict == Verdict::sampled;
    if (!is_unbroken || !are_places_left(scenario, card, property)) continue;
    result.verdict = Verdict::hollow;
    result.note = "the faults are fewer than the places: one is free whatever they do";
  }
  if (budget.seconds) exploration.seconds = budget.seconds() - begin;
  return exploration;
}

}  // namespace

void withdraw_verdicts(Exploration& exploration) {
  for (PropertyResult& each : exploration.properties)
    each = {each.property, Verdict::unknown, exploration.beyond_model + "; nothing is said of this lock",
            std::nullopt};
}

namespace {

// Which violations show themselves where every time counts for itself.
void keep_those_in_earnest(const Scenario& scenario, const Card& card, Exploration& exploration) {
  for (PropertyResult& each : exploration.properties) {
    const bool is_loop = each.property == Property::bounded_bypass || each.property == Property::livelock;
    if (!each.counterexample || is_loop) continue;
    const Replay real = replay(scenario, card, each.counterexample->tape, each.counterexample->steps);
    const bool is_found = std::any_of(real.findings.begin(), real.findings.end(),
                                      [&](const Finding& one) { return one.property == each.property; });
    if (!is_found)
      each = {each.property, Verdict::unknown, "a run that breaks it does not, with its own times",
              std::nullopt};
  }
}

// What holds because of what was not asked of the program holds for nobody.
void withdraw_unasked(const Presumed::Answer& answer, Exploration& exploration) {
  for (PropertyResult& each : exploration.properties)
    if (!each.counterexample)
      each = {each.property, Verdict::unknown,
              "it ended early: of " + in_groups(answer.all) + " histories that others stand for, " +
                  in_groups(answer.asked) + " were told to the program",
              std::nullopt};
  exploration.complete = false;
}

// What was taken for granted meanwhile is asked at the end, and if it was not so, all begins anew.
Exploration explore_presuming(const Scenario& scenario, const Card& card, const Budget& budget, Engine engine,
                              unsigned threads) {
  const double begin = budget.seconds ? budget.seconds() : 0;
  const double end = begin + std::chrono::duration<double>(scenario.explore.time_max).count();
  const auto is_over = [&] {
    return (budget.is_exhausted && budget.is_exhausted()) || (budget.seconds && budget.seconds() > end);
  };
  Budget limited = budget;
  for (;;) {
    const Presumed* const before = card.presumed ? card.presumed() : nullptr;
    limited.is_exhausted = [&, before] { return is_over() || (before != nullptr && before->is_in_doubt()); };
    const std::uint64_t version = before == nullptr ? 0 : before->version();
    std::optional<Exploration> exploration;
    try {
      exploration = explore_unnoted(scenario, card, limited, engine, threads);
    } catch (const Nondeterminism&) {
      // What another thread has refuted may change what a lock does.
      if (before == nullptr || before->version() == version) throw;
    }
    if (before == nullptr) return *std::move(exploration);
    const Presumed::Answer answer = card.presumed()->ask(is_over);
    const bool is_as_presumed = exploration && card.presumed() == before && before->version() == version;
    if (!is_as_presumed && !is_over()) continue;
    if (!exploration) throw Interrupted();
    if (!is_as_presumed || answer.asked < answer.all) withdraw_unasked(answer, *exploration);
    keep_those_in_earnest(scenario, card, *exploration);
    return *std::move(exploration);
  }
}

}  // namespace

Exploration explore(const Scenario& scenario, const Card& card, const Budget& budget, Engine engine,
                    unsigned threads) {
  Awaits awaits;
  const Awaits::Noting noting(&awaits);
  Exploration exploration;
  const auto withdraw = [&](std::string_view why) {
    exploration.properties.clear();
    const PropertySet asked = scenario.check.empty() ? usual(scenario) : scenario.check;
    for (std::size_t i = 0; i < property_ids.size(); ++i)
      if (const auto property = static_cast<Property>(i); asked.contains(property))
        exploration.properties.push_back({property, Verdict::unknown, std::string(why), std::nullopt});
  };
  try {
    exploration = explore_presuming(scenario, card, budget, engine, threads);
  } catch (const BeyondModel& why) {
    exploration.beyond_model = why.what();
    withdraw({});
    withdraw_verdicts(exploration);
  } catch (const Interrupted& why) {
    exploration = Exploration();
    exploration.complete = false;
    withdraw(why.what());
  }
  for (const Where& where : awaits.list()) exploration.awaits.push_back(source_line(where));
  std::sort(exploration.awaits.begin(), exploration.awaits.end());
  const auto end = std::unique(exploration.awaits.begin(), exploration.awaits.end());
  exploration.awaits.erase(end, exploration.awaits.end());
  return exploration;
}

Replay replay(const Scenario& scenario, const Card& card, const Tape& tape, std::uint32_t steps) {
  Subject subject(scenario, card);
  ReplayChoices choices(tape);
  Run run(subject, choices, true);
  Replay result;
  while ((steps == 0 || result.steps < steps) && run.world.step()) ++result.steps;
  result.events = run.trace.events();
  result.findings = run.judge.findings();
  result.fingerprint = fingerprint(result.events);
  result.divergence = choices.divergence();
  result.end = run.world.now();
  return result;
}

std::vector<Exploration> explore_all(const std::vector<Job>& jobs, unsigned threads, const Budget& budget,
                                     const OnDone& on_done) {
  std::vector<Exploration> results(jobs.size());
  std::mutex mutex;
  // Threads that have no job of their own help with the others'.
  const auto within = std::max(1u, threads / static_cast<unsigned>(std::max<std::size_t>(1, jobs.size())));
  for_each_index(jobs.size(), threads, [&](std::size_t i) {
    results[i] = explore(jobs[i].scenario, *jobs[i].card, budget, Engine::snapshots, within);
    const std::scoped_lock hold(mutex);
    if (on_done) on_done(i, results[i]);
  });
  return results;
}

}  // namespace holdfast
