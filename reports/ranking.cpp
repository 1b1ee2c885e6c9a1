#include "reports/ranking.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace holdfast::reports {
namespace {

using Lines = std::vector<const Grid::Line*>;

bool is_broken(const MatrixCell* cell) {
  return cell != nullptr && summary_of(*cell).outcome == Outcome::violated;
}

// Null: it is not violated there.
const JudgedProperty* violated_in(const MatrixCell* cell, Property property) {
  if (cell == nullptr) return nullptr;
  for (const JudgedProperty& each : cell->properties)
    if (each.result.property == property && each.result.verdict == Verdict::violated) return &each;
  return nullptr;
}

Weakness weakness_of(const Grid::Line& line, const Matrix& matrix) {
  Weakness weakness;
  std::size_t strikes = 0;
  std::size_t proved = 0;
  for (const MatrixCell* const cell : line.cells) {
    if (cell == nullptr) continue;
    const Summary summary = summary_of(*cell);
    const bool is_violated = summary.outcome == Outcome::violated;
    weakness.breaks_alone = weakness.breaks_alone || (is_violated && cell->fault == Fault::none);
    weakness.stays_locked |= cell->fault == Fault::crash && violated_in(cell, Property::recovery) != nullptr;
    weakness.faults += is_violated || summary.outcome == Outcome::unknown;
    weakness.results += summary.letters.size();
    strikes += summary.outcome != Outcome::not_applicable;
    proved += summary.outcome == Outcome::holds || summary.outcome == Outcome::holds_so_far;
  }
  if (strikes != 0) weakness.unproved = 1 - static_cast<double>(proved) / static_cast<double>(strikes);
  for (const Cost& cost : matrix.costs)
    if (cost.algorithm == line.algorithm) weakness.commands = cost.commands_alone;
  return weakness;
}

bool are_alike(const Grid::Line& one, const Grid::Line& other) {
  for (std::size_t i = 0; i < one.cells.size(); ++i) {
    if ((one.cells[i] == nullptr) != (other.cells[i] == nullptr)) return false;
    if (one.cells[i] == nullptr) continue;
    const Summary first = summary_of(*one.cells[i]);
    const Summary second = summary_of(*other.cells[i]);
    if (first.outcome != second.outcome || first.letters != second.letters) return false;
  }
  return true;
}

Lines all_lines(const std::vector<RankedLocks>& ranking) {
  Lines lines;
  for (const RankedLocks& locks : ranking) lines.insert(lines.end(), locks.lines.begin(), locks.lines.end());
  return lines;
}

// Those with a page come first, of them the shortest.
void keep_shorter(Broken& best, const Broken& other) {
  const auto weight = [](const Broken& it) {
    const auto& example = it.property->result.counterexample;
    return std::pair(it.property->trace_file.empty(), example ? example->steps : UINT32_MAX);
  };
  if (best.cell == nullptr || weight(other) < weight(best)) best = other;
}

// The property that most locks break, and the shortest run that shows it; under one fault, or under any.
std::pair<Property, Broken> most_broken(const Lines& lines, std::size_t column) {
  std::array<std::size_t, property_ids.size()> counts{};
  std::array<Broken, property_ids.size()> examples;
  for (const Grid::Line* const line : lines)
    for (std::size_t i = 0; i < property_ids.size(); ++i)
      if (const auto* it = violated_in(line->cells[column], static_cast<Property>(i))) {
        ++counts[i];
        keep_shorter(examples[i], {line->cells[column], it});
      }
  const auto most = static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
  return {static_cast<Property>(most), examples[most]};
}

Lines broken_under(const Lines& lines, std::size_t column) {
  Lines broken;
  for (const Grid::Line* const line : lines)
    if (is_broken(line->cells[column])) broken.push_back(line);
  return broken;
}

bool all_known(const Lines& lines, std::size_t column) {
  return std::all_of(lines.begin(), lines.end(), [&](const Grid::Line* line) {
    const MatrixCell* cell = line->cells[column];
    return cell != nullptr && summary_of(*cell).outcome != Outcome::unknown;
  });
}

// The property that nearest to half of the locks break.
std::optional<Insight> telling(const Lines& lines) {
  std::optional<Insight> best;
  const auto distance = [&](const Insight& it) {
    const auto twice = static_cast<std::ptrdiff_t>(2 * it.locks.size());
    return std::abs(twice - static_cast<std::ptrdiff_t>(lines.size()));
  };
  for (std::size_t i = 0; i < property_ids.size(); ++i) {
    Insight insight{Insight::Kind::telling, Fault::none, static_cast<Property>(i), {}};
    for (const Grid::Line* const line : lines) {
      bool is_any = false;
      for (const MatrixCell* const cell : line->cells)
        if (const auto* it = violated_in(cell, insight.property)) {
          is_any = true;
          keep_shorter(insight.example, {cell, it});
        }
      if (is_any) insight.locks.push_back(line);
    }
    if (insight.locks.empty() || insight.locks.size() == lines.size()) continue;
    if (!best || distance(insight) < distance(*best)) best = std::move(insight);
  }
  return best;
}

}  // namespace

std::vector<RankedLocks> ranked(const Matrix& matrix, const Grid& grid) {
  std::vector<RankedLocks> ranking;
  for (const Grid::Line& line : grid.lines) {
    const auto group = std::find_if(ranking.begin(), ranking.end(), [&](const RankedLocks& it) {
      return are_alike(*it.lines.front(), line);
    });
    if (group == ranking.end()) ranking.push_back({{&line}, weakness_of(line, matrix)});
    else group->lines.push_back(&line);
  }
  for (RankedLocks& group : ranking) {
    std::stable_sort(group.lines.begin(), group.lines.end(), [&](const auto* one, const auto* other) {
      return weakness_of(*one, matrix) < weakness_of(*other, matrix);
    });
    group.weakness = weakness_of(*group.lines.front(), matrix);
  }
  std::stable_sort(ranking.begin(), ranking.end(),
                   [](const auto& one, const auto& other) { return one.weakness < other.weakness; });
  return ranking;
}

std::vector<std::string> keepers_of(const Matrix& matrix, Property property, Fault fault) {
  std::vector<std::string> names;
  for (const MatrixCell& cell : matrix.cells)
    for (const JudgedProperty& each : cell.properties)
      if (cell.fault == fault && each.result.property == property && each.result.verdict == Verdict::holds)
        names.push_back(cell.algorithm);
  return names;
}

const Card* card_of(std::string_view algorithm, std::span<const Card> cards) {
  const auto found =
      std::find_if(cards.begin(), cards.end(), [&](const Card& card) { return card.id == algorithm; });
  return found == cards.end() ? nullptr : &*found;
}

Needs needs_of(std::string_view algorithm, std::span<const Card> cards) {
  const Card* card = card_of(algorithm, cards);
  if (card == nullptr) return Needs::unknown;
  if (card->store == StoreKind::shared_dict) return Needs::shared_dict;
  if (card->store == StoreKind::postgres) return Needs::database;
  if (card->store == StoreKind::etcd) return Needs::etcd;
  if (card->store == StoreKind::zookeeper) return Needs::zookeeper;
  return card->needs_several_servers() ? Needs::several_servers : Needs::one_server;
}

namespace {

bool is_harmless(const Summary& cell) {
  return cell.outcome == Outcome::holds || cell.outcome == Outcome::holds_so_far ||
         cell.outcome == Outcome::not_applicable;
}

// Under every fault the one is proved, or not struck, or breaks no more than the other, of which as much is
// known.
bool is_as_good(const Grid::Line& line, const Grid::Line& than) {
  for (std::size_t i = 0; i < line.cells.size(); ++i) {
    if (line.cells[i] == nullptr || than.cells[i] == nullptr) return false;
    const Summary one = summary_of(*line.cells[i]);
    const Summary other = summary_of(*than.cells[i]);
    const bool is_less = one.outcome == Outcome::holds_so_far && other.outcome == Outcome::holds;
    if (is_harmless(one) && !is_less) continue;
    const auto is_of_other = [&](char letter) { return other.letters.find(letter) != std::string::npos; };
    if (one.outcome != other.outcome || !std::all_of(one.letters.begin(), one.letters.end(), is_of_other))
      return false;
  }
  return true;
}

}  // namespace

std::vector<Advice> advice_on(const std::vector<RankedLocks>& ranking, std::span<const Card> cards) {
  std::vector<Advice> advice;
  for (const Needs needs : {Needs::one_server, Needs::several_servers, Needs::shared_dict, Needs::database,
                            Needs::etcd, Needs::zookeeper, Needs::unknown}) {
    Advice best{needs, {}};
    for (const Grid::Line* const line : all_lines(ranking)) {
      if (needs_of(line->algorithm, cards) != needs) continue;
      if (!best.take.empty() && !is_as_good(*line, *best.take.front())) continue;
      // Better, and not only as good.
      if (!best.take.empty() && !is_as_good(*best.take.front(), *line)) best.take.clear();
      best.take.push_back(line);
    }
    if (best.take.empty()) continue;
    // What any language can do comes before what is one library's.
    std::stable_partition(best.take.begin(), best.take.end(), [&](const Grid::Line* line) {
      const Card* card = card_of(line->algorithm, cards);
      return card == nullptr || !card->upstream || card->upstream->language.empty();
    });
    advice.push_back(std::move(best));
  }
  return advice;
}

std::vector<Insight> insights_of(const std::vector<RankedLocks>& ranking, const Grid& grid) {
  const Lines lines = all_lines(ranking);
  std::vector<Insight> insights;
  std::optional<std::size_t> worst;
  std::optional<std::size_t> mildest;
  const auto broken = [&](std::size_t column) { return broken_under(lines, column).size(); };
  for (std::size_t column = 0; column < grid.columns.size(); ++column) {
    if (grid.columns[column] == Fault::none) {
      if (broken(column) == 0) continue;
      const auto [property, example] = most_broken(lines, column);
      insights.push_back({Insight::Kind::alone, Fault::none, property, broken_under(lines, column), example});
      continue;
    }
    if (broken(column) > (worst ? broken(*worst) : 0)) worst = column;
    if (all_known(lines, column) && (!mildest || broken(column) < broken(*mildest))) mildest = column;
  }
  if (worst) {
    const auto [property, example] = most_broken(lines, *worst);
    insights.push_back(
        {Insight::Kind::worst, grid.columns[*worst], property, broken_under(lines, *worst), example});
  }
  if (std::optional<Insight> it = telling(lines)) insights.push_back(std::move(*it));
  if (mildest && mildest != worst && broken(*mildest) < lines.size()) {
    Insight mild{Insight::Kind::mildest, grid.columns[*mildest], {}, {}};
    for (const Grid::Line* const line : lines)
      if (!is_broken(line->cells[*mildest])) mild.locks.push_back(line);
    insights.push_back(std::move(mild));
  }
  return insights;
}

}  // namespace holdfast::reports
