// The sessions that a lock object keeps while it holds something in them: one for each client that uses it.
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/core/postgres.hpp"

namespace holdfast::algorithms {

using Session = std::unique_ptr<PostgresSession>;

inline Session open_session(Env& env) { return std::make_unique<PostgresSession>(env.store()); }
// With a pooler in transaction mode before the server, or none.
inline Session open_session(Env& env, bool is_pooled) {
  if (!is_pooled) return open_session(env);
  return std::make_unique<PostgresSession>(env.store(), env.random);
}
inline bool is_pooled(const Params& params) { return params.choice("pooler") == "transaction"; }
inline Parameter parameter_of_pooler() {
  return {"pooler",
          Parameter::Kind::choice,
          "none",
          "what stands before the server; transaction: a pooler that gives a session to each transaction, as "
          "PgBouncer with pool_mode=transaction; simulated only",
          {"none", "transaction"}};
}

// PostgreSQL documentation, Appendix A. PostgreSQL Error Codes.
inline bool has_state(const Reply& reply, std::string_view state) {
  return reply.is_error() && reply.text().starts_with(state);
}

// COMMIT says ROLLBACK where the transaction had failed before (PostgreSQL documentation, COMMIT).
inline Release committed(const Reply& ended) {
  return ended.text() == "COMMIT" ? Release::released : Release::unknown;
}

// A session that is not kept is closed, as a pool closes one that it cannot trust, or gives it to others.
class HeldSessions {
 public:
  void keep(const Env& env, Session session) { held_.emplace_back(&env, std::move(session)); }
  // nullptr: none is kept.
  Session take(const Env& env) {
    const auto own =
        std::find_if(held_.begin(), held_.end(), [&](const auto& each) { return each.first == &env; });
    if (own == held_.end()) return nullptr;
    Session session = std::move(own->second);
    held_.erase(own);
    return session;
  }

 private:
  std::vector<std::pair<const Env*, Session>> held_;
};

}  // namespace holdfast::algorithms
