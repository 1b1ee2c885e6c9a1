#include "sim/live/words.hpp"

#include <hiredis/async.h>

namespace holdfast::live {

std::size_t greet(redisAsyncContext* context, const Address& address, OnReply* on_reply, void* self) {
  const auto greetings = address.greetings();
  for (const std::vector<std::string>& greeting : greetings) {
    Words words(greeting);
    redisAsyncCommandArgv(context, on_reply, self, words.count(), words.words(), words.sizes());
  }
  return greetings.size();
}

}  // namespace holdfast::live
