#include "sim/explore/dense.hpp"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/core/invariant.hpp"
#include "sim/explore/counterexample.hpp"
#include "sim/explore/stage.hpp"

namespace holdfast {
namespace {

struct HashDigest {
  std::size_t operator()(const Digest& digest) const { return digest.low; }
};

constexpr std::string_view undecided = "not decided where time is dense";

// Each bound is as wide at least.
bool lies_in(const Zone& inner, const Zone& outer) {
  for (std::size_t i = 0; i < inner.size(); ++i)
    if (inner[i] > outer[i]) return false;
  return true;
}

// Of states with one digest, zones are kept apart unless one lies in another; or they are joined, and become
// as wide as both need. Then there are far fewer, and what nothing breaks from there no run breaks; but what
// is broken may be so by a run that cannot be.
enum class Zones : std::uint8_t { joined, apart };

class DenseSearch {
 public:
  DenseSearch(Subject& subject, const Budget& budget, Zones zones)
      : subject_(subject),
        budget_(budget),
        zones_(zones),
        choices_(BranchChoices::Picks()),
        stage_(subject, choices_, Engine::snapshots) {}

  // A client was told a value that states do not include yet: begin anew with states that include it.
  bool has_learnt() const { return has_learnt_; }

  Exploration run() {
    stage_.reset();
    nodes_.push_back({});
    waiting_.push_back({0, {}, {}, copy()});
    expand(waiting_.front());
    while (waiting_.pop_front(), !waiting_.empty() && !stopped_) {
      Waiting& next = waiting_.front();
      copies_bytes_ -= next.copy.size();
      Known& known = seen_.find(next.digest)->second;
      known.is_waiting = false;
      if (zones_ == Zones::joined) {
        stage_.restore(next.copy);
        stage_.run().widen(known.zones.front());
        next.copy = copy();
        expand(next);
        // One that lies in another one by now can do nothing that the other cannot.
      } else if (std::find(known.zones.begin(), known.zones.end(), next.zone) != known.zones.end()) {
        expand(next);
      }
    }
    result_.complete = !stopped_;
    result_.needs_ticks = obstacle_;

    for (std::size_t i = 0; i < property_ids.size(); ++i) {
      const auto property = static_cast<Property>(i);
      if (!obstacle_.empty() && subject_.judged().contains(property)) note(property, obstacle_);
      else if (broken_.contains(property))
        note(property, zones_ == Zones::joined || is_approximate_ ? undecided : broken_between_ticks);
    }
    return std::move(result_);
  }

 private:
  // One in this many steps is executed a second time, from the start and outside of the arena, and compared.
  static constexpr std::uint64_t self_check_every = 4096;
  // The budget is asked once in this many steps.
  static constexpr std::uint64_t budget_every = 64;

  using Copy = std::vector<std::byte>;
  // To be expanded.
  struct Waiting {
    std::uint32_t node;
    Digest digest;
    Zone zone;
    Copy copy;
  };
  struct Known {
    std::vector<Zone> zones;  // none of which lies in another one
    bool is_waiting = false;
  };
  struct Node {
    std::uint32_t parent = 0;
    std::uint32_t depth = 0;          // steps
    BranchChoices::Picks picks = {};  // the answers of the step that leads here
  };

  Copy copy() { return {stage_.used().begin(), stage_.used().end()}; }
  void note(Property property, std::string_view why) {
    result_.properties.push_back({property, Verdict::unknown, std::string(why), std::nullopt});
  }

  void expand(const Waiting& from) {
    ++expanded_;
    choices_.follow({});
    do {
      if (is_out_of_budget()) return;
      choices_.restart();
      stage_.restore(from.copy);
      stage_.step();
      arrive(from.node);
    } while (!stopped_ && choices_.advance());
  }

  // The run stands one step beyond `node`.
  void arrive(std::uint32_t node) {
    Run& run = stage_.run();
    if (choices_.has_diverged())
      throw Nondeterminism(describe_divergence(subject_, picks_beyond(node), nodes_[node].depth + 1));
    result_.reach.insert(run.world.reach());
    broken_.insert(run.judge.violated());
    if (broken_.contains_all(subject_.judged())) stopped_ = true;
    const Digest digest = run.digest();
    obstacle_ = run.world.times()->obstacle();
    is_approximate_ |= run.world.times()->is_approximate();
    if (!obstacle_.empty()) stopped_ = true;
    if (!subject_.known.covers(run.world.told())) {
      subject_.known.insert(run.world.told());
      has_learnt_ = stopped_ = true;
    }
    if (stopped_) return;
    Zone zone = run.zone();
    if (++result_.transitions % self_check_every == 0 && zones_ == Zones::apart)
      check_against_replay(node, digest, zone);
    if (run.world.is_over()) return;
    Known& known = seen_[digest];
    if (std::any_of(known.zones.begin(), known.zones.end(),
                    [&](const Zone& each) { return lies_in(zone, each); }))
      return;
    if (zones_ == Zones::joined && !known.zones.empty()) {
      for (std::size_t i = 0; i < zone.size(); ++i)
        known.zones.front()[i] = std::max(known.zones.front()[i], zone[i]);
      if (known.is_waiting) return;
    } else {
      std::erase_if(known.zones, [&](const Zone& each) { return lies_in(each, zone); });
      known.zones.push_back(zone);
    }
    known.is_waiting = true;
    ++result_.states;
    nodes_.push_back({node, nodes_[node].depth + 1, {choices_.suffix().begin(), choices_.suffix().end()}});
    waiting_.push_back({static_cast<std::uint32_t>(nodes_.size() - 1), digest, std::move(zone), copy()});
    copies_bytes_ += waiting_.back().copy.size();
    result_.snapshot_bytes = std::max<std::uint64_t>(result_.snapshot_bytes, copies_bytes_);
  }

  BranchChoices::Picks picks_beyond(std::uint32_t node) const {
    BranchChoices::Picks picks(choices_.suffix().begin(), choices_.suffix().end());
    for (; node != 0; node = nodes_[node].parent)
      picks.insert(picks.begin(), nodes_[node].picks.begin(), nodes_[node].picks.end());
    return picks;
  }

  void check_against_replay(std::uint32_t node, Digest digest, const Zone& zone) {
    const BranchChoices::Picks picks = picks_beyond(node);
    BranchChoices choices(picks);
    ++result_.runs;
    Run again(subject_, choices, false);
    Digest last;
    for (std::uint32_t step = 0; step <= nodes_[node].depth; ++step) {
      again.world.step();
      last = again.digest();  // what nobody remembers is given back, as it was on the way here
    }
    if (last != digest || again.zone() != zone)
      throw Nondeterminism(describe_divergence(subject_, picks, nodes_[node].depth + 1));
  }

  // Of those that closed, hardly any had as many left to expand when it had expanded so many.
  bool is_hopeless() const {
    return (expanded_ == 10'000 && 2 * waiting_.size() > result_.states) ||
           (expanded_ == 30'000 && 3 * waiting_.size() > result_.states) ||
           result_.transitions > 5 * subject_.scenario.explore.states_max;
  }

  bool is_out_of_budget() {
    const Explore& bounds = subject_.scenario.explore;
    if (copies_bytes_ > std::min<std::uint64_t>(bounds.memory_max, Stage::copies_bytes_max))
      stopped_ = result_.memory_full = true;
    if (result_.states >= bounds.states_max) stopped_ = true;
    if (bounds.gives_up && is_hopeless()) stopped_ = result_.gave_up = true;
    if (++asked_ % budget_every != 0) return stopped_;
    if (budget_.progress != nullptr) budget_.progress->transitions += budget_every;
    stopped_ = stopped_ || budget_.is_exhausted();
    return stopped_;
  }

  Subject& subject_;
  const Budget& budget_;
  const Zones zones_;
  BranchChoices choices_;
  Stage stage_;
  Exploration result_;
  std::unordered_map<Digest, Known, HashDigest> seen_;
  std::vector<Node> nodes_;
  std::deque<Waiting> waiting_;
  std::size_t copies_bytes_ = 0;
  std::uint64_t asked_ = 0;
  std::uint64_t expanded_ = 0;
  PropertySet broken_;
  std::string_view obstacle_;
  bool is_approximate_ = false;  // some times are
  bool stopped_ = false;
  bool has_learnt_ = false;
};

Exploration search(Subject& subject, const Budget& budget, Zones zones) {
  for (;;) {
    DenseSearch search(subject, budget, zones);
    Exploration found = search.run();
    if (!search.has_learnt()) return found;
  }
}

}  // namespace

Exploration explore_dense(Subject& subject, const Budget& budget) {
  subject.learns = true;
  subject.is_in_earnest = false;
  subject.joins_replies = subject.scenario.explore.reductions.contains(Reduction::joint_replies) &&
                          subject.scenario.timing.delay_min == Duration::zero();
  Exploration found = search(subject, budget, Zones::joined);
  PropertySet broken;
  for (const PropertyResult& each : found.properties)
    if (each.note == undecided) broken.insert(each.property);
  if (broken.empty()) return found;
  // What joined zones break is asked again of zones that are kept apart.
  const PropertySet asked = std::exchange(subject.properties, broken);
  // There are many times as many.
  Exploration apart = search(subject, budget, Zones::apart);
  subject.properties = asked;
  // If all was broken there was nothing left to look for.
  found.complete = (found.complete || broken == subject.judged()) && apart.complete;
  const auto is_decided = [&](const PropertyResult& each) {
    return apart.complete && std::none_of(apart.properties.begin(), apart.properties.end(),
                                          [&](const auto& one) { return one.property == each.property; });
  };
  std::erase_if(found.properties, is_decided);
  for (PropertyResult& each : found.properties)
    for (PropertyResult& one : apart.properties)
      if (one.property == each.property) each = std::move(one);
  found.complete &= found.properties.empty();
  found.states += apart.states;
  found.transitions += apart.transitions;
  found.runs += apart.runs;
  return found;
}

}  // namespace holdfast
