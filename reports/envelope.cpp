#include "reports/envelope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/markdown.hpp"
#include "reports/tables.hpp"
#include "reports/verdicts.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;
using TextRows = std::vector<std::vector<std::string>>;
using Files = std::pair<std::string, std::string>;

std::string largest_in_words(const Scale& scale) { return size_in_words(scale, scale.count); }

std::string holding_in_words(const Scale& scale, const Edge& edge) {
  if (!edge.can_strike) return "cannot strike";
  return edge.holds_up_to ? size_in_words(scale, *edge.holds_up_to) : edge.is_open ? "not known" : "–";
}

std::string breaking_in_words(const Scale& scale, const Edge& edge) {
  if (edge.is_open) return "not known";
  if (!edge.breaks_from) return "–";
  if (*edge.breaks_from == 0) return "without it";
  return size_in_words(scale, *edge.breaks_from);
}

// One row for each property, those that never break under a fault as one.
TextRows table_of_edges(const EnvelopeReport& report) {
  TextRows rows{{"fault", "property", "holds up to", "breaks from", "at every instant up to", "steps"}};
  for (const Envelope& envelope : report.envelopes) {
    const std::string fault(id_of(envelope.scale.fault));
    std::vector<const Edge*> whole;
    for (const Edge& edge : envelope.edges) {
      if (!edge.breaks_from && !edge.is_open) {
        whole.push_back(&edge);
        continue;
      }
      rows.push_back({fault, std::string(id_of(edge.property)), holding_in_words(envelope.scale, edge),
                      breaking_in_words(envelope.scale, edge),
                      edge.holds_at_instants ? to_text(*edge.holds_at_instants) : "–",
                      edge.broken ? std::to_string(edge.broken->steps) : ""});
    }
    if (whole.empty()) continue;
    const bool are_some = whole.size() < envelope.edges.size();
    const std::string who = whole.size() == 1 ? std::string(id_of(whole.front()->property))
                            : are_some        ? fmt::format("the other {}", whole.size())
                                              : fmt::format("all {}", whole.size());
    rows.push_back({fault, who, holding_in_words(envelope.scale, *whole.front()), "–", "–", ""});
  }
  return rows;
}

bool is_open(const Envelope& envelope) {
  return std::any_of(envelope.edges.begin(), envelope.edges.end(),
                     [](const Edge& edge) { return edge.is_open; });
}

// "pause (6 of 17: none, 500ms to 8s in steps of 500ms)".
std::string sizes_in_words(const Envelope& envelope) {
  const Scale& scale = envelope.scale;
  return fmt::format("{} ({} of {}: none, {} to {}{})", id_of(scale.fault), envelope.explored,
                     scale.count + 1, size_in_words(scale, 1), largest_in_words(scale),
                     scale.counts() ? "" : fmt::format(" in steps of {}", to_text(scale.step)));
}

// What speaks for the sizes that were not explored.
std::vector<std::string> how_it_is_known(const EnvelopeReport& report) {
  std::string all;
  std::string some;
  std::string open;
  for (const Envelope& envelope : report.envelopes) {
    std::string& list = is_open(envelope) ? open : envelope.explored == envelope.scale.count + 1 ? all : some;
    list += (list.empty() ? "" : ", ") + sizes_in_words(envelope);
  }
  std::vector<std::string> sentences;
  if (!all.empty()) sentences.push_back(fmt::format("Every size was explored of {}.", all));
  if (!some.empty())
    sentences.push_back(
        fmt::format("Both sides of each edge were explored of {}. The other sizes follow: every "
                    "schedule with a smaller size is one with a larger size, too.",
                    some));
  if (!open.empty()) sentences.push_back(fmt::format("The budget ended first for {}.", open));
  return sentences;
}

std::string bounds_text(const EnvelopeReport& report) {
  std::string text;
  for (const std::string& phrase : bounds_in_words(Matrix{.bounds = report.bounds}))
    text += (text.empty() ? "" : " · ") + phrase;
  return text + fmt::format(" · belief {}", id_of(report.belief));
}

// --- maps ---

std::string_view glyph_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::violated: return "✘";
    case Verdict::unknown: return "?";
    case Verdict::hollow: return "∅";
    default: return "✔";
  }
}

TextRows table_of_edges(const EnvelopeMap& map, const EnvelopeMap::Layer& layer) {
  TextRows rows{{fmt::format("{} ↓  {} →", id_of(map.down.fault), id_of(map.across.fault))}};
  for (std::uint32_t x = 0; x < map.width(); ++x) rows.front().push_back(size_in_words(map.across, x));
  for (std::uint32_t y = 0; y <= map.down.count; ++y) {
    rows.push_back({size_in_words(map.down, y)});
    for (std::uint32_t x = 0; x < map.width(); ++x)
      rows.back().emplace_back(glyph_of(layer.verdicts[y * map.width() + x]));
  }
  return rows;
}

std::string place_in_words(const EnvelopeMap& map, std::uint32_t at) {
  return fmt::format("{} {}, {} {}", id_of(map.across.fault), size_in_words(map.across, at % map.width()),
                     id_of(map.down.fault), size_in_words(map.down, at / map.width()));
}

std::string constant_layers(const EnvelopeMap& map) {
  std::string text;
  for (const EnvelopeMap::Layer& layer : map.layers)
    if (is_same_everywhere(layer))
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", glyph_of(layer.verdicts.front()),
                          id_of(layer.property));
  return text;
}

void write_map_text(const EnvelopeReport& report, Page& page) {
  const EnvelopeMap& map = *report.map;
  for (std::size_t i = 0; i < map.layers.size(); ++i) {
    const EnvelopeMap::Layer& layer = map.layers[i];
    if (is_same_everywhere(layer)) continue;
    page.line(painted(page.terminal(), Style::strong, id_of(layer.property)));
    write_columns(table_of_edges(map, layer), 1, page);
    if (layer.broken)
      page.paragraph("  least   ", fmt::format("{}: {}", place_in_words(map, layer.at),
                                               counted(layer.broken->steps, "step")));
    if (i < report.trace_files.size() && !report.trace_files[i].first.empty())
      page.line(fmt::format("  show    ./holdfast show {}",
                            printable(page.terminal(), report.trace_files[i].first)));
    page.line();
  }
  const std::string constant = constant_layers(map);
  if (!constant.empty()) page.paragraph("the same everywhere: ", constant);
  page.line("every pair of sizes was explored");
}

// --- JSON ---

Json json_of(const Scale& scale) {
  Json json{{"fault", id_of(scale.fault)}, {"unit", scale.counts() ? "times" : "duration"}};
  if (!scale.counts()) json["step"] = to_text(scale.step);
  json["smallest"] = size_in_words(scale, 1);
  json["largest"] = largest_in_words(scale);
  return json;
}

Json json_of(const Scale& scale, const std::optional<std::uint32_t>& position) {
  if (!position) return nullptr;
  if (scale.counts()) return scale.steps_at(*position);
  return to_text(scale.size_at(*position));
}

Json json_of(const Scale& scale, const Edge& edge, const Files* files) {
  Json json{
      {"property", id_of(edge.property)},
      {"holds_up_to", json_of(scale, edge.holds_up_to)},
      {"breaks_from", json_of(scale, edge.breaks_from)},
      {"holds_at_every_instant", edge.holds_at_instants ? Json(to_text(*edge.holds_at_instants)) : Json()},
      {"decided", !edge.is_open},
      {"can_strike", edge.can_strike},
      {"steps", nullptr}};
  if (edge.broken) {
    json["steps"] = edge.broken->steps;
    json["because"] = edge.broken->findings.front().because;
  }
  if (files == nullptr) return json;
  if (!files->first.empty()) json["trace"] = files->first;
  if (!files->second.empty()) json["holding_trace"] = files->second;
  return json;
}

Json json_of(const EnvelopeReport& report, const EnvelopeMap& map) {
  Json json{{"across", json_of(map.across)},
            {"down", json_of(map.down)},
            {"states", map.states},
            {"properties", Json::array()}};
  for (std::size_t i = 0; i < map.layers.size(); ++i) {
    const EnvelopeMap::Layer& layer = map.layers[i];
    Json rows = Json::array();
    for (std::uint32_t y = 0; y <= map.down.count; ++y) {
      Json row = Json::array();
      for (std::uint32_t x = 0; x < map.width(); ++x)
        row.push_back(id_of(layer.verdicts[y * map.width() + x]));
      rows.push_back(std::move(row));
    }
    Json entry{{"property", id_of(layer.property)}, {"verdicts", std::move(rows)}};
    if (layer.broken) {
      entry["least"] = {{"across", json_of(map.across, layer.at % map.width())},
                        {"down", json_of(map.down, layer.at / map.width())},
                        {"steps", layer.broken->steps}};
      if (i < report.trace_files.size()) entry["least"]["trace"] = report.trace_files[i].first;
    }
    json["properties"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace

bool is_open(const EnvelopeReport& report) {
  for (const Envelope& envelope : report.envelopes)
    if (is_open(envelope)) return true;
  if (!report.map) return false;
  for (const EnvelopeMap::Layer& layer : report.map->layers)
    for (const Verdict verdict : layer.verdicts)
      if (verdict == Verdict::unknown) return true;
  return false;
}

bool is_same_everywhere(const EnvelopeMap::Layer& layer) {
  return std::all_of(layer.verdicts.begin(), layer.verdicts.end(),
                     [&](Verdict verdict) { return glyph_of(verdict) == glyph_of(layer.verdicts.front()); });
}

void write_envelope_text(const EnvelopeReport& report, std::ostream& out, const Terminal& terminal) {
  Page page(out, terminal);
  page.paragraph("", fmt::format("{}: how much of a fault breaks it · seed {:#x}",
                                 painted(terminal, Style::strong, report.algorithm), report.seed));
  page.paragraph("bounds: ", bounds_text(report));
  page.line();
  if (report.map) {
    write_map_text(report, page);
  } else {
    write_columns(table_of_edges(report), 2, page);
    page.line();
    for (const std::string& sentence : how_it_is_known(report)) page.paragraph("", sentence);
    for (const auto& [broken, whole] : report.trace_files) {
      if (broken.empty()) continue;
      page.line();
      page.line(fmt::format("  breaks  ./holdfast show {}", printable(terminal, broken)));
      if (!whole.empty()) page.line(fmt::format("  holds   ./holdfast show {}", printable(terminal, whole)));
      break;
    }
  }
  page.line();
  page.line(fmt::format("{}{:.1f} s", report.interrupted ? "interrupted · " : "", report.seconds));
}

void write_envelope_json(const EnvelopeReport& report, std::ostream& out) {
  Json json{{"schema", "holdfast/envelope/1"},
            {"version", report.version},
            {"seed", fmt::format("{:#x}", report.seed)},
            {"bounds", bounds_json(report.bounds)},
            {"algorithm", report.algorithm},
            {"belief", id_of(report.belief)}};
  std::size_t file = 0;
  if (!report.map) json["faults"] = Json::array();
  for (const Envelope& envelope : report.envelopes) {
    Json entry{{"scale", json_of(envelope.scale)},
               {"explored", envelope.explored},
               {"states", envelope.states},
               {"properties", Json::array()}};
    for (const Edge& edge : envelope.edges) {
      const Files* const files = file < report.trace_files.size() ? &report.trace_files[file] : nullptr;
      entry["properties"].push_back(json_of(envelope.scale, edge, files));
      ++file;
    }
    json["faults"].push_back(std::move(entry));
  }
  if (report.map) json["map"] = json_of(report, *report.map);
  if (report.interrupted) json["interrupted"] = true;
  out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

void write_envelope_markdown(const EnvelopeReport& report, std::ostream& out) {
  if (report.map) {
    for (const EnvelopeMap::Layer& layer : report.map->layers) {
      if (is_same_everywhere(layer)) continue;
      out << fmt::format("{}:\n\n", id_of(layer.property));
      write_markdown_table(table_of_edges(*report.map, layer), out);
      out << "\n";
    }
    if (const std::string constant = constant_layers(*report.map); !constant.empty())
      out << fmt::format("The same everywhere: {}. ", constant);
    out << "Every pair of sizes was explored.\n";
  } else {
    TextRows rows = table_of_edges(report);
    for (std::size_t i = 1; i < rows.size(); ++i)
      for (std::string& text : rows[i]) text = markdown_text(text);
    write_markdown_table(rows, out);
    out << "\n";
    for (const std::string& sentence : how_it_is_known(report)) out << "- " << sentence << "\n";
  }
  out << fmt::format("\n{} · bounds: {} · seed {:#x} · holdfast {}\n", markdown_text(report.algorithm),
                     bounds_text(report), report.seed, markdown_text(report.version));
}

}  // namespace holdfast::reports
