// SET with all its options, and the commands that are SET or GET with an expiry: SETNX SETEX PSETEX GETEX.
#include <optional>

#include "sim/stores/redis/families.hpp"
#include "sim/stores/redis/numbers.hpp"

namespace holdfast::redis {
namespace {

// The letters of an option as one number, as Redis compares them: without case, up to the first NUL. 0: more
// letters than any option has.
constexpr std::uint64_t letters_of(std::string_view word) {
  std::uint64_t letters = 0;
  for (const char letter : word) {
    if (letter == '\0') break;
    if (letters >> 56 != 0) return 0;
    const bool is_upper = letter >= 'A' && letter <= 'Z';
    letters = letters << 8 | static_cast<unsigned char>(is_upper ? letter - 'A' + 'a' : letter);
  }
  return letters;
}

// How the number of an expiry option is meant.
struct ExpiryUnit {
  std::uint64_t letters;
  std::int64_t unit_ms;
  bool is_relative;
};
constexpr ExpiryUnit seconds{letters_of("ex"), 1000, true};
constexpr ExpiryUnit milliseconds{letters_of("px"), 1, true};
constexpr ExpiryUnit expiry_units[] = {
    seconds, milliseconds, {letters_of("exat"), 1000, false}, {letters_of("pxat"), 1, false}};

struct SetOptions {
  bool nx = false;
  bool xx = false;
  bool get = false;
  bool keepttl = false;
  bool persist = false;
  const ExpiryUnit* unit = nullptr;
  std::string_view expiry{};
};

// Takes one of EX PX EXAT PXAT and its number. The same option may come twice, two different ones may not.
bool take_expiry(Invocation& in, std::size_t& i, std::uint64_t letters, SetOptions& options) {
  if (options.keepttl || options.persist || i + 1 == in.argc()) return false;
  for (const ExpiryUnit& unit : expiry_units) {
    if (letters != unit.letters) continue;
    if (options.unit != nullptr && options.unit != &unit) return false;
    options.unit = &unit;
    options.expiry = in.argv[++i];
    return true;
  }
  return false;
}

// False: syntax error.
bool parse_set(Invocation& in, SetOptions& options) {
  for (std::size_t i = 3; i < in.argc(); ++i) {
    const std::uint64_t letters = letters_of(in.argv[i]);
    if (!options.xx && letters == letters_of("nx")) options.nx = true;
    else if (!options.nx && letters == letters_of("xx")) options.xx = true;
    else if (letters == letters_of("get")) options.get = true;
    else if (options.unit == nullptr && letters == letters_of("keepttl")) options.keepttl = true;
    else if (!take_expiry(in, i, letters, options)) return false;
  }
  return true;
}

bool parse_getex(Invocation& in, SetOptions& options) {
  for (std::size_t i = 2; i < in.argc(); ++i) {
    const std::uint64_t letters = letters_of(in.argv[i]);
    if (options.unit == nullptr && letters == letters_of("persist")) options.persist = true;
    else if (!take_expiry(in, i, letters, options)) return false;
  }
  return true;
}

// The last millisecond to live. nullopt: bad_expiry() says why.
std::optional<MilliTicks> to_expiry(const Invocation& in, std::string_view text, const ExpiryUnit& unit) {
  const std::optional<MilliTicks> number = to_milliticks(text);
  const MilliTicks base_ms = unit.is_relative ? in.now_ms : MilliTicks();
  if (!number || *number <= 0) return std::nullopt;
  if (number->is_unknown()) return base_ms + *number * unit.unit_ms;
  std::int64_t length_ms = 0;
  if (__builtin_mul_overflow(number->bits(), unit.unit_ms, &length_ms) ||
      std::numeric_limits<MilliTicks>::max() - base_ms < length_ms)
    return std::nullopt;
  return base_ms + length_ms;
}
Reply bad_expiry(const Invocation& in, std::string_view text) {
  return to_milliticks(text) ? invalid_expiry(in.row.name) : not_an_integer();
}

Reply bulk_or_nil(const std::string* text) { return text == nullptr ? Reply::nil() : Reply::bulk(*text); }

// SETEX key number value.
Reply set_with_expiry(Invocation& in, const ExpiryUnit& unit) {
  const std::optional<MilliTicks> expires_ms = to_expiry(in, in.argv[2], unit);
  if (!expires_ms) return bad_expiry(in, in.argv[2]);
  in.keys.put(in.key(), std::string(in.argv[3]), *expires_ms, in.changes);
  return Reply::ok();
}

}  // namespace

Reply set(Invocation& in) {
  SetOptions options;
  if (!parse_set(in, options)) return syntax_error();
  std::optional<MilliTicks> expires_ms;
  if (options.unit != nullptr) {
    expires_ms = to_expiry(in, options.expiry, *options.unit);
    if (!expires_ms) return bad_expiry(in, options.expiry);
  }
  Entry* const old = in.keys.find(in.key());
  const std::string* old_text = nullptr;
  if (options.get && old != nullptr) {
    old_text = std::get_if<std::string>(&old->value);
    if (old_text == nullptr) return wrong_type();
  }
  if (old != nullptr ? options.nx : options.xx) return bulk_or_nil(old_text);
  Reply reply = options.get ? bulk_or_nil(old_text) : Reply::ok();
  if (!expires_ms) expires_ms = options.keepttl && old != nullptr ? old->expires_ms : no_expiry;
  in.keys.put(in.key(), old, std::string(in.argv[2]), *expires_ms, in.changes);
  return reply;
}

Reply setnx(Invocation& in) {
  if (in.keys.has(in.key())) return Reply::integer(0);
  in.keys.put(in.key(), std::string(in.argv[2]), no_expiry, in.changes);
  return Reply::integer(1);
}

Reply setex(Invocation& in) { return set_with_expiry(in, seconds); }
Reply psetex(Invocation& in) { return set_with_expiry(in, milliseconds); }

Reply getex(Invocation& in) {
  SetOptions options;
  if (!parse_getex(in, options)) return syntax_error();
  bool is_wrong_type = false;
  const std::string* value = string_at(in, in.key(), is_wrong_type);
  if (is_wrong_type) return wrong_type();
  if (value == nullptr) return Reply::nil();
  std::optional<MilliTicks> expires_ms;
  if (options.unit != nullptr) {
    expires_ms = to_expiry(in, options.expiry, *options.unit);
    if (!expires_ms) return bad_expiry(in, options.expiry);
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
