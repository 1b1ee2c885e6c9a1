// What is sent is what hiredis would send.
#include "sim/live/words.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <hiredis/hiredis.h>

namespace holdfast::live {
namespace {

RC_GTEST_PROP(Words, AMessageHasTheBytesThatHiredisWouldSend, (const std::vector<std::string>& rest)) {
  std::vector<std::string> command{"SET"};
  command.insert(command.end(), rest.begin(), rest.end());
  Words words(command);
  char* formatted = nullptr;
  const auto size = redisFormatCommandArgv(&formatted, words.count(), words.words(), words.sizes());
  RC_ASSERT(size > 0);
  const std::string expected(formatted, static_cast<std::size_t>(size));
  redisFreeCommand(formatted);
  std::string bytes = "before";
  append_message(bytes, command);
  RC_ASSERT(bytes == "before" + expected);
}

}  // namespace
}  // namespace holdfast::live
