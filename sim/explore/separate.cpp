// Over pairs: a state of the first lock, and the state of the second after the same tape. The first branches,
// the second follows. Nearest first: the steps so far and those that the first lock needs at least to get to
// a violation (A*, Hart, Nilsson and Raphael 1968; the estimate is exact for one lock alone, so consistent).
// Among equals the latest comes first: each leads to a violation in as many steps.
#include "sim/explore/separate.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "sim/core/invariant.hpp"
#include "sim/explore/distances.hpp"
#include "sim/explore/follower.hpp"
#include "sim/explore/parallel.hpp"
#include "sim/explore/run.hpp"
#include "sim/explore/state_table.hpp"

namespace holdfast {
namespace {

// What is due before time passes takes fewer steps than this, or the lock goes round at one instant.
constexpr std::uint32_t due_max = 1'000;

class Separator {
 public:
  Separator(const Job& first, const Job& second, Property property, std::uint64_t pairs_max,
            const Budget& budget)
      : first_scenario_(judging(first.scenario, property)),
        second_scenario_(judging(second.scenario, property)),
        first_(first_scenario_, *first.card),
        second_(second_scenario_, *second.card),
        property_(property),
        pairs_max_(pairs_max),
        budget_(budget) {}

  // `shortest`: of the first lock alone. No tape can be shorter; mostly, it is the one.
  void search(const Counterexample& shortest, Separation& result) {
    go_along(shortest);
    if (!pair_) search_all();
    result.pairs = std::max<std::uint64_t>(seen_.size(), 1);
    result.answer = pair_      ? Separation::Answer::found
                    : stopped_ ? Separation::Answer::unknown
                               : Separation::Answer::none;
    result.pair = std::move(pair_);
  }

  std::optional<SeparatePair> along(const Counterexample& shortest) {
    go_along(shortest);
    return std::move(pair_);
  }

 private:
  // The budget is asked once in this many expanded pairs.
  static constexpr std::uint64_t budget_every = 32;

  using Picks = BranchChoices::Picks;
  // The first lock after some steps, and the second after it followed.
  struct Node {
    std::size_t parent = 0;
    std::uint32_t steps = 0;
    Picks picks{};  // of the first lock's last step
    Digest both{};
    Owed owed{};  // to the second
    std::uint32_t second_steps = 0;
    Picks second_picks{};  // all of them
    Digest second_state{};
    bool left_out = false;  // the second could not make the last move
  };
  // What the second lock could do next.
  struct Outlook {
    std::vector<Move> moves;  // none when its clients have finished
    bool is_later = false;    // nothing is due now
  };

  static Scenario judging(Scenario scenario, Property property) {
    // Two worlds side by side: clients that change places in one would have to do so in the other.
    scenario.explore.reductions.erase(Reduction::symmetry);
    scenario.check = PropertySet{property};
    return scenario;
  }

  Picks picks_to(std::size_t node) const {
    std::vector<const Picks*> parts;
    for (; node != 0; node = nodes_[node].parent) parts.push_back(&nodes_[node].picks);
    Picks picks;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part)
      picks.insert(picks.end(), (*part)->begin(), (*part)->end());
    return picks;
  }

  void go_along(const Counterexample& shortest) {
    Picks picks;
    for (const Choice& choice : shortest.tape) picks.push_back(static_cast<std::uint8_t>(choice.picked));
    BranchChoices branch(picks);
    Leader leader(branch);
    Run run(first_, leader, false);
    nodes_.assign(1, Node());
    std::size_t used = 0;
    for (std::uint32_t step = 0; step < shortest.steps; ++step) {
      leader.begin_step();
      run.world.step();
      const auto begin = picks.begin() + static_cast<std::ptrdiff_t>(used);
      used = leader.asked();
      Node next = beyond(step, leader, Picks(begin, picks.begin() + static_cast<std::ptrdiff_t>(used)));
      if (!follow(next, leader.move())) return;
      nodes_.push_back(std::move(next));
    }
    INVARIANT(run.judge.violated().contains(property_), "a counterexample violates its property again");
    if (goes_on_without_violation(nodes_.back())) keep(nodes_.back());
  }

  void search_all() {
    distances_.emplace(first_, property_, pairs_max_, budget_);
    nodes_.clear();
    wait({}, 1);
    for (std::size_t total = 0; total < waiting_.size(); ++total)
      while (!waiting_[total].empty() && !pair_ && !stopped_) {
        const std::size_t node = waiting_[total].back();
        waiting_[total].pop_back();
        expand(node);
      }
  }

  // `distance`: how many steps the first lock needs at least from here to a violation.
  void wait(Node node, std::uint32_t distance) {
    const std::size_t total = node.steps + distance;
    if (waiting_.size() <= total) waiting_.resize(total + 1);
    waiting_[total].push_back(nodes_.size());
    nodes_.push_back(std::move(node));
  }

  void expand(std::size_t node) {
    if (!seen_.insert(nodes_[node].both)) return;
    const std::uint32_t steps = nodes_[node].steps;
    const bool out_of_budget =
        seen_.size() % budget_every == 0 && budget_.is_exhausted && budget_.is_exhausted();
    if (out_of_budget || seen_.size() >= pairs_max_ || steps >= first_scenario_.explore.steps_max) {
      stopped_ = true;
      return;
    }
    const Picks prefix = picks_to(node);
    BranchChoices branch(prefix);
    do {
      branch.restart();
      Leader leader(branch);
      Run run(first_, leader, false);
      for (std::uint32_t step = 0; step <= steps; ++step) {
        leader.begin_step();
        run.world.step();
      }
      arrive(node, run, leader, Picks(branch.suffix().begin(), branch.suffix().end()));
    } while (!pair_ && branch.advance());
    // The calm ones are looked at first.
    for (; !children_.empty(); children_.pop_back())
      wait(std::move(children_.back().first), children_.back().second);
  }

  // The first lock has made a step; the second has not followed yet.
  Node beyond(std::size_t node, const Leader& leader, Picks picks) const {
    Node next = nodes_[node];
    next.parent = node;
    ++next.steps;
    next.picks = std::move(picks);
    next.left_out = false;
    next.owed.answers.insert(next.owed.answers.end(), leader.answers().begin(), leader.answers().end());
    return next;
  }

  // The first lock stands one step beyond `node`; the second follows.
  void arrive(std::size_t node, Run& run, const Leader& leader, Picks picks) {
    const bool is_broken = run.judge.violated().contains(property_);
    const Digest first_state = run.digest();
    const std::optional<std::uint32_t> distance = is_broken ? 0 : distances_->from(first_state);
    if (!distance || (!is_broken && run.world.is_over())) return;
    Node next = beyond(node, leader, std::move(picks));
    if (!follow(next, leader.move())) return;
    if (is_broken) {
      if (goes_on_without_violation(next)) keep(next);
      return;
    }
    next.both = mix(first_state, next.second_state);
    const auto note = [&](std::uint64_t what, Actor actor) {
      next.both = mix(next.both, what);
      next.both = mix(next.both, static_cast<std::uint64_t>(actor.kind) << 32 | actor.index);
    };
    for (const UncalmAnswer& it : next.owed.answers)
      note(static_cast<std::uint64_t>(it.site) << 32 | it.picked, it.actor);
    for (const Move& it : next.owed.strikes)
      note(std::uint64_t{1} << 63 | static_cast<std::uint64_t>(it.fault) << 32 | it.variant, it.actor);
    children_.emplace_back(std::move(next), *distance);
  }

  // Makes the move with the second lock. False when that violates the property.
  bool follow(Node& node, const std::optional<Move>& move) {
    if (node.steps == 1) return make_step(node, std::nullopt);
    if (move && move->is_strike()) node.owed.strikes.push_back(*move);
    for (std::uint32_t due = 0; move; ++due) {
      INVARIANT(due < due_max, "a lock lets time pass");
      const Outlook& next = outlook(node);
      const auto is_possible = [&](const Move& it) {
        return std::find(next.moves.begin(), next.moves.end(), it) != next.moves.end();
      };
      if (std::any_of(node.owed.strikes.begin(), node.owed.strikes.end(), is_possible)) {
        if (!make_step(node, std::nullopt)) return false;
        continue;
      }
      if (move->is_strike()) return true;
      if (is_possible(*move)) return make_step(node, move);
      if (next.moves.empty() || !move->is_time() || next.is_later) break;
      if (!make_step(node, std::nullopt)) return false;
    }
    node.left_out = move.has_value();
    return true;
  }

  bool make_step(Node& node, const std::optional<Move>& move) {
    Follower follower(node.second_picks, node.owed);
    Run run(second_, follower, false);
    for (std::uint32_t step = 0; step < node.second_steps; ++step) run.world.step();
    follower.prefer(move);
    run.world.step();
    if (run.judge.violated().contains(property_)) return false;
    node.owed = follower.owed();
    node.second_picks = follower.picks();
    ++node.second_steps;
    node.second_state = run.digest();
    return true;
  }

  const Outlook& outlook(const Node& node) {
    const auto [place, is_new] = outlooks_.try_emplace(node.second_state);
    if (!is_new) return place->second;
    Follower follower(node.second_picks, {});
    Run run(second_, follower, false);
    for (std::uint32_t step = 0; step < node.second_steps; ++step) run.world.step();
    const Instant before = run.world.now();
    follower.begin_step();
    run.world.step();
    place->second = Outlook{follower.moves(), run.world.now() > before};
    return place->second;
  }

  // Whether the second lock comes to its end, calmly, and every fault of the tape has struck it.
  bool goes_on_without_violation(const Node& node) {
    Follower follower(node.second_picks, node.owed);
    Run run(second_, follower, false);
    std::uint32_t steps = 0;
    while (run.world.step()) {
      if (run.judge.violated().contains(property_)) return false;
      if (++steps >= second_scenario_.explore.steps_max) return false;
    }
    return follower.owed().strikes.empty();
  }

  static Counterexample recorded(Subject& subject, Choices& choices, std::uint32_t steps_max) {
    Recorder recorder(choices);
    Run run(subject, recorder, true);
    Counterexample example;
    example.store = subject.card.store;
    while (example.steps < steps_max && run.world.step()) ++example.steps;
    example.tape = recorder.tape();
    example.events = run.trace.events();
    example.findings = run.judge.findings();
    example.fingerprint = fingerprint(example.events);
    example.steps_original = example.steps;
    return example;
  }

  void keep(const Node& node) {
    SeparatePair pair;
    Picks picks = picks_to(node.parent);
    picks.insert(picks.end(), node.picks.begin(), node.picks.end());
    BranchChoices branch(picks);
    pair.broken = recorded(first_, branch, node.steps);
    Follower follower(node.second_picks, node.owed);
    pair.whole = recorded(second_, follower, second_scenario_.explore.steps_max);
    for (const Node* each = &node; each->steps > 0; each = &nodes_[each->parent]) {
      pair.made.push_back(each->second_steps);
      pair.left_out += each->left_out;
    }
    std::reverse(pair.made.begin(), pair.made.end());
    pair_ = std::move(pair);
  }

  const Scenario first_scenario_;
  const Scenario second_scenario_;
  Subject first_;
  Subject second_;
  Property property_;
  std::uint64_t pairs_max_;
  const Budget& budget_;
  std::optional<Distances> distances_;
  std::deque<Node> nodes_;
  std::vector<std::vector<std::size_t>> waiting_;         // nodes by the length of the tape that they promise
  std::vector<std::pair<Node, std::uint32_t>> children_;  // of the node being expanded, with their distances
  DigestSet seen_;                                        // pairs that were expanded
  std::map<Digest, Outlook> outlooks_;                    // by the second lock's state
  std::optional<SeparatePair> pair_;
  bool stopped_ = false;
};

}  // namespace

std::vector<Separation> separations(const Job& first, const Job& second, std::uint64_t pairs_max,
                                    unsigned threads, const Budget& budget) {
  const std::vector<Exploration> explored = explore_all({first, second}, threads, budget, nullptr);
  const std::vector<FaultRule>& faults = first.scenario.faults;
  std::vector<Separation> found;
  for (std::size_t i = 0; i < explored[0].properties.size(); ++i)
    for (const bool turned : {false, true}) {
      const PropertyResult& verdict = explored[turned ? 1 : 0].properties[i];
      found.push_back({.breaks = std::string((turned ? second : first).card->id),
                       .holds = std::string((turned ? first : second).card->id),
                       .fault = faults.empty() ? Fault::none : faults.front().kind,
                       .property = verdict.property,
                       .answer = verdict.verdict == Verdict::unknown ? Separation::Answer::unknown
                                                                     : Separation::Answer::none,
                       .first = verdict.verdict});
    }
  for_each_index(found.size(), threads, [&](std::size_t i) {
    if (found[i].first != Verdict::violated) return;
    const Job& breaks = i % 2 == 0 ? first : second;
    const Job& holds = i % 2 == 0 ? second : first;
    const Counterexample& shortest = *explored[i % 2].properties[i / 2].counterexample;
    Separator(breaks, holds, found[i].property, pairs_max, budget).search(shortest, found[i]);
  });
  return found;
}

std::optional<SeparatePair> same_moves(const Job& first, const Job& second, const Counterexample& run) {
  const Budget no_limit;
  return Separator(first, second, run.findings.front().property, 1, no_limit).along(run);
}

}  // namespace holdfast
