// Two locks on the same tapes, as a page: the pictures of both runs, and the moves of the tape between them.
#include <fmt/format.h>

#include <algorithm>

#include "reports/beside.hpp"
#include "reports/html.hpp"
#include "reports/matrix_page.hpp"
#include "reports/picture.hpp"
#include "reports/shown.hpp"

namespace holdfast::reports {
namespace {

class SeparationPage {
 public:
  SeparationPage(const Difference& difference, std::ostream& out) : difference_(difference), out_(out) {}

  void write() {
    const std::string title = fmt::format("{} and {} on the same tapes", difference_.one, difference_.other);
    open_page({title, "en", summary(difference_)}, out_);
    out_ << fmt::format(
        "<a class=\"skip\" href=\"#main\">to the runs</a>\n<header><h1>{}</h1>\n<p "
        "class=\"diagnosis\">{}</p>\n"
        "<p class=\"facts\">{}</p>\n<p class=\"tools\"><button type=\"button\" data-do=\"theme\" "
        "hidden>Light or "
        "dark</button>\n<button type=\"button\" data-do=\"print\" hidden>Print</button></p></header>\n<main "
        "id=\"main\" tabindex=\"-1\">\n",
        html_text(title), html_text(summary(difference_)), html_text(bounds_text(difference_)));
    const Separation* shortest = shortest_of(difference_);
    if (shortest) write_pair(*shortest, true);
    for (const Separation& it : difference_.separations)
      if (it.pair && &it != shortest) write_pair(it, false);
    write_cases();
    out_ << fmt::format("<section><h2>What the same tape is</h2>\n<p class=\"story\">{}</p></section>\n",
                        html_text(same_tape))
         << fmt::format("<p class=\"facts\">seed {:#x} · holdfast {}</p>\n</main>\n", difference_.seed,
                        html_text(difference_.version));
    close_page(out_);
  }

 private:
  std::size_t number_of(const Separation& it) const {
    return static_cast<std::size_t>(&it - difference_.separations.data());
  }

  void write_cases() {
    const std::vector<const Separation*> told = worth_telling(difference_);
    out_ << "<section><h2>What tells them apart</h2>\n";
    if (told.empty()) {
      out_ << "<p>Neither lock breaks anything.</p></section>\n";
      return;
    }
    const std::vector<std::vector<std::string>> rows = rows_of(told);
    out_ << "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"cases\"><table><thead><tr>";
    for (const std::string& name : rows.front())
      out_ << fmt::format("<th scope=\"col\">{}</th>", html_text(name));
    out_ << "</tr></thead>\n<tbody>";
    for (std::size_t i = 0; i < told.size(); ++i) {
      out_ << "<tr>";
      for (std::size_t column = 0; column + 1 < rows[i + 1].size(); ++column)
        out_ << fmt::format("<td>{}</td>", html_text(rows[i + 1][column]));
      const std::string last = html_text(rows[i + 1].back());
      out_ << (told[i]->pair ? fmt::format("<td><a href=\"#tape-{}\">{}</a></td>", number_of(*told[i]), last)
                             : "<td>" + last + "</td>")
           << "</tr>\n";
    }
    out_ << "</tbody></table></div></section>\n";
  }

  void write_pair(const Separation& it, bool is_open) {
    const std::size_t number = number_of(it);
    const Counterexample& broken = it.pair->broken;
    out_ << fmt::format(
        "<details class=\"tape\" id=\"tape-{}\"{}><summary><h2><span class=\"bad\">✘ {}</span> × {}: {} is "
        "violated "
        "· <span class=\"good\">✔ {}</span>: it is not</h2></summary>\n<p class=\"diagnosis\">{}</p>\n<p "
        "class=\"facts\">{}.</p>\n",
        number, is_open ? " open" : "", html_text(it.breaks), holdfast::id_of(it.fault),
        holdfast::id_of(it.property), html_text(it.holds), html_text(broken.findings.front().because),
        html_text(left_out_words(it)));
    const auto& files = number < difference_.trace_files.size() ? difference_.trace_files[number]
                                                                : std::pair<std::string, std::string>();
    out_ << "<div class=\"pair runs\">";
    write_run(it.breaks, broken, fmt::format("broken{}", number), page_of_trace(files.first), "first");
    write_run(it.holds, it.pair->whole, fmt::format("whole{}", number), page_of_trace(files.second),
              "second");
    out_ << "</div>\n";
    write_moves(it);
    out_ << "</details>\n";
  }

  void write_run(const std::string& lock, const Counterexample& run, const std::string& name,
                 const std::string& page, std::string_view side) {
    const Scene scene = scene_of(as_shown(run));
    const std::string link =
        page.empty() ? "" : fmt::format(" · <a href=\"{}\">the page of this run</a>", html_text(page));
    out_ << fmt::format(
                "<figure data-side=\"{}\"><figcaption><b>{}</b>{}</figcaption>\n<div class=\"scroll\" "
                "tabindex=\"0\" "
                "role=\"group\" aria-label=\"sequence diagram of {}\">",
                side, html_text(lock), link, html_text(lock))
         << sequence_picture(scene, all_rows(scene), {name, "The run of " + lock}) << "</div></figure>\n";
  }

  static std::string numbers(const std::vector<Step>& steps) {
    std::string text;
    for (const Step step : steps) text += fmt::format("{}{}", text.empty() ? "" : " ", step.value);
    return text;
  }
  void write_moves(const Separation& it) {
    const std::vector<Beside> rows = side_by_side(*it.pair);
    const auto first = std::find_if(rows.begin(), rows.end(), [](const Beside& row) { return row.differs; });
    if (first != rows.end())
      out_ << fmt::format("<p class=\"diagnosis\">The runs first differ here: <b>{}</b> · <b>{}</b></p>\n",
                          html_text(first->first), html_text(first->second));
    out_ << fmt::format(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"moves\"><table "
        "class=\"beside\"><thead><tr><th scope=\"col\">{}</th><th "
        "scope=\"col\">{}</th></tr></thead>\n<tbody>",
        html_text(it.breaks), html_text(it.holds));
    for (const Beside& row : rows)
      out_ << fmt::format("<tr{} data-first=\"{}\" data-second=\"{}\"><td>{}</td><td>{}</td></tr>\n",
                          row.differs ? " class=\"differs\"" : "", numbers(row.first_steps),
                          numbers(row.second_steps), html_text(row.first), html_text(row.second));
    out_ << "</tbody></table></div>\n<p class=\"keys\" hidden><span class=\"hint\">← → or Page keys step "
            "through both runs</span></p>\n";
  }

  const Difference& difference_;
  std::ostream& out_;
};

}  // namespace

void write_difference_page(const Difference& difference, std::ostream& out) {
  SeparationPage(difference, out).write();
}

}  // namespace holdfast::reports
