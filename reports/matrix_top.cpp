#include "reports/matrix_top.hpp"

#include <fmt/format.h>

#include <array>

#include "reports/html.hpp"
#include "reports/matrix_table.hpp"
#include "reports/words.hpp"

namespace holdfast::reports {
namespace {

class MatrixTop {
 public:
  MatrixTop(const Matrix& matrix, const Grid& grid, const std::vector<RankedLocks>& ranking,
            const MatrixPageContext& context, std::ostream& out)
      : matrix_(matrix),
        grid_(grid),
        ranking_(ranking),
        context_(context),
        words_(matrix_words_of(context.language)),
        out_(out) {}

  void write() {
    const std::string extent = extent_in_words();
    open_page({words_.title, context_.language == Language::zh ? "zh-Hans" : "en"}, out_);
    const Words& all = words_of(context_.language);
    out_ << fmt::format(
        "<a class=\"skip\" href=\"#main\">{}</a>\n<header><h1>{}</h1>\n<p class=\"facts\">{}</p>\n"
        "<p class=\"tools\"><button type=\"button\" data-do=\"theme\" hidden>{}</button>\n"
        "<button type=\"button\" data-do=\"print\" hidden>{}</button></p></header>\n<main id=\"main\" "
        "tabindex=\"-1\">\n",
        words_.to_verdicts, words_.heading, html_text(extent), all.theme, all.print);
    out_ << "<div class=\"pair\">\n";
    write_advice();
    write_insights();
    out_ << "</div>\n";
  }

 private:
  std::string extent_in_words() const {
    std::array<std::size_t, verdict_ids.size()> counts{};
    for (const MatrixCell& cell : matrix_.cells) ++counts[static_cast<std::size_t>(summary_of(cell).outcome)];
    std::string tally;
    for (const Outcome outcome : {Outcome::holds, Outcome::violated, Outcome::sampled, Outcome::unknown,
                                  Outcome::hollow, Outcome::not_applicable}) {
      const auto i = static_cast<std::size_t>(outcome);
      if (counts[i] != 0) tally += (tally.empty() ? "" : " · ") + say(words_.tally[i], counts[i]);
    }
    std::string text = say(words_.extent, say_count(words_.locks, grid_.lines.size()),
                           say_count(words_.faults, grid_.columns.size()),
                           say_count(words_.cells, matrix_.cells.size()), tally);
    if (matrix_.shard) text = tally_of(matrix_, " · ");  // of a part, its place in the whole
    return (matrix_.interrupted ? std::string(words_.interrupted) : "") + text;
  }

  std::string link_to(const Grid::Line& line) const {
    const Card* card = card_of(line.algorithm, context_.cards);
    const std::string name = fmt::format("<b>{}</b>", html_text(line.algorithm));
    if (card == nullptr) return name;
    return fmt::format("<a href=\"#{}\">{}</a>{}", anchor_of(line.algorithm), name,
                       card->upstream ? fmt::format(" ({})", html_text(card->upstream->language)) : "");
  }
  std::string names_of(const std::vector<const Grid::Line*>& lines, std::size_t most,
                       std::string_view last_comma) const {
    std::string names;
    for (std::size_t i = 0; i < std::min(lines.size(), most); ++i)
      names += std::string(i == 0                  ? ""
                           : i + 1 == lines.size() ? last_comma
                                                   : words_.comma) +
               link_to(*lines[i]);
    return lines.size() <= most ? names : say(words_.others, names, lines.size() - most);
  }

  // The faults under which cells of the line came to one of these.
  std::pair<std::size_t, std::string> faults_of(const Grid::Line& line,
                                                std::initializer_list<Outcome> outcomes) const {
    std::size_t count = 0;
    std::string names;
    for (const MatrixCell* const cell : line.cells) {
      if (cell == nullptr) continue;
      const Outcome outcome = summary_of(*cell).outcome;
      if (std::find(outcomes.begin(), outcomes.end(), outcome) == outcomes.end()) continue;
      names += (count++ == 0 ? "" : std::string(words_.comma)) + std::string(id_of(cell->fault));
    }
    return {count, names};
  }

  void write_advice() {
    out_ << fmt::format(
        "<section class=\"advice\" aria-labelledby=\"h-which\"><h2 id=\"h-which\">{}</h2>\n<ul>",
        words_.which);
    for (const Advice& advice : advice_on(ranking_, context_.cards))
      out_ << "<li>" << sentence_of(advice) << "</li>\n";
    out_ << fmt::format("</ul>\n<details><summary>{}</summary><p>{}</p></details></section>\n",
                        words_.derived, words_.rule);
  }

  std::string sentence_of(const Advice& advice) const {
    const Grid::Line& best = *advice.take.front();
    const std::string_view with = words_.with[static_cast<std::size_t>(advice.needs)];
    const std::string names = names_of(advice.take, 12, words_.last_comma);
    const auto [unknown, undecided] = faults_of(best, {Outcome::unknown});
    if (unknown > 0) return say(words_.undecided, with, names, undecided);
    const auto [broken, faults] = faults_of(best, {Outcome::violated});
    const auto [open, unproved] = faults_of(best, {Outcome::hollow, Outcome::sampled});
    if (broken == grid_.columns.size()) return say(words_.take_least, with, names);
    std::string text = say(words_.take, with, names) + " ";
    if (broken > 0)
      text += say(words_.broken, broken, say_count(words_.faults, grid_.columns.size()), faults);
    else if (open == 0) text += words_.unbroken;
    return open == 0 ? text : text + " " + say(words_.unproved, unproved);
  }

  void write_insights() {
    std::vector<Insight> insights = insights_of(ranking_, grid_);
    if (insights.empty()) return;
    if (insights.size() > 3) insights.resize(3);
    out_ << fmt::format(
        "<section class=\"insights\" aria-labelledby=\"h-found\"><h2 id=\"h-found\">{}</h2>\n<ol>",
        words_.findings);
    for (const Insight& insight : insights) out_ << "<li>" << sentence_of(insight) << "</li>\n";
    out_ << "</ol></section>\n";
  }

  std::string sentence_of(const Insight& it) const {
    const std::string page = page_of(it.example);
    const std::string_view link = words_.example;
    const std::string example =
        page.empty() ? "" : fmt::format("<a href=\"{}\">{}</a>", html_text(page), link);
    const std::string fault = fmt::format("<b>{}</b>", id_of(it.fault));
    const std::string_view about =
        words_of(context_.language).properties[static_cast<std::size_t>(it.property)];
    const std::size_t all = grid_.lines.size();
    const std::string some = say(words_.some, it.locks.size(), say_count(words_.locks, all));
    switch (it.kind) {
      case Insight::Kind::alone: return say(words_.alone, some, names_of(it.locks, 6, words_.comma));
      case Insight::Kind::worst:
        return tidied(say(it.locks.size() == all ? words_.no_lock : words_.worst, fault,
                          it.locks.size() == all ? say_count(words_.locks, all) : some, about, example));
      case Insight::Kind::telling:
        return tidied(say(words_.telling, fmt::format("<b>{}</b>", id_of(it.property)), some, about,
                          names_of(it.locks, 6, words_.comma), example));
      case Insight::Kind::mildest: return say(words_.mildest, fault, some);
    }
    return {};
  }
  // Without an example, without its brackets.
  static std::string tidied(std::string text) {
    for (const std::string_view brackets : {" ()", "（）"})
      if (const std::size_t at = text.find(brackets); at != std::string::npos)
        text.erase(at, brackets.size());
    return text;
  }

  const Matrix& matrix_;
  const Grid& grid_;
  const std::vector<RankedLocks>& ranking_;
  const MatrixPageContext& context_;
  const MatrixWords& words_;
  std::ostream& out_;
};

}  // namespace

void write_matrix_top(const Matrix& matrix, const Grid& grid, const std::vector<RankedLocks>& ranking,
                      const MatrixPageContext& context, std::ostream& out) {
  MatrixTop(matrix, grid, ranking, context, out).write();
}

}  // namespace holdfast::reports
