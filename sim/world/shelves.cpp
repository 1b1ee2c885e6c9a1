#include "sim/world/shelves.hpp"

#include <algorithm>

#include "sim/core/invariant.hpp"
#include "sim/core/time_text.hpp"
#include "sim/world/clients.hpp"
#include "sim/world/marks.hpp"
#include "sim/world/network.hpp"

namespace holdfast {
namespace {

// How many writes a replica may lack.
constexpr std::size_t lag_max = 2;

// Where the key is, or would be.
std::size_t place_of(const LockedKeys& locked, std::string_view key) {
  const auto place =
      std::lower_bound(locked.begin(), locked.end(), key,
                       [](const LockedKey& one, std::string_view other) { return one.key < other; });
  return static_cast<std::size_t>(place - locked.begin());
}

LockedKeys locked_in(const Scenario& scenario, const LockFacts& facts) {
  std::vector<std::string> keys;
  const auto add = [&](const std::string& name) {
    const LockFacts::Named* const known = facts.find(name);
    if (known != nullptr) keys.insert(keys.end(), known->keys.begin(), known->keys.end());
    else keys.push_back(name);
  };
  add(scenario.key);
  for (const ClientPlan& plan : scenario.clients)
    for (const std::string& name : names_locked_by(scenario, plan)) add(name);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  LockedKeys locked;
  for (std::string& key : keys) locked.push_back({std::move(key), {}});
  return locked;
}

}  // namespace

Servers::Servers(const Scenario& scenario, StoreKind kind, std::size_t count, stores::Kinds& kinds,
                 const Faults& faults, const Instant& now, const LockFacts& facts)
    : faults_(faults),
      now_(now),
      facts_(facts),
      traits_(kinds.traits_of(kind)),
      loses_latest_(faults.loses_latest()) {
  const LockedKeys locked = locked_in(scenario, facts);
  for (std::size_t i = 0; i < count; ++i)
    servers_.push_back({{Contents(kinds.make(kind)), locked, {}}, {}, {}});
  for (Server& each : servers_) {
    for (const auto& [name, value] : scenario.redis_config) each.shelf.data->configure(name, value);
    for (const auto& [key, value] : scenario.store) each.shelf.data->put(key, value, time_of(each));
    Holdings::Bereft nobody;
    for (LockedKey& locked_key : each.shelf.locked)
      locked_key.holdings.write(elements_at(each.shelf, locked_key.key), {}, {}, nobody);
  }
}

Instant Servers::next_death(const Server& host) const {
  const std::optional<WallTime> last_alive = host.shelf.data->next().key;
  return last_alive ? Instant(*last_alive - wall_epoch - host.clock_offset) + 1us : never;
}

Instant Servers::next_wait_end(const Server& host) const {
  if (!traits_.has_sessions) return never;
  const std::optional<WallTime> last = host.shelf.data->next().wait;
  return last ? Instant(*last - wall_epoch - host.clock_offset) + 1us : never;
}

Instant Servers::next_wait_end() const {
  Instant next = never;
  for (const Server& each : servers_) next = std::min(next, next_wait_end(each));
  return next;
}

bool Servers::is_quiet_until(Instant time) const {
  return std::none_of(servers_.begin(), servers_.end(), [&](const Server& each) {
    const std::optional<WallTime> end = each.shelf.data->next().key;
    return end && *end < wall_epoch + time.time_since_epoch() + each.clock_offset;
  });
}

// --- the past ---

void Servers::note_past(Server& host, Shelf before, ClientId writer) {
  host.past.insert(host.past.begin(), {std::move(before), now_, writer});
  forget_unreachable(host);
}

void Servers::forget_unreachable(Server& host) const {
  host.past.erase(host.past.begin() + static_cast<std::ptrdiff_t>(reachable_past(host)), host.past.end());
}

bool Servers::is_recent(const Server::Past& past) const {
  return may_lose_latest() && past.written + loses_latest_ >= now_;
}

std::size_t Servers::reachable_past(const Server& host) const {
  const auto recent = std::count_if(host.past.begin(), host.past.end(),
                                    [this](const Server::Past& each) { return is_recent(each); });
  return std::max(lag(host), static_cast<std::size_t>(recent));
}

// What it has it has in the order of the writes.
std::size_t Servers::lag(const Server& host) const {
  if (!may_fail_over()) return 0;
  const auto first = std::find_if(host.past.begin(), host.past.end(),
                                  [](const Server::Past& each) { return each.is_replicated; });
  return std::min(lag_max, static_cast<std::size_t>(first - host.past.begin()));
}

std::uint32_t Servers::writes_since(const Server& host, Duration age) const {
  return static_cast<std::uint32_t>(
      std::count_if(host.past.begin(), host.past.end(),
                    [&](const Server::Past& each) { return each.written + age >= now_; }));
}

// --- keys ---

std::size_t Servers::locked_place(std::string_view name) const {
  const LockFacts::Named* const known = facts_.find(name);
  const std::string_view key = known != nullptr ? std::string_view(known->keys.front()) : name;
  return place_of(servers_.front().shelf.locked, key);
}

LockedKey* Servers::locked_at(LockedKeys& locked, std::string_view key, const Client* by) const {
  if (by != nullptr)
    if (LockedKey& own = locked[by->locked_place()]; own.key == key) return &own;
  const std::size_t place = place_of(locked, key);
  const bool is_there = place < locked.size() && locked[place].key == key;
  if (!is_there && facts_.notes_all_keys)
    return &*locked.insert(locked.begin() + static_cast<std::ptrdiff_t>(place), {std::string(key), {}});
  return is_there ? &locked[place] : nullptr;
}

bool Servers::is_any_owned() const {
  return std::any_of(servers_.begin(), servers_.end(), [](const Server& server) {
    return std::any_of(server.shelf.locked.begin(), server.shelf.locked.end(),
                       [](const LockedKey& each) { return each.holdings.is_anybodys(); });
  });
}

bool Servers::have_grant_of(Acquisition acquisition, Duration later) const {
  return std::any_of(servers_.begin(), servers_.end(), [&](const Server& server) {
    return std::any_of(server.shelf.locked.begin(), server.shelf.locked.end(), [&](const LockedKey& each) {
      if (!each.holdings.has(acquisition)) return false;
      const std::optional<WallTime> end = server.shelf.data->expiry_of(each.key);
      return !end || *end >= time_of(server) + later;
    });
  });
}

bool Servers::are_locks_named_by_tokens(const Clients& clients) const {
  const LockedKeys& locked = servers_.front().shelf.locked;
  return std::any_of(locked.begin(), locked.end(),
                     [&](const LockedKey& each) { return clients.has_name(each.key); });
}

bool Servers::is_any_mortal() const {
  return std::any_of(servers_.begin(), servers_.end(), [](const Server& server) {
    return std::any_of(server.shelf.keys.begin(), server.shelf.keys.end(),
                       [](const Key& key) { return key.is_mortal && !key.has_ended; });
  });
}

std::uint64_t Servers::owners() const {
  std::uint64_t owners = 0;
  const auto note = [&](ClientId client) { owners |= std::uint64_t{1} << (client.value & 63); };
  for (const Server& each : servers_) {
    for (const Key& key : each.shelf.keys)
      if (key.token.number != 0) note(key.token.client);
    for (const LockedKey& locked : each.shelf.locked)
      for (const Holdings::Part& part : locked.holdings.parts())
        if (!part.by.is_nobody()) note(part.by.client);
  }
  return owners;
}

// --- digest ---

void Servers::note_keys(Shelf& shelf, const Clients& clients, Knowledge& told) const {
  shelf.keys.clear();
  shelf.data->visit([&](std::string_view key, std::string_view value, std::optional<MilliTicks> expires_ms,
                        bool has_ended) {
    const bool is_named = clients.has_name(key);
    const Wording said = is_named ? clients.wording_of(std::string(key) + ' ' + std::string(value))
                                  : clients.wording_of(value);
    told.of_date |= said.may_say_when || clients.may_say_when(key);
    Key note{{},
             to_ticks(expires_ms.value_or(MilliTicks())),
             said.token.value_or(Token{}),
             is_named && said.token};
    if (has_mark(key)) time_oracle->obstruct("a time is part of the name of a key");
    if (!is_named) note.content.add(digest_of(key));
    if (!said.token) clients.note_others(note.content, said, told);
    else if (said.token->around != 0) note.content.add(said.token->around);
    for (const Instant each : said.dates) note.content.add(each);
    if (!expires_ms || has_ended) note.content.add(has_ended ? 2 : 1);
    note.is_mortal = expires_ms.has_value();
    note.has_ended = has_ended;
    shelf.keys.push_back(note);
  });
  shelf.tokens = static_cast<std::uint32_t>(std::count_if(
      shelf.keys.begin(), shelf.keys.end(), [](const Key& key) { return key.token.number != 0; }));
  shelf.has_named =
      std::any_of(shelf.keys.begin(), shelf.keys.end(), [](const Key& key) { return key.is_named; });
}

// Tokens of which nothing else is known may still be compared with each other: they have an order.
std::uint32_t Servers::age_of(Token token, const Clients& clients) const {
  const std::uint32_t age = clients.age_of(token);
  if (age != Client::forgotten) return age;
  std::vector<std::uint32_t> newer;
  for (const Server& each : servers_)
    for (const Key& key : each.shelf.keys)
      if (key.token.client == token.client && key.token.number > token.number &&
          clients.age_of(key.token) == Client::forgotten)
        newer.push_back(key.token.number);
  std::sort(newer.begin(), newer.end());
  const auto last = std::unique(newer.begin(), newer.end());
  return Client::forgotten - static_cast<std::uint32_t>(last - newer.begin());
}

void Servers::note_tokens(const NoteToken& note, const Clients& clients) const {
  const auto note_all = [&](const Shelf& shelf) {
    for (const Key& key : shelf.keys) {
      note(key.token);
      key.content.for_each_token(note);
    }
    for (const LockedKey& locked : shelf.locked)
      for (const Holdings::Part& part : locked.holdings.parts()) note(part.element.token);
  };
  for (const Server& each : servers_) {
    note_all(each.shelf);
    for (std::size_t i = 0; i < reachable_past(each); ++i) note_all(each.past[i].shelf);
    each.shelf.data->visit_sessions([&](ConnectionId, std::string_view state, auto&&...) {
      History content;
      Knowledge told;
      clients.note_text(content, state, told);
      content.for_each_token(note);
    });
  }
}

bool Servers::have_few_tokens() const {
  return std::all_of(servers_.begin(), servers_.end(),
                     [](const Server& each) { return each.shelf.tokens <= 1 && !each.shelf.has_named; });
}

Digest Servers::digest_of_keys(const Clients& clients) const {
  std::uint64_t forgotten = 0;
  std::uint64_t number = 0;
  Digest digest{};
  for (const Server& each : servers_) {
    number += 1 << 8;
    for (std::size_t i = 0; i < each.shelf.locked.size(); ++i) {
      Digest parts{};
      for (const auto& [by, element, is_renewed] : each.shelf.locked[i].holdings.parts()) {
        if (by.is_nobody()) continue;  // as in mix_shelf()
        const auto standing = static_cast<std::uint64_t>(clients.standing_of(by));
        const auto amount = static_cast<std::uint64_t>(element.amount);
        parts = sum(parts, mix(mix(element.shape(), amount),
                               (number + i) << 3 | standing << 1 | std::uint64_t{is_renewed}));
      }
      if (parts != Digest{}) digest = mix(digest, parts);
    }
    if (each.shelf.tokens == 0) continue;
    for (const Key& key : each.shelf.keys)
      forgotten += key.token.number != 0 && clients.age_of(key.token) == Client::forgotten;
  }
  return mix(digest, forgotten);
}

// faults, now: the world says what of them matters. facts, traits, loses_latest: the same in every state.
Digest Servers::mix_state(Digest rest, std::span<Digest> of_clients, const Clients& clients,
                          Knowledge told) const {
  const auto& [faults, now, facts, traits, loses_latest, servers] = *this;
  for (std::uint64_t i = 0; i < servers.size(); ++i)
    rest = mix_server(servers[i], i << 8, of_clients, clients, told, rest);
  return rest;
}

// `number` tells apart what belongs to different servers and times.
// Of the past, what cannot come back is left out. written: while it decides what may come back.
// writer, is_replicated: once a WAIT was answered, and before that no replica was asked what it has.
// clock_offset: as long as nobody was told the time, for keys are told to end from now.
Digest Servers::mix_server(const Server& each, std::uint64_t number, std::span<Digest> of_clients,
                           const Clients& clients, Knowledge told, Digest rest) const {
  const auto& [shelf, clock_offset, past] = each;
  if (told.of_time && clock_offset != Duration::zero())
    rest = mix(mix(rest, Mark::server_clock), clock_offset.count());
  const WallTime time = time_of(each);
  if (told.of_counts) rest = mix(rest, shelf.data->digest_of_counts());
  rest = mix_shelf(shelf, number, time, of_clients, clients, told, rest);
  const std::size_t reachable = reachable_past(each);
  for (std::size_t i = 0; i < reachable; ++i) {
    const auto& [shelf_before, written, writer, is_replicated] = past[i];
    rest = mix_shelf(shelf_before, ++number, time, of_clients, clients, told, rest);
    if (told.of_writers) {
      Digest& part = of_clients[writer.value];
      part = mix(sum(part, {number, i}), Mark::wrote | std::uint64_t{is_replicated} << 8);
    }
    if (is_recent(past[i]))
      rest = mix(mix(rest, Mark::recent), static_cast<std::uint64_t>((now_ - written).count()));
  }
  return reachable == 0 ? rest : mix(rest, Mark::reachable | std::uint64_t{reachable} << 8);
}

// Keys, and whose they are.
// data: keys are noted whenever it changes; connections are in mix_connections(). tokens, has_named: keys say
// it. Of a key, has_ended: its content says so. Of a locked key, key: the same in every state; content: keys
// say it; what is nobody's: the rest of the amount.
Digest Servers::mix_shelf(const Shelf& shelf, std::uint64_t number, WallTime time,
                          std::span<Digest> of_clients, const Clients& clients, Knowledge told,
                          Digest rest) const {
  const auto& [data, locked, keys, tokens, has_named] = shelf;
  const Ticks now = time.time_since_epoch().count();
  // The digests that are added up before they are mixed are of texts, or ends of chains: they are as good as
  // random.
  rest = mix(rest, data->digest_of_rest());
  for (const auto& [history, expires, token, is_named, is_mortal, has_ended] : keys) {
    const Digest content = history.at(now_, [&](const Token& each) { return clients.age_of(each); });
    const auto left = static_cast<std::uint64_t>(is_mortal ? expires - now : Ticks());
    if (!is_named) rest = mix(sum(rest, content), left);
    if (token.number == 0) continue;
    Digest& owner = of_clients[token.client.value];
    // Where names are told, one that its client has forgotten may be read, and compared.
    const std::uint32_t age = told.of_names ? token.number : age_of(token, clients);
    owner = mix(sum(owner, {number, content.low}), Mark::value_at_key | std::uint64_t{age} << 8);
    if (is_named) owner = mix(owner, left);
  }
  for (std::size_t i = 0; i < locked.size(); ++i) {
    const auto& [key, holdings] = locked[i];
    for (const auto& [by, element, is_renewed] : holdings.parts()) {
      const auto& [name, content, amount, token] = element;
      if (by.is_nobody()) continue;
      Digest& part = of_clients[by.client.value];
      part = mix(sum(sum(part, {number, i}), told.of_names ? name : element.shape()),
                 static_cast<std::uint64_t>(amount));
      if (token.number != 0 && !told.of_names) part = mix(part, clients.age_of(token));
      part = mix(part,
                 Mark::owns_key | std::uint64_t{clients.age_of(by)} << 8 | std::uint64_t{is_renewed} << 40);
    }
  }
  return rest;
}

void Servers::note_sessions(const Clients& clients, Knowledge& told) const {
  for (const Server& each : servers_)
    each.shelf.data->visit_sessions([&](ConnectionId, std::string_view state, auto&&...) {
      History content;
      clients.note_text(content, state, told);
    });
}

void Servers::mix_connections(std::span<Digest> of_clients, const Network& network, const Clients& clients,
                              Knowledge told) const {
  const auto age_of = [&](const Token& each) { return clients.age_of(each); };
  for (const Server& each : servers_) {
    std::uint64_t place = 0;
    each.shelf.data->visit_sessions([&](ConnectionId connection, std::string_view state,
                                        std::optional<WallTime> since, std::optional<WallTime> until,
                                        bool waits) {
      Digest& part = of_clients[network.line_of(connection)->client.value];
      part = mix(part, (waits ? Mark::waiter : Mark::session) | network.rank_of(connection) << 8 |
                           (waits ? ++place : 0) << 32);
      History content;
      clients.note_text(content, state, told);
      part = mix(mix(part, content.at(now_, age_of)), until ? (*until - time_of(each)).count() : Ticks(-1));
      if (since && told.of_transactions) part = mix(mix(part, Mark::since), (time_of(each) - *since).count());
    });
  }
}

}  // namespace holdfast
