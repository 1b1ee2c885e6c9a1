// What is on its way in a world, and what is going to happen.
#pragma once

#include <cstdint>

#include "sim/core/lock.hpp"
#include "sim/redis/connections.hpp"
#include "sim/trace/digest.hpp"
#include "sim/trace/event.hpp"
#include "sim/world/agenda.hpp"

namespace holdfast {

struct Pending {
  enum class Kind : std::uint8_t { start, request, reply, timeout, wake };
  Kind kind;
  bool ends_pause = false;
  ClientId client;
  Instant earliest;
  Instant latest;
  MessageId message{};
  std::uint32_t slot = 0;  // of the message
  Sleep* sleep = nullptr;
  std::uint64_t number = 0;  // in the order of scheduling
  Digest digest = {};        // as its client's part was last made of it
  // Whom it lets go on. A request lets nobody, but its server.
  bool resumes_client() const { return kind != Kind::start && kind != Kind::request; }
  bool is_of_message() const { return kind != Kind::start && kind != Kind::wake; }
};

// The same without the instants: what happens when it does. In timed runs each comes at one instant; until
// then it is kept so.
struct Due {
  Pending::Kind kind;
  bool ends_pause;
  ClientId client;
  MessageId message;
  std::uint32_t slot;
  Sleep* sleep;
  std::uint64_t number;

  explicit Due(const Pending& pending = {})
      : kind(pending.kind),
        ends_pause(pending.ends_pause),
        client(pending.client),
        message(pending.message),
        slot(pending.slot),
        sleep(pending.sleep),
        number(pending.number) {}
  Pending at(Instant now) const {
    return {.kind = kind,
            .ends_pause = ends_pause,
            .client = client,
            .earliest = now,
            .latest = now,
            .message = message,
            .slot = slot,
            .sleep = sleep,
            .number = number};
  }
  void stays_at(std::uint32_t place) const {
    if (sleep != nullptr) sleep->place = place;
  }
};
using Later = Agenda<Due>;

struct Message {
  MessageId id;
  ClientId client;
  NodeId node;
  Acquisition acquisition;
  redis::ConnectionId connection{};  // 0: the one that all requests of its client share
  Call* call = nullptr;              // null: the caller gave up or died
  Command command;
  Instant sent_at{};
  Reply reply = {};
  Duration held_back{};  // the reply leaves the server so long after the request came
  // What of it matters to the future. Of a request, nothing while its client waits: the client's state tells.
  Digest content = {};
  std::uint32_t own_token = 0;  // the token of its client that `content` leaves out
  // The driver will send it once more, and the second answer is the one that counts.
  bool is_repeated = false;
  bool is_blocked = false;  // the server has it and will answer later
  std::uint8_t ahead = 0;   // bit i: its Pending of kind i is still to come

  // What is left of it when it is over.
  void clear() {
    id = MessageId{};
    acquisition = Acquisition{};
    connection = redis::ConnectionId{};
    call = nullptr;
    command = Command();
    if (!reply.is_nil()) reply = Reply();
    held_back = Duration::zero();
    content = Digest{};
    own_token = 0;
    is_repeated = is_blocked = false;
    ahead = 0;
  }
  // It asks for nothing and waits for messages of channels.
  bool only_listens() const { return connection.value != 0 && command.argv().empty(); }
  bool has(Pending::Kind kind) const { return (ahead >> static_cast<unsigned>(kind) & 1u) != 0; }
  void add(Pending::Kind kind) { ahead |= static_cast<std::uint8_t>(1u << static_cast<unsigned>(kind)); }
  void remove(Pending::Kind kind) {
    ahead &= static_cast<std::uint8_t>(~(1u << static_cast<unsigned>(kind)));
  }
};

}  // namespace holdfast
