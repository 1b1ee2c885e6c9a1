#include "reports/verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "reports/html.hpp"
#include "reports/phrases.hpp"
#include "reports/words.hpp"

namespace holdfast::reports {
namespace {
struct Shown {
  std::string_view glyph;
  std::string_view word;
  std::string_view meaning;
  Style style;
};
// In the order of Outcome.
constexpr std::array<Shown, 7> shown_outcomes{{
    {"✘", "violated", "with its properties and the steps of the shortest run (≤: found)", Style::bad},
    {"?", "unknown", "the budget ended first, or the lock does what is not simulated", Style::doubtful},
    {"∅", "hollow", "no run came to a situation in which it could break", Style::doubtful},
    {"○", "sampled", "none found in a sample; no proof", Style::doubtful},
    {"◐", "holds so far", "every schedule within smaller bounds was explored; larger ones stayed open",
     Style::good},
    {"✔", "holds", "every schedule within the bounds was explored", Style::good},
    {"·", "not applicable", "the fault cannot strike this lock", Style::faint},
}};
const Shown& shown_as(Outcome outcome) { return shown_outcomes[static_cast<std::size_t>(outcome)]; }

}  // namespace

Outcome outcome_of(const PropertyResult& result) {
  switch (result.verdict) {
    case Verdict::holds: return Outcome::holds;
    case Verdict::sampled: return Outcome::sampled;
    case Verdict::violated: return Outcome::violated;
    case Verdict::unknown: return Outcome::unknown;
    case Verdict::hollow: return Outcome::hollow;
    case Verdict::not_applicable: break;
  }
  return Outcome::not_applicable;
}

std::vector<JudgedProperty> judged(const Exploration& exploration, const Scenario& scenario) {
  std::vector<JudgedProperty> properties;
  for (const PropertyResult& result : exploration.properties) properties.push_back({result, scenario});
  return properties;
}

Outcome outcome_of(const MatrixCell& cell, const JudgedProperty& property) {
  const Outcome outcome = outcome_of(property.result);
  return outcome == Outcome::holds && !open_scopes(cell, property.result.property).empty()
             ? Outcome::holds_so_far
             : outcome;
}

std::vector<Scope> open_scopes(const MatrixCell& cell) {
  std::vector<Scope> open;
  for (const Within& each : cell.within) {
    // Any number of rounds is tried; where that does not close, the bounds that were closed stand.
    if (each.scope.is_endless()) continue;
    const auto closes = [&](const Within& other) { return other.is_closed && other.scope == each.scope; };
    if (std::ranges::none_of(cell.within, closes) && std::ranges::find(open, each.scope) == open.end())
      open.push_back(each.scope);
  }
  return open;
}

std::vector<Scope> open_scopes(const MatrixCell& cell, Property property) {
  const auto judges = [&](const auto& it) { return properties_of(it.variant).contains(property); };
  std::vector<Scope> open = open_scopes(cell);
  // Where the user has asked for the property alone, it is judged in all.
  if (std::ranges::any_of(cell.within, judges, &Within::scope)) std::erase_if(open, std::not_fn(judges));
  return open;
}

std::string_view glyph_of(Outcome outcome) { return shown_as(outcome).glyph; }
std::string_view word_of(Outcome outcome, std::size_t count) {
  const std::string_view word = shown_as(outcome).word;
  if (count == 1) return word;
  return outcome == Outcome::holds ? "hold" : outcome == Outcome::holds_so_far ? "hold so far" : word;
}
Style style_of(Outcome outcome) { return shown_as(outcome).style; }

char letter_of(Property property) {
  // Mutual exclusion, stale Write, Fenced writes, order of fence Numbers, riGhtful write, lost Update,
  // Owner-only release, owner-only Change, Truthful release, Kept by a release, Recovery, Progress,
  // Availability, Livelock, bounded Bypass, reEntrancy, Single fill, Done once per period.
  constexpr std::string_view letters = "MWFNGUOCTKRPALBESD";
  static_assert(letters.size() == property_ids.size());
  return letters[static_cast<std::size_t>(property)];
}

Summary summary_of(const MatrixCell& cell) {
  Summary summary;
  if (cell.properties.empty()) summary.outcome = Outcome::unknown;  // interrupted before its turn
  for (const JudgedProperty& each : cell.properties) {
    const PropertyResult& result = each.result;
    const Outcome outcome = outcome_of(cell, each);
    summary.outcome = std::min(summary.outcome, outcome);
    if (outcome != Outcome::violated) continue;
    summary.letters += letter_of(result.property);
    const std::uint32_t steps = result.counterexample ? result.counterexample->steps : 0;
    if (steps == 0 || (summary.steps != 0 && steps >= summary.steps)) continue;
    summary.steps = steps;
    summary.is_shortest = result.counterexample->is_shortest;
  }
  return summary;
}

std::string sign_of(const Summary& summary, const Terminal& terminal) {
  return painted(terminal, style_of(summary.outcome),
                 std::string(glyph_of(summary.outcome)) + summary.letters.substr(0, 1));
}

std::vector<std::string> upright(const std::vector<Fault>& faults, std::size_t indent) {
  std::size_t height = 0;
  for (const Fault fault : faults) height = std::max(height, id_of(fault).size());
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < height; ++i) {
    lines.emplace_back(indent, ' ');
    for (const Fault fault : faults) {
      const std::string_view id = id_of(fault);
      const std::size_t first = height - id.size();
      lines.back() += fmt::format(" {} ", i < first ? ' ' : id[i - first]);
    }
  }
  return lines;
}

std::string steps_of(const Summary& summary) {
  return fmt::format("{}{}", summary.is_shortest ? "" : "≤", summary.steps);
}

std::size_t Grid::faults() const {
  const auto is_fault = [](Fault fault) { return fault != Fault::none; };
  return static_cast<std::size_t>(std::count_if(columns.begin(), columns.end(), is_fault));
}

Grid grid_of(const Matrix& matrix) {
  Grid grid;
  for (std::size_t i = 0; i < fault_ids.size(); ++i) {
    const auto fault = static_cast<Fault>(i);
    const auto is_of = [&](const MatrixCell& cell) { return cell.fault == fault; };
    if (std::any_of(matrix.cells.begin(), matrix.cells.end(), is_of)) grid.columns.push_back(fault);
  }
  for (const MatrixCell& cell : matrix.cells) {
    auto line = std::find_if(grid.lines.begin(), grid.lines.end(), [&](const Grid::Line& it) {
      return it.algorithm == cell.algorithm && it.belief == cell.belief;
    });
    if (line == grid.lines.end()) {
      const std::vector<const MatrixCell*> none(grid.columns.size(), nullptr);
      line = grid.lines.insert(line, {cell.algorithm, cell.belief, none});
    }
    const auto column =
        std::find(grid.columns.begin(), grid.columns.end(), cell.fault) - grid.columns.begin();
    line->cells[static_cast<std::size_t>(column)] = &cell;
  }
  const auto same = [&](const Grid::Line& line) { return line.belief == grid.lines.front().belief; };
  if (!grid.lines.empty() && std::all_of(grid.lines.begin(), grid.lines.end(), same))
    grid.belief = grid.lines.front().belief;
  return grid;
}

std::string tally_of(const Matrix& matrix, std::string_view separator) {
  std::array<std::size_t, shown_outcomes.size()> counts{};
  for (const MatrixCell& cell : matrix.cells) ++counts[static_cast<std::size_t>(summary_of(cell).outcome)];
  std::string tally;
  for (const Outcome outcome : {Outcome::holds, Outcome::holds_so_far, Outcome::violated, Outcome::sampled,
                                Outcome::unknown, Outcome::hollow, Outcome::not_applicable}) {
    const std::size_t count = counts[static_cast<std::size_t>(outcome)];
    if (count == 0) continue;
    const std::string_view word = word_of(outcome, count);
    tally += fmt::format("{}{} {}", tally.empty() ? "" : separator, count, word);
  }
  if (!matrix.shard) return tally;
  return fmt::format("shard {} of {}: {} of {}{}{}", matrix.shard->index, matrix.shard->count,
                     matrix.cells.size(), counted(matrix.shard->whole.size(), "cell"),
                     tally.empty() ? "" : separator, tally);
}

bool deepens(const Matrix& matrix) {
  return std::any_of(matrix.cells.begin(), matrix.cells.end(),
                     [](const MatrixCell& cell) { return cell.within.size() > 1; });
}

std::string variant_in_words(Variant variant, Language language) {
  return word(fmt::format("variant {}", variant_ids[static_cast<std::size_t>(variant)]), language);
}

std::string scope_in_words(const Scope& scope, Language language) {
  const Phrases phrase(language);
  std::vector<std::string> more;
  if (scope.clients > 2) more.push_back(phrase.count("clients", scope.clients));
  if (scope.rounds > 1) more.push_back(phrase.count("rounds", scope.rounds));
  if (scope.is_endless()) more.push_back(phrase("any number of rounds and attempts"));
  if (scope.attempts > 1) more.push_back(phrase.count("attempts", scope.attempts));
  if (scope.faults > 1) more.push_back(phrase.count("faults_counted", scope.faults));
  if (more.empty()) more.push_back(phrase("2 clients once"));
  if (scope.variant != Variant::usual) more.push_back(variant_in_words(scope.variant, language));
  const std::string_view how = scope.is_dense() ? "at every instant" : "in steps of";
  return phrase(how, fmt::join(more, word("comma", language)), to_text(scope.tick));
}

std::string breaking_in_words(const MatrixCell& cell, const JudgedProperty& property, Language language) {
  if (property.result.verdict != Verdict::violated || cell.within.size() < 2) return {};
  const Within& within = cell.within[property.decided_by];
  const Phrases phrase(language);
  return phrase("broken with", scope_in_words(within.scope, language)) +
         (within.runs != 0 ? phrase("in a sample") : "");
}

namespace {

// A scope that did not close has two lines: what was explored, and the sample.
bool is_first_of_scope(const MatrixCell& cell, const Within& within) {
  const auto is_same = [&](const Within& each) { return each.scope == within.scope; };
  return &*std::find_if(cell.within.begin(), cell.within.end(), is_same) == &within;
}

// What only some locks can do breaks few.
std::string few_locks(const Scope& scope, const std::vector<std::string>& locks) {
  if (scope.variant == Variant::usual || locks.empty()) return {};
  return fmt::format(" ({})", fmt::join(locks, ", "));
}

}  // namespace

std::vector<std::string> deepening_in_words(const Matrix& matrix, Language language) {
  struct Seen {
    Scope scope;
    std::size_t cells = 0;
    std::size_t closed = 0;
    std::size_t sampled = 0;
    std::size_t broken = 0;
    std::vector<std::string> locks = {};  // of which it broke something
  };
  std::vector<Seen> seen;
  const auto place = [&](const Scope& scope) -> Seen& {
    const auto is_same = [&](const Seen& it) { return it.scope == scope; };
    const auto known = std::find_if(seen.begin(), seen.end(), is_same);
    return known != seen.end() ? *known : seen.emplace_back(Seen{scope});
  };
  for (const MatrixCell& cell : matrix.cells) {
    for (const Within& each : cell.within) {
      Seen& it = place(each.scope);
      it.cells += is_first_of_scope(cell, each);
      it.closed += each.is_closed;
      it.sampled += each.runs != 0;
    }
    for (const JudgedProperty& property : cell.properties)
      if (!cell.within.empty() && property.result.verdict == Verdict::violated) {
        Seen& it = place(cell.within[property.decided_by].scope);
        ++it.broken;
        if (it.locks.empty() || it.locks.back() != cell.algorithm) it.locks.push_back(cell.algorithm);
      }
  }
  const Phrases phrase(language);
  std::vector<std::string> words;
  if (!deepens(matrix)) return words;
  for (const Seen& it : seen)
    words.push_back(phrase("deepened", scope_in_words(it.scope, language), it.closed,
                           phrase.count("cells", it.cells),
                           it.sampled == 0 ? "" : phrase("sampled of them", it.sampled),
                           phrase.count("properties", it.broken), few_locks(it.scope, it.locks)));
  return words;
}

std::vector<Property> properties_of(const Matrix& matrix) {
  PropertySet seen;
  for (const MatrixCell& cell : matrix.cells)
    for (const JudgedProperty& each : cell.properties) seen.insert(each.result.property);
  std::vector<Property> properties;
  for (std::size_t i = 0; i < property_ids.size(); ++i)
    if (seen.contains(static_cast<Property>(i))) properties.push_back(static_cast<Property>(i));
  return properties;
}

std::vector<std::pair<Outcome, std::string_view>> outcome_legend() {
  std::vector<std::pair<Outcome, std::string_view>> legend;
  for (const Outcome outcome : {Outcome::holds, Outcome::holds_so_far, Outcome::sampled, Outcome::violated,
                                Outcome::unknown, Outcome::hollow, Outcome::not_applicable})
    legend.emplace_back(outcome, shown_as(outcome).meaning);
  return legend;
}

std::vector<std::string> beyond_model_in_words(const Matrix& matrix) {
  std::vector<std::pair<std::string, std::string>> found;  // what is said of a lock, and its faults
  for (const MatrixCell& cell : matrix.cells) {
    if (cell.effort.beyond_model.empty()) continue;
    std::string what = fmt::format("{}; nothing is said of {}", cell.effort.beyond_model, cell.algorithm);
    const auto same =
        std::find_if(found.begin(), found.end(), [&](const auto& it) { return it.first == what; });
    if (same == found.end()) found.emplace_back(std::move(what), id_of(cell.fault));
    else same->second.append(", ").append(id_of(cell.fault));
  }
  std::vector<std::string> sentences;
  for (const auto& [what, faults] : found) sentences.push_back(fmt::format("{} under {}", what, faults));
  return sentences;
}

std::string extent_of(const PropertyResult& result, Language language) {
  const Phrases phrase(language);
  if (result.bypass_max) return phrase("overtaken at most", phrase.count("times", *result.bypass_max));
  if (!result.counterexample) return {};
  const Counterexample& example = *result.counterexample;
  const std::string steps = (example.is_shortest ? "" : "≤ ") + phrase.count("steps", example.steps);
  return example.loop ? phrase("the last for ever", steps, example.steps - example.loop->begin) : steps;
}

bool rests_on_fairness(const Exploration& exploration) {
  return std::any_of(exploration.properties.begin(), exploration.properties.end(),
                     [](const auto& each) { return each.property == Property::bounded_bypass; });
}
bool rests_on_fairness(const MatrixCell& cell) {
  return std::any_of(cell.properties.begin(), cell.properties.end(),
                     [](const auto& each) { return each.result.property == Property::bounded_bypass; });
}

}  // namespace holdfast::reports
