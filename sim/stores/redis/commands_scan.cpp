// Commands that walk through keys and elements: SCAN SSCAN HSCAN ZSCAN. In which order Redis does so, and how
// many elements it gives at once, is its own affair once there are as many as COUNT; of fewer, it gives all,
// in any order, and ends (Redis documentation, SCAN, "The COUNT option"). Here they come in rising order.
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "sim/stores/redis/collections.hpp"
#include "sim/stores/redis/families.hpp"
#include "sim/stores/redis/glob.hpp"
#include "sim/stores/redis/numbers.hpp"

namespace holdfast::redis {
namespace {

struct Walk {
  bool begins = true;  // its cursor is 0
  std::int64_t count = 10;
  std::string_view pattern = "*";
  std::optional<std::string_view> type{};

  bool takes(std::string_view name) const { return pattern == "*" || glob_matches(pattern, name); }
};

// As strtoul() does, but for a blank before it.
bool read_cursor(std::string_view word, Walk& walk) {
  const std::string text(word.substr(0, word.find('\0')));
  char* end = nullptr;
  errno = 0;
  walk.begins = std::strtoul(text.c_str(), &end, 10) == 0;
  const bool has_blank = !text.empty() && (text[0] == ' ' || (text[0] >= '\t' && text[0] <= '\r'));
  return !has_blank && *end == '\0' && errno != ERANGE;
}
Reply invalid_cursor() { return error("invalid cursor"); }

// The options from argv[at] on. False with `problem` set.
bool read_options(const Invocation& in, std::size_t at, bool is_of_keys, Walk& walk, Reply& problem) {
  for (; at < in.argc(); at += 2) {
    if (at + 1 == in.argc()) problem = syntax_error();
    else if (is_word(in.argv[at], "match")) walk.pattern = in.argv[at + 1];
    else if (is_word(in.argv[at], "type") && is_of_keys) walk.type = in.argv[at + 1];
    else if (is_word(in.argv[at], "count")) {
      const std::optional<std::int64_t> count = to_integer(in.argv[at + 1]);
      if (!count) problem = not_an_integer();
      else if (*count < 1) problem = syntax_error();
      else walk.count = *count;
    } else {
      problem = syntax_error();
    }
    if (problem.is_error()) return false;
  }
  return true;
}

Reply walked(std::vector<Reply> found) {
  return Reply::array({Reply::bulk("0"), Reply::array(std::move(found))});
}

// What is left to Redis' hash tables is not simulated.
void note_chance(Invocation& in, const Walk& walk, std::size_t size) {
  if (!walk.begins || static_cast<std::int64_t>(size) >= walk.count)
    in.server.note({"SCAN", " in several steps, which are those of Redis' hash tables"});
}

// The names of elements are looked into.
void note_looks(Invocation& in, const Walk& walk) {
  if (walk.pattern == "*") return;
  if (in.server.looked.empty()) in.server.looked = in.row.name;
  in.server.has_told_in_parts = true;
}

// Of one key. `add(value, walk, found)` adds what the value has.
template <class Type, class Add>
Reply scan_value(Invocation& in, const Add& add) {
  Walk walk;
  if (!read_cursor(in.argv[2], walk)) return invalid_cursor();
  const Found<Type> found = find_as<Type>(in);
  if (found.is_wrong_type) return wrong_type();
  // A key that is not there is answered before the options are looked at.
  if (found.value == nullptr) return walked({});
  Reply problem;
  if (!read_options(in, 3, false, walk, problem)) return problem;
  note_chance(in, walk, size_of(*found.value));
  note_looks(in, walk);
  std::vector<Reply> elements;
  add(*found.value, walk, elements);
  return walked(std::move(elements));
}

}  // namespace

Reply scan(Invocation& in) {
  Walk walk;
  if (!read_cursor(in.argv[1], walk)) return invalid_cursor();
  Reply problem;
  if (!read_options(in, 2, true, walk, problem)) return problem;
  in.caller.elements += in.keys.size();
  note_chance(in, walk, in.keys.size());
  std::vector<Reply> found;
  in.keys.visit([&](const std::string& key, const Entry& entry) {
    const bool has_type = !walk.type || is_word(*walk.type, type_name(entry.value));
    if (has_type && walk.takes(key)) found.push_back(Reply::bulk(key));
  });
  return walked(std::move(found));
}

Reply sscan(Invocation& in) {
  return scan_value<Set>(in, [](const Set& set, const Walk& walk, std::vector<Reply>& found) {
    for (const std::string& member : set.members())
      if (walk.takes(member)) found.push_back(Reply::bulk(member));
  });
}

Reply hscan(Invocation& in) {
  return scan_value<Hash>(in, [](const Hash& hash, const Walk& walk, std::vector<Reply>& found) {
    for (const auto& [name, value] : hash.fields()) {
      if (!walk.takes(name)) continue;
      found.push_back(Reply::bulk(name));
      found.push_back(Reply::bulk(value));
    }
  });
}

namespace {

// As a small sorted set keeps it: whole numbers have all their digits.
std::string kept_score(double score) {
  constexpr double most = 4611686018427387904.0;  // 2^62
  const bool is_whole = score != 0 && score >= -most && score <= most && score == std::trunc(score);
  return is_whole ? std::to_string(static_cast<std::int64_t>(score)) : score_text(score);
}

}  // namespace

// Redis' settings zset-max-listpack-entries and zset-max-listpack-value: what is larger is kept in another
// way, and its scores are written with other digits.
Reply zscan(Invocation& in) {
  return scan_value<SortedSet>(in, [&](const SortedSet& set, const Walk& walk, std::vector<Reply>& found) {
    constexpr std::size_t most_members = 128;
    constexpr std::size_t longest_name = 64;
    const auto is_long = [](const SortedSet::Member& member) { return member.name.size() > longest_name; };
    if (set.members().size() > most_members ||
        std::any_of(set.members().begin(), set.members().end(), is_long))
      in.server.note({"ZSCAN", " of a large sorted set"});
    for (const auto& [score, name] : set.members()) {
      if (!walk.takes(name)) continue;
      found.push_back(Reply::bulk(name));
      found.push_back(Reply::bulk(kept_score(score)));
    }
  });
}

}  // namespace holdfast::redis
