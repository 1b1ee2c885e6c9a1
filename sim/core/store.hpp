// How an algorithm asks a node for something: `const Reply reply = co_await store.send(Command("GET",
// key));` The commands of each kind of node stand beside this file: redis_client.hpp, shared_dict.hpp.
//
// A simulated node and a real one receive the same words. There is one virtual door, submit(). A reply may be
// lost; that is a value which the author of a lock must handle. One await, one statement, one name: see
// sim/README.md, "Compiler traps".
#pragma once

#include <coroutine>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/awaits.hpp"
#include "sim/core/reply.hpp"
#include "sim/core/task.hpp"
#include "sim/core/units.hpp"

namespace holdfast {

class Broadcast;
class OwnConnection;
class Store;

// A line of a program in another language.
struct ScriptLine {
  const char* file = "";
  std::uint32_t line = 0;
};

// One request in the making. Awaited once, where it was made.
class [[nodiscard]] Call {
 public:
  inline Call(Store& store, Command command, Where where, OwnConnection* connection = nullptr);
  Call(const Call&) = delete;
  // Destroyed while waiting: the caller crashed. The reply is forgotten; the request may still land.
  ~Call();

  // It comes back as lost when there is no answer for so long, in place of the driver's own timeout, which
  // counts if this is zero; over an OwnConnection in place of its patience, too. A driver does not ask again
  // when the caller's time is over.
  Call& within(Duration at_most) {
    at_most_ = at_most;
    return at_most > Duration::zero() ? once() : *this;
  }

  // There is no driver and no timeout: who asks waits as long as an answer may come, and learns that none
  // does when the connection breaks, which takes a driver's timeout.
  Call& patiently() {
    is_patient_ = true;
    return once();
  }
  bool is_patient() const { return is_patient_; }

  // The driver does not send this request again, unlike others.
  Call& once() {
    repeats_ = 0;
    return *this;
  }

  // It was made by this line of a program in another language. REQUIRES: the line outlives all runs.
  Call& at(const ScriptLine& line) {
    script_line_ = &line;
    return *this;
  }

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiter);
  Reply await_resume() { return std::move(reply_); }

  const Command& command() const { return command_; }
  // As given to within().
  Duration at_most() const { return at_most_; }
  // It is waited for with others.
  bool is_part() const { return whole_ != nullptr; }
  // What it is part of, if that waits for all; else nullptr.
  const Broadcast* all_waited_for() const;
  // For a store that keeps the words itself. Once for each time that it is submitted.
  Command take_command() { return repeats_ == 0 ? std::move(command_) : command_; }
  // How often the driver may send it again.
  std::uint32_t repeats() const { return repeats_; }
  Where where() const { return where_; }
  // As given to at(); nullptr: where() says it.
  const ScriptLine* script_line() const { return script_line_; }
  // What it goes over; nullptr: the connection that all requests of a client share. Without words it asks for
  // nothing and only listens there.
  OwnConnection* connection() const { return connection_; }
  // Ends the wait; the caller runs when the returned handle is given to run(), at once. Null: it waits for
  // others, too, or the request was lost and has been submitted again. REQUIRES: called from the store's
  // loop, never inside submit().
  std::coroutine_handle<> complete(Reply reply);
  // Free for the store: what it knows this call by, and when it was submitted first.
  MessageId message;
  std::optional<Instant> since;

 private:
  friend class Broadcast;
  // The client waits for the answer no longer; the request may still be executed.
  void give_up();

  Store& store_;
  Command command_;
  Where where_;
  OwnConnection* connection_;
  Reply reply_;
  std::coroutine_handle<> waiter_;
  Broadcast* whole_ = nullptr;  // that it is part of
  Duration at_most_{};
  bool is_patient_ = false;
  std::uint32_t repeats_;
  const ScriptLine* script_line_ = nullptr;
};

// The same request to several stores at once; awaited, it gives every reply, in the order of the stores.
class [[nodiscard]] Broadcast {
 public:
  // All replies, in the order of the stores; those that have not arrived count as lost.
  using Enough = bool (*)(std::span<const Reply> replies);

  Broadcast(std::span<Store* const> stores, const Command& command, Where where)
      : open_(static_cast<std::uint32_t>(stores.size())) {
    // A driver asks each of several servers once: in what order calls wait would say too little of them
    // otherwise.
    for (Store* const store : stores) calls_.emplace_back(*store, command, where).once().whole_ = this;
  }
  Broadcast(const Broadcast&) = delete;

  // For each of them, as Call::within().
  Broadcast& within(Duration at_most) {
    for (Call& call : calls_) call.within(at_most);
    return *this;
  }
  // For each of them, as Call::patiently() and Call::at().
  Broadcast& patiently() {
    for (Call& call : calls_) call.patiently();
    return *this;
  }
  Broadcast& at(const ScriptLine& line) {
    for (Call& call : calls_) call.at(line);
    return *this;
  }
  // Does not wait for the others once the replies are enough; null: waits for all. Requests without a reply
  // may still land.
  Broadcast& until(Enough enough) {
    enough_ = enough;
    return *this;
  }

  bool await_ready() const noexcept { return calls_.empty(); }
  void await_suspend(std::coroutine_handle<> waiter) {
    for (Call& call : calls_) call.await_suspend(waiter);
  }
  std::vector<Reply> await_resume() {
    for (Call& call : calls_)
      if (call.waiter_) call.give_up();
    return replies();
  }

 private:
  friend class Call;
  // Whether the caller goes on, now that one more is here.
  bool is_enough() {
    if (--open_ == 0) return true;
    return enough_ != nullptr && enough_(replies());
  }
  std::vector<Reply> replies() const {
    std::vector<Reply> replies;
    for (const Call& call : calls_) replies.push_back(call.waiter_ ? Reply::lost() : call.reply_);
    return replies;
  }

  std::uint32_t open_;       // how many are not answered yet
  Enough enough_ = nullptr;  // null: all are waited for
  std::deque<Call> calls_;   // they stay where they are
};

inline const Broadcast* Call::all_waited_for() const {
  return whole_ != nullptr && whole_->enough_ == nullptr ? whole_ : nullptr;
}
static_assert(SafeInAwait<Call> && SafeInAwait<Broadcast> && SafeInAwait<Command> && SafeInAwait<Reply>);

// Values, in order: Args("a", 7). Parentheses, never braces.
template <class Tag>
class Words {
 public:
  template <class... Items>
  explicit Words(const Items&... items) : command_(items...) {}
  WordsView list() const { return command_.argv(); }

 private:
  Command command_;
};
using Args = Words<struct ArgsTag>;

class Store {
 public:
  // The driver sends a request that was lost again, at once, at most so often; the last answer counts. What
  // goes over an OwnConnection, or to several servers at once, it does not.
  explicit Store(std::uint32_t driver_retries = 0) : driver_retries_(driver_retries) {}
  virtual ~Store() = default;

  Call send(Command command, Where where = Where::current()) {
    return Call(*this, std::move(command), where);
  }

 private:
  friend class Call;
  friend class OwnConnection;
  // Takes the request over. MUST NOT complete it before returning.
  virtual void submit(Call& call) = 0;
  // The caller is gone: never touch `call` again.
  virtual void forget(Call& call) noexcept = 0;
  // The client hangs up. Only for connections that something was sent on.
  virtual void close(OwnConnection&) noexcept {}

  const std::uint32_t driver_retries_;
};

inline Call::Call(Store& store, Command command, Where where, OwnConnection* connection)
    : store_(store),
      command_(std::move(command)),
      where_(where),
      connection_(connection),
      repeats_(connection == nullptr ? store.driver_retries_ : 0) {}
inline std::coroutine_handle<> Call::complete(Reply reply) {
  INVARIANT(waiter_, "a call is completed once, and only while somebody waits for it");
  if (reply.is_lost() && repeats_ > 0) {
    --repeats_;
    store_.submit(*this);
    return nullptr;
  }
  reply_ = std::move(reply);
  const std::coroutine_handle<> waiter = std::exchange(waiter_, nullptr);
  const bool is_last = whole_ == nullptr || whole_->is_enough();
  return is_last ? waiter : std::coroutine_handle<>();
}

// A connection to a node that a client has for itself: for what would keep others waiting, and for what
// belongs to a connection. It begins with its first request and ends with this object. One call at a time.
// Once a call came back as lost, so is the connection: calls after it are lost, too, and messages may be
// missing. A lock that goes on needs another.
class OwnConnection {
 public:
  // REQUIRES: `node` outlives it.
  explicit OwnConnection(Store& node) : node_(node) {}
  OwnConnection(const OwnConnection&) = delete;
  ~OwnConnection() {
    if (id != 0) node_.close(*this);
  }

  Call send(Command command, Where where = Where::current()) {
    return begin(std::move(command), Duration::zero(), where);
  }
  // How much longer than usual a command that waits at the server may take, at most.
  Call send(Command command, Duration patience, Where where = Where::current()) {
    return begin(std::move(command), patience, where);
  }
  // The next message of a channel, as Redis sends it. Messages wait here until they are asked for. Nil: none
  // came for so long.
  Call receive(Duration at_most, Where where = Where::current()) { return begin(Command(), at_most, where); }

  // For a command that waits at the server as long as it takes: no timeout counts, but who waits is told when
  // a message was lost, for then the connection breaks. So is who listens on it for ever, afterwards.
  Call send_and_wait(Command command, Where where = Where::current()) {
    is_told_of_loss_ = true;
    return begin(std::move(command), for_ever, where);
  }

  static constexpr Duration for_ever = Duration::max();
  // For the store: whether the caller learns, after the timeout of its driver, that no answer can come.
  bool is_told_of_loss() const { return is_told_of_loss_ && patience_ == for_ever; }
  // For the store, of the call that is submitted: how much longer than usual its answer may take; of one that
  // only listens, how long it does.
  Duration patience() const { return patience_; }
  // Free for the store: what it knows this connection by. 0: nothing was sent on it yet.
  std::uint32_t id = 0;

 private:
  Call begin(Command command, Duration patience, Where where) {
    patience_ = patience;
    return Call(node_, std::move(command), where, this);
  }
  Store& node_;
  Duration patience_{};
  bool is_told_of_loss_ = false;
};

inline Call::~Call() {
  if (waiter_) store_.forget(*this);
}
inline void Call::give_up() {
  waiter_ = nullptr;
  store_.forget(*this);
  reply_ = Reply::lost();
}
inline void Call::await_suspend(std::coroutine_handle<> waiter) {
  waiter_ = waiter;
  store_.submit(*this);
}

}  // namespace holdfast
