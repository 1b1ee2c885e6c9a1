#include "reports/state_view.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/picture.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

Json chip(ClientId client) { return {{"name", name_of(client)}, {"colour", colour_of(client)}}; }

Json lease(const StateView::Key& key) {
  if (!key.left) return {};
  return {{"whole", std::max<std::int64_t>(to_microseconds(key.whole), 1)},
          {"left", to_microseconds(*key.left)},
          {"time_left", to_text(*key.left)},
          {"time_whole", to_text(key.whole)}};
}

}  // namespace

void StateFollower::follow(const Event& event) {
  using enum KeyChanged::Kind;
  standing_.apply(event);
  if (const auto* started = std::get_if<Started>(&event.what))
    offsets_[started->client] = started->wall_offset;
  if (const auto* skewed = std::get_if<ClockSkewed>(&event.what)) offsets_[skewed->client] = skewed->offset;
  const auto* changed = std::get_if<KeyChanged>(&event.what);
  if (!changed) return;
  const auto place = std::pair(changed->node, changed->key);
  if (changed->kind == removed || changed->kind == expired || changed->kind == lost) keys_.erase(place);
  else keys_[place] = {changed->after, changed->value, event.at, changed->expires_at};
}

StateView StateFollower::state_at(Instant now, std::size_t clients) const {
  std::set<ClientId> ids(scene_.cast.clients.begin(), scene_.cast.clients.end());
  for (std::uint32_t i = 0; i < clients; ++i) ids.insert(ClientId{i});
  StateView state{.at = now, .servers = std::max<std::size_t>(scene_.cast.nodes.size(), 1)};
  for (const ClientId id : ids) {
    const auto offset = offsets_.find(id);
    state.clients.push_back(
        {id, standing_.believes(id), standing_.is_named(id, state.servers), standing_.is_stopped(id),
         standing_.is_alive(id),
         now.time_since_epoch() + (offset == offsets_.end() ? Duration::zero() : offset->second)});
  }
  for (const auto& [place, key] : keys_) {
    StateView::Key view{
        .server = scene_.name_of(actor_of(place.first)), .key = place.second, .value = key.value};
    if (!key.owner.is_nobody()) view.owner = key.owner.client;
    if (key.expires_at != never) {
      view.left = std::max(key.expires_at - now, Duration::zero());
      view.whole = key.expires_at - key.at;
    }
    state.keys.push_back(std::move(view));
  }
  return state;
}

StateView state_after(const Counterexample& run, const Scene& scene, std::size_t clients, Instant now) {
  StateFollower follower(scene);
  for (const Event& event : run.events) follower.follow(event);
  StateView state = follower.state_at(now, clients);
  for (const Scene::Message& each : scene.messages)
    if (!each.arrived && !each.is_lost)
      state.messages.push_back({scene.name_of(each.from), scene.name_of(each.to), each.label});
  return state;
}

Json panel_of(const StateView& state) {
  Json clients = Json::array();
  for (const StateView::Client& it : state.clients) {
    Json client = chip(it.id);
    client["is_stopped"] = it.is_stopped;
    client["is_gone"] = !it.is_stopped && !it.is_running;
    client["believes"] = it.believes;
    client["is_named"] = it.is_named;
    client["differs"] = it.believes != it.is_named;
    client["clock"] = to_text(it.clock);
    clients.push_back(std::move(client));
  }
  Json keys = Json::array();
  for (const StateView::Key& it : state.keys)
    keys.push_back({{"key", it.key},
                    {"node", state.servers > 1 ? it.server : ""},
                    {"value", it.value},
                    {"owner", it.owner ? chip(*it.owner) : Json()},
                    {"lease", lease(it)}});
  return {{"is_majority", state.servers > 1},
          {"clients", std::move(clients)},
          {"store", keys.empty() ? Json() : Json{{"keys", std::move(keys)}}}};
}

}  // namespace holdfast::reports
