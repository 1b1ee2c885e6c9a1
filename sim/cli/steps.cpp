#include "sim/cli/steps.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <optional>
#include <span>
#include <utility>

#include "reports/verdicts.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/first_rows.hpp"
#include "sim/cli/shares.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/deepening.hpp"

namespace holdfast::cli {
namespace {

class Deepener {
 public:
  Deepener(const MatrixOptions& options, Cells& cells, reports::Matrix& matrix, Session& session)
      : options_(options),
        cells_(cells),
        matrix_(matrix),
        session_(session),
        rows_(each(&reports::MatrixCell::algorithm, cells, matrix),
              each(&reports::MatrixCell::fault, cells, matrix)) {}

  void explore(const std::vector<Scope>& scopes) {
    is_alone_ = scopes.size() == 1;
    session_.expect_parts(shares_of(scopes));
    if (can_begin_small())
      explore_within({std::span(scopes).first(1), first_states, 0}, session_.shared_budget());
    explore_within(usual_deepening(scopes), session_.shared_budget());
    if (options_.watched && steps_ == 1) std::cout << "\n";
    if (options_.deepen && !is_alone_) go_on(scopes);
    take_cells(cells_, matrix_);
  }

 private:
  // What closes within so few makes the first matrix, within seconds.
  static constexpr std::uint64_t first_states = 4 * 1024;

  // A search that is saved or shared among processes is begun once, as is one of a program.
  bool can_begin_small() {
    const Budget budget = session_.shared_budget();
    const auto is_program = [](const DeepCell& cell) { return cell.card->is_guest; };
    return !is_alone_ && budget.checkpoints == nullptr && budget.ranks == nullptr &&
           std::none_of(cells_.deep.begin(), cells_.deep.end(), is_program);
  }

  std::size_t explore_within(const Deepening& how, const Budget& budget) {
    const std::size_t explored = deepen(
        cells_.deep, how, threads_of(options_), budget,
        [&](const Scope& scope, std::size_t jobs) {
          if (++steps_ == 2) show_first();
          if (!is_going_on_) session_.begin_part(part_of(how.scopes, scope));
          const std::string noun = is_alone_ ? "cells" : "cells with " + reports::scope_in_words(scope);
          session_.expect_jobs(jobs, noun);
        },
        [&](std::size_t cell, const Exploration& done) {
          if (steps_ == 1 && options_.watched) show_row(cell, done);
          session_.note_done(done);
        });
    session_.end_progress();
    return explored;
  }

  template <class Value>
  static std::vector<Value> each(Value reports::MatrixCell::*what, const Cells& cells,
                                 const reports::Matrix& matrix) {
    std::vector<Value> values;
    for (const std::size_t place : cells.places) values.push_back(matrix.cells[place].*what);
    return values;
  }

  // A reader at a terminal sees each lock as soon as its cells are known, one lock alone cell by cell, …
  void show_row(std::size_t cell, const Exploration& found) {
    const std::optional<FirstRows::Row> row = rows_.row_with(cell, found, *options_.watched);
    if (!row) return;
    session_.end_bar();
    reports::Page page(std::cout, *options_.watched);
    const bool is_matrix = rows_.are_a_matrix(*options_.watched);
    if (is_matrix && !std::exchange(has_head_, true))
      for (const std::string& line : rows_.head()) page.line(line);
    if (is_matrix) page.line(row->name + row->text);
    else page.paragraph(row->name, row->text);
    std::cout.flush();
  }

  // … then the first whole matrix, and then how it deepens.
  void show_first() {
    if (!options_.watched) return;
    session_.end_progress();
    if (rows_.are_of_one_lock()) {
      std::cout
          << "first verdicts; their bounds deepen now (Ctrl-C stops that and prints the verdicts so far)\n\n"
          << std::flush;
      return;
    }
    take_cells(cells_, matrix_);
    matrix_.seconds = session_.seconds();
    std::cout << "\n";
    if (!rows_.are_a_matrix(*options_.watched))
      reports::write_matrix_alone(matrix_, std::cout, *options_.watched);
    std::cout << "\n"
                 "first matrix; its bounds deepen now (Ctrl-C stops that and prints the verdicts so far)\n"
                 "\n"
              << std::flush;
  }

  static std::size_t part_of(std::span<const Scope> scopes, const Scope& scope) {
    return static_cast<std::size_t>(std::find(scopes.begin(), scopes.end(), scope) - scopes.begin());
  }

  // Ever more states of all that did not close, and larger bounds.
  void go_on(std::vector<Scope> scopes) {
    is_going_on_ = true;
    const Budget whole = session_.shared_budget();
    const double end = session_.seconds() + std::chrono::duration<double>(*options_.deepen).count();
    const Budget budget{[&] { return whole.is_exhausted() || session_.seconds() > end; }, whole.seconds,
                        whole.checkpoints, whole.progress, whole.ranks};
    const std::vector<Scope> further = fitting(further_scopes(), comparison_of(options_));
    scopes.insert(scopes.end(), further.begin(), further.end());
    Deepening how = usual_deepening(scopes);
    do {
      how.states *= 4;
    } while (explore_within(how, budget) > 0 && !budget.is_exhausted());
  }

  const MatrixOptions& options_;
  Cells& cells_;
  reports::Matrix& matrix_;
  Session& session_;
  FirstRows rows_;
  bool has_head_ = false;
  bool is_alone_ = false;
  bool is_going_on_ = false;  // for as long as the user wants
  std::uint32_t steps_ = 0;   // that have begun
};

}  // namespace

void explore_in_steps(const MatrixOptions& options, const std::vector<Scope>& scopes, Cells& cells,
                      reports::Matrix& matrix, Session& session) {
  Deepener(options, cells, matrix, session).explore(scopes);
}

}  // namespace holdfast::cli
