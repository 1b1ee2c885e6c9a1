// A second explorer: the reference that sim/world and sim/explore are compared with. It knows no digests, no
// caches and no reductions: whole states, compared as text, and whole traces, judged by the definitions.
#pragma once

#include <unordered_set>

#include "sim/explore/reference_world_test.hpp"

namespace holdfast::reference {

struct Found {
  bool is_closed = false;
  std::map<Property, std::vector<std::uint32_t>> broken{};  // by a shortest run
};

// Every state, breadth first.
inline Found search(const Experiment& experiment, std::size_t states_max) {
  Found found;
  std::deque<World> open;
  open.emplace_back(experiment);
  std::unordered_set<std::string> known{open.front().text()};
  for (; !open.empty() && known.size() < states_max; open.pop_front())
    for (World& next : open.front().next()) {
      for (const Property property :
           definitions::broken_since(next.events, next.judged, experiment.card.capacity))
        found.broken.try_emplace(property, next.path);
      if (known.insert(next.text()).second) open.push_back(std::move(next));
    }
  found.is_closed = open.empty();
  return found;
}

}  // namespace holdfast::reference
