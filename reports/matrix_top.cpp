#include "reports/matrix_top.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "reports/html.hpp"
#include "reports/matrix_table.hpp"
#include "reports/words.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

// Names for locks.mustache, each with a link to its explanation. `is_choice`: "or" stands before the last.
Json names_of(const std::vector<const Grid::Line*>& lines, std::size_t most, bool is_choice,
              const MatrixPageContext& context) {
  Json names = Json::array();
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) {
    const Card* card = card_of(lines[i]->algorithm, context.cards);
    const bool is_last = is_choice && i > 0 && i + 1 == lines.size();
    names.push_back({{"name", lines[i]->algorithm},
                     {"href", card == nullptr ? "" : "#" + anchor_of(lines[i]->algorithm)},
                     {"is_strong", true},
                     {"language", card != nullptr && card->upstream ? card->upstream->language : ""},
                     {"is_later", i > 0 && !is_last},
                     {"is_last", is_last}});
  }
  return names;
}

// "16 faults"; the column "none" is no fault.
std::string faults_in(const Grid& grid, Language language) {
  const std::size_t count = grid.faults();
  return count == 0 ? word("no_faults", language) : counted_word("faults_counted", count, language);
}

// The faults under which the lock may release the lock of another client.
std::string harming_in(const Grid::Line& line, Language language) {
  std::string names;
  for (const MatrixCell* const cell : line.cells) {
    if (cell == nullptr) continue;
    const std::string letters = summary_of(*cell).letters;
    if (letters.find(letter_of(Property::owner_only_release)) == std::string::npos) continue;
    names += (names.empty() ? "" : word("comma", language)) +
             (cell->fault == Fault::none ? word("no_faults", language) : std::string(id_of(cell->fault)));
  }
  return names;
}

// The cells of a line that came to one of some outcomes.
struct Cells {
  std::size_t count = 0;
  std::size_t faults = 0;  // without the cell "none"
  std::string names = {};
};
Cells cells_of(const Grid::Line& line, std::initializer_list<Outcome> outcomes, Language language) {
  Cells cells;
  for (const MatrixCell* const cell : line.cells) {
    if (cell == nullptr) continue;
    const Outcome outcome = summary_of(*cell).outcome;
    if (std::find(outcomes.begin(), outcomes.end(), outcome) == outcomes.end()) continue;
    const bool is_fault = cell->fault != Fault::none;
    cells.names += (cells.count++ == 0 ? "" : word("comma", language)) +
                   (is_fault ? std::string(id_of(cell->fault)) : word("no_faults", language));
    cells.faults += is_fault;
  }
  return cells;
}

// As templates do it: the values of `advice` in the places of a word, {{broken}} and the like.
std::string filled(std::string text, const Json& advice) {
  std::string names;
  for (const Json& lock : advice["locks"]) {
    names += lock["is_last"].get<bool>()    ? word("last_comma", Language::en)
             : lock["is_later"].get<bool>() ? word("comma", Language::en)
                                            : "";
    names += lock["name"].get<std::string>();
    if (const std::string language = lock["language"]; !language.empty())
      names += fmt::format(" ({})", language);
  }
  const std::string others = advice["others"];
  if (!others.empty()) names += word("others", Language::en);
  const auto put = [&](const std::string& place, const std::string& value) {
    const std::string tag = "{{" + place + "}}";
    for (std::size_t at = text.find(tag); at != std::string::npos; at = text.find(tag, at + value.size()))
      text.replace(at, tag.size(), value);
  };
  put(">locks", names);
  for (const auto& [name, value] : advice.items())
    if (value.is_string()) put(name, value);
  return text;
}

}  // namespace

std::string extent_in_words(const Matrix& matrix, const Grid& grid, Language language) {
  if (matrix.shard) return tally_of(matrix, " · ");  // of a part, its place in the whole
  std::map<Outcome, std::size_t> counts;
  for (const MatrixCell& cell : matrix.cells) ++counts[summary_of(cell).outcome];
  std::string tally;
  for (const auto& [outcome, meaning] : outcome_legend())
    if (const std::size_t count = counts[outcome]; count != 0)
      tally +=
          (tally.empty() ? "" : " · ") + say(word("tally " + std::string(word_of(outcome)), language), count);
  return (matrix.interrupted ? word("interrupted", language) : "") +
         say(word("extent", language), counted_word("locks", grid.lines.size(), language),
             faults_in(grid, language), counted_word("cells", matrix.cells.size(), language), tally);
}

Json advice_json(const Grid& grid, const std::vector<RankedLocks>& ranking,
                 const MatrixPageContext& context) {
  constexpr std::array<std::string_view, 7> needs{
      "with one server", "with several servers", "with a shared dictionary", "with a database", "with etcd",
      "with zookeeper",  "of the others"};
  Json list = Json::array();
  for (const Advice& advice : advice_on(ranking, context.cards)) {
    const Grid::Line& best = *advice.take.front();
    const Cells unknown = cells_of(best, {Outcome::unknown}, context.language);
    const Cells broken = cells_of(best, {Outcome::violated}, context.language);
    const Cells open = cells_of(best, {Outcome::hollow, Outcome::sampled}, context.language);
    const bool is_least = unknown.count == 0 && broken.count == grid.columns.size();
    const std::string harming = harming_in(best, context.language);
    // Advice rests on proofs alone.
    const bool is_known = unknown.count == 0 && !is_least;
    const bool is_harmful = is_known && !harming.empty();
    const bool is_unsure = is_known && harming.empty() && open.count != 0;
    list.push_back({{"with", word(needs[static_cast<std::size_t>(advice.needs)], context.language)},
                    {"locks", names_of(advice.take, 12, true, context)},
                    {"others", advice.take.size() > 12 ? std::to_string(advice.take.size() - 12) : ""},
                    {"is_undecided", unknown.count > 0},
                    {"is_least", is_least},
                    {"is_harmful", is_harmful},
                    {"is_unsure", is_unsure},
                    {"is_take", is_known && !is_harmful && !is_unsure},
                    {"harming", harming},
                    {"is_unbroken", broken.count == 0},
                    {"unknown", unknown.names},
                    {"broken", broken.count == 0 ? "" : std::to_string(broken.faults)},
                    {"of_faults", faults_in(grid, context.language)},
                    {"breaking", broken.names},
                    {"unproved", open.names}});
  }
  return list;
}

std::vector<std::string> advice_in_words(const Grid& grid, const std::vector<RankedLocks>& ranking,
                                         std::span<const Card> cards) {
  std::vector<std::string> sentences;
  for (const Json& advice : advice_json(grid, ranking, {.cards = cards})) {
    const auto is = [&](const char* what) { return advice[what].get<bool>(); };
    const std::string named = is("is_undecided")  ? "undecided"
                              : is("is_least")    ? "take_least"
                              : is("is_harmful")  ? "harmful"
                              : is("is_unsure")   ? "unsure"
                              : is("is_unbroken") ? "take_unbroken"
                                                  : "take";
    std::string sentence = word(named, Language::en);
    if (is("is_unsure")) sentence += " " + word("unproved", Language::en);
    sentences.push_back(filled(std::move(sentence), advice));
  }
  return sentences;
}

Json insights_json(const Grid& grid, const std::vector<RankedLocks>& ranking,
                   const MatrixPageContext& context) {
  std::vector<Insight> insights = insights_of(ranking, grid);
  if (insights.empty()) return {};
  if (insights.size() > 3) insights.resize(3);
  Json list = Json::array();
  for (const Insight& it : insights) {
    const std::string all = counted_word("locks", grid.lines.size(), context.language);
    const bool is_worst = it.kind == Insight::Kind::worst;
    const bool is_every_lock = it.locks.size() == grid.lines.size();
    list.push_back({{"is_alone", it.kind == Insight::Kind::alone},
                    {"is_worst", is_worst && !is_every_lock},
                    {"is_no_lock", is_worst && is_every_lock},
                    {"is_telling", it.kind == Insight::Kind::telling},
                    {"is_mildest", it.kind == Insight::Kind::mildest},
                    {"some", say(word("some", context.language), it.locks.size(), all)},
                    {"locks", names_of(it.locks, 6, false, context)},
                    {"others", it.locks.size() > 6 ? std::to_string(it.locks.size() - 6) : ""},
                    {"fault", id_of(it.fault)},
                    {"property", id_of(it.property)},
                    {"about", words_of(context.language).properties[static_cast<std::size_t>(it.property)]},
                    {"example", page_of(it.example)}});
  }
  return {{"list", std::move(list)}};
}

}  // namespace holdfast::reports
