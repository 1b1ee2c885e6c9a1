// The reference explores small spaces by itself, and the engine is held to what it finds.
#include "sim/explore/reference_test.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <random>
#include <set>
#include <unordered_map>

#include "sim/explore/comparison.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/planted_test.hpp"
#include "sim/scenario/corpus_test.hpp"
#include "sim/scenario/parse.hpp"
#include "sim/scenario/specification.hpp"

namespace holdfast::reference {
namespace {

using Path = std::vector<std::uint32_t>;

bool has_sessions(const Card& card) {
  return card.store != StoreKind::redis && card.store != StoreKind::shared_dict;
}

// The scenario with nothing left to defaults, and with the probe as its last client.
Experiment experiment_of(Scenario scenario, const Card& card) {
  const auto refuse = [](bool is_beyond, const char* what) {
    if (is_beyond) throw std::domain_error(what);
  };
  refuse(card.needs_several_servers(), "several servers");
  refuse(has_sessions(card), "sessions that hold something");
  Timing& timing = scenario.timing;
  timing.retry_late = std::max(timing.retry, timing.retry_late);
  timing.restart_late = std::max(timing.restart, timing.restart_late);
  scenario.belief = scenario.belief.value_or(card.belief);
  scenario.clients.push_back({.id = "probe", .program = {{.attempts = timing.recovery_rounds}}});
  std::vector<Params> params;
  for (ClientPlan& plan : scenario.clients) {
    refuse(plan.drift_ppm != 0 || plan.rounds == 0, "drift, or endless rounds");
    for (const ProgramStep& line : plan.program)
      refuse(line.op >= ProgramStep::Op::acquire_again && line.op != ProgramStep::Op::read,
             "caches, and nested holds");
    if (plan.key.empty()) plan.key = scenario.key;
    params.emplace_back(card.parameters);
    for (const Texts* texts : {&scenario.params, &plan.params})
      for (const auto& [name, value] : *texts) params.back().set(name, value);
  }
  // Memory that is shared has no network, no file and no replica.
  if (card.store == StoreKind::shared_dict) {
    constexpr FaultSet of_memory{Fault::crash,      Fault::pause,      Fault::slow_section,
                                 Fault::clock_skew, Fault::clock_jump, Fault::server_clock_jump,
                                 Fault::restart,    Fault::eviction,   Fault::cancel};
    std::erase_if(scenario.faults, [&](const FaultRule& rule) { return !of_memory.contains(rule.kind); });
    for (FaultRule& rule : scenario.faults) rule.loses = DataLoss::everything;
    timing.delay_min = timing.delay_max = 0s;
  }
  const Duration lease = params.back().has("ttl") ? params.back().duration("ttl") : Duration(4s);
  for (FaultRule& rule : scenario.faults) {
    const bool is_file = rule.kind == Fault::restart && rule.loses == DataLoss::latest;
    if (rule.magnitude == Duration()) rule.magnitude = is_file ? Duration(1s) : 2 * lease;
  }
  std::vector<std::string> keys = key_patterns(scenario, card);
  stores::Kinds kinds;
  std::vector<std::string> asides = rehearse(scenario, card, kinds).asides;
  return {card, std::move(scenario), std::move(params), std::move(keys), std::move(asides)};
}

// The name of its type, and what definitions can ask for but times.
std::string text_of(const Event& event) {
  const auto name = [](Acquisition it) {
    return it.is_nobody() ? "nobody" : name_of(it.client) + std::to_string(it.number);
  };
  const auto text_of = [&]<class What>(const What& it) {
    std::string text = typeid(What).name();
    text = text.substr(text.find_first_not_of("0123456789", 8 + text.find("holdfast")));
    if constexpr (requires { it.acquisition; }) text += ' ' + name(it.acquisition);
    if constexpr (requires { it.client; }) text += ' ' + name_of(it.client);
    if constexpr (requires { it.mode; }) text += fmt::format(" mode {}", id_of(it.mode));
    if constexpr (requires { it.by.count(); }) text += fmt::format(" by {}", to_text(it.by));
    if constexpr (requires { it.accepted; }) text += it.accepted ? " accepted" : " refused";
    if constexpr (requires { it.fence; }) text += fmt::format(" fence {}", it.fence.value_or(0));
    if constexpr (requires { it.result; }) text += fmt::format(" result {}", static_cast<int>(it.result));
    if constexpr (std::is_same_v<What, KeyChanged>)
      text += fmt::format(" {} kind {} by {} from {} to {}", it.key, static_cast<int>(it.kind), name(it.by),
                          name(it.before), name(it.after));
    return text;
  };
  return std::visit(text_of, static_cast<const AnyEvent&>(event.what));
}

std::string story_of(const Experiment& experiment, const Path& path) {
  std::deque<World> run;
  run.emplace_back(experiment);
  std::string text;
  for (const std::uint32_t i : path) {
    const World& before = run.back();
    const World& after = run.emplace_back(before.next()[i]);
    text += fmt::format("\n{:>6} {}", to_text(before.now.time_since_epoch()), after.last_step);
    for (std::size_t event = after.judged; event < after.events.size(); ++event)
      text += "\n           " + text_of(after.events[event]);
    for (std::size_t each = before.coming.size(); each < after.coming.size(); ++each) {
      const Coming& it = after.coming[each];
      text += fmt::format("\n           {} expects {}, {} to {}: {} {}", name_of(it.who),
                          static_cast<int>(it.kind), to_text(it.from.time_since_epoch()),
                          to_text(it.to.time_since_epoch()), fmt::join(it.command.argv(), " "),
                          reference::text_of(it.reply));
    }
  }
  return text;
}

struct Comparing {
  Found found;
  std::string differences;  // empty: none
  std::string story;
};

// Nobody comes back in the reference, and nobody is given up.
Scenario without_return(Scenario scenario) {
  if (!scenario.check.empty()) return scenario;
  scenario.check = definitions::all;
  scenario.check.erase(Property::progress);
  scenario.check.erase(Property::availability);
  if (!has_step(scenario.clients, ProgramStep::Op::read)) scenario.check.erase(Property::no_lost_update);
  for (const Property property : {Property::fenced_writes, Property::rightful_write})
    if (scenario.fencing == Fencing::none) scenario.check.erase(property);
  return scenario;
}

Comparing compare(const Scenario& scenario, const Card& card, std::size_t states_max) {
  if (share_locks(scenario.clients)) throw std::domain_error("clients that share a lock object");
  const Experiment experiment = experiment_of(scenario, card);
  Comparing it{.found = search(experiment, states_max)};
  const Exploration engine = explore(without_return(scenario), card, {});
  for (const PropertyResult& result : engine.properties) {
    if (!definitions::all.contains(result.property)) continue;
    const auto broken = it.found.broken.find(result.property);
    const bool is_broken = broken != it.found.broken.end();
    const bool is_open = result.verdict == Verdict::unknown || (!is_broken && !it.found.is_closed);
    if (is_open || is_broken == (result.verdict == Verdict::violated)) continue;
    it.differences += fmt::format(" {}:{}", id_of(result.property), is_broken ? "reference" : "ENGINE");
    it.story += fmt::format("\n{}: the reference says {}, the engine says {}", id_of(result.property),
                            is_broken ? "violated" : "holds", id_of(result.verdict));
    if (is_broken) it.story += story_of(experiment, broken->second);
    else
      for (const Event& event : result.counterexample->events)
        it.story += fmt::format("\n{:>6} {}", to_text(event.at.time_since_epoch()), text_of(event));
  }
  return it;
}

// Small enough for the reference: A tries once, as does everybody whose lock renews, for the work under it is
// long; faults last a second longer than a lease.
Scenario small(const Card& card, Fault fault) {
  Comparison bounds{.attempts = card.renews ? 1u : 2u, .ttl = card.renews ? 4s : 3s};
  bounds.timing.tick = 1s;
  bounds.timing.retry = bounds.timing.retry_late = 3s;
  bounds.timing.restart_late = 2s;
  // Of a semaphore there are more clients.
  if (card.capacity > 1) bounds.attempts = 1;
  if (card.capacity > 1) bounds.timing.delay_max = 0s;
  Scenario scenario = scenario_of(bounds, card, fault);
  for (ClientPlan& client : scenario.clients) {
    client.start_late = client.start;
    for (ProgramStep& step : client.program) step.at_least.reset();
  }
  scenario.clients[0].program[0].attempts = 1;
  for (FaultRule& rule : scenario.faults) rule.magnitude = card.renews ? 7s : 4s;
  return scenario;
}

// The faults that the reference finds to break a property of the lock, and all that it breaks with them.
std::string broken_by(std::string_view lock, Fault fault) {
  const Card& card = *algorithms::find(lock);
  const Scenario scenario = small(card, fault);
  const Experiment experiment = experiment_of(scenario, card);
  const Found found = search(experiment, 500'000);
  std::string text = found.is_closed ? "" : "open";
  for (const auto& [property, path] : found.broken)
    text += (text.empty() ? "" : " ") + std::string(id_of(property));
  return text;
}

TEST(Reference, FindsWhatIsKnownAndClearsWhatIsGood) {
  EXPECT_EQ(broken_by("token", Fault::none), "");
  EXPECT_EQ(broken_by("token", Fault::crash), "");
  EXPECT_EQ(broken_by("token", Fault::duplicate), "");
  EXPECT_EQ(broken_by("token", Fault::pause), "mutual-exclusion no-stale-write");
  EXPECT_EQ(broken_by("token", Fault::restart), "mutual-exclusion no-stale-write");
  EXPECT_EQ(broken_by("setnx", Fault::crash), "recovery");
  EXPECT_EQ(broken_by("redis-objects-px", Fault::pause),
            "mutual-exclusion no-stale-write owner-only-release truthful-release");
  EXPECT_EQ(broken_by("resty-lock", Fault::partition), "");
}

// Takes these steps.
World driven(const Experiment& experiment, std::initializer_list<std::string_view> steps) {
  std::deque<World> run;
  run.emplace_back(experiment);
  for (const std::string_view step : steps) {
    const std::deque<World> next = run.back().next();
    const auto found =
        std::find_if(next.begin(), next.end(), [&](const World& it) { return it.last_step == step; });
    if (found == next.end()) throw std::runtime_error("cannot happen now: " + std::string(step));
    run.push_back(*found);
  }
  return run.back();
}

TEST(Reference, AClockThatIsSetAheadEndsABelief) {
  const Card& card = *algorithms::find("getset");
  Scenario scenario = small(card, Fault::clock_jump);
  scenario.belief = Belief::deadline_from_request;
  scenario.clients.resize(1);
  const Experiment experiment = experiment_of(scenario, card);
  const World before = driven(experiment, {"A goes on", "A leaves", "A request", "A answer"});
  const World after = driven(experiment, {"A goes on", "A leaves", "A request", "A answer", "A clock-jump"});
  EXPECT_TRUE(before.process(ClientId{}).believes);
  EXPECT_FALSE(after.process(ClientId{}).believes);
}

TEST(Reference, AServerMayRestartInAQuietSecondButNotInTheCalm) {
  const Card& card = *algorithms::find("token");
  Scenario scenario = small(card, Fault::restart);
  scenario.clients.resize(1);
  const Experiment experiment = experiment_of(scenario, card);
  driven(experiment, {"A restart"});
  const World end = driven(experiment, {"A goes on", "A leaves", "A request", "A answer", "A time passes",
                                        "A goes on", "A leaves", "A request", "A answer"});
  const auto may = [](const World& world, std::string_view step) {
    const std::deque<World> next = world.next();
    return std::any_of(next.begin(), next.end(), [&](const World& it) { return it.last_step == step; });
  };
  EXPECT_TRUE(may(end, "A restart"));
  EXPECT_FALSE(may(end, "A time passes"));
  EXPECT_FALSE(may(end.next().front(), "A restart"));
}

// What the page says may happen happens here, too, and what it says may not does not.
TEST(Reference, AgreesWithEverySentenceOfThePage) {
  const Known known(algorithms::all(), simulated_faults, checkers::decidable());
  std::size_t closed = 0;
  for (const Sentence& sentence : specification()) {
    const std::string file = std::string(sentence.scenario) + ".json";
    const std::filesystem::path path = std::filesystem::path(HOLDFAST_SOURCE_DIR) / "scenarios/faults" / file;
    const Scenario scenario = parse_scenario(holdfast::text_of(path), file, known).scenario.value();
    try {
      const Comparing it = compare(scenario, *algorithms::find(scenario.algorithm), 100'000);
      const bool is_broken = it.found.broken.contains(*scenario.expect->property);
      EXPECT_EQ(is_broken, scenario.expect->verdict == Verdict::violated) << file;
      EXPECT_EQ(it.differences, "") << file << it.story;
      closed += it.found.is_closed ? 1 : 0;
    } catch (const std::domain_error&) {
    }
  }
  EXPECT_EQ(closed, 64u);
}

// Of a space that the reference does not close, only what it finds there is compared. Locks that need what it
// does not have are named.
TEST(Reference, AgreesWithTheEngineOnEveryLockUnderEveryFault) {
  constexpr std::size_t states_max = 10'000;
  std::size_t closed = 0;
  std::size_t open = 0;
  std::set<std::string_view> beyond;
  for (const Card& card : algorithms::all()) {
    if (card.needs_several_servers()) continue;
    for (const Fault fault : planted::some_faults(card, 6)) {
      try {
        const std::size_t most = card.capacity > 1 ? 4 * states_max : states_max;
        const Comparing it = compare(small(card, fault), card, most);
        ++(it.found.is_closed ? closed : open);
        EXPECT_EQ(it.differences, "") << card.id << " under " << id_of(fault) << it.story;
      } catch (const std::domain_error&) {
        beyond.insert(card.id);
      }
    }
  }
  std::set<std::string_view> expected{"stackexchange-redis"};
  for (const Card& card : algorithms::all())
    if (has_sessions(card)) expected.insert(card.id);
  EXPECT_EQ(beyond, expected);
  EXPECT_GT(closed, 30u);
  EXPECT_LT(open, 2 * closed);
}

// Scenarios that nobody thought of, small.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(engine_() % count); }
  std::uint32_t from_to(std::uint32_t least, std::uint32_t most) { return least + below(most - least + 1); }
  Duration seconds(std::uint32_t least, std::uint32_t most) {
    return std::chrono::seconds(from_to(least, most));
  }
  bool chance(std::uint32_t one_in) { return below(one_in) == 0; }
  template <class T>
  const T& one_of(const std::vector<T>& items) {
    return items[below(static_cast<std::uint32_t>(items.size()))];
  }

 private:
  std::mt19937_64 engine_;
};

std::vector<ProgramStep> program_by(Dice& dice) {
  using enum ProgramStep::Op;
  std::vector<ProgramStep> program{{.op = acquire, .attempts = dice.from_to(1, 2)}};
  if (dice.chance(3)) program.push_back({.op = read});
  program.push_back({.op = work, .length = dice.seconds(0, 2)});
  if (dice.chance(2)) program.back().at_least = program.back().length / 1s * dice.seconds(0, 1);
  program.push_back({.op = write});
  if (dice.chance(8)) return program;
  program.push_back({.op = release});
  if (dice.chance(5)) program.push_back({.op = write});
  if (dice.chance(5)) program.insert(program.begin(), {.op = sleep, .length = dice.seconds(1, 3)});
  return program;
}

Scenario scenario_by(Dice& dice, const Card& card) {
  Scenario scenario = scenario_of(Comparison{}, card, static_cast<Fault>(dice.below(fault_ids.size())));
  for (auto& [name, value] : scenario.params)
    if (name == "ttl") value = to_text(card.renews ? 6s : dice.seconds(2, 4));
  for (const Parameter& parameter : card.parameters)
    if (parameter.kind == Parameter::Kind::choice && dice.chance(4) && parameter.name != "blocking")
      scenario.params.emplace_back(parameter.name, dice.one_of(parameter.choices));
  for (std::size_t i = 0; i < belief_ids.size(); ++i)
    if (card.beliefs.contains(static_cast<Belief>(i)) && dice.chance(3))
      scenario.belief = static_cast<Belief>(i);
  Timing& timing = scenario.timing;
  timing.tick = 1s;
  timing.delay_max = dice.seconds(0, 1);
  timing.delay_min = dice.chance(4) ? timing.delay_max : 0s;
  timing.timeout = dice.seconds(1, 3);
  timing.retry_late = timing.retry + dice.seconds(0, 2);
  timing.restart_late = timing.restart + dice.seconds(0, 2);
  timing.recovery_rounds = dice.from_to(1, 3);
  // What takes the engine long says nothing: the reference is slower by far.
  scenario.explore.states_max = 500'000;
  scenario.driver_retries = dice.chance(4) ? 1 : 0;
  scenario.fencing = dice.chance(4) ? Fencing::first_write : Fencing::none;
  for (ClientPlan& client : scenario.clients) {
    client.program = program_by(dice);
    client.start = dice.seconds(0, 2);
    client.start_late = client.start + dice.seconds(0, dice.chance(3) ? 3 : 0);
  }
  for (FaultRule& rule : scenario.faults) {
    const bool is_of_client = FaultSet{Fault::crash, Fault::pause, Fault::cancel}.contains(rule.kind);
    if (is_of_client && dice.chance(2)) rule.place = static_cast<Place>(dice.below(place_ids.size()));
    if (dice.chance(2)) rule.target = ClientId{dice.below(2)};
    if (dice.chance(2)) rule.magnitude = dice.seconds(1, 5);
    if (dice.chance(6)) rule.budget = 2;
    if (rule.kind == Fault::restart && card.store == StoreKind::redis)
      rule.loses = static_cast<DataLoss>(dice.below(3));
  }
  return scenario;
}

RC_GTEST_PROP(Reference, AgreesOnRandomScenarios, (std::uint64_t seed)) {
  Dice dice(seed);
  const Card& card = dice.one_of(algorithms::all());
  if (card.needs_several_servers()) return;
  const Scenario scenario = scenario_by(dice, card);
  try {
    const Comparing it = compare(scenario, card, 8'000);
    if (!it.differences.empty())
      RC_FAIL(fmt::format("{} under {}:{}{}", card.id, scenario.name, it.differences, it.story));
  } catch (const std::domain_error&) {
  }
}

}  // namespace
}  // namespace holdfast::reference
