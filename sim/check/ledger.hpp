// What has become of every acquisition so far: the facts that properties share. Checkers judge by them.
//
// Who holds is who was granted and has not released. A key's owner is not who wrote to it last, but whose
// grant its value is: the world says of every change whose part of the value it removed or wrote anew
// (KeyChanged::before), or that it took nobody's. So a client that is refused is judged by what it does. What
// it writes beside the holder's (it counts itself in a field, adds and removes a member, counts up and down
// again) takes the lock from nobody; a DEL, SET or GETSET takes it from its holder. Whether an attempt will
// be granted need not be known for that. Where it matters, for what was done to a key before its writer was
// granted the lock, it is noted and judged when the grant comes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/counts.hpp"
#include "sim/core/units.hpp"
#include "sim/core/vocabulary.hpp"
#include "sim/trace/digest.hpp"
#include "sim/trace/event.hpp"

namespace holdfast {

constexpr bool clash(Mode one, Mode other) { return one == Mode::exclusive || other == Mode::exclusive; }

// When an event happened.
struct Moment {
  Step step;
  Instant at;
};

// An event of an acquisition, and its time.
struct Deed {
  Acquisition by;
  Moment moment;
};

// The end of what the store held for an acquisition.
struct Loss {
  KeyChanged::Kind kind = KeyChanged::Kind::removed;
  Acquisition by;
  Moment moment;
};

// One acquisition, from Acquiring until nothing about it can matter any more: until it is refused or
// released, or its client crashes, finishes or comes to the end of its period; where clients write after the
// release, until the next Acquiring. A client that is gone believes nothing, writes nothing and is told
// nothing. The probe alone is told something: it finishes when it was granted the lock, and releases it
// later, so that another client may come back. What release() says then is true or not, as ever; so what it
// holds is known until then.
struct Account {
  enum class Phase : std::uint8_t {
    asking,     // acquire() has not returned
    claiming,   // granted; the client believes that it holds the lock
    ended,      // the belief ended by itself; the client has not called release() yet
    releasing,  // release() was called; for a late write, it may have returned
  };
  enum class Hold : std::uint8_t {
    missing,  // the store does not hold it. Final once it was granted: what comes later is another hold
    held,     // its command wrote what stands at the key, or a part of it
    freed,    // its own command removed the key while it was held
  };

  Acquisition acquisition;
  Mode mode = Mode::exclusive;
  Phase phase = Phase::asking;
  Hold hold = Hold::missing;
  std::uint64_t held_on = 0;    // the nodes where it is held, as bits; the hold is missed when none is left
  bool wrote = false;           // while asking: its command wrote a key of the first server
  Instant lease_until = never;  // as in Granted
  Moment asked;                 // for sentences only
  Moment granted;
  std::optional<Loss> loss;  // while the hold is missing: what made it so; empty: it never was held
  // The first grant to another client that clashes and came after this one, while writes may still follow.
  std::optional<Deed> overtaken;
  // While asking: the first removal, and the first other change, of its key by another acquisition since the
  // key was written. acquire() may still return a grant that rests on that key.
  std::optional<Deed> early_removal;
  std::optional<Deed> early_change;
  // Of the call that goes on, acquire() or release(): something happened that may keep it from freeing what
  // it wrote, so nothing is asked of it.
  bool is_excused = false;
  bool is_disturbed = false;           // the same, since acquire() was called
  bool is_over = false;                // it was released, or its client, the probe, has finished
  std::optional<std::uint64_t> fence;  // as in Granted
  std::optional<Moment> read;          // when it last read the resource
  // The first accepted write of another acquisition since then.
  std::optional<Deed> changed_since;

  // Granted, believed, and its lease not over: no other acquisition may touch its key.
  bool is_current(Instant now) const { return phase == Phase::claiming && now <= lease_until; }
};

// Those parts of an account that only some properties depend on.
enum class Fact : std::uint8_t {
  phase,
  hold,
  lease,
  overtaken,
  early_removal,
  early_change,
  granted,  // since when
  fence,
  read,
  wrote,
  excused,  // and is_disturbed, is_over
};
inline constexpr std::array all_facts{Fact::phase,         Fact::hold,         Fact::lease,   Fact::overtaken,
                                      Fact::early_removal, Fact::early_change, Fact::granted, Fact::fence,
                                      Fact::read,          Fact::wrote,        Fact::excused};
using FactSet = SetOf<Fact>;

// What was `before` is gone, and `by` put nothing in its place: a DEL, or a command that removes what another
// has in a collection, or of a count.
bool removes(const KeyChanged& change);
// Whether a client gives another expiry to what another client has written.
bool renews_of_another(const KeyChanged& change);

// A key of the lock as it stands in one node.
struct StandingKey {
  NodeId node;
  std::string name;
  Acquisition owner;              // of what stands there, or of a part of it
  std::vector<Deed> writes = {};  // the last of each whose parts stand there
  Instant expires_at = never;
  // The last of its owner, if that is known.
  Moment written() const;
};

class Ledger {
 public:
  static constexpr EventKinds hears =
      events_of<Acquiring, Granted, Refused, BeliefEnded, Releasing, Released, Crashed, Finished, PeriodOver,
                KeyChanged, Read, Wrote, ClockSkewed, Paused, GaveUp, Cancelled, MessageFault,
                ServerRestarted, ServerRecovered, FailedOver, Evicted, ServerClockSet, SessionEnded, Calm>();

  // `late_writers`: clients whose programs write after a release; bit i is client i. What concerns their
  // writes is kept for so long.
  explicit Ledger(std::uint64_t late_writers = 0);
  void on(const Event& event);

  // In the order of clients, then of their acquisitions.
  const std::vector<Account>& accounts() const { return accounts_; }
  // nullptr when there is none (any more).
  const Account* find(Acquisition acquisition) const;
  // In the order in which they were created. For sentences only: no digest contains them.
  const std::vector<StandingKey>& keys() const { return keys_; }

  // Exactly what judgements that depend on `facts` can still depend on, as far as it concerns `client`: times
  // relative to `now`, acquisitions counted back from its `latest`.
  Digest mix_client(Digest history, ClientId client, std::uint32_t latest, Instant now, FactSet facts,
                    const Counts& counts) const;
  // Which counts that mixes, where it is asked for Fact::fence.
  void note_counts(Counts& counts) const;

 private:
  void note(const Acquiring& what, Moment moment);
  void note(const Granted& what, Moment moment);
  void note(const Refused& what, Moment moment);
  void note(const BeliefEnded& what, Moment moment);
  void note(const Releasing& what, Moment moment);
  void note(const Released& what, Moment moment);
  void note(const Crashed& what, Moment moment);
  void note(const Finished& what, Moment moment);
  void note(const PeriodOver& what, Moment moment);
  void note(const KeyChanged& what, Moment moment);
  void note(const Read& what, Moment moment);
  void note(const Wrote& what, Moment moment);
  void note(const ClockSkewed& what, Moment moment);
  void note(const Calm& what, Moment moment);

  Account* find(Acquisition acquisition);
  Account& open(Acquisition acquisition);
  void close(Acquisition acquisition);
  void close_all(ClientId client);
  void note_standing(const KeyChanged& what, Moment moment);
  void note_hands(const KeyChanged& what);
  void excuse(const Event& event);
  bool writes_late(ClientId client) const { return (late_writers_ >> (client.value & 63) & 1) != 0; }

  std::uint64_t late_writers_;
  std::optional<ClientId> probe_;
  std::vector<Account> accounts_;
  std::vector<StandingKey> keys_;
};

// Words for findings: "3.5s"; "A", or "somebody" if unknown; the same, or "another acquisition of A" where A
// is the client that it concerns; "its key expired at 3s".
std::string text_of(Instant instant);
std::string name_of(Acquisition acquisition);
std::string name_of(Acquisition by, ClientId as_seen_by);
std::string fate_of_key(const Account& account);

}  // namespace holdfast
