// Scripts of locks whose libraries send digests: whole or by their digests, as a parameter says.
#pragma once

#include <string>

#include "algorithms/evalsha.hpp"

namespace holdfast::algorithms {

// A parameter `scripts` of locks whose libraries send digests: whole scripts cost what digests cost where the
// server knows them, one request each.
inline Parameter how_scripts_are_sent() {
  return {"scripts",
          Parameter::Kind::choice,
          "eval",
          "eval: whole, one request each, as where the server knows them; evalsha, as upstream: by their "
          "digests, and whole where the server does not know them",
          {"eval", "evalsha"}};
}

// As that parameter says.
inline Task<Reply> eval_or_evalsha(Env& env, bool by_digest, std::string script, Keys keys, Args args,
                                   Where where = Where::current()) {
  if (by_digest) {
    const Reply reply = co_await evalsha_or_eval(env, script, keys, args, where);
    co_return reply;
  }
  const Reply whole = co_await Redis(env.store()).eval(script, keys, args, where);
  co_return whole;
}

}  // namespace holdfast::algorithms
