// Publish and subscribe: SUBSCRIBE UNSUBSCRIBE PSUBSCRIBE PUNSUBSCRIBE PUBLISH PUBSUB.
#include <algorithm>

#include "sim/stores/redis/collections.hpp"
#include "sim/stores/redis/families.hpp"
#include "sim/stores/redis/glob.hpp"
#include "sim/stores/redis/notices.hpp"

namespace holdfast::redis {
namespace {

Reply message(std::string_view kind, std::vector<Reply> parts) {
  parts.insert(parts.begin(), Reply::bulk(std::string(kind)));
  return Reply::array(std::move(parts));
}

// One message per name; the last one is the answer.
Reply confirm(Invocation& in, const Session& session, Reply name, bool is_last) {
  Reply confirmation = message(in.row.name, {std::move(name), Reply::integer(session.subscriptions())});
  if (is_last) return confirmation;
  in.caller.pushes.push_back(Push{session.connection, std::move(confirmation)});
  return Reply::nil();
}

Reply subscribe(Invocation& in, Set Session::*names) {
  Session& session = in.server.connections.open(*in.caller.connection);
  Reply last;
  for (std::size_t i = 1; i < in.argc(); ++i) {
    (session.*names).insert(in.argv[i]);
    last = confirm(in, session, Reply::bulk(std::string(in.argv[i])), i + 1 == in.argc());
  }
  return last;
}

// Without names: from all of them.
Reply unsubscribe(Invocation& in, Set Session::*names) {
  Session& session = in.server.connections.open(*in.caller.connection);
  std::vector<std::string> ending = in.argv.subspan(1);
  if (ending.empty()) ending = (session.*names).members();
  if (ending.empty()) return confirm(in, session, Reply::nil(), true);
  Reply last;
  for (const std::string& name : ending) {
    (session.*names).erase(name);
    last = confirm(in, session, Reply::bulk(name), &name == &ending.back());
  }
  return last;
}

// All channels with subscribers, in rising order.
Set all_of(const Invocation& in, Set Session::*names) {
  Set all;
  for (const Session& session : in.server.connections.sessions)
    for (const std::string& name : (session.*names).members()) all.insert(name);
  return all;
}

}  // namespace

Reply subscribe(Invocation& in) { return subscribe(in, &Session::channels); }
Reply psubscribe(Invocation& in) { return subscribe(in, &Session::patterns); }
Reply unsubscribe(Invocation& in) { return unsubscribe(in, &Session::channels); }
Reply punsubscribe(Invocation& in) { return unsubscribe(in, &Session::patterns); }

// A connection gets one message for the channel and one for each pattern.
std::int64_t send_to_channel(const Server& server, const std::string& channel, const std::string& text,
                             Pushes& pushes) {
  std::int64_t sent = 0;
  for (const Session& session : server.connections.sessions) {
    const auto send = [&](Reply what) {
      pushes.push_back(Push{session.connection, std::move(what)});
      ++sent;
    };
    if (session.channels.has(channel)) send(message("message", {Reply::bulk(channel), Reply::bulk(text)}));
    for (const std::string& pattern : session.patterns.members())
      if (glob_matches(pattern, channel))
        send(message("pmessage", {Reply::bulk(pattern), Reply::bulk(channel), Reply::bulk(text)}));
  }
  return sent;
}

// The answer counts messages.
Reply publish(Invocation& in) {
  return Reply::integer(
      send_to_channel(in.server, std::string(in.argv[1]), std::string(in.argv[2]), in.caller.pushes));
}

Reply pubsub_channels(Invocation& in) {
  if (in.argc() > 3)
    return error("unknown subcommand or wrong number of arguments for '" + std::string(in.argv[1]) +
                 "'. Try PUBSUB HELP.");
  std::vector<std::string> matching = all_of(in, &Session::channels).members();
  if (in.argc() == 3)
    std::erase_if(matching, [&](const std::string& name) { return !glob_matches(in.argv[2], name); });
  return texts(matching);
}

Reply pubsub_numsub(Invocation& in) {
  std::vector<Reply> counts;
  const std::vector<Session>& sessions = in.server.connections.sessions;
  for (std::size_t i = 2; i < in.argc(); ++i) {
    counts.push_back(Reply::bulk(std::string(in.argv[i])));
    counts.push_back(size_reply(
        static_cast<std::size_t>(std::count_if(sessions.begin(), sessions.end(), [&](const Session& session) {
          return session.channels.has(in.argv[i]);
        }))));
  }
  return Reply::array(std::move(counts));
}

Reply pubsub_numpat(Invocation& in) { return size_reply(all_of(in, &Session::patterns).members().size()); }

}  // namespace holdfast::redis
