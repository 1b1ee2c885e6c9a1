#include "sim/explore/depth_first.hpp"

#include <algorithm>

#include "sim/core/beyond_model.hpp"
#include "sim/core/interruption.hpp"
#include "sim/explore/parallel.hpp"

namespace holdfast {

void DepthFirst::run() {
  while (std::optional<Branch> branch = shared_.take()) {
    seen_.emplace(shared_.seen);
    for (; branch; branch = shared_.take_at_once()) {
      begin(*branch);
      while (!levels_.empty() && !shared_.is_stopped() && !shared_.is_pausing()) {
        seen_->rest();
        go_on();
      }
      if (shared_.is_saved() && !shared_.has_reached_bound()) give_up();
    }
    seen_.reset();
    result_.complete = true;
    next_look_ -= std::min(next_look_, result_.transitions);
    shared_.add(std::exchange(result_, Exploration()));
  }
}

// --- levels ---

void DepthFirst::begin(const Branch& branch) {
  copies_.clear();
  foreseen_.clear();
  choices_.follow(branch.picks);
  base_depth_ = branch.steps;
  if (!branch.arrival.empty()) return enter(branch.arrival);
  restart();
  levels_.push_back(
      {.step_begin = choices_.position(), .picks_begin = choices_.size(), .was_looked_at = true});
  here_ = 0;
}

// Takes the step of the last level that comes next; in the world only where what it leads to is not known.
void DepthFirst::go_on() {
  Level& level = levels_.back();
  if (level.is_forked) return take_fork();
  if (level.options == 0 && !level.was_looked_at) return look_here();
  if (level.options == 0 || level.is_learning) return take_step();
  const std::uint32_t option = option_of(level);
  if (option == level.events) return let_time_pass();
  const std::uint64_t bit = option < 64 ? std::uint64_t{1} << option : 0;
  const Foreseen next = foreseen_[level.foreseen + option];
  if (level.is_settled(option)) {
    result_.transitions += next.children;
    return leave();
  }
  if ((level.doubted & bit) == 0 && take_known(next)) return;
  level.is_learning = true;
  const auto number = static_cast<std::uint32_t>(levels_.size()) - 1;
  learnt_.push_back({number, ClientId{outlines_[number]->events[next.event].client}, Effects(next.step)});
  take_step();
}

// On to the next child of the last level, or of one before.
void DepthFirst::leave() {
  for (;;) {
    Level& level = levels_.back();
    if (level.is_forked) return choices_.cut(level.picks_begin + (level.options > 1 ? 1 : 0));
    const bool has_next = choices_.advance(level.picks_begin);
    const bool is_next_event = has_next && level.options > 1 && choices_.size() == level.picks_begin + 1;
    if (!has_next || is_next_event) learn();
    if (has_next) return;
    if (level.is_audited && !shared_.is_stopped() && !shared_.agrees(level.state, level.future))
      throw_false_hit();
    copies_.pop(level.copy_bytes);
    foreseen_.resize(level.foreseen);
    levels_.pop_back();
    shallowest_ = std::min(shallowest_, levels_.size());
    if (here_ == levels_.size()) here_ = nowhere;
    if (levels_.empty()) return;
  }
}

// The state is new. What may come next was foreseen from `foreseen` on.
void DepthFirst::descend(const Digest& digest, std::size_t foreseen, bool was_looked_at) {
  const std::size_t events = foreseen_.size() - foreseen;
  levels_.push_back({.step_begin = choices_.size(),
                     .picks_begin = choices_.size(),
                     .foreseen = static_cast<std::uint32_t>(foreseen),
                     .was_looked_at = was_looked_at,
                     .is_audited = is_audited(digest),
                     .state = digest});
  if (events > 0) open();
}

void DepthFirst::open() {
  Level& level = levels_.back();
  level.events = static_cast<std::uint16_t>(foreseen_.size() - level.foreseen);
  level.options = static_cast<std::uint16_t>(level.events + outlines_[levels_.size() - 1]->may_wait());
  choices_.open(level.options);
  settle();
}

void DepthFirst::look_around() {
  seen_->report();
  if (exchange_ != nullptr) tend();
  shared_.look_at_budget(look_around_every, bytes_of_way());
  if (subject_.scenario.explore.gives_up && is_hopeless()) shared_.give_up();
  if (shared_.is_hungry()) give_branch();
}

// --- steps that are known ---

// What may come next according to an outline.
void DepthFirst::foresee(const Outline& from) {
  for (std::uint32_t event = 0; event < from.events.size(); ++event) {
    if (!from.events[event].is_due()) continue;
    foreseen_.push_back({event, from.digest_of_step(from.events[event])});
    memo_.prefetch(foreseen_.back().step);
  }
}

// Marks those events of the last level that lead only to what was seen.
void DepthFirst::settle() {
  Level& level = levels_.back();
  const Outline& from = *outlines_[levels_.size() - 1];
  const std::span<Foreseen> events(foreseen_.begin() + level.foreseen, foreseen_.end());
  children_.clear();
  known_.clear();
  for (const Foreseen& event : events) {
    known_.push_back(memo_.find(event.step));
    if (known_.back() == nullptr) continue;
    for (const Effect& effect : known_.back()->all()) {
      children_.push_back(state_after(from, event, effect));
      seen_->prefetch(children_.back());
    }
  }
  level.steps = level.options - level.events;
  const Digest* child = children_.data();
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::size_t count = known_[i] == nullptr ? 0 : known_[i]->all().size();
    const std::uint64_t bit = i < 64 ? std::uint64_t{1} << i : 0;
    if (count == 0) {
      level.steps += 2;
    } else if (bit != 0 && ++foreseen_steps_ % doubted_every == 0) {
      level.doubted |= bit;
      level.steps += 2;
    } else if (bit != 0 && are_seen({child, count})) {
      level.settled |= bit;
      events[i].children = static_cast<std::uint8_t>(count);
    } else if (!known_[i]->have_sequels()) {
      level.steps += static_cast<std::uint16_t>(count);
    } else {
      memo_.prefetch_sequels(*known_[i]);
    }
    child += count;
  }
}

// Whether all these children of an event of the last level were seen.
bool DepthFirst::are_seen(std::span<const Digest> children) {
  for (const Digest& child : children)
    if (!seen_->contains(child) && (exchange_ == nullptr || !was_sent(child))) return false;
  Level& level = levels_.back();
  if (level.is_audited)
    for (const Digest& child : children) level.future = sum(level.future, mix(Digest{}, child));
  return true;
}

// False when the event is not known well enough.
bool DepthFirst::take_known(const Foreseen& event) {
  const Effects* const known = memo_.find(event.step);
  if (known == nullptr || !known->are_local()) return false;
  const std::span<const Effect> effects = known->all();
  const std::span<const Sequel> sequels = memo_.sequels_of(*known);
  if (sequels.empty()) {
    children_.clear();
    for (const Effect& effect : effects)
      children_.push_back(state_after(*outlines_[levels_.size() - 1], event, effect));
    if (!are_seen(children_)) return false;
    result_.transitions += effects.size();
    leave();
    return true;
  }
  if (effects.size() == 1) {
    if (!go_to_child(event, effects.front(), sequels.front())) leave();
    return true;
  }
  Fork& fork = forks_.emplace_back();
  std::copy(effects.begin(), effects.end(), fork.effects.begin());
  std::copy(sequels.begin(), sequels.end(), fork.sequels.begin());
  fork.count = effects.size();
  levels_.back().is_forked = true;
  take_fork();
  return true;
}

void DepthFirst::take_fork() {
  const Level& level = levels_.back();
  const Foreseen event = foreseen_[level.foreseen + option_of(level)];
  Fork& fork = forks_.back();
  while (fork.next < fork.count) {
    const std::size_t child = fork.next++;
    if (go_to_child(event, fork.effects[child], fork.sequels[child])) return;
  }
  forks_.pop_back();
  levels_.back().is_forked = false;
  leave();
}

// False when the state was seen.
bool DepthFirst::go_to_child(const Foreseen& event, const Effect& effect, const Sequel& sequel) {
  const std::size_t next = levels_.size();
  const Digest digest = state_after(*outlines_[next - 1], event, effect);
  const auto picks = std::span(sequel.picks).first(sequel.pick_count);
  if (exchange_ != nullptr) {
    follow(*outlines_[next - 1], event.event, effect, sequel, outline(next));
    if (is_sent_away(digest, picks, *outlines_[next])) return false;
    return visit(digest, picks) && (descend_known(digest), true);
  }
  if (!visit(digest, picks)) return false;
  follow(*outlines_[next - 1], event.event, effect, sequel, outline(next));
  descend_known(digest);
  return true;
}

// Takes the option of the last level that nothing happens until later.
void DepthFirst::let_time_pass() {
  const std::size_t next = levels_.size();
  const Duration tick = subject_.scenario.timing.tick;
  // Replies that are here by then may be handed over with this step.
  if (tick > Outline::farthest || subject_.joins_replies) return take_step();
  const Outline& from = *outlines_[next - 1];
  const auto whole = static_cast<std::uint32_t>(tick.count());
  const std::uint32_t length = from.until_next() == 0 ? whole : std::min(whole, from.until_next());
  if (++foreseen_steps_ % doubted_every == 0 || !passages_.pass(from, length, outline(next)))
    return take_step();
  const Digest digest = outlines_[next]->digest();
  if (exchange_ != nullptr && is_sent_away(digest, {}, *outlines_[next])) return leave();
  if (!visit(digest, {})) return leave();
  descend_known(digest);
}

// Whether the state is new and comes next. `picks`: the answers, but for the first, of the step that leads
// there.
bool DepthFirst::visit(const Digest& digest, std::span<const std::uint8_t> picks) {
  Level& level = levels_.back();
  if (level.is_audited) level.future = sum(level.future, mix(Digest{}, digest));
  count_transition();
  if (!seen_->insert(digest)) return false;
  choices_.fix(picks);
  if (++known_steps_ % self_check_every == 0) check_against_replay(depth(), digest);
  return true;
}

void DepthFirst::descend_known(const Digest& digest) {
  const std::size_t foreseen = foreseen_.size();
  Outline& here = *outlines_[levels_.size()];
  if (come_to_choice(here)) foresee(here);
  descend(digest, foreseen, false);
}

// Lets time pass until something may happen. False when only the world knows.
bool DepthFirst::come_to_choice(Outline& here) {
  if (here.unfinished == 0) return false;
  while (!here.is_something_due()) {
    const std::uint32_t length = here.until_next();
    if (length == 0 || !passages_.pass(here, length, passed_)) return false;
    std::swap(here, passed_);
  }
  return true;
}

void set_out(Subject& subject, const Knowledge& known) {
  subject.known = known;
  subject.learns = true;
  subject.is_in_earnest = false;
  // Replies that always take a time come due while time passes, between steps, and then stand beside what
  // other clients do.
  subject.joins_replies = subject.scenario.explore.reductions.contains(Reduction::joint_replies) &&
                          subject.scenario.timing.delay_min == Duration::zero();
}

void search(const Scenario& scenario, const Card& card, const Knowledge& known, unsigned threads,
            SharedSearch& shared) {
  Awaits* const awaits = Awaits::noted();
  for_each_index(threads, threads, [&](std::size_t) {
    const Awaits::Noting noting(awaits);
    try {
      Subject subject(scenario, card);
      set_out(subject, known);
      DepthFirst(subject, shared).run();
    } catch (const BeyondModel& why) {
      shared.leave_model(why.what());
    } catch (const Interrupted&) {
      shared.abandon();
    } catch (...) {
      shared.stop();  // the others must not wait for this thread
      throw;
    }
  });
}

// A shorter search is made anew.
constexpr double worth_saving_seconds = 1;

Exploration explore_depth_first(const Scenario& scenario, const Card& card, const Budget& budget,
                                unsigned threads, Knowledge& known) {
  const double begin = budget.seconds ? budget.seconds() : 0;
  for (;;) {
    SharedSearch shared(scenario, budget, threads);
    const bool was_saved = shared.restore(known);
    std::optional<Exchange> exchange;
    if (budget.ranks != nullptr) exchange.emplace(*budget.ranks, shared).begin(known, threads);
    search(scenario, card, known, threads, shared);
    const bool is_long = budget.seconds && budget.seconds() - begin > worth_saving_seconds;
    const bool is_to_be_saved = shared.is_saved() && !shared.is_abandoned() && (was_saved || is_long);
    if (exchange) exchange->close(is_to_be_saved && !shared.has_reached_bound());
    if (!known.covers(shared.learnt())) {
      known.insert(shared.learnt());
      continue;
    }
    Exploration whole = shared.found();
    Budget alone = budget;
    alone.ranks = nullptr;
    alone.checkpoints = nullptr;
    if (!shared.beyond_model().empty()) {
      // Which run did it first depends on the order of threads, too.
      if (exchange || threads > 1) explore_depth_first(scenario, card, alone, 1, known);
      throw BeyondModel(shared.beyond_model());
    }
    // Which states are within a bound depends on the order of threads: so one thread finds them.
    if (exchange && threads == 1 && shared.has_reached_bound() && !whole.memory_full)
      return explore_depth_first(scenario, card, alone, 1, known);
    // A search of several ranks that was stopped all of them have saved together.
    if (is_to_be_saved && (!exchange || !shared.is_stopped() || shared.has_reached_bound()))
      shared.save_at_end();
    if (shared.violations().empty()) return whole;
    Subject subject(scenario, card);
    set_out(subject, known);
    for (const auto& [property, violation] : shared.violations())
      whole.properties.push_back({property, Verdict::violated,
                                  "perhaps not the shortest: the search was stopped first",
                                  raw_counterexample(subject, violation.picks, violation.steps, property)});
    return whole;
  }
}

}  // namespace holdfast
