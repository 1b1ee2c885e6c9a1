// Texts by which clients know each other.
#pragma once

#include <cstdint>

#include "sim/core/units.hpp"

namespace holdfast {

// One text that a client made with token(). Its first is number 1, if it makes few of them.
struct Token {
  ClientId client;
  std::uint32_t number = 0;
  std::uint64_t around = 0;  // of a text with one in it: what of it is not chance; 0: it is the whole text
  bool operator==(const Token&) const = default;
};

}  // namespace holdfast
