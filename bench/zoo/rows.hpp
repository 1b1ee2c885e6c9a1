// What the rows of the table are written with.
#pragma once

#include <vector>

#include "bench/zoo/experiments.hpp"
#include "bench/zoo/zoo.hpp"

namespace holdfast::zoo {

// The rows, by hosts. Of leased: how it asks, and what it does when it is refused or not answered.
extern const std::vector<Planted> leased_rows;
extern const std::vector<Planted> releasing_rows;  // how it gives back, and how long it believes
extern const std::vector<Planted> waiting_rows;    // waiting, nested
extern const std::vector<Planted> renewed_rows;    // renewed, stamped
extern const std::vector<Planted> quorum_rows;
extern const std::vector<Planted> shared_rows;
extern const std::vector<Planted> numbered_rows;  // numbered, queued

inline constexpr FaultRule crash{.kind = Fault::crash};
inline constexpr FaultRule pause{.kind = Fault::pause};
inline constexpr FaultRule slow_section{.kind = Fault::slow_section};
inline constexpr FaultRule late_request{.kind = Fault::late_request};
inline constexpr FaultRule late_reply{.kind = Fault::late_reply};
inline constexpr FaultRule lost_request{.kind = Fault::lost_request};
inline constexpr FaultRule lost_reply{.kind = Fault::lost_reply};
inline constexpr FaultRule duplicate{.kind = Fault::duplicate};
inline constexpr FaultRule clock_skew{.kind = Fault::clock_skew};
inline constexpr FaultRule clock_jump{.kind = Fault::clock_jump};
inline constexpr FaultRule server_clock_jump{.kind = Fault::server_clock_jump};
inline constexpr FaultRule restart{.kind = Fault::restart};
inline constexpr FaultRule restart_with_data{.kind = Fault::restart, .loses = DataLoss::nothing};
inline constexpr FaultRule failover{.kind = Fault::failover};
inline constexpr FaultRule partition{.kind = Fault::partition};
inline constexpr FaultRule eviction{.kind = Fault::eviction};
inline constexpr FaultRule cancel{.kind = Fault::cancel};

// Each of them alone.
template <class... Rules>
std::vector<std::vector<FaultRule>> any_of(const Rules&... rules) {
  return {std::vector<FaultRule>{rules}...};
}
constexpr FaultRule twice(FaultRule rule) {
  rule.budget = 2;
  return rule;
}

}  // namespace holdfast::zoo
