// The bounds within which all cells of a matrix were explored, in words.
#include <algorithm>
#include <map>
#include <tuple>

#include "reports/phrases.hpp"
#include "reports/verdicts.hpp"

namespace holdfast::reports {
namespace {

// "1s to 3s", or what both are.
std::string between(Duration least, Duration most, const Phrases& phrase) {
  return least >= most ? to_text(least) : phrase("window", to_text(least), to_text(most));
}

// One bound, and what it is for locks that renew.
std::string for_renewing(std::string_view name, Duration usual, Duration renewed, const Phrases& phrase) {
  const std::string text = phrase(name, to_text(usual));
  if (renewed == Duration::zero() || renewed == usual) return text;
  return phrase("of locks that renew", text, to_text(renewed));
}

// Of locks whose lease is another than the one that they were asked for; those with the same lease together.
std::vector<std::string> leases_in_words(const MatrixBounds& bounds, const Phrases& phrase) {
  if (bounds.ttl == Duration::zero() && bounds.seen_leases.size() == 1)
    return {phrase("lease seen", to_text(bounds.seen_leases.front().second))};
  std::map<std::pair<bool, Duration>, std::string> locks;
  for (const auto& [lock, lease] : bounds.seen_leases) {
    const bool is_short = std::count(bounds.short_leases.begin(), bounds.short_leases.end(), lock) > 0;
    std::string& names = locks[{is_short, lease}];
    names += (names.empty() ? "" : phrase("comma")) + lock;
  }
  std::vector<std::string> words;
  for (const auto& [of, names] : locks)
    words.push_back(phrase(of.first ? "lease short of" : "lease seen of", to_text(of.second), names));
  return words;
}

}  // namespace

std::vector<std::string> bounds_in_words(const Matrix& matrix, Language language) {
  const Phrases phrase(language);
  const MatrixBounds& bounds = matrix.bounds;
  const Timing& timing = bounds.timing;
  const StrategyKind strategy = bounds.explore.strategy;
  std::vector<std::string> words;
  if (deepens(matrix)) words = {phrase("bounds that deepen")};
  else
    words = {
        phrase.count("clients", bounds.clients),
        bounds.rounds == 0 ? phrase("rounds without end") : phrase.count("rounds", bounds.rounds),
        bounds.attempts == 0 ? phrase("attempts until granted") : phrase.count("attempts", bounds.attempts),
        phrase("at most", phrase.count("faults_counted", bounds.faults))};
  if (bounds.ttl != Duration::zero())
    words.push_back(for_renewing("bound ttl", bounds.ttl, bounds.renewed_ttl, phrase));
  for (std::string& each : leases_in_words(bounds, phrase)) words.push_back(std::move(each));
  const std::vector<std::string> times{
      for_renewing("bound work", bounds.section, bounds.renewed_section, phrase),
      phrase("bound start", to_text(bounds.start_late)),
      phrase("bound delay", to_text(timing.delay_min), to_text(timing.delay_max)),
      phrase("bound timeout", to_text(timing.timeout)),
      phrase("bound retry", between(timing.retry, timing.retry_late, phrase)),
      phrase("bound restart", between(timing.restart, timing.restart_late, phrase)),
      phrase("bound recovery", timing.recovery_rounds, to_text(timing.recovery)),
  };
  words.insert(words.end(), times.begin(), times.end());
  if (bounds.pause) words.push_back(phrase("bound pause", to_text(*bounds.pause)));
  if (bounds.faults > 0) words.push_back(phrase("faults at any tick"));
  if (bounds.workload != Workload::contend) words.push_back(phrase("workload", id_of(bounds.workload)));
  if (bounds.fencing != Fencing::none) words.push_back(phrase("fencing", id_of(bounds.fencing)));
  for (const auto& [name, value] : bounds.redis_config) words.push_back(phrase("redis config", name, value));
  if (deepens(matrix)) words.push_back(phrase("every schedule of what is closed"));
  else if (strategy != StrategyKind::random)
    words.push_back(
        phrase(is_sampling(strategy) ? "sampled in steps" : "schedules in steps", to_text(timing.tick)));
  if (is_sampling(strategy))
    words.push_back(phrase("a sample", phrase.count("runs", bounds.explore.runs_max), id_of(strategy)));
  else words.push_back(phrase("at most per cell", phrase.count("states", bounds.explore.states_max)));
  words.push_back(phrase("at most per cell", to_text(bounds.explore.time_max)));
  return words;
}

}  // namespace holdfast::reports
