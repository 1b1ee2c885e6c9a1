// What is between clients and servers, and what is going to happen: messages, cuts, and connections of
// clients' own. It knows neither what servers keep nor what clients are: the world carries things over.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/core/invariant.hpp"
#include "sim/core/lock.hpp"
#include "sim/core/session.hpp"
#include "sim/trace/digest.hpp"
#include "sim/trace/event.hpp"
#include "sim/world/client.hpp"
#include "sim/world/messages.hpp"
#include "sim/world/scheduled.hpp"
#include "sim/world/touched.hpp"

namespace holdfast {

class Clients;

// A connection that a client has for itself, until both ends have forgotten it.
struct Line {
  ConnectionId id;
  ClientId client;
  NodeId node;
  bool is_open = true;    // to the client
  bool is_lost = false;   // the client knows, or is about to be told
  bool is_reset = false;  // the server does not know it any more: what still arrives is dropped
  bool tells_of_loss = false;  // to who waits or listens for ever
  bool misses = false;         // what the server sent by itself was lost, and that is to be told
  std::uint32_t last_call = ~std::uint32_t{0};  // the slot of its message
  Acquisition asker = {};                       // of that call
  struct Letter {
    MessageId id;
    Reply text;
    History content;
  };
  std::vector<Letter> inbox = {};  // messages that were not asked for yet
  Instant last_arrival{};          // in timed runs, of what the server sent
};
// What travels between the two is lost, until it is healed.
struct Cut {
  std::uint32_t number;
  ClientId client;
  NodeId node;
  bool loses_requests;
  bool loses_replies;
  bool is_between(ClientId one, NodeId other) const { return client == one && node == other; }
  bool loses(Scheduled::Kind kind) const {
    return kind == Scheduled::Kind::request ? loses_requests : loses_replies;
  }
};

class Network {
 public:
  // `now` and `touched` must outlive it. All that it has of a client is in that client's part.
  Network(const Instant& now, bool is_timed, Touched& touched)
      : now_(now), is_timed_(is_timed), touched_(touched) {}
  // As much as a small run of so many clients ever needs, so that nothing grows while it goes on.
  void reserve(std::size_t clients);

  // --- messages ---

  // By slot. A free one has no id.
  std::span<const Message> messages() const { return messages_; }
  Message& change(std::uint32_t slot) {
    touched_.note(messages_[slot].client);
    return messages_[slot];
  }
  Message& change(const Message& message) { return change(slot_of(message)); }
  const Message& at(std::uint32_t slot) const { return messages_[slot]; }
  std::uint32_t slot_of(const Message& message) const {
    return static_cast<std::uint32_t>(&message - messages_.data());
  }
  Message& new_message(ClientId client, NodeId node);
  // Forgets a message without a waiter that is not on its way.
  void settle(Message& message);
  // The names of a client that messages refer to, older than `known`: the place of this one among them, the
  // newest first; nullopt where none refers to it.
  std::optional<std::uint32_t> place_of_token(ClientId client, std::uint32_t number,
                                              std::uint32_t known) const {
    return place_among(client, number, known, [](const Message& sent) { return sent.own_tokens; });
  }
  std::optional<std::uint32_t> place_of_acquisition(ClientId client, std::uint32_t number,
                                                    std::uint32_t known) const {
    return place_among(client, number, known,
                       [](const Message& sent) { return std::array{sent.acquisition.number}; });
  }

  // --- what is going to happen ---

  // In the order of scheduling; in timed runs, only what is due now.
  std::span<Scheduled> change_pending() {
    touched_.note_all();
    return pending_;
  }
  std::span<const Scheduled> pending() const { return pending_; }
  // In timed runs it happens at one instant.
  void schedule(Scheduled what);
  // REQUIRES: in timed runs, it is due.
  Scheduled take(std::size_t index) {
    const Scheduled taken = pending_[index];
    touched_.note(taken.client);
    if (index + 1 == pending_.size()) pending_.pop_back();
    else pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(index));
    return taken;
  }
  // What is due now becomes pending, in the order in which it was scheduled.
  void take_due();
  // Of what is not pending yet.
  Instant next_due() const { return agenda_.next(); }
  // REQUIRES: it is on its way.
  const Scheduled& travelling(const Message& message) const;
  Scheduled& change_travelling(const Message& message) {
    touched_.note(message.client);
    return const_cast<Scheduled&>(travelling(message));
  }
  // When it happens at the latest; `never`: it does not.
  Instant end_of(Scheduled::Kind kind, const Message& message) const;
  void drop(Scheduled::Kind kind, Message& message);
  void drop(Sleep& sleep) noexcept;
  void drop_resume(ClientId client);

  // --- cuts ---

  std::span<const Cut> cuts() const { return cuts_; }
  const Cut& cut(ClientId client, NodeId node, bool loses_requests, bool loses_replies);
  void heal(std::uint32_t number);
  void heal_all();
  bool is_cut(const Message& message, Scheduled::Kind direction) const;

  // --- connections of clients' own ---

  // In the order in which they were opened.
  std::span<const Line> lines() const { return lines_; }
  Line& change_line(std::size_t index) {
    touched_.note(lines_[index].client);
    return lines_[index];
  }
  bool has_lines() const { return !lines_.empty(); }
  Line& open_line(ClientId client, NodeId node);
  void forget(Line& line);
  // nullptr: both ends have forgotten it.
  const Line* line_of(ConnectionId connection) const;
  Line* change_line_of(ConnectionId connection) {
    const Line* const line = line_of(connection);
    return line == nullptr ? nullptr : &change_line(static_cast<std::size_t>(line - lines_.data()));
  }
  // The call that waits there; nullptr: none does.
  Message* waiting_on(const Line& line);
  bool has_request_on(const Line& line) const;
  // The server does not know it any more.
  bool is_reset(ConnectionId connection) const;
  // The answer is at the client already.
  void answer_now(Message& asked, MessageId id, Reply reply, History content);
  // A message of a channel has arrived. True: a call waits for it, and `due` is the end of that wait.
  bool receive(Scheduled& due);
  // What is still on its way to the client there.
  void drop_pushes(ConnectionId connection);
  // What a server sends on one connection arrives in its order. What a pause holds up has arrived.
  bool is_behind(const Scheduled& scheduled) const;
  void keep_order(Scheduled& scheduled, const Message& message);
  // `late` was scheduled anew, and had this number before: what the server sent after it is behind it, too.
  void keep_followers_behind(Message& late, std::uint64_t number);
  // Another call may wait without an end.
  void note_stuck() { ++may_be_stuck_; }
  bool may_be_stuck(std::uint32_t calls) const { return calls <= may_be_stuck_; }
  // Calls for which nothing is on its way, and which will not be given up: those whose client counts.
  template <class Counts>
  std::uint32_t stuck(const Counts& counts);

  // --- digest ---

  struct Asked {
    bool about_sending;  // when a request left matters to its client
    bool about_faults;   // one may still strike
    const Clients& clients;
  };
  // Calls `note` with the tokens that what is on its way has in it.
  void note_tokens(const NoteToken& note) const;
  // All that concerns this client.
  Digest mix_client(Digest history, const Client& client, Asked asked);
  // Of a connection, among those of its client.
  std::uint64_t rank_of(ConnectionId connection) const;

 private:
  template <class NamesIn>
  std::optional<std::uint32_t> place_among(ClientId client, std::uint32_t number, std::uint32_t known,
                                           const NamesIn& names_in) const {
    bool is_there = false;
    std::uint32_t newer = 0;
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      if (messages_[i].client != client) continue;
      const auto names = names_in(messages_[i]);
      for (auto name = names.begin(); name != names.end(); ++name) {
        if (*name == 0 || *name >= known) continue;
        is_there |= *name == number;
        const auto has_it = [&](const Message& other) {
          const auto others = names_in(other);
          return other.client == client && std::find(others.begin(), others.end(), *name) != others.end();
        };
        const auto before = messages_.begin() + static_cast<std::ptrdiff_t>(i);
        newer += *name > number && std::find(names.begin(), name, *name) == name &&
                 std::none_of(messages_.begin(), before, has_it);
      }
    }
    return is_there ? std::optional(newer) : std::nullopt;
  }
  Digest digest_of(const Scheduled& it, const Client& client, Asked asked) const;
  Digest mix_message(Digest digest, const Scheduled& it, const Client& sender, Asked asked) const;
  Digest mix_lines(Digest history, const Client& client, Asked asked) const;
  Digest mix_line(Digest history, const Line& line, const Client& owner, const Clients& clients) const;
  Digest mix_call(Digest history, const Message& call, const Client& owner, Asked asked) const;
  std::uint64_t word_of(const Cut& cut) const;
  std::uint64_t rank_of(const Scheduled& scheduled) const;

  const Instant& now_;
  const bool is_timed_;
  Touched& touched_;
  std::vector<Scheduled> pending_;
  Agenda agenda_;  // of timed runs: what is not due yet
  std::uint64_t scheduled_ = 0;
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_slots_;
  std::uint32_t messages_sent_ = 0;
  std::vector<Cut> cuts_;
  std::uint32_t cuts_made_ = 0;
  std::vector<Line> lines_;
  std::uint32_t lines_opened_ = 0;
  std::uint32_t may_be_stuck_ = 0;  // at least so many calls: counted again where that matters
};

template <class Counts>
std::uint32_t Network::stuck(const Counts& counts) {
  if (lines_.empty()) return 0;
  std::uint32_t count = 0;
  for (const Message& each : messages_)
    count += each.call != nullptr && each.ahead == 0 && counts(each.client);
  INVARIANT(count <= may_be_stuck_, "whatever may leave a call without an end is counted");
  return may_be_stuck_ = count;
}

// now: times are relative to it. touched: another's. is_timed, agenda: timed runs have no states. scheduled,
// messages_sent, cuts_made, lines_opened: names. free_slots: so are slots. cuts: each has its end among what
// is pending. may_be_stuck: only saves counting.
inline Digest Network::mix_client(Digest history, const Client& client, Asked asked) {
  auto& [now, is_timed, touched, pending, agenda, scheduled, messages, free_slots, messages_sent, cuts,
         cuts_made, lines, lines_opened, may_be_stuck] = *this;
  for (Scheduled& each : pending) {
    if (each.client != client.id()) continue;
    each.digest = digest_of(each, client, asked);
    history = sum(history, each.digest);
  }
  return lines.empty() ? history : mix_lines(history, client, asked);
}

}  // namespace holdfast
