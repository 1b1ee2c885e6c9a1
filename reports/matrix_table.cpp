#include "reports/matrix_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "reports/html.hpp"
#include "reports/terminal.hpp"
#include "reports/words.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string_view class_of(Outcome outcome) {
  constexpr std::array<std::string_view, 7> classes{"v", "u", "e", "s", "h", "h", "n"};
  return classes[static_cast<std::size_t>(outcome)];
}
std::string outcome_word(Outcome outcome, Language language) {
  return word("outcome " + std::string(word_of(outcome)), language);
}

// "token under pause: violated, mutual-exclusion in 14 steps"; of what holds, how many states were explored.
std::string cell_in_words(const MatrixCell& cell, const Summary& summary, Language language) {
  std::string text =
      say(word("cell", language), cell.algorithm, id_of(cell.fault), outcome_word(summary.outcome, language));
  for (const JudgedProperty& each : cell.properties)
    if (const PropertyResult& result = each.result; result.verdict == Verdict::violated)
      text += fmt::format("{}{}{}{}", word("comma", language), id_of(result.property),
                          result.counterexample ? word("within", language) : "", extent_of(result, language));
  const bool holds = summary.outcome == Outcome::holds || summary.outcome == Outcome::holds_so_far;
  if (cell.effort.states > 0 && holds)
    text += word("comma", language) + counted_word("states", cell.effort.states, language);
  if (summary.outcome != Outcome::holds_so_far) return text;
  std::string open;
  for (const Scope& scope : open_scopes(cell))
    open += (open.empty() ? "" : word("comma", language)) + scope_in_words(scope, language);
  text += word("comma", language) + say(word("open_within", language), open);
  return text;
}

// The run that a cell is about: the shortest of all that break something there.
Broken shortest_in(const MatrixCell& cell, const Summary& summary) {
  for (const JudgedProperty& each : cell.properties)
    if (each.result.verdict == Verdict::violated && each.result.counterexample &&
        each.result.counterexample->steps == summary.steps && !each.trace_file.empty())
      return {&cell, &each};
  return {};
}

// Each letter leads to its own run.
Json letters_of(const MatrixCell& cell, Language language) {
  Json letters = Json::array();
  for (const JudgedProperty& each : cell.properties) {
    const Property property = each.result.property;
    if (each.result.verdict == Verdict::violated)
      letters.push_back({{"letter", std::string(1, letter_of(property))},
                         {"broken", std::string(id_of(property)) + breaking_in_words(cell, each, language)},
                         {"href", page_of({&cell, &each})}});
  }
  return letters;
}

// For verdict.mustache.
Json verdict_of(const MatrixCell& cell, Language language) {
  const Summary summary = summary_of(cell);
  return {{"is_violated", summary.outcome == Outcome::violated},
          {"class", class_of(summary.outcome)},
          {"told", cell_in_words(cell, summary, language)},
          {"shown", glyph_of(summary.outcome)},
          {"outcome", outcome_word(summary.outcome, language)},
          {"href", page_of(shortest_in(cell, summary))},
          {"letters", letters_of(cell, language)}};
}

// What the reader may type to find it.
std::string words_to_find(const Grid::Line& line, std::span<const Card> cards) {
  std::string text = line.algorithm;
  if (const Card* card = card_of(line.algorithm, cards); card != nullptr && card->upstream) {
    for (const std::string_view word : {card->upstream->name, card->upstream->language})
      text.append(" ").append(word);
    for (const std::string_view word : card->upstream->also) text.append(" ").append(word);
  }
  return in_small_letters(text);
}

// Beside the name: what it is used in, and what its clients believe, unless that is the usual.
std::string aside_of(const Grid::Line& line, const MatrixPageContext& context) {
  const Card* card = card_of(line.algorithm, context.cards);
  std::string text = card != nullptr && card->upstream ? std::string(card->upstream->language) : "";
  if (line.belief != Belief::until_release)
    text += (text.empty() ? "" : word("comma", context.language)) +
            say(word("belief", context.language), id_of(line.belief));
  return text;
}

Json bugs_of(const Card& card) {
  if (card.bugs.empty()) return {};
  Json list = Json::array();
  for (const KnownBug& bug : card.bugs)
    list.push_back({{"what", as_sentence(std::string(bug.what))},
                    {"tracker", bug.tracker},
                    {"shown_by", bug.lesson},
                    {"repair", bug.repair},
                    {"instead", as_sentence(std::string(bug.instead))}});
  return {{"list", std::move(list)}};
}

Json card_text(const Card& card) {
  return {{"summary", as_sentence(std::string(card.summary))},
          {"lesson", card.lesson},
          {"takes", card.protocol.acquire},
          {"renews", card.protocol.renew},
          {"frees", card.protocol.release},
          {"origin", card.source},
          {"bugs", bugs_of(card)}};
}

Json lock_of(const Grid::Line& line, const MatrixPageContext& context) {
  const Card* card = card_of(line.algorithm, context.cards);
  const bool is_library = card != nullptr && card->upstream && card->upstream->name != line.algorithm;
  return {{"lock", line.algorithm},
          {"finds", words_to_find(line, context.cards)},
          {"anchor", card == nullptr ? "" : anchor_of(line.algorithm)},
          {"aside", aside_of(line, context)},
          {"library", is_library ? card->upstream->name : ""},
          {"card", card == nullptr ? Json() : card_text(*card)}};
}

}  // namespace

std::string anchor_of(std::string_view algorithm) {
  std::string anchor = "lock-";
  for (const char letter : algorithm)
    anchor += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '-';
  return anchor;
}

std::string page_of(const Broken& broken) {
  return broken.cell == nullptr ? "" : page_of_trace(broken.property->trace_file);
}

Json legend_of_outcomes(const Matrix& matrix, Language language) {
  Json legend = Json::array();
  for (const Outcome outcome : {Outcome::holds, Outcome::holds_so_far, Outcome::violated, Outcome::sampled,
                                Outcome::unknown, Outcome::hollow, Outcome::not_applicable}) {
    const auto is_of = [&](const MatrixCell& cell) { return summary_of(cell).outcome == outcome; };
    if (std::none_of(matrix.cells.begin(), matrix.cells.end(), is_of)) continue;
    legend.push_back({{"kind", outcome == Outcome::violated       ? "bad"
                               : style_of(outcome) == Style::good ? "good"
                                                                  : "doubt"},
                      {"glyph", glyph_of(outcome)},
                      {"outcome", outcome_word(outcome, language)},
                      {"meaning", word("meaning " + std::string(word_of(outcome)), language)}});
  }
  return legend;
}

Json legend_of_properties(const Matrix& matrix, Language language) {
  Json legend = Json::array();
  for (const Property property : properties_of(matrix)) {
    const auto is_broken = [&](const MatrixCell& cell) {
      return summary_of(cell).letters.find(letter_of(property)) != std::string::npos;
    };
    if (std::any_of(matrix.cells.begin(), matrix.cells.end(), is_broken))
      legend.push_back({{"letter", std::string(1, letter_of(property))},
                        {"id", id_of(property)},
                        {"about", words_of(language).properties[static_cast<std::size_t>(property)]}});
  }
  return legend;
}

Json groups_of(const std::vector<RankedLocks>& ranking, const MatrixPageContext& context) {
  Json groups = Json::array();
  for (const RankedLocks& group : ranking) {
    Json locks = Json::array();
    for (const Grid::Line* const line : group.lines) locks.push_back(lock_of(*line, context));
    Json cells = Json::array();
    for (const MatrixCell* const cell : group.lines.front()->cells)
      cells.push_back({{"verdict", cell == nullptr ? Json() : verdict_of(*cell, context.language)}});
    groups.push_back({{"locks", std::move(locks)}, {"cells", std::move(cells)}});
  }
  return groups;
}

}  // namespace holdfast::reports
