#include "sim/live/words.hpp"

#include <hiredis/async.h>

#include <array>
#include <charconv>

namespace holdfast::live {
namespace {

void append_number(std::string& bytes, char kind, std::size_t number) {
  std::array<char, 24> text;
  text[0] = kind;
  char* const end = std::to_chars(text.data() + 1, text.data() + text.size() - 2, number).ptr;
  end[0] = '\r';
  end[1] = '\n';
  bytes.append(text.data(), end + 2);
}

}  // namespace

void append_message(std::string& bytes, const Command& command) {
  append_number(bytes, '*', command.argv().size());
  for (const std::string_view word : command.argv()) {
    append_number(bytes, '$', word.size());
    bytes.append(word).append("\r\n");
  }
}

std::size_t greet(redisAsyncContext* context, const Address& address, OnReply* on_reply, void* self) {
  const auto greetings = address.greetings();
  const bool has_preamble = !address.preamble.empty();
  if (has_preamble)
    redisAsyncFormattedCommand(context, on_reply, self, address.preamble.data(), address.preamble.size());
  for (const std::vector<std::string>& greeting : greetings) {
    Words words(greeting);
    redisAsyncCommandArgv(context, on_reply, self, words.count(), words.words(), words.sizes());
  }
  return greetings.size() + (has_preamble ? 1 : 0);
}

}  // namespace holdfast::live
