// The JSON Schema of scenario files, for editors: draft-07, because that is what they understand in full.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/redis_settings.hpp"
#include "sim/scenario/fields.hpp"
#include "sim/scenario/parse.hpp"
#include "sim/scenario/writer.hpp"

namespace holdfast {
namespace {

using Json = nlohmann::ordered_json;

// What parse_duration() reads: whole microseconds.
constexpr std::string_view duration_size =
    "([0-9]+(\\.0+)?us|[0-9]+(\\.[0-9]{1,3}0*)?ms|[0-9]+(\\.[0-9]{1,6}0*)?s|"
    "[0-9]+(\\.[0-9]{1,7}0*)?m|[0-9]+(\\.[0-9]{1,8}0*)?h)$";
std::string duration_pattern(Sign sign) {
  switch (sign) {
    case Sign::positive: return fmt::format("^(?=[0-9.]*[1-9]){}", duration_size);
    case Sign::not_negative: return fmt::format("^{}", duration_size);
    case Sign::any: return fmt::format("^-?{}", duration_size);
  }
  return "";
}

// A visitor of fields.hpp that describes one object instead of touching it; its defaults are what it finds
// there.
class SchemaMaker {
 public:
  explicit SchemaMaker(const Known& known) : known_(known) {}

  Json take() {
    Json schema = {{"type", "object"}, {"additionalProperties", false}};
    if (!required_.empty()) schema["required"] = required_;
    schema["properties"] = std::move(properties_);
    if (!conditions_.empty()) schema["allOf"] = std::move(conditions_);
    return schema;
  }

  void schema_reference(std::string_view key, std::string_view about) {
    add(key, about, {{"type", "string"}});
  }
  void version(std::string_view key, std::int64_t version, std::string_view about) {
    add(key, about, {{"const", version}}, Need::required);
  }
  void text(std::string_view key, const std::string& text, const TextRule& rule, std::string_view about,
            Need need = Need::optional) {
    Json& field = add(key, about, {{"type", "string"}}, need);
    if (!rule.pattern.empty()) field["pattern"] = rule.pattern;
    if (need == Need::optional && !text.empty()) field["default"] = text;
  }
  void texts(std::string_view key, const std::vector<std::string>&, Bounds bounds, std::string_view about) {
    add(key, about, {{"type", "array"}, {"maxItems", bounds.max}, {"items", {{"type", "string"}}}});
  }
  Json& duration(std::string_view key, Duration length, Sign sign, std::string_view about,
                 Need need = Need::optional) {
    Json& field = add(key, about, {{"type", "string"}, {"pattern", duration_pattern(sign)}}, need);
    if (need == Need::optional) field["default"] = to_text(length);
    field["examples"] = {"30ms", "1.5s"};
    return field;
  }
  void duration(std::string_view key, const std::optional<Duration>&, Sign sign, std::string_view about) {
    duration(key, Duration(), sign, about, Need::optional).erase("default");
  }
  void seed(std::string_view key, std::uint64_t seed, std::string_view about) {
    Json& field = add(key, about, {{"type", "string"}, {"pattern", "^(0x[0-9a-f]{1,16}|[0-9]{1,19})$"}});
    field["default"] = fmt::format("{:#x}", seed);
  }
  void client(std::string_view key, const std::optional<ClientId>&, std::string_view about) {
    add(key, about, {{"type", "string"}, {"pattern", client_text.pattern}, {"examples", {"A"}}});
  }
  void card(std::string_view key, const std::string&, std::string_view about) {
    std::vector<std::string_view> ids;
    for (const Card& card : known_.cards) ids.push_back(card.id);
    add(key, about, {{"enum", ids}}, Need::required);
  }
  void store(std::string_view key, const std::string&, StoreKind, std::string_view about) {
    add(key, about, {{"enum", store_kind_ids}});
  }
  // Which ones there are depends on the lock: see lock_conditions().
  void params(std::string_view key, const std::string&, const Texts&, std::string_view about) {
    add(key, about, {{"type", "object"}});
  }
  void named_texts(std::string_view key, const Texts&, std::string_view about) {
    add(key, about, {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}});
  }
  void redis_settings(std::string_view key, const Texts&, std::string_view about) {
    Json settings = Json::object();
    for (const RedisSetting& each : holdfast::redis_settings)
      settings[std::string(each.name)] = {{"type", "string"}, {"pattern", each.pattern}};
    add(key, about,
        {{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(settings)}});
  }
  void belief(std::string_view key, const std::string&, const std::optional<Belief>& belief,
              std::string_view about) {
    word(key, belief, about);
    lock_conditions();
  }

  template <class Count>
  void count(std::string_view key, Count count, Bounds bounds, std::string_view about) {
    add(key, about, {{"type", "integer"}, {"minimum", bounds.min}, {"maximum", bounds.max}})["default"] =
        count;
  }
  template <class Count>
  void count(std::string_view key, const std::optional<Count>&, Bounds bounds, std::string_view about) {
    add(key, about, {{"type", "integer"}, {"minimum", bounds.min}, {"maximum", bounds.max}});
  }
  template <class Enum>
  void word(std::string_view key, Enum word, std::string_view about) {
    add(key, about, {{"enum", words_of<Enum>(known_)}})["default"] = id_of(word);
  }
  template <class Enum>
  void word(std::string_view key, const std::optional<Enum>&, std::string_view about) {
    add(key, about, {{"enum", words_of<Enum>(known_)}});
  }
  template <class Enum>
  void set(std::string_view key, SetOf<Enum> set, Bounds bounds, std::string_view about) {
    const Json items = {{"enum", words_of<Enum>(known_)}};
    Json& field = add(key, about,
                      {{"type", "array"},
                       {"minItems", bounds.min},
                       {"maxItems", bounds.max},
                       {"uniqueItems", true},
                       {"items", items}});
    Writer standard;
    standard.set(key, set, bounds, about);
    for (Json& value : standard.take()) field["default"] = std::move(value);
  }
  template <class Members>
  void group(std::string_view key, std::string_view about, const Members& members,
             Need need = Need::optional) {
    SchemaMaker inner(known_);
    members(inner);
    add(key, about, inner.take(), need);
  }
  template <class T>
  void object(std::string_view key, T& value, std::string_view about) {
    group(key, about, [&](SchemaMaker& inner) { describe(inner, value); });
  }
  template <class T>
  void object(std::string_view key, std::optional<T>&, std::string_view about) {
    T value;
    object(key, value, about);
  }
  template <class T>
  void list(std::string_view key, const std::vector<T>& values, Bounds bounds, T blank,
            std::string_view about) {
    SchemaMaker inner(known_);
    describe(inner, blank);
    Json& field = add(key, about, {{"type", "array"}, {"minItems", bounds.min}, {"maxItems", bounds.max}});
    Json standard = Json::array();
    for (const T& value : values) standard.push_back(json_of(value));
    field["default"] = std::move(standard);
    field["items"] = inner.take();
  }
  // One condition for all words that allow the same keys; oneOf would answer one typing error with twenty
  // messages.
  template <class Enum, class Members>
  void variant(std::string_view key, Enum& value, std::string_view about, const Members& members) {
    add(key, about, {{"enum", words_of<Enum>(known_)}}, Need::required);
    std::vector<std::pair<Json, Json>> cases;  // keys and words
    for (const std::string_view word : words_of<Enum>(known_)) {
      value = *from_id<Enum>(Vocabulary<Enum>::ids, word);
      SchemaMaker inner(known_);
      members(inner, value);
      Json keys = {{"propertyNames", {{"enum", {key}}}}};
      for (const auto& [name, field] : inner.properties_.items()) {
        keys["propertyNames"]["enum"].push_back(name);
        if (!properties_.contains(name)) properties_[name] = field;
      }
      if (!inner.required_.empty()) keys["required"] = inner.required_;
      const auto same =
          std::find_if(cases.begin(), cases.end(), [&](const auto& each) { return each.first == keys; });
      if (same == cases.end()) cases.emplace_back(keys, Json::array({word}));
      else same->second.push_back(word);
    }
    for (const auto& [keys, words] : cases)
      add_condition({{std::string(key), {{"enum", words}}}}, {std::string(key)}, keys);
  }

 private:
  Json& add(std::string_view key, std::string_view about, Json field, Need need = Need::optional) {
    Json described = {{"description", about}};
    described.update(field);
    if (need == Need::required) required_.push_back(std::string(key));
    return properties_[std::string(key)] = std::move(described);
  }
  void add_condition(const Json& properties, const std::vector<std::string>& required,
                     const Json& consequence) {
    conditions_.push_back(
        {{"if", {{"properties", properties}, {"required", required}}}, {"then", consequence}});
  }

  // The parameters and the beliefs of each lock.
  void lock_conditions() {
    for (const Card& card : known_.cards) {
      std::vector<std::string_view> beliefs;
      for (std::size_t i = 0; i < belief_ids.size(); ++i)
        if (card.beliefs.contains(static_cast<Belief>(i))) beliefs.push_back(belief_ids[i]);
      Json params = {{"additionalProperties", false}, {"properties", Json::object()}};
      for (const Parameter& parameter : card.parameters)
        params["properties"][std::string(parameter.name)] = schema_of(parameter);
      const Json is_this = {
          {"algorithm", {{"properties", {{"name", {{"const", card.id}}}}}, {"required", {"name"}}}}};
      const Json then = {{"algorithm", {{"properties", {{"params", params}}}}},
                         {"belief", {{"enum", beliefs}}}};
      add_condition(is_this, {"algorithm"}, {{"properties", then}});
    }
  }
  static Json schema_of(const Parameter& parameter) {
    Json field = {{"description", parameter.help}};
    switch (parameter.kind) {
      case Parameter::Kind::duration:
        field.update({{"type", "string"}, {"pattern", duration_pattern(Sign::not_negative)}});
        break;
      case Parameter::Kind::count: field.update({{"type", "string"}, {"pattern", "^[0-9]+$"}}); break;
      case Parameter::Kind::choice: field["enum"] = parameter.choices; break;
    }
    field["default"] = parameter.fallback;
    return field;
  }

  const Known& known_;
  Json properties_ = Json::object();
  std::vector<std::string> required_;
  Json conditions_ = Json::array();
};

}  // namespace

std::string scenario_schema(const Known& known) {
  SchemaMaker maker(known);
  Scenario standard;
  standard.clients = default_clients();
  describe(maker, standard);
  Json schema = {
      {"$schema", "http://json-schema.org/draft-07/schema#"},
      {"$id", "urn:holdfast:scenario:1"},
      {"title", "holdfast scenario"},
      {"description", "One experiment: a lock, its clients, the faults, and the expected verdict."}};
  schema.update(maker.take());
  return schema.dump(2) + "\n";
}

}  // namespace holdfast
