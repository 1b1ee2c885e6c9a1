// A pooler in transaction mode before a PostgreSQL: a client has one of its sessions for as long as a
// transaction lasts, and for each statement outside of one; then another client may have it.
//
// PgBouncer documentation, Features, "Transaction pooling"; config.md, pool_mode. Which of the idle sessions
// a client is given depends on what all others do, so the client's words say which it is. A client that
// leaves in the middle of a transaction takes its session along; all others stay, with what they hold, as
// long as the server lives. A restart of that ends clients' connections, too. Not modelled:
// server_reset_query_always, limits, clients that wait for a session.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/core/session.hpp"

namespace holdfast::sql {

class Pooler {
 public:
  // Ids of the pooler's own sessions are above those of any client.
  static bool is_own(ConnectionId session) { return session.value > above; }

  // For one transaction, or what is left of it: the session `which`, counted from 1, or else the next that no
  // other client has.
  ConnectionId session_for(ConnectionId client, std::uint32_t which) {
    if (const ConnectionId had = session_of(client); had.value != 0) return had;
    for (std::uint32_t next = which; is_taken({above + next}); ++next) which = next + 1;
    taken_.emplace_back(client, ConnectionId{above + which});
    return taken_.back().second;
  }
  void give_back_idle(const auto& is_idle) {
    std::erase_if(taken_, [&](const auto& each) { return is_idle(each.second); });
  }
  void forget_all() { taken_.clear(); }
  // 0: none.
  ConnectionId session_of(ConnectionId client) const {
    const auto found =
        std::find_if(taken_.begin(), taken_.end(), [&](const auto& each) { return each.first == client; });
    return found == taken_.end() ? ConnectionId{} : found->second;
  }
  // Whose it is now; 0: nobody's. Of a session that is not of the pooler, itself.
  ConnectionId client_of(ConnectionId session) const {
    if (!is_own(session)) return session;
    const auto found =
        std::find_if(taken_.begin(), taken_.end(), [&](const auto& each) { return each.second == session; });
    return found == taken_.end() ? ConnectionId{} : found->first;
  }

 private:
  static constexpr std::uint32_t above = 1u << 30;
  bool is_taken(ConnectionId session) const { return client_of(session).value != 0; }
  std::vector<std::pair<ConnectionId, ConnectionId>> taken_;  // client, session
};

}  // namespace holdfast::sql
