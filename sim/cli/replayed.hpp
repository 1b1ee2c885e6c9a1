// Whether a trace file says what happens: its run is executed and judged again.
#pragma once

#include <string>

#include "reports/trace_json.hpp"
#include "sim/explore/explore.hpp"

namespace holdfast::cli {

struct Replayed {
  Replay run;
  // Where the run leaves the recorded one, in one sentence; empty if it does not.
  std::string other_run = {};
  // What one of the file and the replay says of the same run and the other does not; empty if neither.
  std::string other_finding = {};
};

Replayed replayed(const reports::TraceFile& trace);

}  // namespace holdfast::cli
