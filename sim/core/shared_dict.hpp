// What an algorithm may ask of an nginx shared dictionary, which is the store of cards with
// StoreKind::shared_dict: `const Reply reply = co_await SharedDict(env.store()).add(key, "true", 30s);`
//
// sim/stores/shdict/dict.hpp says what each command does and answers; the methods are those of
// lua-nginx-module, ngx.shared.DICT. `true, nil, forcible` is a status, `nil, err` an error whose text is
// `err`.
#pragma once

#include <string>
#include <string_view>

#include "sim/core/store.hpp"

namespace holdfast {

class SharedDict {
 public:
  explicit SharedDict(Store& store) : store_(store) {}

  // Without an exptime of at least a millisecond: for ever.
  Call add(std::string_view key, std::string_view value, Duration exptime, Where where = Where::current()) {
    return store_.send(Command("ADD", key, value, seconds(exptime)), where);
  }
  // As add(), but never at the cost of an entry that has not ended.
  Call safe_add(std::string_view key, std::string_view value, Duration exptime,
                Where where = Where::current()) {
    return store_.send(Command("SAFE_ADD", key, value, seconds(exptime)), where);
  }
  Call set(std::string_view key, std::string_view value, Duration exptime, Where where = Where::current()) {
    return store_.send(Command("SET", key, value, seconds(exptime)), where);
  }
  Call replace(std::string_view key, std::string_view value, Duration exptime,
               Where where = Where::current()) {
    return store_.send(Command("REPLACE", key, value, seconds(exptime)), where);
  }
  Call get(std::string_view key, Where where = Where::current()) {
    return store_.send(Command("GET", key), where);
  }
  // Named `delete` in Lua.
  Call remove(std::string_view key, Where where = Where::current()) {
    return store_.send(Command("DELETE", key), where);
  }

  // Lua's first result is true.
  static bool is_done(const Reply& reply) { return reply.kind() == Reply::Kind::status; }

  // "30", "0.5": what is below a millisecond is cut off, as the dictionary does. REQUIRES: not negative.
  static std::string seconds(Duration duration) {
    const std::int64_t milliseconds = to_milliseconds(duration);
    INVARIANT(milliseconds >= 0, "nothing ends before it begins");
    std::string text = std::to_string(milliseconds / 1000);
    if (milliseconds % 1000 == 0) return text;
    text += '.' + std::to_string(1000 + milliseconds % 1000).substr(1);
    return text.erase(text.find_last_not_of('0') + 1);
  }

 private:
  Store& store_;
};
static_assert(SafeInAwait<SharedDict>);

}  // namespace holdfast
