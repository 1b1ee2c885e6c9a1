// What has changed since a baseline, and whether for the worse.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/cli/baseline.hpp"
#include "sim/cli/json_file.hpp"
#include "sim/cli/options.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;

Changed changed_in(const Section& section, std::string_view figure = {}) {
  if (section.name == "explorations" || figure == "trace_length") return Changed::count;
  return section.name == "cells" && figure != "bypass_max" ? Changed::verdict : Changed::cost;
}

// "+10.0 %", "-0.02 %".
std::string percentage(double share) {
  const double percent = 100 * share;
  return std::abs(percent) >= 0.05 ? fmt::format("{:+.1f} %", percent) : fmt::format("{:+.1g} %", percent);
}

std::string subject_of(const Section& section, const Json& entry) {
  const auto at = [&](const char* key) { return plain(entry[key]); };
  if (section.name == "costs")
    return fmt::format("{} ({}, {} clients)", at("algorithm"), at("workload"), at("clients"));
  const std::string cell = fmt::format("{} under {}", at("algorithm"), at("fault"));
  return section.name == "cells" ? cell + ", " + at("property") : cell;
}

// A lock has become better that could not be judged before, or failed, and holds now. Everything else must be
// looked at, also a violation that cannot be found any more because the fault does not strike.
Change change_of(Verdict before, Verdict after) {
  const auto rank = [](Verdict verdict) {
    switch (verdict) {
      case Verdict::holds: return 3;
      case Verdict::sampled: return 2;
      case Verdict::unknown: return 1;
      case Verdict::hollow:
      case Verdict::violated: return 0;
      case Verdict::not_applicable: return -1;
    }
    return -1;
  };
  if (after == Verdict::unknown || after == Verdict::hollow) return Change::unclear;
  const bool is_better = before != Verdict::not_applicable && rank(after) > rank(before) &&
                         (after == Verdict::holds || after == Verdict::sampled);
  return is_better ? Change::improvement : Change::regression;
}

class Comparer {
 public:
  Comparer(const Baseline& before, const Baseline& now) : before_(before), now_(now) {}

  std::vector<Difference> all() {
    for (const Section& section : baseline_sections()) compare(section);
    compare_measured();
    std::stable_sort(found_.begin(), found_.end(), [](const Difference& one, const Difference& other) {
      return one.changed < other.changed;
    });
    return std::move(found_);
  }

 private:
  static const std::vector<Json>& entries_of(const Baseline& baseline, const Section& section) {
    static const std::vector<Json> none;
    const auto entries = baseline.sections.find(section.name);
    return entries == baseline.sections.end() ? none : entries->second;
  }

  void compare(const Section& section) {
    std::map<std::string, const Json*> now;
    for (const Json& entry : entries_of(now_, section)) now[section.key_of(entry)] = &entry;
    for (const Json& entry : entries_of(before_, section)) {
      const auto found = now.find(section.key_of(entry));
      if (found == now.end()) {
        found_.push_back({Change::regression, changed_in(section), plain(entry["algorithm"]),
                          subject_of(section, entry), "", "there", "missing"});
        continue;
      }
      compare(section, entry, *found->second);
      now.erase(found);
    }
    for (const Json& entry : entries_of(now_, section))
      if (now.contains(section.key_of(entry)))
        found_.push_back({Change::improvement, changed_in(section), plain(entry["algorithm"]),
                          subject_of(section, entry), "", "missing", "new"});
  }

  void compare(const Section& section, const Json& before, const Json& after) {
    Difference difference{.suite = plain(before["algorithm"]), .subject = subject_of(section, before)};
    if (section.has_verdict && before["verdict"] != after["verdict"]) {
      difference.changed = Changed::verdict;
      difference.figure = "verdict";
      difference.before = before["verdict"];
      difference.after = after["verdict"];
      difference.change = change_of(*from_id<Verdict>(verdict_ids, plain(difference.before)),
                                    *from_id<Verdict>(verdict_ids, plain(difference.after)));
      found_.push_back(difference);
      return;  // the figures of another verdict are others
    }
    for (const Figure& figure : section.figures) {
      const std::string name(figure.name);
      // A baseline of before this figure was measured says nothing of it.
      if (section.name == "costs" && !before.contains(name)) continue;
      difference.figure = name;
      difference.changed = changed_in(section, name);
      difference.before = before.value(name, Json());
      difference.after = after.value(name, Json());
      if (difference.before == difference.after) continue;
      compare(figure, difference);
    }
  }

  void compare(const Figure& figure, Difference difference) {
    difference.change = Change::regression;
    difference.allowed = before_.tolerances.at(difference.figure);
    if (difference.before.is_number() && difference.after.is_number()) {
      const double before = difference.before;
      const double after = difference.after;
      const double share = before == 0 ? std::copysign(HUGE_VAL, after) : (after - before) / std::abs(before);
      // A figure that was rounded in the file is the same figure.
      if (std::abs(share) <= *difference.allowed + 1e-9) return;
      difference.share = share;
      const bool is_better =
          (figure.worse == Worse::higher && share < 0) || (figure.worse == Worse::lower && share > 0);
      if (is_better) difference.change = Change::improvement;
    }
    found_.push_back(difference);
  }

  void compare_measured() {
    const Measured& then = before_.measured;
    const bool is_same_machine = then.context == now_.measured.context;
    for (const Series& series : then.series) {
      const auto is_it = [&](const Series& each) { return each.name == series.name; };
      const auto after = std::find_if(now_.measured.series.begin(), now_.measured.series.end(), is_it);
      Difference difference{.suite = "benchmarks", .subject = series.name, .figure = "time"};
      if (after == now_.measured.series.end()) {
        difference.figure = "";
        difference.before = "there";
        difference.after = "missing";
        found_.push_back(difference);
        continue;
      }
      compare(series, *after, is_same_machine, difference);
    }
  }

  void compare(const Series& before, const Series& after, bool is_same_machine, Difference difference) {
    const std::optional<Interval> then = interval_of(before.times);
    const std::optional<Interval> now = interval_of(after.times);
    const double allowed = before_.tolerances.at("time");
    difference.allowed = allowed;
    difference.change = Change::unclear;
    if (!then || !now) {
      difference.before = before.times.size();
      difference.after = after.times.size();
      difference.figure = "repetitions";
      difference.allowed.reset();
      difference.note = fmt::format("too few to decide; it takes {}", repetitions_min);
      found_.push_back(difference);
      return;
    }
    difference.before = std::round(then->median);
    difference.after = std::round(now->median);
    difference.share = now->median / then->median - 1;
    const double low = now->low / then->high - 1;
    const double high = now->high / then->low - 1;
    const bool is_regression = low > allowed;
    const bool is_improvement = high < -allowed;
    if (!is_regression && !is_improvement && *difference.share <= allowed) return;
    difference.note =
        fmt::format("between {:+.1f} % and {:+.1f} % with 95 % confidence, {} and {} repetitions", 100 * low,
                    100 * high, before.times.size(), after.times.size());
    if (!is_same_machine)
      difference.note += "; on another machine or with another compiler: --against measures both here";
    else if (is_regression) difference.change = Change::regression;
    else if (is_improvement) difference.change = Change::improvement;
    else difference.note += "; more repetitions would decide";
    found_.push_back(difference);
  }

  const Baseline& before_;
  const Baseline& now_;
  std::vector<Difference> found_;
};

std::string value_of(const Difference& difference, const Json& value) {
  if (value.is_null()) return "none";
  if (!value.is_number()) return plain(value);
  if (difference.figure == "time") return fmt::format("{:.4g} ms", value.get<double>() / 1e6);
  return fmt::format("{:.6g}", value.get<double>());
}

}  // namespace

std::vector<Difference> differences(const Baseline& before, const Baseline& now) {
  for (const auto& [name, value] : before.bounds.items())
    if (!now.bounds.contains(name) || now.bounds[name] != value)
      throw UserError(
          exit_bad_file,
          fmt::format("{} has changed: {} in the baseline, now {}; nothing can be compared (holdfast "
                      "baseline save {})",
                      name, value.dump(), now.bounds.contains(name) ? now.bounds[name].dump() : "missing",
                      before.name));
  return Comparer(before, now).all();
}

std::string difference_text(const Difference& difference) {
  std::string text = difference.subject + ":";
  if (!difference.figure.empty()) text += " " + difference.figure;
  text += fmt::format(" {} → {}", value_of(difference, difference.before),
                      value_of(difference, difference.after));
  if (difference.share && std::isfinite(*difference.share)) text += ", " + percentage(*difference.share);
  if (difference.allowed) text += fmt::format(" (allowed {:.4g} %)", 100 * *difference.allowed);
  if (!difference.note.empty()) text += "; " + difference.note;
  return text;
}

}  // namespace holdfast::cli
