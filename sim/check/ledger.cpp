#include "sim/check/ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace holdfast {
namespace {

using Phase = Account::Phase;
using Hold = Account::Hold;
using Kind = KeyChanged::Kind;

// As many acquisitions as are alive at once in a small run.
constexpr std::size_t usual_accounts = 4;

template <class Value>
constexpr std::uint64_t bits(Value value, int shift) {
  return static_cast<std::uint64_t>(value) << shift;
}

std::uint64_t word_of(Instant later, Instant earlier) {
  return static_cast<std::uint64_t>((later - earlier).count());
}

// An instant in the future, relative to now: 0 when past, for all past instants are alike.
std::uint64_t word_of_deadline(Instant deadline, Instant now) {
  if (deadline == never) return std::numeric_limits<std::uint64_t>::max();
  return is_surely_before(deadline, now) ? 0 : word_of(deadline, now) + 1;
}

bool is_write(Kind kind) { return kind == Kind::created || kind == Kind::overwritten; }
bool is_end(Kind kind) { return kind == Kind::removed || kind == Kind::expired || kind == Kind::lost; }

std::uint64_t bit_of(NodeId node) { return std::uint64_t{1} << (node.value & 63); }

// What a change does to the acquisition whose value it met.
void suffer(Account& account, const KeyChanged& change, Moment moment) {
  const bool is_own = change.by == account.acquisition;
  if (!is_own && account.phase == Phase::asking) {
    std::optional<Deed>* early = nullptr;
    if (removes(change)) early = &account.early_removal;
    else if (change.kind == Kind::overwritten || renews_of_another(change))
      early = &account.early_change;
    if (early != nullptr && !*early) *early = Deed{change.by, moment};
  }
  const bool is_replaced = change.kind == Kind::overwritten || change.kind == Kind::restored;
  const bool ends_hold = is_end(change.kind) || removes(change) || (is_replaced && !is_own);
  if (!ends_hold || account.hold != Hold::held) return;
  account.held_on &= ~bit_of(change.node);
  if (is_own && account.phase != Phase::asking) {
    account.hold = Hold::freed;
    return;
  }
  if (account.held_on != 0) return;
  account.hold = Hold::missing;
  account.loss = Loss{change.kind, change.by, moment};
}

}  // namespace

bool removes(const KeyChanged& change) {
  return change.kind == Kind::removed ||
         (change.kind == Kind::overwritten && !change.before.is_nobody() && change.after != change.by);
}

bool renews_of_another(const KeyChanged& change) {
  const bool is_own = !change.by.is_nobody() && change.by.client == change.before.client;
  return change.kind == Kind::ttl_changed && !is_own;
}

Ledger::Ledger(std::uint64_t late_writers) : late_writers_(late_writers) {
  accounts_.reserve(usual_accounts);
  keys_.reserve(1);
}

void Ledger::on(const Event& event) {
  const Moment moment{event.step, event.at};
  std::visit(
      [&](const auto& what) {
        if constexpr (requires { note(what, moment); }) note(what, moment);
      },
      event.what);
  excuse(event);
}

// --- accounts ---

const Account* Ledger::find(Acquisition acquisition) const {
  for (const Account& account : accounts_)
    if (account.acquisition == acquisition) return &account;
  return nullptr;
}

Account* Ledger::find(Acquisition acquisition) {
  return const_cast<Account*>(static_cast<const Ledger*>(this)->find(acquisition));
}

Account& Ledger::open(Acquisition acquisition) {
  if (Account* const known = find(acquisition)) return *known;
  const auto place = std::find_if(accounts_.begin(), accounts_.end(),
                                  [&](const Account& account) { return acquisition < account.acquisition; });
  Account account;
  account.acquisition = acquisition;
  return *accounts_.insert(place, account);
}

void Ledger::close(Acquisition acquisition) {
  std::erase_if(accounts_, [&](const Account& account) { return account.acquisition == acquisition; });
}

void Ledger::close_all(ClientId client) {
  std::erase_if(accounts_, [&](const Account& account) { return account.acquisition.client == client; });
}

// --- events ---

void Ledger::note(const Acquiring& what, Moment moment) {
  const ClientId client = what.acquisition.client;
  if (writes_late(client))
    std::erase_if(accounts_, [&](const Account& account) {
      return account.acquisition.client == client && account.phase == Phase::releasing;
    });
  Account& account = open(what.acquisition);
  account.mode = what.mode;
  account.asked = moment;
}

void Ledger::note(const Granted& what, Moment moment) {
  Account& account = open(what.acquisition);
  account.mode = what.mode;
  account.phase = Phase::claiming;
  account.lease_until = what.lease_until;
  account.granted = moment;
  account.fence = what.fence;
  account.is_excused = false;
  for (Account& other : accounts_) {
    const bool may_write = other.phase == Phase::claiming ||
                           (other.phase == Phase::ended && !other.is_over) ||
                           (other.phase == Phase::releasing && writes_late(other.acquisition.client));
    const bool is_another_client = other.acquisition.client != what.acquisition.client;
    if (may_write && is_another_client && clash(other.mode, what.mode) && !other.overtaken)
      other.overtaken = Deed{what.acquisition, moment};
  }
}

void Ledger::note(const Refused& what, Moment) { close(what.acquisition); }

void Ledger::note(const BeliefEnded& what, Moment) {
  if (Account* const account = find(what.acquisition)) account->phase = Phase::ended;
}

void Ledger::note(const Releasing& what, Moment moment) {
  Account* const account = find(what.acquisition);
  if (account == nullptr) return;
  // When its lease is over, its client has nothing to give back.
  account->is_excused = account->phase != Phase::claiming || moment.at >= account->lease_until;
  account->phase = Phase::releasing;
  if (writes_late(what.acquisition.client)) return;
  // It writes no more: what others do to the resource is of no interest to it.
  account->overtaken.reset();
  account->read.reset();
  account->changed_since.reset();
}

void Ledger::note(const Released& what, Moment) {
  if (!writes_late(what.acquisition.client)) return close(what.acquisition);
  // Only its writes matter now.
  if (Account* const account = find(what.acquisition)) {
    account->hold = Hold::missing;
    account->held_on = 0;
    account->is_over = true;
  }
}
void Ledger::note(const Crashed& what, Moment) { close_all(what.client); }
void Ledger::note(const PeriodOver& what, Moment) { close_all(what.client); }
void Ledger::note(const Calm& what, Moment) { probe_ = what.probe; }

void Ledger::note(const Finished& what, Moment) {
  if (what.client != probe_) return close_all(what.client);
  std::erase_if(accounts_, [&](const Account& account) {
    const bool is_held = account.phase == Phase::claiming || account.phase == Phase::ended;
    return account.acquisition.client == probe_ && (!is_held || account.mode == Mode::shared);
  });
  // Only what it holds matters now.
  for (Account& account : accounts_) {
    if (account.acquisition.client != probe_) continue;
    account.phase = Phase::ended;
    account.is_over = true;
    account.is_disturbed = false;
    account.overtaken.reset();
    account.fence.reset();
    account.read.reset();
    account.changed_since.reset();
  }
}

void Ledger::note(const KeyChanged& what, Moment moment) {
  note_standing(what, moment);
  note_hands(what);
  if (Account* const account = find(what.before)) suffer(*account, what, moment);
  Account* const writer = find(what.by);
  if (writer == nullptr || writer->phase != Phase::asking || !is_write(what.kind)) return;
  writer->hold = Hold::held;
  writer->held_on |= bit_of(what.node);
  writer->wrote |= what.node == NodeId{0};
  writer->early_removal.reset();
  writer->early_change.reset();
}

void Ledger::note(const Read& what, Moment moment) {
  Account* const account = find(what.acquisition);
  if (account == nullptr || !what.accepted) return;
  account->read = moment;
  account->changed_since.reset();
}

void Ledger::note(const Wrote& what, Moment moment) {
  if (!what.accepted) return;
  for (Account& other : accounts_)
    if (other.read && !other.changed_since && other.acquisition != what.acquisition)
      other.changed_since = Deed{what.acquisition, moment};
}

// A lease that its client counts by its wall clock moves with it. One that has ended does not come back.
void Ledger::note(const ClockSkewed& what, Moment moment) {
  for (Account& account : accounts_) {
    const bool is_counted = account.lease_until != never && account.lease_until >= moment.at;
    if (account.acquisition.client == what.client && is_counted) account.lease_until -= what.by;
  }
}

// Who takes a lock from another and is refused has not taken one for itself: that is owner-only-change. And
// what stands after it was removed, by whomever, may come from a request that was late, or sent twice.
void Ledger::note_hands(const KeyChanged& what) {
  Account* const before = find(what.before);
  Account* const after = what.after == what.by ? find(what.by) : nullptr;
  if (before == after) return;
  const bool is_at_work = before != nullptr && !before->is_over;
  if (is_at_work && after != nullptr && after->phase == Phase::asking) after->is_excused = true;
  for (Account* const each : {before, after})
    if (each != nullptr && !each->is_over && each->phase == Phase::releasing)
      each->is_excused |= each->is_disturbed;
}

// What may keep a call from freeing what it wrote: its client stood, or did not get an answer, or what it
// sent came twice or late; or a server forgot.
void Ledger::excuse(const Event& event) {
  const auto excuse_those = [&](auto is_concerned) {
    for (Account& account : accounts_)
      if (is_concerned(account.acquisition)) account.is_excused = account.is_disturbed = true;
  };
  const auto excuse_client = [&](ClientId client) {
    excuse_those([&](Acquisition each) { return each.client == client; });
  };
  std::visit(
      [&]<class What>(const What& what) {
        constexpr EventKinds kind = events_of<What>();
        if constexpr ((kind & events_of<GaveUp, Cancelled>()) != 0)
          excuse_those([&](Acquisition each) { return each == what.acquisition; });
        else if constexpr ((kind & events_of<Paused, ClockSkewed>()) != 0) excuse_client(what.client);
        else if constexpr ((kind & events_of<MessageFault>()) != 0)
          if (event.actor.kind == Actor::Kind::client) excuse_client(ClientId{event.actor.index});
        if constexpr ((kind & faults_of_servers) != 0) excuse_those([](Acquisition) { return true; });
      },
      static_cast<const AnyEvent&>(event.what));
}

void Ledger::note_standing(const KeyChanged& what, Moment moment) {
  const auto known = std::find_if(keys_.begin(), keys_.end(), [&](const StandingKey& key) {
    return key.node == what.node && key.name == what.key;
  });
  if (is_end(what.kind)) {
    if (known != keys_.end()) keys_.erase(known);
    return;
  }
  StandingKey& key = known != keys_.end() ? *known : keys_.emplace_back(StandingKey{what.node, what.key, {}});
  key.expires_at = what.expires_at;
  if (!is_write(what.kind) && what.kind != Kind::restored) return;
  key.owner = what.after;
  std::erase_if(key.writes,
                [&](const Deed& write) { return write.by == what.by || write.by == what.before; });
  if (what.kind == Kind::restored) key.writes = {{what.after, moment}};
  else if (what.after == what.by || key.writes.empty()) key.writes.push_back({what.by, moment});
}

Moment StandingKey::written() const {
  for (const Deed& write : writes)
    if (write.by == owner) return write.moment;
  return writes.empty() ? Moment{} : writes.back().moment;
}

// --- digest ---

Digest Ledger::mix_client(Digest history, ClientId client, std::uint32_t latest, Instant now, FactSet facts,
                          const Counts& counts) const {
  if (facts.empty()) return history;
  for (const Account& account : accounts_) {
    if (account.acquisition.client != client) continue;
    const bool is_asking = account.phase == Phase::asking;
    const bool has_lease =
        account.phase == Phase::claiming && facts.contains(Fact::lease) && account.lease_until != never;
    const bool was_removed = is_asking && facts.contains(Fact::early_removal) && account.early_removal;
    const bool was_changed = is_asking && facts.contains(Fact::early_change) && account.early_change;
    const bool was_granted = account.phase == Phase::claiming && facts.contains(Fact::granted);
    const bool has_fence = facts.contains(Fact::fence) && account.fence;
    const bool has_read = facts.contains(Fact::read) && account.read;
    const bool is_elsewhere = facts.contains(Fact::hold) && account.held_on > 1;
    std::uint64_t word = bits(account.phase, 0) | bits(account.mode, 2);
    if (facts.contains(Fact::hold)) word |= bits(account.hold, 3);
    if (facts.contains(Fact::overtaken)) word |= bits(account.overtaken.has_value(), 5);
    word |= bits(has_lease, 6) | bits(was_removed, 7) | bits(was_changed, 8) | bits(is_elsewhere, 9) |
            bits(has_fence, 10) | bits(has_read, 11);
    if (has_read) word |= bits(account.changed_since.has_value(), 12);
    if (is_asking && facts.contains(Fact::wrote)) word |= bits(account.wrote, 13);
    const bool may_leave = facts.contains(Fact::excused) && (is_asking || account.mode == Mode::exclusive);
    const bool is_in_call = is_asking || account.phase == Phase::releasing;
    if (may_leave) word |= bits(is_in_call && account.is_excused, 14) | bits(account.is_disturbed, 15);
    if (facts.contains(Fact::excused)) word |= bits(account.is_over, 16);
    history = mix(history, word | bits(latest - account.acquisition.number, 17));
    if (has_lease) history = mix(history, word_of_deadline(account.lease_until, now));
    if (was_removed) history = mix(history, word_of(now, account.early_removal->moment.at));
    if (was_changed) history = mix(history, word_of(now, account.early_change->moment.at));
    if (is_elsewhere) history = mix(history, account.held_on);
    if (was_granted) history = mix(history, word_of(now, account.granted.at));
    if (has_fence) history = mix(history, counts.seen(*account.fence));
  }
  return history;
}

void Ledger::note_counts(Counts& counts) const {
  for (const Account& each : accounts_)
    if (each.fence) counts.note(*each.fence);
}

// --- words ---

std::string text_of(Instant instant) { return to_text(instant.time_since_epoch()); }

std::string name_of(Acquisition acquisition) {
  return acquisition.is_nobody() ? "somebody" : name_of(acquisition.client);
}

std::string name_of(Acquisition by, ClientId as_seen_by) {
  const bool is_same_client = !by.is_nobody() && by.client == as_seen_by;
  return is_same_client ? "another acquisition of " + name_of(by.client) : name_of(by);
}

std::string fate_of_key(const Account& account) {
  if (account.hold == Hold::held) return "its key still stands";
  const bool is_own = account.loss && account.loss->by == account.acquisition;
  if (account.hold == Hold::freed || is_own) return "its own command removed its key";
  if (!account.loss) return "the store never held a key of it";
  const Loss& loss = *account.loss;
  const std::string when = text_of(loss.moment.at);
  const std::string who = name_of(loss.by, account.acquisition.client);
  if (loss.kind == Kind::expired) return fmt::format("its key expired at {}", when);
  if (loss.kind == Kind::lost || loss.kind == Kind::restored)
    return fmt::format("the server lost its key at {}", when);
  if (loss.kind == Kind::removed) return fmt::format("its key was removed by {} at {}", who, when);
  return fmt::format("its key was overwritten by {} at {}", who, when);
}

}  // namespace holdfast
