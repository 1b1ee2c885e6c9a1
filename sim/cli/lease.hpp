// The shortest lease for the times that a user names: what ttl tells, and choose recommends.
#pragma once

#include <string>

#include "sim/cli/lease_report.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/results.hpp"
#include "sim/cli/session.hpp"
#include "sim/core/lock.hpp"

namespace holdfast::cli {

// Why there is no such lease to be found for this lock; empty: there is one to look for.
std::string why_no_lease(const Card& card);

// Fine: as fine as closes. Coarse: a dozen steps, or half as many on several servers, to compare locks with
// each other, and fewer where these do not close; `session` is told of no lease.
enum class LeaseGrid : std::uint8_t { fine, coarse };

// A lease with more on a coarse grid is not decided: choose compares many locks. On several servers there are
// few to compare, and their messages have many orders.
inline std::uint64_t states_of_candidate(const Card& card) {
  return card.needs_several_servers() ? 10'000'000 : 1'000'000;
}

using LeaseOptions = GroupsOf<Conditions, Stepping, LockParams, ServerConfig, Threads, Running>;

// By --pause, --work, --rtt, --drift and --step. Throws UserError. REQUIRES: why_no_lease() is empty.
LeaseReport lease_report(const LeaseOptions& options, const Card& card, Session& session,
                         LeaseGrid grid = LeaseGrid::fine);

// Of a lock that no time ends: what holds of it in these conditions; `edge.holds` is about the time that they
// take together. REQUIRES: why_no_lease() is not empty.
LeaseReport leaseless_report(const LeaseOptions& options, const Card& card, Session& session);

// Saves what breaks one tick below.
void save_trace(LeaseReport& report, Saved& saved);

}  // namespace holdfast::cli
