// Two cards without a lock, so that these tests do not depend on the algorithms at hand.
#pragma once

#include <memory>
#include <vector>

#include "sim/scenario/known.hpp"

namespace holdfast {

inline const std::vector<Card>& example_cards() {
  static const std::vector<Card> cards = [] {
    const auto make = [](const Params&) -> std::unique_ptr<Lock> { return nullptr; };
    std::vector<Card> both(2);
    both[0].id = "bare";
    both[0].make = make;
    both[1].id = "leased";
    both[1].beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply};
    both[1].parameters = {{"ttl", Parameter::Kind::duration, "1s", "the lease"},
                          {"tries", Parameter::Kind::count, "1", "how often"},
                          {"unit", Parameter::Kind::choice, "printed", "which", {"printed", "repaired"}}};
    both[1].make = make;
    return both;
  }();
  return cards;
}

inline Known example_known() {
  return Known(example_cards(), {Fault::none, Fault::crash, Fault::pause, Fault::clock_skew, Fault::restart},
               {Property::mutual_exclusion, Property::recovery});
}

}  // namespace holdfast
