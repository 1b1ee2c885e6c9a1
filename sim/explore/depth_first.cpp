// Every schedule within the bounds, depth first: the fastest way to close a space, because the states on the
// way back are few and lie in the cache. It decides which properties are violated; breadth_first.cpp then
// finds the shortest violations.
//
// Several threads share the table of states. Each walks its own branch in an arena of its own; who runs out
// of work takes over a branch that another has not begun, by its tape. Every state is expanded by whoever
// finds it first, so the counts do not depend on who that was.
#include <algorithm>

#include "sim/choose/path.hpp"
#include "sim/core/copy_stack.hpp"
#include "sim/explore/counterexample.hpp"
#include "sim/explore/engines.hpp"
#include "sim/explore/parallel.hpp"
#include "sim/explore/shared_search.hpp"
#include "sim/explore/stage.hpp"

namespace holdfast {
namespace {

// One in this many steps is executed a second time, from the start and outside of the arena, and compared.
constexpr std::uint64_t self_check_every = 8192;
// Of one in this many states it is remembered what comes next; whoever comes there again compares.
constexpr std::uint64_t audited_every = 128;
// The budget is asked, and work is shared, once in this many steps.
constexpr std::uint64_t look_around_every = 256;
// One in this many steps that are remembered is taken all the same, and compared.
constexpr std::uint64_t doubted_every = 512;

class DepthFirst {
 public:
  DepthFirst(Subject& subject, SharedSearch& shared)
      : subject_(subject), shared_(shared), stage_(subject, choices_, Engine::snapshots) {}

  Exploration run() {
    while (const std::optional<Branch> branch = shared_.take()) {
      begin(*branch);
      while (!levels_.empty() && !shared_.is_stopped()) {
        levels_.back().was_left = true;
        stage_.step();
        if (choices_.has_diverged()) throw_divergence();
        arrive();
      }
    }
    result_.complete = !shared_.is_stopped() && !cut_;
    return std::move(result_);
  }

 private:
  // A state whose children are being explored.
  struct Level {
    std::uint32_t step_begin;    // the first answer of its step
    std::uint32_t picks_begin;   // the first answer of its step that is not fixed
    std::uint32_t foreseen = 0;  // where in foreseen_ its events begin
    std::uint32_t copy_bytes = 0;
    std::uint16_t events = 0;   // its first options; 0 where they are not known
    std::uint16_t options = 0;  // the same with time passing
    bool was_left = false;      // a step was taken
    bool is_learning = false;   // the event that is being taken; what is known of it is in learnt_
    bool is_audited = false;
    std::uint64_t settled = 0;  // bit i: event i leads nowhere new
    std::uint64_t doubted = 0;  // bit i: event i is known, and taken all the same
    Digest state = {};          // if it is audited …
    Digest future = {};         // … the sum of its children so far
  };
  // What is known of an event before it is taken.
  struct Foreseen {
    ClientId mover;
    Digest step;
    Digest others;              // the sum of what it may leave as it is
    std::uint8_t children = 0;  // if it leads nowhere new: how many
  };
  // What was found out so far about an event that is being taken.
  struct Learnt {
    ClientId mover;
    Effects effects;
    bool is_partial = false;  // the rest is found out elsewhere
  };

  void begin(const Branch& branch) {
    stage_.reset();
    copies_.clear();
    choices_.follow(branch.picks);
    for (std::uint32_t step = 0; step < branch.steps; ++step) stage_.step();
    base_depth_ = branch.steps;
    foreseen_.clear();
    levels_.push_back({.step_begin = choices_.position(), .picks_begin = choices_.size()});
    save();
  }
  void save() {
    const Stage::Bytes used = stage_.used();
    copies_.push(used);
    result_.snapshot_bytes = std::max<std::uint64_t>(result_.snapshot_bytes, used.size());
    levels_.back().copy_bytes = static_cast<std::uint32_t>(used.size());
    choices_.rewind(levels_.back().step_begin);
  }
  // What may come next in the state in which the run stands. The caller lets time pass, for memory to answer.
  World::Outlook look_ahead() {
    Run& run = stage_.run();
    if (!run.world.has_local_steps()) return {};
    const World::Outlook outlook = stage_.outlook();
    if (outlook.events == 0) return outlook;
    const Digest keys = run.world.digest_of_keys();
    for (std::uint32_t event = 0; event < outlook.events; ++event) {
      foreseen_.push_back({run.world.mover(event), run.digest_of_step(event, keys), run.others(event)});
      memo_.prefetch(foreseen_.back().step);
    }
    return outlook;
  }
  // The state in which the run stands is new: its children come next.
  void descend(const Digest& digest, const World::Outlook& outlook) {
    const bool may_wait = outlook.events > 0 && outlook.may_wait;
    const auto foreseen = static_cast<std::uint32_t>(foreseen_.size()) - outlook.events;
    const Level& level =
        levels_.emplace_back(Level{.step_begin = choices_.size(),
                                   .picks_begin = choices_.size(),
                                   .foreseen = foreseen,
                                   .events = static_cast<std::uint16_t>(outlook.events),
                                   .options = static_cast<std::uint16_t>(outlook.events + may_wait),
                                   .is_audited = is_audited(digest),
                                   .state = digest});
    choices_.open(level.options);
    // Whoever takes one step and never comes back needs no copy.
    if (settle() > 1) save();
    else choices_.rewind(level.step_begin);
    if (leads_nowhere_new()) go_back();
  }
  // Marks those events of the last level that lead only to what was seen. How many steps are left to be
  // taken, or more than one where that is not known.
  std::size_t settle() {
    Level& level = levels_.back();
    const std::span<Foreseen> events(foreseen_.begin() + level.foreseen, foreseen_.end());
    children_.clear();
    for (const Foreseen& event : events)
      for (const Effect& effect : memo_.effects_of(event.step)) {
        children_.push_back(state_after(event, effect));
        shared_.seen.prefetch(children_.back());
      }
    const bool may_wait = level.options > level.events;
    std::size_t steps = events.empty() || may_wait ? 2 : 0;
    const Digest* child = children_.data();
    for (std::size_t i = 0; i < events.size(); ++i) {
      const std::size_t count = memo_.effects_of(events[i].step).size();
      const std::uint64_t bit = i < 64 ? std::uint64_t{1} << i : 0;
      if (count == 0) {
        steps += 2;
      } else if (bit != 0 && ++foreseen_steps_ % doubted_every == 0) {
        level.doubted |= bit;
        steps += 2;
      } else if (bit != 0 && are_seen({child, count})) {
        level.settled |= bit;
        events[i].children = static_cast<std::uint8_t>(count);
      } else {
        steps += count;
      }
      child += count;
    }
    return steps;
  }
  static Digest state_after(const Foreseen& event, const Effect& effect) {
    return mix(effect.rest, sum(event.others, effect.part));
  }
  // Whether all children of an event of the last level were seen.
  bool are_seen(std::span<const Digest> children) {
    for (const Digest& child : children)
      if (!shared_.seen.contains(child)) return false;
    Level& level = levels_.back();
    if (level.is_audited)
      for (const Digest& child : children) level.future = sum(level.future, mix(Digest{}, child));
    return true;
  }
  // The event that the last level takes next is known to lead only to what was seen, and counts as taken. If
  // it is not known, it is from now on.
  bool leads_nowhere_new() {
    Level& level = levels_.back();
    const std::uint32_t event = level.options > 1 ? choices_.picks()[level.picks_begin] : 0;
    if (event >= level.events) return false;
    const std::uint64_t bit = event < 64 ? std::uint64_t{1} << event : 0;
    const Foreseen& next = foreseen_[level.foreseen + event];
    if ((level.settled & bit) != 0) {
      result_.transitions += next.children;
      return true;
    }
    if ((level.doubted & bit) == 0 && memo_.is_known(next.step)) {
      children_.clear();
      for (const Effect& effect : memo_.effects_of(next.step)) children_.push_back(state_after(next, effect));
      if (children_.empty() || !are_seen(children_)) return false;
      result_.transitions += children_.size();
      return true;
    }
    level.is_learning = true;
    learnt_.push_back({next.mover, Effects(next.step), false});
    return false;
  }
  // All that the event of the last level leads to was seen.
  void learn() {
    if (!std::exchange(levels_.back().is_learning, false)) return;
    if (!learnt_.back().is_partial && !memo_.learn(learnt_.back().effects)) throw_false_memory();
    learnt_.pop_back();
  }
  // The state in which the run stands leads nowhere new: on to the next child of the last level that has one.
  void go_back() {
    for (;;) {
      Level& level = levels_.back();
      const bool has_next = choices_.advance(level.picks_begin);
      const bool is_next_event = has_next && level.options > 1 && choices_.size() == level.picks_begin + 1;
      if (!has_next || is_next_event) learn();
      if (has_next && !(is_next_event && leads_nowhere_new())) break;
      if (has_next) continue;
      if (level.is_audited && !shared_.agrees(level.state, level.future)) throw_false_hit();
      copies_.pop(level.copy_bytes);
      foreseen_.resize(level.foreseen);
      levels_.pop_back();
      if (levels_.empty()) return;
    }
    const Level& level = levels_.back();
    if (level.was_left) {
      INVARIANT(level.copy_bytes > 0, "whoever comes back has left a copy");
      stage_.restore(copies_.top(level.copy_bytes));
    }
    choices_.rewind(level.step_begin);
  }

  void arrive() {
    Run& run = stage_.run();
    const std::uint32_t depth = this->depth();
    const Digest digest = run.digest();
    shared_.seen.prefetch(digest);
    if (!subject_.known.covers(run.world.told())) shared_.learn(run.world.told());
    Level& level = levels_.back();
    if (level.is_audited) level.future = sum(level.future, mix(Digest{}, digest));
    if (level.is_learning) learnt_.back().effects.add(run.effect_on(learnt_.back().mover));
    ++result_.transitions;
    if (++steps_ % self_check_every == 0) check_against_replay(depth, digest);
    for (; result_.transitions >= next_look_; next_look_ += look_around_every) look_around();
    merge(result_.reach, run.world.sightings());
    note_violations(run.judge.violated());
    const World::Outlook outlook = look_ahead();
    const bool is_new = shared_.seen.insert(digest);
    if (!is_new && is_audited(digest) && shared_.is_known(digest)) audit(digest);
    const bool is_cut = is_new && depth >= subject_.scenario.explore.steps_max && !run.world.is_over();
    cut_ |= is_cut;
    if (is_new && !is_cut && !run.world.is_over()) return descend(digest, outlook);
    foreseen_.resize(foreseen_.size() - outlook.events);
    go_back();
  }
  std::uint32_t depth() const { return base_depth_ + static_cast<std::uint32_t>(levels_.size()); }
  static bool is_audited(const Digest& digest) { return digest.high % audited_every == 0; }

  // The table says that this state was seen before. If it was, the same comes next.
  void audit(const Digest& digest) {
    if (stage_.run().world.is_over()) return;
    const std::uint32_t begin = choices_.size();
    const Stage::Bytes used = stage_.used();
    copies_.push(used);
    Digest future;
    do {
      stage_.restore(copies_.top(used.size()));
      choices_.rewind(begin);
      stage_.step();
      future = sum(future, mix(Digest{}, stage_.run().digest()));
    } while (choices_.advance(begin));
    copies_.pop(used.size());
    if (!shared_.agrees(digest, future)) throw_false_hit();
  }

  void look_around() {
    shared_.look_at_budget();
    if (!shared_.is_hungry()) return;
    const Level* level = levels_.data();
    Branch branch{choices_.split(level->picks_begin), 0};
    if (branch.picks.empty()) return;
    const auto at = static_cast<std::uint32_t>(branch.picks.size()) - 1;
    const auto after =
        std::find_if(levels_.begin(), levels_.end(), [&](const Level& each) { return each.step_begin > at; });
    branch.steps = base_depth_ + static_cast<std::uint32_t>(after - levels_.begin()) - 1;
    // Some of its children are somebody else's now.
    (after - 1)->is_audited = false;
    const auto learning =
        std::count_if(levels_.begin(), after, [](const Level& each) { return each.is_learning; });
    if ((after - 1)->is_learning) learnt_[static_cast<std::size_t>(learning) - 1].is_partial = true;
    shared_.give(std::move(branch));
  }

  void note_violations(PropertySet violated) {
    if (found_set_.contains_all(violated)) return;
    for (std::size_t i = 0; i < property_ids.size(); ++i) {
      const auto property = static_cast<Property>(i);
      if (!violated.contains(property) || found_set_.contains(property)) continue;
      found_set_.insert(property);
      result_.properties.push_back({property, Verdict::violated,
                                    "perhaps not the shortest: the budget ended first",
                                    raw_counterexample(subject_, picks(), depth(), property)});
    }
  }

  BranchChoices::Picks picks() const { return {choices_.picks().begin(), choices_.picks().end()}; }
  void check_against_replay(std::uint32_t depth, Digest digest) {
    const BranchChoices::Picks answers = picks();
    BranchChoices choices(answers);
    Run again(subject_, choices, false);
    for (std::uint32_t step = 0; step < depth; ++step) again.world.step();
    if (again.digest() != digest) throw_divergence();
  }
  [[noreturn]] void throw_divergence() {
    shared_.stop();
    throw Nondeterminism(describe_divergence(subject_, picks(), depth()));
  }
  [[noreturn]] void throw_false_hit() {
    shared_.stop();
    throw Nondeterminism("two states of " + std::string(subject_.card.id) +
                         " that were taken for one have different futures, after " + std::to_string(depth()) +
                         " steps. Does the lock depend on something that it did not name at a loop's head?");
  }

  [[noreturn]] void throw_false_memory() {
    shared_.stop();
    throw Nondeterminism("a step of " + std::string(subject_.card.id) +
                         " that was taken before leads elsewhere now, after " + std::to_string(depth()) +
                         " steps. Does it depend on more than its client and the server?");
  }

  Subject& subject_;
  SharedSearch& shared_;
  PathChoices choices_;
  Stage stage_;
  CopyStack copies_;
  std::vector<Level> levels_;
  std::vector<Foreseen> foreseen_;
  std::vector<Learnt> learnt_;
  std::vector<Digest> children_;
  std::uint64_t foreseen_steps_ = 0;
  StepMemo memo_;
  std::uint32_t base_depth_ = 0;
  std::uint64_t steps_ = 0;  // that were taken
  std::uint64_t next_look_ = look_around_every;
  Exploration result_;
  PropertySet found_set_;
  bool cut_ = false;
};

// `whole` has seen what `part` has seen, too.
void join(Exploration& whole, Exploration part) {
  whole.transitions += part.transitions;
  whole.snapshot_bytes = std::max(whole.snapshot_bytes, part.snapshot_bytes);
  whole.reach.insert(part.reach);
  whole.complete &= part.complete;
  for (PropertyResult& found : part.properties) {
    const bool is_known = std::any_of(whole.properties.begin(), whole.properties.end(),
                                      [&](const auto& each) { return each.property == found.property; });
    if (!is_known) whole.properties.push_back(std::move(found));
  }
}

}  // namespace

Exploration explore_depth_first(const Scenario& scenario, const Card& card, const Budget& budget,
                                unsigned threads, Knowledge& known) {
  for (;;) {
    SharedSearch shared(budget, scenario.explore, threads);
    std::vector<Exploration> parts(threads);
    for_each_index(threads, threads, [&](std::size_t i) {
      Subject subject(scenario, card);
      subject.known = known;
      try {
        parts[i] = DepthFirst(subject, shared).run();
      } catch (...) {
        shared.stop();  // the others must not wait for this thread
        throw;
      }
    });
    if (!known.covers(shared.learnt())) {
      known.insert(shared.learnt());
      continue;
    }
    Exploration whole;
    whole.complete = true;
    for (Exploration& part : parts) join(whole, std::move(part));
    whole.memory_full = shared.memory_full();
    whole.states = shared.seen.size();
    whole.table_bytes = shared.seen.bytes();
    return whole;
  }
}

}  // namespace holdfast
