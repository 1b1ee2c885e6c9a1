#include "sim/live/raw.hpp"

#include <hiredis/async.h>
#include <hiredis/hiredis.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "sim/live/loop.hpp"

namespace holdfast::live {
namespace {

// As long as what a lock sends: SET key token PX ttl NX.
constexpr std::array<const char*, 3> words{"SET", "holdfast:raw:lock:0", "0123456789abcdef-A-1"};
constexpr std::array<std::size_t, 3> sizes{3, std::string_view(words[1]).size(),
                                           std::string_view(words[2]).size()};

class RawSets final : private Socket {
 public:
  RawSets(const Address& address, std::uint64_t count, std::uint32_t depth)
      : context_(address.socket_path.empty() ? redisAsyncConnect(address.host.c_str(), address.port)
                                             : redisAsyncConnectUnix(address.socket_path.c_str())),
        left_(count),
        depth_(depth) {
    if (context_ == nullptr || context_->err != 0) throw std::runtime_error("no connection");
    descriptor_ = context_->c.fd;
    loop_.watch(descriptor_, *this);
    context_->ev.data = this;
    context_->ev.addWrite = [](void* self) { static_cast<RawSets*>(self)->wants_write(); };
    context_->ev.cleanup = [](void* self) { static_cast<RawSets*>(self)->is_broken_ = true; };
    for (const std::vector<std::string>& greeting : address.greetings()) {
      std::vector<const char*> argv;
      for (const std::string& word : greeting) argv.push_back(word.c_str());
      redisAsyncCommandArgv(context_, nullptr, nullptr, static_cast<int>(argv.size()), argv.data(), nullptr);
    }
  }
  ~RawSets() override {
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
    redisAsyncCommandArgv(context_, on_reply, this, words.size(), const_cast<const char**>(words.data()),
                          sizes.data());
  }
  static void on_reply(redisAsyncContext*, void* reply, void* self) {
    RawSets& sets = *static_cast<RawSets*>(self);
    --sets.under_way_;
    if (reply != nullptr) sets.send();
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

Duration time_of_sets(const Address& address, std::uint64_t count, std::uint32_t depth) {
  return RawSets(address, count, depth).perform();
}

Duration time_of_blocking_sets(const Address& address, std::uint64_t count) {
  const std::unique_ptr<redisContext, void (*)(redisContext*)> context(
      address.socket_path.empty() ? redisConnect(address.host.c_str(), address.port)
                                  : redisConnectUnix(address.socket_path.c_str()),
      redisFree);
  if (context == nullptr || context->err != 0) throw std::runtime_error("no connection");
  const auto send = [&](std::size_t size, const char** argv, const std::size_t* lengths) {
    void* const reply = redisCommandArgv(context.get(), static_cast<int>(size), argv, lengths);
    if (reply == nullptr) throw std::runtime_error("the connection broke");
    freeReplyObject(reply);
  };
  for (const std::vector<std::string>& greeting : address.greetings()) {
    std::vector<const char*> argv;
    for (const std::string& word : greeting) argv.push_back(word.c_str());
    send(argv.size(), argv.data(), nullptr);
  }
  const SteadyTime begin = steady_now();
  for (std::uint64_t i = 0; i < count; ++i)
    send(words.size(), const_cast<const char**>(words.data()), sizes.data());
  return steady_now() - begin;
}

}  // namespace holdfast::live
