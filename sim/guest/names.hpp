// Marks: in a tree of histories each stands for a part of a text that a program makes by chance, so that
// clients share what is learnt. The texts around it stay, and in the world every text is one that a run of
// the program makes.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/reply.hpp"
#include "sim/guest/program.hpp"

namespace holdfast::guest {

inline constexpr char mark_begin = '\x01';
inline constexpr char mark_end = '\x02';

// Of the part with this number, from 0.
inline std::string mark_of(std::size_t number) {
  return std::string(1, mark_begin) + std::to_string(number) + mark_end;
}
inline bool has_mark(std::string_view text) { return text.find(mark_begin) != text.npos; }

// For people: three points stand for each.
inline std::string without_marks(std::string_view text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end = text[at] == mark_begin ? text.find(mark_end, at) : text.npos;
    if (end == text.npos) shown += text[at];
    else shown += "…";
    if (end != text.npos) at = end;
  }
  return shown;
}

// A part of a text is a whole word of it, or has other signs at its ends.
constexpr bool is_of_word(char sign) {
  return (sign >= '0' && sign <= '9') || (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z');
}

// The parts that one run has made, by number.
class Names {
 public:
  std::size_t size() const { return texts_.size(); }
  const std::vector<std::string>& texts() const { return texts_; }
  Parts from(std::size_t first) const {
    return {first, {texts_.begin() + static_cast<std::ptrdiff_t>(first), texts_.end()}};
  }
  void add(std::string text) {
    if (std::find(lengths_.begin(), lengths_.end(), text.size()) == lengths_.end() && !text.empty()) {
      lengths_.push_back(text.size());
      std::sort(lengths_.rbegin(), lengths_.rend());  // the longest that begins at a place counts
    }
    numbers_.emplace(text, texts_.size());
    texts_.push_back(std::move(text));
  }
  // With a mark wherever one of the parts stands.
  std::string marked(std::string_view text) const {
    std::string made;
    for (std::size_t at = 0; at < text.size();) {
      const auto found = begin_at(text, at);
      if (found == numbers_.end()) {
        made += text[at++];
      } else {
        made += mark_of(found->second);
        at += found->first.size();
      }
    }
    return made;
  }
  // With its part in place of each mark that has one.
  std::string told(std::string_view text) const {
    std::string made;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text[at] == mark_begin ? text.find(mark_end, at) : text.npos;
      std::size_t number = texts_.size();
      if (end != text.npos) std::from_chars(text.data() + at + 1, text.data() + end, number);
      if (number < texts_.size()) made += texts_[number];
      else made += text[at];
      at = number < texts_.size() ? end + 1 : at + 1;
    }
    return made;
  }

 private:
  std::map<std::string, std::size_t, std::less<>>::const_iterator begin_at(std::string_view text,
                                                                           std::size_t at) const {
    const auto goes_on = [&](std::size_t place) {
      return place > 0 && place < text.size() && is_of_word(text[place - 1]) && is_of_word(text[place]);
    };
    for (const std::size_t length : lengths_) {
      if (at + length > text.size() || goes_on(at) || goes_on(at + length)) continue;
      if (const auto found = numbers_.find(text.substr(at, length)); found != numbers_.end()) return found;
    }
    return numbers_.end();
  }

  std::vector<std::string> texts_;
  std::map<std::string, std::size_t, std::less<>> numbers_;
  std::vector<std::size_t> lengths_;  // the longest first
};

// The reply with each of its texts as `change` makes it.
template <class Change>
Reply with_texts(const Reply& reply, const Change& change) {
  switch (reply.kind()) {
    case Reply::Kind::bulk: return Reply::bulk(change(reply.text()));
    case Reply::Kind::status: return Reply::status(change(reply.text()));
    case Reply::Kind::error: return Reply::error(change(reply.text()));
    case Reply::Kind::array: {
      std::vector<Reply> elements;
      for (const Reply& element : reply.elements()) elements.push_back(with_texts(element, change));
      return Reply::array(std::move(elements));
    }
    default: return reply;
  }
}

// The event as a run is told it that has made these parts.
inline Told with_texts(Told event, const Names& known) {
  const auto own = [&known](const std::string& text) { return known.told(text); };
  for (std::string& word : event.words) word = own(word);
  if (event.kind == Told::Kind::reply) event.reply = with_texts(event.reply, own);
  return event;
}

}  // namespace holdfast::guest
