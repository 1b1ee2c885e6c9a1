// A world for tests in which everything happens that a trace may contain. It knows nothing of locks.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "sim/check/judge_digest_test.hpp"

namespace holdfast {

struct Bounds {
  std::uint32_t clients;
  std::vector<Mode> modes;
  std::vector<Duration>
      leases;  // counted from the grant; negative: over before it arrived. None: no time passes
  bool reuses_numbers = true;  // an acquisition that nothing refers to lends its number to the next one
  bool has_resource = false;   // that is read, and written with fences
  bool writes_late = false;    // clients write after they have released, too
  bool comes_back = false;     // waiters are stuck, clients come back, a server stays away
  bool has_faults = false;     // that strike a call, or a server
  std::uint32_t capacity = 1;  // so many clients may hold the lock at once
};

struct Move {
  enum class Verb : std::uint8_t {
    acquire,
    grant,
    refuse,
    write,
    write_in_vain,
    read,
    end_belief,
    call_release,
    release,
    fail_to_release,
    finish,  // the probe, which gives back later
    crash,
    create,
    overwrite,
    join,      // writes beside what stands there
    take_out,  // removes what stands there, and leaves the key
    remove,
    touch,
    expire,
    lose,
    pass_time,
    strike_call,
    strike_server,
    leave,
    calm,
    stick,
    come_back,
    lose_server,
    end
  };
  Verb verb;
  Acquisition who{};
  Mode mode = Mode::exclusive;
  std::optional<Duration> lease{};
  std::optional<std::uint64_t> fence{};
  bool operator==(const Move&) const = default;
};
using Verb = Move::Verb;

// Commands take effect at any time, early, late, twice;
// keys expire when they like. Each client has its latest acquisition and the ghost of the one before, whose
// commands may still land. That numbers are used again finds out a judge who forgets too little.
class Chaos {
 public:
  using Phase = Account::Phase;
  using Kind = KeyChanged::Kind;

  Chaos(const Bounds& bounds, PropertySet properties)
      : bounds_(bounds),
        judge_(properties, {}, bounds.writes_late ? ~std::uint64_t{0} : 0, bounds.capacity),
        clients_(bounds.clients) {}

  // What may come next. Runs with equal digests offer the same.
  std::vector<Move> moves() const;
  void take(const Move& move);
  // Of the world and of the judge.
  Digest digest() const;
  PropertySet violated() const { return judge_.violated(); }
  std::vector<Finding> findings() const { return judge_.findings(); }
  const std::vector<Event>& events() const { return events_; }

 private:
  struct Client {
    std::optional<Phase> phase;  // empty: idle
    Acquisition latest;
    Acquisition ghost;
    std::uint32_t acquisitions = 0;
    bool may_write_late = false;  // the latest was released
    bool has_finished = false;    // and gives the latest back
  };
  void add_program(std::vector<Move>& moves, ClientId id) const;
  void add_commands(std::vector<Move>& moves, Acquisition by) const;
  void take_program(const Move& move);
  void take_command(const Move& move);
  static KeyChanged change_of(KeyChanged::Kind kind, Acquisition by, Acquisition before, Acquisition after) {
    return {NodeId{0}, "", kind, by, before, after, "", never};
  }
  void change(KeyChanged::Kind kind, Acquisition by, Acquisition after);
  void finish(Client& client);
  void emit(What what) {
    events_.push_back(
        Event{Step{static_cast<std::uint32_t>(events_.size() + 1)}, now_, Actor{}, std::move(what)});
    judge_.on(events_.back());
  }

  const Bounds& bounds_;
  Judge judge_;
  std::vector<Client> clients_;
  Acquisition writer_;
  Instant now_{10s};
  std::vector<Event> events_;
  bool calm_ = false;
  bool over_ = false;
};

inline std::vector<Move> Chaos::moves() const {
  std::vector<Move> moves;
  if (over_) return moves;
  for (std::uint32_t i = 0; i < clients_.size(); ++i) {
    add_program(moves, ClientId{i});
    if (clients_[i].phase) add_commands(moves, clients_[i].latest);
    if (!clients_[i].ghost.is_nobody()) add_commands(moves, clients_[i].ghost);
  }
  if (!writer_.is_nobody()) {
    moves.push_back({Verb::expire});
    moves.push_back({Verb::lose});
  }
  moves.push_back({calm_ ? Verb::end : Verb::calm});
  if (bounds_.comes_back && !calm_) moves.push_back({Verb::lose_server});
  if (bounds_.has_faults) moves.push_back({Verb::strike_server});
  for (std::uint32_t i = 0; bounds_.comes_back && calm_ && i < clients_.size(); ++i)
    moves.push_back({Verb::come_back, Acquisition{ClientId{i}, 0}});
  if (!bounds_.leases.empty()) moves.push_back({Verb::pass_time});
  return moves;
}

inline void Chaos::add_program(std::vector<Move>& moves, ClientId id) const {
  const Client& client = clients_[id.value];
  if (client.may_write_late) moves.push_back({Verb::write, client.ghost});
  if (!client.phase) {
    Acquisition fresh{id, bounds_.reuses_numbers ? 1 : client.acquisitions + 1};
    while (fresh == client.ghost || fresh == writer_) ++fresh.number;
    for (const Mode mode : bounds_.modes) moves.push_back({Verb::acquire, fresh, mode});
    return;
  }
  if (client.has_finished && client.phase == Phase::ended) {
    moves.push_back({Verb::call_release, client.latest});
    return;
  }
  moves.push_back({Verb::crash, client.latest});
  if (bounds_.has_faults) moves.push_back({Verb::strike_call, client.latest});
  const bool is_in_call = client.phase == Phase::asking || client.phase == Phase::releasing;
  if (bounds_.has_faults && is_in_call) moves.push_back({Verb::leave, client.latest});
  if (client.phase == Phase::asking) {
    moves.push_back({Verb::refuse, client.latest});
    if (bounds_.comes_back) moves.push_back({Verb::stick, client.latest});
    for (const Mode mode : bounds_.modes) {
      moves.push_back({Verb::grant, client.latest, mode});
      for (const Duration lease : bounds_.leases) moves.push_back({Verb::grant, client.latest, mode, lease});
      for (const std::uint64_t fence : {1u, 2u})
        if (bounds_.has_resource) moves.push_back({Verb::grant, client.latest, mode, {}, fence});
    }
  } else if (client.phase == Phase::releasing) {
    moves.push_back({Verb::release, client.latest});
    moves.push_back({Verb::fail_to_release, client.latest});
  } else {
    moves.push_back({Verb::write, client.latest});
    if (bounds_.has_resource) moves.push_back({Verb::write_in_vain, client.latest});
    if (bounds_.has_resource) moves.push_back({Verb::read, client.latest});
    moves.push_back({Verb::call_release, client.latest});
    if (client.phase == Phase::claiming) moves.push_back({Verb::end_belief, client.latest});
    const bool is_probe = calm_ && id.value + 1 == bounds_.clients;
    if (bounds_.comes_back && is_probe) moves.push_back({Verb::finish, client.latest});
  }
}

inline void Chaos::add_commands(std::vector<Move>& moves, Acquisition by) const {
  if (writer_.is_nobody()) {
    moves.push_back({Verb::create, by});
    return;
  }
  for (const Verb verb : {Verb::overwrite, Verb::join, Verb::take_out, Verb::remove, Verb::touch})
    moves.push_back({verb, by});
}

inline void Chaos::take(const Move& move) {
  if (move.verb == Verb::pass_time) now_ += 1s;
  else if (move.verb <= Verb::crash) take_program(move);
  else take_command(move);
}

inline void Chaos::take_program(const Move& move) {
  Client& client = clients_[move.who.client.value];
  switch (move.verb) {
    case Verb::acquire:
      client.latest = move.who;
      ++client.acquisitions;
      client.phase = Phase::asking;
      client.may_write_late = false;
      return emit(Acquiring{move.who, "", move.mode});
    case Verb::grant:
      client.phase = Phase::claiming;
      return emit(Granted{move.who, move.mode, move.lease ? now_ + *move.lease : never, move.fence, ""});
    case Verb::write: return emit(Wrote{move.who, true});
    case Verb::write_in_vain: return emit(Wrote{move.who, false});
    case Verb::read: return emit(Read{move.who, true});
    case Verb::end_belief: client.phase = Phase::ended; return emit(BeliefEnded{move.who});
    case Verb::call_release: client.phase = Phase::releasing; return emit(Releasing{move.who});
    case Verb::refuse: emit(Refused{move.who, Attempt::Kind::refused, ""}); return finish(client);
    case Verb::finish:
      client.phase = Phase::ended;
      client.has_finished = true;
      return emit(Finished{move.who.client, ""});
    case Verb::crash: emit(Crashed{move.who.client}); return finish(client);
    default:
      emit(Released{move.who, move.verb == Verb::release ? Release::released : Release::unknown});
      client.may_write_late = bounds_.writes_late && !client.has_finished;
      return finish(client);
  }
}

inline void Chaos::take_command(const Move& move) {
  switch (move.verb) {
    case Verb::create: return change(Kind::created, move.who, move.who);
    case Verb::overwrite: return change(Kind::overwritten, move.who, move.who);
    case Verb::join: return emit(change_of(Kind::overwritten, move.who, {}, move.who));
    case Verb::take_out: return change(Kind::overwritten, move.who, {});
    case Verb::remove: return change(Kind::removed, move.who, {});
    case Verb::touch: return change(Kind::ttl_changed, move.who, writer_);
    case Verb::expire: return change(Kind::expired, {}, {});
    case Verb::lose: return change(Kind::lost, {}, {});
    case Verb::strike_call: return emit(GaveUp{MessageId{1}, move.who});
    case Verb::leave: return emit(Left{move.who});
    case Verb::strike_server: return emit(ServerRestarted{NodeId{0}});
    case Verb::stick: return emit(Stuck{move.who});
    case Verb::lose_server: return emit(Partitioned{ClientId{0}, NodeId{0}, never, true, true});
    case Verb::come_back: return emit(CameBack{move.who.client, 10s});
    case Verb::calm: calm_ = true; return emit(Calm{ClientId{bounds_.clients - 1}, 15s});
    default: over_ = true; return emit(Ended{});
  }
}

inline void Chaos::change(KeyChanged::Kind kind, Acquisition by, Acquisition after) {
  const Acquisition before = std::exchange(writer_, after);
  emit(change_of(kind, by, before, after));
}

inline void Chaos::finish(Client& client) {
  client.phase.reset();
  client.has_finished = false;
  client.ghost = client.latest;
  client.latest = {};
}

inline Digest Chaos::digest() const {
  Digester digester;
  const auto add = [&](Acquisition who) { digester.add(std::uint64_t{who.client.value} << 32 | who.number); };
  for (const Client& client : clients_) {
    digester.add((client.phase ? static_cast<std::uint64_t>(*client.phase) + 1 : 0) |
                 std::uint64_t{client.may_write_late} << 8 | std::uint64_t{client.has_finished} << 9);
    add(client.latest);
    add(client.ghost);
  }
  add(writer_);
  digester.add(std::uint64_t{calm_} | std::uint64_t{over_} << 1);
  digester.add(digest_of(judge_, now_));
  return digester.finish();
}

inline const PropertySet six{Property::mutual_exclusion,   Property::no_stale_write,
                             Property::owner_only_release, Property::owner_only_change,
                             Property::truthful_release,   Property::recovery};

}  // namespace holdfast
