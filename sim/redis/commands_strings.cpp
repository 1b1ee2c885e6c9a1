// Commands on strings, but for SET and its kin: GET GETSET GETDEL MGET MSET MSETNX APPEND STRLEN INCR DECR
// INCRBY DECRBY.
#include <limits>
#include <optional>
#include <utility>

#include "sim/redis/families.hpp"
#include "sim/redis/numbers.hpp"

namespace holdfast::redis {
namespace {

// Redis' setting proto-max-bulk-len.
constexpr std::size_t longest_string = 512u * 1024 * 1024;

bool has_pairs(const Invocation& in) { return in.argc() % 2 == 1; }

void put_pairs(Invocation& in) {
  for (std::size_t i = 1; i < in.argc(); i += 2)
    in.keys.put(in.argv[i], std::string(in.argv[i + 1]), no_expiry, in.changes);
}

Reply increment(Invocation& in, std::int64_t by) {
  Entry* entry = in.keys.find(in.key());
  std::int64_t number = 0;
  if (entry != nullptr) {
    const std::string* text = std::get_if<std::string>(&entry->value);
    if (text == nullptr) return wrong_type();
    const std::optional<std::int64_t> parsed = to_integer(*text);
    if (!parsed) return not_an_integer();
    number = *parsed;
  }
  if (__builtin_add_overflow(number, by, &number))
    return Reply::error("ERR increment or decrement would overflow");
  if (entry == nullptr) {
    in.keys.put(in.key(), std::to_string(number), no_expiry, in.changes);
  } else {
    entry->value = std::to_string(number);
    in.keys.touch(in.key(), in.changes);
  }
  return Reply::integer(number);
}

}  // namespace

Reply get(Invocation& in) {
  bool is_wrong_type = false;
  const std::string* text = string_at(in, in.key(), is_wrong_type);
  if (is_wrong_type) return wrong_type();
  return text == nullptr ? Reply::nil() : Reply::bulk(*text);
}

Reply getset(Invocation& in) {
  Reply old = get(in);
  if (!old.is_error()) in.keys.put(in.key(), std::string(in.argv[2]), no_expiry, in.changes);
  return old;
}

Reply getdel(Invocation& in) {
  Reply old = get(in);
  if (!old.is_error()) in.keys.remove(in.key(), in.changes);
  return old;
}

Reply mget(Invocation& in) {
  std::vector<Reply> values;
  values.reserve(in.argc() - 1);
  for (std::size_t i = 1; i < in.argc(); ++i) {
    bool is_wrong_type = false;
    const std::string* text = string_at(in, in.argv[i], is_wrong_type);
    values.push_back(text == nullptr ? Reply::nil() : Reply::bulk(*text));
  }
  return Reply::array(std::move(values));
}

Reply mset(Invocation& in) {
  if (!has_pairs(in)) return wrong_arity(in.row.name);
  put_pairs(in);
  return Reply::ok();
}

Reply msetnx(Invocation& in) {
  if (!has_pairs(in)) return wrong_arity(in.row.name);
  for (std::size_t i = 1; i < in.argc(); i += 2)
    if (in.keys.has(in.argv[i])) return Reply::integer(0);
  put_pairs(in);
  return Reply::integer(1);
}

Reply append(Invocation& in) {
  Entry* entry = in.keys.find(in.key());
  if (entry == nullptr) {
    in.keys.put(in.key(), std::string(in.argv[2]), no_expiry, in.changes);
    return Reply::integer(static_cast<std::int64_t>(in.argv[2].size()));
  }
  std::string* text = std::get_if<std::string>(&entry->value);
  if (text == nullptr) return wrong_type();
  if (text->size() + in.argv[2].size() > longest_string)
    return Reply::error("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
  text->append(in.argv[2]);
  in.keys.touch(in.key(), in.changes);
  return Reply::integer(static_cast<std::int64_t>(text->size()));
}

Reply strlen(Invocation& in) {
  bool is_wrong_type = false;
  const std::string* text = string_at(in, in.key(), is_wrong_type);
  if (is_wrong_type) return wrong_type();
  return Reply::integer(text == nullptr ? 0 : static_cast<std::int64_t>(text->size()));
}

Reply incr(Invocation& in) { return increment(in, 1); }
Reply decr(Invocation& in) { return increment(in, -1); }
Reply incrby(Invocation& in) {
  const std::optional<std::int64_t> by = to_integer(in.argv[2]);
  return by ? increment(in, *by) : not_an_integer();
}
Reply decrby(Invocation& in) {
  const std::optional<std::int64_t> by = to_integer(in.argv[2]);
  if (!by) return not_an_integer();
  if (*by == std::numeric_limits<std::int64_t>::min()) return Reply::error("ERR decrement would overflow");
  return increment(in, -*by);
}

}  // namespace holdfast::redis
