#include "reports/traits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "reports/markdown.hpp"
#include "reports/tables.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string shown(const std::vector<TraitVerdict>& verdicts, const Terminal& terminal) {
  switch (answer_of(verdicts)) {
    case TraitAnswer::yes: return terminal.ascii ? "yes" : "✔";
    case TraitAnswer::sampled: return terminal.ascii ? "o" : "○";
    case TraitAnswer::unknown: return "?";
    case TraitAnswer::not_applicable: return terminal.ascii ? "-" : "·";
    case TraitAnswer::no: break;
  }
  const auto first = std::find_if(verdicts.begin(), verdicts.end(),
                                  [](const TraitVerdict& each) { return each.verdict == Verdict::violated; });
  const std::string_view cross = terminal.ascii ? "no" : "✘";
  return first->fault == Fault::none ? fmt::format("{} {}", cross, first->steps)
                                     : fmt::format("{} {} {}", cross, id_of(first->fault), first->steps);
}

std::vector<std::vector<std::string>> table(const std::vector<TraitRow>& rows, const Terminal& terminal) {
  std::vector<std::string> header{"lock"};
  for (const TraitQuestion& question : trait_questions()) header.emplace_back(question.id);
  std::vector<std::vector<std::string>> lines{header};
  for (const TraitRow& row : rows) {
    std::vector<std::string> line{printable(terminal, row.algorithm)};
    for (const std::vector<TraitVerdict>& answer : row.answers) line.push_back(shown(answer, terminal));
    lines.push_back(std::move(line));
  }
  return lines;
}

// "recovery under crash", of all that an answer rests on.
std::string asked_of(const TraitQuestion& question) {
  std::string text;
  for (const auto& [fault, property] : question.verdicts)
    text += fmt::format("{}{} under {}", text.empty() ? "" : ", ", id_of(property), id_of(fault));
  return text;
}

constexpr std::string_view how_to_read =
    "✘ names the fault, if one is needed, and the steps of the shortest run. ✔ rests on every schedule "
    "within the bounds that the default comparison closed; ○ on a sample, if there are too many.";

}  // namespace

std::span<const TraitQuestion> trait_questions() {
  using enum Fault;
  using enum Property;
  static const std::vector<TraitQuestion> questions{
      {"mutual exclusion",
       "do two clients never believe at once that they hold the lock",
       {{none, mutual_exclusion}, {slow_section, mutual_exclusion}, {Fault::pause, mutual_exclusion}}},
      {"timeout release", "can others get the lock of a holder that died", {{crash, recovery}}},
      {"reentrancy", "may a holder acquire the lock again", {{none, reentrancy}}},
      {"availability",
       "can the lock be held and acquired although a server was lost",
       {{restart, mutual_exclusion},
        {restart, recovery},
        {failover, mutual_exclusion},
        {failover, recovery}}},
      {"owner-only release",
       "does no client release the lock of another",
       {{none, owner_only_release},
        {slow_section, owner_only_release},
        {Fault::pause, owner_only_release},
        {late_request, owner_only_release}}},
  };
  return questions;
}

TraitAnswer answer_of(const std::vector<TraitVerdict>& verdicts) {
  const auto is_any = [&](Verdict verdict) {
    return std::any_of(verdicts.begin(), verdicts.end(),
                       [verdict](const TraitVerdict& each) { return each.verdict == verdict; });
  };
  if (is_any(Verdict::violated)) return TraitAnswer::no;
  if (is_any(Verdict::unknown) || is_any(Verdict::hollow)) return TraitAnswer::unknown;
  if (is_any(Verdict::sampled)) return TraitAnswer::sampled;
  return is_any(Verdict::holds) ? TraitAnswer::yes : TraitAnswer::not_applicable;
}

void write_traits_text(const std::vector<TraitRow>& rows, std::ostream& out, const Terminal& terminal) {
  Page page(out, terminal);
  write_columns(table(rows, terminal), trait_questions().size() + 1, page);
  page.line();
  for (const TraitQuestion& question : trait_questions())
    page.paragraph("  ", fmt::format("{}: {}? ({})", question.id, question.asks, asked_of(question)));
  page.paragraph("  ", how_to_read);
}

void write_traits_json(const std::vector<TraitRow>& rows, std::ostream& out) {
  Json json{{"schema", "holdfast/traits/1"}, {"traits", Json::array()}, {"locks", Json::array()}};
  for (const TraitQuestion& question : trait_questions())
    json["traits"].push_back({{"id", question.id}, {"asks", question.asks}});
  for (const TraitRow& row : rows) {
    Json lock{{"algorithm", row.algorithm}, {"answers", Json::array()}};
    for (std::size_t i = 0; i < row.answers.size(); ++i) {
      Json verdicts = Json::array();
      for (const TraitVerdict& each : row.answers[i])
        verdicts.push_back({{"property", id_of(each.property)},
                            {"fault", id_of(each.fault)},
                            {"verdict", id_of(each.verdict)},
                            {"trace_length", each.steps == 0 ? Json() : Json(each.steps)}});
      lock["answers"].push_back(
          {{"trait", trait_questions()[i].id},
           {"answer", trait_answer_ids[static_cast<std::size_t>(answer_of(row.answers[i]))]},
           {"verdicts", verdicts}});
    }
    json["locks"].push_back(std::move(lock));
  }
  out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

void write_traits_markdown(const std::vector<TraitRow>& rows, std::ostream& out) {
  write_markdown_table(table(rows, Terminal{}), out);
  out << '\n';
  for (const TraitQuestion& question : trait_questions())
    out << fmt::format("- **{}**: {}? ({})\n", question.id, question.asks, asked_of(question));
  out << '\n' << how_to_read << '\n';
}

}  // namespace holdfast::reports
