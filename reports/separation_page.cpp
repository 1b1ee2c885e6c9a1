// Two locks on the same tapes, as a page: the pictures of both runs, and the moves of the tape between them.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/beside.hpp"
#include "reports/html.hpp"
#include "reports/matrix_page.hpp"
#include "reports/picture.hpp"
#include "reports/shown.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

std::size_t number_of(const Difference& difference, const Separation& it) {
  return static_cast<std::size_t>(&it - difference.separations.data());
}

Json run_of(const std::string& lock, const Counterexample& run, const std::string& name,
            const std::string& trace_file, std::string_view side) {
  const Scene scene = scene_of(as_shown(run));
  return {{"side", side},
          {"lock", lock},
          {"page", page_of_trace(trace_file)},
          {"sequence", sequence_picture(scene, all_rows(scene), {name, "The run of " + lock})}};
}

std::string numbers(const std::vector<Step>& steps) {
  std::string text;
  for (const Step step : steps) text += fmt::format("{}{}", text.empty() ? "" : " ", step.value);
  return text;
}

Json pair_of(const Difference& difference, const Separation& it, bool is_open) {
  const std::size_t number = number_of(difference, it);
  const Counterexample& broken = it.pair->broken;
  const auto& files = number < difference.trace_files.size() ? difference.trace_files[number]
                                                             : std::pair<std::string, std::string>();
  Json first;
  Json moves = Json::array();
  for (const Beside& row : side_by_side(*it.pair)) {
    Json move{{"differs", row.differs},
              {"first_steps", numbers(row.first_steps)},
              {"second_steps", numbers(row.second_steps)},
              {"one", row.first},
              {"other", row.second}};
    if (row.differs && first.is_null()) first = move;
    moves.push_back(std::move(move));
  }
  return {{"number", number},
          {"is_open", is_open},
          {"breaks", it.breaks},
          {"holds", it.holds},
          {"fault", holdfast::id_of(it.fault)},
          {"property", holdfast::id_of(it.property)},
          {"because", broken.findings.front().because},
          {"left_out", left_out_words(it)},
          {"runs",
           Json::array(
               {run_of(it.breaks, broken, fmt::format("broken{}", number), files.first, "first"),
                run_of(it.holds, it.pair->whole, fmt::format("whole{}", number), files.second, "second")})},
          {"first", std::move(first)},
          {"moves", std::move(moves)}};
}

Json cases_of(const Difference& difference) {
  const std::vector<const Separation*> told = worth_telling(difference);
  if (told.empty()) return {};
  std::vector<std::vector<std::string>> rows = rows_of(told);
  Json cases{{"header", rows.front()}, {"rows", Json::array()}};
  for (std::size_t i = 0; i < told.size(); ++i) {
    std::vector<std::string>& cells = rows[i + 1];
    const std::string last = cells.back();
    cells.pop_back();
    const Json tape = told[i]->pair ? Json(number_of(difference, *told[i])) : Json();
    cases["rows"].push_back({{"cells", cells}, {"tape", tape}, {"last", last}});
  }
  return cases;
}

}  // namespace

void write_difference_page(const Difference& difference, std::ostream& out) {
  const std::string title = fmt::format("{} and {} on the same tapes", difference.one, difference.other);
  Json pairs = Json::array();
  const Separation* shortest = shortest_of(difference);
  if (shortest) pairs.push_back(pair_of(difference, *shortest, true));
  for (const Separation& it : difference.separations)
    if (it.pair && &it != shortest) pairs.push_back(pair_of(difference, it, false));
  const Json data{{"title", title},
                  {"summary", summary(difference)},
                  {"bounds", bounds_text(difference)},
                  {"pairs", std::move(pairs)},
                  {"cases", cases_of(difference)},
                  {"same_tape", same_tape},
                  {"seed", fmt::format("{:#x}", difference.seed)},
                  {"version", difference.version}};
  write_page({title, Language::en, summary(difference)}, "difference", data, out);
}

}  // namespace holdfast::reports
