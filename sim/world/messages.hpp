// What is on its way in a world.
#pragma once

#include <array>
#include <cstdint>

#include "sim/core/lock.hpp"
#include "sim/core/session.hpp"
#include "sim/trace/event.hpp"
#include "sim/world/history.hpp"
#include "sim/world/scheduled.hpp"

namespace holdfast {

struct Message {
  MessageId id;
  ClientId client;
  NodeId node;
  Acquisition acquisition;
  ConnectionId connection{};  // 0: the one that all requests of its client share
  Call* call = nullptr;       // null: the caller gave up or died
  Command command;
  Instant sent_at{};
  Instant departed{};  // as a request or as an answer, whichever is on its way
  Reply reply = {};
  Duration held_back{};  // the reply leaves the server so long after the request came
  // What of it matters to the future. Of a request, nothing while its client waits: the client's state tells.
  History content = {};
  std::array<std::uint32_t, 2> own_tokens = {};  // of its client, which `content` leaves out; 0: none
  // The driver will send it once more, and the second answer is the one that counts.
  bool is_repeated = false;
  bool is_blocked = false;  // the server has it and will answer later
  bool is_local = false;    // its answer is at the client already: nothing travels
  std::uint8_t ahead = 0;   // bit i: its Scheduled of kind i is still to come
  // In timed runs, while they are not due: its timeout, and itself on its way.
  Agenda::Handle timeout = Agenda::none;
  Agenda::Handle travel = Agenda::none;

  // What is left of it when it is over.
  void clear() {
    id = MessageId{};
    acquisition = Acquisition{};
    connection = ConnectionId{};
    call = nullptr;
    command = Command();
    if (!reply.is_nil()) reply = Reply();
    sent_at = departed = Instant();
    held_back = Duration::zero();
    content = History();
    own_tokens = {};
    is_repeated = is_blocked = is_local = false;
    ahead = 0;
  }
  Agenda::Handle& handle_of(Scheduled::Kind kind) {
    return kind == Scheduled::Kind::timeout ? timeout : travel;
  }
  // It asks for nothing and waits for messages of channels.
  bool only_listens() const { return connection.value != 0 && command.argv().empty(); }
  // REQUIRES: its caller waits.
  bool listens_for_ever() const {
    return only_listens() && call->connection()->patience() == OwnConnection::for_ever;
  }
  bool has(Scheduled::Kind kind) const { return (ahead >> static_cast<unsigned>(kind) & 1u) != 0; }
  void add(Scheduled::Kind kind) { ahead |= static_cast<std::uint8_t>(1u << static_cast<unsigned>(kind)); }
  void remove(Scheduled::Kind kind) {
    ahead &= static_cast<std::uint8_t>(~(1u << static_cast<unsigned>(kind)));
  }
};

}  // namespace holdfast
