// The table of commands, and the way from argv to a row of it.
#include <algorithm>
#include <array>

#include "sim/core/invariant.hpp"
#include "sim/stores/redis/command.hpp"
#include "sim/stores/redis/families.hpp"

namespace holdfast::redis {
namespace {

using namespace flag;

// One row per command: name, arity, flags, function. Sorted by name.
constexpr std::array table{
    CommandRow{"append", 3, write | looks, append},
    CommandRow{"bitcount", -2, looks, bitcount},
    CommandRow{"bitfield", -2, write | looks, bitfield},
    CommandRow{"bitfield_ro", -2, looks, bitfield_ro},
    CommandRow{"blmove", 6, write | noscript, blmove},
    CommandRow{"blpop", -3, write | noscript, blpop},
    CommandRow{"brpop", -3, write | noscript, brpop},
    CommandRow{"brpoplpush", 4, write | noscript, brpoplpush},
    CommandRow{"bzpopmax", -3, write | noscript | orders, bzpopmax},
    CommandRow{"bzpopmin", -3, write | noscript | orders, bzpopmin},
    CommandRow{"client", -2, container, nullptr},
    CommandRow{"client|id", 2, noscript | connection, client_id},
    CommandRow{"config", -2, container, nullptr},
    CommandRow{"config|get", -3, noscript, config_get},
    CommandRow{"config|set", -4, noscript, config_set},
    CommandRow{"copy", -3, write, copy},
    CommandRow{"dbsize", 1, none, dbsize},
    CommandRow{"decr", 2, write, decr},
    CommandRow{"decrby", 3, write, decrby},
    CommandRow{"del", -2, write, del},
    CommandRow{"discard", 1, noscript | connection | at_once, discard},
    CommandRow{"echo", 2, none, echo},
    CommandRow{"eval", -3, noscript, eval},
    CommandRow{"eval_ro", -3, noscript, eval_ro},
    CommandRow{"evalsha", -3, noscript, evalsha},
    CommandRow{"evalsha_ro", -3, noscript, evalsha_ro},
    CommandRow{"exec", 1, noscript | connection | at_once, exec},
    CommandRow{"exists", -2, none, exists},
    CommandRow{"expire", -3, write, expire},
    CommandRow{"expireat", -3, write, expireat},
    CommandRow{"expiretime", 2, none, expiretime},
    CommandRow{"flushall", -1, write, flush},
    CommandRow{"flushdb", -1, write, flush},
    CommandRow{"get", 2, none, get},
    CommandRow{"getbit", 3, looks, getbit},
    CommandRow{"getdel", 2, write, getdel},
    CommandRow{"getex", -2, write, getex},
    CommandRow{"getrange", 4, looks, getrange},
    CommandRow{"getset", 3, write, getset},
    CommandRow{"hdel", -3, write, hdel},
    CommandRow{"hexists", 3, none, hexists},
    CommandRow{"hget", 3, none, hget},
    CommandRow{"hgetall", 2, none, hgetall},
    CommandRow{"hincrby", 4, write, hincrby},
    CommandRow{"hkeys", 2, none, hkeys},
    CommandRow{"hlen", 2, none, hlen},
    CommandRow{"hmget", -3, none, hmget},
    CommandRow{"hmset", -4, write, hset},
    CommandRow{"hscan", -3, orders, hscan},
    CommandRow{"hset", -4, write, hset},
    CommandRow{"hsetnx", 4, write, hsetnx},
    CommandRow{"hstrlen", 3, looks, hstrlen},
    CommandRow{"hvals", 2, none, hvals},
    CommandRow{"incr", 2, write, incr},
    CommandRow{"incrby", 3, write, incrby},
    CommandRow{"keys", 2, looks, keys},
    CommandRow{"lindex", 3, none, lindex},
    CommandRow{"linsert", 5, write, linsert},
    CommandRow{"llen", 2, none, llen},
    CommandRow{"lmove", 5, write, lmove},
    CommandRow{"lpop", -2, write, lpop},
    CommandRow{"lpos", -3, none, lpos},
    CommandRow{"lpush", -3, write, lpush},
    CommandRow{"lpushx", -3, write, lpushx},
    CommandRow{"lrange", 4, none, lrange},
    CommandRow{"lrem", 4, write, lrem},
    CommandRow{"lset", 4, write, lset},
    CommandRow{"ltrim", 4, write, ltrim},
    CommandRow{"mget", -2, none, mget},
    CommandRow{"mset", -3, write, mset},
    CommandRow{"msetnx", -3, write, msetnx},
    CommandRow{"multi", 1, noscript | connection | at_once, multi},
    CommandRow{"persist", 2, write, persist},
    CommandRow{"pexpire", -3, write, pexpire},
    CommandRow{"pexpireat", -3, write, pexpireat},
    CommandRow{"pexpiretime", 2, none, pexpiretime},
    CommandRow{"ping", -1, listening, ping},
    CommandRow{"psetex", 4, write, psetex},
    CommandRow{"psubscribe", -2, noscript | connection | listening, psubscribe},
    CommandRow{"pttl", 2, none, pttl},
    CommandRow{"publish", 3, write, publish},
    CommandRow{"pubsub", -2, container, nullptr},
    CommandRow{"pubsub|channels", -2, none, pubsub_channels},
    CommandRow{"pubsub|numpat", 2, none, pubsub_numpat},
    CommandRow{"pubsub|numsub", -2, none, pubsub_numsub},
    CommandRow{"punsubscribe", -1, noscript | connection | listening, punsubscribe},
    CommandRow{"rename", 3, write, rename},
    CommandRow{"renamenx", 3, write, renamenx},
    CommandRow{"reset", 1, noscript | connection | at_once | listening, reset},
    CommandRow{"rpop", -2, write, rpop},
    CommandRow{"rpoplpush", 3, write, rpoplpush},
    CommandRow{"rpush", -3, write, rpush},
    CommandRow{"rpushx", -3, write, rpushx},
    CommandRow{"sadd", -3, write, sadd},
    CommandRow{"scan", -2, looks, scan},
    CommandRow{"scard", 2, none, scard},
    CommandRow{"script", -2, container, nullptr},
    CommandRow{"script|exists", -3, noscript, script_exists},
    CommandRow{"script|flush", -2, noscript, script_flush},
    CommandRow{"script|kill", 2, noscript, script_kill},
    CommandRow{"script|load", 3, noscript, script_load},
    CommandRow{"select", 2, none, select_database},
    CommandRow{"set", -3, write, set},
    CommandRow{"setbit", 4, write | looks, setbit},
    CommandRow{"setex", 4, write, setex},
    CommandRow{"setnx", 3, write, setnx},
    CommandRow{"setrange", 4, write | looks, setrange},
    CommandRow{"sismember", 3, none, sismember},
    CommandRow{"smembers", 2, none, smembers},
    CommandRow{"smismember", -3, none, smismember},
    CommandRow{"smove", 4, write, smove},
    CommandRow{"spop", -2, write | orders, spop},
    CommandRow{"srandmember", -2, orders, srandmember},
    CommandRow{"srem", -3, write, srem},
    CommandRow{"sscan", -3, orders, sscan},
    CommandRow{"strlen", 2, looks, strlen},
    CommandRow{"subscribe", -2, noscript | connection | listening, subscribe},
    CommandRow{"substr", 4, looks, getrange},
    CommandRow{"time", 1, none, time},
    CommandRow{"touch", -2, none, exists},
    CommandRow{"ttl", 2, none, ttl},
    CommandRow{"type", 2, none, type},
    CommandRow{"unlink", -2, write, del},
    CommandRow{"unsubscribe", -1, noscript | connection | listening, unsubscribe},
    CommandRow{"unwatch", 1, noscript | connection, unwatch},
    CommandRow{"wait", 3, noscript, wait},
    CommandRow{"watch", -2, noscript | connection | at_once, watch},
    CommandRow{"zadd", -4, write | orders, zadd},
    CommandRow{"zcard", 2, none, zcard},
    CommandRow{"zcount", 4, none, zcount},
    CommandRow{"zincrby", 4, write, zincrby},
    CommandRow{"zlexcount", 4, looks, zlexcount},
    CommandRow{"zmscore", -3, none, zmscore},
    CommandRow{"zpopmax", -2, write | orders, zpopmax},
    CommandRow{"zpopmin", -2, write | orders, zpopmin},
    CommandRow{"zrange", -4, orders, zrange},
    CommandRow{"zrangebylex", -4, looks, zrangebylex},
    CommandRow{"zrangebyscore", -4, orders, zrangebyscore},
    CommandRow{"zrank", 3, orders, zrank},
    CommandRow{"zrem", -3, write, zrem},
    CommandRow{"zremrangebylex", 4, write | looks, zremrangebylex},
    CommandRow{"zremrangebyrank", 4, write | orders, zremrangebyrank},
    CommandRow{"zremrangebyscore", 4, write, zremrangebyscore},
    CommandRow{"zrevrange", -4, orders, zrevrange},
    CommandRow{"zrevrangebylex", -4, looks, zrevrangebylex},
    CommandRow{"zrevrangebyscore", -4, orders, zrevrangebyscore},
    CommandRow{"zrevrank", 3, orders, zrevrank},
    CommandRow{"zscan", -3, orders, zscan},
    CommandRow{"zscore", 3, none, zscore},
};

constexpr bool is_before(const CommandRow& one, const CommandRow& other) { return one.name < other.name; }
static_assert(std::is_sorted(table.begin(), table.end(), is_before));

constexpr char to_lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

constexpr char to_upper(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

// A name in lower case as two numbers, which compare faster than texts do. REQUIRES: it is not too long.
struct PackedName {
  static constexpr std::size_t longest = 16;
  std::uint64_t first = 0;
  std::uint64_t rest = 0;

  PackedName() = default;
  explicit constexpr PackedName(std::string_view name)
      : first(pack(name.substr(0, 8))), rest(name.size() > 8 ? pack(name.substr(8)) : 0) {}
  bool operator==(const PackedName&) const = default;

 private:
  static constexpr std::uint64_t pack(std::string_view letters) {
    std::uint64_t packed = 0;
    for (const char letter : letters) packed = packed << 8 | static_cast<unsigned char>(to_lower(letter));
    return packed;
  }
};

constexpr std::array<PackedName, table.size()> packed_names = [] {
  std::array<PackedName, table.size()> packed;
  for (std::size_t i = 0; i < table.size(); ++i) packed[i] = PackedName(table[i].name);
  return packed;
}();

// Rows by their names, for looking up: from the place of a name on, up to an empty place. Subcommands are not
// among them: they stand behind their command.
struct RowTable {
  static constexpr std::size_t places = 1024;
  static constexpr std::uint8_t none = 0xFF;
  static_assert(table.size() < none);

  static constexpr std::size_t place_of(const PackedName& name) {
    const std::uint64_t mixed = (name.first ^ name.rest * 31) * 0x9e3779b97f4a7c15;
    return static_cast<std::size_t>(mixed >> 54);
  }
  std::array<std::uint8_t, places> rows{};
};
constexpr RowTable row_table = [] {
  RowTable made;
  made.rows.fill(RowTable::none);
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name.find('|') != std::string_view::npos) continue;
    std::size_t place = RowTable::place_of(packed_names[i]);
    while (made.rows[place] != RowTable::none) place = (place + 1) % RowTable::places;
    made.rows[place] = static_cast<std::uint8_t>(i);
  }
  return made;
}();

// The row of this name, in any case; nullptr when there is none.
const CommandRow* row_named(std::string_view word) {
  if (word.size() > PackedName::longest) return nullptr;
  const PackedName name(word);
  for (std::size_t place = RowTable::place_of(name); row_table.rows[place] != RowTable::none;
       place = (place + 1) % RowTable::places) {
    const std::uint8_t row = row_table.rows[place];
    if (packed_names[row] == name && table[row].name.size() == word.size()) return &table[row];
  }
  return nullptr;
}

// The row of a subcommand; nullptr when there is none.
const CommandRow* row_of_subcommand(const CommandRow& command, std::string_view word) {
  const auto is_same = [](char given, char wanted) { return to_lower(given) == wanted; };
  for (const CommandRow* row = &command + 1; row != table.data() + table.size(); ++row) {
    if (!row->name.starts_with(command.name)) break;
    const std::string_view rest = row->name.substr(command.name.size());
    if (rest.front() == '|' && std::equal(word.begin(), word.end(), rest.begin() + 1, rest.end(), is_same))
      return row;
  }
  return nullptr;
}

// The first `most` bytes of `text`, or what stands before a NUL there.
std::string_view excerpt(std::string_view text, std::size_t most) {
  const std::string_view shown = text.substr(0, most);
  return shown.substr(0, shown.find('\0'));
}

}  // namespace

std::span<const CommandRow> all_commands() { return table; }

const CommandRow* find_row(WordsView argv) {
  const CommandRow* row = row_named(argv[0]);
  if (row == nullptr || (row->flags & container) == 0 || argv.size() == 1) return row;
  return row_of_subcommand(*row, argv[1]);
}

Reply unknown_command(WordsView argv) {
  // 128: Redis shows so much of the name and, in all, about so much of the arguments.
  constexpr std::size_t most = 128;
  const CommandRow* const row = row_named(argv[0]);
  std::string name(row != nullptr ? row->name : not_simulated(argv.first(1)));
  if (row != nullptr || (!name.empty() && not_simulated(argv).empty())) {
    for (char& letter : name) letter = to_upper(letter);
    return error("unknown subcommand '" + std::string(excerpt(argv[1], most)) + "'. Try " + name + " HELP.");
  }
  std::string shown;
  for (std::size_t i = 1; i < argv.size() && shown.size() < most; ++i) {
    const std::string_view part = excerpt(argv[i], most - shown.size());
    shown.append("'").append(part).append("' ");
  }
  return error("unknown command '" + std::string(excerpt(argv[0], most)) +
               "', with args beginning with: " + shown);
}

}  // namespace holdfast::redis
