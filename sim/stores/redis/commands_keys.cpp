// Commands on keys of any type: DEL UNLINK EXISTS TOUCH TYPE RENAME RENAMENX COPY KEYS.
#include <optional>
#include <utility>

#include "sim/stores/redis/collections.hpp"
#include "sim/stores/redis/families.hpp"
#include "sim/stores/redis/glob.hpp"
#include "sim/stores/redis/numbers.hpp"

namespace holdfast::redis {

Reply del(Invocation& in) {
  std::int64_t removed = 0;
  for (std::size_t i = 1; i < in.argc(); ++i) removed += in.keys.remove(in.argv[i], in.changes);
  return Reply::integer(removed);
}

Reply exists(Invocation& in) {
  std::int64_t found = 0;
  for (std::size_t i = 1; i < in.argc(); ++i) found += in.keys.has(in.argv[i]);
  return Reply::integer(found);
}

// In key order; Redis gives them in the order of its hash table.
Reply keys(Invocation& in) {
  std::vector<Reply> found;
  in.caller.elements += in.keys.size();
  in.keys.visit([&](const std::string& key, const Entry&) {
    if (in.argv[1] == "*" || glob_matches(in.argv[1], key)) found.push_back(Reply::bulk(key));
  });
  return Reply::array(std::move(found));
}

Reply type(Invocation& in) {
  const Entry* entry = in.keys.find(in.key());
  return Reply::status(std::string(entry == nullptr ? "none" : type_name(entry->value)));
}

namespace {

// Value and expiry go together.
void move_key(Invocation& in, const Entry& source) {
  Entry moving = source;
  in.keys.remove(in.key(), in.changes);
  in.keys.put(in.argv[2], std::move(moving.value), moving.expires_ms, in.changes);
  note_ready(in.server, in.argv[2], in.keys.find(in.argv[2])->value);
}

}  // namespace

Reply rename(Invocation& in) {
  const Entry* source = in.keys.find(in.key());
  if (source == nullptr) return Reply::error("ERR no such key");
  if (in.argv[1] != in.argv[2]) move_key(in, *source);
  return Reply::ok();
}

Reply renamenx(Invocation& in) {
  const Entry* source = in.keys.find(in.key());
  if (source == nullptr) return Reply::error("ERR no such key");
  if (in.keys.has(in.argv[2])) return Reply::integer(0);
  move_key(in, *source);
  return Reply::integer(1);
}

// Redis documentation, COPY. There is one database, 0.
Reply copy(Invocation& in) {
  bool replaces = false;
  for (std::size_t i = 3; i < in.argc(); ++i) {
    if (is_word(in.argv[i], "replace")) {
      replaces = true;
    } else if (is_word(in.argv[i], "db") && i + 1 < in.argc()) {
      const std::optional<std::int64_t> database = to_integer(in.argv[++i]);
      if (!database) return not_an_integer();
      // As installed it has 16 of them.
      if (*database > 0 && *database < 16) in.server.note({"COPY", " to another database"});
      if (*database != 0) return error("DB index is out of range");
    } else {
      return syntax_error();
    }
  }
  if (in.argv[1] == in.argv[2]) return error("source and destination objects are the same");
  const Entry* const source = in.keys.find(in.key());
  if (source == nullptr || (!replaces && in.keys.has(in.argv[2]))) return Reply::integer(0);
  Entry copied = *source;
  in.keys.remove(in.argv[2], in.changes);
  in.keys.put(in.argv[2], std::move(copied.value), copied.expires_ms, in.changes);
  note_ready(in.server, in.argv[2], in.keys.find(in.argv[2])->value);
  return Reply::integer(1);
}

}  // namespace holdfast::redis
