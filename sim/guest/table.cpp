#include "sim/guest/table.hpp"

#include <fmt/format.h>

#include <utility>

namespace holdfast::guest {

Node Table::add(Node before, std::string told, Action action) {
  const History& made = histories_.emplace_back(
      History{.before = before, .length = before->length + 1, .action = std::move(action)});
  before->next.emplace(std::move(told), &made);
  return &made;
}

Node Table::next(Node node, const Told& event) {
  const auto found = node->next.find(text_of(event));
  if (found != node->next.end()) return found->second;
  throw Unusable(
      fmt::format("{} ends here: it has no history with \"{}\" next; learn more with check "
                  "--learn where the program is installed",
                  name_, id_of(event.kind)));
}

}  // namespace holdfast::guest
