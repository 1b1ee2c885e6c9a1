// Why a counterexample violates, and since when it was inevitable: in words, and as part of trace and result
// files.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "reports/words.hpp"
#include "sim/check/result.hpp"

namespace holdfast::reports {

// What to write beside the finding: a label of one word, and what it says.
struct ExplainedLine {
  std::string_view label;
  std::string text;
};
std::vector<ExplainedLine> lines_of(const Explanation& explanation, StoreKind store,
                                    const Words& words = english);

nlohmann::ordered_json explanation_json(const Explanation& explanation, StoreKind store);

// --- the parts of an explanation, with the names of their fields in files; see event_fields.hpp ---

template <class Visitor>
void describe(Visitor& v, Circumstance& part) {
  v("fault", part.fault);
  v("actor", part.actor);
  v("step", part.step);
}
template <class Visitor>
void describe(Visitor& v, Fate& part) {
  v("verdict", part.verdict);
  v("steps", part.steps);
  v("states", part.states);
}
template <class Visitor>
void describe(Visitor& v, ButFor& part) {
  v("without", part.without);
  v("same_schedule", part.same_schedule);
  v("any_schedule", part.any_schedule);
}
template <class Visitor>
void describe(Visitor& v, NoReturn& part) {
  v("step", part.step);
  v("is_exact", part.is_exact);
  v("states", part.states);
}
template <class Visitor>
void describe(Visitor& v, Threshold& part) {
  v("fault", part.fault);
  v("holds_up_to_us", part.holds_up_to);
  v("violated_from_us", part.violated_from);
}
template <class Visitor>
void describe(Visitor& v, Loop& part) {
  v("begin", part.begin);
  v("waiter", part.waiter);
  v("grants", part.grants);
}
template <class Visitor>
void describe(Visitor& v, Explanation& part) {
  v("but_for", part.but_for);
  v("no_return", part.no_return);
  v("thresholds", part.thresholds);
}

}  // namespace holdfast::reports
