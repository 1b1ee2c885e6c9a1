#include "sim/stores/redis/notices.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace holdfast::redis {
namespace {

// In the order in which CONFIG GET shows them.
constexpr auto letters = std::to_array<std::pair<char, unsigned>>({{'g', notice::generic},
                                                                   {'$', notice::string},
                                                                   {'l', notice::list},
                                                                   {'s', notice::set},
                                                                   {'h', notice::hash},
                                                                   {'z', notice::zset},
                                                                   {'x', notice::expired},
                                                                   {'e', notice::evicted},
                                                                   {'t', notice::stream},
                                                                   {'d', notice::module},
                                                                   {'n', notice::fresh},
                                                                   {'K', notice::by_key},
                                                                   {'E', notice::by_event},
                                                                   {'m', notice::missed}});
constexpr unsigned all = notice::generic | notice::string | notice::list | notice::set | notice::hash |
                         notice::zset | notice::expired | notice::evicted | notice::stream | notice::module;
// In what 'A' stands for, and what it hides from CONFIG GET.
constexpr unsigned hidden = all | notice::fresh;

// What a command tells of the keys that it changes.
struct Told {
  std::string_view command;
  unsigned type;
  std::string_view event;
};
constexpr auto told = std::to_array<Told>({{"append", notice::string, "append"},
                                           {"bitfield", notice::string, "setbit"},
                                           {"bzpopmax", notice::zset, "zpopmax"},
                                           {"bzpopmin", notice::zset, "zpopmin"},
                                           {"blpop", notice::list, "lpop"},
                                           {"brpop", notice::list, "rpop"},
                                           {"copy", notice::generic, "copy_to"},
                                           {"decr", notice::string, "incrby"},
                                           {"decrby", notice::string, "incrby"},
                                           {"del", notice::generic, "del"},
                                           {"expire", notice::generic, "expire"},
                                           {"expireat", notice::generic, "expire"},
                                           {"getdel", notice::generic, "del"},
                                           {"getex", notice::generic, "expire"},
                                           {"getset", notice::string, "set"},
                                           {"hdel", notice::hash, "hdel"},
                                           {"hincrby", notice::hash, "hincrby"},
                                           {"hmset", notice::hash, "hset"},
                                           {"hset", notice::hash, "hset"},
                                           {"hsetnx", notice::hash, "hset"},
                                           {"incr", notice::string, "incrby"},
                                           {"incrby", notice::string, "incrby"},
                                           {"linsert", notice::list, "linsert"},
                                           {"lpop", notice::list, "lpop"},
                                           {"lpush", notice::list, "lpush"},
                                           {"lpushx", notice::list, "lpush"},
                                           {"lrem", notice::list, "lrem"},
                                           {"lset", notice::list, "lset"},
                                           {"ltrim", notice::list, "ltrim"},
                                           {"mset", notice::string, "set"},
                                           {"msetnx", notice::string, "set"},
                                           {"persist", notice::generic, "persist"},
                                           {"pexpire", notice::generic, "expire"},
                                           {"pexpireat", notice::generic, "expire"},
                                           {"psetex", notice::string, "set"},
                                           {"rpop", notice::list, "rpop"},
                                           {"rpush", notice::list, "rpush"},
                                           {"rpushx", notice::list, "rpush"},
                                           {"sadd", notice::set, "sadd"},
                                           {"set", notice::string, "set"},
                                           {"setbit", notice::string, "setbit"},
                                           {"setex", notice::string, "set"},
                                           {"setnx", notice::string, "set"},
                                           {"setrange", notice::string, "setrange"},
                                           {"spop", notice::set, "spop"},
                                           {"srem", notice::set, "srem"},
                                           {"unlink", notice::generic, "del"},
                                           {"zadd", notice::zset, "zadd"},
                                           {"zincrby", notice::zset, "zincr"},
                                           {"zpopmax", notice::zset, "zpopmax"},
                                           {"zpopmin", notice::zset, "zpopmin"},
                                           {"zrem", notice::zset, "zrem"},
                                           {"zremrangebylex", notice::zset, "zremrangebylex"},
                                           {"zremrangebyrank", notice::zset, "zremrangebyrank"},
                                           {"zremrangebyscore", notice::zset, "zremrangebyscore"}});

const Told* told_by(std::string_view command) {
  const auto* const found =
      std::find_if(told.begin(), told.end(), [&](const Told& each) { return each.command == command; });
  return found == told.end() ? nullptr : &*found;
}

void tell(const Server& server, unsigned type, const std::string& event, const std::string& key,
          Pushes& pushes) {
  if ((server.notices & type) == 0) return;
  if ((server.notices & notice::by_key) != 0) send_to_channel(server, "__keyspace@0__:" + key, event, pushes);
  if ((server.notices & notice::by_event) != 0)
    send_to_channel(server, "__keyevent@0__:" + event, key, pushes);
}

// A value of which the last element is taken is gone, too.
void tell_of(const Server& server, unsigned type, std::string_view event, const Change& change,
             Pushes& pushes) {
  const bool is_gone = change.kind == Change::Kind::removed;
  if (!is_gone || type != notice::generic) tell(server, type, std::string(event), change.key, pushes);
  if (is_gone) tell(server, notice::generic, "del", change.key, pushes);
}

bool has_word(const Invocation& in, std::size_t first, std::initializer_list<std::string_view> wanted) {
  for (std::size_t i = first; i < in.argc(); ++i)
    for (const std::string_view word : wanted)
      if (is_word(in.argv[i], word)) return true;
  return false;
}

// SET of any kind that says how long the key lives.
bool sets_expiry(const Invocation& in) {
  if (in.row.name == "setex" || in.row.name == "psetex") return true;
  return in.row.name == "set" && has_word(in, 3, {"ex", "px", "exat", "pxat"});
}

// Options stand before the first score.
bool counts_up(const Invocation& in) {
  for (std::size_t i = 2; i < in.argc(); ++i) {
    if (is_word(in.argv[i], "incr")) return true;
    const auto is_option = [&](std::string_view word) { return is_word(in.argv[i], word); };
    if (!is_option("nx") && !is_option("xx") && !is_option("gt") && !is_option("lt") && !is_option("ch"))
      return false;
  }
  return false;
}

// Two keys, the first of which gave something to the second.
bool notify_of_move(const Invocation& in, std::span<const Change> changes) {
  const std::string_view name = in.row.name;
  const auto tell_one = [&](unsigned type, std::string_view event, const Change& change) {
    tell_of(in.server, type, event, change, in.caller.pushes);
  };
  if (name == "smove") {
    tell_one(notice::set, "srem", changes.front());
    for (const Change& change : changes.subspan(1)) tell_one(notice::set, "sadd", change);
    return true;
  }
  if (name == "rename" || name == "renamenx") {
    tell(in.server, notice::generic, "rename_from", std::string(in.argv[1]), in.caller.pushes);
    tell(in.server, notice::generic, "rename_to", std::string(in.argv[2]), in.caller.pushes);
    return true;
  }
  const bool moves_to_first = name == "rpoplpush" || name == "brpoplpush";
  if (!moves_to_first && name != "lmove" && name != "blmove") return false;
  const bool from_first = !moves_to_first && is_word(in.argv[3], "left");
  const bool to_first = moves_to_first || is_word(in.argv[4], "left");
  tell_one(notice::list, to_first ? "lpush" : "rpush", changes.front());
  for (const Change& change : changes.subspan(1))
    tell_one(notice::list, from_first ? "lpop" : "rpop", change);
  return true;
}

}  // namespace

std::optional<unsigned> notices_named(std::string_view named) {
  unsigned notices = 0;
  for (const char letter : named) {
    const auto* const found =
        std::find_if(letters.begin(), letters.end(), [&](const auto& each) { return each.first == letter; });
    if (letter == 'A') notices |= all;
    else if (found != letters.end()) notices |= found->second;
    else return std::nullopt;
  }
  return notices;
}

std::string letters_of(unsigned notices) {
  const bool has_all = (notices & all) == all;
  std::string shown = has_all ? "A" : "";
  for (const auto& [letter, bit] : letters)
    if ((notices & bit) != 0 && !(has_all && (bit & hidden) != 0)) shown += letter;
  return shown;
}

void notify(const Invocation& in, std::size_t first) {
  const std::span<const Change> changes = std::span(in.changes).subspan(first);
  if (changes.empty() || notify_of_move(in, changes)) return;
  const Told* const row = told_by(in.row.name);
  if (row == nullptr) return;
  for (const Change& change : changes) {
    std::string_view event = row->event;
    // What it replaces goes without a word.
    if (in.row.name == "copy" && change.kind == Change::Kind::removed) continue;
    if (in.row.name == "zadd" && counts_up(in)) event = "zincr";
    if (in.row.name == "getex" && has_word(in, 2, {"persist"})) event = "persist";
    tell_of(in.server, row->type, event, change, in.caller.pushes);
  }
  if (sets_expiry(in)) tell(in.server, notice::generic, "expire", std::string(in.key()), in.caller.pushes);
}

void notify_served(const Server& server, const Waiter& waiter, const Changes& changes, std::size_t first,
                   Pushes& pushes) {
  const std::span<const Change> served = std::span(changes).subspan(first);
  if (served.empty()) return;
  const bool from_first = waiter.from == End::first;
  if (waiter.kind == Waiter::Kind::sorted_set)
    return tell_of(server, notice::zset, from_first ? "zpopmin" : "zpopmax", served.front(), pushes);
  if (waiter.moves)
    tell_of(server, notice::list, waiter.to == End::first ? "lpush" : "rpush", served.front(), pushes);
  for (const Change& change : served.subspan(waiter.moves ? 1 : 0))
    tell_of(server, notice::list, from_first ? "lpop" : "rpop", change, pushes);
}

void notify_expired(const Server& server, const Changes& changes, std::size_t first, Pushes& pushes) {
  for (const Change& change : std::span(changes).subspan(first))
    if (change.kind == Change::Kind::expired) tell(server, notice::expired, "expired", change.key, pushes);
}

void notify_evicted(const Server& server, std::string_view key, Pushes& pushes) {
  tell(server, notice::evicted, "evicted", std::string(key), pushes);
}

}  // namespace holdfast::redis
