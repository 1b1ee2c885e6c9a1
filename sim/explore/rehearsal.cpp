#include "sim/explore/rehearsal.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "sim/core/beyond_model.hpp"
#include "sim/explore/rehearsal_plays.hpp"

namespace holdfast {
namespace {

constexpr std::string_view placeholder = "NAME";

KeyList named_by(const Card& card, std::string_view name) {
  KeyList keys;
  for (const std::string_view pattern : card.keys) keys.push_back(key_of(pattern, name));
  return keys;
}

// Those for which `is_one` says so.
template <class IsOne>
KeyList those(const Solo& solo, const IsOne& is_one) {
  KeyList keys;
  for (const auto& [key, fate] : solo.keys)
    if (is_one(fate)) keys.push_back(key);
  return keys;
}

// `frees`: its release does.
KeyList keys_of(const Rehearsal& rehearsal, const Solo& solo, bool frees) {
  if (!solo.was_granted) return {};
  KeyList keys = those(solo, [](const KeyFate& it) { return it.is_for_grant && it.is_for_release; });
  // It never gives back, or not all, or not so that one could see it.
  if (keys.empty() || !frees) keys = those(solo, [](const KeyFate& it) { return it.is_for_grant; });
  if (keys.size() < 2) return keys;
  if (rehearsal.let_in(solo.granted, std::nullopt).lets_in) {
    // The second client is let in: it is not the keys that decide. Then it is those of the granting command.
    Step latest;
    for (const std::string& key : keys) latest = std::max(latest, solo.keys.at(key).written);
    return those(solo, [&](const KeyFate& it) { return it.is_for_grant && it.written == latest; });
  }
  const KeyList excluding = rehearsal.that_exclude(keys, solo.granted);
  return excluding.empty() ? keys : excluding;
}

std::optional<Duration> lease_seen(const Solo& solo, const KeyList& keys) {
  std::optional<Duration> longest;
  for (const auto& [key, fate] : solo.keys)
    if (fate.is_for_grant && has(keys, key)) longest = std::max(longest, fate.lease);
  return longest ? longest : solo.said;
}

void add(LockFacts& facts, std::string_view name, const KeyList& more) {
  auto known =
      std::find_if(facts.locks.begin(), facts.locks.end(), [&](const auto& it) { return it.name == name; });
  if (known == facts.locks.end()) known = facts.locks.insert(known, {std::string(name), {}});
  KeyList& keys = known->keys;
  keys.insert(keys.end(), more.begin(), more.end());
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

// Both of a lock, of all clients of a scenario.
struct Findings {
  LockFacts facts;
  std::optional<Duration> shortest = std::nullopt;
  Duration asked_for{};  // zero: nothing was
};

void note_lease(Findings& findings, std::optional<Duration> lease) {
  if (!lease) return;
  findings.facts.lease = std::max(findings.facts.lease, lease);
  findings.shortest = std::min(findings.shortest.value_or(*lease), *lease);
}

// What one client of the scenario would see if it were alone.
void note(Findings& findings, std::string_view name, const Card& card, const Params& params,
          stores::Kinds& kinds) {
  const Rehearsal rehearsal(card, params, name, kinds);
  const std::vector<Solo> solos = rehearsal.alone(Mode::exclusive, 2);
  const Solo& solo = solos.front();
  // Of a client that does nothing else, so that what it does after its release belongs to it.
  const Solo once = rehearsal.alone(Mode::exclusive, 1).front();
  const KeyList left = those(once, [](const KeyFate& it) { return it.is_for_grant && it.stands; });
  const bool frees = left.empty() || rehearsal.frees(once);
  const KeyList keys = card.keys.empty() ? keys_of(rehearsal, solo, frees) : named_by(card, name);
  const Duration asked_for = params.has("ttl") ? params.duration("ttl") : Duration::zero();
  findings.asked_for = std::max(findings.asked_for, asked_for);
  std::optional<Duration> seen;
  const auto add_seen = [&](std::optional<Duration> lease) {
    note_lease(findings, lease);
    seen = std::max(seen, lease);
  };
  for (const Solo& each : solos) add_seen(lease_seen(each, keys));
  if (card.has_readers)
    for (const Solo& each : rehearsal.alone(Mode::shared, 2))
      add_seen(lease_seen(each, those(each, [](const KeyFate&) { return true; })));
  if (!seen && asked_for > Duration::zero()) note_lease(findings, asked_for);
  if (!solo.was_granted && card.keys.empty()) return;
  LockFacts& facts = findings.facts;
  if (keys.empty()) facts.why_ownerless = "no key was seen that holds a grant";
  else add(facts, name, keys);
  if (frees && std::any_of(left.begin(), left.end(), [&](const std::string& key) { return has(keys, key); }))
    facts.why_never_gone = "a released lock leaves its key, and the next client is let in all the same";
  // What was written once, as a sign that all is prepared, tells nobody's grant from another.
  if (!facts.why_never_gone.empty() && solos.size() > 1 && solos[1].was_granted && !keys.empty() &&
      those(solos[1], [](const KeyFate& it) { return it.is_for_grant; }).empty())
    facts.why_ownerless = "a later grant writes no key";
  if (keys.empty() || !solo.was_granted) return;
  const Rehearsal::Beside beside = rehearsal.beside(keys, solo);
  facts.are_shared |= beside.is_any;
  facts.is_free_beside = beside.is_any && rehearsal.frees_beside(solo);
  facts.asides.insert(facts.asides.end(), beside.asides.begin(), beside.asides.end());
}

// Of each name that is locked with parameters of its own: `visit` is told the name and the parameters.
void for_each_lock(const Scenario& scenario, const Card& card,
                   const std::function<void(std::string_view, const Params&)>& visit) {
  require_sound(card);
  Params params(card.parameters);
  for (const auto& [name, text] : scenario.params) params.set(name, text);
  std::set<std::pair<std::string, Texts>> seen;
  for (const ClientPlan& plan : scenario.clients) {
    Params own = params;
    for (const auto& [parameter, text] : plan.params) own.set(parameter, text);
    for (const std::string& name : names_locked_by(scenario, plan))
      if (seen.emplace(name, plan.params).second) visit(name, own);
  }
}

Findings found_in(const Scenario& scenario, const Card& card, stores::Kinds& kinds) {
  Findings findings;
  for_each_lock(scenario, card, [&](std::string_view name, const Params& params) {
    try {
      note(findings, name, card, params, kinds);
    } catch (const BeyondModel& why) {
      findings.facts.beyond_model = why.what();
    }
  });
  return findings;
}

// Whether twice as much is taken when twice as much is asked for.
bool follows(const Scenario& scenario, const Card& card, stores::Kinds& kinds, const Findings& findings) {
  Scenario twice = scenario;
  const std::string text = to_text(2 * findings.asked_for);
  twice.params.emplace_back("ttl", text);
  for (ClientPlan& plan : twice.clients) plan.params.clear();
  const std::optional<Duration> longer = found_in(twice, card, kinds).facts.lease;
  const Duration seen = *findings.facts.lease;
  return longer && *longer >= seen + std::min(seen, findings.asked_for);
}

}  // namespace

LockFacts rehearse(const Scenario& scenario, const Card& card, stores::Kinds& kinds) {
  return found_in(scenario, card, kinds).facts;
}

Leases leases_in(const Scenario& scenario, const Card& card) {
  stores::Kinds kinds;
  const Findings findings = found_in(scenario, card, kinds);
  const std::optional<Duration> seen = findings.facts.lease;
  Leases leases{.longest = seen,
                .shortest = findings.shortest,
                .owed = seen,
                .asked_in_vain = {},
                .falls_short = false};
  const Duration asked_for = findings.asked_for;
  if (!seen || asked_for == Duration::zero()) return leases;
  const Duration rounded = std::min<Duration>(1s, asked_for / 2);
  if (*seen > asked_for - rounded && *seen < asked_for + rounded) return leases;
  leases.asked_in_vain = asked_for;
  const bool is_following = follows(scenario, card, kinds, findings);
  if (*seen > asked_for && is_following) leases.owed = asked_for;
  leases.falls_short = *seen < asked_for && is_following;
  return leases;
}

std::optional<Duration> lease_in(const Scenario& scenario, const Card& card) {
  stores::Kinds kinds;
  return rehearse(scenario, card, kinds).lease;
}

bool are_keys_shared(const Scenario& scenario, const Card& card) {
  stores::Kinds kinds;
  return rehearse(scenario, card, kinds).are_shared;
}

bool bears(const Scenario& scenario, const Card& card, Duration delay) {
  stores::Kinds kinds;
  bool bears = true;
  for_each_lock(scenario, card, [&](std::string_view name, const Params& params) {
    Rehearsal rehearsal(card, params, name, kinds);
    const Solo calm = rehearsal.alone(Mode::exclusive, 1).front();
    rehearsal.delay(delay);
    const Solo slow = rehearsal.alone(Mode::exclusive, 1).front();
    bears &= slow.was_granted == calm.was_granted && slow.requests == calm.requests;
  });
  return bears;
}

std::vector<std::string> key_patterns(Scenario scenario, const Card& card) {
  scenario.key = placeholder;
  scenario.clients.resize(1);
  scenario.clients.front().key.clear();
  stores::Kinds kinds;
  const LockFacts facts = rehearse(scenario, card, kinds);
  const LockFacts::Named* const known = facts.find(placeholder);
  return known != nullptr ? known->keys : KeyList{std::string(placeholder)};
}

std::string key_of(std::string_view pattern, std::string_view name) {
  std::string key(pattern);
  if (const std::size_t at = key.find(placeholder); at != std::string::npos)
    key.replace(at, placeholder.size(), name);
  return key;
}

}  // namespace holdfast
