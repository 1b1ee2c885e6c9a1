// Connections that clients have for themselves, between the ends: what travels on them, and in which order.
#include <algorithm>

#include "sim/world/marks.hpp"
#include "sim/world/network.hpp"

namespace holdfast {

Line& Network::open_line(ClientId client, NodeId node) {
  touched_.note(client);
  lines_.push_back(Line{ConnectionId{++lines_opened_}, client, node});
  return lines_.back();
}

void Network::forget(Line& line) {
  touched_.note(line.client);
  lines_.erase(lines_.begin() + (&line - lines_.data()));
}

const Line* Network::line_of(ConnectionId connection) const {
  const auto found =
      std::lower_bound(lines_.begin(), lines_.end(), connection,
                       [](const Line& each, ConnectionId id) { return each.id.value < id.value; });
  return found == lines_.end() || found->id != connection ? nullptr : &*found;
}

Message* Network::waiting_on(const Line& line) {
  if (line.last_call >= messages_.size()) return nullptr;
  Message& last = messages_[line.last_call];
  touched_.note(line.client);
  return last.connection == line.id && last.call != nullptr ? &last : nullptr;
}

bool Network::has_request_on(const Line& line) const {
  return std::any_of(messages_.begin(), messages_.end(), [&](const Message& each) {
    return each.connection == line.id && each.has(Scheduled::Kind::request);
  });
}

bool Network::is_reset(ConnectionId connection) const {
  const Line* const line = line_of(connection);
  return line == nullptr || line->is_reset;
}

void Network::answer_now(Message& asked, MessageId id, Reply reply, History content) {
  asked.id = id;
  asked.reply = std::move(reply);
  asked.content = content;
  asked.is_local = true;
  asked.departed = now_;
  asked.add(Scheduled::Kind::reply);
  schedule({.kind = Scheduled::Kind::reply,
            .client = asked.client,
            .earliest = now_,
            .latest = now_,
            .message = id,
            .slot = slot_of(asked)});
}

bool Network::receive(Scheduled& due) {
  Message& push = change(due.slot);
  push.remove(Scheduled::Kind::reply);
  Line& line = *change_line_of(push.connection);
  Line::Letter letter{push.id, std::move(push.reply), push.content};
  settle(push);
  Message* const listener = waiting_on(line);
  if (listener == nullptr || !listener->only_listens() || listener->has(Scheduled::Kind::reply)) {
    line.inbox.push_back(std::move(letter));
    return false;
  }
  drop(Scheduled::Kind::timeout, *listener);
  listener->id = due.message = letter.id;
  listener->reply = std::move(letter.text);
  listener->add(Scheduled::Kind::reply);
  due.slot = slot_of(*listener);
  return true;
}

void Network::drop_pushes(ConnectionId connection) {
  for (Message& each : messages_) {
    if (each.connection != connection || each.call != nullptr || !each.has(Scheduled::Kind::reply)) continue;
    drop(Scheduled::Kind::reply, each);
    settle(each);
  }
}

bool Network::is_behind(const Scheduled& scheduled) const {
  if (scheduled.kind != Scheduled::Kind::reply) return false;
  const ConnectionId connection = messages_[scheduled.slot].connection;
  if (connection.value == 0) return false;
  return std::any_of(pending_.data(), &scheduled, [&](const Scheduled& earlier) {
    return earlier.kind == Scheduled::Kind::reply && messages_[earlier.slot].connection == connection;
  });
}

void Network::keep_order(Scheduled& scheduled, const Message& sent) {
  Line* const line = change_line_of(sent.connection);
  line->last_arrival = scheduled.earliest = scheduled.latest =
      std::max(scheduled.earliest, line->last_arrival);
}

void Network::keep_followers_behind(Message& late, std::uint64_t number) {
  std::vector<Scheduled> followers;
  for (Message& each : messages_) {
    if (each.connection != late.connection || !each.has(Scheduled::Kind::reply) || each.is_local) continue;
    if (&each != &late && travelling(each).number > number) followers.push_back(travelling(each));
  }
  std::sort(followers.begin(), followers.end(),
            [](const Scheduled& one, const Scheduled& other) { return one.number < other.number; });
  if (is_timed_) change_line_of(late.connection)->last_arrival = travelling(late).earliest;
  for (Scheduled& each : followers) {
    Message& follower = messages_[each.slot];
    drop(Scheduled::Kind::reply, follower);
    follower.add(Scheduled::Kind::reply);
    if (is_timed_) keep_order(each, follower);
    schedule(each);
  }
}

// --- digest ---

std::uint64_t Network::rank_of(ConnectionId connection) const {
  std::uint64_t rank = 0;
  const auto own =
      std::find_if(lines_.begin(), lines_.end(), [&](const Line& each) { return each.id == connection; });
  for (auto each = lines_.begin(); each != own; ++each) rank += each->client == own->client ? 1 : 0;
  return rank;
}

// Of what is on its way on a connection: which connection, and how much comes before it.
std::uint64_t Network::rank_of(const Scheduled& scheduled) const {
  const ConnectionId connection = messages_[scheduled.slot].connection;
  const auto earlier = std::count_if(pending_.data(), &scheduled, [&](const Scheduled& each) {
    return each.kind == Scheduled::Kind::reply && messages_[each.slot].connection == connection;
  });
  return rank_of(connection) << 8 | static_cast<std::uint64_t>(earlier);
}

// Calls are added up, for their messages lie in slots, in an order that nothing depends on: which slot was
// free says what went on before. Ranks tell them apart. Lines lie in the order in which they were opened.
Digest Network::mix_lines(Digest history, const Client& client, Asked asked) const {
  for (const Message& each : messages_)
    if (each.client == client.id() && each.connection.value != 0 && each.call != nullptr)
      history = sum(history, mix_call(Digest{}, each, client, asked));
  for (const Line& each : lines_)
    if (each.client == client.id()) history = mix_line(history, each, client, asked.clients);
  return history;
}

// id: a name. client: it is in this client's part. last_call: mix_call() says which connection it waits on.
// asker: its session may still do something for it, also when nobody waits any more.
// tells_of_loss: a function of what its client did. last_arrival: timed runs have no states. Of a letter, id:
// a name; text: `content` is its digest.
Digest Network::mix_line(Digest history, const Line& line, const Client& owner,
                         const Clients& clients) const {
  const auto& [id, client, node, is_open, is_lost, is_reset, tells_of_loss, misses, last_call, asker, inbox,
               last_arrival] = line;
  history = mix(history, Mark::own_line | std::uint64_t{is_open} << 8 | std::uint64_t{is_lost} << 9 |
                             std::uint64_t{is_reset} << 10 | std::uint64_t{misses} << 11 |
                             std::uint64_t{node.value} << 16);
  if (is_lost && !is_reset) history = mix(history, owner.age_of_acquisition(asker.number));
  const auto age_of = [&](const Token& each) { return clients.age_of(each); };
  for (const auto& [its_id, text, content] : inbox)
    history = mix(mix(history, Mark::letter), content.at(now_, age_of));
  return history;
}

// Of a call that waits there, beyond what mix_message() says of what is on its way. What it asks for, the
// client has observed.
Digest Network::mix_call(Digest history, const Message& call, const Client& owner, Asked asked) const {
  history = mix(history, Mark::own_call | std::uint64_t{call.is_blocked} << 8 |
                             rank_of(call.connection) << 16 | owner.rank_of(call.call) << 32);
  history = mix(history, std::uint64_t{owner.age_of_acquisition(call.acquisition.number)});
  return asked.about_sending ? mix(history, (now_ - call.sent_at).count()) : history;
}

}  // namespace holdfast
