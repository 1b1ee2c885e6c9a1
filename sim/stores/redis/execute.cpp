// From a request to its reply: refusals, queued commands, and the work after a command.
#include <algorithm>

#include "sim/core/invariant.hpp"
#include "sim/stores/redis/command.hpp"
#include "sim/stores/redis/families.hpp"
#include "sim/stores/redis/notices.hpp"
#include "sim/stores/redis/slots.hpp"

namespace holdfast::redis {
namespace {

Reply run(const CommandRow& row, Server& server, WordsView argv, WallTime now, MilliTicks now_ms,
          Changes& changes, Caller& caller) {
  if ((row.flags & flag::looks) != 0 && server.looked.empty()) server.looked = row.name;
  server.has_told_apart = server.has_told_apart || (row.flags & flag::orders) != 0;
  server.has_told_in_parts = server.has_told_in_parts || (row.flags & flag::looks) != 0;
  Invocation in{server, server.keys, argv, row, now, now_ms, changes, caller};
  const std::size_t first = changes.size();
  Reply reply = row.run(in);
  // What a script or a transaction did, its commands have told.
  if (server.tells()) [[unlikely]]
    notify(in, first);
  return reply;
}

// Time stands still in a script and in a transaction, but it may itself have set a key to die in the past.
Reply run_within(const CommandRow& row, Invocation& outer, WordsView argv, Caller& caller) {
  const std::size_t first = outer.changes.size();
  if (!is_time_dense()) outer.keys.expire_due(outer.now_ms, outer.changes);
  if (outer.server.tells()) [[unlikely]]
    notify_expired(outer.server, outer.changes, first, caller.pushes);
  return run(row, outer.server, argv, outer.now, outer.now_ms, outer.changes, caller);
}

bool is_refused(const CommandRow* row, const Session* session, WordsView argv) {
  return row == nullptr || !row->takes(argv.size()) ||
         (session != nullptr && session->is_listening() && (row->flags & flag::listening) == 0);
}

// In a cluster that comes before what a connection that listens may not send.
Reply refuse_of_cluster(Server& server, const CommandRow* row, Session* session, WordsView argv) {
  if (row == nullptr || !row->takes(argv.size())) return Reply::nil();
  Reply refused = refused_by_cluster(server, *row, session, argv);
  if (!refused.is_error() || session == nullptr) return refused;
  if (row->run == exec) session->end_transaction();
  else if (session->is_queueing) session->is_refused = true;
  return refused;
}

Reply refusal(const CommandRow* row, WordsView argv) {
  if (row == nullptr) return unknown_command(argv);
  if (!row->takes(argv.size())) return wrong_arity(row->name);
  return error("Can't execute '" + std::string(row->name) +
               "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context");
}

// A transaction does not survive a command that was refused.
Reply refuse(const CommandRow* row, Session* session, WordsView argv) {
  Reply problem = refusal(row, argv);
  const bool is_exec = row != nullptr && row->run == exec;
  if (session != nullptr && is_exec) session->end_transaction();
  else if (session != nullptr && session->is_queueing) session->is_refused = true;
  if (!is_exec) return problem;
  constexpr std::size_t code_size = std::string_view("ERR ").size();
  return Reply::error("EXECABORT Transaction discarded because of: " + problem.text().substr(code_size));
}

// `session` is what the server remembers of the connection, if anything.
Reply execute_in_session(Server& server, Session* session, WordsView argv, WallTime now, MilliTicks now_ms,
                         Changes& changes, Caller& caller) {
  const CommandRow* row = find_row(argv);
  if (row == nullptr) server.note({not_simulated(argv)});
  if (server.is_cluster) [[unlikely]] {
    Reply refused = refuse_of_cluster(server, row, session, argv);
    if (refused.is_error()) return refused;
  }
  if (is_refused(row, session, argv)) return refuse(row, session, argv);
  if (session != nullptr && session->is_queueing && (row->flags & flag::at_once) == 0) {
    session->queued.emplace_back(argv);
    return Reply::status("QUEUED");
  }
  if ((row->flags & flag::connection) != 0 && !caller.connection) {
    server.note({row->name, over_shared});
    return error(std::string(row->name) + " needs a connection");
  }
  return run(*row, server, argv, now, now_ms, changes, caller);
}

}  // namespace

Reply execute_for_client(Server& server, WordsView argv, WallTime now, Changes& changes, Caller& caller) {
  INVARIANT(!argv.empty(), "a request has at least a name");
  const MilliTicks now_ms = to_milliticks(now.time_since_epoch().count());
  INVARIANT(now_ms >= 0, "Redis counts from the Unix epoch and marks keys without expiry with -1");
  Connections& connections = server.connections;
  const std::size_t first = changes.size();
  if (!is_time_dense()) server.keys.expire_due(now_ms, changes);
  const std::size_t first_own = changes.size();
  Session* session = nullptr;
  if (!connections.is_unused()) [[unlikely]] {
    connections.note_changes(changes, first);
    if (server.tells()) notify_expired(server, changes, first, caller.pushes);
    if (caller.connection) session = connections.find(*caller.connection);
  }
  Reply reply = execute_in_session(server, session, argv, now, now_ms, changes, caller);
  if (!connections.is_unused()) [[unlikely]] {
    if (!connections.ready.empty()) serve_waiters(server, changes, caller.pushes);
    connections.note_changes(changes, first_own);
    if (caller.connection) connections.tidy(*caller.connection);
  }
  return reply;
}

Reply execute_for_script(Invocation& outer, WordsView argv, Caller& caller, bool is_read_only) {
  INVARIANT(!argv.empty(), "the engine refuses a call without a name");
  const CommandRow* row = find_row(argv);
  if (row == nullptr) {
    outer.server.note({not_simulated(argv)});
    return error("Unknown Redis command called from script");
  }
  if (!row->takes(argv.size())) return error("Wrong number of args calling Redis command from script");
  if ((row->flags & flag::noscript) != 0) return error("This Redis command is not allowed from script");
  if (is_read_only && (row->flags & flag::write) != 0)
    return error("Write commands are not allowed from read-only scripts.");
  if (outer.server.is_cluster) [[unlikely]] {
    Reply refused = refused_by_cluster(outer, *row, argv);
    if (refused.is_error()) return refused;
  }
  return run_within(*row, outer, argv, caller);
}

Reply execute_queued(Invocation& outer, WordsView argv, Caller& caller) {
  const CommandRow* row = find_row(argv);
  INVARIANT(row != nullptr && row->takes(argv.size()), "what cannot be carried out is not queued");
  return run_within(*row, outer, argv, caller);
}

Reply wrong_type() {
  return Reply::error("WRONGTYPE Operation against a key holding the wrong kind of value");
}
Reply syntax_error() { return Reply::error("ERR syntax error"); }
Reply not_an_integer() { return Reply::error("ERR value is not an integer or out of range"); }
Reply wrong_arity(std::string_view name) {
  return Reply::error("ERR wrong number of arguments for '" + std::string(name) + "' command");
}
Reply invalid_expiry(std::string_view name) {
  return Reply::error("ERR invalid expire time in '" + std::string(name) + "' command");
}

Reply error(std::string_view text) {
  std::string line("ERR ");
  line.append(text.substr(0, text.find('\0')));
  line.erase(line.find_last_not_of("\r\n") + 1);
  std::replace_if(
      line.begin(), line.end(), [](char letter) { return letter == '\r' || letter == '\n'; }, ' ');
  return Reply::error(std::move(line));
}

}  // namespace holdfast::redis
