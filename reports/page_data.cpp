#include "reports/page_data.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "reports/terminal.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::size_t> rows_with_faults(const Scene& scene) {
  std::vector<std::size_t> rows;
  for (const Scene::Note& note : scene.notes)
    if (note.is_fault) rows.push_back(note.row);
  for (const Scene::Message& message : scene.messages)
    if (message.is_lost || message.is_late) rows.push_back(message.sent);
  std::sort(rows.begin(), rows.end());
  return rows;
}

Json words_json(const Words& words) {
  const PageWords& page = words.page;
  const QuestionWords& asked = words.asked;
  return {{"position", page.position}, {"show", page.show_ending},
          {"hide", page.hide_ending},  {"byTime", page.by_time},
          {"bySteps", page.by_steps},  {"copied", page.copied},
          {"found", page.found},       {"foundInPart", page.found_in_part},
          {"part", page.part},         {"right", asked.right},
          {"wrong", asked.wrong},      {"score", asked.score}};
}

Json game_json(const Scene& scene, std::uint32_t length, const TracePageContext& context) {
  Json moves = Json::array();
  for (const Move& move : context.moves) {
    Json options = Json::array();
    for (const std::string& option : move.options) options.push_back(printable(Terminal{}, option));
    moves.push_back({{"steps", move.steps},
                     {"question", printable(Terminal{}, move.question)},
                     {"options", std::move(options)},
                     {"picked", move.picked}});
  }
  const PageWords& page = scene.words->page;
  Json json{{"moves", std::move(moves)}, {"end", nullptr}};
  if (context.shortest_known)
    json["end"] = say(scene.words->asked.shortest, say_count(page.steps, length),
                      say_count(page.steps, *context.shortest_known));
  return json;
}

// Of a long run, what a canvas draws around a step: lists of numbers, as a page of 100,000 events has many.
Json lens_json(const Scene& scene) {
  using Kind = Scene::Span::Kind;
  std::map<ClientId, int> places;
  Json names = Json::array();
  for (const ClientId client : scene.cast.clients) {
    places.emplace(client, static_cast<int>(places.size()));
    names.push_back(name_of(client));
  }
  // -1: not a client's.
  const auto place_of = [&](Actor actor) {
    if (actor.kind != Actor::Kind::client) return -1;
    const auto found = places.find(ClientId{actor.index});
    return found == places.end() ? -1 : found->second;
  };
  Json spans = Json::array();
  for (const Scene::Span& span : scene.spans)
    if (span.kind != Kind::key)
      spans.push_back(Json::array({static_cast<int>(span.kind), place_of(span.on), span.begin, span.end}));
  Json messages = Json::array();
  for (const Scene::Message& it : scene.messages)
    messages.push_back(
        Json::array({place_of(it.is_reply ? it.to : it.from), it.sent, it.arrived.value_or(it.sent),
                     it.is_reply ? 1 : 0, it.is_lost || it.is_late ? 1 : 0}));
  return {{"clients", std::move(names)}, {"spans", std::move(spans)}, {"messages", std::move(messages)}};
}

}  // namespace

std::string page_data(const Scene& scene, std::size_t first, std::uint32_t length,
                      const TracePageContext& context) {
  Json steps = Json::array();
  Json times = Json::array();
  Json actors = Json::array();
  for (const Scene::Row& row : scene.rows) {
    steps.push_back(row.step.value);
    times.push_back(to_microseconds(row.at.time_since_epoch()));
    actors.push_back(scene.name_of(row.actor));
  }
  Json json{{"steps", std::move(steps)},
            {"times", std::move(times)},  // microseconds
            {"actors", std::move(actors)},
            {"faults", rows_with_faults(scene)},
            {"violation", scene.clash_to ? Json(*scene.clash_to) : Json()},
            {"first", first},
            {"words", words_json(*scene.words)}};
  if (scene.rows.size() - first > steps_per_part) json["lens"] = lens_json(scene);
  if (!context.moves.empty()) json["game"] = game_json(scene, length, context);
  // Within a script element, "<" alone could begin the end of it.
  std::string safe;
  for (const char letter : json.dump(-1, ' ', true, Json::error_handler_t::replace))
    if (letter == '<') safe += "\\u003c";
    else safe += letter;
  return safe;
}

}  // namespace holdfast::reports
