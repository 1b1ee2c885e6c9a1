#include "sim/explore/rehearsal_plays.hpp"

#include <algorithm>
#include <chrono>
#include <array>
#include <set>
#include <utility>

#include "sim/choose/choices.hpp"
#include "sim/core/arena.hpp"

namespace holdfast {
namespace {

constexpr ClientId first{0};
constexpr ClientId second{1};
// No lock needs more alone; one that asks without an end is left to itself.
constexpr std::uint32_t steps_max = 2'000;
constexpr std::uint32_t attempts = 3;
constexpr Duration moment = 1ms;
constexpr std::uint32_t servers_max = 64;
// Where there are two clients.
constexpr Duration length_of_work = 10 * moment;
// Longer than a free lock makes anybody wait who asks alone, shorter than a lease.
constexpr Duration at_once = 100 * moment;

// Takes the first enabled action, and faults where the caller wants them.
class CalmChoices final : public Choices {
 public:
  // Every server evicts one key, the one with this number; nullopt: none.
  explicit CalmChoices(std::optional<std::uint32_t> evicted) : evicted_(evicted) {}

 private:
  std::uint32_t decide(Site, Actor, std::uint32_t) override { return 0; }
  std::uint32_t decide_step(std::uint32_t, Enabled& enabled) override {
    if (!evicted_ || enabled.faults() == 0) return 0;
    const std::span<const Enabled::Option> options = enabled.all();
    for (std::uint32_t i = 0; i < options.size(); ++i) {
      const Action& action = options[i].action;
      const bool is_wanted = action.kind == Action::Kind::strike && action.how.which == *evicted_;
      if (is_wanted && struck_.insert(action.actor.index).second) return i;
    }
    return 0;
  }

  std::optional<std::uint32_t> evicted_;
  std::set<std::uint32_t> struck_;  // servers
};

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

}  // namespace

bool has(const KeyList& keys, const std::string& key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

Rehearsal::Rehearsal(const Card& card, const Params& params, std::string_view name, stores::Kinds& kinds)
    : card_(card), params_(params), kinds_(kinds) {
  stage_.algorithm = card.id;
  stage_.key = name;
  stage_.timing = Timing{.tick = moment,
                         .delay_max = Duration::zero(),
                         .retry = moment,
                         .retry_late = moment,
                         .restart = moment};
  stage_.explore.steps_max = steps_max;
}

void Rehearsal::delay(Duration each) {
  stage_.timing.delay_min = stage_.timing.delay_max = each;
  stage_.timing.timeout = 3 * each;
}

std::vector<Solo> Rehearsal::alone(Mode mode, std::uint32_t rounds) const {
  using Op = ProgramStep::Op;
  Scenario stage = stage_;
  stage.clients = {{.id = "A",
                    .rounds = rounds,
                    .program = {{.op = Op::acquire, .attempts = attempts, .mode = mode},
                                {.op = Op::work, .length = moment},
                                {.op = Op::release}}}};
  std::vector<Solo> solos(1);
  Taken taken = Taken::asks;
  const auto note = [&](const World& world, const Event& event) {
    Solo& solo = solos.back();
    if (std::holds_alternative<Sent>(event.what)) ++solo.requests;
    if (const auto* const changed = std::get_if<KeyChanged>(&event.what))
      note_change(solo, *changed, event, taken);
    if (const auto* const granted = std::get_if<Granted>(&event.what)) {
      taken = Taken::holds;
      note_grant(solo, world.grant_of(first), *granted, event.at);
    }
    if (std::holds_alternative<Releasing>(event.what)) taken = Taken::releases;
    const bool has_released = std::holds_alternative<Released>(event.what);
    if (has_released) solo.released = event.at;
    if (has_released && solos.size() < rounds) {
      taken = Taken::asks;
      solos.emplace_back();
    }
    return !std::holds_alternative<Finished>(event.what);
  };
  play(stage, std::nullopt, note);
  return solos;
}

Rehearsal::Beside Rehearsal::beside(const KeyList& keys, const Solo& solo) const {
  Beside found;
  play(with_second(solo.granted), std::nullopt, [&](const World& world, const Event& event) {
    const auto* const changed = std::get_if<KeyChanged>(&event.what);
    if (changed != nullptr && !changed->by.is_nobody() && changed->by.client == second &&
        changed->kind == KeyChanged::Kind::overwritten && has(keys, changed->key))
      note_beside(found, world, *changed, solo.keys.at(changed->key).value);
    return !std::holds_alternative<Releasing>(event.what);
  });
  return found;
}

Rehearsal::Trial Rehearsal::let_in(Instant granted, std::optional<std::uint32_t> evicted) const {
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

bool Rehearsal::lets_last_in(const Scenario& stage) const {
  const ClientId last{static_cast<std::uint32_t>(stage.clients.size() - 1)};
  const Instant asks{stage.clients.back().start};
  bool lets_in = false;
  play(stage, std::nullopt, [&](const World&, const Event& event) {
    const auto* const too = std::get_if<Granted>(&event.what);
    lets_in |= too != nullptr && too->acquisition.client == last;
    return !lets_in && event.at < asks + at_once;
  });
  return lets_in;
}

bool Rehearsal::frees(const Solo& solo) const {
  return solo.released && lets_last_in(with_second(*solo.released + length_of_work));
}

bool Rehearsal::frees_beside(const Solo& solo) const {
  Scenario stage = with_second(solo.granted);
  stage.clients.push_back(stage.clients.back());
  stage.clients.back().id = "C";
  stage.clients.back().start += 2 * length_of_work;
  return lets_last_in(stage);
}

KeyList Rehearsal::that_exclude(const KeyList& keys, Instant granted) const {
  KeyList found;
  for (std::uint32_t number = 0;; ++number) {
    const Trial trial = let_in(granted, number);
    if (trial.evicted.empty()) return found;
    if (trial.lets_in && has(keys, trial.evicted)) found.push_back(trial.evicted);
  }
}

// The second client asks once, while the first one holds.
Scenario Rehearsal::with_second(Instant granted) const {
  using Op = ProgramStep::Op;
  Scenario stage = stage_;
  stage.clients = {
      {.id = "A",
       .program = {{.op = Op::acquire, .attempts = attempts},
                   {.op = Op::work, .length = length_of_work},
                   {.op = Op::release}}},
      {.id = "B", .start = granted.time_since_epoch() + 2 * moment, .program = {{.op = Op::acquire}}}};
  return stage;
}

// `goes_on` hears every event, and says whether the play goes on.
void Rehearsal::play(const Scenario& stage, std::optional<std::uint32_t> evicted,
                     const std::function<bool(const World&, const Event&)>& goes_on) const {
  LockFacts facts;
  facts.notes_all_keys = true;
  CalmChoices choices(evicted);
  Trace trace(true);
  World world(stage, card_, params_, kinds_, choices, trace, {}, World::States::unasked, facts);
  std::size_t heard = 0;
  for (std::uint32_t step = 0; step < steps_max && !world.is_calm() && world.step(); ++step)
    for (; heard < trace.events().size(); ++heard)
      if (!goes_on(world, trace.events()[heard])) return;
}

void Rehearsal::note_beside(Beside& found, const World& world, const KeyChanged& changed,
                            const std::string& value) {
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
    if (is_anew && changed.value.starts_with("hash ") && !world.has_name(each))
      found.asides.push_back(field_in(each));
  }
}

void Rehearsal::note_change(Solo& solo, const KeyChanged& changed, const Event& event, Taken taken) {
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

void Rehearsal::note_grant(Solo& solo, const Grant& grant, const Granted& granted, Instant at) {
  solo.was_granted = true;
  solo.granted = at;
  // A lease that is over at its end is told by the instant before.
  solo.said =
      granted.lease_until != never
          ? std::optional<Duration>(std::chrono::ceil<std::chrono::milliseconds>(granted.lease_until - at))
          : grant.lease;
  for (auto& [key, fate] : solo.keys) fate.is_for_grant &= fate.stands;
}

}  // namespace holdfast
