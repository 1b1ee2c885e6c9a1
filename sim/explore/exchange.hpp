// One depth-first search of several ranks, each with a table of its own. Every state belongs to one rank
// (owner_of() in ownership.hpp): a rank that comes to it first sends it there, as the answers that lead to it
// and, where there is one, its outline, so that the owner need not take these steps before it goes on.
//
// Rank 0 leads: it asks all ranks in waves how they are. The search has ended when all were idle in two waves
// and, in both, as many states had arrived as were sent (the four counter method: Mattern, "Algorithms for
// distributed termination detection", Distributed Computing 2, 1987). In the same way it is known that
// nothing is on its way when all have paused, to be saved: so what the ranks save belongs together.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/explore/explore.hpp"
#include "sim/explore/ownership.hpp"
#include "sim/explore/ranks.hpp"
#include "sim/explore/state_table.hpp"
#include "sim/world/knowledge.hpp"

namespace holdfast {

class SharedSearch;

// What rank 0 tells the others when a search begins.
struct Assignment {
  std::string scenario;  // as JSON
  Knowledge known;
  std::uint32_t threads = 1;
  bool is_resumed = false;       // it goes on from what was saved last
  std::uint32_t generation = 0;  // of that
};

// What a program lends the ranks that follow rank 0: how it reads a scenario's JSON, and what it says of an
// exception.
struct Following {
  std::function<Job(const std::string& json)> read;
  std::function<Complaint(const std::exception_ptr&)> complaint_of;
};

// REQUIRES: no more than one at a time for each rank.
class Exchange {
 public:
  Exchange(Ranks& ranks, SharedSearch& shared);
  // Rank 0 tells the others.
  void begin(const Knowledge& known, unsigned threads);

  unsigned rank() const { return ranks_.rank(); }
  unsigned count() const { return ranks_.count(); }

  // Whose a state is that is reached in so many steps.
  unsigned owner_of(const Kind& kind, std::uint32_t steps) const;
  // A state that belongs to another rank. `outline`: null where there is none.
  struct Sent {
    Digest digest;
    std::uint32_t steps;
    std::span<const std::uint8_t> picks;  // the answers that lead to the step before
    std::span<const std::uint8_t> more;   // … and from there
    const Outline* outline;
    bool is_at_choice;  // time has passed in the outline until something may happen
    bool is_over;
  };
  void send(unsigned owner, const Sent& state);
  // What the owner goes on with; false where there is no outline. `outline` is made anew.
  static bool unpack(const std::string& arrival, Digest& digest, bool& is_at_choice, Outline& outline);
  // Others do not take as fast as this rank sends.
  bool is_congested() const;
  // Sends what is to be sent, takes what has arrived, leads. `seen`: by which the thread uses the table;
  // null: not at all now. Any thread may call it, and should every now and then.
  void tend(StateTable::Access* seen);
  // The same for a thread that has nothing else to do, once.
  void tend_idle();
  // After the threads have ended: until the ranks agree that the search has. Saves it if `is_to_be_saved` and
  // it is not at its end. Of rank 0, adds what the others have found. Throws RankFailed, …
  void close(bool is_to_be_saved);
  // Rank 0 has gone: the program ends.
  bool has_quit() const { return has_quit_; }

 private:
  enum class Word : std::uint8_t {
    begin,
    states,
    ask,
    report,
    pause,
    save,
    saved,
    go_on,
    stop,
    end,
    result,
    failed,
    quit
  };
  friend void follow(Ranks&, const Following&, Checkpoints*);
  friend void dismiss(Ranks&);

  // What a rank says of itself when it is asked.
  struct Report {
    std::uint32_t wave = 0;
    bool is_idle = false;    // it has no branch
    bool is_paused = false;  // or has given up all of them
    bool is_stopped = false;
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    std::uint64_t states = 0;
    std::uint64_t sent_batches = 0;
    std::uint64_t taken_batches = 0;  // their states may not have been looked at yet
  };

  static std::string header(Word word, std::uint32_t search);
  std::string header(Word word) const { return header(word, search_); }
  void tell_all(const std::string& text);
  Report report() const;
  void flush(std::size_t least);
  void lead();
  void end_wave();
  void finish();
  void take(Ranks::Message message, std::vector<Ranks::Message>& states);
  void take_states(const std::string& text, StateTable::Access& seen);
  void add_result(const std::string& text);

  Ranks& ranks_;
  SharedSearch& shared_;
  const std::uint32_t search_;

  // What is to be sent.
  mutable std::mutex outbox_mutex_;
  std::vector<std::string> outbox_;  // by rank
  std::uint64_t sent_ = 0;           // states
  std::uint64_t sent_bytes_ = 0;
  std::atomic<std::uint64_t> received_ = 0;

  std::mutex mutex_;  // of all below, and of ranks_
  std::uint64_t sent_batches_ = 0;
  std::uint64_t taken_batches_ = 0;
  std::uint32_t calls_ = 0;
  bool is_closing_ = false;  // its threads have ended
  bool is_done_ = false;     // all agree
  std::atomic<bool> has_quit_ = false;

  // Of rank 0.
  bool is_asking_ = false;
  bool was_told_to_stop_ = false;  // the others were
  bool pauses_ = false;            // likewise
  bool saves_ = false;
  bool is_to_be_saved_ = false;
  bool was_saved_ = false;
  std::uint32_t wave_ = 0;
  std::vector<Report> reports_;  // by rank, of this wave
  Report before_;                // the sum of the wave before
  std::uint32_t answers_ = 0;
  std::uint32_t results_ = 0;
  std::uint32_t calls_since_wave_ = 0;
  std::uint32_t vain_waves_ = 0;
};

// What ranks but 0 do: they take part in searches until rank 0 dismisses them, and tell it what goes wrong.
void follow(Ranks& ranks, const Following& following, Checkpoints* checkpoints);
// Of rank 0.
void dismiss(Ranks& ranks);

}  // namespace holdfast
