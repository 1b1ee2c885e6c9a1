#include "reports/assumptions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "reports/markdown.hpp"
#include "reports/verdicts.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> names_of(FaultSet set) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < fault_ids.size(); ++i)
    if (set.contains(static_cast<Fault>(i))) names.emplace_back(fault_ids[i]);
  return names;
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(separator)) + word;
  return text;
}

std::string set_in_words(FaultSet set) { return set.empty() ? "nothing" : joined(names_of(set), " + "); }

std::string sets_in_words(const std::vector<FaultSet>& sets) {
  std::vector<std::string> texts;
  for (const FaultSet set : sets) texts.push_back(set_in_words(set));
  return joined(texts, ", ");
}

std::string breaking_in_words(const Assumption& it) {
  std::vector<std::string> texts;
  for (const BreakingSet& set : it.breaks)
    texts.push_back(fmt::format("{} ({})", set_in_words(set.faults), counted(set.run.steps, "step")));
  return texts.empty() ? "–" : joined(texts, ", ");
}

bool is_known_to_hold(const Assumption& it, FaultSet set) {
  return std::any_of(it.holds.begin(), it.holds.end(),
                     [&](FaultSet larger) { return larger.contains_all(set); });
}

bool is_known_to_break(const Assumption& it, FaultSet set) {
  return std::any_of(it.breaks.begin(), it.breaks.end(),
                     [&](const BreakingSet& smaller) { return set.contains_all(smaller.faults); });
}

// The faults that are known not to break it alone.
FaultSet harmless(const Assumptions& all, const Assumption& it) {
  FaultSet faults;
  for (std::size_t i = 1; i < fault_ids.size(); ++i) {
    const FaultSet alone = {static_cast<Fault>(i)};
    const bool counts = all.tried.contains_all(alone) && !all.idle.contains_all(alone);
    if (counts && is_known_to_hold(it, alone)) faults.insert(alone);
  }
  return faults;
}

// Whether each set of so many of these faults holds, but for those that break.
bool all_hold(const Assumption& it, FaultSet faults, std::uint32_t size, std::size_t from = 1,
              FaultSet set = {}) {
  if (size == 0) return is_known_to_hold(it, set) || is_known_to_break(it, set);
  for (std::size_t i = from; i < fault_ids.size(); ++i) {
    if (!faults.contains(static_cast<Fault>(i))) continue;
    FaultSet larger = set;
    larger.insert(static_cast<Fault>(i));
    if (!all_hold(it, faults, size - 1, i + 1, larger)) return false;
  }
  return true;
}

std::uint32_t size_of(FaultSet set) { return static_cast<std::uint32_t>(std::popcount(set.bits())); }

// "any 2 of crash, lost-request, lost-reply, but not crash + lost-request": the strongest sets in one phrase.
// Nothing is said of a set that was not explored: where one is not known, the phrase is about smaller sets,
// and the larger ones that hold stand behind it.
std::string holding_in_words(const Assumptions& all, const Assumption& it) {
  if (it.holds.empty()) return "–";
  const FaultSet faults = harmless(all, it);
  const std::uint32_t many = size_of(faults);
  if (many == 0) return "no fault at all";
  std::uint32_t together = std::min(all.together, many);
  while (together > 1 && !all_hold(it, faults, together)) --together;
  std::vector<FaultSet> excluded;
  for (const BreakingSet& set : it.breaks)
    if (size_of(set.faults) > 1 && size_of(set.faults) <= together) excluded.push_back(set.faults);
  std::vector<FaultSet> besides;
  for (const FaultSet set : it.holds)
    if (size_of(set) > together) besides.push_back(set);
  const std::string beginning = many == 1          ? ""
                                : together == 1    ? "any one of "
                                : together == many ? "all of "
                                                   : fmt::format("any {} of ", together);
  return fmt::format("{}{}{}{}{}{}", beginning, joined(names_of(faults), ", "),
                     excluded.empty() ? "" : ", but not ", sets_in_words(excluded),
                     besides.empty() ? "" : "; also ", sets_in_words(besides));
}

// Where there are many, how many; JSON lists them.
std::string many_in_words(const std::vector<FaultSet>& all) {
  constexpr std::size_t readable = 12;
  std::vector<std::string> texts;
  for (std::uint32_t size = 0; size <= fault_ids.size(); ++size) {
    std::vector<FaultSet> sets;
    for (const FaultSet set : all)
      if (size_of(set) == size) sets.push_back(set);
    if (sets.empty()) continue;
    texts.push_back(sets.size() <= readable
                        ? sets_in_words(sets)
                        : fmt::format("{} sets of {}", sets.size(), counted(size, "fault")));
  }
  return joined(texts, ", ");
}

std::string bounds_text(const AssumptionsReport& report) {
  std::string text;
  for (const std::string& phrase : bounds_in_words(Matrix{.bounds = report.bounds}))
    text += (text.empty() ? "" : " · ") + phrase;
  return text + fmt::format(" · belief {}", id_of(report.belief));
}

std::string idle_in_words(const Assumptions& found) {
  if (found.idle.empty()) return {};
  return "Alone, these never strike this lock, so no larger set has them: " +
         joined(names_of(found.idle), ", ") + ".";
}

bool is_open(const Assumptions& found) {
  return std::any_of(found.properties.begin(), found.properties.end(),
                     [](const Assumption& it) { return !it.open.empty(); });
}

std::string how_it_is_known(const Assumptions& found) {
  return fmt::format(
      "{} explored{}. A fault may strike and need not, so what breaks under a set breaks under every "
      "larger one.",
      counted(found.sets, "set"), is_open(found) ? ", others not, or not to the end" : "");
}

Json json_of(FaultSet set) { return names_of(set); }

}  // namespace

void write_assumptions_text(const AssumptionsReport& report, std::ostream& out, const Terminal& terminal) {
  Page page(out, terminal);
  const Assumptions& found = report.found;
  page.paragraph(
      "", fmt::format("{}: which faults break it, at most {} in one run · seed {:#x}",
                      painted(terminal, Style::strong, report.algorithm), found.together, report.seed));
  page.paragraph("bounds: ", bounds_text(report));
  for (const Assumption& it : found.properties) {
    page.line();
    page.line(painted(terminal, Style::strong, id_of(it.property)));
    page.paragraph("  breaks under  ", breaking_in_words(it));
    page.paragraph("  holds under   ", holding_in_words(found, it));
    if (!it.open.empty()) page.paragraph("  not known     ", many_in_words(it.open));
    if (!it.hollow.empty()) page.paragraph("  hollow        ", many_in_words(it.hollow));
  }
  page.line();
  if (const std::string idle = idle_in_words(found); !idle.empty()) page.paragraph("", idle);
  page.paragraph("", how_it_is_known(found));
  for (const std::vector<std::string>& files : report.trace_files)
    if (!files.empty()) {
      page.line(fmt::format("  show    ./holdfast show {}", printable(terminal, files.back())));
      break;
    }
  page.line(fmt::format("{}{:.1f} s", report.interrupted ? "interrupted · " : "", report.seconds));
}

void write_assumptions_json(const AssumptionsReport& report, std::ostream& out) {
  const Assumptions& found = report.found;
  Json json{{"schema", "holdfast/assumptions/1"},
            {"version", report.version},
            {"seed", fmt::format("{:#x}", report.seed)},
            {"bounds", bounds_json(report.bounds)},
            {"algorithm", report.algorithm},
            {"belief", id_of(report.belief)},
            {"together", found.together},
            {"never_strike_alone", json_of(found.idle)},
            {"sets", found.sets},
            {"states", found.states},
            {"properties", Json::array()}};
  for (std::size_t i = 0; i < found.properties.size(); ++i) {
    const Assumption& it = found.properties[i];
    Json entry{{"property", id_of(it.property)},
               {"breaks", Json::array()},
               {"holds", Json::array()},
               {"not_known", Json::array()},
               {"hollow", Json::array()}};
    for (std::size_t k = 0; k < it.breaks.size(); ++k) {
      Json set{{"faults", json_of(it.breaks[k].faults)},
               {"steps", it.breaks[k].run.steps},
               {"because", it.breaks[k].run.findings.front().because}};
      if (i < report.trace_files.size()) set["trace"] = report.trace_files[i][k];
      entry["breaks"].push_back(std::move(set));
    }
    for (const FaultSet set : it.holds) entry["holds"].push_back(json_of(set));
    for (const FaultSet set : it.open) entry["not_known"].push_back(json_of(set));
    for (const FaultSet set : it.hollow) entry["hollow"].push_back(json_of(set));
    json["properties"].push_back(std::move(entry));
  }
  if (report.interrupted) json["interrupted"] = true;
  out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

void write_assumptions_markdown(const AssumptionsReport& report, std::ostream& out) {
  const Assumptions& found = report.found;
  std::vector<std::vector<std::string>> rows{
      {"property", "breaks under", "holds under", "not known", "hollow"}};
  for (const Assumption& it : found.properties)
    rows.push_back({std::string(id_of(it.property)), markdown_text(breaking_in_words(it)),
                    markdown_text(holding_in_words(found, it)), markdown_text(many_in_words(it.open)),
                    markdown_text(many_in_words(it.hollow))});
  write_markdown_table(rows, out);
  const std::string idle = idle_in_words(found);
  out << fmt::format("\n{}{}{}\n\n{} · bounds: {} · seed {:#x} · holdfast {}\n", idle,
                     idle.empty() ? "" : " ", how_it_is_known(found), markdown_text(report.algorithm),
                     bounds_text(report), report.seed, markdown_text(report.version));
}

}  // namespace holdfast::reports
