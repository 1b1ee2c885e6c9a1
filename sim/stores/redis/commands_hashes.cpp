// Commands on hashes: HSET HMSET HSETNX HGET HMGET HGETALL HKEYS HVALS HDEL HLEN HSTRLEN HEXISTS HINCRBY.
// Fields come in rising order; in Redis their order depends on how the hash is kept.
#include <optional>

#include "sim/stores/redis/collections.hpp"
#include "sim/stores/redis/families.hpp"
#include "sim/stores/redis/numbers.hpp"

namespace holdfast::redis {
namespace {

Hash& open(Invocation& in, const Found<Hash>& found, Change::Way way = Change::Way::in_place) {
  if (found.value == nullptr) return create<Hash>(in);
  in.keys.touch(in.key(), in.changes, way);
  return *found.value;
}

Reply bulk_or_nil(const Hash* hash, std::string_view name) {
  const std::string* value = hash == nullptr ? nullptr : hash->find(name);
  return value == nullptr ? Reply::nil() : Reply::bulk(*value);
}

Reply list_fields(Invocation& in, bool with_names, bool with_values) {
  const Found<Hash> found = find_as<Hash>(in);
  if (found.is_wrong_type) return wrong_type();
  std::vector<Reply> listed;
  if (found.value != nullptr) {
    for (const auto& [name, value] : found.value->fields()) {
      if (with_names) listed.push_back(Reply::bulk(name));
      if (with_values) listed.push_back(Reply::bulk(value));
    }
  }
  return Reply::array(std::move(listed));
}

}  // namespace

// HSET and HMSET; the older one answers OK.
Reply hset(Invocation& in) {
  if (in.argc() % 2 == 1) return wrong_arity(in.row.name);
  const Found<Hash> found = find_as<Hash>(in);
  if (found.is_wrong_type) return wrong_type();
  Hash& hash = open(in, found);
  std::int64_t added = 0;
  for (std::size_t i = 2; i < in.argc(); i += 2) added += hash.put(in.argv[i], std::string(in.argv[i + 1]));
  return in.row.name == "hset" ? Reply::integer(added) : Reply::ok();
}

Reply hsetnx(Invocation& in) {
  const Found<Hash> found = find_as<Hash>(in);
  if (found.is_wrong_type) return wrong_type();
  if (found.value != nullptr && found.value->find(in.argv[2]) != nullptr) return Reply::integer(0);
  open(in, found).put(in.argv[2], std::string(in.argv[3]));
  return Reply::integer(1);
}

Reply hget(Invocation& in) {
  const Found<Hash> found = find_as<Hash>(in);
  return found.is_wrong_type ? wrong_type() : bulk_or_nil(found.value, in.argv[2]);
}

Reply hmget(Invocation& in) {
  const Found<Hash> found = find_as<Hash>(in);
  if (found.is_wrong_type) return wrong_type();
  std::vector<Reply> values;
  for (std::size_t i = 2; i < in.argc(); ++i) values.push_back(bulk_or_nil(found.value, in.argv[i]));
  return Reply::array(std::move(values));
}

Reply hgetall(Invocation& in) { return list_fields(in, true, true); }
Reply hkeys(Invocation& in) { return list_fields(in, true, false); }
Reply hvals(Invocation& in) { return list_fields(in, false, true); }

Reply hdel(Invocation& in) {
  const Found<Hash> found = find_as<Hash>(in);
  if (found.is_wrong_type) return wrong_type();
  if (found.value == nullptr) return Reply::integer(0);
  std::int64_t removed = 0;
  for (std::size_t i = 2; i < in.argc(); ++i) removed += found.value->erase(in.argv[i]);
  if (removed > 0) note_removal(in.keys, in.key(), found.value->fields().empty(), in.changes);
  return Reply::integer(removed);
}

Reply hlen(Invocation& in) {
  const Found<Hash> found = find_as<Hash>(in);
  if (found.is_wrong_type) return wrong_type();
  return size_reply(found.value == nullptr ? 0 : found.value->fields().size());
}

Reply hstrlen(Invocation& in) {
  const Found<Hash> found = find_as<Hash>(in);
  if (found.is_wrong_type) return wrong_type();
  const std::string* value = found.value == nullptr ? nullptr : found.value->find(in.argv[2]);
  if (value != nullptr) note_bytes(*value);
  return size_reply(value == nullptr ? 0 : value->size());
}

Reply hexists(Invocation& in) {
  const Found<Hash> found = find_as<Hash>(in);
  if (found.is_wrong_type) return wrong_type();
  return Reply::integer(found.value != nullptr && found.value->find(in.argv[2]) != nullptr);
}

Reply hincrby(Invocation& in) {
  const std::optional<std::int64_t> by = to_integer(in.argv[3]);
  if (!by) return not_an_integer();
  const Found<Hash> found = find_as<Hash>(in);
  if (found.is_wrong_type) return wrong_type();
  const std::string* value = found.value == nullptr ? nullptr : found.value->find(in.argv[2]);
  std::int64_t number = 0;
  if (value != nullptr) {
    const std::optional<std::int64_t> current = to_integer(*value);
    if (!current) return Reply::error("ERR hash value is not an integer");
    number = *current;
  }
  if (__builtin_add_overflow(number, *by, &number))
    return Reply::error("ERR increment or decrement would overflow");
  open(in, found, Change::Way::counted).put(in.argv[2], std::to_string(number));
  return Reply::integer(number);
}

}  // namespace holdfast::redis
