#include "sim/explore/rehearsal.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "sim/choose/choices.hpp"
#include "sim/core/arena.hpp"
#include "sim/world/world.hpp"

namespace holdfast {
namespace {

constexpr std::string_view placeholder = "NAME";
constexpr ClientId first{0};
constexpr ClientId second{1};
// No lock needs more alone; one that asks without an end is left to itself.
constexpr std::uint32_t steps_max = 2'000;
constexpr std::uint32_t attempts = 3;
constexpr Duration moment = 1ms;
constexpr std::uint32_t servers_max = 64;

using KeyList = std::vector<std::string>;

// Takes the first enabled action, and faults where the caller wants them.
class Calm final : public Choices {
 public:
  // Every server evicts one key, the one with this number; nullopt: none.
  explicit Calm(std::optional<std::uint32_t> evicted) : evicted_(evicted) {}

 private:
  std::uint32_t decide(Site, Actor, std::uint32_t) override { return 0; }
  std::uint32_t decide_step(std::uint32_t, Enabled& enabled) override {
    if (!evicted_ || enabled.faults() == 0) return 0;
    const std::span<const Enabled::Option> options = enabled.all();
    for (std::uint32_t i = 0; i < options.size(); ++i) {
      const Action& action = options[i].action;
      const bool is_wanted = action.kind == Action::Kind::strike && action.variant == *evicted_;
      if (is_wanted && struck_.insert(action.actor.index).second) return i;
    }
    return 0;
  }

  std::optional<std::uint32_t> evicted_;
  std::set<std::uint32_t> struck_;  // servers
};

bool has(const KeyList& keys, const std::string& key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

// Of a collection, as canonical_text() has it: members, or fields with their values; sorted. Of a string,
// none.
std::vector<std::string> elements_of(const std::string& text) {
  constexpr std::array<std::pair<std::string_view, std::size_t>, 4> kinds{
      {{"list \"", 1}, {"set \"", 1}, {"zset \"", 2}, {"hash \"", 2}}};
  const auto kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const auto& it) { return text.starts_with(it.first); });
  if (kind == kinds.end()) return {};
  std::vector<std::string> elements;
  std::size_t words = 0;
  bool is_quoted = false;
  for (std::size_t i = text.find(' '); i < text.size(); ++i) {
    if (!is_quoted && text[i] == ' ' && words++ % kind->second == 0) elements.emplace_back();
    if (text[i] == '"') is_quoted = !is_quoted;
    elements.back() += text[i];
    if (text[i] == '\\') elements.back() += text[++i];
  }
  std::sort(elements.begin(), elements.end());
  return elements;
}

// Of a field of a hash, as elements_of() has it.
std::string field_in(std::string_view element) {
  std::string name;
  for (std::size_t i = element.find('"') + 1; i < element.size() && element[i] != '"'; ++i) {
    if (element[i] == '\\') ++i;
    name += element[i];
  }
  return name;
}

// What became of one key, on all servers alike.
struct KeyFate {
  bool stands = false;
  std::string value;            // at the grant
  Step written;                 // when last before it
  bool is_for_grant = false;    // written before the grant, and it stood then
  bool is_for_release = false;  // changed after release() was called
  std::optional<Duration> lease;
};

// What the first client did until it had released.
struct Solo {
  std::map<std::string, KeyFate> keys;
  bool was_granted = false;
  Instant granted;
  std::optional<Duration> said;  // how long the lock itself says that the grant lasts
};

class Rehearsal {
 public:
  Rehearsal(const Card& card, const Params& params, std::string_view name, redis::Scripts& scripts)
      : card_(card), params_(params), scripts_(scripts) {
    stage_.algorithm = card.id;
    stage_.key = name;
    stage_.timing = Timing{.tick = moment,
                           .delay_max = Duration::zero(),
                           .retry = moment,
                           .retry_late = moment,
                           .restart = moment};
    stage_.explore.steps_max = steps_max;
  }

  Solo alone(Mode mode) const {
    using Op = ProgramStep::Op;
    Scenario stage = stage_;
    stage.clients = {{.id = "A",
                      .program = {{.op = Op::acquire, .attempts = attempts, .mode = mode},
                                  {.op = Op::work, .length = moment},
                                  {.op = Op::release}}}};
    Solo solo;
    Taken taken = Taken::asks;
    const auto note = [&](const World& world, const Event& event) {
      if (const auto* const changed = std::get_if<KeyChanged>(&event.what))
        note_change(solo, *changed, event, taken);
      if (const auto* const granted = std::get_if<Granted>(&event.what)) {
        taken = Taken::holds;
        note_grant(solo, world.grant_of(first), *granted, event.at);
      }
      if (std::holds_alternative<Releasing>(event.what)) taken = Taken::releases;
      return !std::holds_alternative<Finished>(event.what);
    };
    play(stage, std::nullopt, note);
    return solo;
  }

  // What a second client that asks while the first one holds writes into `keys`, and leaves there what the
  // first one wrote, or some of it. A field of the first one's that it writes anew is an aside, unless it
  // names somebody.
  struct Beside {
    bool is_any = false;
    std::vector<std::string> asides;
  };
  Beside beside(const KeyList& keys, const Solo& solo) const {
    Beside found;
    play(with_second(solo.granted), std::nullopt, [&](const World&, const Event& event) {
      const auto* const changed = std::get_if<KeyChanged>(&event.what);
      if (changed != nullptr && !changed->by.is_nobody() && changed->by.client == second &&
          changed->kind == KeyChanged::Kind::overwritten && has(keys, changed->key))
        note_beside(found, *changed, solo.keys.at(changed->key).value);
      return !std::holds_alternative<Releasing>(event.what);
    });
    return found;
  }

  // Whether a second client is let in while the first one holds. `evicted`: of every server, the key with
  // this number is gone then.
  struct Trial {
    bool lets_in = false;
    std::string evicted;  // empty: there is no such key
  };
  Trial let_in(Instant granted, std::optional<std::uint32_t> evicted) const {
    Scenario stage = with_second(granted);
    if (evicted)
      stage.faults = {
          {.kind = Fault::eviction, .target = first, .place = Place::in_section, .budget = servers_max}};
    Trial trial;
    play(stage, evicted, [&](const World&, const Event& event) {
      if (const auto* const gone = std::get_if<Evicted>(&event.what)) trial.evicted = gone->key;
      const auto* const too = std::get_if<Granted>(&event.what);
      trial.lets_in |= too != nullptr && too->acquisition.client == second;
      return !trial.lets_in && !std::holds_alternative<Releasing>(event.what);
    });
    return trial;
  }

  // Those of `keys` without which the lock grants a second client.
  KeyList that_exclude(const KeyList& keys, Instant granted) const {
    KeyList found;
    for (std::uint32_t number = 0;; ++number) {
      const Trial trial = let_in(granted, number);
      if (trial.evicted.empty()) return found;
      if (trial.lets_in && has(keys, trial.evicted)) found.push_back(trial.evicted);
    }
  }

 private:
  enum class Taken : std::uint8_t { asks, holds, releases };

  // The second client asks once, while the first one holds.
  Scenario with_second(Instant granted) const {
    using Op = ProgramStep::Op;
    Scenario stage = stage_;
    stage.clients = {
        {.id = "A",
         .program = {{.op = Op::acquire, .attempts = attempts},
                     {.op = Op::work, .length = 10 * moment},
                     {.op = Op::release}}},
        {.id = "B", .start = granted.time_since_epoch() + 2 * moment, .program = {{.op = Op::acquire}}}};
    return stage;
  }

  // `goes_on` hears every event, and says whether the play goes on.
  void play(const Scenario& stage, std::optional<std::uint32_t> evicted,
            const std::function<bool(const World&, const Event&)>& goes_on) const {
    LockFacts facts;
    facts.notes_all_keys = true;
    Calm choices(evicted);
    Trace trace(true);
    World world(stage, card_, params_, scripts_, choices, trace, {}, World::States::unasked, facts);
    std::size_t heard = 0;
    for (std::uint32_t step = 0; step < steps_max && !world.is_calm() && world.step(); ++step)
      for (; heard < trace.events().size(); ++heard)
        if (!goes_on(world, trace.events()[heard])) return;
  }

  static void note_beside(Beside& found, const KeyChanged& changed, const std::string& value) {
    const bool has_taken = !changed.before.is_nobody() && changed.before.client == first;
    found.is_any |= !has_taken;
    const std::vector<std::string> before = elements_of(value);
    const std::vector<std::string> now = elements_of(changed.value);
    const auto stands = [&](const std::string& each) {
      return std::binary_search(now.begin(), now.end(), each);
    };
    if (!has_taken || std::none_of(before.begin(), before.end(), stands)) return;
    found.is_any = true;
    for (const std::string& each : before) {
      const auto is_same_field = [&](const std::string& it) { return field_in(it) == field_in(each); };
      const bool is_anew = !stands(each) && std::any_of(now.begin(), now.end(), is_same_field);
      if (is_anew && changed.value.starts_with("hash ") && !has_name(each))
        found.asides.push_back(field_in(each));
    }
  }

  static void note_change(Solo& solo, const KeyChanged& changed, const Event& event, Taken taken) {
    using Kind = KeyChanged::Kind;
    KeyFate& fate = solo.keys[changed.key];
    fate.stands = changed.kind != Kind::removed && changed.kind != Kind::expired;
    if (changed.by.is_nobody()) return;
    if (taken == Taken::releases) fate.is_for_release = true;
    if (taken != Taken::asks) return;
    fate.is_for_grant = true;
    fate.value = changed.value;
    fate.written = event.step;
    fate.lease = changed.expires_at == never ? std::nullopt : std::optional(changed.expires_at - event.at);
  }

  static void note_grant(Solo& solo, const Grant& grant, const Granted& granted, Instant at) {
    solo.was_granted = true;
    solo.granted = at;
    solo.said = granted.lease_until != never ? std::optional(granted.lease_until - at) : grant.lease;
    for (auto& [key, fate] : solo.keys) fate.is_for_grant &= fate.stands;
  }

  const Card& card_;
  const Params& params_;
  redis::Scripts& scripts_;
  Scenario stage_;
};

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

KeyList keys_of(const Rehearsal& rehearsal, const Solo& solo) {
  if (!solo.was_granted) return {};
  KeyList keys = those(solo, [](const KeyFate& it) { return it.is_for_grant && it.is_for_release; });
  // It never gives back, or not so that one could see it.
  if (keys.empty()) keys = those(solo, [](const KeyFate& it) { return it.is_for_grant; });
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

// What one client of the scenario would see if it were alone.
void note(LockFacts& facts, std::string_view name, const Card& card, const Params& params,
          redis::Scripts& scripts) {
  const Rehearsal rehearsal(card, params, name, scripts);
  const Solo solo = rehearsal.alone(Mode::exclusive);
  const KeyList keys = card.keys.empty() ? keys_of(rehearsal, solo) : named_by(card, name);
  std::optional<Duration> seen = lease_seen(solo, keys);
  if (card.has_readers) {
    const Solo reader = rehearsal.alone(Mode::shared);
    seen = std::max(seen, lease_seen(reader, those(reader, [](const KeyFate&) { return true; })));
  }
  const Duration asked_for = params.has("ttl") ? params.duration("ttl") : Duration::zero();
  facts.lease = std::max(facts.lease, lease_of(seen, asked_for));
  if (!solo.was_granted && card.keys.empty()) return;
  if (keys.empty()) facts.why_ownerless = "no key was seen that holds a grant";
  else add(facts, name, keys);
  if (keys.empty() || !solo.was_granted) return;
  const Rehearsal::Beside beside = rehearsal.beside(keys, solo);
  facts.are_shared |= beside.is_any;
  facts.asides.insert(facts.asides.end(), beside.asides.begin(), beside.asides.end());
}

}  // namespace

LockFacts rehearse(const Scenario& scenario, const Card& card, redis::Scripts& scripts) {
  require_sound(card);
  Params params(card.parameters);
  for (const auto& [name, text] : scenario.params) params.set(name, text);
  LockFacts facts;
  std::set<std::pair<std::string_view, Texts>> rehearsed;
  for (const ClientPlan& plan : scenario.clients) {
    const std::string_view name = plan.key.empty() ? scenario.key : plan.key;
    if (!rehearsed.emplace(name, plan.params).second) continue;
    Params own = params;
    for (const auto& [parameter, text] : plan.params) own.set(parameter, text);
    note(facts, name, card, own, scripts);
  }
  return facts;
}

std::optional<Duration> lease_of(std::optional<Duration> seen, Duration asked_for) {
  if (asked_for == Duration::zero()) return seen;
  return seen && *seen < asked_for + 1s ? seen : asked_for;
}

std::optional<Duration> lease_in(const Scenario& scenario, const Card& card) {
  redis::Scripts scripts;
  return rehearse(scenario, card, scripts).lease;
}

bool are_keys_shared(const Scenario& scenario, const Card& card) {
  redis::Scripts scripts;
  return rehearse(scenario, card, scripts).are_shared;
}

std::vector<std::string> key_patterns(Scenario scenario, const Card& card) {
  scenario.key = placeholder;
  scenario.clients.resize(1);
  scenario.clients.front().key.clear();
  redis::Scripts scripts;
  const LockFacts facts = rehearse(scenario, card, scripts);
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
