// A summary of the verdicts of a comparison: locks by robustness, equal ones together, which to take, and
// what stands out. All is counted from the cells.
#pragma once

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/verdicts.hpp"
#include "sim/core/lock.hpp"

namespace holdfast::reports {

// Less is better, the first difference decides.
struct Weakness {
  bool breaks_alone = false;  // although nothing goes wrong
  bool stays_locked = false;  // when its holder has crashed
  double unproved = 0;        // the share of cells without a proof, of those whose fault can strike the lock
  std::size_t faults = 0;     // under which something is violated, or may be: nothing is known yet
  std::size_t results = 0;    // violated properties, over all faults
  double commands = 0;        // for one grant, of a client that is alone; 0: not measured
  auto operator<=>(const Weakness&) const = default;
};

// Locks with the same verdicts under every fault.
struct RankedLocks {
  std::vector<const Grid::Line*> lines;
  Weakness weakness;
};
// `grid` must outlive the result. The least weakness comes first.
std::vector<RankedLocks> ranked(const Matrix& matrix, const Grid& grid);

// The situation of a user who looks for a lock.
enum class Needs : std::uint8_t {
  one_server,
  several_servers,
  shared_dict,
  database,
  etcd,
  zookeeper,
  unknown
};
Needs needs_of(std::string_view algorithm, std::span<const Card> cards);
// nullptr: there is no card of this name.
const Card* card_of(std::string_view algorithm, std::span<const Card> cards);

struct Advice {
  Needs needs;
  // Of all that have the same needs: the best, and what is as good under every fault. Those of no library
  // come first.
  std::vector<const Grid::Line*> take;
};
std::vector<Advice> advice_on(const std::vector<RankedLocks>& ranking, std::span<const Card> cards);

// A violated property of a cell.
struct Broken {
  const MatrixCell* cell = nullptr;
  const JudgedProperty* property = nullptr;
};

// What a reader should know first, in the order of weight.
struct Insight {
  enum class Kind : std::uint8_t {
    alone,    // locks break although nothing goes wrong
    worst,    // the fault that breaks most locks
    telling,  // the property in which locks differ most
    mildest,  // the fault under which fewest are seen to break
  };
  Kind kind;
  Fault fault = Fault::none;
  Property property = Property::mutual_exclusion;  // of worst: the one that breaks most often
  std::vector<const Grid::Line*> locks;            // that break; of mildest: that do not
  Broken example = {};                             // the shortest run of them
};
// Locks that are proved to keep the property under the fault.
std::vector<std::string> keepers_of(const Matrix& matrix, Property property, Fault fault);

std::vector<Insight> insights_of(const std::vector<RankedLocks>& ranking, const Grid& grid);

}  // namespace holdfast::reports
