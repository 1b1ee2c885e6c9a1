// Parameters of locks under the names that the users of their libraries know.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cli/options.hpp"
#include "sim/core/lock.hpp"

namespace holdfast::cli {

// The parameter of `card` that a user means by `word`: "timeout" of redis-py and "WithExpiry" of redsync are
// their ttl, and "blocking_timeout" is blocking-timeout. Nothing: there is none. What a library calls it is
// the first thing that the card's help says of it.
std::optional<std::string_view> parameter_meant(const Card& card, std::string_view word);

// Replaces such names by those of the cards, if all that know one mean the same parameter.
void use_names_of_cards(LockParams& params, const std::vector<const Card*>& cards);

// Where the helps of these cards speak of `word`, for a complaint: " · redisson: ttl is lockWatchdogTimeout;
// …".
std::string mentions_of(std::string_view word, const std::vector<const Card*>& cards);

}  // namespace holdfast::cli
