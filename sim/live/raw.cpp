#include "sim/live/raw.hpp"

#include <hiredis/async.h>
#include <hiredis/hiredis.h>

#include <memory>
#include <stdexcept>
#include <utility>

#include "sim/live/loop.hpp"
#include "sim/live/words.hpp"

namespace holdfast::live {
namespace {

class RawSender final : private Socket {
 public:
  RawSender(const Commands& commands, const Address& address, std::uint64_t count, std::uint32_t depth)
      : commands_(commands.begin(), commands.end()),
        context_(address.socket_path.empty() ? redisAsyncConnect(address.host.c_str(), address.port)
                                             : redisAsyncConnectUnix(address.socket_path.c_str())),
        left_(count * commands.size()),
        depth_(depth) {
    if (context_ == nullptr || context_->err != 0) throw std::runtime_error("no connection");
    descriptor_ = context_->c.fd;
    loop_.watch(descriptor_, *this);
    context_->ev.data = this;
    context_->ev.addWrite = [](void* self) { static_cast<RawSender*>(self)->wants_write(); };
    context_->ev.cleanup = [](void* self) { static_cast<RawSender*>(self)->is_broken_ = true; };
    greet(context_, address, nullptr, nullptr);
  }
  ~RawSender() override {
    loop_.unwatch(descriptor_);
    if (!is_broken_) redisAsyncFree(context_);
  }

  Duration perform() {
    const SteadyTime begin = steady_now();
    for (std::uint32_t i = 0; i < depth_; ++i) send();
    while (under_way_ > 0 && !is_broken_) loop_.turn();
    if (is_broken_) throw std::runtime_error("the connection broke");
    return steady_now() - begin;
  }

 private:
  void send() {
    if (left_ == 0) return;
    --left_;
    ++under_way_;
    Words& command = commands_[next_++ % commands_.size()];
    redisAsyncCommandArgv(context_, on_reply, this, command.count(), command.words(), command.sizes());
  }
  static void on_reply(redisAsyncContext*, void* reply, void* self) {
    RawSender& sender = *static_cast<RawSender*>(self);
    --sender.under_way_;
    if (reply != nullptr) sender.send();
  }
  void wants_write() {
    if (std::exchange(write_scheduled_, true)) return;
    loop_.soon([this] {
      write_scheduled_ = false;
      if (!is_broken_) redisAsyncHandleWrite(context_);
    });
  }
  void on_readable() override { redisAsyncHandleRead(context_); }
  void on_writable() override {}

  std::vector<Words> commands_;
  std::size_t next_ = 0;
  Loop loop_;
  redisAsyncContext* context_;
  int descriptor_ = -1;
  bool is_broken_ = false;
  bool write_scheduled_ = false;
  std::uint64_t left_;
  std::uint32_t depth_;
  std::uint32_t under_way_ = 0;
};

}  // namespace

Commands plain_set() { return {{"SET", "holdfast:raw:lock:0", "0123456789abcdef-A-1"}}; }

Duration time_of(const Commands& commands, const Address& address, std::uint64_t count, std::uint32_t depth) {
  return RawSender(commands, address, count, depth).perform();
}

Duration time_of_blocking(const Commands& commands, const Address& address, std::uint64_t count) {
  const std::unique_ptr<redisContext, void (*)(redisContext*)> context(
      address.socket_path.empty() ? redisConnect(address.host.c_str(), address.port)
                                  : redisConnectUnix(address.socket_path.c_str()),
      redisFree);
  if (context == nullptr || context->err != 0) throw std::runtime_error("no connection");
  const auto send = [&](Words& command) {
    void* const reply = redisCommandArgv(context.get(), command.count(), command.words(), command.sizes());
    if (reply == nullptr) throw std::runtime_error("the connection broke");
    freeReplyObject(reply);
  };
  for (const std::vector<std::string>& greeting : address.greetings()) {
    Words words(greeting);
    send(words);
  }
  std::vector<Words> all(commands.begin(), commands.end());
  const SteadyTime begin = steady_now();
  for (std::uint64_t i = 0; i < count; ++i)
    for (Words& command : all) send(command);
  return steady_now() - begin;
}

}  // namespace holdfast::live
