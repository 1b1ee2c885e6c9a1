// What a command is made of, and what it is given to work with. The table of all commands stands in
// commands.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/command.hpp"
#include "sim/core/reply.hpp"
#include "sim/core/units.hpp"
#include "sim/stores/redis/connections.hpp"
#include "sim/stores/redis/keyspace.hpp"
#include "sim/stores/redis/not_simulated.hpp"

namespace holdfast::redis {

class Scripts;
struct Script;

// Everything that one server remembers.
struct Server {
  Keyspace keys;
  Connections connections;
  // What EVALSHA finds, in the order of loading. The scripts themselves belong to the engine.
  std::vector<const Script*> loaded;
  Scripts* scripts = nullptr;
  // How many replicas have every write as soon as it is done.
  std::int64_t replicas = 0;
  // The setting cluster-enabled (slots.hpp).
  bool is_cluster = false;
  // The setting notify-keyspace-events (notices.hpp): as it is, and as it is when the server starts.
  unsigned notices = 0;
  unsigned notices_at_start = 0;
  // A reply or a script was told the absolute time. Never forgotten.
  bool has_told_time = false;
  // What it was asked for first that is not simulated. Never forgotten.
  NotSimulated not_simulated;

  void note(NotSimulated found) {
    if (not_simulated.what.empty()) not_simulated = found;
  }
  // The first command that looked into a text, and whether a command or a script may have told texts apart
  // otherwise than as wholes. Never forgotten.
  std::string_view looked;
  bool has_told_apart = false;
  bool has_told_in_parts = false;  // by single signs

  // Whether anybody may hear what is told of keys.
  bool tells() const { return notices != 0 && !connections.sessions.empty(); }
  bool has_loaded(const Script* script) const {
    return std::find(loaded.begin(), loaded.end(), script) != loaded.end();
  }
};

struct CommandRow;

// The sender of a command.
struct Caller {
  // nullopt: a sender that can be told only the answer.
  std::optional<ConnectionId> connection;
  // What the command makes the server send. What goes to the caller itself goes there before the answer.
  Pushes& pushes;
  // False in a transaction: the command answers at once, with nothing.
  bool may_wait = false;
  // Set by a command that has no answer yet.
  bool is_waiting = false;
  // How many elements the collections had that commands looked into: a measure of their work.
  std::size_t elements = 0;
};

// One command being carried out.
struct Invocation {
  Server& server;
  Keyspace& keys;
  WordsView argv;
  const CommandRow& row;
  WallTime now;
  MilliTicks now_ms;
  Changes& changes;
  Caller& caller;

  std::size_t argc() const { return argv.size(); }
  std::string_view key() const { return argv[1]; }
};

namespace flag {
inline constexpr unsigned none = 0;
inline constexpr unsigned write = 1;       // refused to read-only scripts
inline constexpr unsigned noscript = 2;    // refused to all scripts
inline constexpr unsigned container = 4;   // argv[1] names a row "container|subcommand"
inline constexpr unsigned connection = 8;  // acts on the connection it comes from
inline constexpr unsigned at_once = 16;    // is never queued in a transaction
inline constexpr unsigned listening = 32;  // allowed to a connection that has subscribed to something
inline constexpr unsigned looks = 64;      // into texts, and not only compares them as wholes
inline constexpr unsigned orders = 128;    // puts texts in order
}  // namespace flag

struct CommandRow {
  std::string_view name;  // in lower case
  // Counts the name of the command and of the subcommand. Negative: at least so many.
  int arity;
  unsigned flags;
  Reply (*run)(Invocation& in);

  bool takes(std::size_t argc) const {
    return arity >= 0 ? argc == static_cast<std::size_t>(arity) : argc >= static_cast<std::size_t>(-arity);
  }
};

// One row per command, sorted by name.
std::span<const CommandRow> all_commands();

// The row of the command, or of its subcommand; nullptr when there is none.
const CommandRow* find_row(WordsView argv);

// What a client sent. Removes the keys that are dead at `now` first.
Reply execute_for_client(Server& server, WordsView argv, WallTime now, Changes& changes, Caller& caller);
// What the script that `outer` runs called, on behalf of `caller`; the error texts differ.
Reply execute_for_script(Invocation& outer, WordsView argv, Caller& caller, bool is_read_only);
// What the transaction that `outer` ends had queued.
Reply execute_queued(Invocation& outer, WordsView argv, Caller& caller);

// How a command that concerns its connection is not simulated.
inline constexpr std::string_view over_shared = " over the connection that all requests of a client share";

// Error replies as Redis 7.0.15 words them.
Reply unknown_command(WordsView argv);
Reply wrong_type();
Reply syntax_error();
Reply not_an_integer();
Reply wrong_arity(std::string_view name);
Reply invalid_expiry(std::string_view name);
// "ERR " and `text` up to its first NUL, kept on one line.
Reply error(std::string_view text);

// Compares as Redis does: without case, up to the first NUL. `word` is in lower case.
inline bool is_word(std::string_view argument, std::string_view word) {
  if (argument.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char given = argument[i];
    if (given != word[i] && !(given >= 'A' && given <= 'Z' && given - 'A' + 'a' == word[i])) return false;
  }
  return argument.size() == word.size() || argument[word.size()] == '\0';
}

}  // namespace holdfast::redis
