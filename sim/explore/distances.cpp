// Forwards through all states, then backwards from those that a violating step leaves. An unknown state
// counts as one step away.
#include "sim/explore/distances.hpp"

#include <algorithm>
#include <deque>
#include <vector>

#include "sim/choose/strategies.hpp"

namespace holdfast {
namespace {

using Picks = BranchChoices::Picks;

class Graph {
 public:
  Graph(Subject& subject, Property property, std::uint64_t states_max, const Budget& budget)
      : subject_(subject), property_(property), states_max_(states_max), budget_(budget) {}

  // True when every state was expanded.
  bool explore() {
    nodes_.emplace_back();
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      if (nodes_.size() > states_max_) return false;
      if (node % budget_every == 0 && budget_.is_exhausted && budget_.is_exhausted()) return false;
      if (!expand(node)) return false;
    }
    return true;
  }

  // Breadth first against the direction of time. `index_` names every state but the first.
  std::map<Digest, std::uint32_t> distances() const {
    std::vector<std::uint32_t> steps(nodes_.size(), 0);
    std::deque<std::size_t> reached(violating_.begin(), violating_.end());
    for (const std::size_t node : violating_) steps[node] = 1;
    for (; !reached.empty(); reached.pop_front())
      for (const std::size_t before : nodes_[reached.front()].before) {
        if (steps[before] != 0) continue;
        steps[before] = steps[reached.front()] + 1;
        reached.push_back(before);
      }
    std::map<Digest, std::uint32_t> found;
    for (const auto& [digest, node] : index_)
      if (steps[node] != 0) found.emplace(digest, steps[node]);
    return found;
  }

 private:
  // The budget is asked once in this many expanded states.
  static constexpr std::uint64_t budget_every = 64;

  struct Node {
    Picks picks;  // from the beginning
    std::uint32_t steps = 0;
    std::vector<std::size_t> before;  // states that a step leads from to here
  };

  // False when a run is longer than the scenario allows.
  bool expand(std::size_t node) {
    const Picks prefix = nodes_[node].picks;
    const std::uint32_t steps = nodes_[node].steps;
    BranchChoices branch(prefix);
    bool violates = false;
    do {
      branch.restart();
      Run run(subject_, branch, false);
      for (std::uint32_t step = 0; step <= steps; ++step) run.world.step();
      if (run.judge.violated().contains(property_)) {
        if (!violates) violating_.push_back(node);
        violates = true;
      } else if (!run.world.is_over()) {
        if (steps + 1 >= subject_.scenario.explore.steps_max) return false;
        const auto [place, is_new] = index_.try_emplace(run.digest(), nodes_.size());
        if (is_new) {
          Picks picks = prefix;
          picks.insert(picks.end(), branch.suffix().begin(), branch.suffix().end());
          nodes_.push_back({std::move(picks), steps + 1, {}});
        }
        nodes_[place->second].before.push_back(node);
      }
    } while (branch.advance());
    return true;
  }

  Subject& subject_;
  Property property_;
  std::uint64_t states_max_;
  const Budget& budget_;
  std::vector<Node> nodes_;
  std::map<Digest, std::size_t> index_;
  std::vector<std::size_t> violating_;  // a step from here can violate the property
};

}  // namespace

Distances::Distances(Subject& subject, Property property, std::uint64_t states_max, const Budget& budget) {
  Graph graph(subject, property, states_max, budget);
  complete_ = graph.explore();
  if (complete_) steps_ = graph.distances();
}

std::optional<std::uint32_t> Distances::from(Digest state) const {
  if (!complete_) return 1;
  const auto found = steps_.find(state);
  return found == steps_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace holdfast
