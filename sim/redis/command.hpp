// What a command is made of, and what it is given to work with. The table of all commands stands in
// commands.cpp.
#pragma once

#include <strings.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/reply.hpp"
#include "sim/core/units.hpp"
#include "sim/redis/keyspace.hpp"

namespace holdfast::redis {

class Scripts;
struct Script;

// Everything that one server remembers.
struct Server {
  Keyspace keys;
  // What EVALSHA finds, in the order of loading. The scripts themselves belong to the engine.
  std::vector<const Script*> loaded;
  Scripts* scripts = nullptr;
  // A reply or a script was told the absolute time. Never forgotten.
  bool has_told_time = false;

  bool has_loaded(const Script* script) const {
    return std::find(loaded.begin(), loaded.end(), script) != loaded.end();
  }
};

struct CommandRow;

// One command being carried out.
struct Invocation {
  Server& server;
  Keyspace& keys;
  const std::vector<std::string>& argv;
  const CommandRow& row;
  WallTime now;
  std::int64_t now_ms;
  Changes& changes;

  std::size_t argc() const { return argv.size(); }
  const std::string& key() const { return argv[1]; }
};

namespace flag {
inline constexpr unsigned none = 0;
inline constexpr unsigned write = 1;      // refused to read-only scripts
inline constexpr unsigned noscript = 2;   // refused to all scripts
inline constexpr unsigned container = 4;  // argv[1] names a row "container|subcommand"
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

// What a client sent. Removes the keys that are dead at `now` first.
Reply execute_for_client(Server& server, const std::vector<std::string>& argv, WallTime now,
                         Changes& changes);
// What a script called; the error texts differ.
Reply execute_for_script(Server& server, const std::vector<std::string>& argv, WallTime now, Changes& changes,
                         bool is_read_only);
// Whether a command or subcommand of this name exists.
bool is_command(const std::vector<std::string>& argv);

// Error replies as Redis 7.0.15 words them.
Reply wrong_type();
Reply syntax_error();
Reply not_an_integer();
Reply wrong_arity(std::string_view name);
Reply invalid_expiry(std::string_view name);
// "ERR " and `text` up to its first NUL, kept on one line.
Reply error(std::string_view text);

// Compares as Redis does: without case, up to the first NUL. `word` is in lower case.
inline bool is_word(const std::string& argument, const char* word) {
  return (argument.c_str()[0] | 0x20) == word[0] && ::strcasecmp(argument.c_str(), word) == 0;
}

}  // namespace holdfast::redis
