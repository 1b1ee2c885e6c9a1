#include "reports/timeline.hpp"

#include <algorithm>
#include <set>

namespace holdfast::reports {
namespace {

// The client that an event is about, by whichever field tells.
struct ClientField {
  template <class Kind>
  std::optional<ClientId> operator()(const Kind& e) const {
    if constexpr (requires { e.client; }) return e.client;
    else if constexpr (requires { e.acquisition; }) return e.acquisition.client;
    else if constexpr (requires { e.probe; }) return e.probe;
    else return std::nullopt;
  }
};

struct NodeField {
  template <class Kind>
  std::optional<NodeId> operator()(const Kind& e) const {
    if constexpr (requires { e.node; }) return e.node;
    else return std::nullopt;
  }
};

}  // namespace

bool Standing::flag(const std::map<ClientId, bool>& flags, ClientId client) {
  const auto found = flags.find(client);
  return found != flags.end() && found->second;
}

void Standing::apply(const Event& event) {
  ledger_.on(event);
  if (const auto* started = std::get_if<Started>(&event.what)) {
    alive_[started->client] = true;
  } else if (const auto* crashed = std::get_if<Crashed>(&event.what)) {
    alive_[crashed->client] = false;
    stopped_[crashed->client] = false;
  } else if (const auto* paused = std::get_if<Paused>(&event.what)) {
    stopped_[paused->client] = true;
  } else if (const auto* resumed = std::get_if<Resumed>(&event.what)) {
    stopped_[resumed->client] = false;
  } else if (const auto* finished = std::get_if<Finished>(&event.what)) {
    alive_[finished->client] = false;
  } else if (const auto* changed = std::get_if<KeyChanged>(&event.what)) {
    const bool is_gone = changed->kind == KeyChanged::Kind::removed ||
                         changed->kind == KeyChanged::Kind::expired ||
                         changed->kind == KeyChanged::Kind::lost;
    if (is_gone) keys_.erase({changed->node, changed->key});
    else keys_[{changed->node, changed->key}] = changed->after;
  }
}

bool Standing::believes(ClientId client) const {
  const std::vector<Account>& accounts = ledger_.accounts();
  return std::any_of(accounts.begin(), accounts.end(), [&](const Account& account) {
    return account.phase == Account::Phase::claiming && account.acquisition.client == client;
  });
}

bool Standing::is_named(ClientId client, std::size_t nodes) const {
  std::set<NodeId> naming;
  for (const auto& [place, acquisition] : keys_)
    if (!acquisition.is_nobody() && acquisition.client == client) naming.insert(place.first);
  return 2 * naming.size() > nodes;
}

bool Standing::is_clashing() const {
  const std::vector<Account>& accounts = ledger_.accounts();
  for (auto one = accounts.begin(); one != accounts.end(); ++one)
    for (auto other = std::next(one); other != accounts.end(); ++other) {
      const bool both = one->phase == Account::Phase::claiming && other->phase == Account::Phase::claiming;
      if (both && one->acquisition.client != other->acquisition.client && clash(one->mode, other->mode))
        return true;
    }
  return false;
}

std::string Standing::named(std::size_t nodes) const {
  std::string names;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    std::set<std::string> holders;
    for (const auto& [place, acquisition] : keys_)
      if (place.first == NodeId{node})
        holders.insert(acquisition.is_nobody() ? "?" : name_of(acquisition.client));
    std::string here;
    for (const std::string& holder : holders) here += (here.empty() ? "" : "+") + holder;
    names += (names.empty() ? "" : " ") + (here.empty() ? "–" : here);
  }
  return names;
}

std::vector<StepView> steps_of(const std::vector<Event>& events) {
  std::vector<StepView> steps;
  for (const Event& event : events) {
    if (steps.empty() || steps.back().step != event.step) steps.push_back({event.step, event.at, {}});
    std::vector<const Event*>& list = steps.back().events;
    auto place = list.end();
    if (std::holds_alternative<Executed>(event.what)) {
      const auto is_effect = [](const Event* before) {
        const KeyChanged* changed = std::get_if<KeyChanged>(&before->what);
        return changed && changed->kind != KeyChanged::Kind::expired &&
               changed->kind != KeyChanged::Kind::lost;
      };
      while (place != list.begin() && is_effect(*std::prev(place))) --place;
    }
    list.insert(place, &event);
  }
  return steps;
}

Cast cast_of(const Counterexample& example, std::size_t servers) {
  std::set<ClientId> clients;
  std::set<NodeId> nodes;
  for (const Event& event : example.events) {
    if (const std::optional<ClientId> client = client_of(event)) clients.insert(*client);
    if (const std::optional<NodeId> node = std::visit(NodeField{}, event.what)) nodes.insert(*node);
  }
  for (std::uint32_t i = 0; i < servers; ++i) nodes.insert(NodeId{i});
  return {{clients.begin(), clients.end()}, {nodes.begin(), nodes.end()}, example.store};
}

std::size_t servers_of(const Scenario& scenario) {
  for (const auto& [name, value] : scenario.params)
    if (name == "nodes") return std::stoul(value);
  return 0;
}

bool is_fault(const Event& event) {
  constexpr EventKinds faults =
      events_of<Crashed, Paused, SlowSection, ClockSkewed, ServerClockSet, ServerRestarted, FailedOver,
                Evicted, Partitioned, Cancelled, ServerRecovered, SessionEnded>();
  return (holdfast::kind_of(event.what) & faults) != 0;
}

std::optional<NodeId> struck_server(const Event& event) {
  if (const auto* restarted = std::get_if<ServerRestarted>(&event.what)) return restarted->node;
  if (const auto* recovered = std::get_if<ServerRecovered>(&event.what)) return recovered->node;
  if (const auto* set = std::get_if<ServerClockSet>(&event.what)) return set->node;
  if (const auto* failed = std::get_if<FailedOver>(&event.what)) return failed->node;
  if (const auto* evicted = std::get_if<Evicted>(&event.what)) return evicted->node;
  if (const auto* ended = std::get_if<SessionEnded>(&event.what)) return ended->node;
  return std::nullopt;
}

std::optional<ClientId> client_of(const Event& event) { return std::visit(ClientField{}, event.what); }

}  // namespace holdfast::reports
