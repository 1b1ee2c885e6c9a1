#include "sim/live/blocking_client.hpp"

#include <hiredis/hiredis.h>
#include <poll.h>
#include <signal.h>
#include <sys/time.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "sim/live/replies.hpp"
#include "sim/live/words.hpp"

namespace holdfast::live {
namespace {

// Frees what it was made from.
Reply to_owned_reply(void* raw) {
  const std::unique_ptr<void, void (*)(void*)> owned(raw, freeReplyObject);
  return to_reply(*static_cast<const redisReply*>(raw));
}

// While it lives, writing to a connection that the server has closed fails instead of ending this process.
class NoBrokenPipe {
 public:
  NoBrokenPipe() {
    ::sigemptyset(&broken_pipe_);
    ::sigaddset(&broken_pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &broken_pipe_, &before_);
  }
  NoBrokenPipe(const NoBrokenPipe&) = delete;
  ~NoBrokenPipe() {
    if (::sigismember(&before_, SIGPIPE) == 1) return;
    const timespec at_once{};
    ::sigtimedwait(&broken_pipe_, nullptr, &at_once);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t broken_pipe_;
  sigset_t before_;
};

}  // namespace

void BlockingClient::Close::operator()(redisContext* context) const { redisFree(context); }

BlockingClient::BlockingClient(const std::string& socket_path) : BlockingClient(at_socket(socket_path)) {}

BlockingClient::BlockingClient(const Address& address, Duration timeout) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(timeout);
  const timeval limit{seconds.count(), (timeout - seconds).count()};
  context_.reset(address.socket_path.empty()
                     ? redisConnectWithTimeout(address.host.c_str(), address.port, limit)
                     : redisConnectUnixWithTimeout(address.socket_path.c_str(), limit));
  if (context_ == nullptr || context_->err != 0)
    throw std::runtime_error("no Redis server at " + to_text(address) +
                             (context_ == nullptr ? std::string() : ": " + std::string(context_->errstr)));
  redisSetTimeout(context_.get(), limit);
  if (!address.preamble.empty()) {
    redisAppendFormattedCommand(context_.get(), address.preamble.data(), address.preamble.size());
    if (read().is_lost()) throw std::runtime_error("no server at " + to_text(address) + ": " + trouble());
  }
  for (const std::vector<std::string>& greeting : address.greetings()) {
    const Reply reply = send(greeting);
    if (reply.is_lost())
      throw std::runtime_error("no Redis server at " + to_text(address) + ": " + trouble());
    if (reply.is_error())
      throw std::runtime_error("the Redis server at " + to_text(address) + " refuses " + greeting.front() +
                               ": " + reply.text());
  }
}

std::string BlockingClient::trouble() const {
  if (context_->err == 0) return std::string();
  const std::string_view text = context_->errstr;
  if (context_->err == REDIS_ERR_IO && text == std::strerror(EAGAIN)) return "it does not answer";
  if (context_->err == REDIS_ERR_PROTOCOL) return "it does not speak Redis' protocol";
  return std::string(text);
}

Reply BlockingClient::send(const std::vector<std::string>& argv) {
  append(argv);
  return read();
}

std::vector<Reply> BlockingClient::send_all(const std::vector<std::vector<std::string>>& requests) {
  for (const std::vector<std::string>& argv : requests) append(argv);
  std::vector<Reply> replies;
  replies.reserve(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) replies.push_back(read());
  return replies;
}

void BlockingClient::post(const std::vector<std::string>& argv) {
  const NoBrokenPipe no_broken_pipe;
  append(argv);
  int is_done = 0;
  while (is_done == 0 && redisBufferWrite(context_.get(), &is_done) == REDIS_OK) {
  }
}

std::optional<Reply> BlockingClient::poll() {
  while (true) {
    void* raw = nullptr;
    if (redisGetReplyFromReader(context_.get(), &raw) != REDIS_OK) return Reply::lost();
    if (raw != nullptr) return to_owned_reply(raw);
    pollfd readable{context_->fd, POLLIN, 0};
    if (::poll(&readable, 1, 0) <= 0) return std::nullopt;
    if (redisBufferRead(context_.get()) != REDIS_OK) return Reply::lost();
  }
}

void BlockingClient::append(const std::vector<std::string>& argv) {
  Words words(argv);
  redisAppendCommandArgv(context_.get(), words.count(), words.words(), words.sizes());
}

Reply BlockingClient::read() {
  const NoBrokenPipe no_broken_pipe;
  void* raw = nullptr;
  if (redisGetReply(context_.get(), &raw) != REDIS_OK || raw == nullptr) return Reply::lost();
  return to_owned_reply(raw);
}

}  // namespace holdfast::live
