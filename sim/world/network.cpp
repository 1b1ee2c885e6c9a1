// How requests and replies travel: the only place where a message can be late or lost, and where the server
// acts.
#include <algorithm>

#include "sim/core/invariant.hpp"
#include "sim/world/world.hpp"

namespace holdfast {
namespace {

// Timed runs draw a delay as one of this many equal parts of the interval.
constexpr std::uint32_t delay_parts = 16;

KeyChanged::Kind kind_of(redis::Change::Kind kind) {
  switch (kind) {
    case redis::Change::Kind::created: return KeyChanged::Kind::created;
    case redis::Change::Kind::overwritten: return KeyChanged::Kind::overwritten;
    case redis::Change::Kind::removed: return KeyChanged::Kind::removed;
    case redis::Change::Kind::expired: return KeyChanged::Kind::expired;
    case redis::Change::Kind::ttl_changed: break;
  }
  return KeyChanged::Kind::ttl_changed;
}

}  // namespace

// Forgets a message that nobody waits for and that is not on its way.
void World::settle(Message& message) {
  using Kind = Pending::Kind;
  if (message.call != nullptr || message.has(Kind::request) || message.has(Kind::reply)) return;
  free_slots_.push_back(slot_of(message));
  message = Message();
}

// What is not due yet in a timed run stays where it is and is_cancelled().
void World::drop_pending(Pending::Kind kind, Message& message) {
  message.remove(kind);
  std::erase_if(pending_, [&](const Pending& pending) {
    return pending.kind == kind && pending.message == message.id;
  });
}

void World::submit(ClientId id, NodeId node, Call& call) {
  Client& caller = client(id);
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(messages_.size()));
    messages_.emplace_back();
  }
  Message& sent = messages_[free_slots_.back()];
  call.message = MessageId{free_slots_.back()};
  free_slots_.pop_back();
  sent.id = MessageId{++messages_sent_};
  sent.client = id;
  sent.node = node;
  sent.acquisition = caller.acquisition();
  sent.call = &call;
  sent.command = call.take_command();
  caller.note_sent(now_);
  if (trace_.wants<Sent>())
    emit(actor_of(id), Sent{sent.id,
                            node,
                            sent.acquisition,
                            sent.command.argv(),
                            {call.where().file_name(), call.where().line()}});
  const Instant give_up = now_ + caller.true_length(scenario_.timing.timeout);
  sent.add(Pending::Kind::timeout);
  schedule({.kind = Pending::Kind::timeout,
            .client = id,
            .earliest = give_up,
            .latest = give_up,
            .message = sent.id,
            .slot = slot_of(sent)});
  send_request(sent);
}

void World::forget(Call& call) noexcept {
  Message& orphan = messages_[call.message.value];
  if (orphan.call != &call) return;
  orphan.call = nullptr;
  note_content(orphan);
  drop_pending(Pending::Kind::timeout, orphan);
  drop_pending(Pending::Kind::reply, orphan);
  settle(orphan);
}

void World::send_request(Message& sent) {
  const auto strike = faults_.offer(choices_, Site::request, {Fault::lost_request, Fault::late_request},
                                    sent.client, client(sent.client).place());
  if (strike) {
    sightings_.struck.insert(strike->kind);
    emit(actor_of(sent.client), MessageFault{strike->kind, sent.id});
    if (strike->kind == Fault::lost_request) return;
  }
  travel(Pending::Kind::request, sent, strike);
}

void World::send_reply(Message& sent) {
  const auto strike = faults_.offer(choices_, Site::reply, {Fault::lost_reply, Fault::late_reply},
                                    sent.client, client(sent.client).place());
  if (strike) {
    sightings_.struck.insert(strike->kind);
    emit(actor_of(sent.node), MessageFault{strike->kind, sent.id});
    if (strike->kind == Fault::lost_reply) return;
  }
  travel(Pending::Kind::reply, sent, strike);
}

// A message that is late arrives later than any other could, and at most the fault's magnitude later.
void World::travel(Pending::Kind kind, Message& sent, const std::optional<Strike>& late) {
  const Timing& timing = scenario_.timing;
  Pending pending{.kind = kind,
                  .client = sent.client,
                  .earliest = now_ + timing.delay_min,
                  .latest = now_ + timing.delay_max,
                  .message = sent.id,
                  .slot = slot_of(sent)};
  sent.add(kind);
  if (late) {
    pending.earliest = pending.latest + timing.tick;
    pending.latest = std::max(pending.earliest, now_ + late->magnitude);
  }
  if (calm_) pending.latest = pending.earliest;
  if (is_timed() && !calm_) {
    const Duration window = pending.latest - pending.earliest;
    const std::uint32_t part =
        window == Duration::zero() ? 0 : pick(Site::delay, actor_of(sent.client), delay_parts + 1);
    pending.earliest += window * part / delay_parts;
    pending.latest = pending.earliest;
  }
  schedule(pending);
}

void World::execute(std::uint32_t slot) {
  Message& arrived = messages_[slot];
  arrived.remove(Pending::Kind::request);
  if (!redis_.is_empty() && faults_.offer(choices_, Site::server, {Fault::restart}, arrived.client,
                                          client(arrived.client).place())) {
    sightings_.struck.insert(Fault::restart);
    lose_data(arrived.node);
  }
  changes_.clear();
  arrived.reply = redis_.execute(arrived.command.argv(), server_time(), changes_);
  told_.of_time |= redis_.has_told_time();
  if (trace_.wants<Executed>())
    emit(actor_of(arrived.node), Executed{arrived.id, arrived.node, arrived.acquisition, arrived.reply});
  note_changes(changes_, arrived.node, arrived.acquisition);
  if (arrived.call != nullptr) {
    arrived.content = client(arrived.client).mix_reply(Digest{}, arrived.reply, told_.of_names);
    send_reply(arrived);
  } else {
    emit(actor_of(arrived.node), Ignored{arrived.id});
    settle(arrived);
  }
}

void World::note_locked() {
  locked_.push_back({scenario_.key, {}});
  for (const ClientPlan& plan : scenario_.clients) {
    if (plan.key.empty() || locked_at(plan.key) != nullptr) continue;
    locked_.push_back({plan.key, {}});
    std::sort(locked_.begin(), locked_.end(),
              [](const LockedKey& one, const LockedKey& other) { return one.key < other.key; });
  }
}

// nullptr when no client locks it.
World::LockedKey* World::locked_at(std::string_view key) {
  const auto place =
      std::lower_bound(locked_.begin(), locked_.end(), key,
                       [](const LockedKey& one, std::string_view name) { return one.key < name; });
  return place != locked_.end() && place->key == key ? &*place : nullptr;
}

void World::lose_data(NodeId node) {
  std::vector<LockedKey*> held;
  for (LockedKey& locked : locked_)
    if (redis_.value_of(locked.key)) held.push_back(&locked);
  redis_.restart();
  note_keys();
  emit(actor_of(node), ServerRestarted{node});
  for (LockedKey& locked : locked_) {
    const Acquisition before = std::exchange(locked.owner, Acquisition{});
    touch(before.client);
    if (std::find(held.begin(), held.end(), &locked) == held.end()) continue;
    emit(actor_of(node),
         KeyChanged{node, text(locked.key), KeyChanged::Kind::lost, {}, before, {}, {}, never});
  }
}

void World::note_changes(const std::vector<redis::Change>& changes, NodeId node, Acquisition by) {
  using Kind = KeyChanged::Kind;
  if (!changes.empty() && !is_timed()) note_keys();
  for (const redis::Change& change : changes) {
    LockedKey* const locked = locked_at(change.key);
    if (locked == nullptr) continue;
    const Acquisition before = locked->owner;
    const Kind kind = kind_of(change.kind);
    touch(before.client);
    touch(by.client);
    if (kind == Kind::created || kind == Kind::overwritten) locked->owner = by;
    if (kind == Kind::removed || kind == Kind::expired) locked->owner = Acquisition{};
    if (kind == Kind::expired && !before.is_nobody()) {
      const Client& holder = client(before.client);
      sightings_.expired_held |= holder.is_claiming() && holder.acquisition() == before;
    }
    KeyChanged event{node,   text(locked->key), kind, kind == Kind::expired ? Acquisition{} : by,
                     before, locked->owner,     {},   never};
    if (trace_.is_recording()) {
      event.value = redis_.value_of(locked->key).value_or("");
      if (const auto last_alive = redis_.expiry_of(locked->key))
        event.expires_at = Instant(std::chrono::floor<std::chrono::milliseconds>(*last_alive - epoch));
    }
    emit(kind == Kind::expired ? Actor{} : actor_of(node), std::move(event));
  }
}

}  // namespace holdfast
