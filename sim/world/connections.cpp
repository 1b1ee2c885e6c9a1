// Connections that clients have for themselves: who listens, who waits for an answer that is not due, and
// what becomes of that when one end is gone. Nothing here runs for locks that have none.
#include <algorithm>

#include "sim/core/invariant.hpp"
#include "sim/trace/source_line.hpp"
#include "sim/world/marks.hpp"
#include "sim/world/world.hpp"

namespace holdfast {
// --- the client's end ---

void World::submit_on(ClientId id, NodeId node, Call& call) {
  OwnConnection& connection = *call.connection();
  if (connection.id == 0) {
    INVARIANT(card_.store == StoreKind::redis, "memory that is shared has no connections");
    connection.id = ++lines_opened_;
    lines_.push_back(Line{redis::ConnectionId{connection.id}, id, node});
  }
  const redis::ConnectionId own{connection.id};
  Line& line = *line_of(own);
  INVARIANT(waiting_on(line) == nullptr, "a connection carries one call at a time");
  Client& caller = client(id);
  Message& sent = new_message(id, node);
  line.last_call = slot_of(sent);
  ++may_be_stuck_;
  call.message = MessageId{slot_of(sent)};
  sent.connection = own;
  sent.acquisition = caller.acquisition();
  sent.call = &call;
  sent.command = call.take_command();
  caller.begin_wait(&call);
  if (line.is_lost) return answer_now(sent, sent.id, Reply::lost(), {});
  if (sent.only_listens() && !line.inbox.empty()) {
    Line::Letter first = std::move(line.inbox.front());
    line.inbox.erase(line.inbox.begin());
    return answer_now(sent, first.id, std::move(first.text), first.content);
  }
  if (sent.only_listens()) {
    if (connection.patience() != OwnConnection::for_ever)
      schedule_timeout(sent, caller.true_length(connection.patience()));
    return;
  }
  for (const std::string_view word : sent.command.argv()) told_.of_names |= has_name(word);
  leave(sent);
}

void World::answer_now(Message& asked, MessageId id, Reply reply, Digest content) {
  asked.id = id;
  asked.reply = std::move(reply);
  asked.content = content;
  asked.is_local = true;
  asked.add(Scheduled::Kind::reply);
  schedule({.kind = Scheduled::Kind::reply,
            .client = asked.client,
            .earliest = now_,
            .latest = now_,
            .message = id,
            .slot = slot_of(asked)});
}

// A message of a channel has arrived. True: somebody waits for it, and `due` is the end of that wait.
bool World::receive(Scheduled& due) {
  Message& push = messages_[due.slot];
  push.remove(Scheduled::Kind::reply);
  Line& line = *line_of(push.connection);
  Line::Letter letter{push.id, std::move(push.reply), push.content};
  settle(push);
  Message* const listener = waiting_on(line);
  if (listener == nullptr || !listener->only_listens() || listener->has(Scheduled::Kind::reply)) {
    line.inbox.push_back(std::move(letter));
    return false;
  }
  drop_pending(Scheduled::Kind::timeout, *listener);
  listener->id = due.message = letter.id;
  listener->reply = std::move(letter.text);
  listener->add(Scheduled::Kind::reply);
  due.slot = slot_of(*listener);
  return true;
}

// The client closes it: what is still on its way to it is dropped.
void World::lose(Line& line) {
  line.is_lost = true;
  line.inbox.clear();
  drop_pushes(line.id);
  touch(line.client);
  end_at_server(line);
}

void World::hang_up(std::uint32_t connection) noexcept {
  Line* const line = line_of(redis::ConnectionId{connection});
  if (line == nullptr) return;
  line->is_open = false;
  lose(*line);
}

void World::drop_pushes(redis::ConnectionId connection) {
  for (Message& each : messages_) {
    if (each.connection != connection || each.call != nullptr || !each.has(Scheduled::Kind::reply)) continue;
    drop_pending(Scheduled::Kind::reply, each);
    settle(each);
  }
}

// --- between the ends ---

World::Line* World::line_of(redis::ConnectionId connection) {
  const auto found =
      std::lower_bound(lines_.begin(), lines_.end(), connection,
                       [](const Line& each, redis::ConnectionId id) { return each.id.value < id.value; });
  return found == lines_.end() || found->id != connection ? nullptr : &*found;
}

Message* World::waiting_on(const Line& line) {
  if (line.last_call >= messages_.size()) return nullptr;
  Message& last = messages_[line.last_call];
  return last.connection == line.id && last.call != nullptr ? &last : nullptr;
}

// The server hears of the end at once, unless a request is on its way, which comes first, or nothing gets
// through. That a later end makes no difference: what is sent before it is heard of, is lost on its way, too.
void World::end_at_server(Line& line) {
  const auto is_between = [&](const Cut& cut) {
    return cut.client == line.client && cut.node == line.node;
  };
  const auto is_coming = [&](const Message& each) {
    return each.connection == line.id && each.has(Scheduled::Kind::request);
  };
  if (std::any_of(messages_.begin(), messages_.end(), is_coming)) return;
  if (!line.is_reset) {
    if (std::any_of(cuts_.begin(), cuts_.end(), is_between)) return;
    server(line.node).shelf.data.redis().disconnect(line.id);
    line.is_reset = true;
  }
  if (!line.is_open) lines_.erase(lines_.begin() + (&line - lines_.data()));
}

// A server that could not be reached hears of it when it can.
void World::end_lines_of_the_gone() {
  for (std::size_t i = lines_.size(); i-- > 0;)
    if (lines_[i].is_lost) end_at_server(lines_[i]);
}

bool World::is_reset(redis::ConnectionId connection) {
  const Line* const line = line_of(connection);
  return line == nullptr || line->is_reset;
}

// What comes over a connection that the server does not know any more.
void World::drop_at_reset(Message& arrived) {
  Line* const line = line_of(arrived.connection);
  settle(arrived);
  if (line != nullptr) end_at_server(*line);
}

// The server forgot them all: whoever waits on one is told, as by a reset of TCP.
void World::reset_lines(NodeId node) {
  server(node).shelf.data.redis().disconnect_all();
  for (std::size_t i = lines_.size(); i-- > 0;) {
    Line& line = lines_[i];
    if (line.node != node) continue;
    touch(line.client);
    line.is_lost = line.is_reset = true;
    line.inbox.clear();
    drop_pushes(line.id);
    Message* const waiting = waiting_on(line);
    if (waiting != nullptr && !waiting->has(Scheduled::Kind::reply)) {
      waiting->is_blocked = false;
      waiting->reply = Reply::lost();
      waiting->content = Digest{};
      travel(Scheduled::Kind::reply, *waiting);
    }
    end_at_server(line);
  }
}

// What a server sends on one connection arrives in its order. What a pause holds up has arrived.
bool World::is_behind(const Scheduled& pending) const {
  if (pending.kind != Scheduled::Kind::reply) return false;
  const redis::ConnectionId connection = messages_[pending.slot].connection;
  if (connection.value == 0) return false;
  return std::any_of(pending_.data(), &pending, [&](const Scheduled& earlier) {
    return earlier.kind == Scheduled::Kind::reply && messages_[earlier.slot].connection == connection;
  });
}

void World::keep_order(Scheduled& pending, const Message& sent) {
  Line* const line = line_of(sent.connection);
  line->last_arrival = pending.earliest = pending.latest = std::max(pending.earliest, line->last_arrival);
}

// --- the server's end ---

void World::execute_among_lines(Message& arrived) {
  Server& host = server(arrived.node);
  pushes_.clear();
  std::optional<Reply> reply =
      host.shelf.data.execute(arrived.connection, arrived.command, time_of(host), changes_, pushes_);
  arrived.is_blocked = !reply;
  arrived.reply = reply ? *std::move(reply) : Reply::lost();
}

void World::end_execution(redis::ConnectionId connection, NodeId node) {
  Line* const line = line_of(connection);
  if (line != nullptr && line->is_lost) end_at_server(*line);
  send_pushes(node);
}

void World::send_pushes(NodeId node) {
  for (redis::Push& push : pushes_) {
    Line* const line = line_of(push.connection);
    if (line == nullptr || line->is_lost) continue;
    touch(line->client);
    Message* const waiting = waiting_on(*line);
    if (waiting == nullptr || !waiting->is_blocked) {
      send_push(*line, std::move(push.message));
      continue;
    }
    waiting->is_blocked = false;
    waiting->reply = std::move(push.message);
    waiting->content = client(line->client).mix_reply(Digest{}, waiting->reply, told_.of_names);
    emit(actor_of(node),
         Pushed{waiting->id, node, waiting->acquisition, trace_.is_recording() ? waiting->reply : Reply()});
    send_reply(*waiting);
  }
  pushes_.clear();
}

void World::send_push(Line& line, Reply text) {
  Message& push = new_message(line.client, line.node);
  push.connection = line.id;
  push.acquisition = client(line.client).acquisition();
  push.call = nullptr;
  push.content = digest_of_push(text);
  emit(actor_of(line.node),
       Pushed{push.id, line.node, push.acquisition, trace_.is_recording() ? text : Reply()});
  push.reply = std::move(text);
  send_reply(push);
}

Instant World::next_wait_end(const Server& host) const {
  if (lines_.empty()) return never;
  const std::optional<WallTime> last = host.shelf.data.redis().next_wait_end();
  return last ? Instant(*last - epoch - host.clock_offset) + 1us : never;
}

Instant World::next_wait_end() const {
  Instant next = never;
  for (const Server& each : servers_) next = std::min(next, next_wait_end(each));
  return next;
}

void World::end_waits(NodeId node) {
  Server& host = server(node);
  pushes_.clear();
  host.shelf.data.redis().end_waits_due(time_of(host), pushes_);
  send_pushes(node);
}

// All programs have ended, or are stuck; what still runs beside them may do so for ever.
bool World::is_background_alone() {
  if (unfinished_ > may_be_stuck_ || unfinished_ > stuck()) return false;
  const bool is_in_flight = std::any_of(messages_.begin(), messages_.end(), [](const Message& message) {
    return message.id != MessageId{} && message.call == nullptr;
  });
  const auto runs = [this](const auto& each) { return !each->is_finished() && !goes_on(*each); };
  return !is_in_flight && std::count_if(clients_.begin(), clients_.end(), runs) == std::int64_t{stuck()};
}

// Clients that will wait for ever, though their programs have an end.
std::uint32_t World::stuck() {
  if (lines_.empty()) return 0;
  const auto count = static_cast<std::uint32_t>(std::count_if(
      messages_.begin(), messages_.end(),
      [this](const Message& message) { return is_stuck(message) && !goes_on(client_of(message.client)); }));
  INVARIANT(count <= may_be_stuck_, "whatever may leave a call without an end is counted");
  return may_be_stuck_ = count;
}

// --- digest ---

// With the texts as they are: a client may make another token before it looks at the message.
Digest World::digest_of_push(const Reply& reply) {
  told_.of_names |= has_name(reply.text());
  Digest digest = mix(mix(Digest{}, static_cast<std::uint64_t>(reply.kind())), digest_of(reply.text()));
  digest = mix(digest, static_cast<std::uint64_t>(reply.number()));
  for (const Reply& element : reply.elements()) digest = mix(digest, digest_of_push(element));
  return digest;
}

// Among those of its client.
std::uint64_t World::rank_of(redis::ConnectionId connection) const {
  std::uint64_t rank = 0;
  const auto own =
      std::find_if(lines_.begin(), lines_.end(), [&](const Line& each) { return each.id == connection; });
  for (auto each = lines_.begin(); each != own; ++each) rank += each->client == own->client ? 1 : 0;
  return rank;
}

// Of what is on its way on a connection: which connection, and how much comes before it.
std::uint64_t World::rank_of(const Scheduled& pending) const {
  const redis::ConnectionId connection = messages_[pending.slot].connection;
  const auto earlier = std::count_if(pending_.data(), &pending, [&](const Scheduled& each) {
    return each.kind == Scheduled::Kind::reply && messages_[each.slot].connection == connection;
  });
  return rank_of(connection) << 8 | static_cast<std::uint64_t>(earlier);
}

Digest World::mix_lines(Digest history, ClientId id) const {
  for (const Line& each : lines_) {
    if (each.client != id) continue;
    history =
        mix(history, Mark::own_line | std::uint64_t{each.is_open} << 8 | std::uint64_t{each.is_lost} << 9 |
                         std::uint64_t{each.is_reset} << 10 | std::uint64_t{each.node.value} << 16);
    for (const Line::Letter& letter : each.inbox) history = mix(mix(history, Mark::letter), letter.content);
  }
  const Client& owner = client_of(id);
  for (const Message& each : messages_) {
    if (each.client != id || each.connection.value == 0 || each.call == nullptr) continue;
    history = mix(history, Mark::own_call | std::uint64_t{each.is_blocked} << 8 |
                               rank_of(each.connection) << 16 | owner.rank_of(each.call) << 32);
    history = mix(history, std::uint64_t{owner.acquisitions() - each.acquisition.number});
    if (belief_ != Belief::until_release) history = mix(history, (now_ - each.sent_at).count());
  }
  return history;
}

// Who listens to what, and who waits in which place for how long.
void World::mix_lines_at_servers(std::span<Digest> of_clients) const {
  const auto line_at = [this](redis::ConnectionId connection) -> const Line& {
    return *std::find_if(lines_.begin(), lines_.end(),
                         [&](const Line& each) { return each.id == connection; });
  };
  for (const Server& each : servers_) {
    std::uint64_t place = 0;
    each.shelf.data.redis().visit_connections(
        [&](redis::ConnectionId connection, std::string_view state, std::optional<WallTime> until) {
          Digest& part = of_clients[line_at(connection).client.value];
          const bool waits = each.shelf.data.redis().is_waiting(connection);
          part = mix(part, (waits ? Mark::waiter : Mark::session) | rank_of(connection) << 8 |
                               (waits ? ++place : 0) << 32);
          part = mix(mix(part, digest_of(state)), until ? (*until - time_of(each)).count() : -1);
        });
  }
}

}  // namespace holdfast
