// What servers do, and what is done to them: restarts, failovers, evictions, clocks that are set.
#include <algorithm>

#include "sim/core/invariant.hpp"
#include "sim/world/world.hpp"

namespace holdfast {
namespace {

// How many writes a replica may lack.
constexpr std::size_t lag_max = 2;
// Longer than anybody waits.
constexpr Duration for_ever = 24h;

KeyChanged::Kind kind_of(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::created: return KeyChanged::Kind::created;
    case Change::Kind::overwritten: return KeyChanged::Kind::overwritten;
    case Change::Kind::removed: return KeyChanged::Kind::removed;
    case Change::Kind::expired: return KeyChanged::Kind::expired;
    case Change::Kind::ttl_changed: break;
  }
  return KeyChanged::Kind::ttl_changed;
}

// Redis takes its name in any case; locks write it so.
bool is_wait(const Command& command) { return !command.argv().empty() && command.argv().front() == "WAIT"; }

}  // namespace

void World::execute(std::uint32_t slot) {
  Message& arrived = messages_[slot];
  arrived.remove(Scheduled::Kind::request);
  arrived.held_back = Duration::zero();  // the answer before this one was, if it was sent twice
  if (arrived.connection.value != 0) ++may_be_stuck_;
  sightings_.arrived_late |= arrived.call == nullptr;
  const NodeId node = arrived.node;
  Server& host = server(node);
  const redis::ConnectionId connection = arrived.connection;
  if (connection.value != 0 && is_reset(connection)) return drop_at_reset(arrived);
  const std::unique_ptr<Shelf> before = keeps_past() ? std::make_unique<Shelf>(host.shelf) : nullptr;
  changes_.clear();
  if (lines_.empty()) arrived.reply = host.shelf.data.execute(arrived.command, time_of(host), changes_);
  else execute_among_lines(arrived);
  if (before && !changes_.empty()) note_past(host, std::move(*before), arrived.client);
  if (is_wait(arrived.command)) arrived.reply = wait_for_replica(arrived);
  told_.of_time |= host.shelf.data.has_told_time();
  if (trace_.wants<Executed>())
    emit(actor_of(arrived.node), Executed{arrived.id, arrived.node, arrived.acquisition, arrived.reply});
  note_changes(changes_, arrived.node, arrived.acquisition);
  if (arrived.call == nullptr) {
    emit(actor_of(arrived.node), Ignored{arrived.id});
    settle(arrived);
  } else if (arrived.is_blocked) {
    // A push will answer it.
  } else if (std::exchange(arrived.is_repeated, false)) {
    travel(Scheduled::Kind::request, arrived);
  } else {
    if (has_states_)
      arrived.content = client(arrived.client).mix_reply(Digest{}, arrived.reply, told_.of_names);
    if (arrived.connection.value == 0) arrived.command = Command();  // nobody will ask for its words again
    send_reply(arrived);
  }
  if (!lines_.empty()) end_execution(connection, node);
}

// --- what is done to them ---

// They struck, and could make a difference.
void World::note_strike(FaultSet faults) {
  sightings_.struck.insert(faults);
  if (sightings_.struck_held.contains_all(faults)) return;
  bool is_held = holders_ > 0;
  for (const Server& each : servers_)
    for (const LockedKey& locked : each.shelf.locked) is_held |= !locked.owner.is_nobody();
  if (is_held) sightings_.struck_held.insert(faults);
}

void World::note_past(Server& host, Shelf before, ClientId writer) {
  host.past.insert(host.past.begin(), {std::move(before), now_, writer});
  host.past.erase(host.past.begin() + static_cast<std::ptrdiff_t>(reachable_past(host)), host.past.end());
}

bool World::is_recent(const Server::Past& past) const {
  return may_lose_latest() && past.written + loses_latest_ >= now_;
}

std::size_t World::reachable_past(const Server& host) const {
  const auto recent = std::count_if(host.past.begin(), host.past.end(),
                                    [this](const Server::Past& each) { return is_recent(each); });
  return std::max(lag(host), static_cast<std::size_t>(recent));
}

// What it has it has in the order of the writes.
std::size_t World::lag(const Server& host) const {
  if (!may_fail_over()) return 0;
  const auto first = std::find_if(host.past.begin(), host.past.end(),
                                  [](const Server::Past& each) { return each.is_replicated; });
  return std::min(lag_max, static_cast<std::size_t>(first - host.past.begin()));
}

// Every server has one replica. As long as a failover may come it may lag, and acknowledge what this client
// wrote before the time is over, or not: that is a choice. Of what others wrote since, it says nothing.
// Redis documentation, WAIT.
Reply World::wait_for_replica(Message& arrived) {
  if (arrived.reply.kind() != Reply::Kind::integer) return arrived.reply;
  told_.of_writers = true;
  Server& host = server(arrived.node);
  const std::chrono::milliseconds timeout(std::stoll(std::string(arrived.command.argv()[2])));
  const bool wants_more = std::stoll(std::string(arrived.command.argv()[1])) > 1;
  const auto lagging = host.past.begin() + static_cast<std::ptrdiff_t>(lag(host));
  const auto own = std::find_if(host.past.begin(), lagging,
                                [&](const Server::Past& each) { return each.writer == arrived.client; });
  const bool may_lag = own != lagging && timeout > 0ms && faults_.can(Fault::failover);
  const bool lags = may_lag && pick(Site::variant, actor_of(arrived.node), 2) != 0;
  if (lags || wants_more) arrived.held_back = timeout > 0ms ? Duration(timeout) : for_ever;
  if (lags) return Reply::integer(0);
  for (auto each = own; each != lagging; ++each) each->is_replicated = true;
  host.past.erase(host.past.begin() + static_cast<std::ptrdiff_t>(reachable_past(host)), host.past.end());
  return Reply::integer(1);
}

std::uint32_t World::writes_since(const Server& host, Duration age) const {
  return static_cast<std::uint32_t>(
      std::count_if(host.past.begin(), host.past.end(),
                    [&](const Server::Past& each) { return each.written + age >= now_; }));
}

// A shared dictionary has no file.
void World::restart(NodeId node, const FaultRule& rule, std::uint32_t lost) {
  if (rule.loses == DataLoss::everything || card_.store != StoreKind::redis) return lose_everything(node);
  Server& host = server(node);
  note_strike({Fault::restart});
  emit(actor_of(node), ServerRecovered{node, lost});
  roll_back(node, lost);
  // The cache of scripts is in no file (Redis documentation, EVALSHA).
  host.shelf.data.execute({"SCRIPT", "FLUSH"}, time_of(host), changes_);
  note_keys(host.shelf);
}

void World::lose_everything(NodeId node) {
  Shelf& shelf = server(node).shelf;
  const bool had_data = !shelf.data.is_empty();
  std::vector<LockedKey*> held;
  for (LockedKey& locked : shelf.locked)
    if (shelf.data.value_of(locked.key)) held.push_back(&locked);
  if (had_data || !lines_.empty()) note_strike({Fault::restart});
  shelf.data.restart();
  if (!lines_.empty()) reset_lines(node);
  note_keys(shelf);
  emit(actor_of(node), ServerRestarted{node});
  for (LockedKey& locked : shelf.locked) {
    if (std::find(held.begin(), held.end(), &locked) != held.end()) note_loss(node, locked, {});
    touch(std::exchange(locked.owner, Acquisition{}));
  }
}

void World::note_loss(NodeId node, LockedKey& locked, Acquisition after) {
  const Shelf& shelf = server(node).shelf;
  const Acquisition before = std::exchange(locked.owner, after);
  touch(before);
  touch(after);
  const std::optional<std::string> value = shelf.data.value_of(locked.key);
  const auto kind = value ? KeyChanged::Kind::restored : KeyChanged::Kind::lost;
  KeyChanged event{node, text(locked.key), kind, {}, before, after, {}, never};
  if (trace_.is_recording() && value) event.value = *value;
  emit(actor_of(node), std::move(event));
}

// A replica that lacks the last write, or the last two, is promoted. Its own replicas are up to date.
void World::fail_over(NodeId node, std::uint32_t lost) {
  note_strike({Fault::failover});
  emit(actor_of(node), FailedOver{node, lost});
  roll_back(node, lost);
}

// Its connections are gone in any case.
void World::roll_back(NodeId node, std::uint32_t lost) {
  Server& host = server(node);
  const LockedKeys before = host.shelf.locked;
  std::vector<std::optional<std::string>> values;
  for (const LockedKey& locked : before) values.push_back(host.shelf.data.value_of(locked.key));
  if (lost > 0) host.shelf = host.past[lost - 1].shelf;
  host.past.clear();
  host.shelf.data.redis().disconnect_all();
  if (!lines_.empty()) reset_lines(node);
  // What would have ended by now does not come back.
  changes_.clear();
  host.shelf.data.expire_due(time_of(host), changes_);
  for (const redis::Change& ended : changes_)
    if (LockedKey* const locked = locked_at(host.shelf.locked, ended.key, {})) locked->owner = Acquisition{};
  if (!is_timed()) note_keys(host.shelf);
  for (std::size_t i = 0; i < before.size(); ++i) {
    LockedKey& locked = host.shelf.locked[i];
    // An equal value may be another's.
    const bool is_same = locked.owner == before[i].owner;
    if (is_same && host.shelf.data.value_of(locked.key) == values[i]) continue;
    const Acquisition after = std::exchange(locked.owner, before[i].owner);
    note_loss(node, locked, host.shelf.data.value_of(locked.key) ? after : Acquisition{});
  }
}

std::vector<std::string> World::living_keys(const Server& host) const {
  std::vector<std::string> keys;
  host.shelf.data.visit([&](std::string_view key, std::string_view, auto, bool) {
    if (host.shelf.data.value_of(key)) keys.emplace_back(key);
  });
  return keys;
}

// A dictionary drops what was not used for longest, and lists it last. Redis samples: it may be any.
void World::evict(NodeId node, std::uint32_t number) {
  Shelf& shelf = server(node).shelf;
  const std::vector<std::string> keys = living_keys(server(node));
  note_strike({Fault::eviction});
  const std::string& key = card_.store == StoreKind::shared_dict ? keys.back() : keys[number];
  emit(actor_of(node), Evicted{node, text(key)});
  changes_.clear();
  shelf.data.drop(key, time_of(server(node)), changes_);
  note_keys(shelf);
  if (LockedKey* const locked = locked_at(shelf.locked, key, {})) note_loss(node, *locked, {});
}

void World::set_clock(NodeId node, Duration by) {
  note_strike({Fault::server_clock_jump});
  server(node).clock_offset += by;
  emit(actor_of(node), ServerClockSet{node, server(node).clock_offset});
  expire_due(node);
  if (!lines_.empty()) end_waits(node);
}

// --- keys ---

Instant World::next_death(const Server& host) const {
  const std::optional<WallTime> last_alive = host.shelf.data.next_expiry();
  return last_alive ? Instant(*last_alive - epoch - host.clock_offset) + 1us : never;
}

void World::expire_due(NodeId node) {
  Server& host = server(node);
  changes_.clear();
  host.shelf.data.expire_due(time_of(host), changes_);
  note_changes(changes_, node, Acquisition{});
}

void World::note_locked() {
  std::vector<std::string_view> keys{scenario_.key};
  for (const ClientPlan& plan : scenario_.clients)
    if (!plan.key.empty()) keys.push_back(plan.key);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  LockedKeys locked;
  for (const std::string_view key : keys) locked.push_back({std::string(key), {}});
  for (Server& each : servers_) each.shelf.locked = locked;
}

void World::fill_stores() {
  if (scenario_.store.empty()) return;
  for (Server& each : servers_) {
    for (const auto& [key, value] : scenario_.store) {
      const Reply kept = each.shelf.data.execute({"SET", key, value}, time_of(each), changes_);
      INVARIANT(!kept.is_error(), "a server takes any text");
    }
    note_keys(each.shelf);
  }
  changes_.clear();
}

// Where it would be among the keys that clients lock.
std::size_t World::locked_place(std::string_view key) const {
  const LockedKeys& locked = servers_.front().shelf.locked;
  const auto place =
      std::lower_bound(locked.begin(), locked.end(), key,
                       [](const LockedKey& one, std::string_view other) { return one.key < other; });
  return static_cast<std::size_t>(place - locked.begin());
}

// nullptr when no client locks it. Mostly it is the one that the client locks whose command changed it.
World::LockedKey* World::locked_at(LockedKeys& locked, std::string_view key, Acquisition by) const {
  if (!by.is_nobody())
    if (LockedKey& own = locked[client_of(by.client).locked_place()]; own.key == key) return &own;
  const std::size_t place = locked_place(key);
  return place < locked.size() && locked[place].key == key ? &locked[place] : nullptr;
}

void World::note_changes(const Changes& changes, NodeId node, Acquisition by) {
  using Kind = KeyChanged::Kind;
  Shelf& shelf = server(node).shelf;
  // A dictionary remembers in which order its keys were asked for, too.
  const bool may_differ = !changes.empty() || card_.store == StoreKind::shared_dict;
  if (may_differ && !is_timed()) note_keys(shelf);
  for (const redis::Change& change : changes) {
    LockedKey* const locked = locked_at(shelf.locked, change.key, by);
    if (locked == nullptr) continue;
    const Acquisition before = locked->owner;
    const Kind kind = kind_of(change.kind);
    touch(before);
    touch(by);
    if (kind == Kind::created || kind == Kind::overwritten) locked->owner = by;
    if (kind == Kind::removed || kind == Kind::expired) locked->owner = Acquisition{};
    if (kind == Kind::expired && !before.is_nobody()) {
      const Client& holder = client(before.client);
      sightings_.expired_held |= holder.is_claiming() && holder.acquisition() == before;
    }
    if (!hears<KeyChanged>()) continue;
    KeyChanged event{node,   text(locked->key), kind, kind == Kind::expired ? Acquisition{} : by,
                     before, locked->owner,     {},   never};
    if (trace_.is_recording()) {
      event.value = shelf.data.value_of(locked->key).value_or("");
      if (const auto last_alive = shelf.data.expiry_of(locked->key))
        event.expires_at = Instant(std::chrono::floor<std::chrono::milliseconds>(*last_alive - epoch) -
                                   server(node).clock_offset);
    }
    emit(kind == Kind::expired ? Actor{} : actor_of(node), std::move(event));
  }
}

}  // namespace holdfast
