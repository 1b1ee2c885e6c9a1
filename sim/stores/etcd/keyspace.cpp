#include "sim/stores/etcd/keyspace.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace holdfast::etcd {
namespace {

using Kind = Request::Kind;
using How = Change::Kind;

// etcd api/v3rpc/rpctypes/error.go.
Reply lease_not_found() { return Reply::error("etcdserver: requested lease not found"); }

template <class T>
bool compares(const T& value, Condition::Is is, const T& with) {
  switch (is) {
    case Condition::Is::equal: return value == with;
    case Condition::Is::unequal: return value != with;
    case Condition::Is::below: return value < with;
    case Condition::Is::above: return value > with;
  }
  return false;
}

bool is_meant(std::string_view key, std::string_view wanted, bool is_prefix) {
  return is_prefix ? key.starts_with(wanted) : key == wanted;
}

Reply previous_of(const Happened& event) {
  return event.previous ? Reply::bulk(*event.previous) : Reply::nil();
}

}  // namespace

std::string item_of_lease(std::string_view id) { return "lease:" + std::string(id); }

std::string queue_of(std::string_view key) {
  const std::size_t end = key.rfind('/');
  return end == key.npos ? std::string() : "queue:" + std::string(key.substr(0, end + 1));
}

void Keyspace::put(const std::string& key, const std::string& value) {
  ++revision_;
  keys_[key] = {value, {}, revision_, revision_};
}

Reply Keyspace::execute(ConnectionId session, const Command& words, WallTime now, Changes& changes,
                        Pushes& pushes) {
  Turn turn{now, changes, pushes};
  const Request request = parse(words);
  Reply reply = run(session, request, turn);
  commit(turn);
  if (session.value != 0) note_look(session, request, reply);
  return reply;
}

Reply Keyspace::run(ConnectionId session, const Request& request, Turn& turn) {
  const auto lease = leases_.find(request.lease);
  switch (request.kind) {
    case Kind::unknown:
      not_simulated_ = "requests beyond those of sim/stores/etcd";
      return Reply::error("etcdserver: unknown request");
    case Kind::grant: return grant(request, turn);
    case Kind::keep_alive: return keep_alive(request.lease, turn);
    case Kind::time_to_live:
      if (lease == leases_.end()) return Reply::integer(-1);
      return Reply::integer(std::chrono::floor<std::chrono::seconds>(lease->second.due - turn.now).count());
    case Kind::revoke:
      if (lease == leases_.end()) return lease_not_found();
      end_lease(request.lease, How::removed, turn);
      return Reply::ok();
    case Kind::compact: return compact(request.number, turn);
    case Kind::operate:
      if (std::optional<Reply> error = error_in(request.then)) return *error;
      return operate(request.then.front(), turn);
    case Kind::transact: return transact(request, turn);
    case Kind::watch: return watch(session, request, turn);
  }
  return Reply();
}

// --- leases ---

Reply Keyspace::grant(const Request& request, Turn& turn) {
  if (request.number > seconds_max) return Reply::error("etcdserver: too large lease TTL");
  if (leases_.contains(request.lease)) return Reply::error("etcdserver: lease already exists");
  Lease lease{.seconds = std::max(request.number, seconds_min)};
  begin(lease, turn.now);
  turn.changes.push_back({item_of_lease(request.lease), How::created});
  leases_[request.lease] = lease;
  return Reply::integer(lease.seconds);
}

// One whose time is over is renewed no more: its sender waits until it is revoked (lease/lessor.go, Renew),
// which may be now.
Reply Keyspace::keep_alive(const std::string& id, Turn& turn) {
  const auto found = leases_.find(id);
  if (found == leases_.end()) return Reply::integer(0);
  Lease& lease = found->second;
  if (lease.due <= turn.now) {
    end_lease(id, How::expired, turn);
    return Reply::integer(0);
  }
  begin(lease, turn.now);
  turn.changes.push_back({item_of_lease(id), How::ttl_changed});
  for (const auto& [key, stored] : keys_)
    if (stored.lease == id) note(key, How::ttl_changed, turn);
  return Reply::integer(lease.seconds);
}

void Keyspace::end_lease(const std::string& id, Change::Kind how, Turn& turn) {
  std::vector<std::string> keys;
  for (const auto& [key, stored] : keys_)
    if (stored.lease == id) keys.push_back(key);
  leases_.erase(leases_.find(id));
  turn.changes.push_back({item_of_lease(id), how});
  for (const std::string& key : keys) remove(key, how, turn);
}

void Keyspace::revoke(const std::string& lease, WallTime now, Changes& changes, Pushes& pushes) {
  Turn turn{now, changes, pushes};
  end_lease(lease, How::expired, turn);
  commit(turn);
}

// In an order that neither names nor anything before their last beginning decides.
std::vector<std::string> Keyspace::leases_in_order() const {
  std::map<std::pair<WallTime, std::int64_t>, std::string> all;
  for (const auto& [id, lease] : leases_) all[{lease.ends(), lease.number}] = id;
  std::vector<std::string> order;
  for (const auto& [when, id] : all) order.push_back(id);
  return order;
}

void Keyspace::begin(Lease& lease, WallTime from) {
  lease.due = from + std::chrono::seconds(lease.seconds);
  lease.is_late = false;
  lease.number = begun_++;
}

void Keyspace::begin_leases_anew(WallTime now) {
  for (const std::string& id : leases_in_order()) begin(leases_.find(id)->second, now + election_timeout);
}

std::uint32_t Keyspace::ways_to_pass(WallTime now) const {
  std::uint32_t ways = 1;
  for (const auto& [id, lease] : leases_) ways <<= !lease.is_late && lease.due <= now ? 1 : 0;
  return ways;
}

void Keyspace::pass(WallTime now, std::uint32_t late, Changes& changes, Pushes& pushes) {
  for (const std::string& id : leases_in_order()) {
    Lease& lease = leases_.find(id)->second;
    if (lease.ends() > now) break;
    if (!lease.is_late && std::exchange(late, late >> 1) % 2 == 1) lease.is_late = true;
    if (lease.ends() > now) continue;
    Turn turn{now, changes, pushes};
    end_lease(id, How::expired, turn);
    commit(turn);
  }
}

std::optional<WallTime> Keyspace::next_end() const {
  std::optional<WallTime> next;
  for (const auto& [id, lease] : leases_)
    if (!next || lease.ends() - 1us < *next) next = lease.ends() - 1us;
  return next;
}

std::optional<WallTime> Keyspace::next_told_end() const {
  std::optional<WallTime> next;
  for (const Watcher& each : watchers_)
    for (const auto& [key, stored] : keys_) {
      const auto lease = leases_.find(stored.lease);
      if (lease == leases_.end() || !is_meant(key, each.key, each.is_prefix)) continue;
      if (!next || lease->second.ends() - 1us < *next) next = lease->second.ends() - 1us;
    }
  return next;
}

// --- keys ---

Reply Keyspace::compact(std::int64_t revision, Turn& turn) {
  if (revision <= compacted_) return Reply::error("etcdserver: mvcc: required revision has been compacted");
  if (revision > revision_) return Reply::error("etcdserver: mvcc: required revision is a future revision");
  compacted_ = revision;
  turn.changes.push_back({"compacted", How::overwritten});
  std::erase_if(remembered_, [&](const Happened& each) { return each.revision < revision; });
  return Reply::ok();
}

bool Keyspace::holds(const Condition& it) const {
  const auto found = keys_.find(it.key);
  const bool is_there = found != keys_.end();
  switch (it.column) {
    case Column::key: return false;
    case Column::value: return is_there && compares(found->second.value, it.is, it.text);
    case Column::lease: return compares(is_there ? found->second.lease : std::string(), it.is, it.text);
    case Column::create: return compares(is_there ? found->second.created : 0, it.is, it.number);
    case Column::mod: return compares(is_there ? found->second.modified : 0, it.is, it.number);
  }
  return false;
}

std::optional<Reply> Keyspace::error_in(const std::vector<Operation>& operations) const {
  std::set<std::string_view> written;
  for (const Operation& each : operations) {
    if (each.kind != Operation::Kind::put) continue;
    if (!written.insert(each.key).second)
      return Reply::error("etcdserver: duplicate key given in txn request");
  }
  for (const Operation& each : operations)
    if (!each.lease.empty() && !leases_.contains(each.lease)) return lease_not_found();
  return std::nullopt;
}

Reply Keyspace::transact(const Request& request, Turn& turn) {
  const bool is_met = std::all_of(request.conditions.begin(), request.conditions.end(),
                                  [this](const Condition& each) { return holds(each); });
  const std::vector<Operation>& chosen = is_met ? request.then : request.otherwise;
  if (std::optional<Reply> error = error_in(chosen)) return *error;
  std::vector<Reply> replies{Reply::integer(is_met ? 1 : 0)};
  for (const Operation& each : chosen) replies.push_back(operate(each, turn));
  return Reply::array(std::move(replies));
}

Reply Keyspace::operate(const Operation& it, Turn& turn) {
  switch (it.kind) {
    case Operation::Kind::get: return get(it);
    case Operation::Kind::put: write(it, turn); return Reply::ok();
    case Operation::Kind::revision:
      has_told_revisions_ = true;
      return Reply::integer(revision_ + (turn.events.empty() ? 0 : 1));
    case Operation::Kind::remove: break;
  }
  std::vector<std::string> keys;
  for (const auto& [key, stored] : keys_)
    if (is_meant(key, it.key, it.is_prefix)) keys.push_back(key);
  for (const std::string& key : keys) remove(key, How::removed, turn);
  return Reply::integer(static_cast<std::int64_t>(keys.size()));
}

Reply Keyspace::get(const Operation& it) {
  using Which = Operation::Which;
  std::vector<const std::pair<const std::string, Stored>*> found;
  for (const auto& each : keys_) {
    const bool is_old_enough = it.created_before == 0 || each.second.created < it.created_before;
    if (is_meant(each.first, it.key, it.is_prefix) && is_old_enough) found.push_back(&each);
  }
  if (it.which != Which::by_key)
    std::stable_sort(found.begin(), found.end(), [&](const auto* one, const auto* other) {
      if (it.which == Which::last) std::swap(one, other);
      return one->second.created < other->second.created;
    });
  if ((it.which == Which::first || it.which == Which::last) && found.size() > 1)
    found.erase(found.begin() + 1, found.end());
  if (it.told.empty()) return Reply::integer(static_cast<std::int64_t>(found.size()));
  std::vector<Reply> rows;
  for (const auto* each : found) {
    std::vector<Reply> row;
    for (const Column column : it.told) row.push_back(cell(column, each->first, each->second));
    rows.push_back(Reply::array(std::move(row)));
  }
  return Reply::array(std::move(rows));
}

Reply Keyspace::cell(Column column, const std::string& key, const Stored& stored) {
  has_told_revisions_ |= column == Column::create || column == Column::mod;
  switch (column) {
    case Column::key: return Reply::bulk(key);
    case Column::value: return Reply::bulk(stored.value);
    case Column::lease: return Reply::bulk(stored.lease);
    case Column::create: return Reply::integer(stored.created);
    case Column::mod: return Reply::integer(stored.modified);
  }
  return Reply();
}

void Keyspace::write(const Operation& it, Turn& turn) {
  const std::int64_t revision = revision_ + 1;
  const auto found = keys_.find(it.key);
  const bool was_there = found != keys_.end();
  turn.events.push_back(
      {revision, it.key, it.value, was_there ? std::optional(found->second.value) : std::nullopt});
  const bool was_empty = !was_there || found->second.value.empty();
  const bool is_given_back = !was_empty && it.value.empty();
  keys_[it.key] = {it.value, it.lease, was_there ? found->second.created : revision, revision};
  note(it.key, is_given_back ? How::removed : was_empty ? How::created : How::overwritten, turn);
}

void Keyspace::remove(const std::string& key, Change::Kind how, Turn& turn) {
  const auto found = keys_.find(key);
  turn.events.push_back({revision_ + 1, key, std::nullopt, found->second.value});
  keys_.erase(found);
  note(key, how, turn);
}

// A member of a queue that comes, goes or stays longer leaves the others as they are.
void Keyspace::note(const std::string& key, Change::Kind how, Turn& turn) {
  turn.changes.push_back({key, how});
  const std::string queue = queue_of(key);
  if (queue.empty()) return;
  const auto is_member = [&](const auto& each) { return queue_of(each.first) == queue; };
  const auto members = std::count_if(keys_.begin(), keys_.end(), is_member);
  if (how == How::created && members > 1) how = How::overwritten;
  if (how == How::ttl_changed) how = How::overwritten;
  if (how == How::removed && members > 0) how = How::overwritten;
  const bool is_inside = how == How::overwritten || (how == How::expired && members > 0);
  turn.changes.push_back({queue, how, is_inside ? Change::Way::in_place : Change::Way::replaced});
}

// --- watches ---

void Keyspace::commit(Turn& turn) {
  if (turn.events.empty()) return;
  ++revision_;
  for (const Watcher& each : watchers_) tell(each, turn.events, turn.pushes);
  remembered_.insert(remembered_.end(), turn.events.begin(), turn.events.end());
  forget();
}

void Keyspace::note_look(ConnectionId session, const Request& request, const Reply& reply) {
  const auto tells = [](const Operation& each) { return each.kind == Operation::Kind::revision; };
  if (reply.is_error() || (request.kind != Kind::operate && request.kind != Kind::transact)) return;
  const bool is_otherwise = request.kind == Kind::transact && !reply.elements()[0].is(1);
  const std::vector<Operation>& chosen = is_otherwise ? request.otherwise : request.then;
  if (std::any_of(chosen.begin(), chosen.end(), tells)) looking_[session.value] = revision_;
  forget();
}

// What nobody will ask for. Who looked begins to watch, or its connection ends.
void Keyspace::forget() {
  std::int64_t oldest = revision_ + 1;
  for (const auto& [session, revision] : looking_) oldest = std::min(oldest, revision);
  std::erase_if(remembered_, [&](const Happened& each) { return each.revision < oldest; });
  forgotten_ = std::max(forgotten_, oldest - 1);
  if (remembered_.size() <= remembered_max) return;
  const auto rest = remembered_.end() - static_cast<std::ptrdiff_t>(remembered_max);
  forgotten_ = std::prev(rest)->revision;
  remembered_.erase(remembered_.begin(), rest);
}

// Each revision is one message.
void Keyspace::tell(const Watcher& watcher, const std::vector<Happened>& events, Pushes& pushes) {
  std::vector<Reply> told;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Happened& event = events[i];
    const bool is_told = event.revision >= watcher.from &&
                         is_meant(event.key, watcher.key, watcher.is_prefix) &&
                         !(watcher.skips_puts && event.value);
    if (is_told) {
      std::vector<Reply> parts{Reply::status(event.value ? "PUT" : "DELETE"), Reply::bulk(event.key),
                               event.value ? Reply::bulk(*event.value) : Reply::nil()};
      if (watcher.tells_previous) parts.push_back(previous_of(event));
      parts.push_back(Reply::integer(event.revision));
      told.push_back(Reply::array(std::move(parts)));
      has_told_revisions_ = true;
    }
    const bool is_last = i + 1 == events.size() || events[i + 1].revision != event.revision;
    if (is_last && !told.empty()) pushes.push_back({watcher.session, Reply::array(std::exchange(told, {}))});
  }
}

Reply Keyspace::watch(ConnectionId session, const Request& request, Turn& turn) {
  if (session.value == 0) {
    not_simulated_ = "a watch on a connection that all requests share";
    return Reply::error("etcdserver: no connection");
  }
  const std::int64_t from = request.number == 0 ? revision_ + 1 : request.number;
  if (from < compacted_) {
    has_told_revisions_ = true;
    const std::vector<Reply> canceled{Reply::status("canceled"), Reply::integer(compacted_)};
    turn.pushes.push_back({session, Reply::array({Reply::array(canceled)})});
    return Reply::ok();
  }
  if (from <= forgotten_) not_simulated_ = "a watch from a revision so long ago";
  const Watcher watcher{session, request.key, request.is_prefix, request.tells_previous, request.skips_puts,
                        from};
  watchers_.push_back(watcher);
  tell(watcher, remembered_, turn.pushes);
  looking_.erase(session.value);
  forget();
  return Reply::ok();
}

void Keyspace::end(ConnectionId session) {
  std::erase_if(watchers_, [&](const Watcher& each) { return each.session == session; });
  looking_.erase(session.value);
  forget();
}

void Keyspace::end_all_sessions() {
  watchers_.clear();
  looking_.clear();
  forget();
}

}  // namespace holdfast::etcd
