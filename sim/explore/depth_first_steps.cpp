// The steps of a depth-first search that the world takes, and the checks of what it remembers.
#include <algorithm>
#include <utility>

#include "sim/explore/depth_first.hpp"

namespace holdfast {

// Brings the world to the state of the last level, from the nearest one before it of which there is a copy.
void DepthFirst::stand_here() {
  const std::size_t last = levels_.size() - 1;
  if (here_ == last) return;
  std::size_t from = last;
  while (levels_[from].copy_bytes == 0 && from != here_ && from > 0) --from;
  if (levels_[from].copy_bytes > 0) stage_.restore(copies_.top(levels_[from].copy_bytes));
  const bool is_from_start = levels_[from].copy_bytes == 0 && from != here_;
  if (is_from_start) restart();
  here_ = last;
  if (from == last && !levels_[last].is_copied_early && !is_from_start) return;
  choices_.rewind(levels_[from].step_begin);
  const std::size_t middle = last - from >= long_way ? (from + last) / 2 : last;
  for (; from < last; ++from) {
    if (from == middle) {
      save(levels_[from]);
      levels_[from].is_copied_early = levels_[from].copy_bytes > 0;
    }
    stage_.step();
  }
  const Level& level = levels_.back();
  // Where a branch begins without an arrival, nothing is known of its state.
  if (level.state == Digest{}) return;
  if (choices_.position() != level.step_begin || stage_.run().digest() != level.state) throw_false_memory();
  if (level.options > 0 && stage_.come_to_choice().length > Duration::zero() &&
      stage_.run().digest() != outlines_[last]->digest())
    throw_false_memory();
}

// Back to the first level: from the start, or, where branches begin far down, from the nearest state on the
// way that was kept.
void DepthFirst::restart() {
  std::uint32_t step = 0;
  const auto way = choices_.picks().first(levels_.empty() ? choices_.size() : levels_.front().step_begin);
  if (const WayMarks::Mark* const mark = has_marks_ ? marks_.nearest(way, base_depth_) : nullptr) {
    stage_.restore(mark->copy);
    choices_.rewind(static_cast<std::uint32_t>(mark->picks.size()));
    step = mark->steps;
  } else {
    stage_.reset();
    choices_.rewind(0);
  }
  const std::uint32_t middle = has_marks_ && base_depth_ - step >= long_way ? (step + base_depth_) / 2 : 0;
  while (step < base_depth_) {
    stage_.step();
    if (++step == middle) marks_.put(way.first(choices_.position()), step, stage_.used());
  }
}

// The last level was reached by its outline, which says nothing of what comes next.
void DepthFirst::look_here() {
  stand_here();
  levels_.back().was_looked_at = true;
  Outline& here = *outlines_[levels_.size() - 1];
  if (!look(here)) return;
  foresee(here);
  open();
}

// Lets the world come to a choice, from a state whose digest was asked for last. False when what comes next
// is not all in an outline.
bool DepthFirst::look(Outline& here) {
  Run& run = stage_.run();
  if (run.world.is_over() || !draw(run, here)) return false;
  const PropertySet violated = run.judge.violated();
  const Passage passage = stage_.come_to_choice();
  if (passage.length > Duration::zero()) {
    result_.reach.insert(run.world.reach());
    run.digest();
    std::swap(here, passed_);
    if (run.judge.violated() != violated || !draw(run, here)) return false;
    if (passage.is_plain) learn_passage(passed_, passage.length, here);
  }
  return passage.is_something_due;
}

// Keeps a copy of the state of this level, in which the world stands, if there is room: the less there is,
// the fewer levels have one.
void DepthFirst::save(Level& level) {
  const Stage::Bytes used = stage_.used();
  const std::size_t after = copies_.size() + used.size();
  if (after > copies_max_) return;
  const std::ptrdiff_t gap = after <= copies_max_ / 2 ? 1 : after <= copies_max_ / 4 * 3 ? 16 : 256;
  const auto end = levels_.begin() + (&level - levels_.data());
  const auto begin = end - std::min(gap - 1, end - levels_.begin());
  if (std::any_of(begin, end, [](const Level& each) { return each.copy_bytes > 0; })) return;
  copies_.push(used);
  result_.snapshot_bytes = std::max<std::uint64_t>(result_.snapshot_bytes, used.size());
  level.copy_bytes = static_cast<std::uint32_t>(used.size());
}

// Takes the step that comes next.
void DepthFirst::take_step() {
  stand_here();
  Level& level = levels_.back();
  if (level.copy_bytes == 0 && level.steps > 1) save(level);
  Run& run = stage_.run();
  if (level.is_learning) note_numbers(run.world, learnt_.back().mover);
  const Instant before = run.world.now();
  choices_.rewind(level.step_begin);
  here_ = nowhere;
  stage_.step();
  if (choices_.has_diverged()) throw_divergence();
  arrive(before);
}

void DepthFirst::note_numbers(const World& world, ClientId mover) {
  numbers_.clear();
  digests_.clear();
  for (const Scheduled& each : world.scheduled()) {
    if (each.client != mover) continue;
    numbers_.push_back(each.number);
    digests_.push_back(each.digest);
  }
  std::sort(digests_.begin(), digests_.end());
  has_twins_ = std::adjacent_find(digests_.begin(), digests_.end()) != digests_.end();
}

void DepthFirst::arrive(Instant before) {
  Run& run = stage_.run();
  if (run.world.was_needless()) return leave();
  const std::uint32_t depth = this->depth();
  const Digest digest = run.digest();
  const unsigned owner = exchange_ == nullptr ? 0 : exchange_->owner_of(kind_of(run.world), depth);
  const bool is_mine = exchange_ == nullptr || owner == exchange_->rank();
  if (is_mine) seen_->prefetch(digest);
  if (!subject_.known.covers(run.world.told())) shared_.learn(run.world.told());
  Level& level = levels_.back();
  if (level.is_audited) level.future = sum(level.future, mix(Digest{}, digest));
  if (level.is_learning) note_effect();
  else if (level.options > 0 && run.world.only_time_passed() && draw(run, passed_))
    learn_passage(*outlines_[levels_.size() - 1], run.world.now() - before, passed_);
  count_transition();
  if (++steps_ % self_check_every == 0) check_against_replay(depth, digest);
  result_.reach.insert(run.world.reach());
  note_violations(run.judge.violated());
  const std::size_t foreseen = foreseen_.size();
  Outline& here = outline(levels_.size());
  const bool is_seen_through = look(here);
  if (!is_mine) {
    send_away(
        owner,
        {digest, depth, choices_.picks(), {}, is_seen_through ? &here : nullptr, true, run.world.is_over()});
    return leave();
  }
  if (is_seen_through) foresee(here);
  const bool is_new = seen_->insert(digest);
  if (!is_new && is_audited(digest) && shared_.is_known(digest)) audit(digest);
  if (is_new && run.world.is_over()) result_.ends = sum(result_.ends, digest);
  if (is_new && !run.world.is_over()) {
    here_ = levels_.size();
    return descend(digest, foreseen, true);
  }
  foreseen_.resize(foreseen);
  leave();
}

// What one combination of answers to what the event asks has led to.
void DepthFirst::note_effect() {
  const Level& level = levels_.back();
  Learnt& learnt = learnt_.back();
  const std::size_t child = learnt.effects.all().size();
  const std::optional<Effect> effect = stage_.run().effect_on(learnt.mover);
  learnt.effects.add(effect);
  if (!learnt.effects.are_local()) return;
  std::optional<Sequel> sequel;
  // Steps of twins look the same, and which of the two is left is not.
  if (!has_twins_)
    sequel = sequel_of(stage_.run(), learnt.mover, numbers_,
                       choices_.picks().subspan(level.picks_begin + (level.options > 1)));
  learnt.have_sequels &= sequel.has_value();
  if (sequel) learnt.sequels[child] = *sequel;
}

// All that the event of the last level leads to was seen.
void DepthFirst::learn() {
  if (!std::exchange(levels_.back().is_learning, false)) return;
  Learnt& learnt = learnt_.back();
  const bool have_sequels = learnt.have_sequels && learnt.effects.are_local();
  const std::span<const Sequel> sequels(learnt.sequels.data(),
                                        have_sequels ? learnt.effects.all().size() : 0);
  if (!learnt.is_partial && !memo_.learn(learnt.effects, sequels)) throw_false_memory();
  learnt_.pop_back();
}

void DepthFirst::learn_passage(const Outline& before, Duration length, const Outline& after) {
  if (!passages_.learn(before, static_cast<std::uint32_t>(length.count()), after)) throw_false_memory();
}

// --- checks ---

// The table says that this state was seen before. If it was, the same comes next.
void DepthFirst::audit(const Digest& digest) {
  if (stage_.run().world.is_over()) return;
  const std::uint32_t begin = choices_.size();
  const Stage::Bytes used = stage_.used();
  copies_.push(used);
  Digest future;
  do {
    stage_.restore(copies_.top(used.size()));
    choices_.rewind(begin);
    stage_.step();
    const World& world = stage_.run().world;
    if (!world.was_needless()) future = sum(future, mix(Digest{}, stage_.run().digest()));
    if (!subject_.known.covers(world.told())) shared_.learn(world.told());
  } while (choices_.advance(begin));
  copies_.pop(used.size());
  // What states must say they did not say yet.
  if (!shared_.is_stopped() && !shared_.agrees(digest, future)) throw_false_hit();
}

void DepthFirst::check_against_replay(std::uint32_t depth, Digest digest) {
  const BranchChoices::Picks answers = picks();
  BranchChoices choices(answers);
  Run again(subject_, choices, false);
  for (std::uint32_t step = 0; step < depth; ++step) again.world.step();
  if (again.digest() != digest) throw_divergence();
}

void DepthFirst::note_violations(PropertySet violated) {
  if (found_set_.contains_all(violated)) return;
  for (std::size_t i = 0; i < property_ids.size(); ++i) {
    const auto property = static_cast<Property>(i);
    if (!violated.contains(property) || found_set_.contains(property)) continue;
    found_set_.insert(property);
    shared_.note(property, {picks(), depth()});
  }
}

void DepthFirst::throw_divergence() {
  shared_.stop();
  throw Nondeterminism(describe_divergence(subject_, picks(), depth()));
}

void DepthFirst::throw_false_hit() {
  shared_.stop();
  throw Nondeterminism("two states of " + std::string(subject_.card.id) +
                       " with one digest have different futures, after " + std::to_string(depth()) +
                       (subject_.card.is_stateless
                            ? " steps. Its card says is_stateless: does its object keep anything?"
                            : " steps. Does the lock depend on a value that loop_head() does not name, or "
                              "keep one that it does not tell?"));
}

void DepthFirst::throw_false_memory() {
  shared_.stop();
  throw Nondeterminism("a step of " + std::string(subject_.card.id) +
                       " is not deterministic: when it was taken again, it led to another state, after " +
                       std::to_string(depth()) +
                       " steps. Does it depend on a static variable, or on anything else beside its client "
                       "and the server?");
}

}  // namespace holdfast
