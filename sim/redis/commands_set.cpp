// SET with all its options, and the commands that are SET or GET with an expiry: SETNX SETEX PSETEX GETEX.
#include <optional>

#include "sim/redis/families.hpp"
#include "sim/redis/numbers.hpp"

namespace holdfast::redis {
namespace {

// How the number of an expiry option is meant.
struct ExpiryUnit {
  std::string_view word;
  std::int64_t unit_ms;
  bool is_relative;
};
constexpr ExpiryUnit seconds{"ex", 1000, true};
constexpr ExpiryUnit milliseconds{"px", 1, true};
constexpr ExpiryUnit expiry_units[] = {seconds, milliseconds, {"exat", 1000, false}, {"pxat", 1, false}};

struct Options {
  bool nx = false;
  bool xx = false;
  bool get = false;
  bool keepttl = false;
  bool persist = false;
  const ExpiryUnit* unit = nullptr;
  std::string_view expiry{};
};

// Takes one of EX PX EXAT PXAT and its number. The same option may come twice, two different ones may not.
bool take_expiry(Invocation& in, std::size_t& i, Options& options) {
  if (options.keepttl || options.persist || i + 1 == in.argc()) return false;
  for (const ExpiryUnit& unit : expiry_units) {
    if (!is_word(in.argv[i], unit.word)) continue;
    if (options.unit != nullptr && options.unit != &unit) return false;
    options.unit = &unit;
    options.expiry = in.argv[++i];
    return true;
  }
  return false;
}

// False: syntax error.
bool parse_set(Invocation& in, Options& options) {
  for (std::size_t i = 3; i < in.argc(); ++i) {
    const std::string_view word = in.argv[i];
    if (!options.xx && is_word(word, "nx")) options.nx = true;
    else if (!options.nx && is_word(word, "xx")) options.xx = true;
    else if (is_word(word, "get")) options.get = true;
    else if (options.unit == nullptr && is_word(word, "keepttl")) options.keepttl = true;
    else if (!take_expiry(in, i, options)) return false;
  }
  return true;
}

bool parse_getex(Invocation& in, Options& options) {
  for (std::size_t i = 2; i < in.argc(); ++i) {
    if (options.unit == nullptr && is_word(in.argv[i], "persist")) options.persist = true;
    else if (!take_expiry(in, i, options)) return false;
  }
  return true;
}

// The last millisecond to live; otherwise nullopt with `problem` set to the error reply.
std::optional<std::int64_t> to_expiry(const Invocation& in, std::string_view text, const ExpiryUnit& unit,
                                      Reply& problem) {
  const std::optional<std::int64_t> number = to_integer(text);
  if (!number) {
    problem = not_an_integer();
    return std::nullopt;
  }
  const std::int64_t base_ms = unit.is_relative ? in.now_ms : 0;
  std::int64_t expires_ms = 0;
  if (*number <= 0 || __builtin_mul_overflow(*number, unit.unit_ms, &expires_ms) ||
      __builtin_add_overflow(expires_ms, base_ms, &expires_ms)) {
    problem = invalid_expiry(in.row.name);
    return std::nullopt;
  }
  return expires_ms;
}

Reply bulk_or_nil(const std::string* text) { return text == nullptr ? Reply::nil() : Reply::bulk(*text); }

// SETEX key number value.
Reply set_with_expiry(Invocation& in, const ExpiryUnit& unit) {
  Reply problem;
  const std::optional<std::int64_t> expires_ms = to_expiry(in, in.argv[2], unit, problem);
  if (!expires_ms) return problem;
  in.keys.put(in.key(), std::string(in.argv[3]), *expires_ms, in.changes);
  return Reply::ok();
}

}  // namespace

Reply set(Invocation& in) {
  Options options;
  if (!parse_set(in, options)) return syntax_error();
  std::optional<std::int64_t> expires_ms;
  if (options.unit != nullptr) {
    Reply problem;
    expires_ms = to_expiry(in, options.expiry, *options.unit, problem);
    if (!expires_ms) return problem;
  }
  const Entry* old = in.keys.find(in.key());
  Reply reply;
  if (options.get) {
    bool is_wrong_type = false;
    reply = bulk_or_nil(string_at(in, in.key(), is_wrong_type));
    if (is_wrong_type) return wrong_type();
  }
  if (old != nullptr ? options.nx : options.xx) return reply;
  if (!expires_ms) expires_ms = options.keepttl && old != nullptr ? old->expires_ms : no_expiry;
  in.keys.put(in.key(), std::string(in.argv[2]), *expires_ms, in.changes);
  return options.get ? reply : Reply::ok();
}

Reply setnx(Invocation& in) {
  if (in.keys.has(in.key())) return Reply::integer(0);
  in.keys.put(in.key(), std::string(in.argv[2]), no_expiry, in.changes);
  return Reply::integer(1);
}

Reply setex(Invocation& in) { return set_with_expiry(in, seconds); }
Reply psetex(Invocation& in) { return set_with_expiry(in, milliseconds); }

Reply getex(Invocation& in) {
  Options options;
  if (!parse_getex(in, options)) return syntax_error();
  bool is_wrong_type = false;
  const std::string* value = string_at(in, in.key(), is_wrong_type);
  if (is_wrong_type) return wrong_type();
  if (value == nullptr) return Reply::nil();
  std::optional<std::int64_t> expires_ms;
  if (options.unit != nullptr) {
    Reply problem;
    expires_ms = to_expiry(in, options.expiry, *options.unit, problem);
    if (!expires_ms) return problem;
  }
  Reply reply = Reply::bulk(*value);
  Entry& entry = *in.keys.find(in.key());
  if (expires_ms && *expires_ms <= in.now_ms) in.keys.remove(in.key(), in.changes);
  else if (expires_ms) in.keys.set_expiry(in.key(), entry, *expires_ms, in.changes);
  else if (options.persist && entry.expires_ms != no_expiry)
    in.keys.set_expiry(in.key(), entry, no_expiry, in.changes);
  return reply;
}

}  // namespace holdfast::redis
