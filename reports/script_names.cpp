#include "reports/script_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace holdfast::reports {
namespace {

using Names = std::set<std::string>;
const Names reads{"GET",    "EXISTS", "HEXISTS",   "HGET",   "HGETALL", "HKEYS",
                  "HLEN",   "PTTL",   "TTL",       "TYPE",   "TIME",    "LINDEX",
                  "LRANGE", "SCARD",  "SISMEMBER", "ZSCORE", "ZCOUNT",  "ZRANGE"};

// Names, numbers, texts in quotes (with the first quote alone), and signs. Comments are left out.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  const auto is_word = [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '.';
  };
  for (std::size_t i = 0; i < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
      ++i;
    } else if (text.substr(i, 2) == "--") {
      i = std::min(text.find('\n', i), text.size());
    } else if (text[i] == '\'' || text[i] == '"') {
      const std::size_t end = std::min(text.find(text[i], i + 1), text.size());
      tokens.push_back("\"" + std::string(text.substr(i + 1, end - i - 1)));
      i = end + 1;
    } else if (is_word(text[i])) {
      const std::size_t begin = i;
      while (i < text.size() && is_word(text[i])) ++i;
      tokens.emplace_back(text.substr(begin, i - begin));
    } else if (text.substr(i, 2) == "==" || text.substr(i, 2) == "~=") {
      tokens.emplace_back(text.substr(i, 2));
      i += 2;
    } else {
      tokens.emplace_back(1, text[i++]);
    }
  }
  return tokens;
}

std::string in_capitals(std::string_view text) {
  std::string made(text);
  for (char& letter : made) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return made;
}

struct Called {
  std::string name;  // empty: the text does not say which command
  std::size_t begin;
  std::size_t end;  // after its closing bracket
};

class Script {
 public:
  explicit Script(std::string_view text) : tokens_(tokens_of(text)) {
    for (std::size_t i = 0; i + 2 < tokens_.size(); ++i)
      if (tokens_[i] == "redis.call" || tokens_[i] == "redis.pcall") calls_.push_back(called(i));
  }

  ScriptDeed deed() const {
    if (calls_.empty() || !is_understood()) return ScriptDeed::none;
    if (writes().empty()) return ScriptDeed::look;
    if (takes()) return ScriptDeed::take;
    if (retakes()) return ScriptDeed::take_or_retake;
    const std::optional<Names> done = done_if_own();
    if (!done || !only_writes_key_of(calls_.front(), {"PUBLISH"})) return ScriptDeed::none;
    if (is_within(*done, {"DEL", "PUBLISH", "UNLINK"}) && !is_within(*done, {"PUBLISH"}))
      return ScriptDeed::remove;
    return is_within(*done, {"EXPIRE", "PEXPIRE"}) ? ScriptDeed::extend : ScriptDeed::none;
  }

 private:
  using Place = std::size_t;
  struct Stretch {
    Place begin;
    Place end;
    bool has(Place place) const { return begin <= place && place < end; }
  };

  // Each call is one that calls_ has, and what is done follows from conditions alone.
  bool is_understood() const {
    constexpr std::array<std::string_view, 7> beyond{"for",  "while",      "repeat", "function",
                                                     "goto", "loadstring", "["};
    constexpr std::array<std::string_view, 3> harmless{"redis.status_reply", "redis.error_reply",
                                                       "redis.log"};
    std::size_t calls = 0;
    for (Place i = 0; i < tokens_.size(); ++i) {
      const std::string& token = tokens_[i];
      const bool is_index = token == "[" && at(i + 1) != "[";
      if (!is_index && std::find(beyond.begin(), beyond.end(), token) != beyond.end()) return false;
      if (token.find('\\') != std::string::npos || token.find("_G") == 0) return false;
      if (token.starts_with("redis") && std::find(harmless.begin(), harmless.end(), token) == harmless.end())
        ++calls;
    }
    return calls == calls_.size() &&
           std::none_of(calls_.begin(), calls_.end(), [](const Called& it) { return it.name.empty(); });
  }
  // The words of its first argument.
  std::vector<std::string> key_of(const Called& it) const {
    std::vector<std::string> words;
    for (Place i = it.begin + 4; i + 1 < it.end && at(i) != ","; ++i) words.push_back(at(i));
    return words;
  }
  bool only_writes_key_of(const Called& it, const Names& but) const {
    return std::all_of(calls_.begin(), calls_.end(), [&](const Called& each) {
      return reads.contains(each.name) || but.contains(each.name) || key_of(each) == key_of(it);
    });
  }
  Called called(Place at) const {
    Called it{"", at, at + 2};
    // The name alone, not an expression that begins with a text.
    if (tokens_[at + 2][0] == '"' && at + 3 < tokens_.size() &&
        (tokens_[at + 3] == "," || tokens_[at + 3] == ")"))
      it.name = in_capitals(std::string_view(tokens_[at + 2]).substr(1));
    for (int depth = 1; it.end < tokens_.size() && depth > 0; ++it.end)
      depth += tokens_[it.end] == "(" ? 1 : tokens_[it.end] == ")" ? -1 : 0;
    return it;
  }
  const std::string& at(Place place) const {
    static const std::string nothing;
    return place < tokens_.size() ? tokens_[place] : nothing;
  }
  static bool is_within(const Names& names, const Names& allowed) {
    return std::includes(allowed.begin(), allowed.end(), names.begin(), names.end());
  }
  Names writes() const {
    Names names;
    for (const Called& it : calls_)
      if (!reads.contains(it.name)) names.insert(it.name);
    return names;
  }
  // The names of what is written, if all of it is written in `where`.
  std::optional<Names> writes_only_in(Stretch where, Place but = static_cast<Place>(-1)) const {
    Names names;
    for (const Called& it : calls_) {
      if (reads.contains(it.name) || it.begin == but) continue;
      if (!where.has(it.begin)) return std::nullopt;
      names.insert(it.name);
    }
    return names;
  }

  // The condition around a place: from after its "if" to its "then".
  std::optional<Stretch> condition_around(Place place) const {
    Place begin = place;
    while (begin > 0 && at(begin - 1) != "if" && at(begin - 1) != "elseif" && at(begin - 1) != "then" &&
           at(begin - 1) != "end")
      --begin;
    if (begin == 0 || at(begin - 1) != "if") return std::nullopt;
    Place end = place;
    while (end < tokens_.size() && at(end) != "then" && at(end) != "end") ++end;
    if (at(end) != "then") return std::nullopt;
    return Stretch{begin, end};
  }
  // What is done if the condition is met: from its "then" to its "else" or "end".
  Stretch branch_of(Stretch condition) const {
    int depth = 0;
    Place end = condition.end + 1;
    for (; end < tokens_.size(); ++end) {
      if (at(end) == "if") ++depth;
      if (depth == 0 && (at(end) == "else" || at(end) == "elseif" || at(end) == "end")) break;
      if (at(end) == "end") --depth;
    }
    return {condition.end + 1, end};
  }
  bool has_in(Stretch where, std::string_view token) const {
    for (Place i = where.begin; i < where.end; ++i)
      if (at(i) == token) return true;
    return false;
  }
  // Where all goes on that is done if the test at `place` says yes. `is_met`: the condition must be met for
  // it.
  std::optional<Stretch> under(Place place, bool is_met) const {
    const std::optional<Stretch> condition = condition_around(place);
    if (!condition) return std::nullopt;
    const Stretch branch = branch_of(*condition);
    if (is_met) {
      if (has_in(*condition, "or") || has_in(*condition, "not")) return std::nullopt;
      return Stretch{place, branch.end};  // what follows in the condition, too
    }
    for (Place i = condition->begin; i < condition->end; ++i)
      if (at(i) == "not" && at(i + 1) == "(") return std::nullopt;
    // Who is not turned away at once goes on behind the branch.
    if (has_in(*condition, "and") || at(branch.begin) != "return" || at(branch.end) != "end")
      return std::nullopt;
    return Stretch{branch.end, tokens_.size()};
  }

  // The local name that the answer is given, if that happens once.
  std::string name_of_answer(const Called& it) const {
    if (it.begin < 3 || at(it.begin - 1) != "=" || at(it.begin - 3) != "local") return "";
    const std::string& name = at(it.begin - 2);
    std::size_t named = 0;
    for (Place i = 0; i < tokens_.size(); ++i) named += at(i) == name && at(i + 1) == "=" ? 1u : 0u;
    return named == 1 ? name : "";
  }
  // The one test whether the key has the caller: a GET that is compared with an argument, or HEXISTS.
  std::optional<Names> done_if_own() const {
    const Called& first = calls_.front();
    if (first.name == "HEXISTS") {
      const bool is_equal = at(first.end) == "==";
      if (!is_equal || (at(first.end + 1) != "1" && at(first.end + 1) != "0")) return std::nullopt;
      return writes_under(first.begin, at(first.end + 1) == "1");
    }
    if (first.name != "GET") return std::nullopt;
    const std::string name = name_of_answer(first);
    for (Place i = first.begin; i < tokens_.size(); ++i) {
      if (at(i) != "==" && at(i) != "~=") continue;
      const Place left = i == first.end ? first.begin : i - 1;
      const bool is_it = i == first.end || (!name.empty() && at(left) == name);
      const bool is_argument = at(i + 1) == "ARGV" && at(i + 2) == "[" && at(i + 4) == "]";
      if (!is_it || !is_argument || !is_beside(at(left - 1)) || !is_beside(at(i + 5))) continue;
      return writes_under(i, at(i) == "==");
    }
    return std::nullopt;
  }
  // What may stand beside a comparison that stands for itself.
  static bool is_beside(const std::string& token) {
    return token == "if" || token == "then" || token == "and" || token == "or" || token == "(" ||
           token == ")";
  }
  std::optional<Names> writes_under(Place place, bool is_met) const {
    const std::optional<Stretch> where = under(place, is_met);
    return where ? writes_only_in(*where) : std::nullopt;
  }

  // SETNX, or SET with NX, comes first, and all else is done if it has created the key.
  bool takes() const {
    const Called& first = calls_.front();
    bool has_nx = first.name == "SETNX";
    std::size_t words = 0;  // NX stands behind the key and the value
    for (Place i = first.begin; i < first.end && first.name == "SET"; ++i) {
      words += at(i) == "," ? 1u : 0u;
      has_nx |= words > 2 && in_capitals(at(i)) == "\"NX";
    }
    if (!has_nx) return false;
    if (calls_.size() == 1) return true;
    const bool is_not = first.begin > 0 && at(first.begin - 1) == "not";
    const bool is_other = at(first.end) == "~=" && at(first.end + 1) == "1";
    if (is_not && is_other) return false;
    const bool is_negated = is_not || is_other;
    const bool is_tested =
        is_negated || at(first.end) == "then" || (at(first.end) == "==" && at(first.end + 1) == "1");
    const std::optional<Stretch> where = is_tested ? under(first.begin, !is_negated) : std::nullopt;
    const std::optional<Names> others = where ? writes_only_in(*where, first.begin) : std::nullopt;
    return others && is_within(*others, {"EXPIRE", "INCR", "PEXPIRE"}) && only_writes_key_of(first, {"INCR"});
  }
  // "No key, or the caller's": the lock is taken once more by who holds it.
  bool retakes() const {
    const std::optional<Stretch> condition = condition_of_retaking();
    if (!condition || has_in(*condition, "and")) return false;
    const std::optional<Names> done = writes_only_in(branch_of(*condition));
    return done && is_within(*done, {"EXPIRE", "HINCRBY", "HSET", "INCR", "PEXPIRE", "SET"}) &&
           only_writes_key_of(calls_[0], {"INCR"});
  }
  std::optional<Stretch> condition_of_retaking() const {
    if (calls_.size() >= 2 && calls_[0].name == "EXISTS" && calls_[1].name == "HEXISTS") {
      const auto answers = [&](const Called& it, std::string_view what) {
        return at(it.end) == "==" && at(it.end + 1) == what;
      };
      if (!answers(calls_[0], "0") || !answers(calls_[1], "1") || key_of(calls_[0]) != key_of(calls_[1]))
        return std::nullopt;
      const std::optional<Stretch> condition = condition_around(calls_[0].begin);
      return condition && condition->has(calls_[1].begin) && !has_in(*condition, "not") ? condition
                                                                                        : std::nullopt;
    }
    const std::string name = calls_[0].name == "GET" ? name_of_answer(calls_[0]) : "";
    if (name.empty()) return std::nullopt;
    const std::array<std::string_view, 10> words{"if", "not", name, "or", name, "==", "ARGV", "[", "", "]"};
    for (Place i = calls_[0].end; i + words.size() < tokens_.size(); ++i) {
      bool is_it = at(i + words.size()) == "then";
      for (std::size_t w = 0; w < words.size(); ++w) is_it &= words[w].empty() || at(i + w) == words[w];
      if (is_it) return Stretch{i + 1, i + words.size()};
    }
    return std::nullopt;
  }

  std::vector<std::string> tokens_;
  std::vector<Called> calls_;
};

}  // namespace

ScriptDeed deed_of_script(std::string_view script) { return Script(script).deed(); }

}  // namespace holdfast::reports
