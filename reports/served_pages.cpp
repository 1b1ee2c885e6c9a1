#include "reports/served_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "reports/diagnosis.hpp"
#include "reports/html.hpp"
#include "reports/picture.hpp"
#include "reports/words.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

// Of longer runs, so many rows before their end are drawn.
constexpr std::size_t rows_drawn = 120;

void write(std::string_view title, Language language, std::string_view name, const Json& data,
           std::ostream& out) {
  write_page({.title = title, .language = language, .is_served = true}, name, data, out);
}

template <class Id>
Json options_of(const std::vector<Id>& ids, std::string_view chosen) {
  Json options = Json::array();
  for (const Id id : ids) options.push_back({{"id", id_of(id)}, {"is_chosen", id_of(id) == chosen}});
  return options;
}

Json json_of(const ListedExploration& it, Language language) {
  return {{"link", it.link},
          {"title", it.title},
          {"state", it.state},
          {"state_word", word("state " + it.state, language)},
          {"progress", it.progress}};
}

Json json_of(const ServedVerdict& it, Language language) {
  constexpr std::array<std::string_view, 7> kinds{"bad", "doubt", "doubt", "doubt", "good", "good", "faint"};
  return {{"fault", id_of(it.fault)},
          {"property", id_of(it.property)},
          {"kind", kinds[static_cast<std::size_t>(it.outcome)]},
          {"glyph", glyph_of(it.outcome)},
          {"outcome", word("outcome " + std::string(word_of(it.outcome)), language)},
          {"extent", it.extent},
          {"page", it.page},
          {"end", it.end},
          {"note", as_sentence(it.note)}};
}

Json json_of(const std::vector<Onward>& list) {
  Json json = Json::array();
  for (const Onward& each : list)
    json.push_back({{"what", as_sentence(each.text)},
                    {"link", each.link},
                    {"is_fault", each.is_fault},
                    {"is_time", each.is_time}});
  return json;
}

// "token × pause", but no list that fills the screen.
std::string short_subject(const StatePage& page, Language language) {
  const Scenario& scenario = page.scenario;
  if (scenario.faults.size() <= 3) return subject_of({scenario, page.run, "", language});
  return say(word("any_of_faults", language), scenario.algorithm, scenario.faults.size());
}

}  // namespace

void write_refusal_page(std::string_view why, Language language, std::ostream& out) {
  write("holdfast", language, "refusal", {{"why", as_sentence(std::string(why))}}, out);
}

void write_home_page(const HomePage& page, Language language, std::ostream& out) {
  Json data{{"locks", Json::array()},
            {"faults", options_of(page.faults, id_of(Fault::pause))},
            {"properties", options_of(page.properties, "")},
            {"explorations", Json::array()},
            {"lessons", Json::array()}};
  for (const Link& lesson : page.lessons)
    data["lessons"].push_back({{"link", lesson.link}, {"title", lesson.title}});
  if (page.living != nullptr)
    data["living"] = {{"picture", living_picture(*page.living, {"living", word("what_happened", language)})},
                      {"link", page.run.link},
                      {"title", page.run.title}};
  for (const Card& card : page.cards)
    data["locks"].push_back({{"id", card.id}, {"is_chosen", card.id == "token"}});
  for (const ListedExploration& each : page.explorations)
    data["explorations"].push_back(json_of(each, language));
  write("holdfast", language, "home", data, out);
}

void write_exploration_page(const ExplorationPage& page, Language language, std::ostream& out) {
  const auto count = [&](Outcome outcome) {
    return std::count_if(page.verdicts.begin(), page.verdicts.end(),
                         [&](const ServedVerdict& it) { return it.outcome == outcome; });
  };
  const auto broken = count(Outcome::violated);
  const auto proved = count(Outcome::holds) + count(Outcome::holds_so_far);
  const bool holds = proved > 0 && proved + count(Outcome::not_applicable) == std::ssize(page.verdicts);
  Json data = json_of(page.listed, language);
  data["api"] = page.api;
  const bool is_running = page.listed.state == "running";
  data["is_running"] = is_running;
  data["kind"] = broken > 0 ? "bad" : holds ? "good" : "doubt";
  if (broken > 0)
    data["summary"] =
        say(word(is_running ? "it_breaks_so_far" : "it_breaks", language), broken, page.verdicts.size());
  else if (page.listed.state == "done") data["summary"] = word(holds ? "it_holds" : "it_is_open", language);
  data["has_verdicts"] = !page.verdicts.empty();
  data["verdicts"] = Json::array();
  std::vector<ServedVerdict> verdicts = page.verdicts;
  std::stable_sort(verdicts.begin(), verdicts.end(),
                   [](const ServedVerdict& one, const ServedVerdict& other) {
                     return one.outcome < other.outcome;  // what is violated comes first
                   });
  for (const ServedVerdict& each : verdicts) data["verdicts"].push_back(json_of(each, language));
  data["matrix"] = page.matrix;
  data["again"] = page.again;
  data["facts"] = page.facts.empty() ? Json() : Json{{"list", page.facts}};
  write(page.listed.title, language, "exploration", data, out);
}

void write_state_page(const StatePage& page, Language language, std::ostream& out) {
  const std::string subject = short_subject(page, language);
  const std::string at = words_for(page.state.at);
  const auto struck =
      std::count_if(page.way.begin(), page.way.end(), [](const Onward& it) { return it.is_fault; });
  const std::uint32_t most = page.scenario.faults.empty() ? 0 : page.faults_max;
  Json data{{"subject", subject},
            {"at", at},
            {"made", counted_word("choices_made", page.way.size(), language)},
            {"findings", Json::array()},
            {"broken", counted_word("properties", page.run.findings.size(), language)},
            {"struck", struck},
            {"most", most},
            {"faults_counted", counted_word("faults_counted", most, language)},
            {"steps", counted_word("steps", page.run.steps, language)},
            {"facts", facts_of({page.scenario, page.run, "", language})},
            {"back", page.way.empty() ? "" : page.way.back().link},
            {"start", page.way.empty() ? "" : page.way.front().link},
            {"here", page.here},
            {"question", page.question},
            {"actions", json_of(page.actions)},
            {"messages", Json::array()},
            {"way", json_of(page.way)}};
  data.update(panel_of(page.state));
  for (const Finding& finding : page.run.findings)
    data["findings"].push_back(
        {{"property", id_of(finding.property)}, {"because", because_of(finding, language)}});
  for (const StateView::Message& each : page.state.messages)
    data["messages"].push_back({{"from", each.from}, {"to", each.to}, {"text_sent", each.text}});
  const std::size_t count = page.scene.rows.size();
  if (count > 0)
    data["picture"] = sequence_picture(page.scene, {count > rows_drawn ? count - rows_drawn : 0, count},
                                       {"seq", word("what_happened", language)});
  write(fmt::format("{} · {}", subject, at), language, "state", data, out);
}

}  // namespace holdfast::reports
