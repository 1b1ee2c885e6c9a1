// A connection of a served Redis: its commands are carried out one after the other.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "sim/serve/served_redis.hpp"
#include "sim/stores/redis/protocol.hpp"

namespace holdfast::serve {

class ServedRedis::Link {
 public:
  Link(ServedRedis& server, std::uint32_t number, int descriptor)
      : number_(number),
        server_(server),
        stream_(
            server.loop_, descriptor, [this](std::string& bytes) { take(bytes); },
            [this] { server_.cut(*this); }) {}

  ConnectionId id() const { return ConnectionId{number_}; }
  // What arrives from now on is of no interest: the socket is about to be closed.
  void note_end() { is_over_ = true; }
  // Carries out what it can.
  void go_on();
  // The answer that it waited for, or a message of a channel.
  void receive(const Reply& message, bool is_answer);
  bool is_waiting() const { return is_waiting_; }

 private:
  void take(std::string& bytes);
  // False: the command stays where it is.
  bool carry_out(const Words& words);
  void answer(const Words& words, const Plan& plan);
  void send(std::string bytes, Duration late);

  const std::uint32_t number_;
  ServedRedis& server_;
  live::Stream stream_;
  std::deque<Words> queue_;
  std::optional<Plan> plan_;        // for the first command, once it was met
  Duration late_{};                 // of the answer that it waits for
  Duration sent_until_{};           // no answer overtakes another: when the last is sent
  std::uint32_t on_their_way_ = 0;  // answers that are late
  int version_ = 2;                 // of the protocol
  bool is_held_ = false;            // its first command is late
  bool is_deaf_ = false;            // nothing passes any more
  bool is_waiting_ = false;         // at the server
  bool is_over_ = false;
};

}  // namespace holdfast::serve
