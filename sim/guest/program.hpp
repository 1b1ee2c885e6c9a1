// A program in another language, as a lock: it is told what happens, and says what it does.
//
// All that a program does follows from what it has been told since it began. So it is a tree: a node stands
// for all that a program was told, and has what it did last. Clients, runs and threads share the tree; the
// real program runs only for a history that is new (histories.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/core/program_random.hpp"
#include "sim/core/reply.hpp"
#include "sim/core/store.hpp"
#include "sim/core/units.hpp"

namespace holdfast::guest {

// What a program is told. `party` is the client that it concerns, from 1: several clients may share a
// program. Tokens of the clients stand in texts as marks (see names.hpp).
struct Told {
  enum class Kind : std::uint8_t {
    begin,    // once, first; words: the parameters, name and value in turns; number: of servers
    acquire,  // words: key, mode
    release,  // words: key, token
    abort,    // the caller of acquire() gave up
    reply,    // to what it sent as `id`; `reply` may be lost
    woke,     // the sleep `id` is over
    time,     // what the clock shows, in microseconds: `number`. Follows Effect::Kind::clock at once.
  };
  Kind kind = Kind::begin;
  std::uint32_t party = 0;
  std::uint32_t id = 0;
  std::int64_t number = 0;
  std::vector<std::string> words = {};
  Reply reply = Reply();
  // In microseconds, of programs that have to be told: how long since it began, and what the client's wall
  // clock shows. -1: not told.
  std::int64_t elapsed = -1;
  std::int64_t wall = -1;
  // By how much the wall clock was set since it began, where the time of day is not told.
  std::int64_t set_by = 0;
  // Of begin, where texts repeat: the chance of this run.
  std::optional<std::uint64_t> chance = {};
};
std::string_view id_of(Told::Kind kind);
// The same for equal events, and for no others.
std::string text_of(const Told& event);

// What a program does, for the client `party`.
struct Effect {
  enum class Kind : std::uint8_t {
    send,      // words to `server`; without words it listens on its `connection`. The answer is told as `id`.
    sleep,     // for `duration`; its end is told as `id`
    drop,      // waits no more for `id`
    hang_up,   // closes `connection`
    clock,     // asks what time it is
    granted,   // the end of acquire(): `text` is the token, `duration` the lease, `number` the fence, if not
               // -1
    refused,   // … `text` says why
    failed,    // … and what the server did is unknown
    released,  // the end of release()
    not_held,
    unknown,
    renewed,  // the lease of the grant with the token `text` begins anew, for `duration`
    lost,     // the grant with the token `text` is lost
  };
  Kind kind = Kind::send;
  std::uint32_t party = 0;
  std::uint32_t id = 0;
  std::uint32_t server = 0;
  std::uint32_t connection = 0;  // of its own, from 1; 0: the one that all requests of the client share
  std::int64_t number = -1;
  std::int64_t lease_until = -1;  // of granted: by this client's wall clock, in microseconds; -1: not said
  // Of send over a connection of its own: how long the server may keep it waiting, OwnConnection::for_ever
  // included.
  Duration duration{};
  // Of send: after how long it gives up, whatever it waits for; zero: as the driver does.
  Duration within{};
  bool is_patient = false;  // waits as Call::patiently() does
  std::string text = {};
  std::vector<std::string> words = {};
  ScriptLine line = {};
  bool operator==(const Effect& other) const;
};

// Parts of texts that a run has made at one history: of the marks from `first` on.
struct Parts {
  std::size_t first = 0;
  std::vector<std::string> texts = {};
  bool operator==(const Parts&) const = default;
};

// What a program has to be told of time, if it looks at a clock. elapsed: since it began, by both clocks.
enum class TimeToTell : std::uint8_t { nothing, elapsed, wall };  // wall: the time of day, too

struct Action {
  std::vector<Effect> effects;
  // What it looked at meanwhile: no clock, steady ones, or also the wall clock.
  TimeToTell reads = TimeToTell::nothing;
  // How many parts of texts it has made by chance so far: the marks up to here …
  std::uint32_t tokens = 0;
  // … and what the new ones are in the runs that were asked.
  std::vector<Parts> texts = {};
  // An error that ended the request, with its place; empty: none.
  std::string problem = {};
};
// In words, for messages.
std::string text_of(const Effect& effect);

// What the program needs is not there, or it behaves differently when it is told the same again. what() is
// one line, with the place in the program where there is one.
using Unusable = UnusableLock;

// One run of a program, from its beginning. What it does may depend on nothing but what it is told.
class Session {
 public:
  virtual ~Session() = default;
  // Throws Unusable.
  virtual Action tell(const Told& event) = 0;
  // From now on it has other chance.
  virtual void draw_anew() {}
  // All that it goes on with, but chance, as a text. Nothing: it waits for something, or is not known.
  virtual std::optional<std::string> memory() { return std::nullopt; }
};

// Nodes live as long as their tree does.
struct History;
using Node = const History*;

// Where a program is after an event, and from which time since it began it goes on there: that of the event,
// or another one after which it does the same.
struct Standing {
  Node node = nullptr;
  std::int64_t elapsed = 0;
};

// Whose chance it is: a run, and what a program that begins anew was given of the token of an earlier one.
struct Voice {
  std::uint64_t chance = 0;
  std::vector<std::string> granted = {};
};

class Program {
 public:
  virtual ~Program() = default;
  // Before anything was told.
  virtual Node root() const = 0;
  virtual TimeToTell time_to_tell() const { return TimeToTell::nothing; }
  // What next() has to be told of the time of `event`, which has none, as far as is known before. Any thread
  // may ask. REQUIRES: outside of any arena. Throws Unusable.
  virtual TimeToTell needs(Node, const Told& /*event*/) { return time_to_tell(); }
  // Any thread may ask. REQUIRES: outside of any arena. Throws Unusable.
  virtual Node next(Node node, const Told& event) = 0;
  // Whether some times stand for others: then it is asked stand_in() in place of next(), and what follows is
  // presumed (core/lock.hpp, Presumed) until it was asked.
  virtual bool has_classes() const { return false; }
  // next() of `event`, which happens `elapsed` after the program began, whether it says so or not.
  virtual Standing stand_in(Node node, const Told& event, std::int64_t elapsed) {
    return {next(node, event), elapsed};
  }
  virtual const Action& action(Node node) const = 0;
  // What it sends at `node` is presumed to be waited for as a whole: told the replies in any order, it does
  // nothing before the last of them, and then the same. REQUIRES: it waits for nothing else; outside of any
  // arena. `has_one_order`: they come in the order in which it sent.
  virtual bool waits_for_all(Node, bool /*has_one_order*/) { return false; }
  // That is not so. Any thread may say it. REQUIRES: outside of any arena.
  virtual void note_order_matters(Node) {}
  // It goes on as a run that has only begun, with other chance: it keeps nothing of what it was told since.
  virtual bool is_as_begun(Node) const { return false; }
  // What the marks are that `node` adds, in the run of `voice`, which did on the way what the tree says.
  // Any thread may ask. REQUIRES: outside of any arena. Throws Unusable; TextsRepeat.
  virtual const Parts& texts(Node node, const Voice& voice) = 0;
  // Of runs that no client is: their parts of a text with this around its marks; nullptr: unknown.
  virtual ProgramRandom::Others others(const std::string&) const { return nullptr; }
  // Where runs of the program make the same texts: there are no marks, and every run has one of these chances
  // and is told it when it begins. Empty: each has its own.
  virtual const std::vector<std::uint64_t>& chances() const {
    static const std::vector<std::uint64_t> none;
    return none;
  }
};

}  // namespace holdfast::guest
