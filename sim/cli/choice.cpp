#include "sim/cli/choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "reports/terminal.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/stores/kinds.hpp"

namespace holdfast::cli {
namespace {

// Of one lock under one fault: these are many cells, and a coarse grid.
std::uint64_t states_of_trial(const Card& card) { return states_of_candidate(card) / 2; }
constexpr std::uint64_t states_of_order = 100'000;
constexpr std::uint32_t clients_of_costs = 8;

// The first of those that the user has.
const Deployment* kept_in(const ChooseOptions& options, const Card& card) {
  const std::string words = ',' + options.store + ',';
  for (const Deployment& each : deployments())
    if (words.find(',' + each.word + ',') != std::string::npos && card.store == each.kind &&
        card.needs_several_servers() == each.has_several_servers)
      return &each;
  return nullptr;
}

// It lasts as long as what no time ends.
bool needs_no_lease(const Card& card) {
  return !why_no_lease(card).empty() && card.stands_for_store && card.stands_for_store != Tenure::lease;
}

std::string lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

bool may_use_numbers(const ChooseOptions& options) { return options.resource == "refuses"; }

// What strikes clients, clocks and messages anywhere; a restart or a full memory strikes only what can have
// it.
std::vector<Fault> faults_of(const Deployment& kept) {
  using enum Fault;
  if (!stores::Kinds().traits_of(kept.kind).is_remote)
    return {none, crash, cancel, server_clock_jump, eviction};
  std::vector<Fault> faults{none,       crash,     cancel,    lost_request, lost_reply, late_request,
                            late_reply, duplicate, partition, clock_skew,   clock_jump, server_clock_jump,
                            restart};
  if (kept.has_another) faults.push_back(failover);
  if (kept.ends_sessions) faults.push_back(session_lost);
  return faults;
}

void explore_trials(const ChooseOptions& options, Candidate& candidate, Session& session) {
  const LeaseReport& lease = candidate.lease;
  std::vector<Job> jobs;
  for (const Fault fault : faults_of(*candidate.kept)) {
    for (Scenario& scenario : lease_scenarios(lease.conditions, *candidate.card, lease.edge.holds->lease)) {
      scenario.name = fmt::format("{}-under-{}", candidate.card->id, id_of(fault));
      scenario.check = of_safety;
      scenario.check.insert(Property::recovery);
      if (may_use_numbers(options) && has_numbers(*candidate.card)) scenario.fencing = Fencing::first_write;
      if (fault != Fault::none) scenario.faults.push_back({.kind = fault});
      scenario.explore.states_max = states_of_trial(*candidate.card);
      jobs.push_back({scenario, candidate.card});
      candidate.trials.push_back({fault, std::move(scenario), {}});
    }
  }
  std::vector<Exploration> found = explore_all(jobs, threads_of(options), session.budget(), nullptr);
  for (std::size_t i = 0; i < jobs.size(); ++i) candidate.trials[i].found = std::move(found[i]);
}

// Whether a waiting client can be overtaken for ever.
Verdict order_of(const ChooseOptions& options, const Candidate& candidate, Session& session) {
  const Card& card = *candidate.card;
  Comparison comparison;
  comparison.params = candidate.settings.params;
  comparison.redis_config = candidate.settings.redis_config;
  comparison.rounds = comparison.attempts = 0;
  comparison.check = {Property::bounded_bypass};
  comparison.explore.reductions.erase(Reduction::symmetry);
  comparison.explore.states_max = states_of_order;
  // Its queue is at the server.
  if (needs_no_lease(card) && can(card, Variant::waiting)) comparison.variant = Variant::waiting;
  const Exploration found = explore(scenario_of(comparison, card, Fault::none), card, session.budget(),
                                    Engine::snapshots, threads_of(options));
  return found.properties.front().verdict;
}

// Empty: a ttl holds, or it needs none.
std::string why_without_ttl(const Candidate& candidate) {
  const LeaseEdge& edge = candidate.lease.edge;
  if (edge.holds) return {};
  if (edge.hopeless.contains(Property::mutual_exclusion))
    return "no ttl keeps two clients apart under these conditions";
  if (!edge.is_open) return "it is granted to nobody there, or two clients never meet";
  return fmt::format(
      "no ttl was found: one has more than {} states in steps of {} (holdfast ttl {} searches further)",
      reports::grouped(states_of_candidate(*candidate.card)), to_text(candidate.lease.tick),
      candidate.card->id);
}

Candidate candidate_of(const ChooseOptions& options, const Card& card, Session& session) {
  const Deployment* const kept = kept_in(options, card);
  Candidate candidate{.card = &card,
                      .kept = kept,
                      .settings = settings_for(kept->word, card),
                      .lease = {},
                      .trials = {},
                      .order = {},
                      .cost = {},
                      .why_not = {}};
  if (options.ordered == "yes") {
    candidate.order = order_of(options, candidate, session);
    if (candidate.order == Verdict::violated)
      candidate.why_not = "a waiting client can be overtaken for ever";
    if (!candidate.why_not.empty()) return candidate;
  }
  LeaseOptions how(options);
  how.params = candidate.settings.params;
  how.redis_config = candidate.settings.redis_config;
  candidate.lease = needs_no_lease(card) ? leaseless_report(how, card, session)
                                         : lease_report(how, card, session, LeaseGrid::coarse);
  candidate.why_not = why_without_ttl(candidate);
  if (!candidate.why_not.empty()) return candidate;
  explore_trials(options, candidate, session);
  // A place in a queue lasts a ttl, too.
  for (const PropertyResult& each : candidate.trials.front().found.properties)
    if (!candidate.order && each.property == Property::recovery && each.verdict == Verdict::violated)
      candidate.why_not = "after a fault it stays locked for longer than so short a ttl";
  candidate.cost =
      measure_costs({&card}, clients_of_costs, options.seed, threads_of(options), candidate.settings.params)
          .front();
  return candidate;
}

// In order, if asked for; then by what is not proved, for what is open may be as bad as any. Harmful: two at
// work are worst. Wasteful: a lock that does not come back. Where the explorations find the same, numbers
// help against harm, and what is simpler or costs less comes first.
auto rank_of(const ChooseOptions& options, const Candidate& candidate) {
  const auto weight = [&](PropertySet among) {
    return std::pair(unproved(candidate, among), violated(candidate, among));
  };
  const auto unsafe = weight(of_safety);
  const auto lost = weight({Property::recovery});
  const bool is_harmful = options.double_work == "harmful";
  const bool is_out = !candidate.why_not.empty();
  return std::tuple(is_out, candidate.order ? candidate.cost.bypass_max : 0, is_harmful ? unsafe : lost,
                    is_harmful ? lost : unsafe, is_harmful && !has_numbers(*candidate.card),
                    candidate.card->renews, candidate.card->is_reentrant, candidate.cost.round_trips_alone,
                    candidate.cost.commands_per_acquire, candidate.card->bugs.size(), candidate.card->id);
}

}  // namespace

namespace {

// Of one property under one fault: once, whatever clocks do.
std::size_t count_of(const Candidate& candidate, PropertySet among, bool (*counts)(Verdict)) {
  std::set<std::pair<Fault, Property>> found;
  for (const Trial& trial : candidate.trials)
    for (const PropertyResult& each : trial.found.properties)
      if (among.contains(each.property) && counts(each.verdict)) found.emplace(trial.fault, each.property);
  return found.size();
}

}  // namespace

const std::vector<Deployment>& deployments() {
  static const std::vector<Deployment> all = [] {
    std::vector<Deployment> made{
        {.word = "redis", .about = "one server"},
        {.word = "redis-replicated", .has_another = true, .about = "a replica may take over"},
        {.word = "redis-sentinel",
         .has_another = true,
         .about = "the same: Sentinel lets a replica take over"},
        {.word = "redis-cluster",
         .has_another = true,
         .is_cluster = true,
         .about = "replicas may take over, and keys in two slots are refused"},
        {.word = "redis-quorum",
         .has_several_servers = true,
         .about = "several servers without replicas, of which most must grant"},
        {.word = "nginx", .kind = StoreKind::shared_dict, .about = "the memory that its workers share"}};
    stores::Kinds kinds;
    for (std::size_t i = 0; i < store_kind_ids.size(); ++i) {
      const auto kind = static_cast<StoreKind>(i);
      const auto is_named = [&](const Deployment& each) { return each.kind == kind; };
      if (std::any_of(made.begin(), made.end(), is_named)) continue;
      const stores::Traits& traits = kinds.traits_of(kind);
      made.push_back({.word = std::string(id_of(kind)),
                      .kind = kind,
                      .has_another = traits.replicates || traits.elects,
                      .ends_sessions = traits.has_sessions});
    }
    return made;
  }();
  return all;
}

std::size_t violated(const Candidate& candidate, PropertySet among) {
  return count_of(candidate, among, [](Verdict verdict) { return verdict == Verdict::violated; });
}

std::size_t undecided(const Candidate& candidate) {
  const PropertySet all = of_safety | PropertySet{Property::recovery};
  return count_of(candidate, all,
                  [](Verdict verdict) { return verdict == Verdict::unknown || verdict == Verdict::hollow; });
}

Settings settings_for(const std::string& store, const Card& card) {
  constexpr std::pair<std::string_view, std::string_view> of_replicas[] = {{"servers", "replicated"},
                                                                           {"wait", "then-look"}};
  Settings settings;
  const auto kept = std::find_if(deployments().begin(), deployments().end(),
                                 [&](const Deployment& each) { return each.word == store; });
  if (kept->is_cluster) settings.redis_config = {{"cluster-enabled", "yes"}};
  if (kept->kind != StoreKind::redis || !kept->has_another) return settings;
  for (const Parameter& each : card.parameters)
    for (const auto& [name, value] : of_replicas)
      if (each.name == name &&
          std::find(each.choices.begin(), each.choices.end(), value) != each.choices.end())
        settings.params.emplace_back(name, value);
  return settings;
}

std::size_t unproved(const Candidate& candidate, PropertySet among) {
  return count_of(candidate, among, [](Verdict verdict) {
    return verdict != Verdict::holds && verdict != Verdict::not_applicable;
  });
}

std::vector<Fault> not_covered(const Candidate& candidate) {
  FaultSet struck{Fault::none, Fault::pause};
  for (const Trial& each : candidate.trials) struck.insert(each.fault);
  std::vector<Fault> others;
  for (const std::string_view id : fault_ids)
    if (const auto fault = *from_id<Fault>(fault_ids, id);
        simulated_faults.contains(fault) && !struck.contains(fault))
      others.push_back(fault);
  return others;
}

bool has_numbers(const Card& card) {
  return std::any_of(card.claims.begin(), card.claims.end(),
                     [](const Claim& claim) { return claim.properties.contains(Property::fence_order); });
}

std::vector<const Card*> fitting_cards(const ChooseOptions& options) {
  std::vector<const Card*> cards;
  std::vector<std::string> languages;
  const auto take = [&](const std::string& language) {
    for (const Card& card : algorithms::all()) {
      const bool is_timed = why_no_lease(card).empty() || needs_no_lease(card);
      // Of a library on Redis that takes minutes, another lock is there.
      const bool is_long = card.is_compared_by_name && card.store == StoreKind::redis;
      if (kept_in(options, card) == nullptr || card.capacity > 1 || is_long || !is_timed) continue;
      const std::string own = card.upstream ? lower(card.upstream->language) : "any";
      if (std::find(languages.begin(), languages.end(), own) == languages.end()) languages.push_back(own);
      if (own == language) cards.push_back(&card);
    }
  };
  take(options.language);
  // Recipes of no library can be written in any language. Where there are none, any library will do.
  if (cards.empty() && options.language != "any") take("any");
  if (cards.empty() && options.language == "any")
    for (const std::string& language : std::vector<std::string>(languages)) take(language);
  if (cards.empty())
    throw UserError(exit_usage, fmt::format("--language: no lock here for {} is of {}; there are some of {}",
                                            options.store, options.language, fmt::join(languages, ", ")));
  const bool are_numbers_asked_for = may_use_numbers(options) && options.double_work == "harmful";
  const bool has_any =
      std::any_of(cards.begin(), cards.end(), [](const Card* it) { return has_numbers(*it); });
  if (are_numbers_asked_for && has_any)
    std::erase_if(cards, [](const Card* it) { return !has_numbers(*it); });
  return cards;
}

std::vector<Candidate> ranked_candidates(const ChooseOptions& options, Session& session) {
  const std::vector<const Card*> cards = fitting_cards(options);
  session.expect_jobs(cards.size(), "locks");
  std::vector<Candidate> candidates;
  for (const Card* card : cards) {
    if (session.budget().is_exhausted()) break;
    candidates.push_back(candidate_of(options, *card, session));
    session.note_done({});
  }
  session.end_progress();
  std::sort(candidates.begin(), candidates.end(), [&](const Candidate& one, const Candidate& other) {
    return rank_of(options, one) < rank_of(options, other);
  });
  return candidates;
}

}  // namespace holdfast::cli
