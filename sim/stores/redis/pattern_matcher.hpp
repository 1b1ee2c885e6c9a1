// Matches the patterns of Lua 5.1 (reference manual, §5.4.1 "Patterns").
//
// Written anew because LuaJIT's matcher cannot be interrupted: a pattern with five stars on a text of a
// thousand bytes can take years. Here every step is charged to the limits of the run.
#pragma once

#include <cctype>
#include <cstddef>
#include <cstring>

#include "sim/stores/redis/engine.hpp"

namespace holdfast::redis {

// All members are plain: a Lua error jumps over their destructors.
class PatternMatcher {
 public:
  PatternMatcher(lua_State* L, const char* begin, std::size_t size)
      : L_(L), engine_(Engine::of(L)), begin_(begin), end_(begin + size) {}

  // The end of the match of `pattern` at `at`, or nullptr.
  const char* match_anew(const char* at, const char* pattern) {
    level_ = 0;
    nested_ = 0;
    return match(at, pattern);
  }
  // Pushes the captures; the whole match from `at` to `end` when there are none. Returns how many.
  int push_captures(const char* at, const char* end) {
    const int count = level_ == 0 && at != nullptr ? 1 : level_;
    luaL_checkstack(L_, count, "too many captures");
    for (int i = 0; i < count; ++i) push_capture(i, at, end);
    return count;
  }
  void push_capture(int which, const char* at, const char* end) {
    if (which >= level_) {
      if (which != 0) luaL_error(L_, "invalid capture index");
      lua_pushlstring(L_, at, static_cast<std::size_t>(end - at));
      return;
    }
    const Capture& capture = captures_[which];
    if (capture.size == unfinished) luaL_error(L_, "unfinished capture");
    if (capture.size == position_only) lua_pushinteger(L_, capture.begin - begin_ + 1);
    else lua_pushlstring(L_, capture.begin, static_cast<std::size_t>(capture.size));
  }
  const char* end() const { return end_; }

 private:
  static constexpr int captures_most = 32;
  static constexpr int nested_most = 200;
  static constexpr std::size_t bytes_per_instruction = 16;
  // In place of the size of a capture.
  static constexpr std::ptrdiff_t unfinished = -1;
  static constexpr std::ptrdiff_t position_only = -2;

  struct Capture {
    const char* begin;
    std::ptrdiff_t size;
  };

  static unsigned char byte(const char* at) { return static_cast<unsigned char>(*at); }

  const char* match(const char* at, const char* pattern) {
    if (++nested_ > nested_most) luaL_error(L_, "pattern too complex");
    const char* result = match_items(at, pattern);
    --nested_;
    return result;
  }

  // One item after another; an item that can match in more than one way calls match() for the rest.
  const char* match_items(const char* at, const char* pattern) {
    while (true) {
      engine_.charge(L_, 1);
      switch (*pattern) {
        case '\0': return at;
        case '(':
          if (pattern[1] == ')') return start_capture(at, pattern + 2, position_only);
          return start_capture(at, pattern + 1, unfinished);
        case ')': return end_capture(at, pattern + 1);
        case '$':
          if (pattern[1] == '\0') return at == end_ ? at : nullptr;
          break;
        case '%':
          // "%bxy", "%f[…]" and "%1"; anything else is a class.
          if (pattern[1] != 'b' && pattern[1] != 'f' && std::isdigit(byte(pattern + 1)) == 0) break;
          at = match_escape(at, pattern);
          if (at == nullptr) return nullptr;
          continue;
        default: break;
      }
      const char* item_end = end_of_item(pattern);
      switch (*item_end) {
        case '?': {
          const char* longer = is_single(at, pattern, item_end) ? match(at + 1, item_end + 1) : nullptr;
          if (longer != nullptr) return longer;
          pattern = item_end + 1;
          continue;
        }
        case '*': return expand_most(at, pattern, item_end, 0);
        case '+': return expand_most(at, pattern, item_end, 1);
        case '-': return expand_least(at, pattern, item_end);
        default: break;
      }
      if (!is_single(at, pattern, item_end)) return nullptr;
      ++at;
      pattern = item_end;
    }
  }

  // Moves `pattern` behind the item.
  const char* match_escape(const char* at, const char*& pattern) {
    const char* item = pattern + 2;
    if (pattern[1] == 'b') {
      const char* end = match_balance(at, item);
      pattern += 4;
      return end;
    }
    if (pattern[1] != 'f') {
      pattern += 2;
      return match_back_reference(at, byte(item - 1));
    }
    if (*item != '[') luaL_error(L_, "missing '[' after '%%f' in pattern");
    pattern = end_of_item(item);
    const unsigned char before = at == begin_ ? 0 : byte(at - 1);
    const unsigned char here = at == end_ ? 0 : byte(at);
    return !is_in_set(before, item, pattern - 1) && is_in_set(here, item, pattern - 1) ? at : nullptr;
  }

  const char* expand_most(const char* at, const char* pattern, const char* item_end, std::ptrdiff_t least) {
    std::ptrdiff_t count = 0;
    while (is_single(at + count, pattern, item_end)) ++count;
    engine_.charge(L_, static_cast<std::size_t>(count));
    for (; count >= least; --count) {
      const char* result = match(at + count, item_end + 1);
      if (result != nullptr) return result;
    }
    return nullptr;
  }

  const char* expand_least(const char* at, const char* pattern, const char* item_end) {
    while (true) {
      const char* result = match(at, item_end + 1);
      if (result != nullptr) return result;
      if (!is_single(at, pattern, item_end)) return nullptr;
      ++at;
    }
  }

  const char* start_capture(const char* at, const char* pattern, std::ptrdiff_t kind) {
    if (level_ >= captures_most) luaL_error(L_, "too many captures");
    captures_[level_++] = Capture{at, kind};
    const char* result = match(at, pattern);
    if (result == nullptr) --level_;
    return result;
  }

  const char* end_capture(const char* at, const char* pattern) {
    int which = level_ - 1;
    while (which >= 0 && captures_[which].size != unfinished) --which;
    if (which < 0) luaL_error(L_, "invalid pattern capture");
    captures_[which].size = at - captures_[which].begin;
    const char* result = match(at, pattern);
    if (result == nullptr) captures_[which].size = unfinished;
    return result;
  }

  const char* match_balance(const char* at, const char* pattern) {
    if (pattern[0] == '\0' || pattern[1] == '\0') luaL_error(L_, "unbalanced pattern");
    if (at == end_ || *at != pattern[0]) return nullptr;
    int depth = 1;
    for (const char* here = at + 1; here < end_; ++here) {
      engine_.charge(L_, 1);
      if (*here == pattern[1]) {
        if (--depth == 0) return here + 1;
      } else if (*here == pattern[0]) {
        ++depth;
      }
    }
    return nullptr;
  }

  const char* match_back_reference(const char* at, unsigned char digit) {
    const int which = digit - '1';
    if (which < 0 || which >= level_ || captures_[which].size == unfinished)
      luaL_error(L_, "invalid capture index");
    const std::ptrdiff_t size = captures_[which].size;
    if (size < 0 || end_ - at < size) return nullptr;
    engine_.charge(L_, static_cast<std::size_t>(size) / bytes_per_instruction);
    return std::memcmp(captures_[which].begin, at, static_cast<std::size_t>(size)) == 0 ? at + size : nullptr;
  }

  // Behind a single letter, a "%x" or a "[…]".
  const char* end_of_item(const char* pattern) {
    if (*pattern == '%') {
      if (pattern[1] == '\0') luaL_error(L_, "malformed pattern (ends with '%%')");
      return pattern + 2;
    }
    if (*pattern++ != '[') return pattern;
    if (*pattern == '^') ++pattern;
    // The first letter of a set may be its closing bracket.
    do {
      if (*pattern == '\0') luaL_error(L_, "malformed pattern (missing ']')");
      if (*pattern++ == '%' && *pattern != '\0') ++pattern;
    } while (*pattern != ']');
    return pattern + 1;
  }

  bool is_single(const char* at, const char* pattern, const char* item_end) const {
    if (at >= end_) return false;
    switch (*pattern) {
      case '.': return true;
      case '%': return is_in_class(byte(at), byte(pattern + 1));
      case '[': return is_in_set(byte(at), pattern, item_end - 1);
      default: return *pattern == *at;
    }
  }

  // `set` is at "[", `set_end` at "]".
  static bool is_in_set(unsigned char letter, const char* set, const char* set_end) {
    const bool is_negated = set[1] == '^';
    if (is_negated) ++set;
    while (++set < set_end) {
      if (*set == '%') {
        if (is_in_class(letter, byte(++set))) return !is_negated;
      } else if (set[1] == '-' && set + 2 < set_end) {
        if (byte(set) <= letter && letter <= byte(set + 2)) return !is_negated;
        set += 2;
      } else if (byte(set) == letter) {
        return !is_negated;
      }
    }
    return is_negated;
  }

  // A class in capitals is what the class does not contain.
  static bool is_in_class(unsigned char letter, unsigned char name) {
    bool is_in = false;
    switch (std::tolower(name)) {
      case 'a': is_in = std::isalpha(letter) != 0; break;
      case 'c': is_in = std::iscntrl(letter) != 0; break;
      case 'd': is_in = std::isdigit(letter) != 0; break;
      case 'l': is_in = std::islower(letter) != 0; break;
      case 'p': is_in = std::ispunct(letter) != 0; break;
      case 's': is_in = std::isspace(letter) != 0; break;
      case 'u': is_in = std::isupper(letter) != 0; break;
      case 'w': is_in = std::isalnum(letter) != 0; break;
      case 'x': is_in = std::isxdigit(letter) != 0; break;
      case 'z': is_in = letter == 0; break;
      default: return name == letter;
    }
    return is_in != (std::isupper(name) != 0);
  }

  lua_State* L_;
  Engine& engine_;
  const char* begin_;
  const char* end_;
  int level_ = 0;
  int nested_ = 0;
  Capture captures_[captures_most];
};

}  // namespace holdfast::redis
