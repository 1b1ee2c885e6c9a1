// Commands on strings, but for SET and its kin: GET GETSET GETDEL GETRANGE SUBSTR SETRANGE MGET MSET MSETNX
// APPEND STRLEN INCR DECR INCRBY DECRBY.
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "sim/stores/redis/families.hpp"
#include "sim/stores/redis/numbers.hpp"

namespace holdfast::redis {
namespace {

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
    in.keys.touch(in.key(), in.changes, Change::Way::counted);
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

// Redis documentation, GETRANGE: both ends belong to it; below zero they count from the end.
Reply getrange(Invocation& in) {
  const std::optional<std::int64_t> first = to_integer(in.argv[2]);
  const std::optional<std::int64_t> last = to_integer(in.argv[3]);
  if (!first || !last) return not_an_integer();
  bool is_wrong_type = false;
  const std::string* text = bytes_at(in, is_wrong_type);
  if (is_wrong_type) return wrong_type();
  const auto size = text == nullptr ? 0 : static_cast<std::int64_t>(text->size());
  if (*first < 0 && *last < 0 && *first > *last) return Reply::bulk("");
  const std::int64_t begin = std::max<std::int64_t>(0, *first < 0 ? size + *first : *first);
  const std::int64_t end = std::min(size - 1, std::max<std::int64_t>(0, *last < 0 ? size + *last : *last));
  if (begin > end || size == 0) return Reply::bulk("");
  const auto count = static_cast<std::size_t>(end - begin + 1);
  return Reply::bulk(text->substr(static_cast<std::size_t>(begin), count));
}

// Redis documentation, SETRANGE: what is missing before the offset becomes zero bytes.
Reply setrange(Invocation& in) {
  const std::optional<std::int64_t> offset = to_integer(in.argv[2]);
  if (!offset) return not_an_integer();
  if (*offset < 0) return error("offset is out of range");
  bool is_wrong_type = false;
  const std::string* text = bytes_at(in, is_wrong_type);
  if (is_wrong_type) return wrong_type();
  const std::string_view added = in.argv[3];
  const std::size_t size = text == nullptr ? 0 : text->size();
  if (added.empty()) return Reply::integer(static_cast<std::int64_t>(size));
  const auto begin = static_cast<std::size_t>(*offset);
  if (begin > longest_string || begin + added.size() > longest_string)
    return Reply::error("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
  std::string whole = text == nullptr ? std::string() : *text;
  whole.resize(std::max(size, begin + added.size()));
  whole.replace(begin, added.size(), added);
  const auto length = static_cast<std::int64_t>(whole.size());
  if (text == nullptr) {
    in.keys.put(in.key(), std::move(whole), no_expiry, in.changes);
  } else {
    in.keys.find(in.key())->value = std::move(whole);
    in.keys.touch(in.key(), in.changes);
  }
  return Reply::integer(length);
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
    note_bytes(in.argv[2]);
    in.keys.put(in.key(), std::string(in.argv[2]), no_expiry, in.changes);
    return Reply::integer(static_cast<std::int64_t>(in.argv[2].size()));
  }
  std::string* text = std::get_if<std::string>(&entry->value);
  if (text == nullptr) return wrong_type();
  if (text->size() + in.argv[2].size() > longest_string)
    return Reply::error("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
  text->append(in.argv[2]);
  note_bytes(*text);
  in.keys.touch(in.key(), in.changes);
  return Reply::integer(static_cast<std::int64_t>(text->size()));
}

Reply strlen(Invocation& in) {
  bool is_wrong_type = false;
  const std::string* text = bytes_at(in, is_wrong_type);
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
