// Makes JSON of one object of a scenario. A visitor of fields.hpp: it only reads, though fields.hpp hands out
// references.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/fields.hpp"

namespace holdfast {

template <class T>
nlohmann::ordered_json json_of(T value);

class Writer {
 public:
  using Json = nlohmann::ordered_json;

  Json take() { return std::move(object_); }

  void schema_reference(std::string_view, std::string_view) {}
  void version(std::string_view key, std::int64_t version, std::string_view) { put(key, version); }
  void text(std::string_view key, const std::string& text, const TextRule& rule, std::string_view,
            Need = {}) {
    if (rule.accepts(text)) put(key, text);
  }
  void texts(std::string_view key, const std::vector<std::string>& texts, Bounds, std::string_view) {
    put(key, texts);
  }
  void duration(std::string_view key, Duration length, Sign, std::string_view, Need = {}) {
    put(key, to_text(length));
  }
  void duration(std::string_view key, std::optional<Duration> length, Sign sign, std::string_view about) {
    if (length) duration(key, *length, sign, about);
  }
  void seed(std::string_view key, std::uint64_t seed, std::string_view) {
    put(key, fmt::format("{:#x}", seed));
  }
  void client(std::string_view key, std::optional<ClientId> client, std::string_view) {
    if (client) put(key, name_of(*client));
  }
  void card(std::string_view key, const std::string& id, std::string_view) { put(key, id); }
  // Most run on Redis, and old files say nothing else.
  void store(std::string_view key, const std::string&, StoreKind store, std::string_view) {
    if (store != StoreKind::redis) put(key, id_of(store));
  }
  void params(std::string_view key, const std::string&, const Texts& params, std::string_view about) {
    named_texts(key, params, about);
  }
  void named_texts(std::string_view key, const Texts& texts, std::string_view) {
    Json object = Json::object();
    for (const auto& [name, text] : texts) object[name] = text;
    put(key, std::move(object));
  }
  // Most servers are as installed, and old files say nothing else.
  void redis_settings(std::string_view key, const Texts& texts, std::string_view about) {
    if (!texts.empty()) named_texts(key, texts, about);
  }
  void belief(std::string_view key, const std::string&, std::optional<Belief> belief,
              std::string_view about) {
    word(key, belief, about);
  }

  template <class Count>
  void count(std::string_view key, Count count, Bounds, std::string_view) {
    put(key, count);
  }
  template <class Count>
  void count(std::string_view key, std::optional<Count> count, Bounds, std::string_view) {
    if (count) put(key, *count);
  }
  template <class Enum>
  void word(std::string_view key, Enum word, std::string_view) {
    put(key, id_of(word));
  }
  template <class Enum>
  void word(std::string_view key, std::optional<Enum> word, std::string_view) {
    if (word) put(key, id_of(*word));
  }
  // A set that may not be empty in a file stands for everything when it is, and so does its absence.
  template <class Enum>
  void set(std::string_view key, SetOf<Enum> set, Bounds bounds, std::string_view) {
    Json list = Json::array();
    for (std::size_t i = 0; i < Vocabulary<Enum>::ids.size(); ++i)
      if (set.contains(static_cast<Enum>(i))) list.push_back(Vocabulary<Enum>::ids[i]);
    if (!list.empty() || bounds.min == 0) put(key, std::move(list));
  }
  template <class Members>
  void group(std::string_view key, std::string_view, const Members& members, Need = {}) {
    Writer inner;
    members(inner);
    put(key, inner.take());
  }
  template <class T>
  void object(std::string_view key, const T& value, std::string_view) {
    put(key, json_of(value));
  }
  template <class T>
  void object(std::string_view key, const std::optional<T>& value, std::string_view) {
    if (value) put(key, json_of(*value));
  }
  template <class T>
  void list(std::string_view key, const std::vector<T>& values, Bounds, const T&, std::string_view) {
    Json list = Json::array();
    for (const T& value : values) list.push_back(json_of(value));
    put(key, std::move(list));
  }
  template <class Enum, class Members>
  void variant(std::string_view key, Enum value, std::string_view, const Members& members) {
    put(key, id_of(value));
    members(*this, value);
  }

 private:
  void put(std::string_view key, Json value) { object_[std::string(key)] = std::move(value); }

  Json object_ = Json::object();
};

// By value: describe() takes a reference that it could write to.
template <class T>
nlohmann::ordered_json json_of(T value) {
  Writer writer;
  describe(writer, value);
  return writer.take();
}

}  // namespace holdfast
