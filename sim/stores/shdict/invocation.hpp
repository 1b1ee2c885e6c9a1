// One command of a dictionary that is being carried out.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/stores/shdict/dict.hpp"

namespace holdfast::shdict {

// Of seconds with decimals. nullopt: not such a number, negative, or beyond all times.
std::optional<std::int64_t> to_lifetime_ms(std::string_view text);

struct Dict::Invocation {
  WordsView argv;
  MilliTicks now_ms;
  Changes& changes;

  std::string_view key() const { return argv[1]; }
  // The end of an entry that is stored now, if the word is there and says one. nullopt: a bad word.
  std::optional<MilliTicks> end_at(std::size_t word) const {
    if (word >= argv.size()) return no_expiry;
    const std::optional<std::int64_t> lifetime = to_lifetime_ms(argv[word]);
    if (!lifetime || *lifetime == 0) return lifetime ? std::optional(no_expiry) : std::nullopt;
    return now_ms + *lifetime;
  }
};

// How the value of a list begins.
inline constexpr char list_mark = '\x02';
inline bool is_list(std::string_view value) { return value.starts_with(list_mark); }

}  // namespace holdfast::shdict
