// Informal Trace Format of Apalache: https://apalache-mc.org/docs/adr/015adr-trace.html. One state before the
// run, and one after every step; what stands in it is belief, truth and the keys of locks.
#include <map>
#include <nlohmann/json.hpp>

#include "reports/diagnosis.hpp"
#include "reports/exports.hpp"
#include "reports/story.hpp"
#include "reports/timeline.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 8> variables{"step",  "at_us",    "actor",   "happened",
                                                    "holds", "is_named", "stopped", "keys"};

Json integer(std::int64_t number) { return {{"#bigint", std::to_string(number)}}; }

class States {
 public:
  States(const Counterexample& example, Language language, std::size_t servers)
      : cast_(cast_of(example, servers)), narrator_(example.events, example.store, language) {
    add(Step{}, Instant{}, "", Json::array());
    for (const StepView& step : steps_of(example.events)) {
      Json happened = Json::array();
      for (const Event* event : step.events) {
        follow(*event);
        happened.push_back(narrator_.sentence(*event));
      }
      if (example.loop && step.step.value <= example.loop->begin) loop_ = list_.size();
      add(step.step, step.at, narrator_.called(step.events.front()->actor), std::move(happened));
    }
  }
  // The state from which the run goes on for ever; the last leads back to it.
  std::size_t loop() const { return loop_; }
  Json take() { return std::move(list_); }

 private:
  void follow(const Event& event) {
    standing_.apply(event);
    const auto* changed = std::get_if<KeyChanged>(&event.what);
    if (!changed) return;
    const std::pair place{narrator_.called(changed->node), changed->key};
    using Kind = KeyChanged::Kind;
    if (changed->kind == Kind::removed || changed->kind == Kind::expired || changed->kind == Kind::lost)
      keys_.erase(place);
    else
      keys_[place] = {
          {"value", changed->value},
          {"owner", changed->after.is_nobody() ? "" : name_of(changed->after.client)},
          // -1: it does not expire
          {"alive_until_us",
           integer(changed->expires_at == never ? -1
                                                : to_microseconds(changed->expires_at.time_since_epoch()))}};
  }

  template <class Is>
  Json clients(Is is) const {
    Json list = Json::array();
    for (const ClientId client : cast_.clients)
      if (is(client)) list.push_back(name_of(client));
    return {{"#set", std::move(list)}};
  }
  bool is_named(ClientId client) const { return standing_.is_named(client, cast_.nodes.size()); }
  Json keys() const {
    Json list = Json::array();
    for (const auto& [place, key] : keys_)
      list.push_back(Json::array({Json{{"#tup", Json::array({place.first, place.second})}}, key}));
    return {{"#map", std::move(list)}};
  }

  void add(Step step, Instant at, const std::string& actor, Json happened) {
    list_.push_back({{"#meta", {{"index", list_.size()}}},
                     {"step", integer(step.value)},
                     {"at_us", integer(at.time_since_epoch().count())},
                     {"actor", actor},
                     {"happened", std::move(happened)},
                     {"holds", clients([&](ClientId it) { return standing_.believes(it); })},
                     {"is_named", clients([this](ClientId it) { return is_named(it); })},
                     {"stopped", clients([&](ClientId it) { return standing_.is_stopped(it); })},
                     {"keys", keys()}});
  }

  const Cast cast_;
  const Narrator narrator_;
  Standing standing_;
  std::map<std::pair<std::string, std::string>, Json> keys_;
  std::size_t loop_ = 0;
  Json list_ = Json::array();
};

}  // namespace

void write_trace_itf(const TraceView& trace, std::ostream& out) {
  States states(trace.example, trace.language, servers_of(trace.scenario));
  Json json{{"#meta",
             {{"format", "ITF"},
              {"format-description", "https://apalache-mc.org/docs/adr/015adr-trace.html"},
              {"description", title_of(trace)},
              {"fingerprint", trace.example.fingerprint.hex()}}},
            {"params", Json::array()},
            {"vars", variables}};
  if (trace.example.loop) json["loop"] = states.loop();
  json["states"] = states.take();
  out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace holdfast::reports
