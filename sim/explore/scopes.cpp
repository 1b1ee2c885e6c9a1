// What a comparison asks within a scope.
#include <string>
#include <utility>

#include "sim/core/counts.hpp"
#include "sim/explore/comparison.hpp"

namespace holdfast {

Comparison at_scope(Comparison comparison, const Scope& scope) {
  comparison.clients = scope.clients;
  comparison.rounds = scope.rounds;
  comparison.attempts = scope.attempts;
  comparison.faults = scope.faults;
  comparison.timing.tick = scope.tick;
  comparison.variant = scope.variant;
  return comparison;
}

Scope scope_of(const Comparison& it) {
  return {it.clients, it.rounds, it.attempts, it.faults, it.timing.tick, it.variant};
}

Texts counted_before(const Card& card, const std::string& lock) {
  Texts store;
  for (const std::string_view counter : card.counters) {
    std::string key(counter);
    if (const std::size_t name = key.find('%'); name != key.npos) key.replace(name, 1, lock);
    store.emplace_back(std::move(key), std::to_string(first_count));
  }
  return store;
}

}  // namespace holdfast
