#include "sim/cli/as_installed.hpp"

#include <algorithm>
#include <deque>

namespace holdfast::cli {
namespace {

constexpr std::string_view lease = "ttl";

}  // namespace

bool has_no_lease_of_its_own(const Card& card) {
  const Params declared(card.parameters);
  return card.upstream && declared.has(lease) && declared.duration(lease) == Duration::zero();
}

Card as_installed(const Card& card, std::string_view id) {
  Card installed = card;
  installed.id = id;
  // What the card says of leases is not about this lock.
  installed.claims = {};
  installed.bugs = {};
  installed.renews = false;
  installed.beliefs = {installed.belief};
  std::erase_if(installed.parameters, [](const Parameter& each) { return each.name == lease; });
  installed.make = [make = card.make, whole = card.parameters](const Params& params) {
    Params all(whole);
    for (const Parameter& each : params.declared()) all.set(each.name, params.text(each.name));
    return make(all);
  };
  return installed;
}

void add_as_installed() {
  static std::deque<std::string> ids;
  std::vector<Card>& cards = *algorithms::table();
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (!has_no_lease_of_its_own(cards[i])) continue;
    std::string id = std::string(cards[i].id) + "-as-installed";
    if (algorithms::find(id) != nullptr) return;
    ids.push_back(std::move(id));
    cards.insert(cards.begin() + static_cast<std::ptrdiff_t>(i) + 1, as_installed(cards[i], ids.back()));
    ++i;
  }
}

}  // namespace holdfast::cli
