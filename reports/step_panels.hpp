// What is beside the picture of a run: for each step its sentence, the store, the clients and the code; and
// all events as a table.
#pragma once

#include <string>
#include <vector>

#include "reports/scene.hpp"
#include "reports/trace_page.hpp"

namespace holdfast::reports {

// The lines of code that sent requests, each once, in the order of the run.
struct CodePlaces {
  std::vector<SourceLine> list;
  // From one; 0 for a place that is none.
  std::size_t number_of(SourceLine where) const;
};
CodePlaces code_places(const std::vector<Event>& events);
// The place with some lines around it, or alone.
std::string code_figure(const CodePlaces& places, std::size_t number, const SourceTexts& sources);

// One article for each row, and one table row for each event of each row.
struct StepPanels {
  std::vector<std::string> articles;
  std::vector<std::string> events;
};
// Of rows from `first` on; those before are left empty.
StepPanels step_panels(const Counterexample& example, const Scene& scene, const CodePlaces& places,
                       std::size_t first);

}  // namespace holdfast::reports
