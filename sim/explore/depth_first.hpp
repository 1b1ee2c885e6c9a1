// Every schedule within the bounds, depth first: the fastest way to close a space, because the states on the
// way back are few and lie in the cache. It decides which properties are violated; breadth_first.cpp then
// finds the shortest violations.
//
// What a step does that is about one client alone, or about time, is known once it was taken (step_memo.hpp):
// from then on the search goes on by outlines of states (outline.hpp), and only steps of which nothing is
// known yet are taken in the world. It is brought there from the nearest state on the way of which there is a
// copy.
//
// Several threads share the table of states. Each walks its own branch in an arena of its own; a thread that
// runs out of work takes over a branch that another has not begun, by its tape. Every state is expanded by
// the thread that finds it first, so the counts do not depend on which one that was.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/choose/path.hpp"
#include "sim/core/addresses.hpp"
#include "sim/core/copy_stack.hpp"
#include "sim/explore/counterexample.hpp"
#include "sim/explore/engines.hpp"
#include "sim/explore/outline.hpp"
#include "sim/explore/ownership.hpp"
#include "sim/explore/shared_search.hpp"
#include "sim/explore/stage.hpp"
#include "sim/explore/step_memo.hpp"
#include "sim/explore/way_marks.hpp"

namespace holdfast {

// One thread of the search.
class DepthFirst {
 public:
  // All must outlive it.
  DepthFirst(Subject& subject, SharedSearch& shared)
      : subject_(subject),
        shared_(shared),
        exchange_(shared.exchange()),
        has_marks_(exchange_ != nullptr || shared.is_saved()),
        sent_(exchange_ == nullptr ? 0 : sent_size),
        stage_(subject, choices_, Engine::snapshots),
        copies_max_(std::min(subject.scenario.explore.memory_max / 4, addresses_for_one_block() / 2)) {}

  // Until no branch is left, or it is time to stop. What it finds is in `shared`.
  void run();

 private:
  // A state whose children are being explored.
  struct Level {
    std::uint32_t step_begin;    // the first answer of its step
    std::uint32_t picks_begin;   // the first answer of its step that is not fixed
    std::uint32_t foreseen = 0;  // where in foreseen_ its events begin
    std::uint32_t copy_bytes = 0;
    std::uint16_t events = 0;      // its first options; 0 where they are not known
    std::uint16_t options = 0;     // the same with time passing
    std::uint16_t steps = 2;       // that the world has to take here, as far as is known
    bool was_looked_at = false;    // in the world, which may know more than an outline
    bool is_copied_early = false;  // before the world has come to a choice
    bool is_forked = false;        // the event that comes next has several children: they are in forks_
    bool is_learning = false;      // the event that is being taken; what is known of it is in learnt_
    bool is_audited = false;
    std::uint64_t settled = 0;  // bit i: event i leads nowhere new
    std::uint64_t doubted = 0;  // bit i: event i is known, and taken all the same
    Digest state = {};
    Digest future = {};  // if it is audited: the sum of its children so far
    bool is_settled(std::uint32_t option) const { return option < 64 && (settled >> option & 1) != 0; }
  };
  // What is known of an event before it is taken.
  struct Foreseen {
    std::uint32_t event;  // of the outline
    Digest step;
    std::uint8_t children = 0;  // if it leads nowhere new: how many
  };
  // What was found out so far about an event that is being taken.
  struct Learnt {
    std::uint32_t level;
    ClientId mover;
    Effects effects;
    Sequels sequels{};
    bool have_sequels = true;
    bool is_partial = false;  // the rest is found out elsewhere
  };
  // A branch: so many answers of the way, another one, and the steps before it.
  struct Split {
    std::uint32_t at;
    std::uint8_t pick;
    std::uint32_t steps;
  };
  // A known event with several children.
  struct Fork {
    std::array<Effect, Effects::most> effects;
    Sequels sequels;
    std::size_t count;
    std::size_t next = 0;
  };
  // A way of this many steps is halved by a copy, for a search that comes that way again.
  static constexpr std::size_t long_way = 4;
  static constexpr std::size_t nowhere = ~std::size_t{0};
  // One in this many steps is executed a second time, from the start and outside of the arena, and compared.
  static constexpr std::uint64_t self_check_every = 8192;
  // Of one in this many states it is remembered what comes next; a thread that comes there again compares.
  static constexpr std::uint64_t audited_every = 128;
  // The budget is asked, and work is shared, once in this many steps.
  static constexpr std::uint64_t look_around_every = 256;
  // Growth is measured from the first many of these states on, and believed from the second many on.
  static constexpr std::uint64_t growth_from = 1024;
  static constexpr std::uint64_t growth_believed_from = 64 * 1024;
  // One in this many steps that are known is taken in the world all the same, and compared.
  static constexpr std::uint64_t doubted_every = 512;

  // Levels.
  void begin(const Branch& branch);
  void enter(const std::string& arrival);
  void go_on();
  void leave();
  void descend(const Digest& digest, std::size_t foreseen, bool was_looked_at);
  void open();
  void look_around();
  bool is_hopeless();
  std::size_t bytes_of_way() const;
  std::optional<Split> split(std::uint32_t begin);
  void give_branch();
  void give_up();
  void count_transition() {
    ++result_.transitions;
    for (; result_.transitions >= next_look_; next_look_ += look_around_every) look_around();
  }
  std::uint32_t depth() const { return base_depth_ + static_cast<std::uint32_t>(levels_.size()); }
  std::uint32_t option_of(const Level& level) const {
    return level.options > 1 ? choices_.picks()[level.picks_begin] : 0;
  }
  // Of the level that comes after so many others.
  Outline& outline(std::size_t level) {
    while (outlines_.size() <= level) outlines_.push_back(std::make_unique<Outline>());
    return *outlines_[level];
  }

  // Steps that are known.
  void foresee(const Outline& from);
  void settle();
  static Digest state_after(const Outline& from, const Foreseen& event, const Effect& effect) {
    return mix(effect.rest, sum(from.others(from.events[event.event]), effect.part));
  }
  bool are_seen(std::span<const Digest> children);
  bool take_known(const Foreseen& event);
  void take_fork();
  bool go_to_child(const Foreseen& event, const Effect& effect, const Sequel& sequel);
  void let_time_pass();
  bool visit(const Digest& digest, std::span<const std::uint8_t> picks);
  void descend_known(const Digest& digest);
  bool come_to_choice(Outline& here);

  // States of other ranks (depth_first_ranks.cpp).
  static constexpr std::size_t sent_size = std::size_t{1} << 16;
  bool was_sent(const Digest& digest) const { return sent_[digest.low % sent_size] == digest; }
  bool is_sent_away(const Digest& digest, std::span<const std::uint8_t> picks, const Outline& there);
  void send_away(unsigned owner, const Exchange::Sent& state);
  void tend();

  // Steps in the world (depth_first_steps.cpp).
  void stand_here();
  void restart();
  void look_here();
  bool look(Outline& here);
  void save(Level& level);
  void take_step();
  void arrive(Instant before);
  void note_numbers(const World& world, ClientId mover);
  void note_effect();
  void learn();
  void learn_passage(const Outline& before, Duration length, const Outline& after);

  // Checks of holdfast itself, and of the lock.
  static bool is_audited(const Digest& digest) { return digest.high % audited_every == 0; }
  void audit(const Digest& digest);
  void check_against_replay(std::uint32_t depth, Digest digest);
  void note_violations(PropertySet violated);
  BranchChoices::Picks picks() const { return {choices_.picks().begin(), choices_.picks().end()}; }
  [[noreturn]] void throw_divergence();
  [[noreturn]] void throw_false_hit();
  [[noreturn]] void throw_false_memory();

  Subject& subject_;
  SharedSearch& shared_;
  Exchange* const exchange_;  // null: all states are this process's
  const bool has_marks_;      // branches begin far down
  std::vector<Digest> sent_;  // lately to other ranks, which need not be sent again; each has its place
  Kind own_kind_;             // of a state that was this rank's; nothing yet: no keys' digest is zero
  std::optional<StateTable::Access> seen_;  // while it has a branch
  PathChoices choices_;
  Stage stage_;
  const std::size_t copies_max_;  // bytes of copies that levels keep; those without are replayed
  CopyStack copies_;
  WayMarks marks_;
  std::vector<Level> levels_;
  std::vector<std::unique_ptr<Outline>>
      outlines_;    // by level; those beyond the last are kept for their memory
  Outline passed_;  // reused
  std::vector<Foreseen> foreseen_;
  std::vector<Learnt> learnt_;
  std::vector<Fork> forks_;
  std::vector<Digest> children_;        // reused
  std::vector<const Effects*> known_;   // reused
  std::vector<std::uint64_t> numbers_;  // of what was to come of the client that moves
  std::vector<Digest> digests_;         // of the same, in any order
  bool has_twins_ = false;              // two of these are equal
  StepMemo memo_;
  PassageMemo passages_;
  std::size_t here_ = nowhere;  // the level in whose state the world stands
  std::uint32_t base_depth_ = 0;
  std::uint64_t steps_ = 0;        // that the world has taken to a new child
  std::uint64_t known_steps_ = 0;  // that led to a new state and were not taken
  std::uint64_t foreseen_steps_ = 0;
  std::uint64_t next_look_ = look_around_every;
  Exploration result_;
  PropertySet found_set_;
  std::uint64_t next_growth_ = growth_from;  // states at which it is measured next
  std::size_t shallowest_ = nowhere;         // the shallowest level of which everything was seen
  std::size_t shallowest_before_ = nowhere;  // … when it was measured first
};

// All threads of a search, or of what one rank does of it, until it ends.
void search(const Scenario& scenario, const Card& card, const Knowledge& known, unsigned threads,
            SharedSearch& shared);
// A subject whose states say what is known.
void set_out(Subject& subject, const Knowledge& known);

}  // namespace holdfast
