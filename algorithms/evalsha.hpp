// How clients send a script by the digest of its text, and what they do when the server does not know it.
#pragma once

#include <string>

#include "sim/core/lock.hpp"
#include "sim/core/redis_client.hpp"
#include "sim/core/sha1.hpp"

namespace holdfast::algorithms {

// A server knows the scripts that it was sent since it began, or since SCRIPT FLUSH (Redis documentation,
// EVALSHA).
inline bool is_unknown_script(const Reply& reply) {
  return reply.is_error() && reply.text().starts_with("NOSCRIPT");
}

// By its digest, or whole where the server does not know it: what go-redis and redigo do.
inline Task<Reply> evalsha_or_eval(Env& env, std::string script, Keys keys, Args args, Where where) {
  const Reply reply = co_await Redis(env.store()).evalsha(sha1_hex(script), keys, args, where);
  if (!is_unknown_script(reply)) co_return reply;
  const Reply of_whole = co_await Redis(env.store()).eval(script, keys, args, where);
  co_return of_whole;
}

// By its digest; where the server does not know it, it is loaded first: what redis-py does.
inline Task<Reply> evalsha_or_load(Env& env, std::string script, Keys keys, Args args, Where where) {
  const std::string digest = sha1_hex(script);
  const Reply reply = co_await Redis(env.store()).evalsha(digest, keys, args, where);
  if (!is_unknown_script(reply)) co_return reply;
  const Reply loaded = co_await env.store().send(Command("SCRIPT", "LOAD", script), where);
  if (loaded.is_lost() || loaded.is_error()) co_return loaded;
  const Reply again = co_await Redis(env.store()).evalsha(digest, keys, args, where);
  co_return again;
}

}  // namespace holdfast::algorithms
