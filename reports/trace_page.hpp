// The page of one run: pictures, each step with the store, the beliefs and the line of code, and the table of
// events.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "reports/report.hpp"

namespace holdfast::reports {

// The text of source files, by the names that traces know them by. Of a file that is missing here, pages show
// the place only.
using SourceTexts = std::map<std::string, std::string, std::less<>>;

// A question that the run was asked, and what would have come of every answer.
struct Move {
  std::uint32_t steps = 0;  // how many were made before it was asked
  std::string question;
  std::vector<std::string> options;
  std::uint32_t picked = 0;
};

// What a page tells beside the trace itself.
struct TracePageContext {
  std::string version;                          // of holdfast; empty: unknown
  std::string index;                            // the page of the whole comparison; empty: there is none
  std::vector<Move> moves;                      // for readers who want to find them themselves; may be empty
  std::optional<std::uint32_t> shortest_known;  // of a game: steps of the shortest violation that is known
  std::vector<KnownBug> bugs = {};  // of the lock, that break the property and are repaired somewhere
  // Of the comparison that `index` is of: locks that keep the property under the same fault.
  std::vector<std::string> keepers = {};
  // Where the page is served: for each step, by its place among those shown, the state after it, from where
  // another action can be taken. Empty elsewhere.
  std::vector<std::string> states = {};
  std::string card = {};  // the address of a picture for those who see only a link; empty: there is none
};

void write_trace_page(const TraceView& trace, const SourceTexts& sources, const TracePageContext& context,
                      std::ostream& out);

// A run of more steps than this is shown in parts: of each only the text is on the page until somebody goes
// there.
inline constexpr std::size_t steps_per_part = 200;
// Of a longer run, only so many steps up to its end are on the page; the strip shows all.
inline constexpr std::size_t steps_on_page = 20'000;

}  // namespace holdfast::reports
