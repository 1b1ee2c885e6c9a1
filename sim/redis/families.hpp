// The functions of the table of commands, by the file that defines them. Each is named as its command.
#pragma once

#include "sim/redis/command.hpp"

namespace holdfast::redis {

// commands_keys.cpp
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

// commands_strings.cpp
Reply append(Invocation& in);
Reply decr(Invocation& in);
Reply decrby(Invocation& in);
Reply get(Invocation& in);
Reply getdel(Invocation& in);
Reply getset(Invocation& in);
Reply incr(Invocation& in);
Reply incrby(Invocation& in);
Reply mget(Invocation& in);
Reply mset(Invocation& in);
Reply msetnx(Invocation& in);
Reply strlen(Invocation& in);

// commands_server.cpp
Reply dbsize(Invocation& in);
Reply echo(Invocation& in);
Reply flush(Invocation& in);
Reply ping(Invocation& in);
Reply time(Invocation& in);

// commands_scripts.cpp
Reply eval(Invocation& in);
Reply eval_ro(Invocation& in);
Reply evalsha(Invocation& in);
Reply evalsha_ro(Invocation& in);
Reply script_exists(Invocation& in);
Reply script_flush(Invocation& in);
Reply script_kill(Invocation& in);
Reply script_load(Invocation& in);

// The value of `key` if it is a string; nullptr with `problem` set if it is something else, unset if there is
// no key.
inline const std::string* string_at(Invocation& in, std::string_view key, bool& is_wrong_type) {
  const Entry* entry = in.keys.find(key);
  if (entry == nullptr) return nullptr;
  const std::string* text = std::get_if<std::string>(&entry->value);
  is_wrong_type = text == nullptr;
  return text;
}

}  // namespace holdfast::redis
