// How much of a fault a lock survives: values only, made by sim/explore, reported by reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/check/result.hpp"
#include "sim/core/units.hpp"

namespace holdfast {

// The sizes of a fault that are tried, from small to large: a larger one allows every schedule of a smaller
// one. Position 0 is its absence.
struct Scale {
  Fault fault = Fault::none;
  Duration step{};          // sizes are multiples of it; zero: they say how often the fault may strike
  std::uint32_t first = 1;  // what position 1 is, in steps
  std::uint32_t count = 1;  // of positions beside 0

  bool counts() const { return step == Duration::zero(); }
  std::uint32_t steps_at(std::uint32_t position) const { return position == 0 ? 0 : first + position - 1; }
  Duration size_at(std::uint32_t position) const { return steps_at(position) * step; }
};

// "2.5s", "3 times", "none".
inline std::string size_in_words(const Scale& scale, std::uint32_t position) {
  if (position == 0) return "none";
  if (!scale.counts()) return to_text(scale.size_at(position));
  const std::uint32_t times = scale.steps_at(position);
  return times == 1 ? "once" : std::to_string(times) + " times";
}

// Between which sizes one property breaks; all are positions on the scale.
struct Edge {
  Property property{};
  std::optional<std::uint32_t> holds_up_to;  // from none to here; empty: violated without the fault
  std::optional<std::uint32_t> breaks_from;  // the next one; empty: never
  // The longest in whole milliseconds under which it holds at every instant; empty: that is not proved of
  // holds_up_to, or there is no edge.
  std::optional<Duration> holds_at_instants;
  bool is_open = false;                  // the search ended early: what lies beyond holds_up_to is not known
  bool can_strike = false;               // the fault struck, at some size
  std::optional<Counterexample> broken;  // the shortest run at breaks_from
  std::optional<Counterexample> whole;   // the same moves at holds_up_to: nothing is violated
};

struct Envelope {
  Scale scale;
  std::vector<Edge> edges;     // in the order of the vocabulary
  std::uint32_t explored = 0;  // sizes
  std::uint64_t states = 0;
};

// Two faults at once, each pair of sizes explored.
struct EnvelopeMap {
  struct Layer {
    Property property{};
    std::vector<Verdict> verdicts;  // of down's position 0 and each of across, then of down's position 1, …
    std::optional<Counterexample> broken;  // the smallest sizes that break it: see `at`
    std::uint32_t at = 0;                  // index into verdicts
  };
  Scale across;
  Scale down;
  std::vector<Layer> layers;
  std::uint64_t states = 0;
  std::uint32_t width() const { return across.count + 1; }
};

}  // namespace holdfast
