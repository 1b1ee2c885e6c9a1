// CONFIG GET and CONFIG SET, of the one setting that locks change: notify-keyspace-events. What is set so is
// lost when the server stops, and its replica never had it (Redis documentation, CONFIG SET).
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "sim/stores/redis/families.hpp"
#include "sim/stores/redis/notices.hpp"

namespace holdfast::redis {
namespace {

constexpr std::string_view known = "notify-keyspace-events";

Reply refused(std::string_view name, std::string_view why) {
  return error("CONFIG SET failed (possibly related to argument '" + std::string(name) + "') - " +
               std::string(why));
}

}  // namespace

Reply config_get(Invocation& in) {
  std::vector<Reply> found;
  for (std::size_t i = 2; i < in.argc(); ++i) {
    const std::string_view name = in.argv[i];
    if (!is_word(name, known))
      in.server.note({"CONFIG GET", " of other settings than notify-keyspace-events"});
    else if (found.empty())
      found = {Reply::bulk(std::string(name)), Reply::bulk(letters_of(in.server.notices))};
  }
  return Reply::array(std::move(found));
}

Reply config_set(Invocation& in) {
  if (in.argc() % 2 == 1) return syntax_error();
  for (std::size_t i = 2; i < in.argc(); i += 2) {
    if (is_word(in.argv[i], known)) continue;
    in.server.note({"CONFIG SET", " of other settings than notify-keyspace-events"});
    return error("Unknown option or number of arguments for CONFIG SET - '" + std::string(in.argv[i]) + "'");
  }
  if (in.argc() > 4) return refused(in.argv[4], "duplicate parameter");
  const std::optional<unsigned> notices = notices_named(in.argv[3]);
  if (!notices) return refused(in.argv[2], "Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");
  if ((*notices & (notice::missed | notice::fresh)) != 0)
    in.server.note({"keyspace notifications", " of keys that are missed, or new"});
  in.server.notices = *notices;
  return Reply::ok();
}

}  // namespace holdfast::redis
