#include "sim/cli/as_installed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "sim/core/invariant.hpp"

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
  installed.editions = {};
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

Card edition_of(const Card& card, const Edition& edition, std::string_view id) {
  Card other = card;
  other.id = id;
  other.summary = edition.summary;
  other.claims = {};
  other.bugs = {};
  other.editions = {};
  other.driver_retries = edition.driver_retries.value_or(card.driver_retries);
  for (const auto& [name, value] : edition.params) {
    const auto found = std::find_if(other.parameters.begin(), other.parameters.end(),
                                    [name = name](const Parameter& each) { return each.name == name; });
    INVARIANT(found != other.parameters.end(), "an edition sets parameters of its card");
    found->fallback = value;
  }
  return other;
}

void add_as_installed() {
  static std::deque<std::string> ids;
  std::vector<Card>& cards = *algorithms::table();
  std::vector<Card> rows;
  for (const Card& card : cards) {
    rows.push_back(card);
    const auto add = [&](std::string_view ending, const auto& make) {
      std::string id = fmt::format("{}-{}", card.id, ending);
      if (algorithms::find(id) != nullptr) return;
      ids.push_back(std::move(id));
      rows.push_back(make(ids.back()));
    };
    if (has_no_lease_of_its_own(card))
      add("as-installed", [&](std::string_view id) { return as_installed(card, id); });
    for (const Edition& each : card.editions)
      add(each.name, [&](std::string_view id) { return edition_of(card, each, id); });
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i < cards.size() && cards[i].id == rows[i].id) continue;
    cards.insert(cards.begin() + static_cast<std::ptrdiff_t>(i), std::move(rows[i]));
  }
}

}  // namespace holdfast::cli
