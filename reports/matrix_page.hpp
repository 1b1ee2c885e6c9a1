// The page of a whole comparison: verdicts with links to the pages of their runs, costs, and what was
// explored.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/report.hpp"

namespace holdfast::reports {

// "x.html" for "out/x.trace.json": pages lie beside traces. Empty for no trace.
std::string page_of_trace(std::string_view trace_file);

// What the results depend on beside the matrix itself: names and values.
using Environment = std::vector<std::pair<std::string, std::string>>;

// A section of the page that is not of the matrix itself.
struct Annex {
  std::string title;
  std::string text = {};
  std::string picture = {};  // SVG of our own making
  std::vector<std::string> header = {};
  std::vector<std::vector<std::string>> rows = {};
};

// What the page tells beside the matrix itself.
struct MatrixPageContext {
  Environment environment = {};
  std::vector<Annex> annexes = {};
  std::span<const Card> cards = {};  // of the locks; those that are missing are not explained
  Language language = Language::en;
};

// That of stores, where those are compared.
void write_matrix_page(const Matrix& matrix, const MatrixPageContext& context, std::ostream& out);
void write_stores_page(const Matrix& matrix, const MatrixPageContext& context, std::ostream& out);

// For the end of a page: within what was explored, and where all comes from.
nlohmann::ordered_json phrases_of_bounds(const Matrix& matrix, Language language);
nlohmann::ordered_json environment_json(const Matrix& matrix, const MatrixPageContext& context);

// Costs as pictures: bars, one for each lock.
nlohmann::ordered_json cost_plots(const std::vector<Cost>& costs, Language language);

}  // namespace holdfast::reports
