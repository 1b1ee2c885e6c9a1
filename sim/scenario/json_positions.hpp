// JSON as a tree whose every key and value knows its place in the text, so that problems can point at it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/problem.hpp"

namespace holdfast {

struct JsonMember;

struct JsonValue {
  enum class Kind : std::uint8_t { null, boolean, number, text, list, object };
  Kind kind = Kind::null;
  Span span;
  std::string text;                     // of a text: unescaped
  std::optional<std::int64_t> integer;  // of a number: when it is a whole one that fits
  std::vector<JsonValue> elements;      // of a list
  std::vector<JsonMember> members;      // of an object: in the order of the text, duplicates included

  // The first member with this key; nullptr when there is none, or when this is no object.
  const JsonValue* find(std::string_view key) const;
  // What follows `pointer`, e.g. "/clients/0/id"; nullptr when it leads nowhere.
  const JsonValue* at(std::string_view pointer) const;
};

struct JsonMember {
  std::string key;
  Span key_span;
  JsonValue value;
};

// `pointer` extended by one key (JSON Pointer, RFC 6901: "~" and "/" are escaped).
std::string pointer_to(std::string_view pointer, std::string_view key);

// Strict JSON in UTF-8. Text nested deeper than 64 levels is always refused. nullopt when the text is no such
// JSON; `problems` then tells why. Duplicate keys are reported and kept.
std::optional<JsonValue> parse_json(std::string_view text, Problems& problems);

}  // namespace holdfast
