// When a search is far too large, and what it needs beside its table.
#include <algorithm>
#include <bit>

#include "sim/explore/depth_first.hpp"

namespace holdfast {

// Whether the space is far too large: of its levels, each is found to have a multiple of the states of the
// level below, and as many are left. That is too much rather than too little, for upper levels find most
// states seen: by what was closed, five times, at most.
bool DepthFirst::is_hopeless() {
  // The way of endless clients gets shorter only at the end; it has none where every state is new.
  const auto& clients = subject_.scenario.clients;
  if (std::any_of(clients.begin(), clients.end(), [](const ClientPlan& each) { return each.rounds == 0; }))
    return subject_.known.of_date || subject_.known.of_names;
  const std::uint64_t states = shared_.seen.size();
  if (states < next_growth_) return false;
  const std::size_t shallowest = std::min(shallowest_, levels_.size());
  const bool is_first = shallowest_before_ == nowhere;
  if (is_first) shallowest_before_ = shallowest;
  next_growth_ = 2 * std::bit_floor(states);
  if (is_first || states < growth_believed_from) return false;
  constexpr int allowance = 2;  // doublings
  const auto doublings = std::bit_width(states / growth_from) - 1;
  const auto left = std::bit_width(subject_.scenario.explore.states_max / states) + allowance;
  const std::size_t levels = shallowest_before_ - std::min(shallowest_before_, shallowest);
  return shallowest * static_cast<std::size_t>(doublings) > levels * static_cast<std::size_t>(left);
}

// What of the memory is not in the table.
std::size_t DepthFirst::bytes_of_way() const {
  if (levels_.empty() || outlines_.empty()) return 0;
  const Outline& one = *outlines_.front();
  return levels_.capacity() * sizeof(Level) + foreseen_.capacity() * sizeof(Foreseen) +
         outlines_.size() *
             (sizeof one + one.parts.capacity() * (sizeof one.parts[0] + sizeof one.orders[0]) +
              one.events.capacity() * sizeof one.events[0]);
}

}  // namespace holdfast
