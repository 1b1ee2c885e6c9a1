// Trace Event Format: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU, "Async
// Events", "Instant Events", "Metadata Events". Spans of one client overlap, so all are asynchronous.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/exports.hpp"
#include "reports/scene.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string_view words_for_span(Scene::Span::Kind kind) {
  switch (kind) {
    case Scene::Span::Kind::believes: return "believes that it holds";
    case Scene::Span::Kind::named: return "the store names it";
    case Scene::Span::Kind::stopped: return "stopped";
    case Scene::Span::Kind::absent: return "crashed";
    case Scene::Span::Kind::slow: return "slow work";
    case Scene::Span::Kind::key: return "key";
    case Scene::Span::Kind::clash: break;
  }
  return "two beliefs exclude each other";
}

class Events {
 public:
  explicit Events(const Scene& scene) : scene_(scene) {
    for (std::size_t i = 0; i < scene.lanes.size(); ++i)
      list_.push_back(Json{{"ph", "M"},
                           {"name", "thread_name"},
                           {"pid", 1},
                           {"tid", track_of(scene.lanes[i])},
                           {"args", {{"name", scene.name_of(scene.lanes[i])}}}});
  }
  void span(std::string_view kind, std::string_view name, Actor on, std::size_t begin, std::size_t end) {
    ++id_;
    for (const auto& [phase, row] : {std::pair("b", begin), std::pair("e", end)})
      list_.push_back(Json{{"ph", phase},
                           {"cat", kind},
                           {"name", name},
                           {"id", id_},
                           {"pid", 1},
                           {"tid", track_of(on)},
                           {"ts", at(row)},
                           {"args", {{"step", step(row)}}}});
  }
  void instant(std::string_view name, Actor on, std::size_t row, bool is_fault) {
    list_.push_back(Json{{"ph", "i"},
                         {"cat", is_fault ? "fault" : "event"},
                         {"name", name},
                         {"pid", 1},
                         {"tid", track_of(on)},
                         {"ts", at(row)},
                         {"s", is_fault ? "p" : "t"},
                         {"args", {{"step", step(row)}}}});
  }
  Json take() { return std::move(list_); }

 private:
  std::size_t track_of(Actor actor) const {
    const auto found = std::find(scene_.lanes.begin(), scene_.lanes.end(), actor);
    return static_cast<std::size_t>(found - scene_.lanes.begin()) + 1;
  }
  const Scene::Row& row_at(std::size_t row) const {
    return scene_.rows[std::min(row, scene_.rows.size() - 1)];
  }
  std::int64_t at(std::size_t row) const { return row_at(row).at.time_since_epoch().count(); }
  std::uint32_t step(std::size_t row) const { return row_at(row).step.value; }

  const Scene& scene_;
  Json list_ = Json::array();
  std::uint64_t id_ = 0;
};

}  // namespace

void write_trace_perfetto(const TraceView& trace, std::ostream& out) {
  const Scene scene = scene_of(trace.example, trace.language, servers_of(trace.scenario));
  Events events(scene);
  for (const Scene::Span& span : scene.spans)
    events.span("state", span.label.empty() ? words_for_span(span.kind) : std::string_view(span.label),
                span.on, span.begin, span.end);
  for (const Scene::Message& it : scene.messages) {
    const std::string_view fate = it.is_lost ? " (lost)" : it.is_late ? " (late)" : "";
    events.span(it.is_reply ? "answer" : "request", it.label + std::string(fate), it.from, it.sent,
                it.arrived.value_or(it.sent));
  }
  for (const Scene::Note& note : scene.notes) events.instant(note.text, note.on, note.row, note.is_fault);
  Json json{{"displayTimeUnit", "ms"}, {"traceEvents", events.take()}};
  json["otherData"] = {{"algorithm", trace.scenario.algorithm},
                       {"fingerprint", trace.example.fingerprint.hex()}};
  out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace holdfast::reports
