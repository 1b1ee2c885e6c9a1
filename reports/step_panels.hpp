// What is beside the picture of a run: for each step its sentence, the store, the clients, the code and its
// events. Values for templates (reports/page/steps, code and events).
#pragma once

#include <nlohmann/json_fwd.hpp>
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
  // "token.cpp:19".
  std::string name_of(std::size_t number) const;
};
CodePlaces code_places(const std::vector<Event>& events);
std::vector<std::string> text_lines(const std::string& text);
// Each place with some lines around it, or alone; then the script, its commands marked.
nlohmann::ordered_json codes_of(const CodePlaces& places, const SourceTexts& sources);
// One for each row from `first` on.
std::vector<nlohmann::ordered_json> step_panels(const Counterexample& example, const Scene& scene,
                                                const CodePlaces& places, std::size_t first,
                                                Language language);

}  // namespace holdfast::reports
