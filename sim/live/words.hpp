// The words of a command as hiredis takes them, and the first commands on every connection.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/command.hpp"
#include "sim/live/address.hpp"

struct redisAsyncContext;

namespace holdfast::live {

class Words {
 public:
  // `command` must outlive it.
  explicit Words(const auto& command) {
    words_.reserve(command.size());
    sizes_.reserve(command.size());
    for (const std::string_view word : command) {
      words_.push_back(word.data());
      sizes_.push_back(word.size());
    }
  }
  int count() const { return static_cast<int>(words_.size()); }
  const char** words() { return words_.data(); }
  const std::size_t* sizes() const { return sizes_.data(); }

 private:
  std::vector<const char*> words_;
  std::vector<std::size_t> sizes_;
};

// Appends the command as RESP2 writes it (Redis documentation, "Redis serialization protocol specification"),
// with no allocation but for room in `bytes`: hiredis formats several times slower.
void append_message(std::string& bytes, const Command& command);

// What hiredis calls with a reply: null when the connection breaks.
using OnReply = void(redisAsyncContext* context, void* reply, void* self);

// Sends what the server at `address` wants to hear first. Returns how many replies will come to `on_reply`.
std::size_t greet(redisAsyncContext* context, const Address& address, OnReply* on_reply, void* self);

}  // namespace holdfast::live
