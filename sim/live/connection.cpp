#include "sim/live/connection.hpp"

#include <hiredis/async.h>
#include <hiredis/hiredis.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/core/invariant.hpp"
#include "sim/live/replies.hpp"
#include "sim/live/words.hpp"

namespace holdfast::live {
namespace {

// Before a broken connection is opened again; doubles until it succeeds.
constexpr Duration pause_min = 1ms;
constexpr Duration pause_max = 200ms;
// A connection on which a request is without an answer for so many timeouts beyond its own is given up.
constexpr int patience = 3;
// Of so many requests none waits for the next ones: the server begins with them meanwhile.
constexpr std::uint32_t batch = 16;

}  // namespace

Connection::Connection(Loop& loop, Address address, Duration timeout)
    : loop_(loop), address_(std::move(address)), timeout_(timeout) {
  open();
}

Connection::~Connection() {
  is_ending_ = true;
  if (timeout_timer_) loop_.cancel(*timeout_timer_);
  if (reopen_timer_) loop_.cancel(*reopen_timer_);
  if (context_ != nullptr) redisAsyncFree(context_);
}

// --- requests ---

void Connection::send(Call& call) {
  call.message = MessageId{static_cast<std::uint32_t>(first_ + requests_.size())};
  const bool is_waiting = sent_ < requests_.size();
  requests_.push_back({&call, loop_.now() + timeout_, std::nullopt, std::nullopt});
  if (call.at_most() > Duration::zero()) limit(requests_.back());
  watch_timeouts();
  if (state_ == State::open && !is_waiting && pass_on(call.command())) {
    ++sent_;
    return;
  }
  requests_.back().unsent.emplace(call.take_command());
}

void Connection::forget(Call& call) noexcept {
  const std::uint32_t index = call.message.value - static_cast<std::uint32_t>(first_);
  if (index < requests_.size() && requests_[index].call == &call) take_call(requests_[index]);
}

Call* Connection::take_call(Request& request) {
  if (request.limit) loop_.cancel(*std::exchange(request.limit, std::nullopt));
  return std::exchange(request.call, nullptr);
}

// False when the connection is breaking.
bool Connection::pass_on(const Command& command) {
  bytes_.clear();
  append_message(bytes_, command);
  if (redisAsyncFormattedCommand(context_, on_reply, this, bytes_.data(), bytes_.size()) != REDIS_OK)
    return false;
  ++commands_;
  if (++unwritten_ == batch) write_early();
  return true;
}

// Unlike redisAsyncHandleWrite() this may be called while hiredis tells replies: an error is met again, and
// acted upon, by the write that is due anyway.
void Connection::write_early() {
  unwritten_ = 0;
  int is_done = 0;
  redisBufferWrite(&context_->c, &is_done);
}

void Connection::on_reply(redisAsyncContext*, void* raw, void* self) {
  static_cast<Connection*>(self)->answered(raw);
}

// `raw` is null when the connection breaks.
void Connection::answered(const void* raw) {
  INVARIANT(sent_ > 0, "replies come to requests that were sent");
  Call* const call = take_call(requests_.front());
  requests_.pop_front();
  ++first_;
  --sent_;
  if (timed_out_ > 0) --timed_out_;
  if (call == nullptr || is_ending_) return;
  Reply reply = raw == nullptr ? Reply::lost() : to_reply(*static_cast<const redisReply*>(raw));
  run(call->complete(std::move(reply)));
}

// --- timeouts ---

// One timer, for the first request whose time is not over (all have the same timeout, so they end in order),
// and for the patience with a server that answers nothing.
void Connection::watch_timeouts() {
  if (timeout_timer_ || requests_.empty()) return;
  const bool all_told = timed_out_ == requests_.size();
  if (all_told && sent_ == 0) return;
  const SteadyTime next =
      all_told ? requests_.front().deadline + patience * timeout_ : requests_[timed_out_].deadline;
  timeout_timer_ = loop_.at(next, [this] {
    timeout_timer_.reset();
    end_overdue();
    watch_timeouts();
  });
}

void Connection::end_overdue() {
  const SteadyTime now = loop_.now();
  while (timed_out_ < requests_.size() && requests_[timed_out_].deadline <= now) {
    Call* const call = take_call(requests_[timed_out_]);
    ++timed_out_;
    if (call != nullptr) run(call->complete(Reply::lost()));
  }
  if (sent_ == 0 || requests_.front().deadline + patience * timeout_ > now) return;
  trouble_ = "the server is silent";
  redisAsyncFree(context_);
}

// The call knows where its request stands, until it is told.
void Connection::limit(Request& request) {
  request.limit = loop_.at(loop_.now() + request.call->at_most(), [this, call = request.call] {
    forget(*call);
    run(call->complete(Reply::lost()));
  });
}

// --- the connection ---

void Connection::open() {
  reopen_timer_.reset();
  context_ = address_.socket_path.empty() ? redisAsyncConnect(address_.host.c_str(), address_.port)
                                          : redisAsyncConnectUnix(address_.socket_path.c_str());
  INVARIANT(context_ != nullptr, "there is memory for a connection");
  if (context_->err != 0) {
    const std::string why = context_->errstr;
    redisAsyncFree(std::exchange(context_, nullptr));
    broke(why);
    return;
  }
  state_ = State::opening;
  descriptor_ = context_->c.fd;
  loop_.watch(descriptor_, *this);
  context_->data = this;
  context_->ev.data = this;
  context_->ev.addWrite = wants_write;
  context_->ev.delWrite = is_written;
  context_->ev.cleanup = cleanup;
  redisAsyncSetConnectCallback(context_, [](const redisAsyncContext* context, int status) {
    if (status == REDIS_OK) static_cast<Connection*>(context->data)->greet();
  });
}

void Connection::greet() {
  greetings_left_ = live::greet(context_, address_, on_greeted, this);
  if (greetings_left_ == 0) send_waiting();
}

void Connection::on_greeted(redisAsyncContext* context, void* raw, void* self) {
  if (raw == nullptr) return;
  Connection& connection = *static_cast<Connection*>(self);
  const Reply reply = to_reply(*static_cast<const redisReply*>(raw));
  if (reply.is_error()) {
    connection.trouble_ = reply.text();
    redisAsyncFree(context);  // as soon as this call has returned
  } else if (--connection.greetings_left_ == 0) {
    connection.send_waiting();
  }
}

// The connection is open: sends what has waited for that and is still of interest.
void Connection::send_waiting() {
  state_ = State::open;
  pause_ = Duration::zero();
  INVARIANT(sent_ == 0, "what was sent to a connection that broke was lost");
  std::erase_if(requests_, [](const Request& request) { return request.call == nullptr; });
  timed_out_ = 0;
  first_ = 0;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    requests_[i].call->message = MessageId{static_cast<std::uint32_t>(i)};
    if (sent_ == i && pass_on(*requests_[i].unsent)) ++sent_;
  }
}

void Connection::broke(const std::string& why) {
  if (state_ == State::open) ++breaks_;
  state_ = State::closed;
  if (!why.empty()) trouble_ = why;
  if (is_ending_) return;
  pause_ = std::clamp(2 * pause_, pause_min, pause_max);
  reopen_timer_ = loop_.at(steady_now() + pause_, [this] { open(); });
}

// --- hiredis' hooks ---

void Connection::wants_write(void* self) {
  Connection& connection = *static_cast<Connection*>(self);
  // What did not fit waits until the socket takes more.
  if (connection.is_writing_ || connection.state_ == State::opening)
    connection.loop_.want_writable(connection.descriptor_, true);
  else connection.schedule_flush();
}

void Connection::is_written(void* self) {
  Connection& connection = *static_cast<Connection*>(self);
  connection.loop_.want_writable(connection.descriptor_, false);
}

// The connection is at its end, and everything that was sent to it was answered or lost.
void Connection::cleanup(void* self) {
  Connection& connection = *static_cast<Connection*>(self);
  connection.loop_.unwatch(connection.descriptor_);
  const std::string why = connection.context_->errstr == nullptr ? "" : connection.context_->errstr;
  connection.context_ = nullptr;
  connection.broke(why);
}

// Everything that is sent before the loop waits goes out in one write.
void Connection::schedule_flush() {
  if (std::exchange(flush_scheduled_, true)) return;
  loop_.soon([this] { flush(); });
}

void Connection::flush() {
  flush_scheduled_ = false;
  unwritten_ = 0;
  if (context_ != nullptr) on_writable();
}

void Connection::on_readable() { redisAsyncHandleRead(context_); }

void Connection::on_writable() {
  is_writing_ = true;
  redisAsyncHandleWrite(context_);
  is_writing_ = false;
}

}  // namespace holdfast::live
