// The functions of the table of commands, by the file that defines them. Each is named as its command.
#pragma once

#include "sim/stores/redis/command.hpp"

namespace holdfast::redis {

// commands_keys.cpp
Reply copy(Invocation& in);
Reply del(Invocation& in);
Reply exists(Invocation& in);
Reply keys(Invocation& in);
Reply rename(Invocation& in);
Reply renamenx(Invocation& in);
Reply type(Invocation& in);

// commands_expiry.cpp
Reply expire(Invocation& in);
Reply expireat(Invocation& in);
Reply expiretime(Invocation& in);
Reply persist(Invocation& in);
Reply pexpire(Invocation& in);
Reply pexpireat(Invocation& in);
Reply pexpiretime(Invocation& in);
Reply pttl(Invocation& in);
Reply ttl(Invocation& in);

// commands_set.cpp
Reply getex(Invocation& in);
Reply psetex(Invocation& in);
Reply set(Invocation& in);
Reply setex(Invocation& in);
Reply setnx(Invocation& in);

// commands_bits.cpp
Reply bitcount(Invocation& in);
Reply bitfield(Invocation& in);
Reply bitfield_ro(Invocation& in);
Reply getbit(Invocation& in);
Reply setbit(Invocation& in);

// commands_scan.cpp
Reply hscan(Invocation& in);
Reply scan(Invocation& in);
Reply sscan(Invocation& in);
Reply zscan(Invocation& in);

// commands_strings.cpp
Reply append(Invocation& in);
Reply decr(Invocation& in);
Reply decrby(Invocation& in);
Reply get(Invocation& in);
Reply getdel(Invocation& in);
Reply getrange(Invocation& in);
Reply getset(Invocation& in);
Reply incr(Invocation& in);
Reply incrby(Invocation& in);
Reply mget(Invocation& in);
Reply mset(Invocation& in);
Reply msetnx(Invocation& in);
Reply setrange(Invocation& in);
Reply strlen(Invocation& in);

// commands_server.cpp
Reply dbsize(Invocation& in);
Reply echo(Invocation& in);
Reply flush(Invocation& in);
Reply ping(Invocation& in);
Reply select_database(Invocation& in);
Reply time(Invocation& in);

// commands_config.cpp
Reply config_get(Invocation& in);
Reply config_set(Invocation& in);

// commands_scripts.cpp
Reply eval(Invocation& in);
Reply eval_ro(Invocation& in);
Reply evalsha(Invocation& in);
Reply evalsha_ro(Invocation& in);
Reply script_exists(Invocation& in);
Reply script_flush(Invocation& in);
Reply script_kill(Invocation& in);
Reply script_load(Invocation& in);

// commands_hashes.cpp
Reply hdel(Invocation& in);
Reply hexists(Invocation& in);
Reply hget(Invocation& in);
Reply hgetall(Invocation& in);
Reply hincrby(Invocation& in);
Reply hkeys(Invocation& in);
Reply hlen(Invocation& in);
Reply hmget(Invocation& in);
Reply hset(Invocation& in);
Reply hsetnx(Invocation& in);
Reply hstrlen(Invocation& in);
Reply hvals(Invocation& in);

// commands_lists.cpp
Reply lindex(Invocation& in);
Reply linsert(Invocation& in);
Reply llen(Invocation& in);
Reply lmove(Invocation& in);
Reply lpop(Invocation& in);
Reply lpos(Invocation& in);
Reply lpush(Invocation& in);
Reply lpushx(Invocation& in);
Reply lrange(Invocation& in);
Reply lrem(Invocation& in);
Reply lset(Invocation& in);
Reply ltrim(Invocation& in);
Reply rpop(Invocation& in);
Reply rpoplpush(Invocation& in);
Reply rpush(Invocation& in);
Reply rpushx(Invocation& in);

// commands_sets.cpp
Reply sadd(Invocation& in);
Reply scard(Invocation& in);
Reply sismember(Invocation& in);
Reply smembers(Invocation& in);
Reply smismember(Invocation& in);
Reply smove(Invocation& in);
Reply spop(Invocation& in);
Reply srandmember(Invocation& in);
Reply srem(Invocation& in);

// commands_sorted_sets.cpp
Reply zadd(Invocation& in);
Reply zcard(Invocation& in);
Reply zincrby(Invocation& in);
Reply zmscore(Invocation& in);
Reply zpopmax(Invocation& in);
Reply zpopmin(Invocation& in);
Reply zrank(Invocation& in);
Reply zrem(Invocation& in);
Reply zrevrank(Invocation& in);
Reply zscore(Invocation& in);

// commands_sorted_ranges.cpp
Reply zcount(Invocation& in);
Reply zlexcount(Invocation& in);
Reply zrange(Invocation& in);
Reply zrangebylex(Invocation& in);
Reply zrangebyscore(Invocation& in);
Reply zremrangebylex(Invocation& in);
Reply zremrangebyrank(Invocation& in);
Reply zremrangebyscore(Invocation& in);
Reply zrevrange(Invocation& in);
Reply zrevrangebylex(Invocation& in);
Reply zrevrangebyscore(Invocation& in);

// commands_waiting.cpp
Reply blmove(Invocation& in);
Reply blpop(Invocation& in);
Reply brpop(Invocation& in);
Reply brpoplpush(Invocation& in);
Reply bzpopmax(Invocation& in);
Reply bzpopmin(Invocation& in);
Reply wait(Invocation& in);

// commands_channels.cpp
Reply psubscribe(Invocation& in);
Reply publish(Invocation& in);
Reply pubsub_channels(Invocation& in);
Reply pubsub_numpat(Invocation& in);
Reply pubsub_numsub(Invocation& in);
Reply punsubscribe(Invocation& in);
Reply subscribe(Invocation& in);
Reply unsubscribe(Invocation& in);

// commands_transactions.cpp
Reply client_id(Invocation& in);
Reply discard(Invocation& in);
Reply exec(Invocation& in);
Reply multi(Invocation& in);
Reply reset(Invocation& in);
Reply unwatch(Invocation& in);
Reply watch(Invocation& in);

// Answers commands that wait for a key that was created.
void serve_waiters(Server& server, Changes& changes, Pushes& pushes);
// Answers commands whose wait is over, the first to end first.
void end_waits_due(Server& server, MilliTicks now_ms, Pushes& pushes);
// "left" or "right".
std::optional<End> end_named(std::string_view word);

// Redis' setting proto-max-bulk-len, in bytes.
inline constexpr std::size_t longest_string = 512u * 1024 * 1024;

// The value of `key` if it is a string; nullptr with `problem` set if it is something else, unset if there is
// no key.
inline const std::string* string_at(Invocation& in, std::string_view key, bool& is_wrong_type) {
  const Entry* entry = in.keys.find(key);
  if (entry == nullptr) return nullptr;
  const std::string* text = std::get_if<std::string>(&entry->value);
  is_wrong_type = text == nullptr;
  return text;
}
// The bytes of this text are looked at: nobody knows those of a time.
inline void note_bytes(std::string_view text) {
  if (has_mark(text)) time_oracle->obstruct("a server looks into a text with a time in it");
}
inline const std::string* bytes_at(Invocation& in, bool& is_wrong_type) {
  const std::string* text = string_at(in, in.key(), is_wrong_type);
  if (text != nullptr) note_bytes(*text);
  return text;
}

}  // namespace holdfast::redis
