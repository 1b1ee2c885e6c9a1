// How requests and replies travel: the only place where a message can be late, lost or sent twice.
#include <algorithm>

#include "sim/core/invariant.hpp"
#include "sim/trace/source_line.hpp"
#include "sim/world/world.hpp"

namespace holdfast {
namespace {

// Timed runs draw a delay as one of this many equal parts of the interval.
constexpr std::uint32_t delay_parts = 16;

}  // namespace

// Forgets a message that nobody waits for and that is not on its way.
void World::settle(Message& message) {
  using Kind = Pending::Kind;
  if (message.call != nullptr || message.has(Kind::request) || message.has(Kind::reply)) return;
  free_slots_.push_back(slot_of(message));
  message.clear();
}

// A reply that is not due yet in a timed run stays where it is and is_cancelled().
void World::drop_pending(Pending::Kind kind, Message& message) {
  message.remove(kind);
  if (message.connection.value != 0) ++may_be_stuck_;
  if (kind == Pending::Kind::timeout && timeouts_.has(slot_of(message)))
    return timeouts_.drop(slot_of(message));
  std::erase_if(pending_, [&](const Pending& pending) {
    return pending.kind == kind && pending.message == message.id;
  });
}

Message& World::new_message(ClientId id, NodeId node) {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(messages_.size()));
    messages_.emplace_back();
  }
  Message& made = messages_[free_slots_.back()];
  free_slots_.pop_back();
  made.id = MessageId{++messages_sent_};
  made.client = id;
  made.node = node;
  made.sent_at = now_;
  return made;
}

void World::submit(ClientId id, NodeId node, Call& call) {
  if (call.connection() != nullptr) return submit_on(id, node, call);
  Client& caller = client(id);
  Message& sent = new_message(id, node);
  call.message = MessageId{slot_of(sent)};
  sent.acquisition = caller.acquisition();
  sent.call = &call;
  sent.command = call.take_command();
  caller.begin_wait(&call);
  if (trace_.wants<Sent>())
    emit(actor_of(id), Sent{sent.id, node, sent.acquisition, sent.command.argv(), source_line(call.where())});
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
  client(orphan.client).end_wait(&call);
  note_content(orphan);
  drop_pending(Pending::Kind::timeout, orphan);
  drop_pending(Pending::Kind::reply, orphan);
  if (Line* const line = line_of(orphan.connection)) lose(*line);
  settle(orphan);
}

void World::send_request(Message& sent) {
  if (card_.store == StoreKind::shared_dict) return travel(Pending::Kind::request, sent, std::nullopt);
  if (is_cut(sent, Pending::Kind::request)) {
    emit(actor_of(sent.client), MessageFault{Fault::partition, sent.id});
    return;
  }
  // A connection that is lost takes with it what it held; a driver repeats nothing there.
  const Fault duplicate = sent.connection.value == 0 ? Fault::duplicate : Fault::none;
  const auto strike = faults_.offer(choices_, Site::request,
                                    {Fault::lost_request, Fault::late_request, duplicate, Fault::partition},
                                    sent.client, client(sent.client).place());
  if (!strike) return travel(Pending::Kind::request, sent, std::nullopt);
  note_strike({strike->kind});
  if (strike->kind == Fault::partition) {
    cut(sent, strike->magnitude);
    return send_request(sent);
  }
  emit(actor_of(sent.client), MessageFault{strike->kind, sent.id});
  if (strike->kind == Fault::lost_request) return;
  if (strike->kind == Fault::late_request) return travel(Pending::Kind::request, sent, strike);
  // Either the driver got no answer to the first, or the second comes after the answer, and nobody waits for
  // it.
  sent.is_repeated = pick(Site::variant, actor_of(sent.client), 2) == 0;
  const std::uint32_t first = slot_of(sent);
  if (!sent.is_repeated) send_copy(sent, *strike);
  travel(Pending::Kind::request, messages_[first], std::nullopt);
}

void World::send_copy(const Message& original, const Strike& late) {
  const std::uint32_t place = slot_of(original);
  Message& copy = new_message(original.client, original.node);
  const Message& sent = messages_[place];  // it may have moved
  copy.acquisition = sent.acquisition;
  copy.command = sent.command;
  copy.call = nullptr;
  note_content(copy);
  if (trace_.wants<Sent>())
    emit(actor_of(copy.client), Sent{copy.id, copy.node, copy.acquisition, copy.command.argv(), {}});
  travel(Pending::Kind::request, copy, late);
}

void World::send_reply(Message& sent) {
  if (card_.store == StoreKind::shared_dict) return travel(Pending::Kind::reply, sent, std::nullopt);
  if (is_cut(sent, Pending::Kind::reply)) {
    emit(actor_of(sent.node), MessageFault{Fault::partition, sent.id});
    return settle(sent);
  }
  const auto strike = faults_.offer(choices_, Site::reply, {Fault::lost_reply, Fault::late_reply},
                                    sent.client, client(sent.client).place());
  if (strike) {
    note_strike({strike->kind});
    emit(actor_of(sent.node), MessageFault{strike->kind, sent.id});
    if (strike->kind == Fault::lost_reply) return settle(sent);
  }
  travel(Pending::Kind::reply, sent, strike);
}

// Memory that is shared has no network: whoever asks is answered at once.
// A message that is late arrives later than any other could, and at most the fault's magnitude later.
void World::travel(Pending::Kind kind, Message& sent, const std::optional<Strike>& late) {
  const Timing& timing = scenario_.timing;
  Pending pending{.kind = kind,
                  .client = sent.client,
                  .earliest = now_ + sent.held_back + timing.delay_min,
                  .latest = now_ + sent.held_back + timing.delay_max,
                  .message = sent.id,
                  .slot = slot_of(sent)};
  sent.add(kind);
  if (card_.store == StoreKind::shared_dict) pending.earliest = pending.latest = now_;
  if (late) {
    pending.earliest = pending.latest + timing.tick;
    pending.latest = std::max(pending.earliest, now_ + late->magnitude);
  }
  if (calm_) pending.latest = pending.earliest;
  if (is_timed() && !calm_ && pending.earliest != pending.latest) {
    const Duration window = pending.latest - pending.earliest;
    const std::uint32_t part =
        window == Duration::zero() ? 0 : pick(Site::delay, actor_of(sent.client), delay_parts + 1);
    pending.earliest += window * part / delay_parts;
    pending.latest = pending.earliest;
  }
  if (is_timed() && sent.connection.value != 0 && kind == Pending::Kind::reply) keep_order(pending, sent);
  schedule(pending);
}

// --- partitions ---

bool World::is_cut(const Message& message, Pending::Kind direction) const {
  return std::any_of(cuts_.begin(), cuts_.end(), [&](const Cut& cut) {
    const bool loses = direction == Pending::Kind::request ? cut.loses_requests : cut.loses_replies;
    return loses && cut.client == message.client && cut.node == message.node && now_ < cut.until;
  });
}

void World::cut(const Message& message, Duration magnitude) {
  std::erase_if(cuts_, [this](const Cut& old) { return old.until <= now_; });
  const std::uint32_t way = pick(Site::variant, actor_of(message.client), 3);
  const Cut& made =
      cuts_.emplace_back(Cut{message.client, message.node, now_ + magnitude, way != 2, way != 1});
  emit(Actor{}, Partitioned{made.client, made.node, made.until, made.loses_requests, made.loses_replies});
}

}  // namespace holdfast
