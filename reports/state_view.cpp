#include "reports/state_view.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace holdfast::reports {
namespace {

struct Written {
  Acquisition owner;
  std::string value;
  Instant at;
  Instant expires_at = never;
};
using KeysWritten = std::map<std::pair<NodeId, std::string>, Written>;

void follow(const KeyChanged& changed, Instant at, KeysWritten& keys) {
  using enum KeyChanged::Kind;
  const auto place = std::pair(changed.node, changed.key);
  if (changed.kind == removed || changed.kind == expired || changed.kind == lost) keys.erase(place);
  else keys[place] = {changed.after, changed.value, at, changed.expires_at};
}

}  // namespace

StateView state_after(const Counterexample& run, std::size_t clients, Instant now) {
  const Scene scene = scene_of(run);
  Standing standing;
  KeysWritten keys;
  std::map<ClientId, Duration> offsets;
  for (const Event& event : run.events) {
    standing.apply(event);
    if (const auto* started = std::get_if<Started>(&event.what))
      offsets[started->client] = started->wall_offset;
    if (const auto* skewed = std::get_if<ClockSkewed>(&event.what)) offsets[skewed->client] = skewed->offset;
    if (const auto* changed = std::get_if<KeyChanged>(&event.what)) follow(*changed, event.at, keys);
  }
  for (const ClientId client : scene.cast.clients) clients = std::max<std::size_t>(clients, client.value + 1);

  StateView state{.at = now};
  for (std::uint32_t i = 0; i < clients; ++i) {
    const ClientId id{i};
    const bool is_named = standing.is_named(id, std::max<std::size_t>(scene.cast.nodes.size(), 1));
    state.clients.push_back({id, standing.believes(id), is_named, standing.is_stopped(id),
                             standing.is_alive(id), now.time_since_epoch() + offsets[id]});
  }
  for (const auto& [place, key] : keys) {
    StateView::Key view{
        .server = scene.name_of(actor_of(place.first)), .key = place.second, .value = key.value};
    if (!key.owner.is_nobody()) view.owner = key.owner.client;
    if (key.expires_at != never) {
      view.left = std::max(key.expires_at - now, Duration::zero());
      view.whole = key.expires_at - key.at;
    }
    state.keys.push_back(std::move(view));
  }
  for (const Scene::Message& each : scene.messages)
    if (!each.arrived && !each.is_lost)
      state.messages.push_back({scene.name_of(each.from), scene.name_of(each.to), each.label});
  return state;
}

}  // namespace holdfast::reports
