#include "reports/stores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "reports/html.hpp"
#include "reports/verdicts.hpp"
#include "reports/words.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;
using StoreLines = std::vector<const StoreLine*>;

constexpr std::array asked_first{
    Fault::crash,   Fault::pause,    Fault::partition,   Fault::clock_skew, Fault::server_clock_jump,
    Fault::restart, Fault::failover, Fault::session_lost};

// nullptr: it was not judged.
const JudgedProperty* judged_in(const MatrixCell& cell, Property property) {
  for (const JudgedProperty& each : cell.properties)
    if (each.result.property == property) return &each;
  return nullptr;
}

bool is_violated(const JudgedProperty* judged) {
  return judged != nullptr && judged->result.verdict == Verdict::violated;
}

// The shortest run that breaks one of them.
const JudgedProperty* broken_in(const MatrixCell& cell, PropertySet properties) {
  const JudgedProperty* shortest = nullptr;
  const auto steps_of = [](const JudgedProperty& it) {
    return it.result.counterexample ? it.result.counterexample->steps : UINT32_MAX;
  };
  for (const JudgedProperty& each : cell.properties)
    if (properties.contains(each.result.property) && is_violated(&each) &&
        (shortest == nullptr || steps_of(each) < steps_of(*shortest)))
      shortest = &each;
  return shortest;
}

// Of a cell with two holders: whether numbers that the resource compares keep late writes out, and let the
// holder's in.
StoreSign broken(const MatrixCell& cell) {
  bool is_proved = true;
  for (const Property property :
       {Property::fence_order, Property::rightful_write, Property::no_lost_update}) {
    const JudgedProperty* const judged = judged_in(cell, property);
    if (judged == nullptr || is_violated(judged) || judged->result.verdict == Verdict::not_applicable)
      return StoreSign::two;
    is_proved &= judged->result.verdict == Verdict::holds;
  }
  return is_proved ? StoreSign::fenced : StoreSign::fence_open;
}

// Of a cell in which nothing is violated.
StoreSign unbroken(const MatrixCell& cell) {
  bool is_any = false;
  bool is_so_far = false;
  for (const Property property : {Property::mutual_exclusion, Property::no_stale_write, Property::recovery}) {
    const JudgedProperty* const judged = judged_in(cell, property);
    if (judged == nullptr) return StoreSign::not_proved;
    const Outcome outcome = outcome_of(cell, *judged);
    if (outcome == Outcome::not_applicable) continue;
    is_any = true;
    if (style_of(outcome) != Style::good) return StoreSign::not_proved;
    is_so_far |= outcome == Outcome::holds_so_far;
  }
  if (!is_any) return StoreSign::not_applicable;
  return is_so_far ? StoreSign::safe_so_far : StoreSign::safe;
}

// A grant brought a number.
bool has_numbers(const Grid::Line& line) {
  bool is_any = false;
  for (const MatrixCell* const cell : line.cells) {
    const JudgedProperty* const order = cell == nullptr ? nullptr : judged_in(*cell, Property::fence_order);
    is_any |= order != nullptr && order->result.verdict != Verdict::not_applicable;
  }
  return is_any;
}

}  // namespace

std::span<const Fault> faults_of_stores() { return asked_first; }

StoreCell store_cell(const MatrixCell* cell) {
  if (cell == nullptr) return {};
  if (const JudgedProperty* const two =
          broken_in(*cell, {Property::mutual_exclusion, Property::no_stale_write, Property::no_lost_update}))
    return {broken(*cell), two};
  if (const JudgedProperty* const stuck = broken_in(*cell, {Property::recovery}))
    return {StoreSign::stuck, stuck};
  return {unbroken(*cell), nullptr};
}

StoreTable store_table(const Matrix& matrix) {
  StoreTable table;
  const Grid grid = grid_of(matrix);
  std::vector<std::size_t> chosen;  // columns of the grid
  const auto choose = [&](Fault fault) {
    const auto found = std::find(grid.columns.begin(), grid.columns.end(), fault);
    if (found == grid.columns.end() || std::count(table.columns.begin(), table.columns.end(), fault) != 0)
      return;
    table.columns.push_back(fault);
    chosen.push_back(static_cast<std::size_t>(found - grid.columns.begin()));
  };
  const auto breaks_alone = [](const MatrixCell& cell) {
    return cell.fault == Fault::none && store_cell(&cell).run != nullptr;
  };
  if (std::any_of(matrix.cells.begin(), matrix.cells.end(), breaks_alone)) choose(Fault::none);
  for (const Fault fault : asked_first) choose(fault);
  for (const Fault fault : grid.columns)
    if (fault != Fault::none) choose(fault);
  for (const StoreRow& row : matrix.stores)
    for (const Grid::Line& of : grid.lines) {
      if (of.algorithm != row.algorithm) continue;
      StoreLine line{.row = &row};
      for (const std::size_t column : chosen) line.cells.push_back(store_cell(of.cells[column]));
      for (const MatrixCell* const cell : of.cells)
        if (cell != nullptr && cell->fault == Fault::none)
          line.fair = judged_in(*cell, Property::bounded_bypass);
      for (const Cost& cost : matrix.costs)
        if (cost.algorithm == row.algorithm) line.cost = &cost;
      line.has_numbers = has_numbers(of);
      table.lines.push_back(std::move(line));
    }
  return table;
}

std::string struck_in_words(Fault fault, Language language) {
  const bool is_asked = std::find(asked_first.begin(), asked_first.end(), fault) != asked_first.end();
  return is_asked ? word(fmt::format("struck {}", id_of(fault)), language) : std::string(id_of(fault));
}

std::string_view glyph_of(StoreSign sign) {
  constexpr std::array<std::string_view, 8> glyphs{"✘", "H", "F?", "F", "?", "◐", "✔", "·"};
  return glyphs[static_cast<std::size_t>(sign)];
}

std::string in_words(StoreSign sign, Language language) {
  return word(fmt::format("sign {}", id_of(sign)), language);
}

std::string overtaking_of(const StoreLine& line) {
  if (line.fair == nullptr) return "?";
  const PropertyResult& result = line.fair->result;
  if (result.verdict == Verdict::violated) return "any";
  return result.verdict == Verdict::holds && result.bypass_max ? fmt::format("≤{}", *result.bypass_max) : "?";
}

std::vector<std::string> costs_of(const StoreLine& line) {
  if (line.cost == nullptr) return {"", "", ""};
  return {fmt::format("{:.1f}", line.cost->commands_alone),
          fmt::format("{:.1f}", line.cost->commands_per_acquire),
          fmt::format("{:.0f}", line.cost->wait_ms_p50)};
}

namespace {

// What a lock does, as far as it does not hold: "two holders under restart, failover".
class Fates {
 public:
  Fates(const StoreTable& table, Language language) : table_(table), language_(language) {}

  // `can_refuse`: the resource refuses older numbers.
  std::string of(const StoreLine& line, bool can_refuse) const {
    std::string text;
    for (const StoreSign sign : {StoreSign::two, StoreSign::stuck, StoreSign::fence_open, StoreSign::fenced,
                                 StoreSign::not_proved}) {
      std::string faults;
      for (std::size_t i = 0; i < line.cells.size(); ++i)
        if (shown_as(line.cells[i].sign, can_refuse) == sign)
          faults += (faults.empty() ? "" : word("comma", language_)) +
                    struck_in_words(table_.columns[i], language_);
      if (faults.empty()) continue;
      text += (text.empty() ? "" : word("fate and", language_)) +
              say(word(fmt::format("fate {}", id_of(sign)), language_), faults);
    }
    return text.empty() ? word("fate safe", language_) : text;
  }
  // "token, fenced: two holders under pause · …": locks of the same fate together.
  std::string of(const StoreLines& lines, bool can_refuse) const {
    std::vector<std::pair<std::string, std::string>> fates;
    for (const StoreLine* const line : lines) {
      const std::string fate = of(*line, can_refuse);
      const auto same =
          std::find_if(fates.begin(), fates.end(), [&](const auto& it) { return it.second == fate; });
      if (same == fates.end()) fates.emplace_back(line->row->algorithm, fate);
      else same->first += word("comma", language_) + line->row->algorithm;
    }
    std::string text;
    for (const auto& [locks, fate] : fates)
      text += (text.empty() ? "" : " · ") + locks + word("colon", language_) + fate;
    return text;
  }
  // Of those, the ones of which most is proved, as a share of the faults that can strike them, and of these
  // the ones that break under the fewest.
  static StoreLines best(const StoreLines& lines, bool can_refuse) {
    const auto weight = [&](const StoreLine& line) {
      const auto count = [&](StoreSign sign) {
        return std::count_if(line.cells.begin(), line.cells.end(),
                             [&](const StoreCell& cell) { return shown_as(cell.sign, can_refuse) == sign; });
      };
      const auto striking = static_cast<std::ptrdiff_t>(line.cells.size()) - count(StoreSign::not_applicable);
      const auto share = [&](std::ptrdiff_t some) {
        return static_cast<double>(some) / static_cast<double>(std::max<std::ptrdiff_t>(1, striking));
      };
      const std::ptrdiff_t broken = count(StoreSign::two) + count(StoreSign::stuck);
      const std::ptrdiff_t open = count(StoreSign::fence_open) + count(StoreSign::not_proved);
      return std::pair(share(broken + open), share(broken));
    };
    StoreLines best;
    for (const StoreLine* const line : lines) {
      if (!best.empty() && weight(*best.front()) < weight(*line)) continue;
      if (!best.empty() && weight(*line) < weight(*best.front())) best.clear();
      best.push_back(line);
    }
    return best;
  }

 private:
  static StoreSign shown_as(StoreSign sign, bool can_refuse) {
    const bool needs_refusal = sign == StoreSign::fenced || sign == StoreSign::fence_open;
    return needs_refusal && !can_refuse ? StoreSign::two : sign;
  }
  const StoreTable& table_;
  const Language language_;
};

StoreLines lines_that(const StoreTable& table, const auto& is_one) {
  StoreLines lines;
  for (const StoreLine& line : table.lines)
    if (is_one(line)) lines.push_back(&line);
  return lines;
}

bool is_without_trouble(const StoreLine& line) {
  return std::all_of(line.cells.begin(), line.cells.end(),
                     [](const StoreCell& cell) { return cell.sign > StoreSign::not_proved; });
}

}  // namespace

std::vector<StoreAnswer> store_answers(const StoreTable& table, Language language) {
  const Fates fates(table, language);
  std::vector<StoreAnswer> answers;
  const auto answer = [&](std::string_view asks, const StoreLines& lines, bool can_refuse) {
    if (!lines.empty())
      answers.push_back({word(asks, language), fates.of(Fates::best(lines, can_refuse), can_refuse)});
  };
  std::string names;
  for (const StoreLine* const line : lines_that(table, is_without_trouble))
    names += (names.empty() ? "" : word("comma", language)) + line->row->algorithm;
  answers.push_back({"", names.empty()
                             ? counted_word("stores none", table.columns.size(), language)
                             : counted_word("stores some", table.columns.size(), language) + names});
  answer("stores database",
         lines_that(table, [](const StoreLine& it) { return it.row->tenure == Tenure::transaction; }), false);
  answer("stores refuses", lines_that(table, [](const StoreLine& it) { return it.has_numbers; }), true);
  StoreLines ways;
  for (std::size_t i = 0; i < tenure_ids.size(); ++i) {
    const auto is_of = [&](const StoreLine& it) { return it.row->tenure == static_cast<Tenure>(i); };
    if (static_cast<Tenure>(i) == Tenure::transaction) continue;
    const StoreLines best = Fates::best(lines_that(table, is_of), false);
    ways.insert(ways.end(), best.begin(), best.end());
  }
  if (!ways.empty()) answers.push_back({word("stores neither", language), fates.of(ways, false)});
  return answers;
}

Json stores_json(const Matrix& matrix) {
  const StoreTable table = store_table(matrix);
  Json rows = Json::array();
  for (const StoreLine& line : table.lines) {
    Json row{{"algorithm", line.row->algorithm}, {"store", id_of(line.row->store)}};
    row["tenure"] = line.row->tenure ? Json(id_of(*line.row->tenure)) : Json();
    row["signs"] = Json::object();
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      row["signs"][std::string(id_of(table.columns[i]))] = id_of(line.cells[i].sign);
    row["overtaken"] = overtaking_of(line);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace holdfast::reports
