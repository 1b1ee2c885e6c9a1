// hunt: looks in reality for violations of properties that hold.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>

#include "reports/story.hpp"
#include "reports/terminal.hpp"
#include "sim/check/checker.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/confirm.hpp"
#include "sim/cli/prey.hpp"
#include "sim/cli/version.hpp"
#include "sim/live/usable_server.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;
using RealClock = std::chrono::steady_clock;

constexpr std::size_t lanes = 16;  // runs spend their time waiting
// What a run takes, about. In the second half of a hunt no run begins that will not end in time.
constexpr int run_ticks = 25;
// So many runs beyond their bounds, and they are more than half: the machine is too slow for the tick.
constexpr std::uint64_t beyond_most = 8;

class Hunt {
 public:
  Hunt(const HuntOptions& options, std::vector<Prey>& prey, Session& session)
      : options_(options), prey_(prey), session_(session), length_(std::chrono::seconds(options.seconds)) {}

  void go(live::Hunter& hunter) {
    do {
      told_ = passed();
      const auto seconds = std::chrono::ceil<std::chrono::seconds>(length_ - told_).count();
      session_.expect_jobs(static_cast<std::size_t>(seconds), "seconds of hunting");
      hunter.hunt([this] { return next(); },
                  [this](const live::Quarry& quarry, live::HuntedRun run) { judge(quarry, std::move(run)); },
                  [&] { return must_stop() || (hunter.is_slow() && is_any_too_fast()); });
      session_.end_progress();
    } while (!must_stop() && slow_down());
  }

 private:
  Duration passed() const { return std::chrono::duration_cast<Duration>(RealClock::now() - begin_); }
  bool must_stop() {
    for (; told_ < passed(); told_ += 1s) session_.note_done({});
    return session_.budget().is_exhausted() || passed() >= length_;
  }
  // This machine does not keep to its tick, and there is time enough for the next one.
  bool is_too_fast(const Prey& one) const {
    return one.beyond_at_tick >= beyond_most && one.beyond_at_tick > one.runs_at_tick &&
           one.next_tick < hunted_ticks.size() &&
           passed() + run_ticks * hunted_ticks[one.next_tick] < length_;
  }
  bool is_any_too_fast() const {
    return std::any_of(prey_.begin(), prey_.end(), [this](const Prey& one) { return is_too_fast(one); });
  }
  // False: there is nothing to slow down.
  bool slow_down() {
    bool is_news = false;
    for (Prey& one : prey_) {
      if (!is_too_fast(one)) continue;
      is_news = true;
      one.tick.reset();
      one.runs_at_tick = one.beyond_at_tick = 0;
    }
    if (is_news) choose_ticks(options_, prey_, session_);
    return is_news;
  }
  // The one that was given the least time so far.
  const live::Quarry* next() {
    Prey* chosen = nullptr;
    for (Prey& one : prey_) {
      const bool is_done = one.hunted.empty() || !one.trouble.empty();
      const bool is_too_late = passed() > length_ / 2 && passed() + run_ticks * *one.tick > length_;
      if (is_done || is_too_late) continue;
      if (chosen == nullptr || one.time_given < chosen->time_given) chosen = &one;
    }
    if (chosen == nullptr) return nullptr;
    chosen->time_given += *chosen->tick;
    return &chosen->quarry;
  }
  void judge(const live::Quarry& quarry, live::HuntedRun run) {
    Prey& prey =
        *std::find_if(prey_.begin(), prey_.end(), [&](const Prey& one) { return &one.quarry == &quarry; });
    if (!run.trouble.empty()) {
      prey.trouble = run.trouble;
      return;
    }
    if (!run.is_within) {
      ++prey.beyond;
      ++prey.beyond_at_tick;
      return;
    }
    ++prey.runs;
    ++prey.runs_at_tick;
    prey.struck += run.has_struck ? 1 : 0;
    Judge judge(prey.hunted);
    for (Event& event : run.events) {
      name_lock(event);
      if (std::holds_alternative<Granted>(event.what)) ++prey.grants;
      judge.on(event);
    }
    const std::vector<Finding> findings = judge.findings();
    if (findings.empty()) return;
    Step last{};
    for (const Finding& finding : findings) {
      prey.hunted.erase(finding.property);
      last = std::max(last, finding.to);
    }
    std::erase_if(run.events, [last](const Event& event) { return event.step > last; });
    prey.violations.push_back({prey.runs, run.blow, findings, std::move(run.events)});
  }
  // The log of a run has no room for names.
  static void name_lock(Event& event) {
    if (auto* const acquiring = std::get_if<Acquiring>(&event.what)) acquiring->key = "job";
    if (auto* const change = std::get_if<KeyChanged>(&event.what)) {
      change->key = "job";
      change->value = "…";
    }
  }

  const Threads& options_;
  std::vector<Prey>& prey_;
  Session& session_;
  const Duration length_;
  const RealClock::time_point begin_ = RealClock::now();
  Duration told_{};
};

struct Totals {
  std::uint64_t runs = 0;
  std::uint64_t beyond = 0;
  std::size_t claims = 0;
  std::size_t refuted = 0;
};

Totals totals_of(const std::vector<Prey>& prey) {
  Totals totals;
  for (const Prey& one : prey) {
    totals.runs += one.runs;
    totals.beyond += one.beyond;
    for (const Violation& violation : one.violations) totals.refuted += violation.findings.size();
    for (std::size_t i = 0; i < property_ids.size(); ++i)
      totals.claims += one.all.contains(static_cast<Property>(i)) ? 1 : 0;
  }
  return totals;
}

Json json_of(const Violation& violation, StoreKind kind) {
  const reports::Narrator narrator(violation.events, kind);
  Json events = Json::array();
  for (const Event& event : violation.events)
    events.push_back({{"at", reports::words_for(event.at)}, {"event", narrator.sentence(event)}});
  Json findings = Json::array();
  for (const Finding& finding : violation.findings)
    findings.push_back({{"property", id_of(finding.property)}, {"because", finding.because}});
  return {{"run", violation.run},
          {"fault", violation.blow},
          {"findings", std::move(findings)},
          {"events", std::move(events)}};
}

void print_json(const std::vector<Prey>& prey, const std::string& redis, bool violated, double seconds) {
  const Totals totals = totals_of(prey);
  Json json{{"schema", "holdfast/hunt/1"},
            {"version", version},
            {"redis", redis},
            {"hunted", violated ? "violated" : "holds"},
            {"seconds", seconds},
            {"runs", totals.runs},
            {"beyond", totals.beyond},
            {"claims", totals.claims},
            {"refuted", totals.refuted},
            {"cells", Json::array()}};
  for (const Prey& one : prey) {
    Json cell{{"algorithm", one.card->id},
              {"fault", id_of(one.fault)},
              {"tick_ms", std::chrono::duration<double, std::milli>(*one.tick).count()},
              {"runs", one.runs},
              {"struck", one.struck},
              {"grants", one.grants},
              {"beyond", one.beyond},
              {"properties", Json::array()},
              {"violations", Json::array()}};
    if (!one.trouble.empty()) cell["trouble"] = one.trouble;
    for (std::size_t i = 0; i < property_ids.size(); ++i)
      if (one.all.contains(static_cast<Property>(i))) cell["properties"].push_back(property_ids[i]);
    for (const Violation& violation : one.violations)
      cell["violations"].push_back(json_of(violation, one.card->store));
    json["cells"].push_back(std::move(cell));
  }
  fmt::print("{}\n", json.dump(1));
}

void tell_violation(reports::Page& page, const Prey& prey, const Violation& violation, bool violated) {
  const auto printed = [&](const std::string& text) { return reports::printable(page.terminal(), text); };
  page.line();
  for (const Finding& finding : violation.findings)
    page.paragraph(
        printed("✘ "),
        printed(fmt::format(
            "{} under {}: {} {}: {}", prey.card->id, id_of(prey.fault), id_of(finding.property),
            violated ? "is violated in reality, too" : "does not hold in reality", finding.because)));
  page.paragraph("  ", printed(fmt::format("run {}, in which {}; 1s of the simulator takes {}", violation.run,
                                           violation.blow, to_text(*prey.tick))));
  const reports::Narrator narrator(violation.events, prey.card->store);
  for (const Event& event : violation.events)
    page.paragraph(fmt::format("  {:>12}  ", reports::words_for(event.at)),
                   printed(narrator.sentence(event)));
}

void print_text(const HuntOptions& options, const std::vector<Prey>& prey, const std::string& redis,
                double seconds) {
  const reports::Terminal terminal = terminal_of(options);
  reports::Page page(std::cout, terminal);
  page.line(fmt::format("{:<22}{:<14}{:>8}{:>7}{:>8}{:>8}{:>8}  {}", server_named(redis), "", "1s is", "runs",
                        "struck", "grants", "beyond", options.violated ? "found" : "refuted"));
  for (const Prey& one : prey) {
    std::vector<std::string_view> found;
    for (const Violation& violation : one.violations)
      for (const Finding& finding : violation.findings) found.push_back(id_of(finding.property));
    const std::string said = !one.trouble.empty() ? one.trouble : fmt::format("{}", fmt::join(found, ", "));
    page.line(fmt::format("{:<22}{:<14}{:>8}{:>7}{:>8}{:>8}{:>8}  {}", one.card->id, id_of(one.fault),
                          to_text(*one.tick), one.runs, one.struck, one.grants, one.beyond,
                          said.empty() ? "none" : said));
  }
  for (const Prey& one : prey)
    for (const Violation& violation : one.violations) tell_violation(page, one, violation, options.violated);
  const Totals totals = totals_of(prey);
  const std::string outcome = totals.refuted == 0 ? "none" : fmt::format("{}", totals.refuted);
  page.line();
  const bool violated = options.violated;
  page.paragraph(
      "", fmt::format("{} in {:.0f} s of {}: of {} that a property {}, {} {}; {} more went beyond the "
                      "bounds, because the machine was too slow, and do not count",
                      reports::counted(totals.runs, "run"), seconds, reports::counted(prey.size(), "cell"),
                      reports::counted(totals.claims, "claim"), violated ? "is violated" : "holds", outcome,
                      violated ? "seen" : "refuted", totals.beyond));
}

// Of who stops earlier, a run on a real server does not show when.
void require_trust(const std::vector<const Card*>& cards) {
  const auto trusts = [](const Card* card) { return card->belief == Belief::until_release; };
  if (cards.empty() || std::any_of(cards.begin(), cards.end(), trusts)) return;
  throw UserError(exit_usage, fmt::format("LOCK: nothing to hunt: a holder of {} may stop before it "
                                          "releases, which a hunt does not see",
                                          cards.front()->id));
}

}  // namespace

int hunt(const HuntOptions& options) {
  Session session({.progress = options.progress});
  try {
    const std::vector<const Card*> cards = chosen_cards({.only = options.names}, "LOCK");
    const StoreKind kind = hunted_store(cards);
    require_trust(cards);
    live::Hunter hunter(kind, lanes, options.seed);
    std::vector<Prey> prey = prey_of(options, session);
    if (prey.empty() && !session.is_interrupted())
      throw UserError(exit_usage, fmt::format("LOCK: nothing to hunt: no property of these locks on one "
                                              "server {} under these faults",
                                              options.violated ? "is violated" : "holds"));
    const double explored = session.seconds();
    Hunt(options, prey, session).go(hunter);
    const double seconds = session.seconds() - explored;
    if (options.format == "json") print_json(prey, hunter.version(), options.violated, seconds);
    else print_text(options, prey, hunter.version(), seconds);
    if (session.is_interrupted()) return exit_interrupted;
    const Totals totals = totals_of(prey);
    if (totals.refuted != 0) return exit_violated;
    return totals.runs == 0 ? exit_inconclusive : exit_as_expected;
  } catch (const live::NoServer& error) {
    throw UserError(exit_no_redis, error.what());
  }
}

}  // namespace holdfast::cli
