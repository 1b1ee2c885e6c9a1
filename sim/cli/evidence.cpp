// What a comparison found, explained and saved: traces, and the matrix.
#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "reports/trace_json.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/compare.hpp"
#include "sim/cli/version.hpp"
#include "sim/explore/but_for.hpp"

namespace holdfast::cli {
namespace {

std::string matrix_file(const Extent& options) {
  return options.shard ? fmt::format("matrix.{}-of-{}.json", options.shard->index, options.shard->count)
                       : "matrix.json";
}

}  // namespace

void name_traces(const Extent& options, reports::Matrix& matrix, Saved& saved) {
  if (matrix.interrupted) saved.are_a_part(matrix_file(options));
  name_traces(saved.directory(), matrix);
}

void name_traces(const std::filesystem::path& directory, reports::Matrix& matrix) {
  for (reports::MatrixCell& cell : matrix.cells)
    for (reports::JudgedProperty& each : cell.properties) {
      if (!each.result.counterexample) continue;
      const std::string name = fmt::format("{}+{}+{}.trace.json", in_file_name(cell.algorithm),
                                           id_of(cell.fault), id_of(each.result.property));
      each.trace_file = (directory / name).string();
    }
}

void explain_counterexamples(const Threads& options, reports::Matrix& matrix,
                             const std::set<const Counterexample*>& told, Session& session) {
  std::vector<Unexplained> list;
  for (reports::MatrixCell& cell : matrix.cells)
    for (reports::JudgedProperty& each : cell.properties)
      if (std::optional<Counterexample>& example = each.result.counterexample)
        list.push_back({&each.scenario, algorithms::find(cell.algorithm), &*example,
                        told.contains(&*example) ? Detail::full : Detail::brief});
  if (session.is_interrupted()) return;
  session.begin_last_part();
  session.expect_jobs(list.size(), "counterexamples explained");
  explain_all(list, threads_of(options), session.budget(), [&] { session.note_done({}); });
  session.end_progress();
}

void save_traces(reports::Matrix& matrix, Saved& saved) {
  for (reports::MatrixCell& cell : matrix.cells)
    for (reports::JudgedProperty& each : cell.properties)
      if (!each.trace_file.empty())
        each.trace_file =
            saved.write(std::filesystem::path(each.trace_file).filename().string(),
                        reports::trace_json(each.scenario, *each.result.counterexample, version));
}

void save_matrix(const Extent& options, const reports::Matrix& matrix, Saved& saved) {
  std::ostringstream text;
  reports::write_matrix_json(matrix, text);
  saved.write(matrix_file(options), text.str());
}

void save_evidence(const MatrixOptions& options, reports::Matrix& matrix, Session& session) {
  Saved saved(options, true);
  name_traces(options, matrix, saved);
  explain_counterexamples(options, matrix, {}, session);
  save_traces(matrix, saved);
  saved.require_all();
}

}  // namespace holdfast::cli
