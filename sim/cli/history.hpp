// What git keeps of a baseline's file: a version for each commit that changed it.
#pragma once

#include <string>
#include <vector>

#include "reports/history_page.hpp"
#include "sim/cli/baseline.hpp"

namespace holdfast::cli {

struct CommittedBaseline {
  reports::HistoryCommit commit;
  Baseline baseline;
};
// The oldest first; versions that cannot be read are left out and told on stderr. Throws UserError when the
// file is in no repository, or was never committed.
std::vector<CommittedBaseline> committed_versions(const std::string& file);

reports::History history_of(const std::string& name, const std::vector<CommittedBaseline>& versions);

// The commits that turned verdicts; then commit by commit what has changed: verdicts, then what a user pays.
void write_history_text(const std::vector<CommittedBaseline>& versions, bool with_counts, std::ostream& out,
                        const reports::Terminal& terminal);

}  // namespace holdfast::cli
