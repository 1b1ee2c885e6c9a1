// What the runs behind verdicts met: a verdict about what never happened is worth little.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "reports/report.hpp"

namespace holdfast::reports {

struct Exercise {
  bool Reach::* seen;
  std::string_view id;         // in matrices
  std::string_view sample_id;  // in samples
  std::string_view what;
  std::string_view never;
};
inline constexpr std::array exercises{
    Exercise{&Reach::contended, "refusal", "contention", "contention", "nobody was ever refused"},
    Exercise{&Reach::expired_held, "lease-ended", "expiry-while-held", "a lease that ended under its holder",
             "no key expired while its client believed that it held the lock"},
    Exercise{&Reach::gave_up, "gave-up", "timeout", "a client that stopped waiting",
             "nobody stopped waiting for an answer"},
    Exercise{&Reach::arrived_late, "late-arrival", "late-arrival",
             "a request that nobody waited for any more", "no request arrived after its client had given up"},
    Exercise{&Reach::calm_acquired, "recovered", "calm-grant", "a new client that got the lock",
             "nobody got the lock when all faults were over"}};

// The fault of the cell struck, but never while the lock was held.
bool struck_no_held_lock(const MatrixCell& cell);

// "contention in 21 of 36 cells", …; then which faults struck a held lock, and which never did.
std::vector<std::string> exercised_in_words(const Matrix& matrix);

}  // namespace holdfast::reports
