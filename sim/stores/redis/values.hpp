// The values that a key can hold. Each has one order of its own, so equal values look alike; and they are
// small, so a sorted array is cheaper than a tree.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace holdfast::redis {

struct List {
  std::vector<std::string> elements;  // from left to right
};

class Set {
 public:
  // False when it was there.
  bool insert(std::string_view member);
  // False when it was not there.
  bool erase(std::string_view member);
  bool has(std::string_view member) const;
  const std::vector<std::string>& members() const { return members_; }

 private:
  std::vector<std::string> members_;  // in rising order
};

class Hash {
 public:
  using Field = std::pair<std::string, std::string>;  // name, value

  // nullptr when there is no such field.
  const std::string* find(std::string_view name) const;
  // False when the field was there and has a new value now.
  bool put(std::string_view name, std::string value);
  bool erase(std::string_view name);
  const std::vector<Field>& fields() const { return fields_; }

 private:
  std::vector<Field> fields_;  // by name, in rising order
};

// Members in the order of their scores; where these are equal, in their own.
class SortedSet {
 public:
  struct Member {
    double score;
    std::string name;
  };

  // nullptr when there is no such member.
  const Member* find(std::string_view name) const;
  // Adds the member, or moves it to where it now belongs. REQUIRES: the score is a number.
  void put(std::string_view name, double score);
  bool erase(std::string_view name);
  void erase_range(std::size_t first, std::size_t count);
  const std::vector<Member>& members() const { return members_; }

 private:
  std::vector<Member> members_;
};

inline std::size_t size_of(const List& list) { return list.elements.size(); }
inline std::size_t size_of(const Set& set) { return set.members().size(); }
inline std::size_t size_of(const SortedSet& set) { return set.members().size(); }
inline std::size_t size_of(const Hash& hash) { return hash.fields().size(); }

// One alternative per type of Redis. No key holds an empty collection.
using Value = std::variant<std::string, List, Set, SortedSet, Hash>;

// As TYPE calls it.
std::string_view type_name(const Value& value);
// Equal exactly for equal values. A string is its own text; `scratch` holds any other. (A string that looks
// like the text of something else is put in quotes.)
std::string_view canonical_text_in(std::string& scratch, const Value& value);
inline std::string_view canonical_text(const Value& value, std::string& scratch) {
  const std::string* text = std::get_if<std::string>(&value);
  // Every text of something else begins with the first letter of its type.
  constexpr std::string_view initials = "slzh";
  const bool is_plain = text != nullptr && (text->empty() || initials.find(text->front()) == initials.npos);
  return is_plain ? std::string_view(*text) : canonical_text_in(scratch, value);
}
// In quotes, so that it ends where it ends.
void append_quoted(std::string& text, std::string_view word);

}  // namespace holdfast::redis
