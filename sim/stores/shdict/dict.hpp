// An nginx shared dictionary (lua-nginx-module, ngx.shared.DICT) as a value: a command and a time go in, a
// reply comes out. It is memory that the worker processes of one nginx share: every operation is atomic, and
// what is stored outlives the worker that stored it.
//
// The wire is words, as for Redis; a method of the Lua API is a command, its `nil, err` an error reply:
//
//   ADD key value [exptime]            OK, "OK forcible"; error "exists", "no memory"
//   SAFE_ADD key value [exptime]       OK; error "exists", "no memory"
//   SET, SAFE_SET key value [exptime]  as ADD and SAFE_ADD, but never "exists"
//   REPLACE key value [exptime]        OK, "OK forcible"; error "not found", "no memory"
//   DELETE key                         OK, also when there was nothing
//   GET key                            the value, or nil
//   INCR key n [init [init_ttl]]       the new number; error "not found", "not a number", "no memory"
//   EXPIRE key exptime                 OK; error "not found"
//   TTL key                            seconds with decimals, "0" without end; error "not found"
//   FLUSH_ALL                          OK
//   FLUSH_EXPIRED [max]                how many entries were freed
//   GET_STALE key                      the value and whether it has ended, 1 or 0; or nil
//   GET_KEYS [max]                     at most so many, 1024 if not said, 0: all
//   LPUSH, RPUSH key value             how long the list is now; error "value not a list", "no memory"
//   LPOP, RPOP key                     an element, or nil; error "value not a list"
//   LLEN key                           how long the list is; error "value not a list"
//   CAPACITY, FREE_SPACE               bytes
//
// and error "empty key", "key too long" (more than 65535 bytes), 'bad "exptime" argument'. "forcible" says
// that entries which had not expired were removed to make room. Times are seconds with decimals; anything
// below a millisecond is cut off, and then 0, as always, means without end. The values true and false are
// booleans, whole numbers are numbers, everything else is a string: that decides what an entry takes, and
// what INCR counts.
//
// When an entry ends, as ngx_http_lua_shdict.c has it: an entry with n milliseconds to live, stored in
// millisecond s, is found while now <= s + n (ngx_http_lua_shdict_lookup). But every command except EXPIRE
// and TTL first frees up to two entries at the end of the list of the least recently used, and these count as
// over when now >= s + n (ngx_http_lua_shdict_expire). So the only lock of a dictionary is free in
// millisecond s + n, and one that others were used after is, too; the most recently used of several is not.
//
// What has ended stays, and takes room, until it is overwritten, freed in the way just told, evicted or
// flushed. When room is needed, the least recently used entries go, ended or not, at most thirty times one of
// them and up to two that have ended (ngx_http_lua_ffi_shdict_store); the SAFE commands fail instead.
//
// Room: an entry takes 68 bytes, its key and its value (boolean 1, number 8), rounded up to a power of two,
// or to whole pages of 4096 bytes beyond 2048, as nginx' slab allocator does. Entries fit as long as their
// sum does not exceed the size of the zone. A real zone holds less: it has a header, and a page keeps to one
// size of entry.
//
// Different from nginx: the clock is exact, where workers look at a time that they read once per round of
// their event loop; what has ended stays ended when the clock is set back; TTL answers "not found" for what
// has ended, where nginx tells a negative number; numbers are whole; no flags; a list takes the room of one
// text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/change.hpp"
#include "sim/core/reply.hpp"
#include "sim/core/units.hpp"

namespace holdfast::shdict {

// The mark of an entry without end. Any other value is the last millisecond at which it may be found.
inline constexpr MilliTicks no_expiry = -1;

struct Entry {
  std::string value;
  MilliTicks expires_ms = no_expiry;
  // It has ended, and only takes room. When that was is forgotten.
  bool is_stale = false;
};

class Dict {
 public:
  // The most recently used first. Few enough in a simulation to look through them all.
  using Entries = std::vector<std::pair<std::string, Entry>>;
  // `lua_shared_dict my_locks 100k;`, as lua-resty-lock's documentation has it.
  static constexpr std::size_t default_capacity = 100 * 1024;

  // `capacity` in bytes.
  explicit Dict(std::size_t capacity = default_capacity) : capacity_(capacity) {}

  // Carries out one command at the server's own wall time `now`. Appends what it changed, in order, to
  // `changes`; what ends by `now` is first reported as expired. What is evicted counts as removed by the
  // command.
  Reply execute(const Command& command, WallTime now, Changes& changes);

  // Entries that end by `now` become stale, the first to end first.
  void expire_due(WallTime now, Changes& changes) {
    expire(to_milliticks(now.time_since_epoch().count()), changes);
  }
  // False: nothing ends by `now`. Cheap; true may be a false alarm.
  bool may_expire_by(WallTime now) const {
    return is_time_dense() || to_milliticks(now.time_since_epoch().count()) > soonest_ms_;
  }
  // The last instant at which the entry that ends first may be found.
  std::optional<WallTime> next_expiry() const;

  // No entry can be found.
  bool is_empty() const;
  // nginx was stopped and started. (A reload keeps the dictionary.)
  void restart();

  // Stale ones, too.
  const Entries& entries() const { return entries_; }
  // nullopt when the key cannot be found.
  std::optional<std::string> value_of(std::string_view key) const;
  std::optional<WallTime> expiry_of(std::string_view key) const;

 private:
  static constexpr MilliTicks never = std::numeric_limits<std::int64_t>::max();
  enum class Rule : std::uint8_t { always, if_absent, if_present };
  enum class Stored : std::uint8_t { easily, forcibly, no_memory };
  struct Invocation;
  struct Row;
  static const Row* find_row(std::string_view name);

  Reply store(const Invocation& in, Rule rule, bool is_safe);
  Reply add(const Invocation& in) { return store(in, Rule::if_absent, false); }
  Reply safe_add(const Invocation& in) { return store(in, Rule::if_absent, true); }
  Reply set(const Invocation& in) { return store(in, Rule::always, false); }
  Reply safe_set(const Invocation& in) { return store(in, Rule::always, true); }
  Reply replace(const Invocation& in) { return store(in, Rule::if_present, false); }
  Reply remove(const Invocation& in);
  Reply get(const Invocation& in);
  Reply incr(const Invocation& in);
  Reply set_expiry(const Invocation& in);
  Reply ttl(const Invocation& in);
  Reply flush_all(const Invocation& in);
  Reply flush_expired(const Invocation& in);
  Reply push(const Invocation& in, bool at_front);
  Reply lpush(const Invocation& in) { return push(in, true); }
  Reply rpush(const Invocation& in) { return push(in, false); }
  Reply pop(const Invocation& in, bool at_front);
  Reply lpop(const Invocation& in) { return pop(in, true); }
  Reply rpop(const Invocation& in) { return pop(in, false); }
  Reply llen(const Invocation& in);
  Reply get_stale(const Invocation& in);
  Reply get_keys(const Invocation& in);
  Reply capacity(const Invocation& in);
  Reply free_space(const Invocation& in);

  void expire(MilliTicks now_ms, Changes& changes);
  void note_expiry(MilliTicks expires_ms);
  Entries::iterator find(std::string_view key);
  Entries::const_iterator find_living(std::string_view key) const;
  // Makes it the most recently used.
  Entries::iterator touch(Entries::iterator place);
  // Frees up to two entries at the end that are over.
  void free_ended(const Invocation& in);
  bool free_last_if_ended(const Invocation& in);
  void erase(Entries::iterator place, Change::Kind kind, Changes& changes);
  // Where the key is, or as a new entry. `is_safe`: evicts nothing.
  Stored put(const Invocation& in, Entries::iterator place, std::string value, MilliTicks expires_ms,
             bool is_safe);
  // Evicts until there is room for so many bytes; to be told apart as put() does.
  Stored make_room(const Invocation& in, std::size_t room, bool is_safe);

  std::size_t capacity_;
  std::size_t used_ = 0;
  Entries entries_;
  // Nothing ends before this. A lower bound: it stays when the entry that it came from is gone.
  MilliTicks soonest_ms_ = never;
};

}  // namespace holdfast::shdict
