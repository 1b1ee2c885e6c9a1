// What is beside the picture of a run: for each step its sentence, the store, the clients and the code; and
// all events as a table.
#pragma once

#include <string>
#include <vector>

#include "reports/scene.hpp"
#include "reports/trace_page.hpp"

namespace holdfast::reports {

// A line of code that sent requests, and the script that it sent to be run by the server, if it was one.
struct CodePlace {
  SourceLine where;
  std::string script;
};
// Each once, in the order of the run.
struct CodePlaces {
  std::vector<CodePlace> list;
  // From one; 0 for a request from no known place.
  std::size_t number_of(const Sent& sent) const;
};
CodePlaces code_places(const std::vector<Event>& events);
// The place with some lines around it, or alone; then the script, its commands marked.
std::string code_figure(const CodePlaces& places, std::size_t number, const SourceTexts& sources,
                        const PageWords& words);

// One article for each row, and one table row for each event of each row.
struct StepPanels {
  std::vector<std::string> articles;
  std::vector<std::string> events;
};
// Of rows from `first` on; those before are left empty.
StepPanels step_panels(const Counterexample& example, const Scene& scene, const CodePlaces& places,
                       std::size_t first, Language language);

}  // namespace holdfast::reports
