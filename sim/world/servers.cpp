// What servers do, and what is done to them: restarts, failovers, evictions, clocks that are set.
#include <algorithm>

#include "sim/core/arena.hpp"
#include "sim/core/beyond_model.hpp"
#include "sim/core/invariant.hpp"
#include "sim/trace/source_line.hpp"
#include "sim/world/world.hpp"

namespace holdfast {
namespace {

// Longer than any client waits.
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

// A script may do both, and what its key holds is looked at once.
Change::Way way_of(const Change& change, const Changes& changes) {
  const auto is_more = [&](const Change& each) {
    return each.key == change.key && each.kind == change.kind && each.way != Change::Way::counted;
  };
  const auto more = std::find_if(changes.begin(), changes.end(), is_more);
  return change.way != Change::Way::counted || more == changes.end() ? change.way : more->way;
}

// Others hold the lock, or have parts of its key: as many as may.
bool is_full(const Clients& clients, const Client& asker, const Holdings& holdings, std::uint32_t capacity) {
  const auto has_part = [&](const Client& other) {
    const auto& parts = holdings.parts();
    return std::any_of(parts.begin(), parts.end(), [&](const Holdings::Part& part) {
      return !part.by.is_nobody() && part.by.client == other.id();
    });
  };
  std::uint32_t others = 0;
  for (const std::unique_ptr<Client>& other : clients) {
    if (other->id() != asker.id() && (other->holds() || has_part(*other))) ++others;
    if (others == capacity) return true;
  }
  return false;
}

}  // namespace

void World::execute(std::uint32_t slot) {
  Message& arrived = network_.change(slot);
  arrived.remove(Scheduled::Kind::request);
  arrived.held_back = Duration::zero();  // the answer before this one was, if it was sent twice
  if (arrived.connection.value != 0) network_.note_stuck();
  if (arrived.call == nullptr) note(Situation::arrived_late);
  if (faults_.have_struck() && !course_.calm) note_asking(arrived);
  const ClientId asker = arrived.client;
  const NodeId node = arrived.node;
  Server& host = servers_.at(node);
  const ConnectionId connection = arrived.connection;
  kinds_.suppose(clients_.have_made() ? &clients_ : nullptr);
  if (connection.value != 0 && network_.is_reset(connection)) return drop_at_reset(arrived);
  const std::unique_ptr<Shelf> before = servers_.keeps_past() ? std::make_unique<Shelf>(host.shelf) : nullptr;
  effects_.changes.clear();
  effects_.pushes.clear();
  std::optional<Reply> reply =
      host.shelf.data->execute(connection, arrived.command, servers_.time_of(host), effects_);
  arrived.is_blocked = !reply;
  arrived.reply = reply ? *std::move(reply) : Reply::lost();
  const stores::Told told = host.shelf.data->told();
  if (!told.not_simulated.what.empty()) [[unlikely]]
    leave_model(arrived, told.not_simulated);
  if (before && !effects_.changes.empty()) servers_.note_past(host, std::move(*before), arrived.client);
  if (const auto asked = host.shelf.data->asks_replicas(arrived.command))
    arrived.reply = wait_for_replica(arrived, *asked);
  told_.of_time |= told.the_time;
  told_.of_transactions |= told.of_transactions;
  told_.of_counts |= told.counts;
  told_.of_date |= told.the_time && !clients_.ignore_dates();
  if (clients_.have_made()) note_looks(host);
  if (trace_.wants<Executed>())
    emit(actor_of(arrived.node), Executed{arrived.id, arrived.node, arrived.acquisition, arrived.reply});
  note_changes(effects_.changes, arrived.node, arrived.acquisition);
  if (arrived.call == nullptr) {
    emit(actor_of(arrived.node), Ignored{arrived.id});
    network_.settle(arrived);
  } else if (arrived.is_blocked) {
    // A push will answer it.
  } else if (std::exchange(arrived.is_repeated, false)) {
    travel(Scheduled::Kind::request, arrived);
  } else {
    if (has_states_) note_answer(arrived);
    if (arrived.connection.value == 0) arrived.command = Command();  // its words are not needed again
    send_reply(arrived);
  }
  drop_dead_timeouts(asker);
  if (network_.has_lines()) end_execution(connection, node);
}

void World::leave_model(const Message& asked, NotSimulated found) {
  const Arena::Outside outside;  // what is thrown outlives this world
  std::string what = "not simulated: " + std::string(found.what) + std::string(found.how);
  std::replace(what.begin(), what.end(), '|', ' ');  // of a subcommand
  what += " (step " + std::to_string(step_.value);
  if (asked.call != nullptr)
    if (const SourceLine where = source_line(*asked.call); where.line > 0)
      what += ", " + std::string(where.file) + ":" + std::to_string(where.line);
  throw BeyondModel(what + ")");
}

// Programs made texts by chance. What a script or a command found in one may be untrue of others.
void World::note_looks(const Server& host) {
  const stores::Told told = host.shelf.data->told();
  told_.of_names |= told.texts_in_parts;
  if (told.texts_apart) clients_.note_others(told_);
  const Arena::Outside outside;  // what is thrown outlives this world
  if (const std::string looked = host.shelf.data->looked(); !looked.empty()) throw BeyondModel(looked);
}

// What the request meets, by what is there before it is carried out.
void World::note_asking(const Message& arrived) {
  const Client& asker = clients_.at(arrived.client);
  const Server& host = servers_.at(arrived.node);
  const LockedKey& locked = host.shelf.locked[asker.locked_place()];
  const Holdings& holdings = locked.holdings;
  if (arrived.call == nullptr) {
    if (holdings.is_anybodys() && !holdings.has(arrived.acquisition)) note(Situation::landed_late);
    return;
  }
  if (asker.place() != Place::acquiring || !is_full(clients_, asker, holdings, card_.capacity)) return;
  note(Situation::contended);
  bool is_orphaned = false;
  for (const Holdings::Part& part : holdings.parts())
    is_orphaned |= !part.by.is_nobody() && part.by.client != asker.id() &&
                   clients_.standing_of(part.by) == Clients::Standing::over;
  if (is_orphaned) note(Situation::orphaned);
  if (!clients_.do_others_hold(asker.id())) return;
  for (const std::unique_ptr<Client>& holder : clients_) {
    if (holder->id() == asker.id() || !holder->holds() || holder->locked_place() != asker.locked_place())
      continue;
    const bool is_bereft = !holdings.has(holder->acquisition());
    if (is_bereft) note(Situation::bereft);
    if (is_bereft || has_outlived(*holder, host, locked)) note(Situation::outlived);
  }
}

// Its key stands, which says nothing of a lease that is a value.
bool World::has_outlived(const Client& holder, const Server& host, const LockedKey& locked) const {
  if (locked.holdings.part_of(holder.acquisition())->is_renewed) return true;
  if (const std::optional<WallTime> end = holder.lease_until()) return *end < holder.wall_time();
  return !host.shelf.data->expiry_of(locked.key);
}

// --- what is done to them ---

// They struck, and could make a difference.
void World::note_strike(FaultSet faults) {
  reach_.struck.insert(faults);
  if (reach_.struck_held.contains_all(faults)) return;
  if (clients_.holders() > 0 || servers_.is_any_owned()) reach_.struck_held.insert(faults);
}

// Every server has one replica. As long as a failover may come it may lag, and acknowledge what this client
// wrote before the time is over, or not: that is a choice. Of what others wrote since, it says nothing.
// Redis documentation, WAIT.
Reply World::wait_for_replica(Message& arrived, const stores::Acknowledgement& asked) {
  if (arrived.reply.kind() != Reply::Kind::integer) return arrived.reply;
  told_.of_writers = true;
  Server& host = servers_.at(arrived.node);
  const bool wants_more = asked.replicas > 1;
  const auto lagging = host.past.begin() + static_cast<std::ptrdiff_t>(servers_.lag(host));
  const auto own = std::find_if(host.past.begin(), lagging,
                                [&](const Server::Past& each) { return each.writer == arrived.client; });
  const bool may_lag = own != lagging && asked.patience > 0ms && faults_.can(Fault::failover);
  const bool lags = may_lag && pick(Site::variant, actor_of(arrived.node), 2) != 0;
  if (lags || wants_more) arrived.held_back = asked.patience > 0ms ? asked.patience : for_ever;
  if (lags) return Reply::integer(0);
  for (auto each = own; each != lagging; ++each) each->is_replicated = true;
  servers_.forget_unreachable(host);
  return Reply::integer(1);
}

// A shared dictionary has no file. What is durable is there again, whatever else would be lost.
void World::restart(NodeId node, const FaultRule& rule, std::uint32_t lost) {
  const stores::Traits& traits = servers_.traits();
  const bool loses_all = rule.loses == DataLoss::everything && !traits.is_durable;
  if (loses_all || !traits.persists) return lose_everything(node);
  Server& host = servers_.at(node);
  note_strike({Fault::restart});
  emit(actor_of(node), ServerRecovered{node, lost});
  roll_back(node, lost);
  host.shelf.data->restart(true, servers_.time_of(host));
  note_keys(host.shelf);
}

void World::lose_everything(NodeId node) {
  Shelf& shelf = servers_.at(node).shelf;
  const bool had_data = !shelf.data->is_empty();
  std::vector<LockedKey*> held;
  for (LockedKey& locked : shelf.locked)
    if (shelf.data->value_of(locked.key)) held.push_back(&locked);
  if (had_data || network_.has_lines()) note_strike({Fault::restart});
  shelf.data->restart(false, servers_.time_of(servers_.at(node)));
  if (network_.has_lines()) reset_lines(node);
  note_keys(shelf);
  emit(actor_of(node), ServerRestarted{node});
  for (LockedKey& locked : shelf.locked) {
    if (std::find(held.begin(), held.end(), &locked) != held.end()) note_loss(node, locked, {});
    else locked.holdings = {};
  }
}

// `after`: what comes back in its stead.
void World::note_loss(NodeId node, LockedKey& locked, Holdings after) {
  const bool is_there = servers_.at(node).shelf.data->value_of(locked.key).has_value();
  const Holdings before = std::exchange(locked.holdings, std::move(after));
  const Holdings::Parts& now = locked.holdings.parts();
  Holdings::Bereft bereft;
  for (const Holdings::Part& part : before.parts()) {
    const bool is_news = std::find(bereft.begin(), bereft.end(), part.by) == bereft.end();
    const bool is_gone = std::find(now.begin(), now.end(), part) == now.end();
    if (is_gone && is_news && !part.by.is_nobody()) bereft.push_back(part.by);
  }
  if (bereft.empty()) bereft.push_back({});
  for (const Acquisition each : bereft)
    emit_change(is_there ? KeyChanged::Kind::restored : KeyChanged::Kind::lost, node, locked, {}, each);
}

// A replica that lacks the last write, or the last two, is promoted. Its own replicas are up to date. A
// member that is elected lacks nothing.
void World::fail_over(NodeId node, std::uint32_t lost) {
  note_strike({Fault::failover});
  emit(actor_of(node), FailedOver{node, lost});
  roll_back(node, lost);
  Server& host = servers_.at(node);
  host.shelf.data->take_over(servers_.time_of(host));
  if (!is_timed()) note_keys(host.shelf);
}

// Its connections are gone in any case.
void World::roll_back(NodeId node, std::uint32_t lost) {
  Server& host = servers_.at(node);
  const LockedKeys before = host.shelf.locked;
  std::vector<std::optional<std::string>> values;
  for (const LockedKey& locked : before) values.push_back(host.shelf.data->value_of(locked.key));
  if (lost > 0) host.shelf = host.past[lost - 1].shelf;
  host.past.clear();
  host.shelf.data->end_all_sessions();
  if (network_.has_lines()) reset_lines(node);
  // What would have ended by now does not come back.
  effects_.changes.clear();
  effects_.way = 0;
  host.shelf.data->pass(servers_.time_of(host), effects_);
  if (effects_.way != 0 && !is_timed()) note_keys(host.shelf);  // something ends later than it said
  for (const Change& ended : effects_.changes)
    if (LockedKey* const locked = servers_.locked_at(host.shelf.locked, ended.key, nullptr))
      locked->holdings = {};
  if (!is_timed()) note_keys(host.shelf);
  for (std::size_t i = 0; i < before.size(); ++i) {
    LockedKey& locked = host.shelf.locked[i];
    if (!host.shelf.data->has(locked.key)) locked.holdings = {};  // it ended with a session
    // An equal value may be another's.
    const bool is_same = locked.holdings == before[i].holdings;
    if (is_same && host.shelf.data->value_of(locked.key) == values[i]) continue;
    note_loss(node, locked, std::exchange(locked.holdings, before[i].holdings));
  }
}

void World::evict(NodeId node, std::uint32_t number) {
  Shelf& shelf = servers_.at(node).shelf;
  note_strike({Fault::eviction});
  effects_.changes.clear();
  effects_.pushes.clear();
  const std::string key = shelf.data->evict(number, servers_.time_of(servers_.at(node)), effects_);
  emit(actor_of(node), Evicted{node, text(key)});
  note_keys(shelf);
  if (LockedKey* const locked = servers_.locked_at(shelf.locked, key, nullptr)) note_loss(node, *locked, {});
  if (network_.has_lines()) send_pushes(node, std::exchange(effects_.pushes, {}));
}

void World::set_clock(NodeId node, Duration by) {
  note_strike({Fault::server_clock_jump});
  servers_.at(node).clock_offset += by;
  emit(actor_of(node), ServerClockSet{node, servers_.at(node).clock_offset});
  let_pass(node);
}

// --- keys ---

void World::let_pass(NodeId node) {
  Server& host = servers_.at(node);
  effects_.changes.clear();
  effects_.pushes.clear();
  const std::uint32_t ways = host.shelf.data->ways_to_pass(servers_.time_of(host));
  effects_.way = ways > 1 ? pick(Site::variant, actor_of(node), ways) : 0;
  host.shelf.data->pass(servers_.time_of(host), effects_);
  if (effects_.way != 0 && !is_timed()) note_keys(host.shelf);  // something ends later than it said
  note_changes(effects_.changes, node, Acquisition{});
  if (network_.has_lines()) send_pushes(node, std::exchange(effects_.pushes, {}));
}

void World::note_changes(const Changes& changes, NodeId node, Acquisition by) {
  Shelf& shelf = servers_.at(node).shelf;
  const bool may_differ = !changes.empty() || servers_.traits().reads_change_it;
  if (may_differ && !is_timed()) note_keys(shelf);
  for (const Change& change : changes) {
    const Line* const line = network_.line_of(change.session);
    const Acquisition whose = line != nullptr ? line->asker : by;
    const Client* const writer = whose.is_nobody() ? nullptr : &clients_.at(whose.client);
    if (LockedKey* const locked = servers_.locked_at(shelf.locked, change.key, writer))
      note_change(kind_of(change.kind), way_of(change, changes), node, *locked, whose);
  }
}

void World::note_change(KeyChanged::Kind kind, Change::Way way, NodeId node, LockedKey& locked,
                        Acquisition by) {
  using Kind = KeyChanged::Kind;
  const Shelf& shelf = servers_.at(node).shelf;
  const bool is_write = kind == Kind::created || kind == Kind::overwritten;
  Holdings& holdings = locked.holdings;
  const bool is_own = holdings.has(by);
  Holdings::Bereft bereft;
  const TokenOf token_of = [&](std::string_view text) -> std::optional<Token> {
    const Wording said = clients_.wording_of(text);
    if (said.token && said.token->client != by.client) clients_.note_others(told_);
    if (said.several && said.several->all.size() == 1) return said.several->all.front();
    // Elements that have several are known by their texts.
    told_.of_names |= !said.token && said.has_names;
    // A time is no count, either.
    return !said.token && !said.dates.empty() ? Token{} : said.token;
  };
  if (kind == Kind::ttl_changed) holdings.set_end(by, bereft);
  else if (!is_write && way == Change::Way::in_place)  // a part of it is gone
    holdings.write(servers_.elements_at(shelf, locked.key, token_of), by, Change::Way::in_place, bereft);
  else if (!is_write) holdings.clear(bereft);
  else if (shelf.data->has(locked.key))
    holdings.write(servers_.elements_at(shelf, locked.key, token_of), by, way, bereft);
  // The same command removes it again: what the key was meanwhile is not known, whose it was is.
  else if (kind == Kind::created) holdings.write({Element{}}, by, Change::Way::replaced, bereft);
  if (is_write) note(Situation::keyed);
  const bool has_left = is_own && is_write && !holdings.has(by);
  if (bereft.empty() || has_left) bereft.push_back(is_own ? by : Acquisition{});
  for (const Acquisition before : bereft) {
    if (kind == Kind::expired && !before.is_nobody()) {
      const Client& holder = clients_.at(before.client);
      if (holder.is_claiming() && holder.acquisition() == before) note(Situation::lease_ended);
    }
    if (hears<KeyChanged>())
      emit_change(kind, node, locked, kind == Kind::expired ? Acquisition{} : by, before);
  }
}

void World::emit_change(KeyChanged::Kind kind, NodeId node, const LockedKey& locked, Acquisition by,
                        Acquisition before) {
  KeyChanged event{node, text(locked.key), kind, by, before, locked.holdings.owner(by), {}, never};
  if (trace_.is_recording()) {
    const Shelf& shelf = servers_.at(node).shelf;
    event.value = shelf.data->value_of(locked.key).value_or("");
    if (const auto last_alive = shelf.data->expiry_of(locked.key))
      event.expires_at = Instant(std::chrono::floor<std::chrono::milliseconds>(*last_alive - wall_epoch) -
                                 servers_.at(node).clock_offset);
  }
  emit(kind == KeyChanged::Kind::expired ? Actor{} : actor_of(node), std::move(event));
}

}  // namespace holdfast
