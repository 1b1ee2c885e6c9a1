// The pages of `holdfast serve`: where somebody chooses, an exploration while it goes on, and one state of a
// run with all that may happen next. Every state is a link, so the browser's history goes back and forward
// through the run.
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/report.hpp"
#include "reports/state_view.hpp"
#include "reports/verdicts.hpp"

namespace holdfast::reports {

// An exploration in one line of a list.
struct ListedExploration {
  std::string link;
  std::string title;  // "token × pause"
  std::string state;  // "running", "done", …
  std::string progress;
};

// A page to go to.
struct Link {
  std::string link;
  std::string title;
};
struct HomePage {
  std::span<const Card> cards;
  std::vector<Fault> faults;
  std::vector<Property> properties;
  std::vector<ListedExploration> explorations;
  std::vector<Link> lessons = {};
  // A run to look at before anything is chosen, with its page; null: there is none.
  const Scene* living = nullptr;
  Link run = {};
};
void write_home_page(const HomePage& page, Language language, std::ostream& out);

// A verdict, and where its run can be looked at.
struct ServedVerdict {
  Fault fault = Fault::none;
  Property property{};
  Outcome outcome{};
  std::string note = {};
  std::uint32_t steps = 0;
  std::string extent = {};  // "14 steps"
  std::string page = {};    // the run, step by step
  std::string end = {};     // its last state, from where one can step back
};
struct ExplorationPage {
  ListedExploration listed;
  std::string api;                 // where a script asks how far it is
  std::string matrix;              // the page of the comparison; empty: it is not there yet
  std::string again;               // an empty run under the same bounds
  std::vector<std::string> facts;  // bounds, in words
  std::vector<ServedVerdict> verdicts;
};
void write_exploration_page(const ExplorationPage& page, Language language, std::ostream& out);

// Something that may happen, or has, and the state that it leads to.
struct Onward {
  std::string text;
  std::string link;
  bool is_fault = false;
  bool is_time = false;  // nothing but time passes
};
struct StatePage {
  const Scenario& scenario;
  const Counterexample& run;  // up to here
  const Scene& scene;         // of it
  StateView state;
  std::uint32_t faults_max = 1;  // that may strike
  std::string question = {};     // empty: the run is over
  std::vector<Onward> actions = {};
  std::vector<Onward> way = {};  // what was chosen so far; each leads to the state before it
  std::string here = {};         // of the API: the same as JSON
};
void write_state_page(const StatePage& page, Language language, std::ostream& out);

// What was asked for cannot be: why.
void write_refusal_page(std::string_view why, Language language, std::ostream& out);

}  // namespace holdfast::reports
