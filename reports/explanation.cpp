#include "reports/explanation.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/event_fields.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(std::uint64_t number) { return number; }
Json json_of(std::uint32_t number) { return number; }
Json json_of(bool flag) { return flag; }
Json json_of(Step step) { return step.value; }
Json json_of(Duration duration) { return duration.count(); }
Json json_of(const Actor& actor) { return name_of(actor); }
Json json_of(Fault fault) { return id_of(fault); }
Json json_of(std::optional<Fault> fault) { return fault ? json_of(*fault) : Json(); }
Json json_of(Verdict verdict) { return id_of(verdict); }
template <class Part>
  requires std::is_class_v<Part>
Json json_of(Part part);
template <class Part>
Json json_of(const std::vector<Part>& parts) {
  Json list = Json::array();
  for (const Part& part : parts) list.push_back(json_of(part));
  return list;
}

struct FieldWriter {
  Json& object;
  template <class Field>
  void operator()(const char* name, const Field& field) {
    object[name] = json_of(field);
  }
};
template <class Part>
  requires std::is_class_v<Part>
Json json_of(Part part) {
  Json object = Json::object();
  FieldWriter writer{object};
  describe(writer, part);
  return object;
}

// "the pause of A in step 12".
std::string words_for(const Circumstance& it) {
  if (!it.fault)
    return fmt::format("long waits of refused clients, such as {}'s in step {}", name_of(it.actor),
                       it.step.value);
  return fmt::format("the {} of {} in step {}", id_of(*it.fault), name_of(it.actor), it.step.value);
}

std::string words_for(const std::vector<Circumstance>& list) {
  std::string words;
  for (std::size_t i = 0; i < list.size(); ++i)
    words += (i == 0 ? "" : i + 1 == list.size() ? " and " : ", ") + words_for(list[i]);
  return words;
}

std::string fate_of_same(const Fate& fate) {
  switch (fate.verdict) {
    case Verdict::violated: return fmt::format("this schedule still breaks it, in step {}", fate.steps);
    case Verdict::holds: return "this schedule does not break it";
    default: return "this schedule does not come to an end";
  }
}

std::string fate_of_any(const Fate& fate) {
  switch (fate.verdict) {
    case Verdict::violated:
      return fmt::format("some schedule does, the shortest {} long", counted(fate.steps, "step"));
    case Verdict::holds:
      return fmt::format("no schedule within the bounds does ({})", counted(fate.states, "state"));
    case Verdict::sampled: return "none of a sample of schedules does, which is no proof";
    default: return "whether some other does was not found out";
  }
}

std::string words_for(const NoReturn& it) {
  const std::string searched = fmt::format("({} searched)", counted(it.states, "state"));
  if (it.step.value == 0) return "the beginning: every run within the bounds breaks it " + searched;
  if (it.is_exact)
    return fmt::format("step {}: every continuation within the bounds breaks it; before, some do not {}",
                       it.step.value, searched);
  return fmt::format(
      "step {} at the latest: every continuation breaks it; the search for an earlier one "
      "ended {}",
      it.step.value, searched);
}

std::string words_for(const Threshold& it) {
  if (it.holds_up_to == Duration::zero())
    return fmt::format("a {} of {}, the least there is", id_of(it.fault), to_text(it.violated_from));
  return fmt::format("a {} of {}; of {} or less, no schedule within the bounds breaks it", id_of(it.fault),
                     to_text(it.violated_from), to_text(it.holds_up_to));
}

}  // namespace

std::vector<ExplainedLine> lines_of(const Explanation& explanation) {
  std::vector<ExplainedLine> lines;
  for (const ButFor& it : explanation.but_for) {
    const bool same = it.same_schedule.verdict == Verdict::violated;
    const bool any = it.any_schedule.verdict == Verdict::violated;
    const std::string_view link = same == any ? "and" : "but";
    lines.push_back(
        {"without", fmt::format("{}: {}, {} {}", words_for(it.without), fate_of_same(it.same_schedule), link,
                                fate_of_any(it.any_schedule))});
  }
  for (const Threshold& it : explanation.thresholds) lines.push_back({"needs", words_for(it)});
  lines.push_back({"since", words_for(explanation.no_return)});
  return lines;
}

Json explanation_json(const Explanation& explanation) { return json_of(explanation); }

}  // namespace holdfast::reports
