// The names of events, as trace files and tables of events call them, in the order of What.
#include <array>
#include <variant>

#include "reports/story.hpp"

namespace holdfast::reports {
namespace {

constexpr std::array<std::string_view, std::variant_size_v<AnyEvent>> kind_ids{"started",
                                                                               "acquiring",
                                                                               "granted",
                                                                               "refused",
                                                                               "working",
                                                                               "wrote",
                                                                               "belief-ended",
                                                                               "releasing",
                                                                               "released",
                                                                               "slept",
                                                                               "finished",
                                                                               "sent",
                                                                               "executed",
                                                                               "delivered",
                                                                               "gave-up",
                                                                               "ignored",
                                                                               "key-changed",
                                                                               "crashed",
                                                                               "paused",
                                                                               "resumed",
                                                                               "message-fault",
                                                                               "slow-section",
                                                                               "clock-skewed",
                                                                               "server-restarted",
                                                                               "calm",
                                                                               "ended",
                                                                               "server-clock-set",
                                                                               "failed-over",
                                                                               "evicted",
                                                                               "partitioned",
                                                                               "cancelled",
                                                                               "pushed",
                                                                               "stuck",
                                                                               "acquired-again",
                                                                               "released-again",
                                                                               "looked-up",
                                                                               "fetching",
                                                                               "stored",
                                                                               "read",
                                                                               "server-recovered",
                                                                               "came-back",
                                                                               "left",
                                                                               "session-ended",
                                                                               "period-begun",
                                                                               "job-begun",
                                                                               "job-done",
                                                                               "period-over"};

}  // namespace

std::string_view kind_of(const Event& event) { return kind_ids[event.what.index()]; }

std::span<const std::string_view> event_kinds() { return kind_ids; }

}  // namespace holdfast::reports
