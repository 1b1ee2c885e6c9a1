// A line of words, as redis-cli and Redis' own files write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis {

// Words end at blanks. "…" takes \n \r \t \b \a \xHH and \ before any other byte; '…' takes \' only. nullopt
// when a quote is not closed, or when something else than a blank follows a closing quote.
std::optional<std::vector<std::string>> split_words(std::string_view line);

// In quotes, with everything escaped that does not print.
std::string in_quotes(std::string_view text);
// What split_words() reads. The words that need no quotes have none.
std::string join_words(const std::vector<std::string>& words);

}  // namespace holdfast::redis
