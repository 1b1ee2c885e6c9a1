// Fills one object of a scenario from JSON and reports everything that is wrong with it. A visitor of
// fields.hpp.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/scenario/fields.hpp"
#include "sim/scenario/json_positions.hpp"

namespace holdfast {

class Reader {
 public:
  // REQUIRES: `object` is an object; it and the others outlive the reader.
  Reader(const JsonValue& object, std::string pointer, Problems& problems, const Known& known)
      : object_(object), pointer_(std::move(pointer)), problems_(problems), known_(known) {}

  void schema_reference(std::string_view key, std::string_view);
  void version(std::string_view key, std::int64_t version, std::string_view);
  void text(std::string_view key, std::string& out, const TextRule& rule, std::string_view,
            Need need = Need::optional);
  void texts(std::string_view key, std::vector<std::string>& out, Bounds bounds, std::string_view);
  void duration(std::string_view key, Duration& out, Sign sign, std::string_view, Need need = Need::optional);
  void duration(std::string_view key, std::optional<Duration>& out, Sign sign, std::string_view about) {
    if (object_.find(key) == nullptr) return keys_.push_back(key);
    duration(key, out.emplace(), sign, about);
  }
  void seed(std::string_view key, std::uint64_t& out, std::string_view);
  void client(std::string_view key, std::optional<ClientId>& out, std::string_view);
  void card(std::string_view key, std::string& out, std::string_view);
  void store(std::string_view key, const std::string& card, StoreKind& out, std::string_view);
  void params(std::string_view key, const std::string& card, Texts& out, std::string_view);
  void named_texts(std::string_view key, Texts& out, std::string_view);
  void redis_settings(std::string_view key, Texts& out, std::string_view);
  void belief(std::string_view key, const std::string& card, std::optional<Belief>& out, std::string_view);

  template <class Count>
  void count(std::string_view key, Count& out, Bounds bounds, std::string_view) {
    const std::optional<std::int64_t> number = read_count(key, bounds);
    if (number) out = static_cast<Count>(*number);
  }
  template <class Count>
  void count(std::string_view key, std::optional<Count>& out, Bounds bounds, std::string_view about) {
    if (object_.find(key) == nullptr) return keys_.push_back(key);
    count(key, out.emplace(), bounds, about);
  }
  template <class Enum>
  void word(std::string_view key, Enum& out, std::string_view) {
    const JsonValue* value = take(key, Need::optional);
    if (value == nullptr) return;
    const std::optional<std::string_view> id =
        read_word(*value, pointer_to(pointer_, key), Vocabulary<Enum>::noun, words_of<Enum>(known_)).exact;
    if (id) out = *from_id<Enum>(Vocabulary<Enum>::ids, *id);
  }
  template <class Enum>
  void word(std::string_view key, std::optional<Enum>& out, std::string_view about) {
    if (object_.find(key) == nullptr) return keys_.push_back(key);
    word(key, out.emplace(), about);
  }
  template <class Enum>
  void set(std::string_view key, SetOf<Enum>& out, Bounds bounds, std::string_view) {
    if (object_.find(key) != nullptr) out = {};
    for_each_element(key, bounds, [&](const JsonValue& element, const std::string& pointer) {
      const std::optional<std::string_view> id =
          read_word(element, pointer, Vocabulary<Enum>::noun, words_of<Enum>(known_)).exact;
      if (!id) return;
      const Enum member = *from_id<Enum>(Vocabulary<Enum>::ids, *id);
      if (out.contains(member))
        problems_.add(element.span, pointer,
                      fmt::format("{} {} is listed twice", Vocabulary<Enum>::noun, in_quotes(*id)));
      out.insert(member);
    });
  }
  template <class Members>
  void group(std::string_view key, std::string_view, const Members& members, Need need = Need::optional) {
    const JsonValue* value = take(key, need);
    if (value == nullptr) return;
    read_object(*value, pointer_to(pointer_, key), members);
  }
  template <class T>
  void object(std::string_view key, T& out, std::string_view about) {
    group(key, about, [&](Reader& inner) { describe(inner, out); });
  }
  template <class T>
  void object(std::string_view key, std::optional<T>& out, std::string_view about) {
    if (object_.find(key) == nullptr) return keys_.push_back(key);
    object(key, out.emplace(), about);
  }
  template <class T>
  void list(std::string_view key, std::vector<T>& out, Bounds bounds, const T& blank, std::string_view) {
    if (object_.find(key) != nullptr) out.clear();
    for_each_element(key, bounds, [&](const JsonValue& element, const std::string& pointer) {
      T& item = out.emplace_back(blank);
      read_object(element, pointer, [&](Reader& inner) { describe(inner, item); });
    });
  }
  // The keys that an object may have depend on the word at `key`. A misspelt word is read as the nearest one,
  // so that the other keys are judged too.
  template <class Enum, class Members>
  void variant(std::string_view key, Enum& out, std::string_view, const Members& members) {
    const JsonValue* value = take(key, Need::required);
    owner_ = std::string(Vocabulary<Enum>::noun);
    if (value == nullptr) return skip_unknown_keys();
    const Word id =
        read_word(*value, pointer_to(pointer_, key), Vocabulary<Enum>::noun, words_of<Enum>(known_));
    if (!id.meant) return skip_unknown_keys();
    owner_ += " " + in_quotes(*id.meant);
    out = *from_id<Enum>(Vocabulary<Enum>::ids, *id.meant);
    members(*this, out);
  }

  // Reports unknown keys. Called once, last.
  void finish();

 private:
  // `meant` is set also when a misspelt word has a likely reading.
  struct Word {
    std::optional<std::string_view> exact;
    std::optional<std::string_view> meant;
  };

  // The value at `key`, if it is there; reports a required one that is not.
  const JsonValue* take(std::string_view key, Need need);
  // The same, if it is a text.
  const JsonValue* take_text(std::string_view key, Need need, std::string_view expects);
  bool expect_kind(const JsonValue& value, const std::string& pointer, JsonValue::Kind kind,
                   std::string_view expects);
  std::optional<std::int64_t> read_count(std::string_view key, Bounds bounds);
  std::optional<Duration> read_duration(const JsonValue& value, const std::string& pointer, Sign sign);
  // Reports a text that is none of `words`. What it returns lies in `words`' own texts.
  Word read_word(const JsonValue& value, const std::string& pointer, std::string_view noun,
                 const std::vector<std::string_view>& words);
  void read_param(const Card& card, const JsonMember& member, const std::string& pointer, Texts& out);
  void skip_unknown_keys() { skips_unknown_keys_ = true; }

  template <class Members>
  void read_object(const JsonValue& value, const std::string& pointer, const Members& members) {
    if (!expect_kind(value, pointer, JsonValue::Kind::object, "an object")) return;
    Reader inner(value, pointer, problems_, known_);
    members(inner);
    inner.finish();
  }
  template <class Each>
  void for_each_element(std::string_view key, Bounds bounds, const Each& each) {
    const JsonValue* value = take(key, Need::optional);
    const std::string pointer = pointer_to(pointer_, key);
    if (value == nullptr || !expect_kind(*value, pointer, JsonValue::Kind::list, "a list")) return;
    const auto size = static_cast<std::int64_t>(value->elements.size());
    if (size < bounds.min || size > bounds.max)
      problems_.add(value->span, pointer,
                    fmt::format("{} entries: a list of {} to {} was expected", size, bounds.min, bounds.max));
    for (std::size_t i = 0; i < value->elements.size(); ++i)
      each(value->elements[i], pointer_to(pointer, std::to_string(i)));
  }

  const JsonValue& object_;
  std::string pointer_;
  Problems& problems_;
  const Known& known_;
  std::vector<std::string_view> keys_;  // asked for so far
  std::string owner_;                   // `op "work"`: on whom the keys depend; empty: on nobody
  bool skips_unknown_keys_ = false;
};

}  // namespace holdfast
