// Texts by which clients know each other.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/core/units.hpp"
#include "sim/trace/digest.hpp"

namespace holdfast {

// Numbers from here on are of identities: each life of a client has one, the first has this number and one.
inline constexpr std::uint32_t identities = 1u << 29;
constexpr bool is_identity(std::uint32_t number) { return number >= identities; }

// Whose numbers are those that a store counts up for a lock (counts.hpp), beyond first_count.
inline constexpr ClientId counter{~std::uint32_t{0}};

// One text that a client made with token(). Its first is number 1, if it makes few of them. Or its identity.
struct Token {
  ClientId client;
  std::uint32_t number = 0;
  std::uint64_t around = 0;  // of a text with one in it: what of it is not chance; 0: it is the whole text
  bool operator==(const Token&) const = default;
};

using NoteToken = std::function<void(const Token&)>;

// Several in one text, or a count, in their order, and what is around them, without times.
struct Tokens {
  std::vector<Token> all;
  Digest around;
};

// What states may say of a text: all of it, but not when it was written, nor who is meant.
struct Wording {
  std::optional<Token> token;     // the only one in it, and what is around that, without times
  std::optional<Tokens> several;  // where it is clear of each where it begins and ends
  std::vector<Instant> dates;     // the first time, from which the others count; where time is dense, all
  Digest rest;                    // all but the times
  bool has_names;                 // it is, or may contain, a token
  bool may_say_when;              // all the same: perhaps there is a time in a form that is not known
};

}  // namespace holdfast
