// The causes that broke a lock, few, the likeliest in practice first, with advice for each.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/language.hpp"
#include "reports/report.hpp"

namespace holdfast::reports {

// Faults that break a lock in the same way.
enum class CauseKind : std::uint8_t { no_fault, slow_client, gone_client, network, server_forgets, clocks };
CauseKind kind_of(Fault fault);
// "a client is stopped or slow for longer than its lease".
std::string_view in_words(CauseKind kind);

// Which counterexample tells it best.
struct Cause {
  CauseKind kind;
  const MatrixCell* cell;
  const JudgedProperty* property;                    // of the cell
  std::vector<Property> broken;                      // all that it breaks, in the order of the vocabulary
  std::vector<const Counterexample*> examples = {};  // parallel: of each the run that was found first
};

// What is broken without a fault is no cause again with one.
std::vector<Cause> causes_of(const Matrix& matrix);
// What repairs it, or what is left to do where a lock alone cannot. Empty: the run shows that the lock does
// that already, so it is something else.
std::string advice_for(Property property, CauseKind kind, const Counterexample& example, Language language);
std::vector<std::string> advice_for(const Cause& cause);

}  // namespace holdfast::reports
