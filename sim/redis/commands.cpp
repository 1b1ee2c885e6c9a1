// The table of commands, and the way from argv to a row of it.
#include <array>
#include <cstring>

#include "sim/core/invariant.hpp"
#include "sim/redis/command.hpp"
#include "sim/redis/families.hpp"

namespace holdfast::redis {
namespace {

using namespace flag;

// One row per command: name, arity, flags, function. Sorted by name.
constexpr std::array table{
    CommandRow{"append", 3, write, append},
    CommandRow{"dbsize", 1, none, dbsize},
    CommandRow{"decr", 2, write, decr},
    CommandRow{"decrby", 3, write, decrby},
    CommandRow{"del", -2, write, del},
    CommandRow{"echo", 2, none, echo},
    CommandRow{"eval", -3, noscript, eval},
    CommandRow{"eval_ro", -3, noscript, eval_ro},
    CommandRow{"evalsha", -3, noscript, evalsha},
    CommandRow{"evalsha_ro", -3, noscript, evalsha_ro},
    CommandRow{"exists", -2, none, exists},
    CommandRow{"expire", -3, write, expire},
    CommandRow{"expireat", -3, write, expireat},
    CommandRow{"expiretime", 2, none, expiretime},
    CommandRow{"flushall", -1, write, flush},
    CommandRow{"flushdb", -1, write, flush},
    CommandRow{"get", 2, none, get},
    CommandRow{"getdel", 2, write, getdel},
    CommandRow{"getex", -2, write, getex},
    CommandRow{"getset", 3, write, getset},
    CommandRow{"incr", 2, write, incr},
    CommandRow{"incrby", 3, write, incrby},
    CommandRow{"keys", 2, none, keys},
    CommandRow{"mget", -2, none, mget},
    CommandRow{"mset", -3, write, mset},
    CommandRow{"msetnx", -3, write, msetnx},
    CommandRow{"persist", 2, write, persist},
    CommandRow{"pexpire", -3, write, pexpire},
    CommandRow{"pexpireat", -3, write, pexpireat},
    CommandRow{"pexpiretime", 2, none, pexpiretime},
    CommandRow{"ping", -1, none, ping},
    CommandRow{"psetex", 4, write, psetex},
    CommandRow{"pttl", 2, none, pttl},
    CommandRow{"rename", 3, write, rename},
    CommandRow{"renamenx", 3, write, renamenx},
    CommandRow{"script", -2, noscript | container, nullptr},
    CommandRow{"script|exists", -3, noscript, script_exists},
    CommandRow{"script|flush", -2, noscript, script_flush},
    CommandRow{"script|kill", 2, noscript, script_kill},
    CommandRow{"script|load", 3, noscript, script_load},
    CommandRow{"set", -3, write, set},
    CommandRow{"setex", 4, write, setex},
    CommandRow{"setnx", 3, write, setnx},
    CommandRow{"strlen", 2, none, strlen},
    CommandRow{"time", 1, none, time},
    CommandRow{"touch", -2, none, exists},
    CommandRow{"ttl", 2, none, ttl},
    CommandRow{"type", 2, none, type},
    CommandRow{"unlink", -2, write, del},
};

constexpr bool is_before(const CommandRow& one, const CommandRow& other) { return one.name < other.name; }
static_assert(std::is_sorted(table.begin(), table.end(), is_before));

constexpr std::size_t longest_name = 16;

constexpr char to_lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// Where the names with each first letter begin, and after "z" where all end.
constexpr std::array<std::uint8_t, 27> first_letters = [] {
  std::array<std::uint8_t, 27> begins{};
  for (std::size_t letter = 0; letter < begins.size(); ++letter)
    while (begins[letter] < table.size() && table[begins[letter]].name[0] < static_cast<char>('a' + letter))
      ++begins[letter];
  return begins;
}();

// nullptr when there is no row of this name, in lower case.
const CommandRow* find_row_named(std::string_view name) {
  if (name.empty() || name[0] < 'a' || name[0] > 'z') return nullptr;
  const auto letter = static_cast<std::size_t>(name[0] - 'a');
  for (std::size_t i = first_letters[letter]; i < first_letters[letter + 1]; ++i)
    if (table[i].name == name) return &table[i];
  return nullptr;
}

// The same for `word` in any case. Unless `container_name` is empty, `word` is a subcommand of it.
const CommandRow* find_row(std::string_view container_name, std::string_view word) {
  std::array<char, 2 * longest_name + 1> name;
  if (word.size() > longest_name || word.find('|') != std::string_view::npos) return nullptr;
  std::size_t size = 0;
  for (const char letter : container_name) name[size++] = letter;
  if (!container_name.empty()) name[size++] = '|';
  for (const char letter : word) name[size++] = to_lower(letter);
  return find_row_named(std::string_view(name.data(), size));
}

// The row of the command, or of its subcommand; nullptr when there is none.
const CommandRow* find_row(const std::vector<std::string>& argv) {
  const CommandRow* row = find_row(std::string_view(), argv[0]);
  if (row == nullptr || (row->flags & container) == 0 || argv.size() == 1) return row;
  return find_row(row->name, argv[1]);
}

// The first `most` bytes of `text`, or what stands before a NUL there.
std::string_view excerpt(const std::string& text, std::size_t most) {
  return {text.data(), ::strnlen(text.c_str(), most)};
}

Reply unknown(const std::vector<std::string>& argv) {
  // 128: Redis shows so much of the name and, in all, about so much of the arguments.
  constexpr std::size_t most = 128;
  if (find_row(std::string_view(), argv[0]) != nullptr)
    return error("unknown subcommand '" + std::string(excerpt(argv[1], most)) + "'. Try SCRIPT HELP.");
  std::string shown;
  for (std::size_t i = 1; i < argv.size() && shown.size() < most; ++i) {
    const std::string_view part = excerpt(argv[i], most - shown.size());
    shown.append("'").append(part).append("' ");
  }
  return error("unknown command '" + std::string(excerpt(argv[0], most)) +
               "', with args beginning with: " + shown);
}

Reply run(const CommandRow& row, Server& server, const std::vector<std::string>& argv, WallTime now,
          std::int64_t now_ms, Changes& changes) {
  Invocation in{server, server.keys, argv, row, now, now_ms, changes};
  return row.run(in);
}

std::int64_t milliseconds_of(WallTime now) { return to_milliseconds(now.time_since_epoch()); }

}  // namespace

std::span<const CommandRow> all_commands() { return table; }

Reply execute_for_client(Server& server, const std::vector<std::string>& argv, WallTime now,
                         Changes& changes) {
  INVARIANT(!argv.empty(), "a request has at least a name");
  const std::int64_t now_ms = milliseconds_of(now);
  INVARIANT(now_ms >= 0, "Redis counts from the Unix epoch and marks keys without expiry with -1");
  server.keys.expire_due(now_ms, changes);
  const CommandRow* row = find_row(argv);
  if (row == nullptr) return unknown(argv);
  if (!row->takes(argv.size())) return wrong_arity(row->name);
  return run(*row, server, argv, now, now_ms, changes);
}

Reply execute_for_script(Server& server, const std::vector<std::string>& argv, WallTime now, Changes& changes,
                         bool is_read_only) {
  INVARIANT(!argv.empty(), "the engine refuses a call without a name");
  const CommandRow* row = find_row(argv);
  if (row == nullptr) return error("Unknown Redis command called from script");
  if (!row->takes(argv.size())) return error("Wrong number of args calling Redis command from script");
  if ((row->flags & noscript) != 0) return error("This Redis command is not allowed from script");
  if (is_read_only && (row->flags & write) != 0)
    return error("Write commands are not allowed from read-only scripts.");
  const std::int64_t now_ms = milliseconds_of(now);
  // Time stands still in a script, but it may itself have set a key to die in the past.
  server.keys.expire_due(now_ms, changes);
  return run(*row, server, argv, now, now_ms, changes);
}

bool is_command(const std::vector<std::string>& argv) { return find_row(argv) != nullptr; }

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
