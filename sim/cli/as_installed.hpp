// Rows of one library beside each other: what it does with its own defaults, where a comparison would choose
// a lease for it, and its other editions.
#pragma once

#include <string>
#include <vector>

#include "sim/core/lock.hpp"

namespace holdfast::cli {

// The library gives its keys no lease unless it is told to.
bool has_no_lease_of_its_own(const Card& card);

// The lock of that card without a lease: "redis-py-as-installed". It has the same parameters, but for "ttl".
// `id` must outlive it, and so must the card. REQUIRES: has_no_lease_of_its_own().
Card as_installed(const Card& card, std::string_view id);

// Another life of the library: the same lock with other defaults, and without what the card says of this one.
// `id` must outlive it, and so must the card.
Card edition_of(const Card& card, const Edition& edition, std::string_view id);

// Adds these beside each card, where there are none yet. REQUIRES: nothing runs yet.
void add_as_installed();

}  // namespace holdfast::cli
