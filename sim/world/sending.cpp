// How requests and replies travel: the only place where a message can be late, lost or sent twice.
#include <algorithm>

#include "sim/trace/source_line.hpp"
#include "sim/world/world.hpp"

namespace holdfast {

void World::submit(ClientId id, NodeId node, Call& call) {
  if (call.connection() != nullptr) return submit_on(id, node, call);
  Client& caller = clients_.at(id);
  Message& sent = network_.new_message(id, node);
  call.message = MessageId{network_.slot_of(sent)};
  sent.acquisition = caller.acquisition();
  sent.call = &call;
  sent.command = call.take_command();
  caller.spell_times(sent.command);
  // A lock counts from its own call, not from what its driver does.
  if (!call.since) call.since = now_;
  sent.sent_at = *call.since;
  caller.begin_wait(&call);
  leave(sent);
}

// A request leaves at once, unless its client may be stopped before.
void World::leave(Message& sent) {
  if (!may_strike_before_sending(sent.client)) return depart(network_.slot_of(sent));
  sent.add(Scheduled::Kind::send);
  schedule({.kind = Scheduled::Kind::send,
            .client = sent.client,
            .earliest = now_,
            .latest = now_,
            .message = sent.id,
            .slot = network_.slot_of(sent)});
}

void World::depart(std::uint32_t slot) {
  Message& sent = network_.change(slot);
  sent.remove(Scheduled::Kind::send);
  const Call& call = *sent.call;
  const Client& caller = clients_.at(sent.client);
  if (trace_.wants<Sent>())
    emit(actor_of(sent.client),
         Sent{sent.id, sent.node, sent.acquisition, sent.command.argv(), source_line(call)});
  Duration patience = scenario_.timing.timeout;
  if (const OwnConnection* const own = call.connection())
    patience =
        own->patience() == OwnConnection::for_ever ? OwnConnection::for_ever : patience + own->patience();
  if (call.at_most() > Duration::zero()) patience = call.at_most();
  if (patience != OwnConnection::for_ever && servers_.traits().is_remote)
    schedule_timeout(sent, caller.true_length(patience));
  send_request(sent);
  drop_dead_timeouts(caller.id());
}

void World::schedule_timeout(Message& message, Duration patience) {
  message.add(Scheduled::Kind::timeout);
  schedule({.kind = Scheduled::Kind::timeout,
            .client = message.client,
            .earliest = now_ + patience,
            .latest = now_ + patience,
            .message = message.id,
            .slot = network_.slot_of(message)});
}

// A client without timeouts waits on while an answer may come.
bool World::is_patient(const Message& sent) {
  using Kind = Scheduled::Kind;
  return sent.call != nullptr && sent.call->is_patient() &&
         (sent.has(Kind::request) || sent.has(Kind::reply));
}

// No answer can come. Who waits without a timeout learns it when the connection breaks; so does who listens,
// when what the server sent by itself is lost.
void World::note_broken(Message& lost) {
  if (lost.connection.value == 0) return;
  if (lost.call == nullptr) return note_missing(network_.change_line_of(lost.connection));
  if (lost.has(Scheduled::Kind::timeout) || !lost.call->connection()->is_told_of_loss()) return;
  schedule_timeout(lost, clients_.at(lost.client).true_length(scenario_.timing.timeout));
}

void World::note_missing(Line* line) {
  if (line == nullptr || line->is_lost || !line->tells_of_loss) return;
  line->misses = true;
  Message* const listener = network_.waiting_on(*line);
  const bool waits = listener != nullptr && listener->only_listens() && listener->ahead == 0;
  if (waits) schedule_timeout(*listener, clients_.at(line->client).true_length(scenario_.timing.timeout));
}

void World::wait_on(std::uint32_t slot) {
  Message& sent = network_.change(slot);
  sent.remove(Scheduled::Kind::timeout);
  schedule_timeout(sent, clients_.at(sent.client).true_length(scenario_.timing.timeout));
}

// A timeout that an answer is sure to precede is unobservable: no fault is left that could hold it up or lose
// it.
void World::drop_dead_timeouts(ClientId client) {
  if (!leaves_out_dead_ || faults_.may(Harm::delays) || faults_.may(Harm::loses)) return;
  for (const Message& each : network_.messages())
    if (each.client == client && each.has(Scheduled::Kind::timeout) && is_sure_to_be_answered(each))
      network_.drop(Scheduled::Kind::timeout, network_.change(each));
}

bool World::is_sure_to_be_answered(const Message& sent) const {
  using Kind = Scheduled::Kind;
  const bool is_plain = sent.connection.value == 0 &&
                        !servers_.at(sent.node).shelf.data->asks_replicas(sent.command) && !sent.is_repeated;
  if (!is_plain || clients_.at(sent.client).is_paused()) return false;
  const Instant timeout = network_.end_of(Kind::timeout, sent);
  if (sent.has(Kind::reply)) {
    const Instant end = network_.end_of(Kind::reply, sent);
    return is_surely_before(now_, timeout) && is_surely_before(end, timeout);
  }
  // In timed runs it is not known before it is due.
  const Instant arrival = network_.end_of(Kind::request, sent);
  return arrival != never && !network_.is_cut(sent, Kind::reply) &&
         is_surely_before(arrival + scenario_.timing.delay_max, timeout);
}

// Every request is answered at the instant at which it is sent.
bool World::is_round_timeless() const {
  const Timing& timing = scenario_.timing;
  const bool is_remote = servers_.traits().is_remote;
  return !is_remote || (course_.calm ? timing.delay_min : timing.delay_max) == Duration::zero();
}

void World::forget(Call& call) noexcept {
  if (network_.at(call.message.value).call != &call) return;
  Message& orphan = network_.change(call.message.value);
  orphan.call = nullptr;
  clients_.at(orphan.client).end_wait(&call);
  note_content(orphan);
  for (const auto kind : {Scheduled::Kind::send, Scheduled::Kind::timeout, Scheduled::Kind::reply})
    network_.drop(kind, orphan);
  if (Line* const line = network_.change_line_of(orphan.connection)) lose(*line);
  network_.settle(orphan);
}

void World::send_request(Message& sent) {
  const bool is_away = course_.away == sent.node;
  if (!is_away && !network_.is_cut(sent, Scheduled::Kind::request))
    return travel(Scheduled::Kind::request, sent);
  emit(actor_of(sent.client), MessageFault{Fault::partition, sent.id});
  note_broken(sent);
  network_.settle(sent);
}

bool World::goes_on(ClientId client) const {
  const std::span<const Message> messages = network_.messages();
  const std::span<const Scheduled> pending = network_.pending();
  return std::any_of(
             messages.begin(), messages.end(),
             [&](const Message& each) {
               const bool is_sent = each.has(Scheduled::Kind::request) || each.has(Scheduled::Kind::send);
               const bool is_awaited = each.call != nullptr && !each.is_blocked && !each.only_listens();
               return each.client == client && (is_sent || is_awaited);
             }) ||
         std::any_of(pending.begin(), pending.end(), [&](const Scheduled& each) {
           return each.kind == Scheduled::Kind::wake && each.client == client && each.earliest <= now_;
         });
}

// It arrives when it likes, at most `longest` after the original left.
void World::send_copy(std::uint32_t original, Duration longest) {
  Message& copy = network_.new_message(network_.at(original).client, network_.at(original).node);
  const Message& sent = network_.at(original);  // it may have moved
  copy.acquisition = sent.acquisition;
  copy.command = sent.command;
  copy.call = nullptr;
  note_content(copy);
  if (trace_.wants<Sent>())
    emit(actor_of(copy.client), Sent{copy.id, copy.node, copy.acquisition, copy.command.argv(), {}});
  copy.departed = now_;
  copy.add(Scheduled::Kind::request);
  const Instant earliest = std::max(now_, sent.departed + scenario_.timing.delay_min);
  schedule({.kind = Scheduled::Kind::request,
            .is_struck = true,
            .client = copy.client,
            .earliest = earliest,
            .latest = std::max(earliest, sent.departed + longest),
            .message = copy.id,
            .slot = network_.slot_of(copy)});
}

void World::send_reply(Message& sent) {
  if (!network_.is_cut(sent, Scheduled::Kind::reply)) return travel(Scheduled::Kind::reply, sent);
  emit(actor_of(sent.node), MessageFault{Fault::partition, sent.id});
  note_broken(sent);
  network_.settle(sent);
}

// Memory that is shared has no network: a request is answered at once.
void World::travel(Scheduled::Kind kind, Message& sent) {
  const Timing& timing = scenario_.timing;
  const bool is_remote = servers_.traits().is_remote;
  Scheduled way{.kind = kind,
                .client = sent.client,
                .earliest = now_ + (is_remote ? sent.held_back + timing.delay_min : Duration::zero()),
                .latest = now_ + (is_remote ? sent.held_back + timing.delay_max : Duration::zero()),
                .message = sent.id,
                .slot = network_.slot_of(sent)};
  // A new client's take the shortest.
  if (!delays_.empty() && is_remote) {
    const std::size_t place = sent.client.value * servers_.all().size() + sent.node.value;
    way.earliest += timing.tick * (place < delays_.size() ? delays_[place] : 0);
    way.latest = way.earliest;
  }
  sent.departed = now_;
  sent.add(kind);
  if (kind == Scheduled::Kind::request && is_round_timeless()) {
    // No real client asks for ever at one instant. If this one did, time would never pass, and what is late
    // would never be seen: beyond so many requests, one takes a tick.
    const std::size_t asked_max = 16 * servers_.all().size();
    if (!dense_ && clients_.at(sent.client).note_request(now_) > asked_max) way.earliest += timing.tick;
    way.latest = std::max(way.earliest, way.latest);
  }
  settle_instant(way);
  if (is_timed() && sent.connection.value != 0 && kind == Scheduled::Kind::reply)
    network_.keep_order(way, sent);
  schedule(way);
}

}  // namespace holdfast
