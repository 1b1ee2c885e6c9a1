#include "sim/scenario/json_positions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/core/invariant.hpp"

namespace holdfast {
namespace {

constexpr std::size_t depth_max = 64;

// How many bytes the UTF-8 character at the start of `text` has; 0 when it is none (RFC 3629: no overlong
// forms, no surrogates, nothing above U+10FFFF).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned first = byte(0);
  const unsigned second = byte(1);
  if (first < 0x80u) return 1;
  if (first >= 0xC2u && first <= 0xDFu) return continues(1) ? 2 : 0;
  if (first >= 0xE0u && first <= 0xEFu) {
    const bool overlong = first == 0xE0u && second < 0xA0u;
    const bool surrogate = first == 0xEDu && second > 0x9Fu;
    return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0u && first <= 0xF4u) {
    const bool overlong = first == 0xF0u && second < 0x90u;
    const bool too_high = first == 0xF4u && second > 0x8Fu;
    return continues(1) && continues(2) && continues(3) && !overlong && !too_high ? 4 : 0;
  }
  return 0;
}

// Where the text stops being UTF-8.
std::optional<std::size_t> first_non_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

// Listens to nlohmann's parser and walks through the text in step with it: each event is one token.
class TreeBuilder {
 public:
  // nlohmann skips a byte order mark, so it is skipped here.
  TreeBuilder(std::string_view text, Problems& problems)
      : text_(text), problems_(problems), end_(text.starts_with("\xEF\xBB\xBF") ? 3 : 0) {}

  JsonValue take_root() { return std::move(root_); }

  bool null() { return leaf(JsonValue::Kind::null); }
  bool boolean(bool) { return leaf(JsonValue::Kind::boolean); }
  bool number_integer(std::int64_t number) { return leaf(JsonValue::Kind::number, number); }
  bool number_unsigned(std::uint64_t number) {
    if (!std::in_range<std::int64_t>(number)) return leaf(JsonValue::Kind::number);
    return leaf(JsonValue::Kind::number, static_cast<std::int64_t>(number));
  }
  // JSON Schema takes 3.0 and 3e0 for whole numbers, so they are.
  bool number_float(double number, const std::string&) {
    constexpr double exact_max = 9007199254740992.0;  // 2 to the 53rd: above, doubles skip whole numbers
    if (std::trunc(number) != number || std::abs(number) > exact_max) return leaf(JsonValue::Kind::number);
    return leaf(JsonValue::Kind::number, static_cast<std::int64_t>(number));
  }
  bool string(std::string& text) { return leaf(JsonValue::Kind::text, std::nullopt, std::move(text)); }
  bool binary(const nlohmann::json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(JsonValue::Kind::object); }
  bool start_array(std::size_t) { return open(JsonValue::Kind::list); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& key) {
    const Span place = next_token();
    Level& level = levels_.back();
    level.pointer_last = pointer_to(level.pointer, key);
    const auto [first, is_new] = level.keys.try_emplace(key, place);
    if (!is_new) {
      const std::string where_first = problems_.where(first->second.begin);
      problems_.add(place, level.pointer_last,
                    fmt::format("key {} appears twice (first at {})", in_quotes(key), where_first));
    }
    level.value->members.push_back({.key = std::move(key), .key_span = place, .value = {}});
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) {
    const Span place = next_token();
    const std::string reason = reason_of(error.what());
    const bool ends_early =
        place.begin >= text_.size() || reason.find("missing closing quote") != std::string::npos;
    if (ends_early)
      problems_.add_plain(place, text_.empty() ? "the file is empty" : "the file ends too early");
    else problems_.add(place, std::string(), "this is not JSON: " + reason);
    return false;
  }

 private:
  struct Level {
    JsonValue* value;
    std::string pointer;
    std::string pointer_last;          // of the member or element read last
    std::map<std::string, Span> keys;  // of an object: where each stood first
  };
  // nlohmann: "[json.exception.…] parse error at line 1, column 2: syntax error while parsing value - REASON;
  // last read: 'TOKEN'; expected …". The line shown with the problem says the rest better.
  static std::string reason_of(std::string_view what) {
    const std::size_t dash = what.find(" - ");
    std::string_view reason =
        dash == std::string_view::npos ? what.substr(what.find("] ") + 2) : what.substr(dash + 3);
    std::string expected;
    if (const std::size_t last_read = reason.find("; last read: '"); last_read != std::string_view::npos) {
      const std::string_view token = reason.substr(last_read);
      if (const std::size_t at = token.rfind("'; expected "); at != std::string_view::npos)
        expected = token.substr(at + 1);
      reason = reason.substr(0, last_read);
    }
    return std::string(reason) + expected;
  }

  Span next_token() {
    const std::size_t begin = std::min(text_.find_first_not_of(" \t\r\n,:", end_), text_.size());
    std::size_t end = begin;
    const char first = begin < text_.size() ? text_[begin] : '\0';
    if (first == '"') {
      for (++end; end < text_.size() && text_[end] != '"' && text_[end] != '\n'; ++end)
        if (text_[end] == '\\') ++end;
      end = std::min(end + 1, text_.size());
    } else if (first == '{' || first == '}' || first == '[' || first == ']') {
      ++end;
    } else {
      end = std::min(text_.find_first_of(" \t\r\n,:{}[]\"", begin), text_.size());
    }
    end_ = end;
    return {begin, end};
  }

  // Where the next value goes.
  JsonValue& next_value() {
    if (levels_.empty()) return root_;
    Level& level = levels_.back();
    if (level.value->kind == JsonValue::Kind::object) return level.value->members.back().value;
    level.pointer_last = pointer_to(level.pointer, std::to_string(level.value->elements.size()));
    return level.value->elements.emplace_back();
  }

  JsonValue& add(JsonValue::Kind kind) {
    JsonValue& value = next_value();
    value.kind = kind;
    value.span = next_token();
    return value;
  }
  bool leaf(JsonValue::Kind kind, std::optional<std::int64_t> integer = std::nullopt, std::string text = {}) {
    JsonValue& value = add(kind);
    value.integer = integer;
    value.text = std::move(text);
    return true;
  }
  bool open(JsonValue::Kind kind) {
    JsonValue& value = add(kind);
    if (levels_.size() == depth_max) {
      problems_.add_plain(value.span, fmt::format("the file is nested deeper than {} levels", depth_max));
      return false;
    }
    std::string pointer = levels_.empty() ? std::string() : levels_.back().pointer_last;
    levels_.push_back({.value = &value, .pointer = std::move(pointer), .pointer_last = {}, .keys = {}});
    return true;
  }
  bool close() {
    INVARIANT(!levels_.empty(), "the parser closes only what it has opened");
    next_token();
    levels_.pop_back();
    return true;
  }

  std::string_view text_;
  Problems& problems_;
  std::size_t end_;  // of the token read last
  JsonValue root_;
  // Pointers into the tree stay valid: only the innermost list or object grows.
  std::vector<Level> levels_;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const JsonMember& m) { return m.key == key; });
  return found == members.end() ? nullptr : &found->value;
}

const JsonValue* JsonValue::at(std::string_view pointer) const {
  const JsonValue* value = this;
  while (value != nullptr && !pointer.empty()) {
    INVARIANT(pointer.front() == '/', "a JSON pointer is a row of \"/key\"");
    const std::size_t length = std::min(pointer.find('/', 1), pointer.size());
    const std::string_view key = pointer.substr(1, length - 1);
    pointer.remove_prefix(length);
    if (value->kind == Kind::object) {
      value = value->find(key);
      continue;
    }
    std::size_t index = 0;
    for (const char digit : key) index = index * 10 + static_cast<std::size_t>(digit - '0');
    value = index < value->elements.size() ? &value->elements[index] : nullptr;
  }
  return value;
}

std::string pointer_to(std::string_view pointer, std::string_view key) {
  std::string extended(pointer);
  extended += '/';
  for (const char letter : key) {
    if (letter == '~') extended += "~0";
    else if (letter == '/') extended += "~1";
    else extended += letter;
  }
  return extended;
}

std::optional<JsonValue> parse_json(std::string_view text, Problems& problems) {
  if (const std::optional<std::size_t> bad = first_non_utf8(text)) {
    const auto byte = static_cast<unsigned char>(text[*bad]);
    problems.add_plain({*bad, *bad + 1}, fmt::format("the file is not UTF-8 text: byte 0x{:02X}", byte));
    return std::nullopt;
  }
  TreeBuilder builder(text, problems);
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return std::nullopt;
  return builder.take_root();
}

}  // namespace holdfast
