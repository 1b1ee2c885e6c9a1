// A matrix on stdout, in the format that was asked for.
#include <iostream>

#include "reports/stores.hpp"
#include "sim/cli/compare.hpp"

namespace holdfast::cli {
namespace {

void print_stores(const Output& options, const reports::Matrix& matrix) {
  if (options.format == "markdown") reports::write_stores_markdown(matrix, std::cout);
  else if (options.format == "csv") reports::write_stores_csv(matrix, std::cout);
  else reports::write_stores_text(matrix, std::cout, terminal_of(options));
}

}  // namespace

void print(const Output& options, const reports::Matrix& matrix, bool in_full) {
  if (options.format == "json") reports::write_matrix_json(matrix, std::cout);
  else if (!matrix.stores.empty()) print_stores(options, matrix);
  else if (options.format == "markdown") reports::write_matrix_markdown(matrix, algorithms::all(), std::cout);
  else if (options.format == "junit") reports::write_matrix_junit(matrix, std::cout);
  else if (options.format == "csv") reports::write_matrix_csv(matrix, std::cout);
  else if (in_full) reports::write_check_text(matrix, std::cout, terminal_of(options));
  else reports::write_matrix_text(matrix, algorithms::all(), std::cout, terminal_of(options));
}

}  // namespace holdfast::cli
