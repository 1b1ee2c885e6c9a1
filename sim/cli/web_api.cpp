#include "sim/cli/web_api.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/html.hpp"
#include "reports/served_pages.hpp"
#include "reports/trace_json.hpp"
#include "reports/words.hpp"
#include "sim/check/checker.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/pages.hpp"
#include "sim/cli/run_state.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/version.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;
using reports::Language;
using reports::word;
using web::Answer;
using web::Method;
using web::Request;

Answer in_json(const Json& json, int status = 200) {
  return {status, "application/json", json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"};
}
Answer in_json(std::ostringstream text) { return {200, "application/json", std::move(text).str()}; }
Answer wrong(const std::string& what, int status) {
  Json json;
  json["error"] = what;
  return in_json(json, status);
}
template <class Write>
Answer page(const Write& write) {
  std::ostringstream out;
  write(out);
  return {.text = std::move(out).str()};
}

std::vector<Fault> faults_of_page() {
  std::vector<Fault> faults;
  for (const std::string_view id : fault_ids)
    if (const Fault fault = *from_id<Fault>(fault_ids, id); simulated_faults.contains(fault))
      faults.push_back(fault);
  return faults;
}

std::vector<Property> properties_of_page() {
  std::vector<Property> properties;
  for (const std::string_view id : property_ids)
    if (const Property property = *from_id<Property>(property_ids, id);
        checkers::decidable().contains(property))
      properties.push_back(property);
  return properties;
}

std::string address_of(std::uint32_t id) { return fmt::format("/explorations/{}", id); }

std::string title_of(const AskedExperiment& asked, Language language) {
  const auto faults = asked.fields.find("faults");
  return fmt::format("{} × {}", asked.card->id,
                     faults == asked.fields.end() ? word("every_fault", language) : faults->second);
}

std::string bounds_of(const Watched& now, Language language) {
  return now.scope ? reports::scope_in_words(*now.scope, language) : "";
}

std::string progress_of(const Watched& now, Language language) {
  std::string text;
  if (now.state == Watched::State::running && now.cells > 0)
    text = reports::say(word("cells_done", language), bounds_of(now, language), now.cells_done, now.cells);
  text += reports::say(word("explored_so_far", language), reports::grouped(now.states),
                       reports::grouped(now.transitions), now.seconds);
  return now.problem.empty() ? text : text + " · " + now.problem;
}

reports::ListedExploration listed(const Watched& now, Language language) {
  return {address_of(now.id), title_of(*now.asked, language), std::string(id_of(now.state)),
          progress_of(now, language)};
}

std::string file_name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Within what the property of the cell was broken; of the first bounds, the cell does not say it.
Scope scope_of(const AskedExperiment& asked, const reports::MatrixCell& cell,
               const reports::JudgedProperty& property) {
  if (!cell.within.empty()) return cell.within[property.decided_by].scope;
  return scopes_of(asked.options, comparison_of(asked.options)).front();
}

// The verdicts that are known by now, each violated one with its run.
std::vector<reports::ServedVerdict> verdicts_of(const Watched& now, Language language) {
  std::vector<reports::ServedVerdict> verdicts;
  if (!now.matrix) return verdicts;
  for (const reports::MatrixCell& cell : now.matrix->cells)
    for (const reports::JudgedProperty& each : cell.properties) {
      const PropertyResult& result = each.result;
      reports::ServedVerdict verdict{.fault = cell.fault,
                                     .property = result.property,
                                     .outcome = reports::outcome_of(cell, each),
                                     .note = result.note};
      // Larger bounds may still break it.
      if (now.state == Watched::State::running && verdict.outcome != reports::Outcome::violated &&
          verdict.outcome != reports::Outcome::not_applicable) {
        verdict.outcome = reports::Outcome::unknown;
        verdict.note = word("not_broken_so_far", language);
      }
      if (const auto& example = result.counterexample) {
        verdict.steps = example->steps;
        verdict.extent = reports::extent_of(result, language);
        verdict.page = address_of(now.id) + "/" + reports::page_of_trace(file_name_of(each.trace_file));
        const Scope scope = scope_of(*now.asked, cell, each);
        const RunAnswers answers = answers_of(each.scenario, *now.asked->card, *example);
        verdict.end = example->loop ? verdict.page
                                    : with_picks(link_to_run(*now.asked, cell.fault, scope), answers.picks,
                                                 answers.picks.size());
      }
      verdicts.push_back(std::move(verdict));
    }
  return verdicts;
}

Json json_of(const Watched& now, Language language) {
  Json json{{"id", now.id},
            {"page", address_of(now.id)},
            {"title", title_of(*now.asked, language)},
            {"state", id_of(now.state)},
            {"progress", progress_of(now, language)},
            {"bounds", bounds_of(now, language)},
            {"cells_done", now.cells_done},
            {"cells", now.cells},
            {"states", now.states},
            {"transitions", now.transitions},
            {"seconds", now.seconds}};
  if (!now.problem.empty()) json["error"] = now.problem;
  Json verdicts = Json::array();
  for (const reports::ServedVerdict& each : verdicts_of(now, language)) {
    Json verdict{{"fault", id_of(each.fault)},
                 {"property", id_of(each.property)},
                 {"verdict", reports::word_of(each.outcome)}};
    if (!each.note.empty()) verdict["note"] = each.note;
    if (!each.page.empty()) {
      verdict["steps"] = each.steps;
      verdict["page"] = each.page;
      verdict["run"] = each.end;
    }
    verdicts.push_back(std::move(verdict));
  }
  json["verdicts"] = std::move(verdicts);
  return json;
}

Json json_of(const reports::StateView& state) {
  Json clients = Json::array();
  for (const reports::StateView::Client& each : state.clients)
    clients.push_back({{"client", name_of(each.id)},
                       {"believes", each.believes},
                       {"named", each.is_named},
                       {"stopped", each.is_stopped},
                       {"runs", each.is_running},
                       {"clock", to_text(each.clock)}});
  Json keys = Json::array();
  for (const reports::StateView::Key& each : state.keys)
    keys.push_back({{"server", each.server},
                    {"key", each.key},
                    {"value", each.value},
                    {"owner", each.owner ? Json(name_of(*each.owner)) : Json()},
                    {"left", each.left ? Json(to_text(*each.left)) : Json()}});
  Json messages = Json::array();
  for (const reports::StateView::Message& each : state.messages)
    messages.push_back({{"from", each.from}, {"to", each.to}, {"what", each.text}});
  return {{"at", to_text(state.at.time_since_epoch())},
          {"clients", std::move(clients)},
          {"messages", std::move(messages)},
          {"keys", std::move(keys)}};
}

Json json_of(const std::vector<reports::Onward>& list) {
  Json json = Json::array();
  for (const reports::Onward& each : list)
    json.push_back(
        {{"what", each.text}, {"fault", each.is_fault}, {"run", each.link}, {"state", "/api" + each.link}});
  return json;
}

// The run of the query, and its address before the first answer.
std::pair<AskedRun, std::string> run_of(const Request& request) {
  AskedRun run = asked_run_of(request.query);
  const auto faults = run.asked.fields.find("faults");
  const std::string all = faults == run.asked.fields.end() ? "" : faults->second;
  std::string link = link_to_run(run.asked, all, run.scope);
  return {std::move(run), std::move(link)};
}

// "12/rest" as 12 and "/rest"; throws Refused.
std::pair<std::uint32_t, std::string_view> number_and_rest(std::string_view text) {
  std::uint32_t id = 0;
  const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), id);
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (why != std::errc() || (!rest.empty() && !rest.starts_with('/')))
    throw Refused(404, "explorations and lessons have numbers");
  return {id, rest};
}

[[noreturn]] void refuse_path(const Request& request) {
  const std::vector<std::string_view> known{
      "/",           "/runs",           "/lessons/1",        "/api/locks",
      "/api/faults", "/api/properties", "/api/explorations", "/api/runs"};
  throw Refused(404,
                fmt::format("there is nothing at {}{}", request.path, did_you_mean(request.path, known)));
}

void require(const Request& request, std::initializer_list<Method> methods) {
  if (std::find(methods.begin(), methods.end(), request.method) == methods.end())
    throw Refused(405, fmt::format("{}: not with this method", request.path));
}

}  // namespace

web::Answer WebApi::answer(const web::Request& request) {
  const bool is_page = !request.path.starts_with("/api/");
  try {
    return route(request);
  } catch (const Refused& why) {
    return is_page ? refused_page(why) : wrong(why.what(), why.status());
  } catch (const UserError& why) {
    return wrong(why.what(), 500);
  }
}

web::Answer WebApi::route(const web::Request& request) {
  constexpr std::string_view of_explorations = "/explorations/";
  const std::string& path = request.path;
  if (path.starts_with("/api/")) return api(request);
  require(request, {Method::get});
  if (path == "/") return home();
  if (path == "/runs") return run_state(request, false);
  constexpr std::string_view of_lessons = "/lessons/";
  if (path.starts_with(of_lessons)) return lesson(std::string_view(path).substr(of_lessons.size()));
  if (!path.starts_with(of_explorations)) refuse_path(request);
  const auto [id, rest] = number_and_rest(std::string_view(path).substr(of_explorations.size()));
  return rest.empty() ? exploration(id) : file_of(id, rest.substr(1));
}

web::Answer WebApi::api(const web::Request& request) {
  constexpr std::string_view of_explorations = "/api/explorations";
  const std::string& path = request.path;
  if (path == of_explorations) {
    require(request, {Method::get, Method::post});
    if (request.method == Method::post)
      return in_json(
          json_of(explorations_.look(explorations_.begin(asked_of(fields_of(request.body)))), language_),
          201);
    Json list = Json::array();
    for (const Watched& each : explorations_.all()) list.push_back(json_of(each, language_));
    return in_json(list);
  }
  if (path.starts_with("/api/explorations/")) {
    const auto [id, rest] = number_and_rest(std::string_view(path).substr(of_explorations.size() + 1));
    if (!rest.empty()) refuse_path(request);
    return exploration_api(request, id);
  }
  require(request, {Method::get});
  std::ostringstream text;
  if (path == "/api/runs") return run_state(request, true);
  if (path == "/api/locks") reports::write_algorithms_json(algorithms::all(), text);
  else if (path == "/api/faults") reports::write_faults_json(text, simulated_faults);
  else if (path == "/api/properties") reports::write_properties_json(text);
  else refuse_path(request);
  return in_json(std::move(text));
}

web::Answer WebApi::exploration_api(const web::Request& request, std::uint32_t id) {
  require(request, {Method::get, Method::remove});
  if (request.method == Method::remove) explorations_.cancel(id);
  return in_json(json_of(explorations_.look(id), language_));
}

web::Answer WebApi::run_state(const web::Request& request, bool is_json) {
  const auto [run, link] = run_of(request);
  const RunState state = state_of(run, link, language_);
  const std::string here = "/api" + with_picks(link, run.picks, run.picks.size());
  if (!is_json)
    return page([&](std::ostream& out) {
      reports::write_state_page({run.scenario, state.run, state.scene, state.state, run.faults_max,
                                 state.question, state.actions, state.way, here},
                                language_, out);
    });
  Json json = json_of(state.state);
  Json violated = Json::array();
  for (const Finding& each : state.run.findings)
    violated.push_back({{"property", id_of(each.property)}, {"because", each.because}});
  json["steps"] = state.steps;
  json["violated"] = std::move(violated);
  json["question"] = state.question;
  json["actions"] = json_of(state.actions);
  json["way"] = json_of(state.way);
  return in_json(json);
}

// For somebody who looks at pages.
web::Answer WebApi::refused_page(const Refused& why) {
  Answer answer = page([&](std::ostream& out) { reports::write_refusal_page(why.what(), language_, out); });
  answer.status = why.status();
  return answer;
}

web::Answer WebApi::home() {
  reports::HomePage home{algorithms::all(), faults_of_page(), properties_of_page(), {}};
  home.lessons = lessons_.list();
  if (lessons_.living()) {
    home.living = &lessons_.living()->scene;
    home.run = lessons_.living()->run;
  }
  for (const Watched& each : explorations_.all()) home.explorations.push_back(listed(each, language_));
  return page([&](std::ostream& out) { reports::write_home_page(home, language_, out); });
}

// "6", or "6/run".
web::Answer WebApi::lesson(std::string_view place) {
  const auto [number, rest] = number_and_rest(place);
  if (rest.empty() || rest == "/run") {
    Answer answer{.text = rest.empty() ? lessons_.page(number) : lessons_.run_page(number)};
    if (!answer.text.empty()) return answer;
  }
  throw Refused(404,
                fmt::format("there is no lesson \"{}\": they are 1 to {}", place, lessons_.list().size()));
}

web::Answer WebApi::exploration(std::uint32_t id) {
  const Watched now = explorations_.look(id);
  reports::ExplorationPage shown{.listed = listed(now, language_),
                                 .api = "/api" + address_of(id),
                                 .matrix = now.matrix ? address_of(id) + "/index.html" : "",
                                 .again = link_to_play(*now.asked),
                                 .verdicts = verdicts_of(now, language_)};
  if (now.matrix) shown.facts = reports::bounds_in_words(*now.matrix, language_);
  return page([&](std::ostream& out) { reports::write_exploration_page(shown, language_, out); });
}

// The files that `check` would save: the page of the comparison, its matrix, and of each run a page and a
// trace.
web::Answer WebApi::file_of(std::uint32_t id, std::string_view name) {
  const Watched now = explorations_.look(id);
  if (!now.matrix) throw Refused(404, fmt::format("exploration {} knows nothing yet", id));
  if (name == "index.html") return {.text = index_of(*now.matrix, language_)};
  if (name == "matrix.json") {
    std::ostringstream text;
    reports::write_matrix_json(*now.matrix, text);
    return in_json(std::move(text));
  }
  for (const reports::MatrixCell& cell : now.matrix->cells)
    for (const reports::JudgedProperty& each : cell.properties) {
      const std::string file = file_name_of(each.trace_file);
      if (file.empty()) continue;
      const Scenario& scenario = each.scenario;
      const Counterexample& example = *each.result.counterexample;
      if (name == file) return {200, "application/json", reports::trace_json(scenario, example, version)};
      if (name != reports::page_of_trace(file)) continue;
      std::vector<std::string> states;
      if (!example.loop) {
        const Scope scope = scope_of(*now.asked, cell, each);
        const std::string link = link_to_run(*now.asked, cell.fault, scope);
        const RunAnswers answers = answers_of(scenario, *now.asked->card, example);
        for (const std::size_t count : answers.after_step)
          states.push_back(with_picks(link, answers.picks, count));
      }
      return {.text = page_of({scenario, example, file, language_}, "index.html", nullptr, &*now.matrix,
                              std::move(states))};
    }
  throw Refused(404, fmt::format("exploration {} has no file \"{}\"", id, name));
}

}  // namespace holdfast::cli
