#include "reports/separation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/beside.hpp"
#include "reports/markdown.hpp"
#include "reports/shown.hpp"
#include "reports/story.hpp"
#include "reports/tables.hpp"
#include "reports/timeline.hpp"
#include "reports/verdicts.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;
using TextRows = std::vector<std::vector<std::string>>;

constexpr std::array<std::string_view, 3> answer_ids{"found", "none", "unknown"};
std::string_view id_of(Separation::Answer answer) { return answer_ids[static_cast<std::size_t>(answer)]; }

std::string tape_of(const Separation& it) {
  if (it.pair) return counted(it.pair->broken.steps, "step");
  if (it.answer == Separation::Answer::unknown) return "not known: the search ended early";
  if (it.first != Verdict::violated) return "none: never broken";
  return fmt::format("none ({} searched)", counted(it.pairs, "pair"));
}

}  // namespace

const std::string_view same_tape =
    "On the same tape, a lock makes the moves of the other in the same order: of clients, of messages, of "
    "time. It "
    "leaves out what it cannot do, and does what is due before time passes. Faults and long waits come to "
    "its next "
    "question of the same name, and every fault must strike it too. Where the tape ends, nothing special "
    "happens any "
    "more.";

std::vector<const Separation*> worth_telling(const Difference& difference) {
  const std::vector<Separation>& all = difference.separations;
  std::vector<const Separation*> told;
  for (const Separation& it : all) {
    const auto concerns = [&](const Separation& other) {
      return other.fault == it.fault && other.property == it.property &&
             (other.first == Verdict::violated || other.answer == Separation::Answer::unknown);
    };
    if (std::any_of(all.begin(), all.end(), concerns)) told.push_back(&it);
  }
  return told;
}

TextRows rows_of(const std::vector<const Separation*>& told) {
  TextRows rows{{"fault", "property", "breaks", "holds", "shortest tape"}};
  for (const Separation* it : told)
    rows.push_back({std::string(holdfast::id_of(it->fault)), std::string(holdfast::id_of(it->property)),
                    it->breaks, it->holds, tape_of(*it)});
  return rows;
}

const Separation* shortest_of(const Difference& difference) {
  const Separation* shortest = nullptr;
  for (const Separation& it : difference.separations)
    if (it.pair && (!shortest || it.pair->broken.steps < shortest->pair->broken.steps)) shortest = &it;
  return shortest;
}

namespace {

// What a step comes to; whose values it writes does not matter.
std::string course_of(const StepView& step) {
  std::string text;
  for (const Event* event : step.events) {
    text += fmt::format("{};", kind_of(*event));
    if (const Sent* sent = std::get_if<Sent>(&event->what); sent != nullptr && !sent->argv.empty())
      text += sent->argv.front() + ";";
    if (const auto* changed = std::get_if<KeyChanged>(&event->what))
      text += std::to_string(static_cast<int>(changed->kind)) + ";";
  }
  return text;
}

}  // namespace

std::vector<Beside> side_by_side(const SeparatePair& pair) {
  const Narrator first(pair.broken.events, pair.broken.store);
  const Narrator second(pair.whole.events, pair.whole.store);
  const StepNumbers first_numbers(pair.broken.events);
  const StepNumbers second_numbers(pair.whole.events);
  std::vector<Beside> rows(pair.made.size());
  std::vector<std::pair<std::string, std::string>> courses(rows.size());
  for (const StepView& step : steps_of(pair.broken.events)) {
    Beside& row = rows[step.step.value - 1];
    courses[step.step.value - 1].first = course_of(step);
    row.first_steps.push_back(first_numbers.shown(step.step));
    row.first = fmt::format("{}. {}", row.first_steps.back().value, first.sentences(step));
  }
  for (const StepView& step : steps_of(pair.whole.events)) {
    const auto place = std::lower_bound(pair.made.begin(), pair.made.end(), step.step.value);
    const bool has_ended = place == pair.made.end();  // the tape
    if (has_ended) {
      rows.emplace_back();
      courses.emplace_back();
    }
    courses[has_ended ? rows.size() - 1 : static_cast<std::size_t>(place - pair.made.begin())].second +=
        course_of(step);
    Beside& beside = has_ended ? rows.back() : rows[static_cast<std::size_t>(place - pair.made.begin())];
    beside.second_steps.push_back(second_numbers.shown(step.step));
    std::string& text = beside.second;
    text += fmt::format("{}{}. {}", text.empty() ? "" : " ", beside.second_steps.back().value,
                        second.sentences(step));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].differs = courses[i].first != courses[i].second;
  std::erase_if(rows, [](const Beside& row) { return row.first.empty() && row.second.empty(); });
  return rows;
}

std::string left_out_words(const Separation& it) {
  const std::uint32_t count = it.pair->left_out;
  if (count == 0) return fmt::format("{} makes every move of the tape", it.holds);
  return fmt::format("{} leaves out {} of the tape, which it cannot make", it.holds, counted(count, "move"));
}

std::string bounds_text(const Difference& difference) {
  std::string text;
  for (const std::string& phrase : bounds_in_words(Matrix{.bounds = difference.bounds}))
    text += (text.empty() ? "" : " · ") + phrase;
  return text;
}

std::string summary(const Difference& difference) {
  std::array<std::size_t, answer_ids.size()> counts{};
  for (const Separation& it : difference.separations) ++counts[static_cast<std::size_t>(it.answer)];
  const std::string open = counts[2] == 0 ? "" : fmt::format(" · {} not known", counts[2]);
  return fmt::format("{}{} of {} told apart{}", difference.interrupted ? "interrupted: " : "", counts[0],
                     counted(difference.separations.size(), "case"), open);
}

namespace {

void write_columns_of(const std::vector<Beside>& rows, Page& page) {
  const Terminal& terminal = page.terminal();
  const std::size_t width = (std::max(terminal.width, width_min) - 3) / 2;
  for (const Beside& row : rows) {
    const std::vector<std::string> left = wrapped(printable(terminal, row.first), width);
    const std::vector<std::string> right = wrapped(printable(terminal, row.second), width);
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i)
      page.line(fmt::format("{} │ {}", padded(i < left.size() ? left[i] : "", width),
                            i < right.size() ? right[i] : ""));
  }
}

void write_pair(const Difference& difference, const Separation& it, Page& page) {
  const Terminal& terminal = page.terminal();
  const Counterexample& broken = it.pair->broken;
  page.line(painted(terminal, Style::bad,
                    fmt::format("✘ {} × {}: {} is violated", it.breaks, holdfast::id_of(it.fault),
                                holdfast::id_of(it.property))));
  page.line(painted(terminal, Style::good,
                    fmt::format("✔ {}, on the same tape and calmly to its end: it is not", it.holds)));
  page.line();
  std::vector<Beside> rows = side_by_side(*it.pair);
  rows.insert(rows.begin(), {it.breaks, it.holds});
  write_columns_of(rows, page);
  page.line();
  page.paragraph("  why     ", printable(terminal, broken.findings.front().because));
  page.paragraph("  tape    ", left_out_words(it) + ". " + std::string(same_tape));
  const auto index = static_cast<std::size_t>(&it - difference.separations.data());
  if (index >= difference.trace_files.size()) return;
  const auto& [first, second] = difference.trace_files[index];
  for (const std::string& file : {first, second})
    page.line(fmt::format("  show    ./holdfast show {}", printable(terminal, file)));
}

}  // namespace

void write_difference_text(const Difference& difference, std::ostream& out, const Terminal& terminal) {
  Page page(out, terminal);
  page.paragraph("", fmt::format("{} and {} on the same tapes · seed {:#x}",
                                 painted(terminal, Style::strong, difference.one),
                                 painted(terminal, Style::strong, difference.other), difference.seed));
  page.paragraph("bounds: ", bounds_text(difference));
  page.line();
  const std::vector<const Separation*> told = worth_telling(difference);
  if (told.empty()) page.line("neither lock breaks anything");
  else write_columns(rows_of(told), 5, page);
  page.line();
  page.line(fmt::format("{} · {:.1f} s", summary(difference), difference.seconds));
  if (const Separation* it = shortest_of(difference)) {
    page.line();
    write_pair(difference, *it, page);
  }
  if (!difference.page.empty()) page.line(fmt::format("  page    {}", printable(terminal, difference.page)));
}

void write_difference_json(const Difference& difference, std::ostream& out) {
  Json json{{"schema", "holdfast/diff/1"},
            {"version", difference.version},
            {"seed", fmt::format("{:#x}", difference.seed)},
            {"bounds", bounds_json(difference.bounds)},
            {"locks", {difference.one, difference.other}},
            {"same_tape", same_tape},
            {"results", Json::array()}};
  for (std::size_t i = 0; i < difference.separations.size(); ++i) {
    const Separation& it = difference.separations[i];
    Json result{{"fault", holdfast::id_of(it.fault)},
                {"property", holdfast::id_of(it.property)},
                {"breaks", it.breaks},
                {"holds", it.holds},
                {"answer", id_of(it.answer)},
                {"verdict", holdfast::id_of(it.first)},
                {"pairs", it.pairs},
                {"steps", nullptr}};
    if (it.pair) {
      result["steps"] = it.pair->broken.steps;
      result["left_out"] = it.pair->left_out;
      result["because"] = it.pair->broken.findings.front().because;
      if (i < difference.trace_files.size()) {
        result["trace"] = difference.trace_files[i].first;
        result["other_trace"] = difference.trace_files[i].second;
      }
    }
    json["results"].push_back(std::move(result));
  }
  if (!difference.page.empty()) json["page"] = difference.page;
  if (difference.interrupted) json["interrupted"] = true;
  out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

void write_difference_markdown(const Difference& difference, std::ostream& out) {
  const std::vector<const Separation*> told = worth_telling(difference);
  if (told.empty()) out << "Neither lock breaks anything.\n";
  TextRows rows = rows_of(told);
  for (std::size_t i = 1; i < rows.size(); ++i)
    for (std::string& text : rows[i]) text = markdown_text(text);
  if (!told.empty()) write_markdown_table(rows, out);
  out << fmt::format("\nBounds: {}.\n\n{} · seed {:#x} · holdfast {}\n", bounds_text(difference),
                     summary(difference), difference.seed, markdown_text(difference.version));
  const Separation* it = shortest_of(difference);
  if (!it) return;
  out << fmt::format("\n{} under {}: {} breaks {}, and {} does not. {} {}\n\n",
                     counted(it->pair->broken.steps, "step"), holdfast::id_of(it->fault),
                     markdown_text(it->breaks), holdfast::id_of(it->property), markdown_text(it->holds),
                     markdown_text(it->pair->broken.findings.front().because), same_tape);
  TextRows beside{{markdown_text(it->breaks), markdown_text(it->holds)}};
  for (const Beside& row : side_by_side(*it->pair))
    beside.push_back({markdown_text(row.first), markdown_text(row.second)});
  write_markdown_table(beside, out);
}

}  // namespace holdfast::reports
