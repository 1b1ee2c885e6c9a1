// What the commands on lists, sets, sorted sets and hashes share.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/stores/redis/command.hpp"

namespace holdfast::redis {

// The value of a key if it has the type that a command works on.
template <class Type>
struct Found {
  Type* value = nullptr;
  bool is_wrong_type = false;
};

template <class Type>
Found<Type> find_as(Keyspace& keys, std::string_view key) {
  Entry* entry = keys.find(key);
  if (entry == nullptr) return {};
  Type* value = std::get_if<Type>(&entry->value);
  return {value, value == nullptr};
}
template <class Type>
Found<Type> find_as(Invocation& in, std::string_view key) {
  const Found<Type> found = find_as<Type>(in.keys, key);
  if (found.value != nullptr) in.caller.elements += size_of(*found.value);
  return found;
}
template <class Type>
Found<Type> find_as(Invocation& in) {
  return find_as<Type>(in, in.key());
}

// Tells the waiters of this key, once the command is done, that it has come into being.
void note_ready(Server& server, std::string_view key, const Value& value);

// Creates an empty value, which the caller fills.
template <class Type>
Type& create(Server& server, std::string_view key, Changes& changes) {
  server.keys.put(key, Type(), no_expiry, changes);
  Value& value = server.keys.find(key)->value;
  note_ready(server, key, value);
  return std::get<Type>(value);
}
template <class Type>
Type& create(Invocation& in) {
  return create<Type>(in.server, in.key(), in.changes);
}

// After something was taken out of the value of a key: an empty collection does not stay.
inline void note_removal(Keyspace& keys, std::string_view key, bool is_empty, Changes& changes) {
  if (is_empty) keys.remove(key, changes);
  else keys.touch(key, changes);
}

// SREM and ZREM.
template <class Type>
Reply remove_members(Invocation& in) {
  const Found<Type> found = find_as<Type>(in);
  if (found.is_wrong_type) return wrong_type();
  if (found.value == nullptr) return Reply::integer(0);
  std::int64_t removed = 0;
  for (std::size_t i = 2; i < in.argc(); ++i) removed += found.value->erase(in.argv[i]);
  if (removed > 0) note_removal(in.keys, in.key(), found.value->members().empty(), in.changes);
  return Reply::integer(removed);
}

// A range of positions as LRANGE and ZRANGE take it: negative ones count from the end. Empty: count is 0.
struct Span {
  std::size_t first = 0;
  std::size_t count = 0;
};
Span span_of(std::int64_t start, std::int64_t stop, std::size_t size);

// Replies with the whole value, or part of it.
Reply texts(const std::vector<std::string>& words);
inline Reply size_reply(std::size_t size) { return Reply::integer(static_cast<std::int64_t>(size)); }
inline Reply value_out_of_range() { return Reply::error("ERR value is out of range, must be positive"); }

// The next element of a list, or member of a sorted set, at one end. REQUIRES: not empty.
std::string take(List& list, End from);
SortedSet::Member take(SortedSet& set, End from);
// Moves an element. `source` may be the destination. REQUIRES: the destination is a list, or no key.
Reply move_element(Server& server, std::string_view source, End from, std::string_view destination, End to,
                   Changes& changes);

}  // namespace holdfast::redis
