// One connection to a Redis server over hiredis' asynchronous interface, shared by any number of clients:
// requests are pipelined, replies come back in their order. A connection that breaks, or is silent for too
// long, is opened again, with growing pauses; what was under way is lost, what was not sent yet waits.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "sim/core/store.hpp"
#include "sim/live/address.hpp"
#include "sim/live/loop.hpp"

struct redisAsyncContext;

namespace holdfast::live {

class Connection final : private Socket {
 public:
  // `timeout`: how long after it was sent a call comes back as lost.
  Connection(Loop& loop, Address address, Duration timeout);
  ~Connection() override;
  Connection(const Connection&) = delete;

  // Takes the request over; the call is completed by the loop.
  void send(Call& call);
  // The reply is of no interest any more.
  void forget(Call& call) noexcept;

  Loop& loop() const { return loop_; }
  const Address& address() const { return address_; }
  Duration timeout() const { return timeout_; }
  bool is_open() const { return state_ == State::open; }
  // Nothing that was sent is still without an answer.
  bool is_idle() const { return sent_ == 0; }
  // Why the connection broke last, in words; empty if it never did.
  const std::string& trouble() const { return trouble_; }
  std::uint32_t breaks() const { return breaks_; }
  std::uint64_t commands() const { return commands_; }

 private:
  enum class State : std::uint8_t { closed, opening, open };
  // In the order in which they were sent; the last ones may wait to be sent.
  struct Request {
    Call* call;  // nullptr: no call waits for the reply
    SteadyTime deadline;
    std::optional<Command> unsent;
    std::optional<Loop::Timer> limit;  // of Call::within()
  };

  void open();
  void greet();
  void send_waiting();
  void broke(const std::string& why);
  bool pass_on(const Command& command);
  void write_early();
  void schedule_flush();
  void flush();
  void watch_timeouts();
  void end_overdue();
  void limit(Request& request);
  // Its caller is told; nullptr: it waits no longer.
  Call* take_call(Request& request);
  void answered(const void* raw);

  void on_readable() override;
  void on_writable() override;
  // hiredis' hooks: `self` is the connection.
  static void wants_write(void* self);
  static void is_written(void* self);
  static void cleanup(void* self);
  static void on_reply(redisAsyncContext* context, void* raw, void* self);
  static void on_greeted(redisAsyncContext* context, void* raw, void* self);

  Loop& loop_;
  const Address address_;
  const Duration timeout_;
  redisAsyncContext* context_ = nullptr;
  int descriptor_ = -1;
  State state_ = State::closed;
  std::size_t greetings_left_ = 0;
  std::uint32_t unwritten_ = 0;  // requests since something was last written
  bool flush_scheduled_ = false;
  bool is_writing_ = false;
  bool is_ending_ = false;
  std::deque<Request> requests_;
  std::uint64_t first_ = 0;    // the number of requests_.front(); calls know their number, modulo 2^32
  std::size_t sent_ = 0;       // of requests_
  std::size_t timed_out_ = 0;  // of requests_: their callers were told
  std::optional<Loop::Timer> timeout_timer_;
  std::optional<Loop::Timer> reopen_timer_;
  Duration pause_{};  // before the connection is opened again
  std::string trouble_;
  std::uint32_t breaks_ = 0;
  std::uint64_t commands_ = 0;
  std::string bytes_;  // of the command that is sent now
};

}  // namespace holdfast::live
