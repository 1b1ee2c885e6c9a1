// For tests: random words, and ways to put them together.
#pragma once

#include <gtest/gtest.h>

#include <rapidcheck.h>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::redis::random {

using Argv = std::vector<std::string>;
using Words = rc::Gen<Argv>;

// Below `limit`, all alike. (rc::gen::inRange alone begins with the small ones.)
inline std::size_t pick(std::size_t limit) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::size_t>(0, limit));
}

// Keys that usually hold a value of this type, and now and then any other.
inline rc::Gen<std::string> any_key() {
  return rc::gen::element<std::string>("a", "b", "c", "key:4", "", "list1", "list2", "set1", "set2", "zset1",
                                       "zset2", "hash1", "hash2");
}
inline rc::Gen<std::string> usually(rc::Gen<std::string> usual) {
  return rc::gen::weightedOneOf<std::string>({{9, std::move(usual)}, {1, any_key()}});
}
inline rc::Gen<std::string> key() {
  return usually(rc::gen::element<std::string>("a", "b", "c", "key:4", ""));
}
inline rc::Gen<std::string> list_key() { return usually(rc::gen::element<std::string>("list1", "list2")); }
inline rc::Gen<std::string> set_key() { return usually(rc::gen::element<std::string>("set1", "set2")); }
inline rc::Gen<std::string> zset_key() { return usually(rc::gen::element<std::string>("zset1", "zset2")); }
inline rc::Gen<std::string> hash_key() { return usually(rc::gen::element<std::string>("hash1", "hash2")); }

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
       // Short: Redis keeps a sorted set with a name of more than 64 bytes in another way, and then finds
       // other members by name where their scores differ.
       {1, rc::gen::resize(20, rc::gen::string<std::string>())}});
}

// Few, so that they meet again.
inline rc::Gen<std::string> element() {
  return rc::gen::weightedOneOf<std::string>(
      {{8, rc::gen::element<std::string>("x", "y", "z", "1", "2", "03", "")}, {1, text()}});
}
inline rc::Gen<std::string> score() {
  return rc::gen::weightedOneOf<std::string>(
      {{6, rc::gen::element<std::string>("-1", "0", "1", "2", "1.5", "3.14")},
       {1, rc::gen::element<std::string>("inf", "-inf", "+Inf", "nan", "1e400", "-1e400", "1e-400", "0x10",
                                         "-0", "1e20", "-.5", "5.", " 1", "1 ", "", "abc", "1e", "infinity",
                                         "9007199254740993", "1e17", "123456789012345678")}});
}
inline rc::Gen<std::string> score_bound() {
  return rc::gen::weightedOneOf<std::string>(
      {{6, rc::gen::element<std::string>("-inf", "+inf", "0", "1", "2", "(1", "(2", "(-1", "1.5", "(-inf")},
       {1, rc::gen::element<std::string>("", "(", "((1", "(inf", "nan", " 1", "1 ", "x",
                                         std::string("1\0x", 3))},
       {1, score()}});
}
inline rc::Gen<std::string> name_bound() {
  return rc::gen::weightedOneOf<std::string>(
      {{6, rc::gen::element<std::string>("-", "+", "[x", "(x", "[y", "(y", "[", "(", "[z", "(1", "[1")},
       {1, rc::gen::element<std::string>("", "x", "-x", "+x", "(-", "[+", std::string("-\0x", 3))}});
}
inline rc::Gen<std::string> position() {
  return rc::gen::weightedOneOf<std::string>(
      {{9, rc::gen::element<std::string>("0", "1", "2", "-1", "-2", "-3", "5", "100", "-100")},
       {1, number()}});
}
// How long to wait, in seconds: for ever, or so that a run waits for it, or hardly possible.
inline rc::Gen<std::string> patience() {
  return rc::gen::weightedElement<std::string>({{20, "0"},
                                                {20, "1000"},
                                                {10, "77.5"},
                                                {1, "0.03"},
                                                {1, "-1"},
                                                {1, "x"},
                                                {1, "inf"},
                                                {1, "nan"},
                                                {1, ""},
                                                {1, "1e17"},
                                                {1, "-0.0001"},
                                                {1, "9223372036854775"},
                                                {1, "1e5000"},
                                                {1, " 1"},
                                                {1, "0x100"}});
}
inline rc::Gen<std::string> channel() {
  return rc::gen::element<std::string>("ch1", "ch2", "ch3", "news", "");
}
inline rc::Gen<std::string> pattern() {
  return rc::gen::element<std::string>("ch*", "*", "ch[12]", "n?ws", "news");
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
      any_key(), text(), element(), score(), seconds(), second_of_epoch(),
      rc::gen::element<std::string>("NX", "xx", "Get", "EX", "px", "EXAT", "PXAT", "KEEPTTL", "PERSIST", "gt",
                                    "LT", "nx", "async", "LOAD", "exists", "LEFT", "right", "before", "limit",
                                    "withscores", "BYLEX", "byscore", "REV", "rank", "count", "maxlen",
                                    "incr", "CH", "[a", "(x", "+", "-", "(1"));
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

}  // namespace holdfast::redis::random
