#include "sim/explore/liveness_graph.hpp"

#include <tsl/robin_map.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "sim/core/invariant.hpp"
#include "sim/explore/counterexample.hpp"
#include "sim/explore/engines.hpp"
#include "sim/explore/stage.hpp"

namespace holdfast {
namespace {

bool may_be_endless(const ClientPlan& plan) {
  const auto is_endless_line = [](const ProgramStep& step) {
    return step.op == ProgramStep::Op::acquire && step.attempts == 0;
  };
  return plan.rounds == 0 || std::any_of(plan.program.begin(), plan.program.end(), is_endless_line);
}

struct HashOfDigest {
  std::size_t operator()(const Digest& digest) const { return digest.low; }
};

using Numbers = tsl::robin_map<Digest, std::uint32_t, HashOfDigest>;  // of states, by their digests

class Builder {
 public:
  Builder(Subject& subject, const Budget& budget, Engine engine)
      : subject_(subject),
        budget_(budget),
        waiters_(subject.scenario.clients.size()),
        choices_(BranchChoices::Picks()),
        stage_(subject, choices_, engine, &waiters_) {}

  // A client was told a value that states do not include yet: begin anew with states that include it.
  bool has_learnt() const { return has_learnt_; }

  StateGraph build() {
    graph_.states.emplace_back();
    answers_.emplace_back();
    copies_.emplace_back();
    std::uint32_t state = 0;
    for (; state < graph_.states.size() && !stopped_; ++state) {
      graph_.states[state].steps_begin = static_cast<std::uint32_t>(graph_.steps.size());
      if (!answers_[state].is_last) expand(state);
      look_at_budget(state);
    }
    graph_.complete = state == graph_.states.size() && !stopped_;
    for (; state < graph_.states.size(); ++state)
      graph_.states[state].steps_begin = static_cast<std::uint32_t>(graph_.steps.size());
    graph_.bytes = bytes();
    return std::move(graph_);
  }

 private:
  // One in this many steps is executed a second time, from the start and outside of the arena, and compared.
  static constexpr std::uint64_t self_check_every = 512;
  // The budget is asked once in this many states.
  static constexpr std::uint64_t budget_every = 64;

  using Copy = std::vector<std::byte>;
  // Those of the step that leads to a state; into picks_.
  struct Answers {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
    bool is_last = false;  // the run ends there
  };

  BranchChoices::Picks picks_to(std::uint32_t state) const {
    BranchChoices::Picks picks;
    for (; state != 0; state = graph_.states[state].found_from) {
      const auto begin = picks_.rend() - answers_[state].begin - answers_[state].count;
      picks.insert(picks.end(), begin, begin + answers_[state].count);
    }
    std::reverse(picks.begin(), picks.end());
    return picks;
  }

  void expand(std::uint32_t state) {
    const Copy copy = std::move(copies_[state - copies_begin_]);
    copies_bytes_ -= copy.size();
    const std::uint32_t replayed = copy.empty() ? graph_.states[state].depth : 0;
    const BranchChoices::Picks prefix = copy.empty() ? picks_to(state) : BranchChoices::Picks();
    choices_.follow(prefix);
    do {
      choices_.restart();
      if (copy.empty()) stage_.reset();
      else stage_.restore(copy);
      for (std::uint32_t step = 0; step < replayed; ++step) stage_.step();
      waiters_.begin(graph_.states[state].waiting);
      const Instant before = stage_.run().world.now();
      stage_.step();
      arrive(state, before);
    } while (!stopped_ && choices_.advance());
    for (; copies_begin_ <= state; ++copies_begin_) copies_.pop_front();
  }

  // The run stands one step beyond `from`.
  void arrive(std::uint32_t from, Instant before) {
    Run& run = stage_.run();
    const std::uint32_t depth = graph_.states[from].depth + 1;
    if (choices_.has_diverged())
      throw Nondeterminism(describe_divergence(subject_, picks_beyond(from), depth));
    graph_.reach.insert(run.world.reach());
    const Digest digest = digest_of(run, waiters_);
    if (!subject_.known.covers(run.world.told())) {
      subject_.known.insert(run.world.told());
      has_learnt_ = stopped_ = true;
    }
    const auto fresh = static_cast<std::uint32_t>(graph_.states.size());
    const std::uint32_t to = index_.try_emplace(digest, fresh).first->second;
    graph_.steps.push_back({to, waiters_.granted(), waiters_.answered(), run.world.now() != before});
    if (graph_.steps.size() % self_check_every == 0) check_against_replay(from, depth, run.digest());
    if (to != fresh) return;
    graph_.states.push_back({digest, waiters_.waiting(), 0, from, depth});
    answers_.push_back({static_cast<std::uint32_t>(picks_.size()),
                        static_cast<std::uint32_t>(choices_.suffix().size()), run.world.is_over()});
    picks_.insert(picks_.end(), choices_.suffix().begin(), choices_.suffix().end());
    keep_copy();
  }

  BranchChoices::Picks picks_beyond(std::uint32_t state) const {
    BranchChoices::Picks picks = picks_to(state);
    picks.insert(picks.end(), choices_.suffix().begin(), choices_.suffix().end());
    return picks;
  }
  void keep_copy() {
    copies_.emplace_back();
    if (!stage_.has_arena() || stage_.run().world.is_over()) return;
    graph_.snapshot_bytes = std::max<std::uint64_t>(graph_.snapshot_bytes, stage_.used().size());
    if (copies_bytes_ > Stage::copies_bytes_max) return;
    copies_.back().assign(stage_.used().begin(), stage_.used().end());
    copies_bytes_ += copies_.back().size();
  }
  void check_against_replay(std::uint32_t from, std::uint32_t depth, Digest digest) {
    const BranchChoices::Picks picks = picks_beyond(from);
    BranchChoices choices(picks);
    ++graph_.runs;
    Run again(subject_, choices, false);
    for (std::uint32_t step = 0; step < depth; ++step) again.world.step();
    if (again.digest() != digest) throw Nondeterminism(describe_divergence(subject_, picks, depth));
  }

  std::uint64_t bytes() const {
    return graph_.states.capacity() * sizeof(StateGraph::State) +
           graph_.steps.capacity() * sizeof(StateGraph::Step) + answers_.capacity() * sizeof(Answers) +
           picks_.capacity() + index_.bucket_count() * sizeof(Numbers::value_type);
  }
  void look_at_budget(std::uint32_t state) {
    const Explore& bounds = subject_.scenario.explore;
    if (bytes() > bounds.memory_max) stopped_ = graph_.memory_full = true;
    if (graph_.states.size() >= bounds.states_max) stopped_ = true;
    if (state % budget_every == 0 && budget_.is_exhausted && budget_.is_exhausted()) stopped_ = true;
  }

  Subject& subject_;
  const Budget& budget_;
  Waiters waiters_;
  BranchChoices choices_;
  Stage stage_;
  StateGraph graph_;
  Numbers index_;
  std::vector<Answers> answers_;  // by state
  std::vector<std::uint8_t> picks_;
  std::deque<Copy> copies_;  // of the states from copies_begin_ on; empty: to be replayed
  std::uint32_t copies_begin_ = 0;
  std::size_t copies_bytes_ = 0;
  bool stopped_ = false;
  bool has_learnt_ = false;
};

}  // namespace

Waiters::Waiters(std::size_t clients)
    : Observer(events_of<Acquiring, Granted, Crashed, Finished, Delivered, GaveUp>()),
      known_(clients >= 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << clients) - 1) {}

void Waiters::on(const Event& event) {
  const auto bit = [this](ClientId id) {
    return id.value < 32 ? std::uint32_t{1} << id.value & known_ : std::uint32_t{0};
  };
  if (const auto* acquiring = std::get_if<Acquiring>(&event.what)) {
    waiting_ |= bit(acquiring->acquisition.client);
  } else if (const auto* granted = std::get_if<Granted>(&event.what)) {
    waiting_ &= ~bit(granted->acquisition.client);
    granted_ |= bit(granted->acquisition.client);
  } else if (const auto* crashed = std::get_if<Crashed>(&event.what)) {
    waiting_ &= ~bit(crashed->client);
  } else if (const auto* finished = std::get_if<Finished>(&event.what)) {
    waiting_ &= ~bit(finished->client);
  } else if (event.actor.kind == Actor::Kind::client &&
             (std::holds_alternative<Delivered>(event.what) || std::holds_alternative<GaveUp>(event.what))) {
    answered_ |= bit(ClientId{event.actor.index});
  }
}

StateGraph graph_of(Subject& subject, const Budget& budget, Engine engine) {
  const std::vector<ClientPlan>& clients = subject.scenario.clients;
  const bool is_endless_run = std::any_of(clients.begin(), clients.end(), may_be_endless);
  for (;;) {
    Builder builder(subject, budget, engine);
    StateGraph graph = builder.build();
    const bool is_ever_new = subject.known.of_date || subject.known.of_names;
    if (!builder.has_learnt() || (is_endless_run && is_ever_new)) return graph;
  }
}

}  // namespace holdfast
