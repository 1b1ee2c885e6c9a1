// The page of one run: pictures, each step with the store, the beliefs and the line of code, and the table of
// events.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <string_view>

#include "reports/report.hpp"

namespace holdfast::reports {

// The text of source files, by the names that traces know them by. Of a file that is missing here, pages show
// the place only.
using SourceTexts = std::map<std::string, std::string, std::less<>>;

struct TracePageLinks {
  std::string version;  // of holdfast; empty: unknown
  std::string index;    // the page of the whole comparison; empty: there is none
};

void write_trace_page(const TraceView& trace, const SourceTexts& sources, const TracePageLinks& links,
                      std::ostream& out);

// A run of more steps than this is shown in parts: of each only the text is on the page until somebody goes
// there.
inline constexpr std::size_t steps_per_part = 200;
// Of a longer run, only so many steps up to its end are on the page; the strip shows all.
inline constexpr std::size_t steps_on_page = 20'000;

}  // namespace holdfast::reports
