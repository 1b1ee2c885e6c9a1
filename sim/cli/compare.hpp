// The exploration behind compare, for other commands that need its results.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <vector>

#include "reports/report.hpp"
#include "sim/cli/results.hpp"
#include "sim/cli/session.hpp"
#include "sim/explore/but_for.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/deepening.hpp"

namespace holdfast::cli {

// How the matrix of a command is explored.
struct MatrixOptions : GroupsOf<Exploring, Space, Pauses, LockParams, Extent> {
  using GroupsOf::GroupsOf;
  std::optional<reports::Terminal> watched;  // shows rows as they finish
};

// The cells that are explored, and where each belongs in the matrix.
struct Cells {
  std::vector<DeepCell> deep;
  std::vector<std::size_t> places;
};
// Each card under each chosen fault; adds them to the matrix. `options` must outlive the cells.
Cells cells_of(const MatrixOptions& options, const Comparison& comparison,
               const std::vector<const Card*>& cards, reports::Matrix& matrix);
// What is known by now.
void take_cells(const Cells& cells, reports::Matrix& matrix);
// Where traces are going to be: in this directory, or where the results of this command line are. Throws
// UserError.
void name_traces(const std::filesystem::path& directory, reports::Matrix& matrix);
void name_traces(const Extent& options, reports::Matrix& matrix, Saved& saved);
// In brief, but for those that are told.
void explain_counterexamples(const Threads& options, reports::Matrix& matrix,
                             const std::set<const Counterexample*>& told, Session& session);
// The matrix names those alone that are saved.
void save_traces(reports::Matrix& matrix, Saved& saved);
void save_matrix(const Extent& options, const reports::Matrix& matrix, Saved& saved);
// `card` under `fault` as the options want it; nothing: as scenario_at().
std::optional<Scenario> chosen_at(const MatrixOptions& options, const Comparison& comparison,
                                  const Scope& scope, const Card& card, Fault fault);

// Every one of these locks under every chosen fault, with costs. Throws UserError.
reports::Matrix explored_matrix(const MatrixOptions& options, const std::vector<const Card*>& cards,
                                Session& session);
// Explains the traces in brief, and saves them in the directory of this command line. Throws UserError.
void save_evidence(const MatrixOptions& options, reports::Matrix& matrix, Session& session);
// compare --stores: makes `how` ask its question. Throws UserError.
reports::Matrix explored_stores(const CompareOptions& options, MatrixOptions& how, Session& session);
// On stdout; `in_full`: as check prints it.
void print(const Output& options, const reports::Matrix& matrix, bool in_full);
// compare --traits. Throws UserError.
int compare_traits(const CompareOptions& options);

}  // namespace holdfast::cli
