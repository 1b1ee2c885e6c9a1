#include "bench/engine_cases.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <span>

#include "sim/core/arena.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/engines.hpp"

namespace holdfast::bench {
namespace {

constexpr std::string_view reduced = "+reduced";
constexpr std::string_view in_lua = "-lua";
// Of a simulation, in virtual time: long enough for the start not to matter, and about as many events for
// many clients as for few.
Duration simulated_with(std::uint32_t clients) { return std::clamp<Duration>(4000s / clients, 1s, 20s); }

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

// "4-2-3-2", with `separator` between: exactly as many numbers as `numbers` has room for.
bool read_numbers(std::string_view text, char separator, std::span<std::uint32_t> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) {
      if (text.empty() || text.front() != separator) return false;
      text.remove_prefix(1);
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), numbers[i]);
    if (error != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return text.empty();
}

struct Sizes {
  std::uint32_t clients = 0;
  std::uint32_t rounds = 0;
  std::uint32_t attempts = 0;
  std::uint32_t pauses = 0;
  std::uint32_t delay = 0;  // at most; in ticks
  bool are_possible() const {
    return clients >= 1 && clients <= 100 && rounds >= 1 && rounds <= 1000 && attempts >= 1 &&
           attempts <= 1000 && pauses <= 1000 && delay <= 100;
  }
};

// Requests and replies are steps of their own and come in any order; time passes when nothing is ready, or
// in a pause, or while a message may still travel. All properties are judged.
Scenario yardstick(const Card& card, const Sizes& sizes) {
  using Op = ProgramStep::Op;
  Scenario scenario;
  scenario.algorithm = card.id;
  if (Params(card.parameters).has("ttl")) scenario.params.emplace_back("ttl", "100ms");
  scenario.key = "lock:resource";
  for (std::uint32_t i = 0; i < sizes.clients; ++i)
    scenario.clients.push_back({.id = name_of(ClientId{i}),
                                .rounds = sizes.rounds,
                                .program = {{.op = Op::acquire, .attempts = sizes.attempts},
                                            {.op = Op::work, .length = 40ms},
                                            {.op = Op::write},
                                            {.op = Op::release}}});
  if (sizes.pauses > 0)
    scenario.faults.push_back({.kind = Fault::pause, .budget = sizes.pauses, .magnitude = 200ms});
  constexpr Duration tick = 10ms;
  scenario.timing = Timing{.tick = tick,
                           .delay_min = 0ms,
                           .delay_max = tick * sizes.delay,
                           .timeout = 10s,
                           .retry = 30ms,
                           .retry_late = 30ms,
                           .restart = 100ms,
                           .recovery = 1s};
  // The benchmark that measures says when it is enough.
  scenario.explore.states_max = std::numeric_limits<std::uint64_t>::max();
  scenario.explore.reductions = {};
  return scenario;
}

// Those that the name asks for: none, the usual ones ("+reduced"), or these without some
// ("+reduced-loop-heads", "+reduced-dead-values-joint-replies").
ReductionSet take_reductions(std::string_view& name) {
  const std::size_t plus = name.find(reduced);
  if (plus == std::string_view::npos) return {};
  ReductionSet usual = Explore().reductions;
  std::string_view without = name.substr(plus + reduced.size());
  while (!without.empty()) {
    const auto is_next = [&](std::string_view id) {
      return without.front() == '-' && without.substr(1).starts_with(id);
    };
    const auto found = std::find_if(reduction_ids.begin(), reduction_ids.end(), is_next);
    if (found == reduction_ids.end()) return {};  // no lock has what is left of the name
    usual.erase(*from_id<Reduction>(reduction_ids, *found));
    without.remove_prefix(1 + found->size());
  }
  name = name.substr(0, plus);
  return usual;
}

std::optional<EngineCase> space(std::string_view lock, const Sizes& sizes) {
  const ReductionSet reductions = take_reductions(lock);
  const bool remembers_scripts = algorithms::find(lock) != nullptr || !take_suffix(lock, in_lua);
  const Card* const card = algorithms::find(lock);
  if (card == nullptr || !sizes.are_possible()) return std::nullopt;
  EngineCase made{.card = card, .scenario = yardstick(*card, sizes)};
  made.scenario.explore.reductions = reductions;
  made.scenario.explore.remembers_scripts = remembers_scripts;
  return made;
}

// The first bounds of the comparison: two clients that ask once, at most one fault, ticks of a second.
std::optional<EngineCase> quorum(std::string_view fault_id, std::string_view lock) {
  const ReductionSet reductions = take_reductions(lock);
  const Card* const card = algorithms::find(lock);
  const std::optional<Fault> fault = from_id<Fault>(fault_ids, fault_id);
  if (card == nullptr || !fault) return std::nullopt;
  Comparison comparison{.attempts = 1};
  comparison.timing.tick = 1s;
  EngineCase made{.card = card, .scenario = scenario_of(comparison, *card, *fault)};
  made.scenario.explore.states_max = std::numeric_limits<std::uint64_t>::max();
  made.scenario.explore.reductions = reductions;
  return made;
}

// What peers/ has for another explorer, too.
std::optional<EngineCase> exclusion(std::string_view lock, const Sizes& sizes) {
  std::optional<EngineCase> made = space(lock, sizes);
  if (made) made->scenario.check = PropertySet{Property::mutual_exclusion};
  return made;
}

std::optional<EngineCase> simulation(std::string_view sizes, std::string_view lock) {
  std::uint32_t numbers[2];
  const Card* const card = algorithms::find(lock);
  if (card == nullptr || !read_numbers(sizes, 'x', numbers)) return std::nullopt;
  if (numbers[0] == 0 || numbers[0] > timed_clients_max || numbers[1] == 0 || numbers[1] > timed_locks_max)
    return std::nullopt;
  return EngineCase{.card = card, .clients = numbers[0], .locks = numbers[1]};
}

std::optional<EngineCase> made_from(std::string_view kind, std::string_view rest) {
  if (kind == "getset") {
    const std::size_t end = std::min(rest.find('+'), rest.size());
    std::uint32_t numbers[3];
    if (!read_numbers(rest.substr(0, end), '-', numbers)) return std::nullopt;
    return space("getset" + std::string(rest.substr(end)), {numbers[0], numbers[1], 2, numbers[2]});
  }
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view sizes = rest.substr(0, slash);
  const std::string_view lock = rest.substr(slash + 1);
  if (kind == "quorum") return quorum(sizes, lock);
  if (kind == "random") return simulation(sizes, lock);
  std::uint32_t numbers[5];
  if (kind == "exclusion")
    return read_numbers(sizes, '-', numbers)
               ? exclusion(lock, {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]})
               : std::nullopt;
  if (kind != "yardstick" || !read_numbers(sizes, '-', std::span(numbers, 4))) return std::nullopt;
  return space(lock, {numbers[0], numbers[1], numbers[2], numbers[3]});
}

}  // namespace

std::optional<EngineCase> engine_case(std::string_view name) {
  const std::size_t slash = std::min(name.find('/'), name.size() - 1);
  std::optional<EngineCase> made = made_from(name.substr(0, slash), name.substr(slash + 1));
  if (made) made->name = name;
  return made;
}

const std::vector<std::string>& usual_engine_cases() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (const char* sizes :
         {"1-2-3-2", "2-2-3-2", "3-2-3-2", "4-2-3-2", "5-1-2-1", "6-1-1-1", "7-1-1-0", "8-1-1-0"})
      for (const char* lock : {"token", "token-lua", "set-nx-px"})
        made.push_back(std::string("yardstick/") + sizes + "/" + lock);
    for (const char* name :
         {"yardstick/2-2-3-2/token+reduced", "yardstick/4-2-3-2/token+reduced", "getset/4-2-0",
          "getset/4-2-1", "getset/4-2-0+reduced", "getset/4-2-1+reduced", "random/8x1/token",
          "quorum/none/redlock+reduced", "quorum/none/redsync+reduced", "quorum/none/redsync",
          "random/64x1/token", "random/1000x100/token", "random/1000x100/set-nx-px"})
      made.emplace_back(name);
    return made;
  }();
  return names;
}

Measurement execute(const EngineCase& it, unsigned threads, const Budget& budget) {
  if (it.is_timed())
    return {.events = measure_timed(*it.card, it.clients, it.locks, 1, simulated_with(it.clients)),
            .complete = true};
  const auto closed = [&] {
    if (!Arena::is_available()) return explore(it.scenario, *it.card, budget, Engine::replay);
    Knowledge known;
    return explore_depth_first(it.scenario, *it.card, budget, threads, known);
  };
  const Exploration found = closed();
  return {.states = found.states,
          .transitions = found.transitions,
          .table_bytes = found.table_bytes,
          .snapshot_bytes = found.snapshot_bytes,
          .complete = found.complete};
}

}  // namespace holdfast::bench
