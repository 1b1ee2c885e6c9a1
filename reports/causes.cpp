#include "reports/causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "reports/html.hpp"

namespace holdfast::reports {
namespace {

// Of each kind, the likeliest first: kinds, and the faults of each.
struct Faults {
  CauseKind kind;
  std::string_view words;
  std::vector<Fault> faults;
};
const std::array kinds{
    Faults{CauseKind::no_fault, "nothing goes wrong", {Fault::none}},
    Faults{CauseKind::slow_client,
           "a client is stopped or slow for longer than its lease",
           {Fault::pause, Fault::slow_section}},
    Faults{CauseKind::gone_client, "a client dies or gives up", {Fault::crash, Fault::cancel}},
    Faults{CauseKind::network,
           "a message is late, lost or sent twice",
           {Fault::lost_reply, Fault::late_reply, Fault::late_request, Fault::lost_request, Fault::duplicate,
            Fault::partition}},
    Faults{CauseKind::server_forgets,
           "the server forgets what it has answered",
           {Fault::failover, Fault::restart, Fault::eviction}},
    Faults{CauseKind::clocks,
           "a clock is wrong",
           {Fault::clock_jump, Fault::server_clock_jump, Fault::clock_skew}},
};

// The word of words.json that says what repairs it.
std::string_view advice_on(Property property, CauseKind kind) {
  constexpr std::array of_kinds{"advice one_command", "advice fence",          "advice dead_client",
                                "advice late_twice",  "advice durable_server", "advice steady_clock"};
  switch (property) {
    case Property::mutual_exclusion:
    case Property::no_stale_write: return of_kinds[static_cast<std::size_t>(kind)];
    case Property::owner_only_release:
    case Property::owner_only_change: return "advice compare_token";
    case Property::truthful_release: return "advice truthful";
    case Property::recovery:
    case Property::progress: return "advice expiry";
    case Property::fenced_writes:
    case Property::fence_order:
    case Property::rightful_write:
    case Property::no_lost_update: return "advice count_in_script";
    case Property::availability: return "advice majority";
    case Property::livelock: return "advice give_back";
    case Property::bounded_bypass: return "advice queue";
    case Property::reentrancy: return "advice count_holds";
    case Property::single_fill: return "advice look_again";
  }
  return "";
}

bool is_violated(const MatrixCell& cell, std::size_t i) {
  return cell.exploration.properties[i].counterexample.has_value();
}

PropertySet broken_without_faults(const Matrix& matrix, const std::string& algorithm) {
  PropertySet broken;
  for (const MatrixCell& cell : matrix.cells)
    for (std::size_t i = 0; i < cell.exploration.properties.size(); ++i)
      if (cell.fault == Fault::none && cell.algorithm == algorithm && is_violated(cell, i))
        broken.insert(cell.exploration.properties[i].property);
  return broken;
}

// The most important property that a kind of faults breaks, under the likeliest fault that does.
std::optional<Cause> cause_of(const Matrix& matrix, const Faults& faults) {
  std::optional<Cause> cause;
  PropertySet broken;
  for (const Fault fault : faults.faults)
    for (const MatrixCell& cell : matrix.cells) {
      if (cell.fault != fault) continue;
      const PropertySet known =
          fault == Fault::none ? PropertySet() : broken_without_faults(matrix, cell.algorithm);
      for (std::size_t i = 0; i < cell.exploration.properties.size(); ++i) {
        const Property property = cell.exploration.properties[i].property;
        if (!is_violated(cell, i) || known.contains(property)) continue;
        broken.insert(property);
        if (!cause || property < cause->cell->exploration.properties[cause->property].property)
          cause = {faults.kind, &cell, i, {}};
      }
    }
  for (std::size_t i = 0; cause && i < property_ids.size(); ++i)
    if (broken.contains(static_cast<Property>(i))) cause->broken.push_back(static_cast<Property>(i));
  return cause;
}

}  // namespace

CauseKind kind_of(Fault fault) {
  for (const Faults& each : kinds)
    if (std::find(each.faults.begin(), each.faults.end(), fault) != each.faults.end()) return each.kind;
  return CauseKind::no_fault;
}

std::string_view in_words(CauseKind kind) { return kinds[static_cast<std::size_t>(kind)].words; }

std::vector<Cause> causes_of(const Matrix& matrix) {
  std::vector<Cause> causes;
  for (const Faults& each : kinds)
    if (std::optional<Cause> cause = cause_of(matrix, each)) causes.push_back(std::move(*cause));
  return causes;
}

std::string advice_for(Property property, CauseKind kind, Language language) {
  return word(advice_on(property, kind), language);
}

std::vector<std::string> advice_for(const Cause& cause) {
  std::vector<std::string> advice;
  for (const Property property : cause.broken) {
    std::string text = advice_for(property, cause.kind, Language::en);
    if (std::find(advice.begin(), advice.end(), text) == advice.end()) advice.push_back(std::move(text));
  }
  return advice;
}

}  // namespace holdfast::reports
