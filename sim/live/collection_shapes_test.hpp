// For tests: the shapes of random commands on lists, sets, sorted sets, hashes and connections.
#pragma once

#include <map>
#include <string>

#include "sim/live/random_words_test.hpp"

namespace holdfast::redis::random {

using Shapes = std::map<std::string, Words>;

inline Words maybe(Words words) { return one_of({nothing(), std::move(words)}); }
inline Words end_of_list() { return one(rc::gen::element<std::string>("LEFT", "right")); }

// What a walk through elements is given: all of them are fewer than the count.
inline Words walk() {
  const Words option =
      one_of({join({word("MATCH"), one(rc::gen::element<std::string>("*", "x*", "?", "[1-9]", ""))}),
              join({word("count"), one(rc::gen::element<std::string>("50", "1000", "50", "0", "x"))})});
  return join({one(rc::gen::weightedElement<std::string>(
                   {{30, "0"}, {1, ""}, {1, "x"}, {1, "00"}, {1, " 0"}, {1, "99999999999999999999"}})),
               several(option, 0, 2)});
}

inline Shapes list_shapes() {
  const Words key = one(list_key());
  const Words push = join({key, several(one(element()), 1, 4)});
  const Words pop = join({key, maybe(one(position()))});
  const Words range = join({key, one(position()), one(position())});
  const Words keys_to_wait_for = join({several(one(usually(list_key())), 1, 3), one(patience())});
  const Words zset_keys = join({several(one(zset_key()), 1, 3), one(patience())});
  const Words lpos_option =
      one_of({join({word("RANK"), one(position())}), join({word("count"), one(position())}),
              join({word("MaxLen"), one(position())})});
  return {{"lpush", push},
          {"rpush", push},
          {"lpushx", push},
          {"rpushx", push},
          {"lpop", pop},
          {"rpop", pop},
          {"llen", key},
          {"lindex", join({key, one(position())})},
          {"lset", join({key, one(position()), one(element())})},
          {"lrange", range},
          {"ltrim", range},
          {"lrem", join({key, one(position()), one(element())})},
          {"linsert", join({key, one(rc::gen::element<std::string>("BEFORE", "after")), one(element()),
                            one(element())})},
          {"lpos", join({key, one(element()), several(lpos_option, 0, 3)})},
          {"lmove", join({key, one(list_key()), end_of_list(), end_of_list()})},
          {"rpoplpush", join({key, one(list_key())})},
          {"blpop", keys_to_wait_for},
          {"brpop", keys_to_wait_for},
          {"blmove", join({key, one(list_key()), end_of_list(), end_of_list(), one(patience())})},
          {"brpoplpush", join({key, one(list_key()), one(patience())})},
          {"bzpopmin", zset_keys},
          {"bzpopmax", zset_keys}};
}

inline Shapes set_shapes() {
  const Words key = one(set_key());
  const Words members = join({key, several(one(element()), 1, 4)});
  return {
      {"sadd", members},
      {"srem", members},
      {"smismember", members},
      {"sismember", join({key, one(element())})},
      {"scard", key},
      {"smembers", key},
      {"sscan", join({key, walk()})},
      {"srandmember",
       join({key, one(rc::gen::element<std::string>("0", "100", "1", "x", "-3", "-9223372036854775808"))})},
      {"spop", join({key, one(rc::gen::element<std::string>("0", "100", "100", "1", "-1"))})},
      {"smove", join({key, one(set_key()), one(element())})}};
}

inline Shapes sorted_set_shapes() {
  const Words key = one(zset_key());
  const Words members = join({key, several(one(element()), 1, 4)});
  const Words zadd_option = one(rc::gen::element<std::string>("NX", "xx", "GT", "lt", "CH", "incr"));
  const Words scored = join({one(score()), one(element())});
  const Words limit = join({word("LIMIT"), one(position()), one(position())});
  const Words with_scores = word("WithScores");
  const Words by_rank = join({key, one(position()), one(position())});
  const Words by_score = join({key, one(score_bound()), one(score_bound())});
  const Words by_name = join({key, one(name_bound()), one(name_bound())});
  const Words options = join({maybe(with_scores), maybe(limit)});
  return {{"zadd", join({key, several(zadd_option, 0, 2), several(scored, 1, 3)})},
          {"zincrby", join({key, scored})},
          {"zrem", members},
          {"zmscore", members},
          {"zscore", join({key, one(element())})},
          {"zrank", join({key, one(element())})},
          {"zrevrank", join({key, one(element())})},
          {"zcard", key},
          {"zscan", join({key, walk()})},
          {"zpopmin", join({key, maybe(one(position()))})},
          {"zpopmax", join({key, maybe(one(position()))})},
          {"zcount", by_score},
          {"zlexcount", by_name},
          {"zremrangebyrank", by_rank},
          {"zremrangebyscore", by_score},
          {"zremrangebylex", by_name},
          {"zrevrange", join({by_rank, maybe(with_scores)})},
          {"zrangebyscore", join({by_score, options})},
          {"zrevrangebyscore", join({by_score, options})},
          {"zrangebylex", join({by_name, maybe(limit)})},
          {"zrevrangebylex", join({by_name, maybe(limit)})},
          {"zrange", one_of({join({by_rank, maybe(word("rev")), maybe(with_scores)}),
                             join({by_score, word("BYSCORE"), maybe(word("REV")), options}),
                             join({by_name, maybe(word("REV")), word("bylex"), maybe(limit)}),
                             join({by_rank, options, maybe(word("BYLEX"))})})}};
}

inline Shapes hash_shapes() {
  const Words key = one(hash_key());
  const Words fields = join({key, several(one(element()), 1, 4)});
  const Words pairs = join({key, several(join({one(element()), one(text())}), 1, 3)});
  return {{"hset", pairs},
          {"hmset", pairs},
          {"hsetnx", join({key, one(element()), one(text())})},
          {"hget", join({key, one(element())})},
          {"hmget", fields},
          {"hdel", fields},
          {"hexists", join({key, one(element())})},
          {"hstrlen", join({key, one(element())})},
          {"hincrby", join({key, one(element()), one(number())})},
          {"hgetall", key},
          {"hkeys", key},
          {"hvals", key},
          {"hscan", join({key, walk()})},
          {"hlen", key}};
}

inline Shapes connection_shapes() {
  return {
      {"multi", nothing()},
      {"exec", nothing()},
      {"discard", nothing()},
      {"unwatch", nothing()},
      {"reset", nothing()},
      {"watch", several(one(any_key()), 1, 3)},
      {"client", one_of({nothing(), one(any_word())})},
      {"client|id", nothing()},
      {"config", one_of({nothing(), one(any_word())})},
      {"config|get", several(word("notify-keyspace-events"), 1, 2)},
      {"config|set", join({word("notify-keyspace-events"),
                           one(rc::gen::weightedElement<std::string>({{8, "AKE"},
                                                                      {4, "Kg$"},
                                                                      {4, "Ex"},
                                                                      {4, "KEzl"},
                                                                      {4, ""},
                                                                      {4, "g"},
                                                                      {1, "KEq"},
                                                                      {1, "KEn"},
                                                                      {1, "KEtd$lshzxeg"}}))})},
      {"publish", join({one(channel()), one(text())})},
      {"subscribe", several(one(channel()), 1, 2)},
      {"psubscribe", several(one(pattern()), 1, 2)},
      {"unsubscribe", several(one(channel()), 0, 3)},
      {"punsubscribe", several(one(pattern()), 0, 3)},
      {"pubsub", one_of({nothing(), one(any_word())})},
      {"pubsub|channels", maybe(one(pattern()))},
      {"pubsub|numsub", several(one(channel()), 0, 3)},
      {"pubsub|numpat", nothing()},
      {"wait", join({one(position()), one(rc::gen::element<std::string>("0", "30", "70000", "-1", "x",
                                                                        "9223372036854775807", "1.5"))})}};
}

}  // namespace holdfast::redis::random
