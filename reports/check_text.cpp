// One lock in full: every property under every fault, then a picture of each cause, the likeliest first.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/causes.hpp"
#include "reports/confidence.hpp"
#include "reports/report.hpp"
#include "reports/tables.hpp"
#include "reports/verdicts.hpp"

namespace holdfast::reports {
namespace {

std::string in_words(const Effort& effort) {
  if (effort.states == 0) return counted(effort.runs, "run");
  const double missed = effort.missed_state_probability();
  const double unit = std::pow(10, std::floor(std::log10(missed)));
  return fmt::format("{}, {}, p(missed state) < {:.0e}", counted(effort.states, "state"),
                     counted(effort.transitions, "transition"), std::ceil(missed / unit) * unit);
}

// What of a verdict's circumstances is worth a line: how long, how often, a note.
std::string detail_of(const MatrixCell& cell, const JudgedProperty& property) {
  const std::string& note = property.result.note;
  const std::string extent = extent_of(property.result);
  return extent + (extent.empty() || note.empty() ? "" : "; ") + note + breaking_in_words(cell, property);
}

// Within which bounds every schedule was explored; or in which not, and whether they were sampled.
std::string extent_in_words(const MatrixCell& cell, bool is_open) {
  std::string text;
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : " · ") + words; };
  for (const Within& each : cell.within)
    if (!is_open && each.is_closed) add(scope_in_words(each.scope));
  if (!is_open) return text;
  for (const Scope& scope : open_scopes(cell)) {
    const auto samples = [&](const Within& each) { return each.runs != 0 && each.scope == scope; };
    const bool is_sampled = std::any_of(cell.within.begin(), cell.within.end(), samples);
    add(scope_in_words(scope) + (is_sampled ? " (sampled)" : ""));
  }
  return text;
}

// Properties of a cell of which the same is to be told.
struct Alike {
  Outcome outcome;
  std::string detail;
  std::vector<const JudgedProperty*> properties;
};

// In the order of their first properties. What is violated stands alone: it has a trace.
std::vector<Alike> alike_in(const MatrixCell& cell) {
  std::vector<Alike> groups;
  for (const JudgedProperty& property : cell.properties) {
    const Outcome outcome = outcome_of(cell, property);
    std::string detail = detail_of(cell, property);
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Alike& each) {
      return outcome != Outcome::violated && each.outcome == outcome && each.detail == detail;
    });
    if (same == groups.end()) groups.push_back({outcome, std::move(detail), {&property}});
    else same->properties.push_back(&property);
  }
  return groups;
}

// The largest of several groups comes last, as "the other 6". REQUIRES: there is one.
std::vector<Alike> with_others_last(std::vector<Alike> groups) {
  const auto is_smaller = [](const Alike& one, const Alike& other) {
    return one.properties.size() < other.properties.size();
  };
  const auto largest = std::max_element(groups.begin(), groups.end(), is_smaller);
  if (largest->properties.size() > 1) std::rotate(largest, largest + 1, groups.end());
  return groups;
}

std::string name_of_group(const Alike& group, bool is_last) {
  if (is_last && group.properties.size() > 1) return fmt::format("the other {}", group.properties.size());
  std::string names;
  for (const JudgedProperty* each : group.properties)
    names.append(names.empty() ? "" : ", ").append(id_of(each->result.property));
  return names;
}

std::string_view word_for(const Alike& group) { return word_of(group.outcome, group.properties.size()); }

void write_groups(std::vector<Alike> groups, Page& page) {
  const Terminal& terminal = page.terminal();
  groups = with_others_last(std::move(groups));
  for (const Alike& group : groups) {
    const std::string head =
        fmt::format("    {} {}  ", painted(terminal, style_of(group.outcome), glyph_of(group.outcome)),
                    padded(name_of_group(group, &group == &groups.back()), 18));
    const std::string detail = printable(terminal, group.detail);
    page.paragraph(head, fmt::format("{}{}", word_for(group), detail.empty() ? "" : ": " + detail));
    if (const std::string& file = group.properties.front()->trace_file; !file.empty())
      page.line("      " + printable(terminal, file));
  }
}

// Within which bounds. `before` is the cell above, which has often the same.
void write_extent(const MatrixCell& cell, const MatrixCell* before, Page& page) {
  if (cell.within.size() < 2) return;
  for (const bool is_open : {false, true}) {
    const std::string text = extent_in_words(cell, is_open);
    const bool is_same = before != nullptr && extent_in_words(*before, is_open) == text;
    const std::string_view label = is_open ? "    open: " : "    closed: ";
    if (!text.empty()) page.paragraph(label, is_same ? "as above" : text);
  }
  const std::string& why = cell.effort.needs_ticks;
  const bool is_same = before != nullptr && before->effort.needs_ticks == why;
  if (!why.empty()) page.paragraph("    in ticks alone: ", is_same ? "as above" : why);
}

void write_cell(const MatrixCell& cell, const MatrixCell* before, Page& page) {
  const Terminal& terminal = page.terminal();
  const Summary summary = summary_of(cell);
  const std::size_t count = cell.properties.size();
  std::vector<Alike> groups = alike_in(cell);
  std::string all;
  if (groups.size() == 1 && summary.outcome != Outcome::violated) {
    const std::string detail = printable(terminal, groups.front().detail);
    all = (count == 1 ? fmt::format(", {}", id_of(cell.properties.front().result.property))
                      : fmt::format(", all {} properties", count)) +
          (detail.empty() ? "" : ": " + detail);
  }
  page.paragraph("", fmt::format("{} {}: {}{} ({})",
                                 painted(terminal, style_of(summary.outcome), glyph_of(summary.outcome)),
                                 painted(terminal, Style::strong, id_of(cell.fault)),
                                 word_of(summary.outcome), all, in_words(cell.effort)));
  if (all.empty() && !groups.empty()) write_groups(std::move(groups), page);
  write_extent(cell, before, page);
  if (rests_on_sample(cell))
    for (const std::string& statement : confidence_in_words(cell.effort, cell.has(Verdict::violated)))
      page.paragraph("    ", statement);
  if (rests_on_fairness(cell)) page.paragraph("    ", std::string(fairness));
}

// A picture of each cause, and what can be done about it.
void write_causes(const Matrix& matrix, std::ostream& out, Page& page) {
  const std::vector<Cause> causes = causes_of(matrix);
  for (const Cause& cause : causes) {
    const auto& [result, scenario, decided_by, file, unexpected, live] = *cause.property;
    page.line();
    page.paragraph("", painted(page.terminal(), Style::strong,
                               fmt::format("cause {} of {}, likeliest first: {}", &cause - causes.data() + 1,
                                           causes.size(), in_words(cause.kind))));
    write_trace({scenario, *result.counterexample, file}, View::sequence, out, page.terminal());
    std::string others;
    for (const Property property : cause.broken)
      if (property != result.property) others.append(others.empty() ? "" : ", ").append(id_of(property));
    if (!others.empty()) page.paragraph("  breaks  ", "also " + others);
    for (const std::string& each : advice_for(cause)) page.paragraph("  fix     ", each);
  }
}

// Which of its awaits nothing is known about.
void write_never_ran(const Matrix& matrix, Page& page) {
  if (matrix.never_ran.empty()) return;
  page.line();
  page.paragraph("", "Awaits that never ran, so no verdict covers them:");
  for (const NeverRan& each : matrix.never_ran)
    page.paragraph(fmt::format("  {}:{}  ", printable(page.terminal(), each.file), each.line),
                   printable(page.terminal(), each.text));
}

}  // namespace

void write_check_text(const Matrix& matrix, std::ostream& out, const Terminal& terminal) {
  Page page(out, terminal);
  const Grid grid = grid_of(matrix);
  std::string names;
  for (const Grid::Line& line : grid.lines)
    names += (names.empty() ? "" : ", ") + printable(terminal, line.algorithm);
  page.paragraph("", fmt::format("{} under {} · seed {:#x}", painted(terminal, Style::strong, names),
                                 counted(grid.faults(), "fault"), matrix.seed));
  write_beyond_model(matrix, page);
  page.line();
  for (const MatrixCell& cell : matrix.cells)
    write_cell(cell, &cell == matrix.cells.data() ? nullptr : &cell - 1, page);
  page.line();
  page.paragraph("", fmt::format("{}{} · {:.1f} s", matrix.interrupted ? "interrupted: " : "",
                                 tally_of(matrix, " · "), matrix.seconds));
  write_bounds(matrix, grid.belief, page);
  write_never_ran(matrix, page);
  write_programs(matrix.programs, page);
  write_costs(matrix.costs, page);
  write_causes(matrix, out, page);
}

}  // namespace holdfast::reports
