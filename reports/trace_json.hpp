// Trace files, holdfast/trace/1: a scenario, the tape of one of its runs, and what happened in it. One file
// replays alone, on any machine.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/check/result.hpp"
#include "sim/scenario/parse.hpp"

namespace holdfast::reports {

// Of a game: a run that a player chose.
struct PlayedGame {
  std::uint32_t faults = 0;          // how many the player had
  std::uint32_t shortest_known = 0;  // steps of the shortest violation with them; 0: none is known
};
template <class Visitor>
void describe(Visitor& v, PlayedGame& part) {
  v("faults", part.faults);
  v("shortest_known", part.shortest_known);
}

// `version` of holdfast: tells readers why a trace no longer replays.
std::string trace_json(const Scenario& scenario, const Counterexample& example, std::string_view version = {},
                       const std::optional<PlayedGame>& game = std::nullopt);

struct TraceFile {
  std::string version;
  Scenario scenario;
  Counterexample example;
  std::optional<PlayedGame> game;  // if it was one
  // The names of source files that the events point to; copies of this file share them.
  std::shared_ptr<const std::set<std::string, std::less<>>> source_files;
};

struct ParsedTrace {
  std::optional<TraceFile> trace;  // exactly when there is no problem
  std::vector<Problem> problems;   // in the order of the text
};

// Strict: unknown and missing keys are problems, and so are events that do not give the file's own
// fingerprint.
ParsedTrace parse_trace(std::string_view text, const std::string& file_name, const Known& known);

}  // namespace holdfast::reports
