// Connections that clients have for themselves: which listen, which wait for an answer that is not due, and
// what happens when one end is gone. Nothing here runs for locks that have none.
#include <algorithm>
#include <utility>

#include "sim/core/invariant.hpp"
#include "sim/world/world.hpp"

namespace holdfast {

// --- the client's end ---

void World::submit_on(ClientId id, NodeId node, Call& call) {
  OwnConnection& connection = *call.connection();
  if (connection.id == 0) {
    INVARIANT(servers_.traits().has_sessions, "memory that is shared has no connections");
    connection.id = network_.open_line(id, node).id.value;
  }
  const ConnectionId own{connection.id};
  Line& line = *network_.change_line_of(own);
  INVARIANT(network_.waiting_on(line) == nullptr, "a connection carries one call at a time");
  Client& caller = clients_.at(id);
  Message& sent = network_.new_message(id, node);
  line.last_call = network_.slot_of(sent);
  network_.note_stuck();
  call.message = MessageId{network_.slot_of(sent)};
  sent.connection = own;
  sent.acquisition = line.asker = caller.acquisition();
  sent.call = &call;
  sent.command = call.take_command();
  caller.spell_times(sent.command);
  caller.begin_wait(&call);
  line.tells_of_loss |= connection.is_told_of_loss();
  if (line.is_lost) return network_.answer_now(sent, sent.id, Reply::lost(), {});
  if (sent.only_listens() && !line.inbox.empty()) {
    Line::Letter first = std::move(line.inbox.front());
    line.inbox.erase(line.inbox.begin());
    return network_.answer_now(sent, first.id, std::move(first.text), first.content);
  }
  if (sent.only_listens()) {
    if (!sent.listens_for_ever()) schedule_timeout(sent, caller.true_length(connection.patience()));
    else if (line.misses) schedule_timeout(sent, caller.true_length(scenario_.timing.timeout));
    return;
  }
  leave(sent);
}

// The client closes it: what is still on its way to it is dropped.
void World::lose(Line& line) {
  line.is_lost = true;
  line.inbox.clear();
  network_.drop_pushes(line.id);
  end_at_server(line);
}

void World::hang_up(std::uint32_t connection) noexcept {
  Line* const line = network_.change_line_of(ConnectionId{connection});
  if (line == nullptr) return;
  line->is_open = false;
  lose(*line);
}

// --- between the ends ---

// The server hears of the end at once, unless a request is on its way, which comes first, or nothing gets
// through. That a later end makes no difference: what is sent before it is heard of, is lost on its way, too.
void World::end_at_server(Line& line) {
  const ConnectionId ended = line.id;
  if (network_.has_request_on(line)) return;
  if (!line.is_reset) {
    const auto is_between = [&](const Cut& cut) { return cut.is_between(line.client, line.node); };
    if (std::any_of(network_.cuts().begin(), network_.cuts().end(), is_between)) return;
    if (!end_session(line.id, line.node)) return;
    network_.change_line_of(ended)->is_reset = true;
  }
  if (Line* const it = network_.change_line_of(ended); !it->is_open) network_.forget(*it);
}

// What it held is free, and who waited for it goes on. False: its request is not over yet.
bool World::end_session(ConnectionId session, NodeId node) {
  Server& host = servers_.at(node);
  stores::Effects effects;
  const bool has_ended = host.shelf.data->end(session, servers_.time_of(host), effects);
  if (course_.over) return has_ended;
  note_changes(effects.changes, node, Acquisition{});
  send_pushes(node, std::move(effects.pushes));
  return has_ended;
}

// A server that could not be reached hears of it when it can.
void World::end_lines_of_the_gone() {
  for (std::size_t i = network_.lines().size(); i-- > 0;)
    if (i < network_.lines().size() && network_.lines()[i].is_lost) end_at_server(network_.change_line(i));
}

// What comes over a connection that the server does not know any more.
void World::drop_at_reset(Message& arrived) {
  Line* const line = network_.change_line_of(arrived.connection);
  network_.settle(arrived);
  if (line != nullptr) end_at_server(*line);
}

// The server forgot them all: a client that waits on one is told, as by a reset of TCP, also while its
// request is on its way or about to leave, which then comes to nothing.
void World::reset_lines(NodeId node) {
  servers_.at(node).shelf.data->end_all_sessions();
  for (std::size_t i = network_.lines().size(); i-- > 0;)
    if (network_.lines()[i].node == node) reset(network_.change_line(i));
}

// The server has ended its session.
void World::reset(Line& line) {
  line.is_lost = line.is_reset = true;
  line.inbox.clear();
  network_.drop_pushes(line.id);
  Message* const waiting = network_.waiting_on(line);
  if (waiting != nullptr && !waiting->has(Scheduled::Kind::reply)) {
    for (const auto kind : {Scheduled::Kind::send, Scheduled::Kind::request})
      if (waiting->has(kind)) network_.drop(kind, *waiting);
    waiting->is_blocked = false;
    waiting->reply = Reply::lost();
    waiting->content = History();
    travel(Scheduled::Kind::reply, *waiting);
  }
  end_at_server(line);
}

// Of clients that live, as far as their connections tell.
std::vector<stores::Server::Session> World::endable_at(const Server& host) const {
  std::vector<stores::Server::Session> all = host.shelf.data->endable();
  std::erase_if(all, [&](const stores::Server::Session& each) {
    const Line* const line = network_.line_of(each.connection);
    return each.connection.value != 0 && (line == nullptr || line->is_lost);
  });
  return all;
}

void World::lose_session(NodeId node, std::uint32_t which) {
  Server& host = servers_.at(node);
  const stores::Server::Session session = endable_at(host)[which];
  note_strike({Fault::session_lost});
  const Line* const line = network_.line_of(session.connection);
  emit(actor_of(node), SessionEnded{node, line != nullptr ? name_of(line->client) : text(session.name)});
  stores::Effects effects;
  host.shelf.data->end_session(session, servers_.time_of(host), effects);
  note_changes(effects.changes, node, Acquisition{});
  if (Line* const ended = network_.change_line_of(session.connection)) reset(*ended);
  send_pushes(node, std::move(effects.pushes));
}

// --- the server's end ---

void World::end_execution(ConnectionId connection, NodeId node) {
  Line* const line = network_.change_line_of(connection);
  if (line != nullptr && line->is_lost) end_at_server(*line);
  send_pushes(node, std::exchange(effects_.pushes, {}));
}

void World::send_pushes(NodeId node, Pushes pushes) {
  for (Push& push : pushes) {
    Line* const line = network_.change_line_of(push.connection);
    if (line == nullptr) continue;
    if (line->is_lost) {
      end_at_server(*line);  // it was not over before
      continue;
    }
    Message* const waiting = network_.waiting_on(*line);
    if (waiting == nullptr || !waiting->is_blocked) {
      send_push(*line, std::move(push.message));
      continue;
    }
    waiting->is_blocked = false;
    waiting->reply = std::move(push.message);
    note_answer(*waiting);
    emit(actor_of(node),
         Pushed{waiting->id, node, waiting->acquisition, trace_.is_recording() ? waiting->reply : Reply()});
    send_reply(*waiting);
  }
}

// Sessions that wait for the same, and nobody has it: any of them may be the next.
bool World::let_rivals_go_on() {
  bool did_any = false;
  for (std::uint32_t i = 0; i < servers_.all().size(); ++i) {
    const NodeId node{i};
    for (;;) {
      Server& host = servers_.at(node);
      const std::vector<ConnectionId> rivals = host.shelf.data->rivals();
      if (rivals.empty()) break;
      const auto count = static_cast<std::uint32_t>(rivals.size());
      const ConnectionId next = rivals[count > 1 ? pick(Site::variant, actor_of(node), count) : 0];
      stores::Effects effects;
      host.shelf.data->go_on(next, servers_.time_of(host), effects);
      note_changes(effects.changes, node, Acquisition{});
      send_pushes(node, std::move(effects.pushes));
      did_any = true;
    }
  }
  return did_any;
}

void World::send_push(Line& line, Reply text) {
  Message& push = network_.new_message(line.client, line.node);
  push.connection = line.id;
  push.acquisition = clients_.at(line.client).acquisition();
  push.call = nullptr;
  note_push(push.content, text);
  emit(actor_of(line.node),
       Pushed{push.id, line.node, push.acquisition, trace_.is_recording() ? text : Reply()});
  push.reply = std::move(text);
  send_reply(push);
}

// All programs have ended, or are stuck; what still runs beside them may do so for ever. Who waits for what a
// server ends by itself is not stuck.
bool World::is_background_alone() {
  if (clients_.unfinished() > 0 && servers_.next_wait_end() != never) return false;
  if (!network_.may_be_stuck(clients_.unfinished()) || clients_.unfinished() > stuck()) return false;
  const std::span<const Message> messages = network_.messages();
  const bool is_in_flight = std::any_of(messages.begin(), messages.end(), [](const Message& message) {
    return message.id != MessageId{} && message.call == nullptr;
  });
  return !is_in_flight && clients_.unfinished() == stuck();
}

// Clients that will wait for ever, though their programs have an end.
std::uint32_t World::stuck() {
  return network_.stuck([this](ClientId id) { return !clients_.goes_on(clients_.at(id)); });
}

// --- digest ---

// A client may make another token before it looks at the message, so its own are told like all others.
void World::note_push(History& content, const Reply& reply) {
  content.add(static_cast<std::uint64_t>(reply.kind()) | std::uint64_t{reply.elements().size()} << 4);
  clients_.note_text(content, reply.text(), told_);
  told_.of_date |= clients_.may_be_date(reply.number());
  note_number(content, static_cast<std::uint64_t>(reply.number()));
  for (const Reply& element : reply.elements()) note_push(content, element);
}

}  // namespace holdfast
