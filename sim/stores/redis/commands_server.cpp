// Commands on the server as a whole: PING ECHO TIME DBSIZE SELECT FLUSHALL FLUSHDB. There is one database.
#include <limits>
#include <optional>
#include <utility>

#include "sim/stores/redis/families.hpp"
#include "sim/stores/redis/numbers.hpp"

namespace holdfast::redis {

Reply ping(Invocation& in) {
  if (in.argc() > 2) return wrong_arity(in.row.name);
  const Session* session = in.caller.connection && !in.server.connections.sessions.empty()
                               ? in.server.connections.find(*in.caller.connection)
                               : nullptr;
  // Among messages of channels the answer has to look like one of them.
  if (session != nullptr && session->is_listening())
    return Reply::array(
        {Reply::bulk("pong"), Reply::bulk(std::string(in.argc() == 2 ? in.argv[1] : std::string_view()))});
  return in.argc() == 2 ? Reply::bulk(std::string(in.argv[1])) : Reply::status("PONG");
}

Reply echo(Invocation& in) { return Reply::bulk(std::string(in.argv[1])); }

// Seconds, and the microseconds of the current second.
Reply time(Invocation& in) {
  in.server.has_told_time = true;
  const std::int64_t microseconds = in.now.time_since_epoch().count();
  std::vector<Reply> parts;
  parts.push_back(Reply::bulk(std::to_string(microseconds / 1'000'000)));
  parts.push_back(Reply::bulk(std::to_string(microseconds % 1'000'000)));
  return Reply::array(std::move(parts));
}

// There is one database, 0. As installed Redis has 16 of them.
Reply select_database(Invocation& in) {
  const std::optional<std::int64_t> database = to_integer(in.argv[1]);
  constexpr std::int64_t int_max = std::numeric_limits<std::int32_t>::max();
  if (!database) return not_an_integer();
  if (*database > int_max || *database < -int_max - 1)
    return error("value is out of range, value must between -2147483648 and 2147483647");
  if (in.server.is_cluster && *database != 0) return error("SELECT is not allowed in cluster mode");
  if (*database < 0 || *database >= 16) return error("DB index is out of range");
  if (*database != 0) in.server.note({"SELECT", " of another database than 0"});
  return Reply::ok();
}

Reply dbsize(Invocation& in) { return Reply::integer(static_cast<std::int64_t>(in.keys.size())); }

Reply flush(Invocation& in) {
  const bool knows_mode = in.argc() == 2 && (is_word(in.argv[1], "sync") || is_word(in.argv[1], "async"));
  if (in.argc() > 1 && !knows_mode) return syntax_error();
  in.keys.remove_all(in.changes);
  return Reply::ok();
}

}  // namespace holdfast::redis
