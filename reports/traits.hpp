// The traits table: five questions about every lock, each answered by the verdicts of explorations.
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/terminal.hpp"
#include "sim/core/vocabulary.hpp"

namespace holdfast::reports {

struct TraitQuestion {
  std::string_view id;
  std::string_view asks;                             // one sentence
  std::vector<std::pair<Fault, Property>> verdicts;  // all must hold for a yes
};
// In the order of the table: those by which document 004 compares its five ways.
std::span<const TraitQuestion> trait_questions();

struct TraitVerdict {
  Fault fault = Fault::none;
  Property property = Property::mutual_exclusion;
  Verdict verdict = Verdict::unknown;
  std::uint32_t steps = 0;  // of the shortest run, if violated
};

enum class TraitAnswer : std::uint8_t { yes, no, sampled, unknown, not_applicable };
inline constexpr std::array<std::string_view, 5> trait_answer_ids{"yes", "no", "sampled", "unknown",
                                                                  "not-applicable"};
TraitAnswer answer_of(const std::vector<TraitVerdict>& verdicts);

struct TraitRow {
  std::string algorithm;
  std::vector<std::vector<TraitVerdict>> answers;  // parallel to trait_questions()
};

void write_traits_text(const std::vector<TraitRow>& rows, std::ostream& out, const Terminal& terminal);
void write_traits_json(const std::vector<TraitRow>& rows, std::ostream& out);  // holdfast/traits/1
void write_traits_markdown(const std::vector<TraitRow>& rows, std::ostream& out);

}  // namespace holdfast::reports
