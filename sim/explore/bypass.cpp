// For each client, the states in which it waits are cut out of the graph, and their strongly connected
// components found (Tarjan, "Depth-first search and linear graph algorithms", 1972, with a stack of its own).
// A component is finished after all that can be reached from it, so the longest path grows along.
#include "sim/explore/bypass.hpp"

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

// What may happen along a way.
constexpr unsigned others_are_granted = 1;
constexpr unsigned time_passes = 2;
constexpr unsigned waiter_asks = 4;
constexpr unsigned everything = others_are_granted | time_passes | waiter_asks;

class WaitingPart {
 public:
  // `wanted`: what has to happen along a cycle, and no more. `allowed`: only in these states; null: in all.
  WaitingPart(const StateGraph& graph, std::uint32_t waiter, unsigned wanted = everything,
              const std::vector<bool>* allowed = nullptr)
      : graph_(graph), bit_(std::uint32_t{1} << waiter), wanted_(wanted), allowed_(allowed) {
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

  // The shortest way from `begin` back to it in which all happens that is wanted. REQUIRES: it is starving().
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
        if (step.to != begin || now != wanted_) continue;
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
  bool is_in(std::uint32_t state) const {
    return (graph_.states[state].waiting & bit_) != 0 && (allowed_ == nullptr || (*allowed_)[state]);
  }
  // It waits before the step and after it, and was not granted the lock in between.
  bool stays(const StateGraph::Step& step) const { return is_in(step.to) && (step.granted & bit_) == 0; }
  unsigned what_happens(const StateGraph::Step& step) const {
    return (step.granted != 0 ? others_are_granted : 0) | (step.time_passes ? time_passes : 0) |
           ((step.answered & bit_) != 0 ? waiter_asks : 0);
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
    if (inside == wanted_) starving_ = std::min(starving_, first);
    else if ((inside & others_are_granted) != 0) is_timeless_ = true;
    else if (inside == (time_passes | waiter_asks)) is_stuck_ = true;
  }

  const StateGraph& graph_;
  const std::uint32_t bit_;
  const unsigned wanted_;
  const std::vector<bool>* const allowed_;
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

// The states from which no grant can be reached by any steps.
std::vector<bool> barren_states(const StateGraph& graph) {
  const auto count = static_cast<std::uint32_t>(graph.states.size());
  std::vector<std::uint32_t> begin(count + 1);  // of the steps that lead to each state, by where they begin
  for (const StateGraph::Step& step : graph.steps) ++begin[step.to + 1];
  for (std::uint32_t state = 0; state < count; ++state) begin[state + 1] += begin[state];
  std::vector<std::uint32_t> from(graph.steps.size());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  std::vector<bool> is_barren(count, true);
  std::vector<std::uint32_t> open;
  for (std::uint32_t state = 0; state < count; ++state)
    for (const StateGraph::Step& step : graph.steps_of(state)) {
      from[next[step.to]++] = state;
      if (step.granted == 0 || !is_barren[state]) continue;
      is_barren[state] = false;
      open.push_back(state);
    }
  while (!open.empty()) {
    const std::uint32_t state = open.back();
    open.pop_back();
    for (std::uint32_t i = begin[state]; i < begin[state + 1]; ++i) {
      if (!is_barren[from[i]]) continue;
      is_barren[from[i]] = false;
      open.push_back(from[i]);
    }
  }
  return is_barren;
}

Lasso lasso_of(const StateGraph& graph, const WaitingPart& part, std::uint32_t waiter) {
  const std::uint32_t first = part.starving();
  Lasso lasso{ClientId{waiter}, {}, part.loop_from(first), 0};
  lasso.grants = part.grants_along(first, lasso.loop);
  for (std::uint32_t state = first; state != 0; state = graph.states[state].found_from)
    lasso.stem.push_back(state);
  std::reverse(lasso.stem.begin(), lasso.stem.end());
  return lasso;
}

}  // namespace

std::optional<Lasso> livelock_on(const StateGraph& graph, std::uint32_t clients) {
  std::optional<Lasso> found;
  if (!graph.complete) return found;
  const std::vector<bool> barren = barren_states(graph);
  std::uint32_t first = none;
  for (std::uint32_t client = 0; client < clients; ++client) {
    const WaitingPart part(graph, client, time_passes | waiter_asks, &barren);
    if (part.starving() >= first) continue;
    first = part.starving();
    found = lasso_of(graph, part, client);
  }
  return found;
}

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
    bypass.lasso = lasso_of(graph, part, client);
  }
  return bypass;
}

}  // namespace holdfast
