// The contract of a lock algorithm. To add one, write algorithms/<id>.cpp and read nothing but sim/core.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/background.hpp"
#include "sim/core/env.hpp"
#include "sim/core/invariant.hpp"
#include "sim/core/memory.hpp"
#include "sim/core/params.hpp"
#include "sim/core/store.hpp"
#include "sim/core/task.hpp"
#include "sim/core/vocabulary.hpp"

namespace holdfast {

// What acquire() brings back when the lock was granted.
class Grant {
 public:
  explicit Grant(std::string text = std::string()) : token(std::move(text)) {}

  // What the store holds for this grant; handed back to release(). Need not be unique (several locks get that
  // wrong).
  std::string token;
  // Until when the algorithm itself says that the lease lasts, by this client's wall clock: for locks that
  // keep the expiry as a value. Locks whose expiry is a Redis TTL leave it empty.
  std::optional<WallTime> lease_until;
  // How long the lease lasts, counted from the request whose reply was received last, or from that reply: as
  // the client's belief wants it. Empty: for ever.
  std::optional<Duration> lease;
  // Grows with every grant; a resource that remembers the highest can refuse the others.
  std::optional<std::uint64_t> fence;
};

// The outcome of acquire(). Refused and failed differ: after `failed` the client does not know what the store
// did.
class Attempt {
 public:
  enum class Kind : std::uint8_t { granted, refused, failed };
  // A text of the program itself: most refusals say the same, and need no memory for it.
  class Literal {
   public:
    consteval Literal(const char* text) : text_(text) {}
    const char* text() const { return text_; }

   private:
    const char* text_;
  };

  Attempt(Grant grant) : kind_(Kind::granted), grant_(std::make_unique<Grant>(std::move(grant))) {}
  // `why` is upstream's own text, where it has one.
  static Attempt refused(Literal why) { return Attempt(Kind::refused, why); }
  static Attempt refused(std::same_as<std::string> auto why) {
    return Attempt(Kind::refused, std::move(why));
  }
  static Attempt failed(Literal why) { return Attempt(Kind::failed, why); }
  static Attempt failed(std::same_as<std::string> auto why) { return Attempt(Kind::failed, std::move(why)); }

  Kind kind() const { return kind_; }
  bool is_granted() const { return kind_ == Kind::granted; }
  // REQUIRES: is_granted().
  const Grant& grant() const { return *grant_; }
  // Empty when granted.
  std::string why() const { return literal_ != nullptr ? literal_ : why_; }

 private:
  Attempt(Kind kind, std::string why) : kind_(kind), why_(std::move(why)) {}
  Attempt(Kind kind, Literal why) : kind_(kind), literal_(why.text()) {}
  Kind kind_;
  const char* literal_ = nullptr;  // in place of `why_`
  std::unique_ptr<Grant> grant_;   // small in the frames that pass it on
  std::string why_;
};

// What release() tells its caller.
enum class Release : std::uint8_t {
  released,  // "it was mine, and now it is free"
  not_held,  // "it was not mine any more"
  unknown,   // no answer, or an error
};

static_assert(SafeInAwait<Grant> && SafeInAwait<Attempt>);

class Lock {
 public:
  virtual ~Lock() = default;
  // One acquire() of the upstream library: it waits and retries only if upstream does.
  // `env` outlives the task; everything else is taken by value, because a coroutine outlives its caller's
  // temporaries.
  virtual Task<Attempt> acquire(Env& env, std::string key, Mode mode) = 0;
  virtual Task<Release> release(Env& env, std::string key, Grant grant) = 0;
  // Throws UnusableLock where it happened while nothing could be thrown, or no task waited for it.
  virtual void require_usable() const {}
  // Tells all that the object keeps between calls. False: it may keep anything, and exploration counts
  // everything that its client was ever told.
  virtual bool recall(Memory&) const { return false; }
};

// A lock whose object keeps `Kept` between calls, an aggregate of at most eight members, and is constant
// in all else: its methods are const. So nothing that it keeps can be left out.
template <class Kept>
class LockThatKeeps : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode mode) final {
    return std::as_const(*this).acquire(env, std::move(key), mode);
  }
  Task<Release> release(Env& env, std::string key, Grant grant) final {
    return std::as_const(*this).release(env, std::move(key), std::move(grant));
  }
  bool recall(Memory& memory) const final {
    holdfast::recall(memory, kept_);
    return true;
  }

 protected:
  virtual Task<Attempt> acquire(Env& env, std::string key, Mode mode) const = 0;
  virtual Task<Release> release(Env& env, std::string key, Grant grant) const = 0;
  Kept& kept() const { return kept_; }

 private:
  mutable Kept kept_;
};

// "These properties hold under each of these faults, within the bounds of the default comparison." Tests hold
// it to that.
struct Claim {
  PropertySet properties;
  FaultSet under;
};

// What a lock sends, in words, commands in capitals: by which command it takes, renews and gives back.
struct Protocol {
  std::string_view acquire;
  std::string_view renew = {};  // empty: it renews nothing
  std::string_view release;
};

// A known defect of a lock, and what shows it: a lesson, or what `instead` says.
struct KnownBug {
  std::string_view what;          // one sentence
  std::string_view tracker = {};  // where upstream discusses it: "redis/redis-py #818"; empty: nowhere known
  std::string_view lesson = {};   // of scenarios/lessons: this lock breaks there; empty: see `instead`
  std::string_view repair = {};   // of scenarios/lessons: a repaired lock holds there
  std::string_view instead = {};  // why no run of a scenario can show it, and what does
};

// Lines of a file of upstream that a lock transcribes. `digest` is of their text (core/transcript.hpp).
struct Excerpt {
  std::string_view file;
  std::uint32_t first;
  std::uint32_t last;
  std::string_view digest;
};

// A file from which a lock transcribes lines: `digest` is of all its lines, so that a default that changes
// elsewhere in it is seen.
struct WholeFile {
  std::string_view file;
  std::string_view digest;
};

// What lies below the library: its driver, or another library whose lock it uses.
struct Below {
  std::string_view repository;
  std::string_view commit;
  std::vector<Excerpt> excerpts;
};

// The library whose behaviour a lock reproduces.
struct Upstream {
  std::string_view name;                    // what its users call it: "Laravel Cache::lock"
  std::string_view language;                // which they use it in: "PHP"
  std::vector<std::string_view> also = {};  // other words to find it by: "laravel", "illuminate"
  std::string_view repository;              // on GitHub: "laravel/framework"
  std::string_view commit;                  // 40 hexadecimal digits
  std::vector<Excerpt> excerpts;
  std::vector<WholeFile> files = {};  // those of the excerpts
  std::vector<Below> below = {};
};

// Another life of upstream, whose verdicts differ: it is a row of its own in comparisons, the lock of the
// card with other defaults.
struct Edition {
  std::string_view name;     // "2015": the id is that of the card, a hyphen, and this
  std::string_view summary;  // one line: what is different
  std::vector<std::pair<std::string_view, std::string_view>> params = {};
  std::optional<std::uint32_t> driver_retries = std::nullopt;
};

// The public face of an algorithm. algorithms/set_nx_px.cpp defines `Card holdfast::algorithms::set_nx_px()`,
// with id "set-nx-px"; CMake collects the table from the file names.
// What is taken for granted of a lock while it is explored, and can be asked of it: of a program, that it
// does the same after some times, or after some replies in any order.
class Presumed {
 public:
  struct Answer {
    bool is_refuted = false;  // something is not so, and is not taken for granted any more: explore anew
    std::uint64_t asked = 0;  // of …
    std::uint64_t all = 0;    // … so many questions; all the same answer, if not refuted
  };
  virtual ~Presumed() = default;
  // Another one whenever something was refuted.
  virtual std::uint64_t version() const = 0;
  // Something turned out not to be so meanwhile: ask() says so, and what is explored until then is in vain.
  virtual bool is_in_doubt() const { return false; }
  // Any thread may ask. `is_over`: there is no time for more questions.
  virtual Answer ask(const std::function<bool()>& is_over) = 0;
};

struct Card {
  std::string_view id;
  std::string_view summary;                         // one line: how it works
  std::string_view source;                          // document or repository, with version
  std::optional<Upstream> upstream = std::nullopt;  // empty: of no library
  std::string_view lesson;                          // a paragraph: what it teaches
  Protocol protocol;
  std::vector<Claim> claims;
  std::vector<KnownBug> bugs;
  // How often upstream's driver, as it is installed, sends a request again for which no answer came. Its
  // waits of some milliseconds in between are left out.
  std::uint32_t driver_retries = 0;
  std::string_view driver = {};           // of which driver and version that is true, and how it was seen
  std::vector<Edition> editions = {};     // that have rows beside this one
  Belief belief = Belief::until_release;  // what upstream does
  BeliefSet beliefs = {Belief::until_release};  // what makes sense
  // A lease that users can choose is called "ttl", the number of several Redis nodes "nodes".
  std::vector<Parameter> parameters;
  std::function<std::unique_ptr<Lock>(const Params& params)> make = nullptr;  // one per client
  std::function<Presumed*()> presumed = nullptr;  // of the locks that are made now; empty: nothing is
  // The lock object keeps nothing between calls but its parameters, and at most whether it has granted
  // something since the last release(): what acquire() and release() do depends on that, on their arguments
  // and on what they are told, alone. Lets exploration forget what a finished call has seen. A promise
  // that is broken is found when states are audited.
  bool is_stateless = false;
  // If all clocks show so many whole seconds more, it does the same: it compares times, adds durations and
  // rounds to seconds, no more. What it keeps or writes of a time is the time, as a number of seconds,
  // milliseconds or microseconds since 1970, or as "2023-11-14T22:13:20.000Z". Lets exploration forget when
  // things were.
  // A promise that is broken is found when states are audited.
  bool ignores_date = false;
  // Keys where the store counts numbers that the lock adds to and compares, no more: the store alone makes
  // them, and the lock does the same with others that are as far from each other, or far (counts.hpp). "%"
  // stands for the name of the lock. Where there is no end of rounds, they begin with first_count, and states
  // say how far apart numbers are.
  // A promise that is broken is found when states are audited.
  std::vector<std::string_view> counters = {};
  // A program in another language: a step of it takes several times as long as one in C++.
  bool is_guest = false;
  // Its parameter `ttl` is what its author has chosen: it is asked for that, and not for what all locks are.
  bool keeps_ttl = false;
  StoreKind store = StoreKind::redis;
  // It is one of those that stand for their store where stores are compared, and is held until this ends.
  // Empty: it has no row there.
  std::optional<Tenure> stands_for_store = std::nullopt;
  // It renews its lease while it is held: to try that, the work under it must last longer than the lease.
  bool renews = false;
  // It keeps sessions, a record or several locks alive beside all that its clients do: its cells take as long
  // as those of ten others, so that a comparison has it if it is named.
  bool is_compared_by_name = false;
  // Clients that ask for shared mode hold it together. Otherwise the lock ignores the mode.
  bool has_readers = false;
  // So many clients may hold it at once: a semaphore. They are alike; who reads and who writes is no matter.
  std::uint32_t capacity = 1;
  // Its holder may acquire it again, and holds it until it was released as often.
  bool is_reentrant = false;
  // Parameters with which acquire() waits until it is granted, or has had enough; times are whole seconds, so
  // that exploration closes. Empty, and nothing is called "timeout" or "blocking": it never waits.
  std::vector<std::pair<std::string_view, std::string_view>> waiting = {};
  // In its file, and in headers beside it that it includes. The build finds them.
  std::span<const AwaitLine> awaits = {};
  // The keys that hold a grant of it, where NAME stands for the name of the lock: "lock:NAME". Empty: they
  // are found out, from what the lock does when it is alone.
  std::vector<std::string_view> keys = {};

  bool needs_several_servers() const { return Params(parameters).has("nodes"); }
};

// A lock that cannot be run at all, found out while it runs: a program in another language that needs what is
// not there. what() is one line for its author. Ends the exploration.
class UnusableLock : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A card that cannot be used. what() is one line for its author.
class BadCard : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
// Throws BadCard.
void require_sound(const Card& card);

namespace algorithms {
// Calls every function of algorithms/; generated from the file names.
std::vector<Card> make_all();

// The functions that it calls, by name, in the same order.
std::vector<std::string_view> function_names();
// The id of each card is the name of its file, and no two are alike. Throws BadCard.
void require_sound(const std::vector<Card>& cards, const std::vector<std::string_view>& functions);

// So many cards stay where they are.
inline constexpr std::size_t cards_max = 512;
inline const std::unique_ptr<std::vector<Card>>& table() {
  static const auto cards = [] {
    auto made = std::make_unique<std::vector<Card>>(make_all());
    made->reserve(cards_max);
    return made;
  }();
  return cards;
}
// Every algorithm, in the order of ids, and then those that were added.
inline const std::vector<Card>& all() { return *table(); }
// A lock that is a file of the user's. REQUIRES: nothing runs yet; there are fewer than cards_max.
inline const Card& add(Card card) {
  INVARIANT(all().size() < cards_max, "a command line names few locks");
  return table()->emplace_back(std::move(card));
}
inline void require_sound() { require_sound(make_all(), function_names()); }
// nullptr when there is none.
inline const Card* find(std::string_view id) {
  for (const Card& card : all())
    if (card.id == id) return &card;
  return nullptr;
}
}  // namespace algorithms

}  // namespace holdfast
