// What of a client changes in a run, and its digest.
#pragma once

#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/trace/digest.hpp"
#include "sim/trace/event.hpp"
#include "sim/world/history.hpp"
#include "sim/world/marks.hpp"
#include "sim/world/token.hpp"

namespace holdfast {

// What the tasks of a client wait for. Each is known by its rank among those that its task waits for.
class Waits {
 public:
  void begin(const void* wait, std::uint32_t task) {
    if (first_.wait == nullptr) first_ = {wait, task};
    else more_.push_back({wait, task});
  }
  void end(const void* wait) noexcept {
    if (first_.wait != wait) {
      std::erase_if(more_, [&](const One& one) { return one.wait == wait; });
    } else {
      first_ = {};
      if (are_several()) first_ = more_.front();
      if (are_several()) more_.erase(more_.begin());
    }
  }
  std::uint64_t rank_of(const void* wait) const {
    if (wait == first_.wait) return 0;
    const auto found = find(wait);
    const auto is_before = [&](const One& one) { return one.task == found->task; };
    return static_cast<std::uint64_t>(std::count_if(more_.begin(), found, is_before)) + is_before(first_);
  }
  std::uint32_t task_of(const void* wait) const {
    return wait == first_.wait ? first_.task : find(wait)->task;
  }
  bool are_any() const { return first_.wait != nullptr; }
  bool are_any_of(std::uint32_t task) const {
    const auto is_its = [&](const One& one) { return one.task == task; };
    return are_any() && (is_its(first_) || std::any_of(more_.begin(), more_.end(), is_its));
  }
  std::size_t count() const { return more_.size() + (are_any() ? 1 : 0); }
  bool are_several() const { return !more_.empty(); }

 private:
  struct One {
    const void* wait = nullptr;
    std::uint32_t task = 0;
  };
  std::vector<One>::const_iterator find(const void* wait) const {
    const auto found =
        std::find_if(more_.begin(), more_.end(), [&](const One& one) { return one.wait == wait; });
    INVARIANT(found != more_.end(), "what is asked for is waited for");
    return found;
  }
  One first_;
  std::vector<One> more_;
};

// Of a client, all that changes in a run.
struct ClientState {
  struct Watch {
    const Stopwatch* watch;
    Instant since;
    std::uint32_t task;
    Duration skew = {};  // when it was started
  };
  // A task that runs beside the program, and what it was told.
  struct Beside {
    std::uint32_t number;
    std::uint32_t caller;  // the task that began it
    std::uint32_t line;
    Args values;
    std::coroutine_handle<> frame;
    std::uint32_t oldest_known_token;
    History observed;
    History parts;
  };
  // How things stood when the call of the lock that is going on began.
  struct BeforeCall {
    History observed;
    std::uint32_t tokens = 0;
  };
  // First what is needed whenever it goes on.
  bool began_beside = false;  // something ran beside the program when the call that goes on began
  bool cancelled = false;
  bool unreleased = false;  // the lock granted it something, taken or not, and was not told to release since
  bool claiming = false;
  bool finished = false;
  bool has_begun = false;
  bool sleep_is_work = false;  // the sleep that the program begins next
  bool in_doubt = false;       // in the call that goes on it stopped waiting for an answer
  Place place = Place::anywhere;
  std::uint32_t round = 0;
  std::uint32_t line = 0;     // of the program
  std::uint32_t attempt = 0;  // in this line
  std::uint32_t tokens;
  std::uint32_t lives = 0;          // that it has begun
  Digest made_texts = {};           // its tokens that a program made itself, the first one first
  std::uint32_t granted_token = 0;  // the token of its own that is in `grant`; 0: none
  std::uint32_t acquisitions = 0;
  std::uint32_t open = 0;         // acquisitions that were neither refused nor released
  std::uint32_t oldest_open = 1;  // none before this is open
  Acquisition acquisition = {};
  Instant sent_at = {};  // of the reply that was received last: when its request was, and when it came
  Instant reply_at = {};
  Instant asked_at = never;  // where they are counted, its requests at one instant: when, and how many
  std::uint32_t asked = 0;
  Waits waits = {};                 // for its sleeps and calls
  std::uint32_t sleeps = 0;         // how many of them are sleeps
  std::shared_ptr<Lock> lock = {};  // of its process
  std::coroutine_handle<> after_acquire = {};
  Task<Attempt> acquiring = {};
  Task<> program = {};
  // From here on, what is needed now and then.
  Grant grant = Grant();
  std::uint32_t grants = 0;          // that it has not begun to give back
  bool writes_late = false;          // it gave back, and may write before it acquires again
  std::uint32_t oldest_known_token;  // by its frames and `grant`
  Instant belief_until = never;
  History observed = {};
  BeforeCall before_call = {};
  History memory = {};          // what its lock object keeps
  bool is_memory_told = false;  // it tells
  bool is_mingled = false;      // … but something runs there whose history is part of the program's
  std::uint32_t oldest_kept_token = ~std::uint32_t{0};  // there, and known by what runs beside the program
  std::uint32_t task = 0;                               // that runs; 0: the program
  std::uint32_t tasks = 0;                              // that were begun beside it
  std::vector<Beside> beside = {};
  History parts = {};  // of the replies that it waits for together: those that are here
  FaultSet skewed_by = {};
  Duration skew = {};
  Instant periods_since = never;  // when its first period began, if its program has any
  Duration sleep_window = {};  // the sleep that the program begins next may last so much longer
  Instant paused_since = never;
  std::vector<Watch> watches = {};  // that run, in the order in which they were started
  std::vector<Grant> again = {};    // what it acquired while it held

  // How many tokens it has made since; of an identity, how many lives it has begun since.
  std::uint32_t age_of_token(std::uint32_t number) const {
    return is_identity(number) ? identities | (identities + lives - number) : tokens - number;
  }
  // Its present identity it always knows.
  bool knows_token(std::uint32_t number) const {
    return is_identity(number) ? number == identities + lives
                               : number >= std::min(oldest_known_token, oldest_kept_token);
  }
  // Those that it still knows, if all that it knows is what it was granted.
  std::uint32_t oldest_granted() const {
    return granted_token != 0 && !is_identity(granted_token) ? granted_token : tokens + 1;
  }
};

// Of a task that runs beside the program, counted from 1; of the program 0.
inline std::uint64_t place_of(std::span<const ClientState::Beside> beside, std::uint32_t task) {
  if (task == 0) return 0;
  const auto found =
      std::find_if(beside.begin(), beside.end(), [&](const auto& each) { return each.number == task; });
  return 1 + static_cast<std::uint64_t>(found - beside.begin());
}

// What the client's future depends on, but for what is on its way. Names are relative to it. `may_come_back`:
// a client that has finished may use its lock object again, in which anything may be left of what it has
// observed. Left out, for what it has observed says the same:
//   lock, after_acquire, acquiring, program: frames and objects are a function of it;
//   round, line, attempt, open, oldest_open: so is where they stand; but periods may be left out;
//   grant, again, grants, writes_late, unreleased, oldest_known_token: so is what they were given;
//   is_mingled, began_beside, before_call: so is what it runs, and was told before the call.
// Left out, for what is going to happen says the same:
//   waits: by their ranks; paused_since: by the end of the pause; finished: nothing is to come, or there is
//   no program and no start.
// Left out for other reasons:
//   cancelled, sleep_is_work, sleep_window, task: set and taken back within one step;
//   oldest_kept_token: found from memory and beside;
//   tokens, lives, made_texts, acquisitions, acquisition, tasks: names, which World::mix_client() adds where
//   somebody was told one; skewed_by: for sightings alone, and budgets tell it; skew: as long as nobody was
//   told the time.
template <class AgeOf>
Digest mix_state(Digest history, const ClientState& it, Instant now, Belief belief, bool may_be_skewed,
                 bool is_time_told, bool may_come_back, bool is_reply_dead, const AgeOf& age_of) {
  const auto& [began_beside, cancelled, unreleased, claiming, finished, has_begun, sleep_is_work, in_doubt,
               place, round, line, attempt, tokens, lives, made_texts, granted_token, acquisitions, open,
               oldest_open, acquisition, sent_at, reply_at, asked_at, asked, waits, sleeps, lock,
               after_acquire, acquiring, program, grant, grants, writes_late, oldest_known_token,
               belief_until, observed, before_call, memory, is_memory_told, is_mingled, oldest_kept_token,
               task, tasks, beside, parts, skewed_by, skew, periods_since, sleep_window, paused_since,
               watches, again] = it;
  const bool has_own_token = granted_token != 0;
  if (finished && !waits.are_any() && !may_come_back) {
    // What it left behind may still land, and be told from what is forgotten.
    const std::uint64_t known = has_own_token ? it.age_of_token(granted_token) + 1 : 0;
    return mix(history, 1 | known << 8 | std::uint64_t{acquisitions + 1 - oldest_open} << 40);
  }
  history =
      mix(sum(history, observed.at(now, age_of)),
          static_cast<std::uint64_t>(claiming) << 1 | static_cast<std::uint64_t>(place) << 2 |
              static_cast<std::uint64_t>(static_cast<bool>(program)) << 5 |
              static_cast<std::uint64_t>(in_doubt) << 40 | static_cast<std::uint64_t>(has_own_token) << 6 |
              static_cast<std::uint64_t>(has_begun && may_be_skewed) << 7 |
              static_cast<std::uint64_t>(has_own_token ? it.age_of_token(granted_token) : 0) << 8);
  if (periods_since != never)
    history = mix(mix(mix(history, Mark::periods), round), (now - periods_since).count());
  if (is_time_told && skew != Duration::zero()) history = mix(mix(history, Mark::skewed), skew.count());
  if (!parts.is_empty()) history = sum(history, parts.at(now, age_of));
  if (is_memory_told) history = mix(mix(history, Mark::memory), memory.at(now, age_of));
  for (const ClientState::Beside& each : beside)
    history = mix(mix(mix(history, Mark::beside), each.observed.at(now, age_of)), each.parts.at(now, age_of));
  if (asked_at == now) history = mix(mix(history, Mark::asked), asked);
  for (const ClientState::Watch& running : watches) {
    if (const std::uint64_t place = place_of(beside, running.task); place != 0)
      history = mix(history, Mark::beside | place << 8);
    history = mix(history, static_cast<std::uint64_t>((now - running.since).count()));
    if (skew != running.skew) history = mix(mix(history, Mark::skewed), (skew - running.skew).count());
  }
  if (belief == Belief::until_release) return history;
  history = mix(history, claiming && belief_until != never ? (belief_until - now).count() : Ticks(-1));
  // A grant counts from them, or a renewal that may still be told; of a message that is under way, its own
  // digest says when it left, if that is asked for at all: World::is_sending_asked().
  const bool is_asked = (place == Place::acquiring && !is_reply_dead) || (claiming && !grant.lease_until);
  if (is_asked && belief == Belief::deadline_from_request) history = mix(history, (now - sent_at).count());
  if (is_asked && belief == Belief::deadline_from_reply) history = mix(history, (now - reply_at).count());
  return history;
}

}  // namespace holdfast
