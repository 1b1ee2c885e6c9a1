// For tests: random commands. Every row of the table of commands has a shape here; a share of them is then
// spoilt.
#pragma once

#include <gtest/gtest.h>

#include <rapidcheck.h>
#include <cctype>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/redis/command.hpp"

namespace holdfast::redis::random {

using Argv = std::vector<std::string>;
using Words = rc::Gen<Argv>;

// Below `limit`, all alike. (rc::gen::inRange alone begins with the small ones.)
inline std::size_t pick(std::size_t limit) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::size_t>(0, limit));
}

inline rc::Gen<std::string> key() { return rc::gen::element<std::string>("a", "b", "c", "key:4", ""); }

inline rc::Gen<std::string> number() {
  return rc::gen::weightedOneOf<std::string>(
      {{4, rc::gen::map(rc::gen::inRange(-20, 20), [](int number) { return std::to_string(number); })},
       {2, rc::gen::element<std::string>("9223372036854775807", "-9223372036854775808", "9223372036854775806",
                                         "-9223372036854775807", "4611686018427387904")},
       {1, rc::gen::element<std::string>("", "-", "01", "+1", "-0", " 1", "1 ", "1.5", "1e3", "0x10", "abc",
                                         "00", "9223372036854775808", "-9223372036854775809",
                                         "99999999999999999999")}});
}

inline rc::Gen<std::string> text() {
  return rc::gen::weightedOneOf<std::string>(
      {{3, number()},
       {2, rc::gen::element<std::string>("", "token", "hello world", "line\r\nline\r\n",
                                         std::string("nul\0nul", 7), "\xff\xfe", "'quoted'", "%s%n")},
       {1, rc::gen::string<std::string>()}});
}

// Far enough away that no run comes near it, or so short that a run waits for it.
inline rc::Gen<std::string> seconds() {
  return rc::gen::element<std::string>("100", "200", "3600", "1000000");
}
inline rc::Gen<std::string> milliseconds() {
  return rc::gen::weightedElement<std::string>(
      {{1, "35"}, {1, "60"}, {30, "100000"}, {30, "200000"}, {30, "3600000"}});
}
inline rc::Gen<std::string> second_of_epoch() {
  return rc::gen::element<std::string>("1", "4102444800", "4102444801");
}
inline rc::Gen<std::string> millisecond_of_epoch() {
  return rc::gen::element<std::string>("1", "4102444800000", "4102444800499", "4102444800500");
}
inline rc::Gen<std::string> odd_time() {
  return rc::gen::oneOf(number(),
                        rc::gen::element<std::string>("0", "-1", "9223372036854775", "9223372036854776",
                                                      "-9223372036854775", "-9223372036854776"));
}
inline rc::Gen<std::string> mostly(rc::Gen<std::string> usual) {
  return rc::gen::weightedOneOf<std::string>({{9, std::move(usual)}, {1, odd_time()}});
}

inline rc::Gen<std::string> any_word() {
  return rc::gen::oneOf(
      key(), text(), seconds(), second_of_epoch(),
      rc::gen::element<std::string>("NX", "xx", "Get", "EX", "px", "EXAT", "PXAT", "KEEPTTL", "PERSIST", "gt",
                                    "LT", "nx", "async", "LOAD", "exists"));
}

inline Words one(rc::Gen<std::string> word) {
  return rc::gen::map(std::move(word), [](std::string made) { return Argv{std::move(made)}; });
}
inline Words word(std::string fixed) { return rc::gen::just(Argv{std::move(fixed)}); }
inline Words nothing() { return rc::gen::just(Argv()); }
inline Words join(std::vector<Words> parts) {
  return rc::gen::exec([parts = std::move(parts)] {
    Argv joined;
    for (const Words& part : parts)
      for (std::string& made : *part) joined.push_back(std::move(made));
    return joined;
  });
}
inline Words several(Words part, std::size_t least, std::size_t most) {
  return rc::gen::exec([part = std::move(part), least, most] {
    Argv joined;
    const std::size_t count = least + pick(most - least + 1);
    for (std::size_t i = 0; i < count; ++i)
      for (std::string& made : *part) joined.push_back(std::move(made));
    return joined;
  });
}
inline Words one_of(std::vector<Words> parts) {
  return rc::gen::exec([parts = std::move(parts)] { return *parts[pick(parts.size())]; });
}

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

inline std::map<std::string, Words> make_shapes() {
  const Words keys = several(one(key()), 1, 3);
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
      {"expire", join({one(key()), one(mostly(seconds())), expire_options})},
      {"expireat", join({one(key()), one(mostly(second_of_epoch())), expire_options})},
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
      {"pexpire", join({one(key()), one(mostly(milliseconds())), expire_options})},
      {"pexpireat", join({one(key()), one(mostly(millisecond_of_epoch())), expire_options})},
      {"ping", one_of({nothing(), one(text())})},
      {"psetex", join({one(key()), one(mostly(milliseconds())), one(text())})},
      {"rename", join({one(key()), one(key())})},
      {"renamenx", join({one(key()), one(key())})},
      {"script", one_of({nothing(), one(any_word())})},
      {"script|exists", several(sha(), 1, 3)},
      {"script|flush", one_of({nothing(), word("ASYNC"), word("sync")})},
      {"script|kill", nothing()},
      {"script|load", one(rc::gen::element<std::string>("return 1", "return ARGV[1]", "return 1 +"))},
      {"set", join({one(key()), one(text()), several(set_option(), 0, 3)})},
      {"setex", join({one(key()), one(mostly(seconds())), one(text())})},
      {"setnx", join({one(key()), one(text())})},
      {"touch", keys},
      {"unlink", keys},
      {"dbsize", nothing()},
      {"time", nothing()}};
}

inline Words shape_of(const std::string& name) {
  static const std::map<std::string, Words> shapes = make_shapes();
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

inline Words command_named(const std::string& name) {
  const Words words = shape_of(name);
  return rc::gen::exec([name, words] {
    Argv argv;
    const std::size_t bar = name.find('|');
    argv.push_back(name.substr(0, bar));
    if (bar != std::string::npos) argv.push_back(name.substr(bar + 1));
    for (std::string& made : *words) argv.push_back(std::move(made));
    if (pick(4) == 0)
      for (char& letter : argv[0])
        letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    if (pick(8) == 0) spoil(argv);
    return argv;
  });
}

inline Words command() {
  return rc::gen::exec([] {
    const auto rows = all_commands();
    return *command_named(std::string(rows[pick(rows.size())].name));
  });
}

}  // namespace holdfast::redis::random
