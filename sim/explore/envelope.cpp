#include "sim/explore/envelope.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "sim/core/arena.hpp"
#include "sim/core/invariant.hpp"
#include "sim/explore/dense.hpp"
#include "sim/explore/separate.hpp"
#include "sim/scenario/fields.hpp"
#include "sim/scenario/specification.hpp"

namespace holdfast {
namespace {

constexpr FaultSet of_messages = fault_table.striking({Struck::request, Struck::reply});

class EnvelopeSearch {
 public:
  EnvelopeSearch(const Job& calm, const Scale& scale, unsigned threads, const Budget& budget)
      : calm_(calm), scale_(scale), threads_(threads), budget_(budget) {}

  Envelope find() {
    if (scale_.counts()) explore_until_all_break();
    else explore_ends_and_middles();
    Envelope envelope{.scale = scale_, .edges = {}, .explored = static_cast<std::uint32_t>(found_.size())};
    for (std::size_t i = 0; i < properties(); ++i) envelope.edges.push_back(edge_of(i));
    if (!scale_.counts() && Arena::is_available()) note_instants(envelope.edges);
    for (const auto& [at, exploration] : found_) envelope.states += exploration.states;
    return envelope;
  }

 private:
  // A fault that strikes more often has far more schedules, so the small numbers come first.
  void explore_until_all_break() {
    for (std::uint32_t at = 0; at <= scale_.count; ++at) {
      explore_at({at});
      const auto is_decided = [&](const PropertyResult& it) { return it.verdict == Verdict::violated; };
      const std::vector<PropertyResult>& found = found_.at(at).properties;
      if (!found_.at(at).complete || std::all_of(found.begin(), found.end(), is_decided)) break;
    }
  }

  void explore_ends_and_middles() {
    std::vector<std::uint32_t> next{0, scale_.count};
    for (; !next.empty(); next = middles()) explore_at(next);
  }

  std::size_t properties() const { return found_.begin()->second.properties.size(); }
  const PropertyResult& result(std::uint32_t at, std::size_t property) const {
    return found_.at(at).properties[property];
  }
  Verdict verdict(std::uint32_t at, std::size_t property) const { return result(at, property).verdict; }

  void explore_at(const std::vector<std::uint32_t>& positions) {
    std::vector<Job> jobs;
    for (const std::uint32_t at : positions)
      jobs.push_back({at_size(calm_.scenario, scale_, at), calm_.card});
    std::vector<Exploration> done = explore_all(jobs, threads_, budget_, nullptr);
    for (std::size_t i = 0; i < positions.size(); ++i) found_.emplace(positions[i], std::move(done[i]));
  }

  // The largest explored size below the first that is violated, and that one; what is known of its edge.
  struct Bracket {
    std::optional<std::uint32_t> low;
    std::optional<std::uint32_t> high;
    bool is_open = false;
  };
  Bracket bracket(std::size_t property) const {
    Bracket bracket;
    for (const auto& [at, exploration] : found_) {
      const Verdict here = exploration.properties[property].verdict;
      if (here == Verdict::unknown) {
        bracket.is_open = true;
        return bracket;
      }
      if (here == Verdict::violated) {
        bracket.high = at;
        return bracket;
      }
      bracket.low = at;
      // A small fault does no harm, so the lock holds under it. That the largest could not says nothing.
      const std::array<FaultRule, 1> any_size{{{.kind = scale_.fault}}};
      bracket.is_open =
          at == scale_.count && exploration.reach.struck.contains(scale_.fault) &&
          !why_hollow(exploration.reach, any_size, exploration.properties[property].property).empty();
    }
    return bracket;
  }

  // Where the edge of some property is not narrow yet.
  std::vector<std::uint32_t> middles() const {
    std::vector<std::uint32_t> next;
    for (std::size_t i = 0; i < properties(); ++i) {
      const Bracket it = bracket(i);
      if (it.is_open || !it.low || !it.high || *it.high - *it.low < 2) continue;
      const std::uint32_t middle = *it.low + (*it.high - *it.low) / 2;
      if (std::find(next.begin(), next.end(), middle) == next.end()) next.push_back(middle);
    }
    return next;
  }

  Edge edge_of(std::size_t property) {
    const Bracket found = bracket(property);
    Edge edge;
    edge.property = result(0, property).property;
    edge.holds_up_to = found.low;
    edge.breaks_from = found.high;
    edge.is_open = found.is_open;
    for (const auto& [at, exploration] : found_)
      edge.can_strike |= exploration.reach.struck.contains(scale_.fault);
    if (!found.high) return edge;
    edge.broken = result(*found.high, property).counterexample;
    if (!found.low || *found.low == 0) return edge;
    const Job broken{at_size(calm_.scenario, scale_, *found.high), calm_.card};
    const Job whole{at_size(calm_.scenario, scale_, *found.low), calm_.card};
    if (std::optional<SeparatePair> pair = same_moves(broken, whole, *edge.broken))
      edge.whole = std::move(pair->whole);
    return edge;
  }

  // Properties with one edge are asked together.
  void note_instants(std::vector<Edge>& edges) const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, PropertySet> alike;
    for (const Edge& edge : edges)
      if (edge.holds_up_to && edge.breaks_from && !edge.is_open)
        alike[{*edge.holds_up_to, *edge.breaks_from}].insert(edge.property);
    for (const auto& [place, properties] : alike) {
      const std::optional<Duration> longest = longest_at_instants(place.first, place.second, properties);
      for (Edge& edge : edges)
        if (properties.contains(edge.property)) edge.holds_at_instants = longest;
    }
  }

  std::optional<Duration> longest_at_instants(std::uint32_t low, std::uint32_t high,
                                              PropertySet properties) const {
    // What is larger takes seconds, for each of a dozen sizes.
    constexpr std::uint64_t few_states = 20'000;
    const auto holds = [&](Duration size) {
      Scenario scenario = at_size(calm_.scenario, scale_, size == Duration::zero() ? 0 : high);
      if (size != Duration::zero()) scenario.faults.back().magnitude = size;
      scenario.timing.tick = Duration::zero();
      scenario.check = properties;
      scenario.explore.states_max = few_states;
      return is_proved(explore(scenario, *calm_.card, budget_));
    };
    Duration longest = scale_.size_at(low);
    if (!holds(longest)) return std::nullopt;
    Duration beyond = scale_.size_at(high);
    INVARIANT(!holds(beyond), "what breaks in ticks breaks where time is dense");
    while (beyond - longest > 1ms) {
      const Duration middle = longest + (beyond - longest) / 2ms * 1ms;
      (holds(middle) ? longest : beyond) = middle;
    }
    return longest;
  }

  const Job& calm_;
  const Scale& scale_;
  unsigned threads_;
  const Budget& budget_;
  std::map<std::uint32_t, Exploration> found_;  // by position
};

// The smallest sizes first: those with the fewest steps of both scales together.
void note_smallest(EnvelopeMap::Layer& layer, std::uint32_t index, std::uint32_t width,
                   const PropertyResult& result) {
  const auto total = [width](std::uint32_t at) { return at % width + at / width; };
  if (!result.counterexample || (layer.broken && total(layer.at) <= total(index))) return;
  layer.broken = result.counterexample;
  layer.at = index;
}

}  // namespace

Scale scale_of(const Scenario& scenario, Fault fault, Duration step, Duration most,
               std::uint32_t most_often) {
  INVARIANT(fault != Fault::none, "only what can strike has a size");
  if (!measured_faults.contains(fault)) return {.fault = fault, .step = {}, .first = 1, .count = most_often};
  Scale scale{.fault = fault, .step = step};
  // A message is late when no other could be as late.
  if (of_messages.contains(fault))
    scale.first = static_cast<std::uint32_t>(scenario.timing.delay_max / step) + 1;
  const auto last = static_cast<std::uint32_t>(most / step);
  scale.count = std::max(scale.first, last) - scale.first + 1;
  return scale;
}

Scenario at_size(const Scenario& calm, const Scale& scale, std::uint32_t position) {
  Scenario scenario = calm;
  if (!scale.counts()) scenario.timing.tick = scale.step;
  if (position == 0) return scenario;
  FaultRule rule{.kind = scale.fault};
  if (scale.counts()) rule.budget = scale.steps_at(position);
  else rule.magnitude = scale.size_at(position);
  scenario.faults.push_back(rule);
  return scenario;
}

Envelope envelope_of(const Job& calm, const Scale& scale, unsigned threads, const Budget& budget) {
  return EnvelopeSearch(calm, scale, threads, budget).find();
}

EnvelopeMap envelope_of(const Job& calm, const Scale& across, const Scale& down, unsigned threads,
                        const Budget& budget, const OnDone& on_done) {
  EnvelopeMap map{.across = across, .down = down};
  std::vector<Job> jobs;
  for (std::uint32_t y = 0; y <= down.count; ++y)
    for (std::uint32_t x = 0; x <= across.count; ++x)
      jobs.push_back({at_size(at_size(calm.scenario, across, x), down, y), calm.card});
  const std::vector<Exploration> found = explore_all(jobs, threads, budget, on_done);
  for (const PropertyResult& each : found.front().properties)
    map.layers.push_back({each.property, {}, {}, 0});
  for (std::uint32_t at = 0; at < found.size(); ++at) {
    map.states += found[at].states;
    for (std::size_t i = 0; i < map.layers.size(); ++i) {
      map.layers[i].verdicts.push_back(found[at].properties[i].verdict);
      note_smallest(map.layers[i], at, map.width(), found[at].properties[i]);
    }
  }
  return map;
}

}  // namespace holdfast
