#include "reports/trace_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/causes.hpp"
#include "reports/diagnosis.hpp"
#include "reports/explanation.hpp"
#include "reports/html.hpp"
#include "reports/matrix_table.hpp"
#include "reports/page_data.hpp"
#include "reports/picture.hpp"
#include "reports/shown.hpp"
#include "reports/step_panels.hpp"
#include "sim/scenario/parse.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

class TracePage {
 public:
  TracePage(const TraceView& trace, const SourceTexts& sources, const TracePageContext& context)
      : trace_(trace),
        example_(trace.example),
        context_(context),
        words_(words_of(trace.language)),
        scene_(scene_of(trace.example, trace.language, servers_of(trace.scenario))),
        places_(code_places(trace.example.events)),
        codes_(codes_of(places_, sources)),
        first_(scene_.rows.size() > steps_on_page ? scene_.rows.size() - steps_on_page : 0),
        folded_(scene_.rows.size() - first_ > steps_per_part ? std::nullopt : folded(scene_)),
        panels_(step_panels(trace.example, scene_, places_, first_, trace.language)) {}

  void write(std::ostream& out) const {
    const std::string title = title_of(trace_);
    const std::string because =
        example_.findings.empty() ? "" : because_of(example_.findings.front(), trace_.language);
    const std::string file =
        trace_.path.substr(trace_.path.rfind('/') + 1);  // where it lay is nobody's business
    const std::string overview(words_.page.overview);
    Json data{{"title", title},
              {"is_bad", !example_.findings.empty()},
              {"subject", subject_of(trace_)},
              {"because", because},
              {"facts", facts_of(trace_)},
              {"index", context_.index},
              {"file", file},
              {"is_game", !context_.moves.empty()},
              {"overview", overview_picture(scene_, {"over", overview})},
              {"overview_by_time", overview_picture(scene_, {"timed", overview}, Axis::time)},
              {"is_wide", drawn().lanes.size() > 3},
              {"rows", std::max<std::size_t>(scene_.rows.size(), 1)},
              {"all_steps", grouped(scene_.rows.size())},
              {"kept", first_ > 0 ? grouped(scene_.rows.size() - first_) : ""},
              {"has_code", !codes_.empty()},
              {"codes", codes_},
              {"why", why()},
              {"fix", fix()},
              {"scenario", trace_.scenario.name},
              {"version", context_.version},
              {"fingerprint", example_.fingerprint.hex()},
              {"choices", grouped(example_.tape.size())},
              {"scenario_lines", text_lines(scenario_json(trace_.scenario))},
              {"run", page_data(scene_, first_, example_.steps, context_)}};
    add_parts(data);
    write_page({title, trace_.language, because, context_.card}, "trace", data, out);
  }

 private:
  const Scene& drawn() const { return folded_ ? *folded_ : scene_; }
  // Of a long run, of which a part is shown at first, all parts are there for the script.
  void add_parts(Json& data) const {
    const std::size_t count = scene_.rows.size();
    data["is_in_parts"] = count - first_ > steps_per_part;
    data["parts"] = Json::array();
    std::size_t begin = first_;
    for (; count - begin > steps_per_part; begin += steps_per_part)
      data["parts"].push_back(part({begin, begin + steps_per_part}));
    data["shown"] = part({begin, count});
    if (begin == first_) return;
    data["parts"].push_back(data["shown"]);
    const std::uint32_t last = scene_.rows.back().step.value;
    data["part"] = say(words_.page.part, scene_.rows[begin].step.value, last, last);
  }
  Json part(Rows rows) const {
    Json steps = Json::array();
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      steps.push_back(panels_[row - first_]);
      if (row < context_.states.size()) steps.back()["onward"] = {{"link", context_.states[row]}};
    }
    const std::string messages = word("messages", trace_.language);
    Json part{{"sequence", sequence_picture(drawn(), rows, {"seq", messages})},
              {"unfolded", folded_ ? sequence_picture(scene_, rows, {"all", messages}) : ""},
              {"steps", std::move(steps)}};
    if (rows.begin == rows.end) return part;
    part["first"] = scene_.rows[rows.begin].step.value;
    part["last"] = scene_.rows[rows.end - 1].step.value;
    return part;
  }

  Json why() const {
    if (example_.findings.size() < 2 && !example_.explanation) return {};
    Json why{{"also", Json::array()}, {"lines", Json::array()}};
    for (std::size_t i = 1; i < example_.findings.size(); ++i)
      why["also"].push_back({{"property", id_of(example_.findings[i].property)},
                             {"because", because_of(example_.findings[i], trace_.language)}});
    if (example_.explanation)
      for (const ExplainedLine& line : lines_of(*example_.explanation, example_.store, words_))
        why["lines"].push_back({{"label", as_sentence(std::string(line.label))}, {"line", line.text}});
    return why;
  }

  // What repairs the lock, and which locks need no repair here.
  Json fix() const {
    if (example_.findings.empty()) return {};
    const auto& faults = trace_.scenario.faults;
    const Property property = example_.findings.front().property;
    const Fault fault = faults.empty() ? Fault::none : faults.front().kind;
    Json fix{{"advice", advice_for(property, kind_of(fault), example_, trace_.language)},
             {"property", id_of(property)},
             {"fault", id_of(fault)},
             {"is_compared", !context_.index.empty()},
             {"is_kept", !context_.keepers.empty()},
             {"locks", Json::array()},
             {"bugs", Json::array()}};
    for (const std::string& lock : context_.keepers)
      fix["locks"].push_back({{"name", lock},
                              {"href", context_.index + "#" + anchor_of(lock)},
                              {"is_later", &lock != &context_.keepers.front()}});
    for (const KnownBug& bug : context_.bugs)
      fix["bugs"].push_back({{"what", as_sentence(std::string(bug.what))}, {"repair", bug.repair}});
    return fix;
  }

  const TraceView trace_;
  const Counterexample& example_;
  const TracePageContext& context_;
  const Words& words_;
  const Scene scene_;
  const CodePlaces places_;
  const Json codes_;
  const std::size_t first_;  // row
  const std::optional<Scene> folded_;  // not of a run in parts
  const std::vector<Json> panels_;
};

}  // namespace

void write_trace_page(const TraceView& trace, const SourceTexts& sources, const TracePageContext& context,
                      std::ostream& out) {
  const StepNumbers numbers(trace.example.events);
  TracePageContext numbered = context;
  for (Move& move : numbered.moves) move.steps = numbers.shown(Step{move.steps}).value;
  const Counterexample shown = as_shown(trace.example);
  TracePage({trace.scenario, shown, trace.path, trace.language}, sources, numbered).write(out);
}

}  // namespace holdfast::reports
