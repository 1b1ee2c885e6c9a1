#include "reports/explanation.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/event_fields.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

// A visitor of explanation.hpp: the parts of one, as JSON.
class PartWriter {
 public:
  explicit PartWriter(StoreKind store) : store_(store) {}
  template <class Field>
  void operator()(const char* name, const Field& field) {
    object_[name] = json_of(field);
  }
  template <class Part>
  Json json_of(const Part& part) const {
    if constexpr (std::is_same_v<Part, Step>) return part.value;
    else if constexpr (std::is_same_v<Part, Duration>) return to_microseconds(part);
    else if constexpr (std::is_same_v<Part, Actor>) return name_of(part, store_);
    else if constexpr (std::is_enum_v<Part>) return id_of(part);
    else if constexpr (std::is_arithmetic_v<Part>) return part;
    else return whole(part);
  }

 private:
  template <class Part>
  Json json_of(const std::optional<Part>& part) const {
    return part ? json_of(*part) : Json();
  }
  template <class Part>
  Json json_of(const std::vector<Part>& parts) const {
    Json list = Json::array();
    for (const Part& part : parts) list.push_back(json_of(part));
    return list;
  }
  template <class Part>
  Json whole(Part part) const {
    PartWriter writer(store_);
    describe(writer, part);
    return writer.object_;
  }

  StoreKind store_;
  Json object_ = Json::object();
};

// In one language: what the parts of an explanation say.
class Explainer {
 public:
  Explainer(const Words& words, StoreKind store)
      : words_(words.explained), store_(store), states_(words.page.states), steps_(words.page.steps) {}

  std::string but_for(const ButFor& it) const {
    const bool same = it.same_schedule.verdict == Verdict::violated;
    const bool any = it.any_schedule.verdict == Verdict::violated;
    return say(words_.but_for, circumstances(it.without), same_schedule(it.same_schedule),
               same == any ? words_.link_same : words_.link_other, any_schedule(it.any_schedule));
  }
  std::string no_return(const NoReturn& it) const {
    const std::string searched = say_count(states_, it.states);
    if (it.step.value == 0) return say(words_.always, searched);
    return say(it.is_exact ? words_.since_step : words_.since_at_most, it.step.value, searched);
  }
  std::string threshold(const Threshold& it) const {
    if (it.holds_up_to == Duration::zero())
      return say(words_.least_there_is, id_of(it.fault), to_text(it.violated_from));
    return say(words_.least, id_of(it.fault), to_text(it.violated_from), to_text(it.holds_up_to));
  }

 private:
  std::string circumstance(const Circumstance& it) const {
    return say(words_.fault, id_of(it.fault), name_of(it.actor, store_), it.step.value);
  }
  std::string circumstances(const std::vector<Circumstance>& list) const {
    std::string text;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i != 0) text += i + 1 == list.size() ? words_.last_of_list : words_.comma;
      text += circumstance(list[i]);
    }
    return text;
  }
  std::string same_schedule(const Fate& fate) const {
    switch (fate.verdict) {
      case Verdict::violated: return std::string(words_.same_breaks);
      case Verdict::holds: return std::string(words_.same_holds);
      default: return std::string(words_.same_open);
    }
  }
  std::string any_schedule(const Fate& fate) const {
    switch (fate.verdict) {
      case Verdict::violated: return say(words_.any_breaks, say_count(steps_, fate.steps));
      case Verdict::holds: return say(words_.any_holds, say_count(states_, fate.states));
      case Verdict::sampled: return std::string(words_.any_sampled);
      default: return std::string(words_.any_open);
    }
  }

  const ExplanationWords& words_;
  StoreKind store_;
  const Plural& states_;
  const Plural& steps_;
};

}  // namespace

std::vector<ExplainedLine> lines_of(const Explanation& explanation, StoreKind store, const Words& words) {
  const Explainer explainer(words, store);
  std::vector<ExplainedLine> lines;
  for (const ButFor& it : explanation.but_for)
    lines.push_back({words.explained.without, explainer.but_for(it)});
  for (const Threshold& it : explanation.thresholds)
    lines.push_back({words.explained.needs, explainer.threshold(it)});
  if (explanation.no_return)
    lines.push_back({words.explained.since, explainer.no_return(*explanation.no_return)});
  return lines;
}

Json explanation_json(const Explanation& explanation, StoreKind store) {
  return PartWriter(store).json_of(explanation);
}

}  // namespace holdfast::reports
