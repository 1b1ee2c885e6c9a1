// What a command, or the passing of time, did to the keys of a server. Every simulated server reports it
// alike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace holdfast {

struct Change {
  enum class Kind : std::uint8_t { created, overwritten, removed, expired, ttl_changed };
  std::string key;
  Kind kind;
  bool operator==(const Change&) const = default;
};
using Changes = std::vector<Change>;

}  // namespace holdfast
