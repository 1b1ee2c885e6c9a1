// Redis' protocol, from the server's side (Redis documentation, "Redis serialization protocol
// specification").
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/reply.hpp"

namespace holdfast::redis {

// As names of commands are compared.
std::string upper(std::string word);

struct NoCommand : std::runtime_error {
  NoCommand() : std::runtime_error("what it sends to its server is not Redis' protocol") {}
};

// Takes the first command off `bytes`, words of an array or of a line; empty: it is not complete. Throws
// NoCommand.
std::optional<std::vector<std::string>> take_command(std::string_view& bytes);

// `version`: 2, or 3 once the client said HELLO 3. REQUIRES: it is not lost.
std::string in_protocol(const Reply& reply, int version);

// What a driver says before anything else, and never again, is answered at once, as Redis 7.0 does: it is no
// part of a lock. `version` becomes what the client wishes. Empty: the command is not one of these.
std::optional<std::string> answer_to_greeting(const std::vector<std::string>& command, int& version);

}  // namespace holdfast::redis
