#include "sim/stores/redis/values.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/core/invariant.hpp"
#include "sim/stores/redis/numbers.hpp"

namespace holdfast::redis {
namespace {

bool is_named_before(const Hash::Field& field, std::string_view name) { return field.first < name; }
bool is_ordered(const SortedSet::Member& one, const SortedSet::Member& other) {
  return one.score != other.score ? one.score < other.score : one.name < other.name;
}

template <class Items>
auto place_of(Items& items, std::string_view name) {
  return std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
}

}  // namespace

bool Set::has(std::string_view member) const {
  return std::binary_search(members_.begin(), members_.end(), member);
}

bool Set::insert(std::string_view member) {
  const auto place = std::lower_bound(members_.begin(), members_.end(), member);
  if (place != members_.end() && *place == member) return false;
  members_.emplace(place, member);
  return true;
}

bool Set::erase(std::string_view member) {
  const auto place = std::lower_bound(members_.begin(), members_.end(), member);
  if (place == members_.end() || *place != member) return false;
  members_.erase(place);
  return true;
}

const std::string* Hash::find(std::string_view name) const {
  const auto place = std::lower_bound(fields_.begin(), fields_.end(), name, is_named_before);
  return place == fields_.end() || place->first != name ? nullptr : &place->second;
}

bool Hash::put(std::string_view name, std::string value) {
  const auto place = std::lower_bound(fields_.begin(), fields_.end(), name, is_named_before);
  if (place != fields_.end() && place->first == name) {
    place->second = std::move(value);
    return false;
  }
  fields_.emplace(place, name, std::move(value));
  return true;
}

bool Hash::erase(std::string_view name) {
  const auto place = std::lower_bound(fields_.begin(), fields_.end(), name, is_named_before);
  if (place == fields_.end() || place->first != name) return false;
  fields_.erase(place);
  return true;
}

const SortedSet::Member* SortedSet::find(std::string_view name) const {
  const auto place = place_of(members_, name);
  return place == members_.end() ? nullptr : &*place;
}

void SortedSet::put(std::string_view name, double score) {
  INVARIANT(!std::isnan(score), "what is not a number has no place in an order");
  erase(name);
  // Redis keeps a whole number as an integer, which knows no negative zero.
  Member member{score == 0 ? 0 : score, std::string(name)};
  members_.insert(std::upper_bound(members_.begin(), members_.end(), member, is_ordered), std::move(member));
}

bool SortedSet::erase(std::string_view name) {
  const auto place = place_of(members_, name);
  if (place == members_.end()) return false;
  members_.erase(place);
  return true;
}

void SortedSet::erase_range(std::size_t first, std::size_t count) {
  INVARIANT(first + count <= members_.size(), "only what is there is removed");
  const auto from = members_.begin() + static_cast<std::ptrdiff_t>(first);
  members_.erase(from, from + static_cast<std::ptrdiff_t>(count));
}

// --- texts ---

namespace {

constexpr std::array<std::string_view, std::variant_size_v<Value>> names{"string", "list", "set", "zset",
                                                                         "hash"};

// Whether a string could be taken for the text of a collection, or for itself in quotes.
bool looks_like_another(std::string_view text) {
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    return text.starts_with(name) && text.substr(name.size()).starts_with(" \"");
  });
}

struct Append {
  std::string& text;
  void operator()(const std::string& value) const { word(value); }
  void operator()(const List& list) const {
    for (const std::string& element : list.elements) word(element);
  }
  void operator()(const Set& set) const {
    for (const std::string& member : set.members()) word(member);
  }
  void operator()(const SortedSet& set) const {
    for (const SortedSet::Member& member : set.members()) {
      word(member.name);
      (text += ' ') += score_text(member.score);
    }
  }
  void operator()(const Hash& hash) const {
    for (const Hash::Field& field : hash.fields()) {
      word(field.first);
      word(field.second);
    }
  }
  void word(std::string_view word) const { append_quoted(text += ' ', word); }
};

}  // namespace

void append_quoted(std::string& text, std::string_view word) {
  text += '"';
  for (const char letter : word) {
    if (letter == '"' || letter == '\\') text += '\\';
    text += letter;
  }
  text += '"';
}

std::string_view type_name(const Value& value) { return names[value.index()]; }

std::string_view canonical_text_in(std::string& scratch, const Value& value) {
  const std::string* text = std::get_if<std::string>(&value);
  if (text != nullptr && !looks_like_another(*text)) return *text;
  scratch = names[value.index()];
  std::visit(Append{scratch}, value);
  return scratch;
}

}  // namespace holdfast::redis
