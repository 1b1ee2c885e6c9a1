// Lists of locks, faults, properties and scenarios, for people and for programs.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "reports/lessons.hpp"
#include "reports/report.hpp"
#include "reports/verdicts.hpp"
#include "sim/check/checker.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;

// Names on the left, one or more lines of text beside them; below each other where the terminal is narrow.
class Listing {
 public:
  explicit Listing(std::ostream& out, const Terminal& terminal) : page_(out, terminal) {}
  void add(std::string_view name, std::string_view text) { rows_.emplace_back(name, text); }
  void write() {
    std::size_t widest = 0;
    for (const auto& [name, text] : rows_) widest = std::max(widest, columns(name));
    const bool is_narrow = widest + 40 > page_.terminal().width;
    for (const auto& [name, text] : rows_) {
      if (is_narrow) page_.line(name);
      page_.paragraph(is_narrow ? "    " : padded(name, widest + 2), text);
    }
  }

 private:
  Page page_;
  std::vector<std::pair<std::string, std::string>> rows_;
};

void dump(const Json& json, std::ostream& out) {
  out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

Json json_of(const Parameter& parameter) {
  constexpr std::array<std::string_view, 3> kinds{"duration", "count", "choice"};
  Json json{{"name", parameter.name},
            {"kind", kinds[static_cast<std::size_t>(parameter.kind)]},
            {"default", parameter.fallback},
            {"help", parameter.help}};
  if (!parameter.choices.empty()) json["choices"] = parameter.choices;
  return json;
}

// Fields without a text are left out.
Json json_of_texts(std::initializer_list<std::pair<std::string_view, std::string_view>> fields) {
  Json json = Json::object();
  for (const auto& [name, text] : fields)
    if (!text.empty()) json[std::string(name)] = text;
  return json;
}

Json json_of(const Protocol& protocol) {
  return json_of_texts(
      {{"acquire", protocol.acquire}, {"renew", protocol.renew}, {"release", protocol.release}});
}

Json json_of(const KnownBug& bug) {
  return json_of_texts({{"what", bug.what},
                        {"tracker", bug.tracker},
                        {"lesson", bug.lesson},
                        {"repair", bug.repair},
                        {"instead", bug.instead}});
}

Json json_of(const Upstream& upstream) {
  Json json{{"name", upstream.name},     {"language", upstream.language},
            {"also", upstream.also},     {"repository", upstream.repository},
            {"commit", upstream.commit}, {"excerpts", Json::array()}};
  for (const Excerpt& each : upstream.excerpts)
    json["excerpts"].push_back(
        {{"file", each.file}, {"first", each.first}, {"last", each.last}, {"digest", each.digest}});
  return json;
}

Json json_of(const Card& card) {
  Json json{{"id", card.id},
            {"summary", card.summary},
            {"source", card.source},
            {"upstream", card.upstream ? json_of(*card.upstream) : Json()},
            {"driver_retries", card.driver_retries},
            {"driver", card.driver},
            {"capacity", card.capacity},
            {"store", id_of(card.store)},
            {"belief", id_of(card.belief)},
            {"beliefs", Json::array()},
            {"parameters", Json::array()},
            {"claims", Json::array()},
            {"protocol", json_of(card.protocol)},
            {"bugs", Json::array()}};
  for (const KnownBug& bug : card.bugs) json["bugs"].push_back(json_of(bug));
  for (std::size_t i = 0; i < belief_ids.size(); ++i)
    if (card.beliefs.contains(static_cast<Belief>(i))) json["beliefs"].push_back(belief_ids[i]);
  for (const Parameter& parameter : card.parameters) json["parameters"].push_back(json_of(parameter));
  for (const Claim& claim : card.claims) {
    Json under = Json::array();
    for (std::size_t i = 0; i < fault_ids.size(); ++i)
      if (claim.under.contains(static_cast<Fault>(i))) under.push_back(fault_ids[i]);
    for (std::size_t i = 0; i < property_ids.size(); ++i)
      if (claim.properties.contains(static_cast<Property>(i)))
        json["claims"].push_back({{"property", property_ids[i]}, {"under", under}});
  }
  return json;
}

bool is_judged(std::size_t property) {
  return checkers::decidable().contains(static_cast<Property>(property));
}

}  // namespace

void write_algorithms(const std::vector<Card>& cards, std::ostream& out, const Terminal& terminal) {
  std::map<std::string_view, std::vector<const Card*>> by_language;
  for (const Card& card : cards) by_language[card.upstream ? card.upstream->language : ""].push_back(&card);
  for (auto& [language, its] : by_language) {
    Page(out, terminal)
        .line(language.empty() ? "Of articles and documentation, and our own"
                               : fmt::format("Of libraries, in {}", language));
    Listing listing(out, terminal);
    for (const Card* const card : its)
      listing.add(fmt::format("  {}", card->id),
                  card->upstream ? fmt::format("{}: {}", card->upstream->name, card->summary)
                                 : std::string(card->summary));
    listing.write();
  }
}

void write_algorithms_json(const std::vector<Card>& cards, std::ostream& out) {
  Json json{{"schema", "holdfast/algorithms/1"}, {"algorithms", Json::array()}};
  for (const Card& card : cards) json["algorithms"].push_back(json_of(card));
  dump(json, out);
}

void write_faults(std::ostream& out, const Terminal& terminal, FaultSet simulated) {
  Listing listing(out, terminal);
  for (std::size_t i = 0; i < fault_ids.size(); ++i) {
    const bool is_simulated = simulated.contains(static_cast<Fault>(i));
    listing.add(fault_ids[i],
                std::string(fault_lessons()[i].summary) + (is_simulated ? "" : " (not simulated)"));
  }
  listing.write();
}

void write_faults_json(std::ostream& out, FaultSet simulated) {
  Json json{{"schema", "holdfast/faults/1"}, {"faults", Json::array()}};
  for (std::size_t i = 0; i < fault_ids.size(); ++i)
    json["faults"].push_back({{"id", fault_ids[i]},
                              {"summary", fault_lessons()[i].summary},
                              {"simulated", simulated.contains(static_cast<Fault>(i))}});
  dump(json, out);
}

void write_properties(std::ostream& out, const Terminal& terminal) {
  Listing listing(out, terminal);
  for (std::size_t i = 0; i < property_ids.size(); ++i) {
    const std::string letter(1, letter_of(static_cast<Property>(i)));
    listing.add(letter + " " + std::string(property_ids[i]),
                std::string(property_lessons()[i].summary) + (is_judged(i) ? "" : " (not judged)"));
  }
  listing.write();
}

void write_properties_json(std::ostream& out) {
  Json json{{"schema", "holdfast/properties/1"}, {"properties", Json::array()}};
  for (std::size_t i = 0; i < property_ids.size(); ++i)
    json["properties"].push_back({{"id", property_ids[i]},
                                  {"letter", std::string(1, letter_of(static_cast<Property>(i)))},
                                  {"summary", property_lessons()[i].summary},
                                  {"judged", is_judged(i)}});
  dump(json, out);
}

void write_workloads(std::ostream& out, const Terminal& terminal) {
  Listing listing(out, terminal);
  for (const Lesson& workload : workload_lessons()) listing.add(workload.id, workload.summary);
  listing.write();
}

void write_workloads_json(std::ostream& out) {
  Json json{{"schema", "holdfast/workloads/1"}, {"workloads", Json::array()}};
  for (const Lesson& workload : workload_lessons())
    json["workloads"].push_back({{"id", workload.id}, {"summary", workload.summary}});
  dump(json, out);
}

void write_scenarios(const std::vector<ListedScenario>& scenarios, std::ostream& out,
                     const Terminal& terminal) {
  Listing listing(out, terminal);
  for (const ListedScenario& each : scenarios)
    listing.add(printable(terminal, each.scenario.name), printable(terminal, each.scenario.description));
  listing.write();
}

void write_scenarios_json(const std::vector<ListedScenario>& scenarios, std::ostream& out) {
  Json json{{"schema", "holdfast/scenarios/1"}, {"scenarios", Json::array()}};
  for (const ListedScenario& each : scenarios)
    json["scenarios"].push_back({{"file", each.file},
                                 {"name", each.scenario.name},
                                 {"description", each.scenario.description},
                                 {"algorithm", each.scenario.algorithm},
                                 {"tags", each.scenario.tags}});
  dump(json, out);
}

}  // namespace holdfast::reports
