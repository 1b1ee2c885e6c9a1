#include "sim/stores/redis/redis.hpp"

#include <algorithm>
#include <chrono>

#include "sim/core/invariant.hpp"
#include "sim/core/redis_settings.hpp"
#include "sim/stores/redis/families.hpp"
#include "sim/stores/redis/notices.hpp"
#include "sim/stores/redis/scripts.hpp"

namespace holdfast::redis {
namespace {

// A key lives through the whole millisecond that its expiry names.
std::optional<WallTime> last_instant(MilliTicks expires_ms) {
  if (expires_ms == no_expiry) return std::nullopt;
  if (!is_time_dense() && expires_ms >= to_milliticks(WallTime::max().time_since_epoch().count()))
    return WallTime::max();
  return last_instant_of(expires_ms);
}

std::optional<WallTime> end_of(const Waiter& waiter) {
  return waiter.until_ms == Waiter::for_ever ? std::nullopt : last_instant(waiter.until_ms);
}

MilliTicks milliseconds_of(WallTime now) { return to_milliticks(now.time_since_epoch().count()); }

}  // namespace

Redis::Redis(Scripts& scripts) { server_.scripts = &scripts; }

Reply Redis::execute(const Command& command, WallTime now, Changes& changes) {
  Pushes pushes;
  Reply reply = execute(command, now, changes, pushes);
  INVARIANT(pushes.empty(), "who lets connections listen or wait takes what is sent to them");
  return reply;
}

Reply Redis::execute(const Command& command, WallTime now, Changes& changes, Pushes& pushes) {
  if (!is_time_dense()) end_waits_due(now, pushes);
  Caller caller{.connection = std::nullopt, .pushes = pushes};
  return execute_for_client(server_, command.argv(), now, changes, caller);
}

std::optional<Reply> Redis::execute(ConnectionId connection, const Command& command, WallTime now,
                                    Changes& changes, Pushes& pushes) {
  if (!is_time_dense()) end_waits_due(now, pushes);
  INVARIANT(!is_waiting(connection), "a connection sends nothing before it has its answer");
  Caller caller{.connection = connection, .pushes = pushes, .may_wait = true};
  Reply reply = execute_for_client(server_, command.argv(), now, changes, caller);
  return caller.is_waiting ? std::nullopt : std::optional(std::move(reply));
}

void Redis::end_waits_due(WallTime now, Pushes& pushes) {
  if (!server_.connections.waiters.empty()) redis::end_waits_due(server_, milliseconds_of(now), pushes);
}

std::optional<WallTime> Redis::next_wait_end() const {
  const std::vector<Waiter>& waiters = server_.connections.waiters;
  const auto next = std::min_element(waiters.begin(), waiters.end(), ends_before);
  return next == waiters.end() ? std::nullopt : end_of(*next);
}

bool Redis::is_waiting(ConnectionId connection) const { return server_.connections.is_waiting(connection); }

void Redis::disconnect(ConnectionId connection) { server_.connections.forget(connection); }

void Redis::visit_connections(const ConnectionVisitor& visitor) const {
  for (const Session& session : server_.connections.sessions)
    visitor(session.connection, canonical_text(session), std::nullopt);
  for (const Waiter& waiter : server_.connections.waiters)
    visitor(waiter.connection, canonical_text(waiter), end_of(waiter));
}

void Redis::expire_due(WallTime now, Changes& changes, Pushes& pushes) {
  const std::size_t first = changes.size();
  server_.keys.expire_due(milliseconds_of(now), changes);
  server_.connections.note_changes(changes, first);
  if (server_.tells()) notify_expired(server_, changes, first, pushes);
}

void Redis::evict(const std::string& key, WallTime now, Changes& changes, Pushes& pushes) {
  expire_due(now, changes, pushes);
  const std::size_t first = changes.size();
  server_.keys.remove(key, changes);
  server_.connections.note_changes(changes, first);
  if (server_.tells() && changes.size() > first) notify_evicted(server_, key, pushes);
}

void Redis::configure(std::string_view name, std::string_view value) {
  INVARIANT(is_redis_setting(name, value), "the reader of settings asks first");
  if (name == "cluster-enabled") server_.is_cluster = value == "yes";
  else server_.notices = server_.notices_at_start = *notices_named(value);
}

std::optional<WallTime> Redis::next_expiry() const {
  const std::optional<MilliTicks> expires_ms = server_.keys.next_expiry();
  return expires_ms ? last_instant(*expires_ms) : std::nullopt;
}

bool Redis::is_empty() const { return server_.keys.size() == 0; }

void Redis::restart() {
  server_.keys = Keyspace();
  server_.connections = Connections();
  server_.loaded.clear();
  forget_settings();
}

void Redis::visit(const Visitor& visitor) const {
  std::string scratch;
  server_.keys.visit([&](const std::string& key, const Entry& entry) {
    visitor(key, canonical_text(entry.value, scratch), last_instant(entry.expires_ms));
  });
}

std::optional<std::string> Redis::value_of(std::string_view key) const {
  const Entry* const found = server_.keys.find(key);
  if (found == nullptr) return std::nullopt;
  std::string scratch;
  return std::string(canonical_text(found->value, scratch));
}

std::optional<WallTime> Redis::expiry_of(std::string_view key) const {
  const Entry* const found = server_.keys.find(key);
  return found == nullptr ? std::nullopt : last_instant(found->expires_ms);
}

std::vector<std::string> Redis::loaded_scripts() const {
  std::vector<std::string> found;
  for (const Script* script : server_.loaded) found.push_back(script->sha);
  std::sort(found.begin(), found.end());
  return found;
}

std::uint64_t Redis::loaded_scripts_digest() const {
  std::uint64_t sum = 0;  // in any order: a set
  for (const Script* script : server_.loaded) sum += script->word;
  return sum;
}

}  // namespace holdfast::redis
