// The reference explores small spaces by itself, and the engine is held to what it finds.
#include "sim/explore/reference_test.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <random>
#include <unordered_map>

#include "sim/explore/comparison.hpp"
#include "sim/explore/explore.hpp"

namespace holdfast::reference {
namespace {

using Path = std::vector<std::uint32_t>;  // which of the moves, step by step

struct Found {
  bool is_closed = false;
  bool has_told_time = false;
  std::size_t states = 0;
  std::size_t transitions = 0;
  std::map<Property, Path> broken;  // a shortest run that breaks it
};

// Every state, breadth first.
Found search(const Experiment& experiment, std::size_t states_max) {
  Found found;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> steps{{0, 0}};  // from which, by which move
  std::deque<std::pair<std::uint32_t, World>> open;
  open.emplace_back(0, World(experiment));
  std::unordered_map<std::string, std::uint32_t> known{{open.back().second.text(), 0}};
  while (!open.empty() && known.size() < states_max) {
    const auto [from, world] = std::move(open.front());
    open.pop_front();
    const std::vector<World::Move> moves = world.moves();
    for (std::uint32_t i = 0; i < moves.size(); ++i) {
      World next = world.after(moves[i]);
      ++found.transitions;
      found.has_told_time |= next.has_told_time;
      if (next.has_told_time && !experiment.is_timed) return found;
      for (const Property property : next.broken()) {
        if (found.broken.contains(property)) continue;
        Path path{i};
        for (std::uint32_t at = from; at != 0; at = steps[at].first)
          path.insert(path.begin(), steps[at].second);
        found.broken.emplace(property, path);
      }
      const auto number = static_cast<std::uint32_t>(steps.size());
      if (!known.emplace(next.text(), number).second) continue;
      steps.emplace_back(from, i);
      open.emplace_back(number, std::move(next));
    }
  }
  found.is_closed = open.empty();
  found.states = known.size();
  return found;
}

// Where time is told, states differ in it.
Found search_all(Experiment& experiment, std::size_t states_max) {
  const Found found = search(experiment, states_max);
  experiment.is_timed = found.has_told_time;
  return experiment.is_timed ? search(experiment, states_max) : found;
}

std::string text_of(const World& world, std::size_t first_message) {
  std::string text;
  for (std::size_t i = world.judged; i < world.events.size(); ++i)
    text += "\n           " + reference::text_of(*world.events[i]);
  for (std::size_t i = first_message; i < world.messages.size(); ++i) {
    const Message& it = world.messages[i];
    text += fmt::format("\n           {} of {} on its way, {} to {}: {}{}",
                        it.is_request ? "request" : "answer", name_of(ClientId{it.client}),
                        to_text(it.window.from.time_since_epoch()), to_text(it.window.to.time_since_epoch()),
                        reference::text_of(it.command), it.is_request ? "" : reference::text_of(it.reply));
  }
  return text;
}
std::string story_of(const Experiment& experiment, const Path& path) {
  World world(experiment);
  std::string text;
  for (const std::uint32_t i : path) {
    const World::Move move = world.moves()[i];
    const World next = world.after(move);
    text += fmt::format("\n{:>6} {} {}", to_text(world.now.time_since_epoch()), name_of(ClientId{move.who}),
                        move.name) +
            text_of(next, next.messages.size() > world.messages.size() ? world.messages.size()
                                                                       : next.messages.size());
    world = next;
  }
  return text;
}

struct Comparing {
  Found found;
  std::string differences;  // empty: none
  std::string story;
};

Comparing compare(const Scenario& scenario, const Card& card, std::size_t states_max) {
  Experiment experiment = experiment_of(scenario, card);
  Comparing it{.found = search_all(experiment, states_max)};
  const Exploration engine = explore(scenario, card, {});
  for (const PropertyResult& result : engine.properties) {
    if (!definitions::all.contains(result.property) || result.verdict == Verdict::not_applicable) continue;
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
        it.story +=
            fmt::format("\n{:>6} {}", to_text(event.at.time_since_epoch()), reference::text_of(event));
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
  Experiment experiment = experiment_of(scenario, card);
  const Found found = search_all(experiment, 500'000);
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

// Takes these moves, each the first one of that name.
World driven(const Experiment& experiment, std::initializer_list<std::string_view> names) {
  World world(experiment);
  for (const std::string_view name : names) {
    const std::vector<World::Move> moves = world.moves();
    const auto move =
        std::find_if(moves.begin(), moves.end(), [&](const auto& it) { return it.name == name; });
    if (move == moves.end()) throw std::runtime_error("cannot happen now: " + std::string(name));
    world = world.after(*move);
  }
  return world;
}

TEST(Reference, AClockThatIsSetAheadEndsABelief) {
  const Card& card = *algorithms::find("getset");
  Scenario scenario = small(card, Fault::clock_jump);
  scenario.belief = Belief::deadline_from_request;
  scenario.clients.resize(1);
  const Experiment experiment = experiment_of(scenario, card);
  EXPECT_TRUE(driven(experiment, {"begins", "request arrives", "gets answer"}).clients[0].believes);
  EXPECT_FALSE(
      driven(experiment, {"begins", "request arrives", "gets answer", "clock-jump"}).clients[0].believes);
}

TEST(Reference, AServerMayRestartInAQuietSecondButNotInTheCalm) {
  const Card& card = *algorithms::find("token");
  Scenario scenario = small(card, Fault::restart);
  scenario.clients.resize(1);
  const Experiment experiment = experiment_of(scenario, card);
  driven(experiment, {"restart"});
  const World end = driven(experiment, {"begins", "request arrives", "gets answer", "time passes",
                                        "time has come", "request arrives", "gets answer"});
  const auto may = [](const World& world, std::string_view name) {
    const std::vector<World::Move> moves = world.moves();
    return std::any_of(moves.begin(), moves.end(), [&](const auto& it) { return it.name == name; });
  };
  EXPECT_TRUE(may(end, "restart"));
  EXPECT_FALSE(may(end, "time passes"));
  EXPECT_FALSE(may(end.after(end.moves().front()), "restart"));
}

// Of a space that the reference does not close, only what it finds there is compared.
TEST(Reference, AgreesWithTheEngineOnEveryLockUnderEveryFault) {
  constexpr std::size_t states_max = 20'000;
  std::size_t closed = 0;
  std::size_t open = 0;
  for (const Card& card : algorithms::all()) {
    for (std::size_t i = 0; i < fault_ids.size() && !card.needs_several_servers(); ++i) {
      const Comparing it = compare(small(card, static_cast<Fault>(i)), card, states_max);
      ++(it.found.is_closed ? closed : open);
      EXPECT_EQ(it.differences, "") << card.id << " under " << fault_ids[i] << it.story;
    }
  }
  EXPECT_EQ(closed, 237u);
  EXPECT_EQ(open, 171u);
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
    const Comparing it = compare(scenario, card, 40'000);
    if (!it.differences.empty())
      RC_FAIL(fmt::format("{} under {}:{}{}", card.id, scenario.name, it.differences, it.story));
  } catch (const Unsupported&) {
  }
}

}  // namespace
}  // namespace holdfast::reference
