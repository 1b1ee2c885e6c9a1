// For tests: random commands. Every row of the table of commands has a shape here; a share of them is then
// spoilt.
#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "sim/live/agreement_test.hpp"
#include "sim/live/collection_shapes_test.hpp"
#include "sim/live/random_words_test.hpp"
#include "sim/stores/redis/command.hpp"

namespace holdfast::redis::random {

inline Words expiry_option() {
  return one_of({join({word("EX"), one(mostly(seconds()))}), join({word("px"), one(mostly(milliseconds()))}),
                 join({word("ExAt"), one(mostly(second_of_epoch()))}),
                 join({word("PXAT"), one(mostly(millisecond_of_epoch()))})});
}
inline Words set_option() {
  return one_of({word("NX"), word("xx"), word("GET"), word("KeepTTL"), expiry_option(), expiry_option()});
}
inline Words expire_option() { return one_of({word("NX"), word("xx"), word("GT"), word("lt")}); }
inline Words sha() {
  // Of "return 1", of "return ARGV[1]", of nothing, and too short.
  return one(rc::gen::element<std::string>(
      "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "E0E1F9FABFC9D4800C877A703B823AC0578FF8DB",
      "098e0f0d1448c0a81dafe820f66d460eb09263da", "ffffffffffffffffffffffffffffffffffffffff", "ffff"));
}

// A script that passes its arguments on as a command, and such arguments.
inline const std::vector<std::string>& passing_scripts() {
  static const std::vector<std::string> scripts{
      "return redis.call(unpack(ARGV))", "return redis.pcall(unpack(ARGV))",
      "local reply = redis.call(unpack(ARGV)) return reply",
      "local reply = redis.pcall(unpack(ARGV)) if type(reply) == 'table' and reply.err then return reply.err "
      "end return reply",
      "local ok, reply = pcall(redis.call, unpack(ARGV)) return reply"};
  return scripts;
}
inline Words command();
inline Words passing_script() {
  return rc::gen::exec([] {
    const std::vector<std::string>& scripts = passing_scripts();
    Argv argv{scripts[pick(scripts.size())], "0"};
    for (std::string& word : *command()) argv.push_back(std::move(word));
    return argv;
  });
}
inline Words plain_script() {
  return one_of(
      {join({word("return 1"), word("0")}), join({word("return ARGV[1]"), word("0"), one(text())}),
       join({word("return {KEYS, ARGV, #KEYS}"), word("1"), one(key()), one(text())}),
       join({word("redis.call('set', KEYS[1], ARGV[1]) return redis.call('get', KEYS[1])"), word("1"),
             one(key()), one(text())}),
       join({word("if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end "
                  "return 0"),
             word("1"), one(key()), one(text())}),
       join({word("redis.call('setnx', KEYS[1], 1)\nredis.call('expire', KEYS[1], ARGV[1])"), word("1"),
             one(key()), one(rc::gen::oneOf(seconds(), rc::gen::just<std::string>("1000.5")))}),
       join({word("return redis.call('incrby', KEYS[1], ARGV[1])"), word("1"), one(key()), one(number())}),
       join({word("return KEYS[1]"), one(number()), one(key()), one(key())}),
       join({one(rc::gen::element<std::string>("return x", "return 1 +", "x = 1", "#!lua\nreturn 1")),
             word("0")})});
}
inline Words eval_words() { return one_of({plain_script(), passing_script()}); }

inline rc::Gen<std::string> bit_place() {
  return rc::gen::weightedElement<std::string>({{6, "0"},
                                                {6, "1"},
                                                {6, "7"},
                                                {6, "8"},
                                                {6, "33"},
                                                {3, "100"},
                                                {1, "-1"},
                                                {1, "x"},
                                                {1, "4294967296"}});
}
inline Words field_of_bits() {
  const Words where =
      join({one(rc::gen::weightedElement<std::string>({{4, "i8"},
                                                       {4, "u8"},
                                                       {4, "u1"},
                                                       {4, "i64"},
                                                       {4, "u63"},
                                                       {4, "i5"},
                                                       {2, "u16"},
                                                       {1, "u64"},
                                                       {1, "I8"},
                                                       {1, "x"}})),
            one(rc::gen::oneOf(bit_place(), rc::gen::element<std::string>("#0", "#1", "#3", "#x")))});
  return one_of(
      {join({word("GET"), where}), join({word("set"), where, one(number())}),
       join({word("IncrBy"), where, one(number())}),
       join({word("OVERFLOW"), one(rc::gen::element<std::string>("wrap", "SAT", "fail", "FAIL", "x"))})});
}

inline Shapes bit_shapes() {
  return {
      {"setbit",
       join({one(key()), one(bit_place()), one(rc::gen::element<std::string>("0", "1", "1", "2"))})},
      {"getbit", join({one(key()), one(bit_place())})},
      {"bitcount",
       join({one(key()), maybe(join({one(position()), one(position()),
                                     maybe(one(rc::gen::element<std::string>("BIT", "byte", "x")))}))})},
      {"bitfield", join({one(key()), several(field_of_bits(), 0, 4)})},
      {"bitfield_ro",
       join({one(key()),
             several(one_of({join({word("get"), word("i8"), one(bit_place())}), field_of_bits()}), 0, 2)})},
      {"scan", join({walk(), maybe(join({word("TYPE"),
                                         one(rc::gen::element<std::string>("string", "HASH", "x"))}))})},
      {"select",
       one(rc::gen::weightedElement<std::string>({{20, "0"}, {1, "16"}, {1, "x"}, {1, "2147483648"}}))}};
}

inline Shapes plain_shapes() {
  const Words keys = several(one(any_key()), 1, 3);
  const Words pairs = several(join({one(key()), one(text())}), 1, 3);
  const Words expire_options = several(expire_option(), 0, 2);
  return {
      {"append", join({one(key()), one(text())})},
      {"decrby", join({one(key()), one(number())})},
      {"del", keys},
      {"echo", one(text())},
      {"eval", eval_words()},
      {"eval_ro", eval_words()},
      {"evalsha", join({sha(), word("0"), one(text())})},
      {"evalsha_ro", join({sha(), word("1"), one(key()), one(text())})},
      {"exists", keys},
      {"expire", join({one(any_key()), one(mostly(seconds())), expire_options})},
      {"expireat", join({one(any_key()), one(mostly(second_of_epoch())), expire_options})},
      {"flushall", one_of({nothing(), word("ASYNC"), word("sync")})},
      {"flushdb", one_of({nothing(), word("ASYNC"), word("sync")})},
      {"getex", join({one(key()), one_of({nothing(), word("Persist"), expiry_option()}),
                      one_of({nothing(), nothing(), expiry_option()})})},
      {"getset", join({one(key()), one(text())})},
      {"incrby", join({one(key()), one(number())})},
      {"keys", one(rc::gen::element<std::string>("*", "a", "?", "[a-c]", "key:*", "[^a]", "\\a", "*:?", ""))},
      {"mget", keys},
      {"mset", pairs},
      {"msetnx", pairs},
      {"pexpire", join({one(any_key()), one(mostly(milliseconds())), expire_options})},
      {"pexpireat", join({one(any_key()), one(mostly(millisecond_of_epoch())), expire_options})},
      {"ping", one_of({nothing(), one(text())})},
      {"psetex", join({one(any_key()), one(mostly(milliseconds())), one(text())})},
      {"rename", join({one(any_key()), one(any_key())})},
      {"renamenx", join({one(any_key()), one(any_key())})},
      {"script", one_of({nothing(), one(any_word())})},
      {"script|exists", several(sha(), 1, 3)},
      {"script|flush", one_of({nothing(), word("ASYNC"), word("sync")})},
      {"script|kill", nothing()},
      {"script|load", one(rc::gen::element<std::string>("return 1", "return ARGV[1]", "return 1 +"))},
      {"set", join({one(key()), one(text()), several(set_option(), 0, 3)})},
      {"setex", join({one(any_key()), one(mostly(seconds())), one(text())})},
      {"setnx", join({one(key()), one(text())})},
      {"touch", keys},
      {"unlink", keys},
      {"dbsize", nothing()},
      {"expiretime", one(any_key())},
      {"persist", one(any_key())},
      {"pexpiretime", one(any_key())},
      {"pttl", one(any_key())},
      {"ttl", one(any_key())},
      {"type", one(any_key())},
      {"time", nothing()}};
}

inline Words shape_of(const std::string& name) {
  static const Shapes shapes = [] {
    Shapes all = plain_shapes();
    all.merge(bit_shapes());
    all.merge(list_shapes());
    all.merge(set_shapes());
    all.merge(sorted_set_shapes());
    all.merge(hash_shapes());
    all.merge(connection_shapes());
    return all;
  }();
  const auto found = shapes.find(name);
  // All others take one key.
  return found == shapes.end() ? one(key()) : found->second;
}

// Drops, adds or replaces a word.
inline void spoil(Argv& argv) {
  const std::size_t place = pick(argv.size());
  switch (pick(3)) {
    case 0:
      if (place > 0) argv.erase(argv.begin() + static_cast<std::ptrdiff_t>(place));
      break;
    case 1: argv.insert(argv.begin() + static_cast<std::ptrdiff_t>(place) + 1, *any_word()); break;
    default: argv[place] = *any_word();
  }
}

// "script|load": the words of its name.
inline Argv name_words(std::string_view name) {
  const std::size_t bar = name.find('|');
  Argv words{std::string(name.substr(0, bar))};
  if (bar != std::string_view::npos) words.emplace_back(name.substr(bar + 1));
  return words;
}

inline Words command_named(const std::string& name) {
  const Words words = shape_of(name);
  return rc::gen::exec([name, words] {
    Argv argv = name_words(name);
    for (std::string& made : *words) argv.push_back(std::move(made));
    if (pick(4) == 0)
      for (char& letter : argv[0])
        letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    if (pick(10) == 0) spoil(argv);
    return argv;
  });
}

inline Words command() {
  return rc::gen::exec([] {
    const auto rows = all_commands();
    return *command_named(std::string(rows[pick(rows.size())].name));
  });
}
inline Words one_named(const std::vector<std::string>& names) {
  return command_named(names[pick(names.size())]);
}

// A command and which connection sends it. Without words: that connection ends.
struct Sent {
  std::size_t connection;
  std::vector<std::string> argv;
};
// For RapidCheck's reports.
inline void showValue(const Sent& sent, std::ostream& out) {
  out << "\n  " << sent.connection << ": " << show(sent.argv);
}
// What belongs together, but for what others send meanwhile.
using Exchange = std::vector<Sent>;

// A transaction, a subscription, or one connection that waits for another.
inline Exchange long_exchange(std::size_t connection, std::size_t other) {
  static const std::vector<std::string> writes{"set",  "del",    "lpush", "zadd",
                                               "hset", "expire", "incr",  "flushall"};
  static const std::vector<std::string> waits{"blpop",      "brpop",    "blmove",
                                              "brpoplpush", "bzpopmin", "bzpopmax"};
  static const std::vector<std::string> pushes{"lpush", "rpush", "zadd", "rename", "lmove", "exec"};
  Exchange exchange;
  const auto add = [&](std::size_t from, Words words) { exchange.push_back(Sent{from, *words}); };
  const std::size_t length = pick(5);
  switch (pick(4)) {
    case 0:
      if (pick(2) == 0) add(connection, command_named("watch"));
      if (pick(3) == 0) add(other, one_named(writes));
      add(connection, word("MULTI"));
      for (std::size_t i = 0; i < length; ++i) add(pick(4) == 0 ? other : connection, command());
      add(connection, word("EXEC"));
      break;
    case 1:
      add(connection, one_named({"subscribe", "psubscribe"}));
      for (std::size_t i = 0; i < length; ++i)
        add(pick(4) == 0 ? connection : other, one_named({"publish", "ping"}));
      add(connection, pick(2) == 0 ? one_named({"unsubscribe", "punsubscribe"}) : word("RESET"));
      break;
    case 2:
      add(other, command_named("config|set"));
      add(connection, join({word("psubscribe"), word("__key*__:*")}));
      for (std::size_t i = 0; i < 2 * length; ++i) add(other, command());
      add(connection, word("RESET"));
      break;
    default:
      add(connection, one_named(waits));
      for (std::size_t i = 0; i < length; ++i) add(other, one_named(pushes));
  }
  return exchange;
}

inline rc::Gen<Exchange> exchange(std::size_t connections) {
  return rc::gen::exec([connections] {
    const std::size_t connection = pick(connections);
    if (pick(12) == 0)
      return long_exchange(connection, (connection + 1 + pick(connections - 1)) % connections);
    // A connection that has subscribed, or forgotten its transaction, should not stay so for long.
    constexpr std::size_t odds_of_reset = 20;
    if (pick(odds_of_reset) == 0) return Exchange{Sent{connection, Argv{"RESET"}}};
    return Exchange{Sent{connection, pick(100) == 0 ? Argv() : *command()}};
  });
}

}  // namespace holdfast::redis::random
