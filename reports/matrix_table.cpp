#include "reports/matrix_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "reports/html.hpp"
#include "reports/terminal.hpp"
#include "reports/words.hpp"

namespace holdfast::reports {
namespace {

std::string_view class_of(Outcome outcome) {
  constexpr std::array<std::string_view, 6> classes{"v", "u", "e", "s", "h", "n"};
  return classes[static_cast<std::size_t>(outcome)];
}
std::string_view word_in(const MatrixWords& words, Outcome outcome) {
  return words.outcomes[static_cast<std::size_t>(outcome)];
}

// "token under pause: violated, mutual-exclusion in 14 steps"; of what holds, how many states were explored.
std::string cell_in_words(const MatrixCell& cell, const Summary& summary) {
  std::string text =
      fmt::format("{} under {}: {}", cell.algorithm, id_of(cell.fault), word_of(summary.outcome));
  for (const PropertyResult& result : cell.exploration.properties)
    if (result.verdict == Verdict::violated)
      text += fmt::format(", {}{}{}", id_of(result.property), result.counterexample ? " in " : "",
                          extent_of(result));
  if (cell.exploration.states > 0 && summary.outcome == Outcome::holds)
    text += ", " + counted(cell.exploration.states, "state");
  return html_text(text);
}

// The run that a cell is about: the shortest of all that break something there.
Broken shortest_in(const MatrixCell& cell, const Summary& summary) {
  const std::vector<PropertyResult>& results = cell.exploration.properties;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i].verdict == Verdict::violated && results[i].counterexample &&
        results[i].counterexample->steps == summary.steps && !trace_file_of(cell, i).empty())
      return {&cell, i};
  return {};
}

// Each letter leads to its own run.
std::string letters_of(const MatrixCell& cell) {
  std::string letters;
  for (std::size_t i = 0; i < cell.exploration.properties.size(); ++i) {
    const PropertyResult& result = cell.exploration.properties[i];
    if (result.verdict != Verdict::violated) continue;
    const std::string page = page_of({&cell, i});
    const std::string title = std::string(id_of(result.property)) + breaking_in_words(cell, i);
    const char letter = letter_of(result.property);
    letters += page.empty()
                   ? fmt::format("<abbr title=\"{}\">{}</abbr>", title, letter)
                   : fmt::format("<a href=\"{}\" title=\"{}\">{}</a>", html_text(page), title, letter);
  }
  return letters;
}

std::string verdict_html(const MatrixCell& cell, std::string_view shown, const MatrixWords& words) {
  const Summary summary = summary_of(cell);
  const std::string title = cell_in_words(cell, summary);
  if (summary.outcome != Outcome::violated)
    return fmt::format("<span class=\"{}\" title=\"{}\">{}<span class=\"skip\">{}</span></span>",
                       class_of(summary.outcome), title, shown, word_in(words, summary.outcome));
  const Broken shortest = shortest_in(cell, summary);
  const std::string main = shortest.cell == nullptr
                               ? fmt::format("<span title=\"{}\">{}</span>", title, shown)
                               : fmt::format("<a href=\"{}\" title=\"{}\" aria-label=\"{}\">{}</a>",
                                             html_text(page_of(shortest)), title, title, shown);
  return fmt::format("<span class=\"v\">{} <small>{}</small></span>", main, letters_of(cell));
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& letter : small) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return small;
}

// What the reader may type to find it.
std::string words_to_find(const Grid::Line& line, std::span<const Card> cards) {
  std::string text = line.algorithm;
  if (const Card* card = card_of(line.algorithm, cards); card != nullptr && card->upstream) {
    for (const std::string_view word : {card->upstream->name, card->upstream->language})
      text.append(" ").append(word);
    for (const std::string_view word : card->upstream->also) text.append(" ").append(word);
  }
  return html_text(in_small_letters(text));
}

// Beside the name: what it is used in, and what its clients believe, unless that is the usual.
std::string aside_of(const Grid::Line& line, const MatrixPageContext& context) {
  const Card* card = card_of(line.algorithm, context.cards);
  std::string text = card != nullptr && card->upstream ? std::string(card->upstream->language) : "";
  if (line.belief != Belief::until_release)
    text += (text.empty() ? "" : ", ") +
            fmt::format(fmt::runtime(matrix_words_of(context.language).believes), id_of(line.belief));
  return text.empty() ? "" : fmt::format(" <small>{}</small>", html_text(text));
}

void write_fact(std::string_view name, std::string_view text, std::ostream& out) {
  if (!text.empty()) out << fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html_text(text));
}

void write_card_text(const Card& card, const MatrixWords& words, std::ostream& out) {
  out << fmt::format("<p>{}.</p>\n", html_text(card.summary));
  if (!card.lesson.empty()) out << fmt::format("<p>{}</p>\n", html_text(card.lesson));
  out << "<dl class=\"facts-list\">";
  write_fact(words.takes, card.protocol.acquire, out);
  write_fact(words.renews, card.protocol.renew, out);
  write_fact(words.frees, card.protocol.release, out);
  write_fact(words.source, card.source, out);
  write_fact(words.check, fmt::format("./holdfast check {}", card.id), out);
  out << "</dl>\n";
  if (card.bugs.empty()) return;
  out << fmt::format("<h4>{}</h4>\n<ul>", words.bugs);
  for (const KnownBug& bug : card.bugs) {
    const std::string tracker = bug.tracker.empty() ? "" : fmt::format(" ({})", bug.tracker);
    out << fmt::format("<li>{}{}.", html_text(bug.what), html_text(tracker));
    for (const auto& [pattern, name] :
         {std::pair(words.lesson_of_bug, bug.lesson), std::pair(words.repair_of_bug, bug.repair)})
      if (!name.empty()) out << ' ' << html_text(fmt::format(fmt::runtime(pattern), name)) << '.';
    if (!bug.instead.empty()) out << ' ' << html_text(bug.instead) << '.';
    out << "</li>\n";
  }
  out << "</ul>\n";
}

void write_lock_card(const Grid::Line& line, const MatrixPageContext& context, std::ostream& out) {
  const MatrixWords& words = matrix_words_of(context.language);
  const Card* card = card_of(line.algorithm, context.cards);
  out << fmt::format("<article class=\"lock\" data-lock=\"{}\"><h3>{}{}</h3>\n",
                     words_to_find(line, context.cards), html_text(line.algorithm), aside_of(line, context));
  if (card != nullptr && card->upstream && card->upstream->name != line.algorithm)
    out << fmt::format("<p class=\"facts\">{}</p>\n", html_text(card->upstream->name));
  out << "<p class=\"chips\">";
  for (const Outcome outcome : {Outcome::violated, Outcome::unknown, Outcome::hollow, Outcome::sampled,
                                Outcome::holds, Outcome::not_applicable})
    for (const MatrixCell* const cell : line.cells)
      if (cell != nullptr && summary_of(*cell).outcome == outcome)
        out << verdict_html(*cell, fmt::format("{} {}", glyph_of(outcome), id_of(cell->fault)), words)
            << '\n';
  out << "</p>\n";
  if (card != nullptr) {
    out << fmt::format("<details><summary>{}</summary><div id=\"{}\">\n", words.more,
                       anchor_of(line.algorithm));
    write_card_text(*card, words, out);
    out << "</div></details>";
  }
  out << "</article>\n";
}

}  // namespace

std::string anchor_of(std::string_view algorithm) {
  std::string anchor = "lock-";
  for (const char letter : algorithm)
    anchor += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '-';
  return anchor;
}

std::string page_of(const Broken& broken) {
  return broken.cell == nullptr ? "" : page_of_trace(trace_file_of(*broken.cell, broken.property));
}

void write_legend(const Matrix& matrix, Language language, std::ostream& out) {
  const MatrixWords& words = matrix_words_of(language);
  out << fmt::format(
      "<section aria-labelledby=\"h-read\"><h2 id=\"h-read\">{}</h2>\n<div "
      "class=\"pair\"><ul class=\"legend\">",
      words.how_to_read);
  for (const Outcome outcome : {Outcome::holds, Outcome::violated, Outcome::sampled, Outcome::unknown,
                                Outcome::hollow, Outcome::not_applicable}) {
    const auto is_of = [&](const MatrixCell& cell) { return summary_of(cell).outcome == outcome; };
    if (std::none_of(matrix.cells.begin(), matrix.cells.end(), is_of)) continue;
    out << fmt::format("<li><b class=\"{}\">{}</b> <span>{}: {}</span></li>",
                       outcome == Outcome::violated ? "bad"
                       : outcome == Outcome::holds  ? "good"
                                                    : "doubt",
                       glyph_of(outcome), word_in(words, outcome),
                       words.meanings[static_cast<std::size_t>(outcome)]);
  }
  out << "</ul>\n<ul class=\"legend\">";
  for (const Property property : properties_of(matrix)) {
    const auto is_broken = [&](const MatrixCell& cell) {
      return summary_of(cell).letters.find(letter_of(property)) != std::string::npos;
    };
    if (std::none_of(matrix.cells.begin(), matrix.cells.end(), is_broken)) continue;
    out << fmt::format("<li><b>{}</b> <span>{}: {}</span></li>", letter_of(property), id_of(property),
                       words_of(language).properties[static_cast<std::size_t>(property)]);
  }
  out << "</ul></div></section>\n";
}

void write_verdict_table(const std::vector<RankedLocks>& ranking, const Grid& grid,
                         const MatrixPageContext& context, std::ostream& out) {
  const MatrixWords& words = matrix_words_of(context.language);
  out << fmt::format(
      "<section aria-labelledby=\"h-verdicts\"><h2 id=\"h-verdicts\">{}</h2>\n<p class=\"facts\">{}</p>\n"
      "<p class=\"filter\" hidden><label>{} <input type=\"search\" id=\"locks\"></label></p>\n"
      "<div class=\"scroll grid\" tabindex=\"0\" role=\"group\" aria-label=\"{}\"><table "
      "class=\"matrix\"><thead><tr><th scope=\"col\">{}</th>",
      words.verdicts, words.by_robustness, words.filter, words.table, words.lock);
  for (const Fault fault : grid.columns)
    out << fmt::format("<th scope=\"col\"><span>{}</span></th>", id_of(fault));
  out << "</tr></thead>\n<tbody>";
  for (const RankedLocks& group : ranking) {
    std::string finds;
    for (const Grid::Line* const line : group.lines) finds += words_to_find(*line, context.cards) + " ";
    out << fmt::format("<tr data-lock=\"{}\"><th scope=\"row\">", finds);
    for (const Grid::Line* const line : group.lines) {
      const std::string name = html_text(line->algorithm);
      const bool is_explained = card_of(line->algorithm, context.cards) != nullptr;
      out << "<span>"
          << (is_explained ? fmt::format("<a href=\"#{}\">{}</a>", anchor_of(line->algorithm), name) : name)
          << aside_of(*line, context) << "</span>\n";
    }
    out << "</th>";
    for (const MatrixCell* const cell : group.lines.front()->cells)
      out << "<td>"
          << (cell == nullptr ? "" : verdict_html(*cell, glyph_of(summary_of(*cell).outcome), words))
          << "</td>";
    out << "</tr>\n";
  }
  out << "</tbody></table></div></section>\n";
}

void write_lock_cards(const std::vector<RankedLocks>& ranking, const MatrixPageContext& context,
                      std::ostream& out) {
  out << fmt::format(
      "<section aria-labelledby=\"h-locks\"><h2 id=\"h-locks\">{}</h2>\n<div class=\"locks\">\n",
      matrix_words_of(context.language).explained);
  for (const RankedLocks& group : ranking)
    for (const Grid::Line* const line : group.lines) write_lock_card(*line, context, out);
  out << "</div></section>\n";
}

}  // namespace holdfast::reports
