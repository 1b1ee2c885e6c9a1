// The title of a run and one line about it, the same in every view.
#pragma once

#include <string>

#include "reports/report.hpp"

namespace holdfast::reports {

// "token × pause".
std::string subject_of(const TraceView& trace);
// "token × pause: mutual-exclusion is violated".
std::string title_of(const TraceView& trace);
// "2 clients · ttl 4s · belief until-release · 14 steps".
std::string facts_of(const TraceView& trace);
// Findings are English. In other languages: what their property is about, and which two steps clash.
std::string because_of(const Finding& finding, Language language);

}  // namespace holdfast::reports
