// How requests and replies travel: the only place where a message can be late, lost or sent twice.
#include <algorithm>

#include "sim/core/invariant.hpp"
#include "sim/trace/source_line.hpp"
#include "sim/world/world.hpp"

namespace holdfast {

// Forgets a message that nobody waits for and that is not on its way.
void World::settle(Message& message) {
  using Kind = Scheduled::Kind;
  if (message.call != nullptr || message.has(Kind::request) || message.has(Kind::reply)) return;
  free_slots_.push_back(slot_of(message));
  message.clear();
}

void World::drop_pending(Scheduled::Kind kind, Message& message) {
  message.remove(kind);
  if (message.connection.value != 0) ++may_be_stuck_;
  if (Agenda::Handle& later = message.handle_of(kind); later != Agenda::none)
    if (agenda_.at(later).kind == kind) return agenda_.remove(std::exchange(later, Agenda::none));
  std::erase_if(pending_, [&](const Scheduled& each) {
    return each.kind == kind && each.message == message.id;
  });
}

Scheduled& World::travelling(Message& message) {
  using Kind = Scheduled::Kind;
  if (message.travel != Agenda::none) return agenda_.at(message.travel);
  const Kind kind = message.has(Kind::request) ? Kind::request : Kind::reply;
  const auto found = std::find_if(pending_.begin(), pending_.end(), [&](const Scheduled& each) {
    return each.kind == kind && each.message == message.id;
  });
  INVARIANT(found != pending_.end(), "what is on its way will arrive");
  return *found;
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
  leave(sent);
}

// A request leaves at once, unless its client may be stopped before.
void World::leave(Message& sent) {
  if (!may_strike_before_sending(sent.client)) return depart(slot_of(sent));
  sent.add(Scheduled::Kind::send);
  schedule({.kind = Scheduled::Kind::send,
            .client = sent.client,
            .earliest = now_,
            .latest = now_,
            .message = sent.id,
            .slot = slot_of(sent)});
}

void World::depart(std::uint32_t slot) {
  Message& sent = messages_[slot];
  sent.remove(Scheduled::Kind::send);
  const Call& call = *sent.call;
  const Client& caller = client(sent.client);
  if (trace_.wants<Sent>())
    emit(actor_of(sent.client),
         Sent{sent.id, sent.node, sent.acquisition, sent.command.argv(), source_line(call.where())});
  Duration patience = scenario_.timing.timeout;
  if (const OwnConnection* const own = call.connection())
    patience = own->patience() == OwnConnection::for_ever ? OwnConnection::for_ever : patience + own->patience();
  if (patience != OwnConnection::for_ever && card_.store == StoreKind::redis)
    schedule_timeout(sent, caller.true_length(patience));
  send_request(sent);
}

void World::schedule_timeout(Message& message, Duration patience) {
  message.add(Scheduled::Kind::timeout);
  schedule({.kind = Scheduled::Kind::timeout,
            .client = message.client,
            .earliest = now_ + patience,
            .latest = now_ + patience,
            .message = message.id,
            .slot = slot_of(message)});
}

void World::forget(Call& call) noexcept {
  Message& orphan = messages_[call.message.value];
  if (orphan.call != &call) return;
  orphan.call = nullptr;
  client(orphan.client).end_wait(&call);
  note_content(orphan);
  for (const auto kind : {Scheduled::Kind::send, Scheduled::Kind::timeout, Scheduled::Kind::reply})
    drop_pending(kind, orphan);
  if (Line* const line = line_of(orphan.connection)) lose(*line);
  settle(orphan);
}

void World::send_request(Message& sent) {
  if (!is_cut(sent, Scheduled::Kind::request)) return travel(Scheduled::Kind::request, sent);
  emit(actor_of(sent.client), MessageFault{Fault::partition, sent.id});
  settle(sent);
}

// It arrives when it likes, at most `longest` after the original left.
void World::send_copy(std::uint32_t original, Duration longest) {
  Message& copy = new_message(messages_[original].client, messages_[original].node);
  const Message& sent = messages_[original];  // it may have moved
  copy.acquisition = sent.acquisition;
  copy.command = sent.command;
  copy.call = nullptr;
  note_content(copy);
  if (trace_.wants<Sent>())
    emit(actor_of(copy.client), Sent{copy.id, copy.node, copy.acquisition, copy.command.argv(), {}});
  copy.departed = now_;
  copy.add(Scheduled::Kind::request);
  schedule({.kind = Scheduled::Kind::request,
            .is_struck = true,
            .client = copy.client,
            .earliest = now_ + scenario_.timing.delay_min,
            .latest = now_ + std::max(scenario_.timing.delay_min, longest),
            .message = copy.id,
            .slot = slot_of(copy)});
}

void World::send_reply(Message& sent) {
  if (!is_cut(sent, Scheduled::Kind::reply)) return travel(Scheduled::Kind::reply, sent);
  emit(actor_of(sent.node), MessageFault{Fault::partition, sent.id});
  settle(sent);
}

// Memory that is shared has no network: a request is answered at once.
void World::travel(Scheduled::Kind kind, Message& sent) {
  const Timing& timing = scenario_.timing;
  const bool is_remote = card_.store == StoreKind::redis;
  Scheduled way{.kind = kind,
                .client = sent.client,
                .earliest = now_ + (is_remote ? sent.held_back + timing.delay_min : Duration::zero()),
                .latest = now_ + (is_remote ? sent.held_back + timing.delay_max : Duration::zero()),
                .message = sent.id,
                .slot = slot_of(sent)};
  sent.departed = now_;
  sent.add(kind);
  settle_instant(way);
  if (is_timed() && sent.connection.value != 0 && kind == Scheduled::Kind::reply) keep_order(way, sent);
  schedule(way);
}

// --- partitions ---

bool World::is_cut(const Message& message, Scheduled::Kind direction) const {
  return std::any_of(cuts_.begin(), cuts_.end(), [&](const Cut& cut) {
    const bool loses = direction == Scheduled::Kind::request ? cut.loses_requests : cut.loses_replies;
    return loses && cut.client == message.client && cut.node == message.node;
  });
}

}  // namespace holdfast
