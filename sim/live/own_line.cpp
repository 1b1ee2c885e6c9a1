#include "sim/live/own_line.hpp"

#include <hiredis/async.h>
#include <hiredis/hiredis.h>

#include <utility>

#include "sim/core/invariant.hpp"
#include "sim/live/replies.hpp"
#include "sim/live/words.hpp"

namespace holdfast::live {
namespace {

bool is_message(const Reply& reply) {
  return reply.elements().size() == 3 && reply.elements().front().text() == "message";
}

}  // namespace

OwnLine::OwnLine(Loop& loop, const Address& address, Duration timeout)
    : loop_(loop), address_(address), timeout_(timeout) {
  context_ = address_.socket_path.empty() ? redisAsyncConnect(address_.host.c_str(), address_.port)
                                          : redisAsyncConnectUnix(address_.socket_path.c_str());
  INVARIANT(context_ != nullptr, "there is memory for a connection");
  if (context_->err != 0) {
    redisAsyncFree(std::exchange(context_, nullptr));
    is_lost_ = true;
    return;
  }
  descriptor_ = context_->c.fd;
  loop_.watch(descriptor_, *this);
  context_->data = this;
  context_->ev.data = this;
  context_->ev.addWrite = [](void* self) {
    OwnLine& line = *static_cast<OwnLine*>(self);
    line.loop_.want_writable(line.descriptor_, true);
  };
  context_->ev.delWrite = [](void* self) {
    OwnLine& line = *static_cast<OwnLine*>(self);
    line.loop_.want_writable(line.descriptor_, false);
  };
  context_->ev.cleanup = cleanup;
  redisAsyncSetConnectCallback(context_, [](const redisAsyncContext* context, int status) {
    if (status == REDIS_OK) static_cast<OwnLine*>(context->data)->greet();
  });
}

OwnLine::~OwnLine() {
  is_abandoned_ = true;
  end_wait();
  if (context_ != nullptr) redisAsyncFree(context_);
}

// A call that ends may end its connection, within hiredis' own call.
void OwnLine::abandon(std::shared_ptr<OwnLine> line) {
  line->is_abandoned_ = true;
  line->end_wait();
  Loop& loop = line->loop_;
  loop.soon([kept = std::move(line)] {});
}

// --- calls ---

void OwnLine::send(Call& call) {
  INVARIANT(waiting_ == nullptr, "a connection carries one call at a time");
  waiting_ = &call;
  const bool only_listens = call.command().argv().empty();
  if (is_lost_) return complete_soon(Reply::lost());
  if (only_listens && !inbox_.empty()) {
    Reply first = std::move(inbox_.front());
    inbox_.pop_front();
    return complete_soon(std::move(first));
  }
  Duration patience = call.connection()->patience();
  if (!only_listens && patience != OwnConnection::for_ever) patience += timeout_;
  if (call.at_most() > Duration::zero()) patience = call.at_most();
  if (patience != OwnConnection::for_ever)
    timer_ = loop_.at(loop_.now() + patience, [this, only_listens] {
      timer_.reset();
      if (!only_listens) is_lost_ = true;
      complete(only_listens ? Reply::nil() : Reply::lost());
    });
  if (only_listens && address_.is_interpreted) return ask_for_message();
  if (only_listens) return;
  if (is_open_) pass_on(call.command());
  else unsent_.emplace(call.take_command());
}

void OwnLine::complete_soon(Reply reply) {
  timer_ = loop_.at(loop_.now(), [this, kept = std::move(reply)] {
    timer_.reset();
    complete(kept);
  });
}

void OwnLine::end_wait() {
  if (timer_) loop_.cancel(*timer_);
  timer_.reset();
  waiting_ = nullptr;
}

// The last thing that its caller does here: the line may be abandoned afterwards.
void OwnLine::complete(Reply reply) {
  Call* const call = waiting_;
  end_wait();
  if (call != nullptr && !is_abandoned_) run(call->complete(std::move(reply)));
}

void OwnLine::pass_on(const Command& command) {
  Words words(command.argv());
  redisAsyncCommandArgv(context_, on_reply, this, words.count(), words.words(), words.sizes());
}

// An Interpreter answers nil as soon as it is asked for something else.
void OwnLine::ask_for_message() {
  if (has_asked_ || !is_open_) return;
  has_asked_ = true;
  redisAsyncCommand(context_, on_message, this, "NEXT");
}

// What the server sends: null when the connection breaks.
void OwnLine::hear(const void* raw) {
  if (is_abandoned_) return;
  if (raw == nullptr) return lose();
  Reply reply = to_reply(*static_cast<const redisReply*>(raw));
  const bool is_listening = waiting_ != nullptr && waiting_->command().argv().empty();
  if (is_message(reply) && !is_listening) inbox_.push_back(std::move(reply));
  else complete(std::move(reply));
}

void OwnLine::lose() {
  is_lost_ = true;
  inbox_.clear();
  complete(Reply::lost());
}

// --- the connection ---

void OwnLine::greet() {
  greetings_left_ = live::greet(context_, address_, on_greeted, this);
  if (address_.is_interpreted && ++greetings_left_ != 0)
    redisAsyncCommand(context_, on_greeted, this, "LINE");
  if (greetings_left_ == 0) begin();
}

void OwnLine::begin() {
  is_open_ = true;
  if (waiting_ != nullptr && unsent_) pass_on(*std::exchange(unsent_, std::nullopt));
}

// --- hiredis' hooks ---

void OwnLine::on_reply(redisAsyncContext*, void* raw, void* self) { static_cast<OwnLine*>(self)->hear(raw); }

void OwnLine::on_message(redisAsyncContext*, void* raw, void* self) {
  OwnLine& line = *static_cast<OwnLine*>(self);
  line.has_asked_ = false;
  if (line.is_abandoned_) return;
  if (raw == nullptr) return line.lose();
  Reply reply = to_reply(*static_cast<const redisReply*>(raw));
  const bool is_listening = line.waiting_ != nullptr && line.waiting_->command().argv().empty();
  if (reply.is_nil() && is_listening) return line.ask_for_message();
  if (reply.is_nil()) return;
  if (is_listening) line.complete(std::move(reply));
  else line.inbox_.push_back(std::move(reply));
}

void OwnLine::on_greeted(redisAsyncContext* context, void* raw, void* self) {
  if (raw == nullptr) return;
  OwnLine& line = *static_cast<OwnLine*>(self);
  if (static_cast<const redisReply*>(raw)->type == REDIS_REPLY_ERROR) redisAsyncFree(context);
  else if (--line.greetings_left_ == 0) line.begin();
}

void OwnLine::cleanup(void* self) {
  OwnLine& line = *static_cast<OwnLine*>(self);
  line.loop_.unwatch(line.descriptor_);
  line.context_ = nullptr;
  if (!line.is_abandoned_) line.lose();
}

void OwnLine::on_readable() { redisAsyncHandleRead(context_); }
void OwnLine::on_writable() { redisAsyncHandleWrite(context_); }

}  // namespace holdfast::live
