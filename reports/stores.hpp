// Stores compared: a row for each store and lock, and for each fault one sign of what it does to holders. All
// is derived from verdicts.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/language.hpp"
#include "reports/report.hpp"
#include "sim/core/set_of.hpp"

namespace holdfast::reports {

// The worst first.
enum class StoreSign : std::uint8_t {
  two,             // two hold it at once, or a stale write lands
  stuck,           // nobody gets it until somebody looks
  fence_open,      // two hold it at once, and it is not decided whether its numbers save what it protects
  fenced,          // two hold it at once, but a resource that refuses older numbers loses no update
  not_proved,      // none of these was found
  safe_so_far,     // none of these, within smaller bounds; larger ones stayed open
  safe,            // no two hold it, no stale write lands, and it comes back
  not_applicable,  // the fault cannot strike
};
inline constexpr std::array<std::string_view, 8> store_sign_ids{
    "two", "stuck", "fence-open", "fenced", "not-proved", "safe-so-far", "safe", "not-applicable"};
constexpr std::string_view id_of(StoreSign sign) { return store_sign_ids[static_cast<std::size_t>(sign)]; }

// What signs are derived from, where clients read, work and write, and the resource refuses numbers that are
// older than one that wrote or read.
inline constexpr PropertySet of_holders{Property::mutual_exclusion, Property::no_stale_write,
                                        Property::fence_order,      Property::rightful_write,
                                        Property::no_lost_update,   Property::recovery};
// What people ask about first, in the order of the columns.
std::span<const Fault> faults_of_stores();

struct StoreCell {
  StoreSign sign = StoreSign::not_proved;
  // The shortest run that shows it; nullptr: there is none.
  const JudgedProperty* run = nullptr;
};
// nullptr: it was not explored.
StoreCell store_cell(const MatrixCell* cell);

struct StoreLine {
  const StoreRow* row = nullptr;
  std::vector<StoreCell> cells = {};     // parallel to StoreTable::columns
  const JudgedProperty* fair = nullptr;  // bounded-bypass without faults; nullptr: not decided
  const Cost* cost = nullptr;            // nullptr: not measured
  bool has_numbers = false;              // its grants bring numbers
};
struct StoreTable {
  std::vector<Fault> columns;  // `none` only where a lock breaks without any fault
  std::vector<StoreLine> lines;
};
// REQUIRES: the matrix outlives it.
StoreTable store_table(const Matrix& matrix);

// One answer in few words, and then one for each situation of a reader.
struct StoreAnswer {
  std::string asks;  // empty of the first
  std::string says;
};
std::vector<StoreAnswer> store_answers(const StoreTable& table, Language language = Language::en);

// "client clock": what people call the fault.
std::string struck_in_words(Fault fault, Language language);
std::string_view glyph_of(StoreSign sign);
// "no two holders, no stale write, and it comes back".
std::string in_words(StoreSign sign, Language language);
// "≤3", "any", or "?": of the most grants to others while one waits.
std::string overtaking_of(const StoreLine& line);
// Requests alone, requests with others, and the median of the wait in milliseconds; empty: not measured.
std::vector<std::string> costs_of(const StoreLine& line);

// REQUIRES of all: the matrix has rows of stores.
void write_stores_text(const Matrix& matrix, std::ostream& out, const Terminal& terminal);
void write_stores_markdown(const Matrix& matrix, std::ostream& out);
void write_stores_csv(const Matrix& matrix, std::ostream& out);
nlohmann::ordered_json stores_json(const Matrix& matrix);

}  // namespace holdfast::reports
