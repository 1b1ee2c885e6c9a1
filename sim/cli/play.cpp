// play: the player is the network and the clock, and tries to break a lock.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <iostream>

#include "reports/report.hpp"
#include "reports/story.hpp"
#include "reports/timeline.hpp"
#include "reports/trace_json.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/game.hpp"
#include "sim/cli/moves.hpp"
#include "sim/cli/results.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/version.hpp"
#include "sim/explore/but_for.hpp"

namespace holdfast::cli {
namespace {

// One lock under all chosen faults at once.
Scenario game_scenario(const PlayOptions& options, const Card& card) {
  require_concerned(options, card);
  const Comparison comparison = comparison_of(options);
  Scenario scenario = scenario_of(comparison, card, Fault::none);
  scenario.name = fmt::format("{}-played", card.id);
  for (const Fault fault : chosen_faults(options))
    if (fault != Fault::none && options.fault_budget > 0)
      scenario.faults.push_back({.kind = fault, .budget = options.fault_budget});
  return scenario;
}

constexpr PropertySet any_property = [] {
  PropertySet all;
  for (std::size_t i = 0; i < property_ids.size(); ++i) all.insert(static_cast<Property>(i));
  return all;
}();

// The shortest violation that is known, of any property: with one of the faults, and without.
std::optional<std::uint32_t> shortest_known(const PlayOptions& options, const Card& card, Session& session) {
  Comparison comparison = comparison_of(options);
  comparison.faults = std::max(1u, options.fault_budget);
  std::vector<Job> jobs{{scenario_of(comparison, card, Fault::none), &card}};
  for (const Fault fault : chosen_faults(options))
    if (fault != Fault::none && options.fault_budget > 0)
      jobs.push_back({scenario_of(comparison, card, fault), &card});
  std::optional<std::uint32_t> shortest;
  for (const Exploration& found : explore_all(jobs, threads_of(options), session.budget(), {}))
    for (const PropertyResult& result : found.properties)
      if (result.counterexample)
        shortest = std::min(shortest.value_or(result.counterexample->steps), result.counterexample->steps);
  return shortest;
}

class Table {
 public:
  Table(const PlayOptions& options, const Scenario& scenario, const Card& card)
      : options_(options),
        terminal_(terminal_of(options)),
        page_(std::cout, terminal_),
        scenario_(scenario),
        game_(scenario, card, options.fault_budget, any_property) {}

  // The game as it ended; empty: the player left.
  std::optional<Position> play() {
    tell_rules();
    for (;;) {
      Position now = game_.position();
      tell_news(now.events);
      if (!now.question) return now;
      const std::vector<std::string> options = options_in_words(game_, now, reports::Language::en);
      tell_standing(now);
      for (std::size_t i = 0; i < options.size(); ++i)
        page_.paragraph(fmt::format("  {} ", i), reports::printable(terminal_, options[i]));
      if (!ask(now, options.size())) return std::nullopt;
    }
  }
  Counterexample recorded() { return game_.recorded(); }

 private:
  void tell_rules() {
    page_.paragraph(
        "", fmt::format(
                "You are the network and the clock. Break {}: make it violate one of its properties, with "
                "{} at most.",
                scenario_.algorithm, reports::counted(options_.fault_budget, "fault")));
    page_.paragraph("",
                    "Type the number of the next action; Enter is 0. u takes back, s shows the run so far, q "
                    "ends.");
  }

  void tell_news(const std::vector<Event>& events) {
    told_ = std::min(told_, events.size());  // less, when something was taken back
    const reports::Narrator narrator(events, scenario_.runs_on);
    const std::vector<Event> news(events.begin() + static_cast<std::ptrdiff_t>(told_), events.end());
    for (const reports::StepView& step : reports::steps_of(news))
      page_.paragraph("    ", reports::printable(terminal_, narrator.sentences(step)));
    told_ = events.size();
  }

  void tell_standing(const Position& now) {
    reports::Standing standing;
    for (const Event& event : now.events) standing.apply(event);
    const std::size_t servers = std::max<std::size_t>(reports::servers_of(scenario_), 1);
    std::vector<std::string> believers;
    std::vector<std::string> named;
    for (std::uint32_t i = 0; i < scenario_.clients.size(); ++i) {
      const ClientId client{i};
      if (standing.believes(client)) believers.push_back(name_of(client));
      if (standing.is_named(client, servers)) named.push_back(name_of(client) + "'s");
    }
    const std::string who =
        believers.empty() ? "no client believes that it holds the lock"
        : believers.size() == 1
            ? fmt::format("{} believes that it holds the lock", believers.front())
            : fmt::format("{} believe that they hold the lock", fmt::join(believers, " and "));
    page_.line();
    page_.paragraph(fmt::format("step {}, {}  ", now.steps, reports::words_for(now.at)),
                    fmt::format("{}; in the store it is {}", who,
                                named.empty() ? "free" : fmt::format("{}", fmt::join(named, " and "))));
    page_.line(question_in_words(*now.question, now.store, reports::Language::en));
  }

  // False when the player leaves.
  bool ask(const Position& now, std::size_t count) {
    for (;;) {
      std::cout << "> " << std::flush;
      std::string line;
      if (!std::getline(std::cin, line)) return false;
      if (isatty(STDIN_FILENO) == 0) page_.line(reports::printable(terminal_, line));
      if (line == "q") return false;
      if (line == "u") {
        if (game_.take_back()) return true;
        page_.line("There is nothing to take back.");
        continue;
      }
      if (line == "s" && now.events.empty()) {
        page_.line("Nothing has happened yet.");
        continue;
      }
      if (line == "s") {
        const Counterexample so_far{.tape = {},
                                    .events = now.events,
                                    .findings = {},
                                    .fingerprint = {},
                                    .steps = now.steps,
                                    .steps_original = now.steps,
                                    .store = now.store};
        reports::write_trace({scenario_, so_far, ""}, reports::View::sequence, std::cout, terminal_);
        continue;
      }
      std::uint32_t picked = 0;
      const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), picked);
      const bool is_number = error == std::errc() && end == line.data() + line.size();
      if (line.empty() || (is_number && picked < count)) {
        game_.answer(picked);
        return true;
      }
      page_.paragraph("", fmt::format("Type a number from 0 to {}, u, s or q.", count - 1));
    }
  }

  const PlayOptions& options_;
  reports::Terminal terminal_;
  reports::Page page_;
  const Scenario& scenario_;
  Game game_;
  std::size_t told_ = 0;  // events
};

}  // namespace

int play(const PlayOptions& options) {
  const Card& card = lock_called(options.names.front());
  const Scenario scenario = game_scenario(options, card);
  prepare_directory(options.out);
  Session session(options);
  Table table(options, scenario, card);
  const std::optional<Position> end = table.play();
  if (!end) return exit_inconclusive;
  reports::Page page(std::cout, terminal_of(options));
  page.line();
  const std::optional<std::uint32_t> shortest = shortest_known(options, card, session);
  session.end_progress();
  if (end->findings.empty()) {
    page.paragraph("", shortest
                           ? fmt::format("The run is over, and nothing was violated. It can be done in {}.",
                                         reports::counted(*shortest, "step"))
                           : "The run is over, and nothing was violated. With these faults, no violation is "
                             "known.");
    return exit_violated;
  }
  const Counterexample example = table.recorded();
  Saved saved(options);
  const std::string file =
      saved.write(fmt::format("{}.trace.json", in_file_name(scenario.name)),
                  reports::trace_json(scenario, example, version,
                                      reports::PlayedGame{options.fault_budget, shortest.value_or(0)}));
  reports::write_trace({scenario, example, file}, reports::View::sequence, std::cout, terminal_of(options));
  page.line();
  page.paragraph(
      "", fmt::format("You broke {} in {}{}. Show it: ./holdfast show {} --format html > game.html", card.id,
                      reports::counted(example.steps, "step"),
                      shortest ? fmt::format("; the shortest way known takes {}", *shortest) : "", file));
  std::cout.flush();
  saved.require_all();
  return exit_as_expected;
}

}  // namespace holdfast::cli
