#include "sim/world/network.hpp"

#include <algorithm>

#include "sim/core/invariant.hpp"
#include "sim/world/clients.hpp"
#include "sim/world/marks.hpp"

namespace holdfast {

void Network::reserve(std::size_t clients) {
  pending_.reserve(2 * clients + 2);
  messages_.reserve(clients + 1);
}

// --- messages ---

Message& Network::new_message(ClientId id, NodeId node) {
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
  touched_.note(id);
  return made;
}

void Network::settle(Message& message) {
  using Kind = Scheduled::Kind;
  if (message.call != nullptr || message.has(Kind::request) || message.has(Kind::reply)) return;
  free_slots_.push_back(slot_of(message));
  message.clear();
}

// --- what is going to happen ---

void Network::schedule(Scheduled what) {
  what.number = ++scheduled_;
  touched_.note(what.client);
  if (!is_timed_ || what.earliest <= now_) {
    pending_.push_back(what);
    return;
  }
  const Agenda::Handle handle = agenda_.add(what);
  if (what.is_of_message()) messages_[what.slot].handle_of(what.kind) = handle;
  if (what.sleep != nullptr) what.sleep->place = handle;
}

void Network::take_due() {
  while (agenda_.next() <= now_) {
    const Scheduled due = agenda_.take().second;
    if (due.is_of_message()) messages_[due.slot].handle_of(due.kind) = Agenda::none;
    if (due.sleep != nullptr) due.sleep->place = Agenda::none;
    pending_.push_back(due);
  }
}

const Scheduled& Network::travelling(const Message& message) const {
  using Kind = Scheduled::Kind;
  if (message.travel != Agenda::none) return agenda_.at(message.travel);
  const Kind kind = message.has(Kind::request) ? Kind::request : Kind::reply;
  const auto found = std::find_if(pending_.begin(), pending_.end(), [&](const Scheduled& each) {
    return each.kind == kind && each.message == message.id;
  });
  INVARIANT(found != pending_.end(), "what is on its way will arrive");
  return *found;
}

Instant Network::end_of(Scheduled::Kind kind, const Message& message) const {
  if (!message.has(kind)) return never;
  const auto found = std::find_if(pending_.begin(), pending_.end(), [&](const Scheduled& each) {
    return each.kind == kind && each.message == message.id;
  });
  return found == pending_.end() ? never : found->latest;
}

void Network::drop(Scheduled::Kind kind, Message& message) {
  touched_.note(message.client);
  message.remove(kind);
  if (message.connection.value != 0) ++may_be_stuck_;
  if (Agenda::Handle& later = message.handle_of(kind); later != Agenda::none)
    if (agenda_.at(later).kind == kind) return agenda_.remove(std::exchange(later, Agenda::none));
  std::erase_if(pending_,
                [&](const Scheduled& each) { return each.kind == kind && each.message == message.id; });
}

void Network::drop(Sleep& sleep) noexcept {
  if (sleep.place != Agenda::none) agenda_.remove(std::exchange(sleep.place, Agenda::none));
  else
    std::erase_if(pending_, [&](const Scheduled& each) {
      if (each.sleep == &sleep) touched_.note(each.client);
      return each.sleep == &sleep;
    });
}

void Network::drop_resume(ClientId client) {
  touched_.note(client);
  const auto is_it = [&](const Scheduled& each) {
    return each.kind == Scheduled::Kind::resume && each.client == client;
  };
  if (!agenda_.remove_first(is_it)) std::erase_if(pending_, is_it);
}

// --- cuts ---

const Cut& Network::cut(ClientId client, NodeId node, bool loses_requests, bool loses_replies) {
  touched_.note(client);
  cuts_.push_back({++cuts_made_, client, node, loses_requests, loses_replies});
  return cuts_.back();
}

void Network::heal(std::uint32_t number) {
  std::erase_if(cuts_, [&](const Cut& each) {
    if (each.number == number) touched_.note(each.client);
    return each.number == number;
  });
}

void Network::heal_all() {
  touched_.note_all();
  cuts_.clear();
  std::erase_if(pending_, [](const Scheduled& each) { return each.kind == Scheduled::Kind::heal; });
}

bool Network::is_cut(const Message& message, Scheduled::Kind direction) const {
  return std::any_of(cuts_.begin(), cuts_.end(), [&](const Cut& cut) {
    return cut.loses(direction) && cut.is_between(message.client, message.node);
  });
}

// --- digest ---

// client: it is in this client's part. message, slot: mix_message() says what it is. sleep: its rank does,
// and what the client has observed. number: order matters on one connection alone, where a rank says it.
// digest: made here.
Digest Network::digest_of(const Scheduled& it, const Client& client, Asked asked) const {
  const auto& [kind, is_work, is_struck, its_client, first, last, message, slot, sleep, number, before] = it;
  using Kind = Scheduled::Kind;
  const auto earliest = static_cast<std::uint64_t>(time_until(first, now_).count());
  const auto latest = static_cast<std::uint64_t>(time_until(last, now_).count());
  const bool has_window = earliest != latest;
  const bool is_far = earliest >> 45 != 0;
  Digest digest =
      mix(Digest{}, Mark::pending | static_cast<std::uint64_t>(kind) << 8 | std::uint64_t{is_work} << 16 |
                        std::uint64_t{has_window} << 17 | std::uint64_t{is_far} << 18 | earliest << 19);
  if (is_far) digest = mix(digest, earliest);
  if (has_window) digest = mix(digest, latest);
  if (kind == Kind::heal)
    return mix(digest, word_of(*std::find_if(cuts_.begin(), cuts_.end(),
                                             [&](const Cut& each) { return each.number == it.slot; })));
  if (!it.is_of_message() && sleep == nullptr) return digest;
  const void* const wait = it.is_of_message() ? static_cast<const void*>(messages_[slot].call) : sleep;
  if (wait != nullptr && client.has_ranks()) digest = mix(digest, Mark::rank | client.rank_of(wait) << 8);
  // How often its driver may still ask again.
  if (const Call* const call = it.is_of_message() ? messages_[slot].call : nullptr)
    if (call->repeats() != 0) digest = mix(digest, Mark::repeats | std::uint64_t{call->repeats()} << 8);
  // What a fault may still do to it.
  if (asked.about_faults && (it.travels() || is_work)) {
    const bool is_fresh = it.travels() && is_now(messages_[slot].departed, now_);
    digest = mix(digest, Mark::movable | std::uint64_t{is_fresh} << 8 | std::uint64_t{is_struck} << 9);
  }
  return it.travels() || kind == Kind::send ? mix_message(digest, it, client, asked) : digest;
}

// What is on its way, or about to leave.
// id: a name. client: it is in this client's part. departed: only whether that is now, which digest_of()
// says. command, reply: `content`, or what the client has observed. held_back: the time of the arrival; until
// it leaves, that is the same. is_blocked: mix_call() says it. ahead, timeout, travel: what is scheduled.
Digest Network::mix_message(Digest digest, const Scheduled& it, const Client& sender, Asked asked) const {
  const auto& [id, client, node, acquisition, connection, call, command, sent_at, departed, reply, held_back,
               content, own_tokens, is_repeated, is_blocked, is_local, ahead, timeout, travel] =
      messages_[it.slot];
  if (connection.value != 0)
    digest = mix(mix(digest, Mark::line | rank_of(it) << 8), std::uint64_t{is_local});
  const std::uint32_t age = call != nullptr ? sender.age_of_acquisition(acquisition.number) : 0;
  if (node.value != 0 || is_repeated || age != 0)
    digest = mix(digest, Mark::sent | std::uint64_t{is_repeated} << 8 | std::uint64_t{node.value} << 9 |
                             std::uint64_t{age} << 32);
  if (call != nullptr && asked.about_sending) digest = mix(digest, (now_ - sent_at).count());
  const auto age_of = [&](const Token& each) { return asked.clients.age_of(each); };
  if (call != nullptr)
    return it.kind == Scheduled::Kind::reply ? mix(sum(digest, content.at(now_, age_of)), 0) : digest;
  digest = mix(digest, Mark::orphan | std::uint64_t{sender.age_of_acquisition(acquisition.number)} << 8);
  for (const std::uint32_t each : own_tokens)
    digest = mix(digest, each == 0 ? 0 : std::uint64_t{sender.age_of_token(each)} + 1);
  return mix(digest, content.at(now_, age_of));
}

// Of what mix_message() looks at.
void Network::note_tokens(const NoteToken& note) const {
  for (const Message& each : messages_) {
    if (each.call == nullptr)
      for (const std::uint32_t own : each.own_tokens) note({each.client, own});
    if (each.call == nullptr || each.has(Scheduled::Kind::reply)) each.content.for_each_token(note);
  }
  for (const Line& each : lines_)
    for (const Line::Letter& letter : each.inbox) letter.content.for_each_token(note);
}

// number: a name. client: the end of the cut is in this client's part.
std::uint64_t Network::word_of(const Cut& cut) const {
  const auto& [number, client, node, loses_requests, loses_replies] = cut;
  return Mark::is_cut | std::uint64_t{loses_requests} << 8 | std::uint64_t{loses_replies} << 9 |
         std::uint64_t{node.value} << 10;
}

}  // namespace holdfast
