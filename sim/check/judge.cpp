// The judge: gives every event to the checkers, then to the ledger.
#include <algorithm>
#include <utility>

#include "sim/check/checker.hpp"

namespace holdfast {
namespace {

// Of the ledger and of every checker that there is.
EventKinds kinds_heard() {
  static const EventKinds kinds = [] {
    EventKinds found = Ledger::hears;
    for (const std::unique_ptr<Checker>& checker : checkers::make_all()) found |= checker->hears();
    return found;
  }();
  return kinds;
}

}  // namespace

Judge::Judge(PropertySet properties, Duration overlap_max, std::uint64_t late_writers, std::uint32_t capacity)
    : Observer(kinds_heard()), ledger_(late_writers) {
  for (std::unique_ptr<Checker>& checker : checkers::make_all())
    if (properties.contains(checker->property())) checkers_.push_back(std::move(checker));
  if (overlap_max > Duration::zero())
    for (const std::unique_ptr<Checker>& checker : checkers_) checker->tolerate(overlap_max);
  for (const std::unique_ptr<Checker>& checker : checkers_) checker->allow(capacity);
  std::sort(checkers_.begin(), checkers_.end(),
            [](const auto& one, const auto& other) { return one->property() < other->property(); });
  note_open_checkers();
}

void Judge::on(const Event& event) {
  if ((hears_ & kind_of(event.what)) != 0) judge(event);
  ledger_.on(event);
}

void Judge::judge(const Event& event) {
  for (const std::unique_ptr<Checker>& checker : checkers_) {
    if ((checker->hears() & kind_of(event.what)) == 0 || checker->is_violated()) continue;
    checker->on(event, ledger_);
    if (!checker->is_violated()) continue;
    violated_.insert(checker->property());
    note_open_checkers();
  }
}

Digest Judge::mix_rest(Digest history, Instant now, const Counts& counts) const {
  history = mix(history, violated_.bits());
  for (const std::unique_ptr<Checker>& checker : checkers_) {
    if (!checker->has_state() || checker->is_violated()) continue;
    history = checker->mix_state(history, now, counts);
  }
  return history;
}

void Judge::note_counts(Counts& counts) const {
  if (depends_on_.contains(Fact::fence)) ledger_.note_counts(counts);
  for (const std::unique_ptr<Checker>& checker : checkers_)
    if (!checker->is_violated()) checker->note_counts(counts);
}

std::vector<Finding> Judge::findings() const {
  std::vector<Finding> found;
  for (const std::unique_ptr<Checker>& checker : checkers_)
    if (checker->is_violated()) found.push_back(checker->finding());
  return found;
}

void Judge::note_open_checkers() {
  hears_ = 0;
  depends_on_ = {};
  for (const std::unique_ptr<Checker>& checker : checkers_) {
    if (checker->is_violated()) continue;
    hears_ |= checker->hears();
    for (const Fact fact : all_facts)
      if (checker->depends_on().contains(fact)) depends_on_.insert(fact);
  }
}

namespace checkers {

PropertySet all() {
  static const PropertySet properties = [] {
    PropertySet found;
    for (const std::unique_ptr<Checker>& checker : make_all()) found.insert(checker->property());
    return found;
  }();
  return properties;
}

}  // namespace checkers

}  // namespace holdfast
