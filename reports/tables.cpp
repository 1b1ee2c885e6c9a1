#include "reports/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/verdicts.hpp"

namespace holdfast::reports {

void write_columns(const std::vector<std::vector<std::string>>& rows, std::size_t left, Page& page) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(i == 0 ? 0 : 2, ' ');
      const std::string room(widths[i] - columns(row[i]), ' ');
      line += i < left ? space + row[i] + room : space + room + row[i];
    }
    page.line(line);
  }
}

void write_beyond_model(const Matrix& matrix, Page& page) {
  for (const std::string& each : beyond_model_in_words(matrix))
    page.paragraph("! ", painted(page.terminal(), Style::bad, printable(page.terminal(), each)));
}

void write_bounds(const Matrix& matrix, std::optional<Belief> belief, Page& page) {
  std::string text;
  for (const std::string& phrase : bounds_in_words(matrix)) text += (text.empty() ? "" : " · ") + phrase;
  if (belief) text += fmt::format(" · belief {}", id_of(*belief));
  page.paragraph("bounds: ", text);
}

namespace {

// The median and what 99 of 100 stay within, in milliseconds.
std::string quantiles(double p50, double p99) {
  const auto text = [](double ms) { return fmt::format("{:.{}f}", ms, ms < 100 ? 1 : 0); };
  return text(p50) + "/" + text(p99);
}

}  // namespace

std::vector<std::vector<std::string>> cost_rows(const std::vector<Cost>& costs, const Terminal& terminal) {
  std::vector<std::vector<std::string>> rows{
      {"cost", "commands", "alone", "trips", "wasted", "wait ms", "wake-up ms", "overtaken", "fairness"}};
  for (const Cost& cost : costs)
    rows.push_back({printable(terminal, cost.algorithm), fmt::format("{:.2f}", cost.commands_per_acquire),
                    fmt::format("{:.2f}", cost.commands_alone),
                    fmt::format("{:.2f}", cost.round_trips_per_acquire),
                    fmt::format("{:.2f}", cost.wasted_polls), quantiles(cost.wait_ms_p50, cost.wait_ms_p99),
                    quantiles(cost.wake_up_ms_p50, cost.wake_up_ms_p99), std::to_string(cost.bypass_max),
                    fmt::format("{:.3f}", cost.jain_fairness)});
  return rows;
}

// How far it is known that times and orders which stood for others were like them.
static std::string confirmation_of(const LearntProgram& it) {
  std::string stood;
  if (it.stood_for > 0)
    stood = fmt::format("for {} that its clocks showed, another one stood; ", counted(it.stood_for, "time"));
  if (it.joint > 0)
    stood += fmt::format("in {} it waited for several replies, and one order stood for all; ",
                         counted(it.joint, "place"));
  const std::string own = it.joint > 0 ? "times and orders of their own" : "times of their own";
  if (it.confirmed == it.to_confirm)
    return stood +
           fmt::format("all {} with {} that can have come of it were told to a new run, and it did the same",
                       it.to_confirm == 1 ? "1 history" : fmt::format("{} histories", it.to_confirm), own);
  return stood + fmt::format("of {} histories with {}, {} were told to a new run: no proof", it.to_confirm,
                             own, it.confirmed);
}

void write_programs(const std::vector<LearntProgram>& programs, Page& page) {
  if (programs.empty()) return;
  page.line();
  for (const LearntProgram& each : programs) {
    const std::string name = printable(page.terminal(), each.algorithm);
    page.paragraph(
        "", fmt::format("{}: {} learnt in {} of the program; {} it was told again, and did the same", name,
                        each.histories == 1 ? "1 history" : fmt::format("{} histories", each.histories),
                        counted(each.sessions, "run"), each.compared));
    if (each.looks)
      page.paragraph("  ",
                     "it looks at clocks, and did the same a second and an hour later; that it does so after "
                     "every time between is not proved (told-time in algorithms/README.md)");
    if (each.stood_for > 0 || each.joint > 0) page.paragraph("  ", confirmation_of(each));
    for (const std::string& problem : each.problems)
      page.paragraph("  ended with an error: ", printable(page.terminal(), problem));
  }
}

void write_costs(const std::vector<Cost>& costs, Page& page) {
  if (costs.empty()) return;
  const Terminal& terminal = page.terminal();
  const std::vector<std::vector<std::string>> rows = cost_rows(costs, terminal);
  std::size_t total = 0;
  for (std::size_t c = 0; c < rows[0].size(); ++c) {
    std::size_t widest = 0;
    for (const std::vector<std::string>& row : rows) widest = std::max(widest, columns(row[c]));
    total += widest + (c == 0 ? 0 : 2);
  }
  if (total <= terminal.width) {
    write_columns(rows, 1, page);
  } else {
    for (std::size_t i = 1; i < rows.size(); ++i) {
      std::string text;
      for (std::size_t c = 1; c < rows[i].size(); ++c)
        text += fmt::format("{}{} {}", c == 1 ? "" : " · ", rows[0][c], rows[i][c]);
      page.line(rows[i][0]);
      page.paragraph("  ", text);
    }
  }
  page.paragraph(
      "",
      fmt::format("cost: {} clients that acquire the lock again and again, per grant · commands: until it is "
                  "released again; alone: of a client without others · trips: round trips · wasted: commands "
                  "of waiting clients · wait, wake-up (from a release to the next grant): median/99 % · "
                  "overtaken: most grants to others while one client waited for one · fairness: 1 when every "
                  "client gets the lock equally often",
                  costs.front().clients));
}

}  // namespace holdfast::reports
