// Commands on a connection: MULTI EXEC DISCARD WATCH UNWATCH RESET CLIENT ID.
#include <iterator>
#include <utility>

#include "sim/stores/redis/families.hpp"

namespace holdfast::redis {
namespace {

Session& session_of(Invocation& in) { return in.server.connections.open(*in.caller.connection); }

// What the connection gets, in order: messages that a command sends to its own connection come before its
// reply. Messages to others go on.
std::vector<Reply> carry_out(Invocation& in, const std::vector<Command>& queued) {
  std::vector<Reply> sent;
  for (const Command& command : queued) {
    Pushes pushes;
    Caller caller{.connection = in.caller.connection, .pushes = pushes};
    Reply reply = execute_queued(in, command.argv(), caller);
    for (Push& push : pushes) {
      if (push.connection == *in.caller.connection) sent.push_back(std::move(push.message));
      else in.caller.pushes.push_back(std::move(push));
    }
    sent.push_back(std::move(reply));
  }
  return sent;
}

// The array takes as many as there were commands. If some of them gave more (Redis documentation,
// "Transactions", does not forbid SUBSCRIBE), the rest follows it as if it had been sent on its own.
Reply wrap(Invocation& in, std::vector<Reply> sent, std::size_t commands) {
  if (sent.size() == commands) return Reply::array(std::move(sent));
  const auto middle = sent.begin() + static_cast<std::ptrdiff_t>(commands);
  std::vector<Reply> wrapped(std::move_iterator(sent.begin()), std::move_iterator(middle));
  in.caller.pushes.push_back(Push{*in.caller.connection, Reply::array(std::move(wrapped))});
  for (auto reply = middle; reply != sent.end() - 1; ++reply)
    in.caller.pushes.push_back(Push{*in.caller.connection, std::move(*reply)});
  return std::move(sent.back());
}

}  // namespace

Reply multi(Invocation& in) {
  Session& session = session_of(in);
  if (session.is_queueing) return error("MULTI calls can not be nested");
  session.is_queueing = true;
  return Reply::ok();
}

Reply exec(Invocation& in) {
  Session& session = session_of(in);
  if (!session.is_queueing) return error("EXEC without MULTI");
  const bool is_refused = session.is_refused;
  const bool is_stale = session.is_stale;
  const std::vector<Command> queued = std::move(session.queued);
  session.end_transaction();
  if (is_refused) return Reply::error("EXECABORT Transaction discarded because of previous errors.");
  if (is_stale) return Reply::nil();
  return wrap(in, carry_out(in, queued), queued.size());
}

Reply discard(Invocation& in) {
  Session& session = session_of(in);
  if (!session.is_queueing) return error("DISCARD without MULTI");
  session.end_transaction();
  return Reply::ok();
}

Reply watch(Invocation& in) {
  Session& session = session_of(in);
  if (session.is_queueing) return error("WATCH inside MULTI is not allowed");
  // Of a transaction that will do nothing, the rest does not matter.
  for (std::size_t i = 1; i < in.argc() && !session.is_stale; ++i) session.watched.insert(in.argv[i]);
  return Reply::ok();
}

Reply unwatch(Invocation& in) {
  session_of(in).unwatch();
  return Reply::ok();
}

// The connection is as if it were new.
Reply reset(Invocation& in) {
  in.server.connections.forget(*in.caller.connection);
  return Reply::status("RESET");
}

Reply client_id(Invocation& in) { return Reply::integer(in.caller.connection->value); }

}  // namespace holdfast::redis
