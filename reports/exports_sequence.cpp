// Sequence diagrams as text: one language for Mermaid, one for PlantUML.
#include <fmt/format.h>

#include <algorithm>

#include "reports/diagnosis.hpp"
#include "reports/exports.hpp"
#include "reports/picture.hpp"
#include "reports/scene.hpp"
#include "reports/shown.hpp"
#include "reports/svg.hpp"
#include "reports/terminal.hpp"

namespace holdfast::reports {
namespace {

constexpr std::size_t mermaid_most = 50'000;

// "redis-1" is no name to Mermaid: a participant is called R1 and shown as redis-1.
std::string participant(Actor actor) {
  return actor.kind == Actor::Kind::node ? fmt::format("R{}", actor.index + 1)
                                         : name_of(ClientId{actor.index});
}

// Characters that mean something there, by number.
std::string mermaid_text(std::string_view text) {
  constexpr std::string_view plain = " .,:=()/'+*-_@?!|…";
  std::string safe;
  for (const char letter : printable(Terminal{}, text)) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool is_word = byte >= 0x80 || std::isalnum(byte) != 0;
    if (is_word || plain.find(letter) != std::string_view::npos) safe += letter;
    else safe += fmt::format("#{};", static_cast<unsigned>(byte));
  }
  // The one word that ends blocks.
  for (std::size_t at = safe.find("end"); at != std::string::npos; at = safe.find("end", at + 1))
    safe.replace(at, 3, "e#110;d");
  return safe;
}
std::string plantuml_text(std::string_view text) {
  constexpr std::string_view meaningful = "\\~<>&#%!{}[]|@$^\"*_/";
  std::string safe;
  for (const char letter : printable(Terminal{}, text)) {
    if (meaningful.find(letter) == std::string_view::npos) safe += letter;
    else safe += fmt::format("<U+{:04X}>", static_cast<unsigned>(static_cast<unsigned char>(letter)));
  }
  return safe;
}

struct Tongue {
  std::string (*text)(std::string_view);
  std::string_view request;  // arrows
  std::string_view reply;
  std::string_view lost;
  std::string_view note;   // over one
  std::string_view time;   // a line across, {0} from the first to {1} the last participant
  std::string_view begin;  // of a belief
  std::string_view end;
};
constexpr Tongue mermaid{mermaid_text,
                         "->>",
                         "-->>",
                         "-x",
                         "  Note over {}: {}\n",
                         "  Note over {},{}: {}\n",
                         "  activate {}\n",
                         "  deactivate {}\n"};
constexpr Tongue plantuml{plantuml_text,         "->",          "-->",           "->x",
                          "note over {} : {}\n", "== {2} ==\n", "activate {}\n", "deactivate {}\n"};

// What to write for each row.
std::vector<std::string> rows_in(const Scene& scene, const Tongue& tongue) {
  std::vector<std::string> rows(scene.rows.size());
  const auto text = [&](std::size_t row) -> std::string& { return rows[row]; };
  const std::string first = participant(scene.lanes.front());
  const std::string last = participant(scene.lanes.back());
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (row == 0 || scene.rows[row].at != scene.rows[row - 1].at)
      text(row) +=
          fmt::format(fmt::runtime(tongue.time), first, last, tongue.text(words_for(scene.rows[row].at)));
  for (const Scene::Message& it : scene.messages) {
    const std::size_t row = it.is_lost || !it.arrived ? it.sent : *it.arrived;
    if (!it.arrived && !it.is_lost) continue;
    const std::string_view arrow = it.is_lost ? tongue.lost : it.is_reply ? tongue.reply : tongue.request;
    std::string label = it.label;
    if (it.is_lost) label += " (lost)";
    else if (*it.arrived > it.sent + 1)
      label += fmt::format(" (sent in step {})", scene.rows[it.sent].step.value);
    text(row) += fmt::format("{}{} {} {}: {}\n", tongue.begin.starts_with(' ') ? "  " : "",
                             participant(it.from), arrow, participant(it.to), tongue.text(label));
  }
  for (const Scene::Note& note : scene.notes)
    text(note.row) += fmt::format(fmt::runtime(tongue.note), participant(note.on),
                                  tongue.text((note.is_fault ? "⚡ " : "") + note.text));
  for (const Scene::Span& span : scene.spans) {
    if (span.kind != Scene::Span::Kind::believes) continue;
    text(span.begin) += fmt::format(fmt::runtime(tongue.begin), participant(span.on));
    if (span.end < rows.size()) text(span.end) += fmt::format(fmt::runtime(tongue.end), participant(span.on));
  }
  return rows;
}

std::string mermaid_diagram(const TraceView& trace) {
  const Scene scene = scene_of(as_shown(trace.example), trace.language, servers_of(trace.scenario));
  std::string head = "sequenceDiagram\n";
  if (scene.lanes.empty()) return head;
  for (const Actor& lane : scene.lanes)
    head += fmt::format("  participant {} as {}\n", participant(lane), scene.name_of(lane));
  const std::vector<std::string> rows = rows_in(scene, mermaid);
  // From the end backwards, as much as fits. A belief that began before is begun where the diagram begins.
  const std::size_t room = mermaid_most - head.size() - 400;
  std::size_t begin = rows.size();
  for (std::size_t size = 0; begin > 0 && size + rows[begin - 1].size() <= room; --begin)
    size += rows[begin - 1].size();
  std::string text = head;
  if (begin > 0 && begin < rows.size())
    text += fmt::format("  Note over {},{}: steps before step {} are left out\n",
                        participant(scene.lanes.front()), participant(scene.lanes.back()),
                        scene.rows[begin].step.value);
  for (const Scene::Span& span : scene.spans)
    if (span.kind == Scene::Span::Kind::believes && span.begin < begin && span.end >= begin)
      text += fmt::format("  activate {}\n", participant(span.on));
  for (std::size_t row = begin; row < rows.size(); ++row) text += rows[row];
  if (!trace.example.findings.empty())
    text += fmt::format("  Note over {},{}: ✘ {}\n", participant(scene.lanes.front()),
                        participant(scene.lanes.back()),
                        mermaid_text(id_of(trace.example.findings.front().property)));
  return text;
}

}  // namespace

void write_trace_svg(const TraceView& trace, std::ostream& out) {
  const Scene scene = scene_of(as_shown(trace.example), trace.language, servers_of(trace.scenario));
  out << sequence_picture(scene, all_rows(scene), {"run", title_of(trace), true});
}

void write_trace_card(const TraceView& trace, std::ostream& out) {
  const Counterexample shown = as_shown(trace.example);
  const std::string title = title_of(trace);
  Svg svg;
  double y = 84;
  const auto write = [&](std::string_view kind, const std::string& text, std::size_t most, double height) {
    for (const std::string& line : wrapped(text, most)) {
      svg.label(kind, 60, y, line);
      y += height;
    }
  };
  write("card-title", (shown.findings.empty() ? "✔ " : "✘ ") + printable(Terminal{}, title), 44, 52);
  if (!shown.findings.empty())
    write("card-text", printable(Terminal{}, because_of(shown.findings.front(), trace.language)), 80, 36);
  write("card-facts", printable(Terminal{}, facts_of(trace)), 110, 30);
  svg.raw(
      fmt::format("<g transform=\"translate(60 {}) scale(1.08)\">\n", svg_number(std::min(y - 12, 390.0))));
  svg.raw(overview_picture(scene_of(shown, trace.language, servers_of(trace.scenario)), {"card", title}));
  svg.raw("</g>\n");
  svg.label("card-facts", 60, 604,
            "holdfast · ./holdfast explain " + printable(Terminal{}, trace.scenario.algorithm));
  out << svg.picture("card", 1200, 630, {"run", title, true}, "");
}

void write_trace_mermaid(const TraceView& trace, std::ostream& out) { out << mermaid_diagram(trace); }

void write_trace_plantuml(const TraceView& trace, std::ostream& out) {
  const Scene scene = scene_of(as_shown(trace.example), trace.language, servers_of(trace.scenario));
  out << "@startuml\ntitle " << plantuml_text(title_of(trace)) << "\nhide footbox\n";
  for (const Actor& lane : scene.lanes)
    out << fmt::format("{} \"{}\" as {}\n", lane.kind == Actor::Kind::node ? "database" : "participant",
                       scene.name_of(lane), participant(lane));
  if (!scene.lanes.empty())
    for (const std::string& row : rows_in(scene, plantuml)) out << row;
  if (!trace.example.findings.empty())
    out << "== " << plantuml_text(because_of(as_shown(trace.example).findings.front(), trace.language))
        << " ==\n";
  out << "@enduml\n";
}

}  // namespace holdfast::reports
