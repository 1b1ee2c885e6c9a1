#include "sim/serve/link.hpp"

#include <algorithm>
#include <utility>

namespace holdfast::serve {
namespace {

// Their answers are messages of their own in the newer protocol (Redis documentation, "RESP3 specification").
bool is_of_channels(const std::string& name) { return name.ends_with("SUBSCRIBE"); }

std::string as_push(std::string bytes, int version) {
  if (version == 3 && bytes.starts_with('*')) bytes[0] = '>';
  return bytes;
}

}  // namespace

void ServedRedis::Link::take(std::string& bytes) {
  std::string_view rest = bytes;
  try {
    while (auto words = redis::take_command(rest))
      if (!words->empty()) queue_.push_back(std::move(*words));
  } catch (const redis::NoCommand&) {
    stream_.send("-ERR Protocol error: expected an array of bulk strings\r\n");
    server_.cut(*this);
    return;
  }
  bytes.erase(0, bytes.size() - rest.size());
  go_on();
}

void ServedRedis::Link::go_on() {
  while (!is_over_ && !is_held_ && !is_deaf_ && !is_waiting_ && !queue_.empty()) {
    const Words words = queue_.front();
    if (!carry_out(words)) return;
    queue_.pop_front();
    plan_.reset();
  }
}

bool ServedRedis::Link::carry_out(const Words& words) {
  if (redis::upper(words[0]) == "HOLDFAST") {
    send(redis::in_protocol(server_.control(words, *this), version_), Duration::zero());
    return true;
  }
  if (!plan_) {
    plan_ = server_.plan_for(words);
    if (is_over_) return false;  // a restart
    if (plan_->silence > Duration::zero()) {
      is_deaf_ = true;
      server_.after(plan_->silence, [&server = server_, number = number_] {
        if (const auto found = server.links_.find(number); found != server.links_.end())
          server.cut(*found->second);
      });
      return false;
    }
    if (plan_->loses_request) {
      server_.cut(*this);
      return false;
    }
    if (plan_->request_late > Duration::zero()) {
      is_held_ = true;
      server_.after(plan_->request_late, [&server = server_, number = number_] {
        const auto found = server.links_.find(number);
        if (found == server.links_.end()) return;
        found->second->is_held_ = false;
        found->second->go_on();
      });
      return false;
    }
  }
  answer(words, *plan_);
  return !is_over_;
}

void ServedRedis::Link::answer(const Words& words, const Plan& plan) {
  const std::string name = redis::upper(words[0]);
  if (name == "QUIT") {
    stream_.send("+OK\r\n");
    return server_.cut(*this);
  }
  std::string bytes;
  if (std::optional<std::string> greeting = redis::answer_to_greeting(words, version_)) {
    bytes = std::move(*greeting);
  } else if (name == "RESET") {
    server_.forget(id());
    version_ = 2;
    bytes = "+RESET\r\n";
  } else {
    const std::optional<Reply> reply = server_.execute(id(), words);
    is_waiting_ = !reply;
    late_ = plan.reply_late;
    if (reply && plan.is_doubled) server_.execute(id(), words);
    if (reply) bytes = redis::in_protocol(*reply, version_);
    if (is_of_channels(name)) bytes = as_push(std::move(bytes), version_);
  }
  if (plan.loses_reply) return server_.cut(*this);
  if (!is_waiting_) send(std::move(bytes), plan.reply_late);
}

void ServedRedis::Link::receive(const Reply& message, bool is_answer) {
  std::string bytes = redis::in_protocol(message, version_);
  if (!is_answer) return send(as_push(std::move(bytes), version_), Duration::zero());
  is_waiting_ = false;
  send(std::move(bytes), std::exchange(late_, Duration::zero()));
  server_.after(Duration::zero(), [&server = server_, number = number_] {
    if (const auto found = server.links_.find(number); found != server.links_.end()) found->second->go_on();
  });
}

void ServedRedis::Link::send(std::string bytes, Duration late) {
  if (is_deaf_ || is_over_) return;
  const Duration now = server_.elapsed();
  sent_until_ = std::max(sent_until_, now + late);
  if (sent_until_ == now && on_their_way_ == 0) return stream_.send(bytes);
  ++on_their_way_;
  server_.at(sent_until_, [&server = server_, number = number_, bytes = std::move(bytes)] {
    const auto found = server.links_.find(number);
    if (found == server.links_.end()) return;
    --found->second->on_their_way_;
    if (!found->second->is_deaf_) found->second->stream_.send(bytes);
  });
}

}  // namespace holdfast::serve
