// The data of one server: keys, values, expiry. Times are milliseconds of the server's clock since the Unix
// epoch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/change.hpp"
#include "sim/core/ticks.hpp"
#include "sim/stores/redis/values.hpp"

namespace holdfast::redis {

using holdfast::Change;
using holdfast::Changes;

// Redis' own mark for a key that never dies. Any other value is the last millisecond at which the key is
// alive.
inline constexpr MilliTicks no_expiry = -1;

struct Entry {
  Value value;
  MilliTicks expires_ms = no_expiry;
};

// Every change is appended to `changes`, in order. A key that was put with an expiry in the past is there
// until the next expire_due(), as in Redis it is until a client reads it.
class Keyspace {
 public:
  struct Row {
    std::string key;
    Entry entry;
    std::uint32_t place = 0;  // among the rows
  };
  using Rows = std::vector<std::unique_ptr<Row>>;

  Keyspace();
  ~Keyspace();
  Keyspace(const Keyspace& other);
  Keyspace(Keyspace&&) noexcept;
  Keyspace& operator=(Keyspace other) noexcept;

  // nullptr when the key does not exist. The caller may change the value in place and then says so with
  // touch().
  Entry* find(std::string_view key) {
    Row* const found = row_of(key);
    return found == nullptr ? nullptr : &found->entry;
  }
  const Entry* find(std::string_view key) const { return const_cast<Keyspace*>(this)->find(key); }
  bool has(std::string_view key) const { return find(key) != nullptr; }
  std::size_t size() const { return rows_.size(); }
  // Creates the key or replaces its value and expiry.
  void put(std::string_view key, Value value, MilliTicks expires_ms, Changes& changes) {
    put(key, find(key), std::move(value), expires_ms, changes);
  }
  // The same when `there` is what find() gave.
  void put(std::string_view key, Entry* there, Value value, MilliTicks expires_ms, Changes& changes);
  void touch(std::string_view key, Changes& changes, Change::Way way = Change::Way::in_place) {
    report(key, Change::Kind::overwritten, changes, way);
  }
  // REQUIRES: the key exists.
  void set_expiry(std::string_view key, Entry& entry, MilliTicks expires_ms, Changes& changes);
  // False when there was nothing to remove.
  bool remove(std::string_view key, Changes& changes);
  void remove_all(Changes& changes);
  // Removes the dead, first to die first.
  void expire_due(MilliTicks now_ms, Changes& changes) {
    if (may_expire_by(now_ms)) expire(now_ms, changes);
  }
  bool may_expire_by(MilliTicks now_ms) const { return is_time_dense() || now_ms > soonest_ms_; }
  // Of the key that dies first. nullopt when no key ever dies.
  std::optional<MilliTicks> next_expiry() const;

  // visit(key, entry), by key, in rising order.
  template <class Visit>
  void visit(const Visit& visit) const {
    if (index_ != nullptr) sort();
    for (const auto& row : rows_) visit(row->key, row->entry);
  }

 private:
  // Finds one of many.
  struct Index;
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  static void report(std::string_view key, Change::Kind kind, Changes& changes, Change::Way way = {}) {
    changes.push_back(Change{std::string(key), kind, way});
  }
  Row* row_of(std::string_view key) {
    if (index_ != nullptr) return row_among_many(key);
    for (const auto& row : rows_)
      if (row->key == key) return row.get();
    return nullptr;
  }
  Row* row_among_many(std::string_view key);
  void insert(std::unique_ptr<Row> row);
  void erase(Row& row);
  void sort() const;
  void expire(MilliTicks now_ms, Changes& changes);
  void note_expiry(MilliTicks expires_ms) {
    if (expires_ms != no_expiry && (is_time_dense() || expires_ms < soonest_ms_)) soonest_ms_ = expires_ms;
  }

  // So many keys are found as fast without an index.
  static constexpr std::size_t few = 8;

  mutable Rows rows_;             // by key, in rising order; in any, once there were many
  std::unique_ptr<Index> index_;  // null until there were many
  // No key dies before this. A lower bound, not the minimum: it stays when the key that it came from is gone,
  // and looking at all keys now and then is cheaper than keeping them in this order, too. Where time is
  // dense, it only says whether any key dies.
  MilliTicks soonest_ms_ = never;
};

}  // namespace holdfast::redis
