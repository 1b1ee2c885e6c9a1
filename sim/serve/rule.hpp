// A rule of a server that misbehaves on purpose: which fault strikes which commands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/units.hpp"
#include "sim/core/vocabulary.hpp"

namespace holdfast::serve {

struct Rule {
  enum class When : std::uint8_t { always, once, every, by_chance };
  Fault fault = Fault::none;
  Duration size{};      // how late, how long, or how far; zero: the fault has no size
  std::string command;  // in capitals; empty: any
  std::string word;     // a glob that a word after the command's name must match; empty: none must
  When when = When::always;
  std::uint64_t count = 1;  // every so many, or one in so many

  // `words` of a command, its name first.
  bool concerns(const std::vector<std::string>& words) const;
};

// FAULT [TIME] [of COMMAND] [with GLOB] [once | every N | one in N], as in "late-reply 500ms of SET every 3".
// Throws std::invalid_argument; what() is one line for users, with the nearest word.
Rule parse_rule(std::string_view text);
Rule parse_rule(std::vector<std::string> words);
// What parse_rule() reads.
std::string text_of(const Rule& rule);

}  // namespace holdfast::serve
