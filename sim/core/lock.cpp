#include "sim/core/lock.hpp"

#include <algorithm>

#include "sim/core/invariant.hpp"

namespace holdfast {
namespace {

// Of the lock that a function makes.
std::string id_of(std::string_view function) {
  std::string id(function);
  std::replace(id.begin(), id.end(), '_', '-');
  return id;
}

}  // namespace

void require_sound(const Card& card) {
  if (card.id.empty()) throw BadCard("a card has no id: it is the name of its file, with hyphens");
  if (card.make == nullptr)
    throw BadCard("the card of \"" + std::string(card.id) +
                  "\" has no make: card.make = [](const Params& params) -> std::unique_ptr<Lock> { … }");
}

void algorithms::require_sound(const std::vector<Card>& cards,
                               const std::vector<std::string_view>& functions) {
  INVARIANT(cards.size() == functions.size(), "one table names the functions that it calls");
  for (std::size_t i = 0; i < cards.size(); ++i) {
    holdfast::require_sound(cards[i]);
    const std::string own = id_of(functions[i]);
    if (cards[i].id == own) continue;
    const bool is_taken = std::any_of(functions.begin(), functions.end(),
                                      [&](std::string_view other) { return id_of(other) == cards[i].id; });
    throw BadCard(std::string(functions[i]) + ".cpp: its card says id \"" + std::string(cards[i].id) + "\"" +
                  (is_taken ? ", which is another lock's" : "") + ": an id is the name of its file, \"" +
                  own + "\"");
  }
}

}  // namespace holdfast
