// For each client, the states in which it waits are cut out of the graph, and their strongly connected
// components found (Tarjan, "Depth-first search and linear graph algorithms", 1972, with a stack of its own).
// A component is finished after all that can be reached from it, so the longest path grows along.
#include "sim/explore/bypass.hpp"

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

class WaitingPart {
 public:
  WaitingPart(const StateGraph& graph, std::uint32_t waiter)
      : graph_(graph), bit_(std::uint32_t{1} << waiter) {
    order_.assign(graph.states.size(), none);
    low_.resize(graph.states.size());
    component_.assign(graph.states.size(), none);
    for (std::uint32_t state = 0; state < graph.states.size(); ++state)
      if (is_in(state) && order_[state] == none) search(state);
  }

  std::uint32_t most() const { return most_.empty() ? 0 : *std::max_element(most_.begin(), most_.end()); }
  bool is_timeless() const { return is_timeless_; }
  bool is_stuck() const { return is_stuck_; }
  // The state of the smallest depth on a cycle that starves the waiter; `none` if there is none.
  std::uint32_t starving() const { return starving_; }

  // The shortest way from `begin` back to it in which time passes, the waiter asks and others are granted.
  // REQUIRES: it is starving().
  std::vector<std::uint32_t> loop_from(std::uint32_t begin) const {
    struct Place {
      std::uint32_t state;
      std::uint32_t before;  // index of a place
    };
    // Breadth first over states and what has happened on the way: a place for each pair.
    std::vector<std::vector<bool>> seen(8, std::vector<bool>(graph_.states.size()));
    std::vector<Place> places{{begin, none}};
    std::vector<unsigned> happened{0};
    seen[0][begin] = true;
    for (std::uint32_t at = 0;; ++at) {
      for (const StateGraph::Step& step : graph_.steps_of(places[at].state)) {
        if (!stays(step) || component_[step.to] != component_[begin]) continue;
        const unsigned now = happened[at] | what_happens(step);
        if (seen[now][step.to]) continue;
        seen[now][step.to] = true;
        places.push_back({step.to, at});
        happened.push_back(now);
        if (step.to != begin || now != everything) continue;
        std::vector<std::uint32_t> loop;
        for (auto back = static_cast<std::uint32_t>(places.size()) - 1; back != 0; back = places[back].before)
          loop.push_back(places[back].state);
        std::reverse(loop.begin(), loop.end());
        return loop;
      }
    }
  }
  // Grants to others from `begin` along `loop`: the most, where several steps lead on.
  std::uint32_t grants_along(std::uint32_t begin, const std::vector<std::uint32_t>& loop) const {
    std::uint32_t grants = 0;
    for (const std::uint32_t state : loop) {
      bool is_granted = false;
      for (const StateGraph::Step& step : graph_.steps_of(begin))
        is_granted |= step.to == state && stays(step) && step.granted != 0;
      grants += is_granted ? 1 : 0;
      begin = state;
    }
    return grants;
  }

 private:
  static constexpr unsigned everything = 7;
  bool is_in(std::uint32_t state) const { return (graph_.states[state].waiting & bit_) != 0; }
  // It waits before the step and after it, and was not granted the lock in between.
  bool stays(const StateGraph::Step& step) const { return is_in(step.to) && (step.granted & bit_) == 0; }
  unsigned what_happens(const StateGraph::Step& step) const {
    return (step.granted != 0 ? 1u : 0u) | (step.time_passes ? 2u : 0u) |
           ((step.answered & bit_) != 0 ? 4u : 0u);
  }

  struct Frame {
    std::uint32_t state;
    std::uint32_t next = 0;  // of its steps
  };
  void enter(std::uint32_t state) {
    order_[state] = low_[state] = entered_++;
    open_.push_back(state);
    frames_.push_back({state});
  }
  void search(std::uint32_t root) {
    enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const std::uint32_t state = frame.state;
      const auto steps = graph_.steps_of(state);
      if (frame.next < steps.size()) {
        const StateGraph::Step& step = steps[frame.next++];
        if (!stays(step)) continue;
        if (order_[step.to] == none) enter(step.to);
        else if (component_[step.to] == none) low_[state] = std::min(low_[state], order_[step.to]);
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) low_[frames_.back().state] = std::min(low_[frames_.back().state], low_[state]);
      if (low_[state] == order_[state]) finish(state);
    }
  }
  // Everything entered since `root` that is still open is one component.
  void finish(std::uint32_t root) {
    const auto number = static_cast<std::uint32_t>(most_.size());
    const auto begin = std::find(open_.rbegin(), open_.rend(), root).base() - 1;
    for (auto each = begin; each != open_.end(); ++each) component_[*each] = number;
    unsigned inside = 0;
    std::uint32_t most = 0;
    std::uint32_t first = none;
    for (auto each = begin; each != open_.end(); ++each) {
      first = std::min(first, *each);  // states are numbered in the order of their depths
      for (const StateGraph::Step& step : graph_.steps_of(*each)) {
        if (!stays(step)) continue;
        if (component_[step.to] == number) inside |= what_happens(step);
        else most = std::max(most, most_[component_[step.to]] + (step.granted != 0 ? 1 : 0));
      }
    }
    open_.erase(begin, open_.end());
    most_.push_back(most);
    if (inside == everything) starving_ = std::min(starving_, first);
    else if ((inside & 1u) != 0) is_timeless_ = true;
    else if (inside == (everything & ~1u)) is_stuck_ = true;
  }

  const StateGraph& graph_;
  const std::uint32_t bit_;
  std::vector<std::uint32_t> order_;      // in which states were entered
  std::vector<std::uint32_t> low_;        // the earliest open state that can be reached
  std::vector<std::uint32_t> component_;  // of each state; none: not finished
  std::vector<std::uint32_t> most_;       // by component: grants to others on a longest path from it
  std::vector<std::uint32_t> open_;
  std::vector<Frame> frames_;
  std::uint32_t entered_ = 0;
  std::uint32_t starving_ = none;
  bool is_timeless_ = false;
  bool is_stuck_ = false;
};

}  // namespace

Bypass bypass_on(const StateGraph& graph, std::uint32_t clients) {
  Bypass bypass;
  std::uint32_t first = none;
  for (std::uint32_t client = 0; client < clients; ++client) {
    const WaitingPart part(graph, client);
    bypass.most = std::max(bypass.most, part.most());
    bypass.is_timeless |= part.is_timeless();
    bypass.is_stuck |= part.is_stuck();
    if (part.starving() >= first) continue;
    first = part.starving();
    Lasso lasso{ClientId{client}, {}, part.loop_from(first), 0};
    lasso.grants = part.grants_along(first, lasso.loop);
    for (std::uint32_t state = first; state != 0; state = graph.states[state].found_from)
      lasso.stem.push_back(state);
    std::reverse(lasso.stem.begin(), lasso.stem.end());
    bypass.lasso = std::move(lasso);
  }
  return bypass;
}

}  // namespace holdfast
