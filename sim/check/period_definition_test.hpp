// What once-per-period means, said of a whole trace: which jobs were done, of whom, and who was there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "sim/trace/event.hpp"

namespace holdfast::definitions {

// Whether the client that begins a job here is dead before it ends, as far as is known at `now`.
inline bool dies_at_its_job(const std::vector<Event>& events, std::size_t begin, std::size_t now) {
  const auto& job = std::get<JobBegun>(events[begin].what);
  for (std::size_t i = begin + 1; i < now; ++i) {
    const auto* const done = std::get_if<JobDone>(&events[i].what);
    if (done != nullptr && done->acquisition == job.acquisition && done->period == job.period) return false;
    const auto* const crashed = std::get_if<Crashed>(&events[i].what);
    if (crashed != nullptr && crashed->client == job.acquisition.client) return true;
  }
  return false;
}

// Whether somebody has done the job of the period, or lives and is at it.
inline bool is_in_hand(const std::vector<Event>& events, std::uint32_t period, std::size_t now) {
  for (std::size_t i = 0; i < now; ++i) {
    const auto* const begun = std::get_if<JobBegun>(&events[i].what);
    if (begun != nullptr && begun->period == period && !dies_at_its_job(events, i, now)) return true;
  }
  return false;
}

inline bool breaks_once_per_period(const std::vector<Event>& events, std::size_t now) {
  if (const auto* const again = std::get_if<JobBegun>(&events[now].what))
    return is_in_hand(events, again->period, now);
  if (!std::holds_alternative<Calm>(events[now].what)) return false;
  return std::any_of(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(now),
                     [&](const Event& each) {
                       const auto* const over = std::get_if<PeriodOver>(&each.what);
                       return over != nullptr && !is_in_hand(events, over->period, now);
                     });
}

// The step at which the trace first breaks it.
inline std::optional<Step> breaks_once_per_period_at(const std::vector<Event>& events) {
  for (std::size_t now = 0; now < events.size(); ++now)
    if (breaks_once_per_period(events, now)) return events[now].step;
  return std::nullopt;
}

}  // namespace holdfast::definitions
