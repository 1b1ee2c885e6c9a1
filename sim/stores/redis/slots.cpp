#include "sim/stores/redis/slots.hpp"

#include <algorithm>
#include <array>

#include "sim/stores/redis/families.hpp"
#include "sim/stores/redis/numbers.hpp"

namespace holdfast::redis {
namespace {

constexpr std::uint16_t slots = 16384;

// CRC-16/XMODEM.
std::uint16_t checksum(std::string_view text) {
  constexpr std::uint16_t polynomial = 0x1021;
  std::uint16_t sum = 0;
  for (const char letter : text) {
    sum = static_cast<std::uint16_t>(sum ^ (static_cast<unsigned char>(letter) << 8));
    for (int bit = 0; bit < 8; ++bit)
      sum = static_cast<std::uint16_t>((sum & 0x8000) != 0 ? (sum << 1) ^ polynomial : sum << 1);
  }
  return sum;
}

// Which words of a command are keys. Most take one, the first.
enum class Where : std::uint8_t { first, first_two, all, all_but_last, every_other, counted, none };
struct Place {
  std::string_view name;
  Where where;
};
constexpr auto places = std::to_array<Place>({{"blmove", Where::first_two},
                                              {"blpop", Where::all_but_last},
                                              {"brpop", Where::all_but_last},
                                              {"brpoplpush", Where::first_two},
                                              {"bzpopmax", Where::all_but_last},
                                              {"bzpopmin", Where::all_but_last},
                                              {"copy", Where::first_two},
                                              {"dbsize", Where::none},
                                              {"del", Where::all},
                                              {"discard", Where::none},
                                              {"echo", Where::none},
                                              {"eval", Where::counted},
                                              {"eval_ro", Where::counted},
                                              {"evalsha", Where::counted},
                                              {"evalsha_ro", Where::counted},
                                              {"exec", Where::none},
                                              {"exists", Where::all},
                                              {"flushall", Where::none},
                                              {"flushdb", Where::none},
                                              {"keys", Where::none},
                                              {"lmove", Where::first_two},
                                              {"mget", Where::all},
                                              {"mset", Where::every_other},
                                              {"msetnx", Where::every_other},
                                              {"multi", Where::none},
                                              {"ping", Where::none},
                                              {"psubscribe", Where::none},
                                              {"publish", Where::none},
                                              {"punsubscribe", Where::none},
                                              {"rename", Where::first_two},
                                              {"renamenx", Where::first_two},
                                              {"reset", Where::none},
                                              {"rpoplpush", Where::first_two},
                                              {"scan", Where::none},
                                              {"select", Where::none},
                                              {"smove", Where::first_two},
                                              {"subscribe", Where::none},
                                              {"time", Where::none},
                                              {"touch", Where::all},
                                              {"unlink", Where::all},
                                              {"unsubscribe", Where::none},
                                              {"unwatch", Where::none},
                                              {"wait", Where::none},
                                              {"watch", Where::all}});

Where where_of(const CommandRow& row) {
  if ((row.flags & flag::container) != 0 || row.name.find('|') != std::string_view::npos) return Where::none;
  const auto* const found =
      std::find_if(places.begin(), places.end(), [&](const Place& each) { return each.name == row.name; });
  return found == places.end() ? Where::first : found->where;
}

void add_range(std::vector<std::string_view>& keys, WordsView argv, std::size_t first, std::size_t end,
               std::size_t step = 1) {
  for (std::size_t i = first; i < end; i += step) keys.push_back(argv[i]);
}

void add_counted(std::vector<std::string_view>& keys, WordsView argv) {
  const std::optional<std::int64_t> count = to_integer(argv[2]);
  if (count && *count >= 1 && *count <= static_cast<std::int64_t>(argv.size()) - 3)
    add_range(keys, argv, 3, 3 + static_cast<std::size_t>(*count));
}

// False: they are in several.
bool are_in_one_slot(const std::vector<std::string_view>& keys) {
  return std::all_of(keys.begin(), keys.end(),
                     [&](std::string_view key) { return slot_of(key) == slot_of(keys.front()); });
}

Reply crossing() { return Reply::error("CROSSSLOT Keys in request don't hash to the same slot"); }

// What the answer is, depends on the node that is asked.
void note_of_node(Server& server, const CommandRow& row, WordsView argv) {
  constexpr std::string_view how = " in a cluster, where it concerns one of the nodes";
  static constexpr auto of_one_node = std::to_array<std::string_view>(
      {"config|get", "config|set", "dbsize", "flushall", "flushdb", "keys", "scan", "wait"});
  if (std::find(of_one_node.begin(), of_one_node.end(), row.name) != of_one_node.end())
    server.note({row.name, how});
  if (where_of(row) == Where::counted && to_integer(argv[2]) == 0)
    server.note({row.name, " without a key in a cluster, where any node may run it"});
  if (row.run != subscribe && row.run != psubscribe) return;
  for (std::size_t i = 1; i < argv.size(); ++i)
    if (argv[i].starts_with("__key")) server.note({"keyspace notifications", how});
}

}  // namespace

std::uint16_t slot_of(std::string_view key) {
  const std::size_t open = key.find('{');
  const std::size_t close = open == key.npos ? key.npos : key.find('}', open + 1);
  const bool has_tag = close != key.npos && close > open + 1;
  return checksum(has_tag ? key.substr(open + 1, close - open - 1) : key) % slots;
}

std::vector<std::string_view> keys_of(const CommandRow& row, WordsView argv) {
  std::vector<std::string_view> keys;
  switch (where_of(row)) {
    case Where::first: add_range(keys, argv, 1, 2); break;
    case Where::first_two: add_range(keys, argv, 1, 3); break;
    case Where::all: add_range(keys, argv, 1, argv.size()); break;
    case Where::all_but_last: add_range(keys, argv, 1, argv.size() - 1); break;
    case Where::every_other: add_range(keys, argv, 1, argv.size(), 2); break;
    case Where::counted: add_counted(keys, argv); break;
    case Where::none: break;
  }
  return keys;
}

Reply refused_by_cluster(Server& server, const CommandRow& row, const Session* session, WordsView argv) {
  note_of_node(server, row, argv);
  std::vector<std::string_view> keys = keys_of(row, argv);
  // A transaction is carried out by one node.
  if (row.run == exec && session != nullptr)
    for (const Command& queued : session->queued)
      for (const std::string_view key : keys_of(*find_row(queued.argv()), queued.argv())) keys.push_back(key);
  return are_in_one_slot(keys) ? Reply::nil() : crossing();
}

Reply refused_by_cluster(const Invocation& outer, const CommandRow& row, WordsView argv) {
  note_of_node(outer.server, row, argv);
  std::vector<std::string_view> keys = keys_of(row, argv);
  if (!keys.empty())
    for (const std::string_view given : keys_of(outer.row, outer.argv)) keys.push_back(given);
  if (are_in_one_slot(keys)) return Reply::nil();
  return error("Script attempted to access a non local key in a cluster node");
}

}  // namespace holdfast::redis
