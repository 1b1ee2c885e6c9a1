// EXPIRE and its kin. Redis documentation: a key with a TTL in the past is deleted, not expired.
#include <limits>
#include <optional>

#include "sim/stores/redis/families.hpp"
#include "sim/stores/redis/numbers.hpp"

namespace holdfast::redis {
namespace {

constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

struct Conditions {
  bool nx = false;
  bool xx = false;
  bool gt = false;
  bool lt = false;
};

// An error, or nil with `conditions` set.
Reply parse(const Invocation& in, Conditions& conditions) {
  for (std::size_t i = 3; i < in.argc(); ++i) {
    const std::string_view word = in.argv[i];
    if (is_word(word, "nx")) conditions.nx = true;
    else if (is_word(word, "xx")) conditions.xx = true;
    else if (is_word(word, "gt")) conditions.gt = true;
    else if (is_word(word, "lt")) conditions.lt = true;
    else return error("Unsupported option " + std::string(word));
  }
  if (conditions.nx && (conditions.xx || conditions.gt || conditions.lt))
    return error("NX and XX, GT or LT options at the same time are not compatible");
  if (conditions.gt && conditions.lt) return error("GT and LT options at the same time are not compatible");
  return Reply::nil();
}

// A key that never dies counts as dying after every other.
bool allow(const Conditions& conditions, MilliTicks current_ms, MilliTicks wanted_ms) {
  const bool dies = current_ms != no_expiry;
  if (conditions.nx && dies) return false;
  if (conditions.xx && !dies) return false;
  if (conditions.gt && (!dies || wanted_ms <= current_ms)) return false;
  if (conditions.lt && dies && wanted_ms >= current_ms) return false;
  return true;
}

// `base_ms` is what the number of the command counts from, `unit_ms` what it counts.
Reply expire_key(Invocation& in, MilliTicks base_ms, std::int64_t unit_ms) {
  Conditions conditions;
  const Reply problem = parse(in, conditions);
  if (problem.is_error()) return problem;
  const std::optional<MilliTicks> number = to_milliticks(in.argv[2]);
  if (!number) return not_an_integer();
  if (!number->is_unknown() && (*number > greatest / unit_ms || *number < least / unit_ms))
    return invalid_expiry(in.row.name);
  MilliTicks when_ms = *number * unit_ms;
  if (when_ms > greatest - base_ms) return invalid_expiry(in.row.name);
  when_ms += base_ms;
  Entry* entry = in.keys.find(in.key());
  if (entry == nullptr || !allow(conditions, entry->expires_ms, when_ms)) return Reply::integer(0);
  if (when_ms <= in.now_ms) in.keys.remove(in.key(), in.changes);
  else in.keys.set_expiry(in.key(), *entry, when_ms, in.changes);
  return Reply::integer(1);
}

// Rounded to the nearest second; unsigned, because Redis lets the sum wrap there.
std::int64_t rounded_seconds(std::int64_t milliseconds) {
  return static_cast<std::int64_t>((static_cast<std::uint64_t>(milliseconds) + 500) / 1000);
}

constexpr std::int64_t no_key_reply = -2;
constexpr std::int64_t no_expiry_reply = -1;

// When the key dies; nullopt with the reply to give instead.
std::optional<MilliTicks> expiry_of(Invocation& in, std::int64_t& instead) {
  const Entry* entry = in.keys.find(in.key());
  instead = entry == nullptr ? no_key_reply : no_expiry_reply;
  if (entry == nullptr || entry->expires_ms == no_expiry) return std::nullopt;
  return entry->expires_ms;
}

// From `since_ms` on. In the last millisecond of a key, 0 is left.
Reply milliseconds_of(Invocation& in, MilliTicks since_ms) {
  std::int64_t instead = 0;
  const std::optional<MilliTicks> expires_ms = expiry_of(in, instead);
  return expires_ms ? Reply::milliseconds(*expires_ms - since_ms) : Reply::integer(instead);
}

Reply seconds_of(Invocation& in, MilliTicks since_ms) {
  std::int64_t instead = 0;
  const std::optional<MilliTicks> expires_ms = expiry_of(in, instead);
  return Reply::integer(expires_ms ? rounded_seconds(*expires_ms - since_ms) : instead);
}

}  // namespace

Reply expire(Invocation& in) { return expire_key(in, in.now_ms, 1000); }
Reply pexpire(Invocation& in) { return expire_key(in, in.now_ms, 1); }
Reply expireat(Invocation& in) { return expire_key(in, 0, 1000); }
Reply pexpireat(Invocation& in) { return expire_key(in, 0, 1); }

Reply pttl(Invocation& in) { return milliseconds_of(in, in.now_ms); }
Reply pexpiretime(Invocation& in) {
  in.server.has_told_time = true;
  return milliseconds_of(in, 0);
}
Reply ttl(Invocation& in) { return seconds_of(in, in.now_ms); }
Reply expiretime(Invocation& in) {
  in.server.has_told_time = true;
  return seconds_of(in, 0);
}

Reply persist(Invocation& in) {
  Entry* entry = in.keys.find(in.key());
  if (entry == nullptr || entry->expires_ms == no_expiry) return Reply::integer(0);
  in.keys.set_expiry(in.key(), *entry, no_expiry, in.changes);
  return Reply::integer(1);
}

}  // namespace holdfast::redis
