// A run over several servers with those that matter, and one lane for all others.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/scene.hpp"

namespace holdfast::reports {
namespace {

// No server has this number.
constexpr Actor others{Actor::Kind::node, UINT32_MAX};

// What became of a server: the owners of its keys in their order, and whether a fault struck it or a message
// of it.
struct Fate {
  std::vector<std::optional<ClientId>> owners = {};
  bool is_struck = false;
};

std::map<std::uint32_t, Fate> fates_of(const Scene& scene) {
  std::map<std::uint32_t, Fate> fates;
  for (const NodeId node : scene.cast.nodes) fates[node.value];
  for (const Scene::Span& span : scene.spans)
    if (span.kind == Scene::Span::Kind::key) fates[span.on.index].owners.push_back(span.owner);
  const auto strike = [&](Actor on) {
    if (on.kind == Actor::Kind::node) fates[on.index].is_struck = true;
  };
  for (const Scene::Note& note : scene.notes)
    if (note.is_fault) strike(note.on);
  for (const Scene::Message& message : scene.messages) {
    if (!message.is_lost && !message.is_late) continue;
    strike(message.from);
    strike(message.to);
  }
  return fates;
}

// A server matters that a fault struck, and one whose keys came from one client to another, unless the same
// befell a server that is shown.
std::vector<Actor> folded_servers(const Scene& scene) {
  if (scene.cast.nodes.size() < 3) return {};
  const std::map<std::uint32_t, Fate> fates = fates_of(scene);
  std::set<std::vector<std::optional<ClientId>>> shown;
  std::vector<Actor> folded;
  for (const auto& [node, fate] : fates) {
    const bool is_contested = std::set(fate.owners.begin(), fate.owners.end()).size() > 1;
    const bool is_news = is_contested && !shown.contains(fate.owners);
    if (!fate.is_struck && !is_news) folded.push_back({Actor::Kind::node, node});
    else shown.insert(fate.owners);
  }
  if (folded.size() == fates.size()) folded.erase(folded.begin());
  return folded;
}

// What happens in a minor row, happens between clients and folded servers, and changes nothing that is drawn
// elsewhere.
std::vector<bool> minor_rows(const Scene& scene) {
  std::vector<bool> is_minor(scene.rows.size(), true);
  const auto count = [&](std::optional<std::size_t> row) {
    if (row && *row < is_minor.size()) is_minor[*row] = false;
  };
  for (const Scene::Note& note : scene.notes)
    if (note.on != others) count(note.row);
  for (const Scene::Message& message : scene.messages) {
    if (message.from == others || message.to == others) continue;
    count(message.sent);
    count(message.arrived);
  }
  for (const Scene::Span& span : scene.spans) {
    if (span.on == others) continue;
    count(span.begin);
    count(span.end);
  }
  for (const Scene::Access& access : scene.accesses) count(access.row);
  for (const auto row : {scene.clash_from, scene.clash_to, scene.no_return}) count(row);
  return is_minor;
}

}  // namespace

std::optional<Scene> folded(const Scene& scene) {
  const std::vector<Actor> servers = folded_servers(scene);
  if (servers.empty()) return std::nullopt;
  const auto is_folded = [&](Actor actor) {
    return std::find(servers.begin(), servers.end(), actor) != servers.end();
  };
  Scene made = scene;
  made.folded_name = servers.size() > 2 ? say(scene.words->page.more_servers, servers.size()) : "";
  for (const Actor server : servers)
    if (servers.size() <= 2)
      made.folded_name += (made.folded_name.empty() ? "" : ", ") + scene.name_of(server);
  std::replace(made.lanes.begin(), made.lanes.end(), servers.back(), others);
  std::erase_if(made.lanes, is_folded);
  std::erase_if(made.spans, [&](const Scene::Span& span) { return is_folded(span.on); });
  std::erase_if(made.notes, [&](const Scene::Note& note) { return is_folded(note.on); });
  for (Scene::Message& message : made.messages) {
    if (is_folded(message.from)) message.from = others;
    if (is_folded(message.to)) message.to = others;
  }
  made.is_minor = minor_rows(made);
  return made;
}

}  // namespace holdfast::reports
