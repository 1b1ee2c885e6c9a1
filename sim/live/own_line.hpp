// A connection to a Redis server that one client has for itself: for commands that wait for their answer, and
// for channels. It is opened with the first request and never again: what breaks is lost.
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "sim/core/store.hpp"
#include "sim/live/address.hpp"
#include "sim/live/loop.hpp"

struct redisAsyncContext;

namespace holdfast::live {

class OwnLine final : private Socket {
 public:
  // `timeout`: how long after it was sent a call comes back as lost, besides its own patience.
  OwnLine(Loop& loop, const Address& address, Duration timeout);
  // MUST NOT run while hiredis calls this: see abandon().
  ~OwnLine() override;
  OwnLine(const OwnLine&) = delete;

  // One at a time; the call is completed by the loop.
  void send(Call& call);
  void forget(const Call& call) noexcept {
    if (waiting_ == &call) end_wait();
  }
  // Reports nothing any more; the loop destroys it.
  static void abandon(std::shared_ptr<OwnLine> line);

 private:
  void greet();
  void begin();
  void pass_on(const Command& command);
  void ask_for_message();
  void complete(Reply reply);
  void complete_soon(Reply reply);
  void end_wait();
  void hear(const void* raw);
  void lose();

  void on_readable() override;
  void on_writable() override;
  // hiredis' hooks: `self` is the line.
  static void cleanup(void* self);
  static void on_reply(redisAsyncContext* context, void* raw, void* self);
  static void on_message(redisAsyncContext* context, void* raw, void* self);
  static void on_greeted(redisAsyncContext* context, void* raw, void* self);

  Loop& loop_;
  const Address address_;
  const Duration timeout_;
  redisAsyncContext* context_ = nullptr;
  int descriptor_ = -1;
  std::size_t greetings_left_ = 0;
  bool is_open_ = false;
  bool is_lost_ = false;
  bool is_abandoned_ = false;
  bool has_asked_ = false;  // for a message, which has not come yet
  Call* waiting_ = nullptr;
  std::optional<Command> unsent_;     // until the connection is open
  std::optional<Loop::Timer> timer_;  // ends the wait of `waiting_`
  std::deque<Reply> inbox_;           // messages that were not asked for yet
};

}  // namespace holdfast::live
