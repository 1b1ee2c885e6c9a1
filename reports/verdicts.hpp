// How verdicts are shown: glyphs, letters, and the verdict of a cell of the matrix.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/report.hpp"

namespace holdfast::reports {

// What a reader takes from a result. Those that decide a cell come first. So far: within the bounds that were
// closed; larger ones stayed open.
enum class Outcome : std::uint8_t { violated, unknown, hollow, sampled, holds_so_far, holds, not_applicable };

// Of a result within one scope.
Outcome outcome_of(const PropertyResult& result);
Outcome outcome_of(const MatrixCell& cell, const JudgedProperty& property);
// The scopes of a cell that were begun and in which not every schedule was explored.
std::vector<Scope> open_scopes(const MatrixCell& cell);
// Those in which this property is judged.
std::vector<Scope> open_scopes(const MatrixCell& cell, Property property);
std::string_view glyph_of(Outcome outcome);
// "hold" of several.
std::string_view word_of(Outcome outcome, std::size_t count = 1);
Style style_of(Outcome outcome);
// One letter for each property, different from all others.
char letter_of(Property property);

// A cell: its worst outcome; if violated, which properties, and the length of the shortest counterexample.
struct Summary {
  Outcome outcome = Outcome::not_applicable;
  std::string letters;
  std::uint32_t steps = 0;
  bool is_shortest = true;
};
Summary summary_of(const MatrixCell& cell);
// "14", or "≤14" where there may be shorter runs.
std::string steps_of(const Summary& summary);

// "✘M", with the first of its letters: a cell where there is no room.
std::string sign_of(const Summary& summary, const Terminal& terminal);
inline constexpr std::size_t sign_width = 3;  // with the space before it
// The lines above such cells, from the first column after `indent` on: names that stand upright.
std::vector<std::string> upright(const std::vector<Fault>& faults, std::size_t indent);

// The cells as a table: rows in the order of their first cell, columns in the order of the vocabulary.
struct Grid {
  struct Line {
    std::string algorithm;
    Belief belief;
    std::vector<const MatrixCell*> cells;  // one per column; nullptr where nothing was explored
  };
  // The columns but `none`.
  std::size_t faults() const;
  std::vector<Fault> columns;
  std::vector<Line> lines;
  // All lines have the same one.
  std::optional<Belief> belief;
};
Grid grid_of(const Matrix& matrix);

// "34 hold, 28 violated, …": how many cells came to which outcome.
std::string tally_of(const Matrix& matrix, std::string_view separator);
// What was explored, as phrases: "2 clients", "ttl 4s", …
std::vector<std::string> bounds_in_words(const Matrix& matrix, Language language = Language::en);
// "3 clients in steps of 1s": what goes beyond two clients that call acquire() once, and one fault.
std::string variant_in_words(Variant variant, Language language = Language::en);
std::string scope_in_words(const Scope& scope, Language language = Language::en);
// Its cells were explored within several bounds.
bool deepens(const Matrix& matrix);
// How far each of several scopes was closed, and what broke there first; empty, where there is but one.
// ", with 3 clients in steps of 1s": what broke the property, where bounds deepened.
std::string breaking_in_words(const MatrixCell& cell, const JudgedProperty& property,
                              Language language = Language::en);
std::vector<std::string> deepening_in_words(const Matrix& matrix, Language language = Language::en);
// What locks did that is not simulated, so that nothing is said of them: for each lock and what it did, one
// sentence, with the faults.
std::vector<std::string> beyond_model_in_words(const Matrix& matrix);
// Properties that occur in the matrix, in the order of the vocabulary.
std::vector<Property> properties_of(const Matrix& matrix);
// What each outcome means.
std::vector<std::pair<Outcome, std::string_view>> outcome_legend();

// What bounded-bypass adds to the JSON of its result: how often a waiter is overtaken at most, or where the
// loop of the trace begins; nothing to that of others.
void add_bypass(nlohmann::ordered_json& json, const PropertyResult& result);
nlohmann::ordered_json bounds_json(const MatrixBounds& bounds);
nlohmann::ordered_json cost_json(const Cost& cost);
// As the JSON of a shard has it, for merge.
nlohmann::ordered_json shard_json(const Shard& shard);
// "8 steps", "15 steps, the last 8 for ever", "overtaken at most 2 times"; may be empty.
std::string extent_of(const PropertyResult& result, Language language = Language::en);

// bounded-bypass was decided, which assumes this.
bool rests_on_fairness(const Exploration& exploration);
bool rests_on_fairness(const MatrixCell& cell);
inline constexpr std::string_view fairness =
    "Assumed of bounded-bypass: messages arrive within their bounds, time passes, and a client whose turn "
    "has come moves before time does.";

}  // namespace holdfast::reports
