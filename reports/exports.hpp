// A run in the formats of other tools.
#pragma once

#include <ostream>

#include "reports/report.hpp"

namespace holdfast::reports {

// The sequence diagram as a picture that stands alone.
void write_trace_svg(const TraceView& trace, std::ostream& out);
// 1200 by 630, to be shared: what is violated, why in one sentence, and belief against truth.
void write_trace_card(const TraceView& trace, std::ostream& out);
// Text from which Mermaid and PlantUML draw sequence diagrams. Mermaid reads at most 50,000 characters
// (its documentation, maxTextSize): of a longer run only the end is written, and the diagram says so.
void write_trace_mermaid(const TraceView& trace, std::ostream& out);
void write_trace_plantuml(const TraceView& trace, std::ostream& out);
// GitHub Flavored Markdown: the diagnosis, the diagram for Mermaid, the story, why.
void write_trace_markdown(const TraceView& trace, std::ostream& out);
// Trace Event Format of Chrome, which ui.perfetto.dev opens: one track for each client and node.
void write_trace_perfetto(const TraceView& trace, std::ostream& out);
// Informal Trace Format, which Apalache and Quint write and the viewers of TLA+ traces read.
void write_trace_itf(const TraceView& trace, std::ostream& out);

}  // namespace holdfast::reports
