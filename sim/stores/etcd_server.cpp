// An etcd as a server of the world. Its items are keys; "queue:DIRECTORY/", which every key in there is an
// element of; leases, by "lease:ID"; and what happened to keys, as far as a watch could still be told.
#include <algorithm>
#include <chrono>
#include <map>

#include "sim/core/counts.hpp"
#include "sim/stores/etcd/keyspace.hpp"
#include "sim/stores/kinds.hpp"

namespace holdfast::stores {
namespace {

// What was answered is on the disks of a majority. Its driver sends nothing twice that may have been carried
// out (etcd client/v3/retry_interceptor.go: writes at most once).
constexpr Traits traits_of_etcd{.is_remote = true,
                                .persists = true,
                                .is_durable = true,
                                .replicates = false,
                                .elects = true,
                                .has_sessions = true,
                                .repeats_requests = false,
                                .reads_change_it = false,
                                .is_steady = true,
                                .only_orders = true};

class EtcdServer final : public Server {
  using End = std::optional<MilliTicks>;

 public:
  const Traits& traits() const override { return traits_of_etcd; }
  std::unique_ptr<Server> clone() const override { return std::make_unique<EtcdServer>(*this); }
  std::optional<Reply> execute(ConnectionId session, const Command& request, WallTime now,
                               Effects& effects) override {
    return keyspace_.execute(session, request, in_milliseconds(now), effects.changes, effects.pushes);
  }
  void put(const std::string& key, const std::string& value, WallTime) override {
    if (key == counter_of_etcd) keyspace_.begin_at(std::stoll(value));
    else keyspace_.put(key, value);
  }
  void pass(WallTime now, Effects& effects) override {
    keyspace_.pass(in_milliseconds(now), effects.way, effects.changes, effects.pushes);
  }
  std::uint32_t ways_to_pass(WallTime now) const override {
    return keyspace_.ways_to_pass(in_milliseconds(now));
  }
  Ends next() const override { return {keyspace_.next_end(), keyspace_.next_told_end()}; }

  // Revisions by their ranks: which of two is the older decides, and not by how much. Counts as they are.
  void visit(const Visitor& visitor) const override {
    const std::vector<std::int64_t> ranks = revisions();
    const auto rank = [&](std::int64_t revision) {
      if (counts()) return ' ' + std::to_string(revision);
      return ' ' + std::to_string(std::lower_bound(ranks.begin(), ranks.end(), revision) - ranks.begin());
    };
    for (const auto& [key, stored] : keyspace_.keys())
      visitor(key, stored.value + ' ' + stored.lease + rank(stored.created) + rank(stored.modified), End(),
              false);
    for (const auto& [id, lease] : keyspace_.leases()) {
      // Of several that end at once, the one that began first does so first.
      const auto is_before = [&](const auto& each) {
        return each.second.ends() == lease.ends() && each.second.number < lease.number;
      };
      const auto older = std::count_if(keyspace_.leases().begin(), keyspace_.leases().end(), is_before);
      visitor(etcd::item_of_lease(id),
              std::to_string(lease.seconds) + ' ' + std::to_string(older) + (lease.is_late ? " late" : ""),
              last_before(lease.ends()), false);
    }
    std::map<std::string_view, std::string> past;
    for (const etcd::Happened& each : keyspace_.remembered())
      past[each.key] += rank(each.revision) + (each.value ? "=" + *each.value : " gone") +
                        (each.previous ? " was " + *each.previous : "");
    for (const auto& [key, events] : past) visitor("past:" + std::string(key), events, End(), false);
    if (counts()) visitor("revision", std::to_string(keyspace_.revision()), End(), false);
    // Of what nobody looks back to, the limits are where everything is.
    std::string limits = rank(keyspace_.compacted());
    if (!keyspace_.looking().empty()) limits += rank(keyspace_.forgotten());
    if (keyspace_.has_told_revisions()) visitor("compacted", limits, End(), false);
  }
  std::uint64_t digest_of_counts() const override {
    if (counts()) return 0;
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    std::uint64_t digest = static_cast<std::uint64_t>(keyspace_.revision());
    for (const std::int64_t each : revisions())
      digest = (digest ^ digest >> 29) * odd + static_cast<std::uint64_t>(each);
    return digest;
  }

  void list(std::string_view key, Lister& lister) const override {
    for (const auto& [each, stored] : keyspace_.keys()) {
      if (each == key && !stored.value.empty()) lister.text(stored.value + ' ' + stored.lease);
      if (etcd::queue_of(each) == key) lister.element(each);
    }
  }
  bool has(std::string_view key) const override { return first_of(key) != nullptr; }
  // Of a queue, the first in it.
  std::optional<std::string> value_of(std::string_view key) const override {
    const auto* const first = first_of(key);
    if (first == nullptr) return std::nullopt;
    return first->first == key ? first->second.value : first->first;
  }
  // The first instant at which its lease may be gone.
  std::optional<WallTime> expiry_of(std::string_view key) const override {
    const auto* const first = first_of(key);
    if (first == nullptr) return std::nullopt;
    const auto lease = keyspace_.leases().find(first->second.lease);
    return lease == keyspace_.leases().end() ? std::nullopt : std::optional(lease->second.due);
  }
  bool is_empty() const override { return keyspace_.keys().empty() && keyspace_.leases().empty(); }

  void restart(bool, WallTime now) override { take_over(now); }
  void take_over(WallTime now) override {
    keyspace_.end_all_sessions();
    keyspace_.begin_leases_anew(in_milliseconds(now));
  }
  std::uint32_t ways_to_evict() const override { return 0; }
  std::string evict(std::uint32_t, WallTime, Effects&) override { return {}; }

  bool end(ConnectionId session, WallTime, Effects&) override {
    keyspace_.end(session);
    return true;
  }
  void end_all_sessions() override { keyspace_.end_all_sessions(); }
  // A session is a lease.
  std::vector<Session> endable() const override {
    std::vector<Session> all;
    for (const auto& [id, lease] : keyspace_.leases()) all.push_back({{}, id});
    return all;
  }
  void end_session(const Session& lease, WallTime now, Effects& effects) override {
    keyspace_.revoke(lease.name, in_milliseconds(now), effects.changes, effects.pushes);
  }
  void visit_sessions(const SessionVisitor& visitor) const override {
    for (const etcd::Watcher& each : keyspace_.watchers()) {
      std::string state = each.key + (each.is_prefix ? " prefix" : "") +
                          (each.tells_previous ? " prev" : "") + (each.skips_puts ? " noput" : "");
      if (each.from > keyspace_.revision() + 1) state += " from " + std::to_string(each.from);
      visitor(each.session, state, std::nullopt, std::nullopt, false);
    }
    for (const auto& [session, revision] : keyspace_.looking()) {
      const auto is_told = [since = revision](const etcd::Happened& each) { return each.revision >= since; };
      const std::vector<etcd::Happened>& all = keyspace_.remembered();
      const auto count = std::count_if(all.begin(), all.end(), is_told);
      visitor({session}, "looks back " + std::to_string(count), std::nullopt, std::nullopt, false);
    }
  }
  Told told() const override {
    return {.not_simulated = {keyspace_.not_simulated()},
            .counts = keyspace_.has_told_revisions() && !counts()};
  }

 private:
  // Revisions are counts, of which states say how far they are apart.
  bool counts() const { return is_count(static_cast<std::uint64_t>(keyspace_.revision())); }
  static WallTime in_milliseconds(WallTime now) {
    return WallTime(whole_milliseconds(now.time_since_epoch()));
  }
  const std::pair<const std::string, etcd::Stored>* first_of(std::string_view item) const {
    const std::pair<const std::string, etcd::Stored>* first = nullptr;
    for (const auto& each : keyspace_.keys()) {
      if (each.first == item && !each.second.value.empty()) return &each;
      if (etcd::queue_of(each.first) != item) continue;
      if (first == nullptr || each.second.created < first->second.created) first = &each;
    }
    return first;
  }
  // All that are stored, each once, in their order.
  std::vector<std::int64_t> revisions() const {
    std::vector<std::int64_t> all{keyspace_.compacted()};
    if (!keyspace_.looking().empty()) all.push_back(keyspace_.forgotten());
    for (const auto& [key, stored] : keyspace_.keys())
      all.insert(all.end(), {stored.created, stored.modified});
    for (const etcd::Happened& each : keyspace_.remembered()) all.push_back(each.revision);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
  etcd::Keyspace keyspace_;
};

}  // namespace

std::unique_ptr<Server> Kinds::make_etcd() { return std::make_unique<EtcdServer>(); }

}  // namespace holdfast::stores
