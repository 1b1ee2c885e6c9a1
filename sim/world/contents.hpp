// What one server keeps, a Redis or an nginx shared dictionary: the world treats both alike.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/core/change.hpp"
#include "sim/core/command.hpp"
#include "sim/core/units.hpp"
#include "sim/core/vocabulary.hpp"
#include "sim/redis/redis.hpp"
#include "sim/redis/scripts.hpp"
#include "sim/redis/values.hpp"
#include "sim/shdict/dict.hpp"

namespace holdfast {

// What the world must know of a kind of store.
struct Traits {
  bool is_remote;        // behind a network, which takes time and loses messages
  bool persists;         // a restart may keep what it has
  bool replicates;       // a replica may take over
  bool has_sessions;     // clients may have connections of their own
  bool reads_change_it;  // it remembers in which order its keys were asked for
  bool drops_any;        // where there is no room any key may go, and not only the one that is used least
};
inline constexpr std::array<Traits, store_kind_ids.size()> store_traits{{
    {.is_remote = true,
     .persists = true,
     .replicates = true,
     .has_sessions = true,
     .reads_change_it = false,
     .drops_any = true},
    {.is_remote = false,
     .persists = false,
     .replicates = false,
     .has_sessions = false,
     .reads_change_it = true,
     .drops_any = false},
}};
constexpr const Traits& traits_of(StoreKind kind) { return store_traits[static_cast<std::size_t>(kind)]; }

class Contents {
 public:
  // `scripts` must outlive it.
  Contents(StoreKind kind, redis::Scripts& scripts) : data_(redis::Redis(scripts)) {
    if (kind == StoreKind::shared_dict) data_ = shdict::Dict();
  }

  Reply execute(const Command& command, WallTime now, Changes& changes) {
    return std::visit([&](auto& data) { return data.execute(command, now, changes); }, data_);
  }
  // The same on a connection, or, when it is 0, on the one that is shared, where connections listen or wait.
  std::optional<Reply> execute(ConnectionId connection, const Command& command, WallTime now,
                               Changes& changes, Pushes& pushes) {
    if (connection.value == 0) return redis().execute(command, now, changes, pushes);
    return redis().execute(connection, command, now, changes, pushes);
  }
  // REQUIRES: it is a Redis.
  redis::Redis& redis() { return std::get<redis::Redis>(data_); }
  const redis::Redis& redis() const { return std::get<redis::Redis>(data_); }
  void expire_due(WallTime now, Changes& changes) {
    std::visit([&](auto& data) { data.expire_due(now, changes); }, data_);
  }
  bool may_expire_by(WallTime now) const {
    return std::visit([&](const auto& data) { return data.may_expire_by(now); }, data_);
  }
  std::optional<WallTime> next_expiry() const {
    return std::visit([](const auto& data) { return data.next_expiry(); }, data_);
  }
  bool is_empty() const {
    return std::visit([](const auto& data) { return data.is_empty(); }, data_);
  }
  void restart() {
    std::visit([](auto& data) { data.restart(); }, data_);
  }
  std::optional<std::string> value_of(std::string_view key) const {
    return std::visit([&](const auto& data) { return data.value_of(key); }, data_);
  }
  bool has(std::string_view key) const {
    const redis::Redis* const redis = std::get_if<redis::Redis>(&data_);
    return redis != nullptr ? redis->keys().has(key) : value_of(key).has_value();
  }
  // visitor(value of Redis, or text of a dictionary), if the key exists.
  template <class Visitor>
  void look_at(std::string_view key, Visitor& visitor) const {
    const redis::Redis* const redis = std::get_if<redis::Redis>(&data_);
    if (redis == nullptr) {
      if (const auto text = value_of(key)) visitor(*text);
    } else if (const redis::Entry* const entry = redis->keys().find(key)) {
      std::visit(visitor, entry->value);
    }
  }
  std::optional<WallTime> expiry_of(std::string_view key) const {
    return std::visit([&](const auto& data) { return data.expiry_of(key); }, data_);
  }
  // Drops one key, as a server that needs room.
  void drop(const std::string& key, WallTime now, Changes& changes) {
    const bool is_dict = std::holds_alternative<shdict::Dict>(data_);
    execute({is_dict ? "DELETE" : "DEL", key}, now, changes);
  }
  // From now on these texts are of clients that make some by chance; nullptr: none does.
  void suppose(const ByChance* texts) {
    if (redis::Redis* const redis = std::get_if<redis::Redis>(&data_)) redis->scripts().suppose(texts);
  }
  // It may have told texts apart otherwise than as wholes.
  bool has_told_apart() const {
    const redis::Redis* const redis = std::get_if<redis::Redis>(&data_);
    return redis != nullptr && redis->has_told_apart();
  }
  // What looked into a text, in words; empty: nothing.
  std::string looked() const {
    const redis::Redis* const redis = std::get_if<redis::Redis>(&data_);
    if (redis == nullptr) return {};
    if (redis->looked().empty()) return redis->scripts().looked();
    return std::string(redis->looked()) + " looks into texts, and the program makes some by chance";
  }
  bool has_told_time() const {
    const redis::Redis* const redis = std::get_if<redis::Redis>(&data_);
    return redis != nullptr && redis->has_told_time();
  }
  // As redis::Redis::not_simulated().
  NotSimulated not_simulated() const {
    const redis::Redis* const redis = std::get_if<redis::Redis>(&data_);
    return redis != nullptr ? redis->not_simulated() : NotSimulated();
  }
  std::uint64_t scripts_digest() const {
    const redis::Redis* const redis = std::get_if<redis::Redis>(&data_);
    return redis != nullptr ? redis->loaded_scripts_digest() : 0;
  }

  // visit(key, value as text, the last millisecond in which it is alive or nullopt, whether it has ended), in
  // an order that depends on what is kept alone. What has ended takes room, and may live again.
  template <class Visitor>
  void visit(const Visitor& visitor) const {
    using Expiry = std::optional<std::int64_t>;
    if (const redis::Redis* const redis = std::get_if<redis::Redis>(&data_)) {
      std::string scratch;
      redis->keys().visit([&](const std::string& key, const redis::Entry& entry) {
        visitor(key, redis::canonical_text(entry.value, scratch),
                entry.expires_ms == redis::no_expiry ? Expiry() : Expiry(entry.expires_ms), false);
      });
      return;
    }
    for (const auto& [key, entry] : std::get<shdict::Dict>(data_).entries()) {
      const bool is_mortal = !entry.is_stale && entry.expires_ms != shdict::no_expiry;
      visitor(key, std::string_view(entry.value), is_mortal ? Expiry(entry.expires_ms) : Expiry(),
              entry.is_stale);
    }
  }

 private:
  std::variant<redis::Redis, shdict::Dict> data_;
};

}  // namespace holdfast
