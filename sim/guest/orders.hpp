// The orders in which the replies may have come that a program waits for as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/guest/histories.hpp"

namespace holdfast::guest {

// What the action sends is one request to several servers, and all that the program waits for.
bool is_to_several(const Action& action);

// All orders of what is told on a way, one after the other; the first is its own.
class Orders {
 public:
  explicit Orders(RealWay way);
  std::uint64_t count() const { return count_; }
  const RealWay& way() const { return way_; }
  // To the next order; false: that was the last.
  bool go_on();
  // Where replies are waited for as a whole, and of these, where they are out of the first order now.
  const std::vector<Node>& places() const { return places_; }
  std::vector<Node> moved() const;

 private:
  struct Group {
    std::size_t first = 0;             // its first reply on the way
    std::vector<Told> replies = {};    // in the first order
    std::vector<std::size_t> order{};  // of `replies`
  };
  void arrange(const Group& group);

  RealWay way_;
  std::vector<Group> groups_;
  std::vector<Node> places_;
  std::uint64_t count_ = 1;
};

}  // namespace holdfast::guest
