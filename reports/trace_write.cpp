// Writes trace files.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/event_fields.hpp"
#include "reports/explanation.hpp"
#include "reports/story.hpp"
#include "reports/trace_json.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

// UTF-8 as it is, other bytes without loss as {"hex": "…"}.
Json json_of(const std::string& text) {
  try {
    (void)Json(text).dump();
    return text;
  } catch (const Json::type_error&) {
    std::string hex;
    for (const char byte : text) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return {{"hex", hex}};
  }
}

Json json_of(const Reply& reply) {
  switch (reply.kind()) {
    case Reply::Kind::nil: return nullptr;
    case Reply::Kind::integer: return reply.number();
    case Reply::Kind::bulk: return json_of(reply.text());
    case Reply::Kind::status: return {{"status", json_of(reply.text())}};
    case Reply::Kind::error: return {{"error", json_of(reply.text())}};
    case Reply::Kind::lost: return {{"lost", true}};
    case Reply::Kind::array: break;
  }
  Json list = Json::array();
  for (const Reply& element : reply.elements()) list.push_back(json_of(element));
  return list;
}

Json json_of(Duration duration) { return to_microseconds(duration); }
Json json_of(Instant at) { return at == never ? Json() : Json(to_microseconds(at.time_since_epoch())); }
Json json_of(MessageId message) { return message.value; }
Json json_of(ClientId client) { return name_of(client); }
Json json_of(bool flag) { return flag; }
Json json_of(std::uint32_t number) { return number; }
Json json_of(std::optional<std::uint64_t> number) { return number ? Json(*number) : Json(); }
Json json_of(const SourceLine& where) {
  return where.line == 0 ? Json() : json_of(fmt::format("{}:{}", where.file, where.line));
}
// "A#2": the second acquisition of A; null for none.
Json json_of(const Acquisition& acquisition) {
  if (acquisition == Acquisition{}) return nullptr;
  return fmt::format("{}#{}", name_of(acquisition.client), acquisition.number);
}
Json json_of(const std::vector<std::string>& words) {
  Json list = Json::array();
  for (const std::string& word : words) list.push_back(json_of(word));
  return list;
}
template <class Enum>
requires std::is_enum_v<Enum> Json json_of(Enum word) {
  return ids_of<Enum>()[static_cast<std::size_t>(word)];
}

// A visitor of event_fields.hpp.
struct FieldWriter {
  Json& object;
  StoreKind store;
  template <class Field>
  void operator()(const char* name, const Field& field) {
    object[name] = json_of(field);
  }
  void operator()(const char* name, const NodeId& node) { object[name] = name_of(node, store); }
};

Json json_of(Event event, StoreKind store) {
  Json object{{"step", event.step.value},
              {"at_us", to_microseconds(event.at.time_since_epoch())},
              {"actor", name_of(event.actor, store)},
              {"event", kind_of(event)}};
  FieldWriter writer{object, store};
  std::visit([&](auto& what) { describe(writer, what); }, event.what);
  return object;
}

Json json_of(const Choice& choice, StoreKind store) {
  if (choice.site != Site::step)
    return Json::array({json_of(choice.site), name_of(choice.actor, store), choice.options, choice.picked});
  const Action& action = choice.action;
  const std::string_view what =
      action.kind == Action::Kind::strike ? id_of(action.fault) : id_of(action.kind);
  Json json =
      Json::array({json_of(choice.site), name_of(action.actor, store), choice.options, choice.picked, what});
  if (action.how == How() && action.nth == 0) return json;
  json.push_back(number_of_how(action));
  json.push_back(action.nth);
  return json;
}

Json json_of(const Finding& finding, StoreKind) {
  return Json{{"property", json_of(finding.property)},
              {"from", finding.from.value},
              {"to", finding.to.value},
              {"because", json_of(finding.because)}};
}

Json json_of(const Loop& loop) {
  return Json{{"begin", loop.begin}, {"waiter", json_of(loop.waiter)}, {"grants", loop.grants}};
}

// A list with one element on each line.
template <class List>
std::string lines_of(const List& list, StoreKind store) {
  std::string text;
  for (const auto& element : list) text += (text.empty() ? "\n  " : ",\n  ") + json_of(element, store).dump();
  return text.empty() ? "[]" : "[" + text + "\n ]";
}

}  // namespace

std::string trace_json(const Scenario& scenario, const Counterexample& example, std::string_view version,
                       const std::optional<PlayedGame>& game) {
  const Json head = Json::parse(scenario_json(scenario));
  std::string text = "{\n \"schema\": \"holdfast/trace/1\",\n";
  text += fmt::format(" \"version\": {},\n", Json(version).dump());
  text += fmt::format(" \"steps\": {},\n \"steps_original\": {},\n", example.steps, example.steps_original);
  text += fmt::format(" \"fingerprint\": \"{}\",\n", example.fingerprint.hex());
  text += fmt::format(" \"scenario\": {},\n", head.dump());
  text += fmt::format(" \"findings\": {},\n", lines_of(example.findings, example.store));
  if (example.explanation)
    text +=
        fmt::format(" \"explanation\": {},\n", explanation_json(*example.explanation, example.store).dump());
  if (const std::optional<Loop>& loop = example.loop)
    text += fmt::format(" \"loop\": {},\n", json_of(*loop).dump());
  if (game)
    text += fmt::format(" \"game\": {{\"faults\": {}, \"shortest_known\": {}}},\n", game->faults,
                        game->shortest_known);
  text += fmt::format(" \"tape\": {},\n", lines_of(example.tape, example.store));
  text += fmt::format(" \"events\": {}\n}}\n", lines_of(example.events, example.store));
  return text;
}

}  // namespace holdfast::reports
