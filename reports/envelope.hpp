// How much of a fault a lock survives, as text: thresholds of each fault alone, or a map of two faults.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "reports/report.hpp"
#include "sim/check/envelope.hpp"

namespace holdfast::reports {

struct EnvelopeReport {
  std::string version;
  std::uint64_t seed = 1;
  MatrixBounds bounds;
  std::string algorithm;
  Belief belief = Belief::until_release;
  std::vector<Envelope> envelopes = {};  // of one fault each; none when there is a map
  std::optional<EnvelopeMap> map = std::nullopt;
  // Parallel to the edges of all envelopes, or to the layers of the map; "" where nothing was saved. The
  // second of an edge is of the run that holds.
  std::vector<std::pair<std::string, std::string>> trace_files = {};
  double seconds = 0;
  bool interrupted = false;
};

void write_envelope_text(const EnvelopeReport& report, std::ostream& out, const Terminal& terminal);
void write_envelope_json(const EnvelopeReport& report, std::ostream& out);  // holdfast/envelope/1
void write_envelope_markdown(const EnvelopeReport& report, std::ostream& out);
// A picture that stands alone.
void write_envelope_svg(const EnvelopeReport& report, std::ostream& out);

// For any sizes.
bool is_same_everywhere(const EnvelopeMap::Layer& layer);
// Whether a verdict on the way is missing: the budget ended first.
bool is_open(const EnvelopeReport& report);

}  // namespace holdfast::reports
