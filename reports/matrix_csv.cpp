// The verdict matrix as a table for spreadsheets and statistics: a row for each lock, fault and property.
#include <array>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/report.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

// Under the names of the JSON, from which the values are.
constexpr std::array columns_of_csv{"algorithm", "fault",        "property", "belief",
                                    "verdict",   "strategy",     "states",   "transitions",
                                    "runs",      "trace_length", "trace",    "note"};

std::string field_of(const Json& cell, const char* column) {
  const auto found = cell.find(column);
  if (found == cell.end() || found->is_null()) return "";
  return field_of_csv(found->is_string() ? found->get<std::string>() : found->dump());
}

}  // namespace

std::string field_of_csv(std::string text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  for (std::size_t at = text.find('"'); at != std::string::npos; at = text.find('"', at + 2))
    text.insert(at, 1, '"');
  return '"' + text + '"';
}

void write_matrix_csv(const Matrix& matrix, std::ostream& out) {
  std::stringstream text;
  write_matrix_json(matrix, text);
  const Json json = Json::parse(text);
  for (const char* column : columns_of_csv) out << (column == columns_of_csv.front() ? "" : ",") << column;
  out << '\n';
  for (const Json& cell : json["cells"]) {
    for (const char* column : columns_of_csv)
      out << (column == columns_of_csv.front() ? "" : ",") << field_of(cell, column);
    out << '\n';
  }
}

}  // namespace holdfast::reports
