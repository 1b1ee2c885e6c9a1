// Commands on ranges of sorted sets: ZRANGE with all its options, ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE
// ZRANGEBYLEX ZREVRANGEBYLEX ZCOUNT ZLEXCOUNT ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREMRANGEBYLEX.
#include <algorithm>
#include <optional>

#include "sim/stores/redis/collections.hpp"
#include "sim/stores/redis/families.hpp"
#include "sim/stores/redis/numbers.hpp"

namespace holdfast::redis {
namespace {

using Member = SortedSet::Member;

enum class By { rank, score, name };

struct ScoreBound {
  double score = 0;
  bool excludes = false;
};

// A name, or what is before (-1) or after (1) every name.
struct NameBound {
  int beyond = 0;
  std::string name;
  bool excludes = false;

  // Less than 0: the member is below the bound.
  int compare(const std::string& other) const { return beyond != 0 ? -beyond : other.compare(name); }
  bool admits_from_below(const std::string& other) const {
    const int order = compare(other);
    return order < 0 || (order == 0 && !excludes);
  }
  bool admits_from_above(const std::string& other) const {
    const int order = compare(other);
    return order > 0 || (order == 0 && !excludes);
  }
};

struct Range {
  By by = By::rank;
  std::int64_t start = 0;
  std::int64_t stop = 0;
  ScoreBound low_score, high_score;
  NameBound low_name, high_name;
  // After the first member inside so many are left out, by score and by name.
  std::size_t skipped = 0;
};

bool parse(std::string_view word, ScoreBound& bound) {
  bound.excludes = word.starts_with('(');
  const std::optional<double> score = to_bound(word.substr(bound.excludes));
  bound.score = score.value_or(0);
  return score.has_value();
}

bool parse(std::string_view word, NameBound& bound) {
  const std::string_view text = word.substr(0, word.find('\0'));
  const char first = text.empty() ? '\0' : text.front();
  bound.excludes = first == '(';
  if (first == '(' || first == '[') bound.name = word.substr(1);
  else bound.beyond = first == '-' ? -1 : 1;
  return first == '(' || first == '[' || ((first == '-' || first == '+') && text.size() == 1);
}

// An error, or nil with `range` filled.
Reply parse(By by, std::string_view low, std::string_view high, Range& range) {
  range.by = by;
  if (by == By::score)
    return parse(low, range.low_score) && parse(high, range.high_score) ? Reply::nil()
                                                                        : error("min or max is not a float");
  if (by == By::name)
    return parse(low, range.low_name) && parse(high, range.high_name)
               ? Reply::nil()
               : error("min or max not valid string range item");
  const std::optional<std::int64_t> start = to_integer(low);
  const std::optional<std::int64_t> stop = to_integer(high);
  if (!start || !stop) return not_an_integer();
  range.start = *start;
  range.stop = *stop;
  return Reply::nil();
}

bool is_above(const ScoreBound& low, const Member& member) {
  return low.excludes ? member.score > low.score : member.score >= low.score;
}
bool is_below(const ScoreBound& high, const Member& member) {
  return high.excludes ? member.score < high.score : member.score <= high.score;
}

// Members from the first one that `begins` admits, and `skipped` more, up to the first one after them that
// `goes_on` does not: like Redis, it does not look at what it skips, but for the first.
template <class Iterator, class Begins, class GoesOn>
Span run_of(Iterator begin, Iterator end, std::size_t skipped, Begins begins, GoesOn goes_on) {
  Iterator first = std::find_if(begin, end, begins);
  if (first == end || !goes_on(*first)) return {};
  first += static_cast<std::ptrdiff_t>(std::min(skipped, static_cast<std::size_t>(end - first)));
  const Iterator last = std::find_if_not(first, end, goes_on);
  return {static_cast<std::size_t>(first - begin), static_cast<std::size_t>(last - first)};
}

template <class Above, class Below>
Span run_between(const std::vector<Member>& members, bool reversed, std::size_t skipped, Above above,
                 Below below) {
  if (reversed) return run_of(members.rbegin(), members.rend(), skipped, below, above);
  return run_of(members.begin(), members.end(), skipped, above, below);
}

// By name, Redis expects equal scores. With others, it finds what this finds: it looks from one end for the
// first member inside, unless the ends of the set say that there is none.
Span select_by_name(const std::vector<Member>& members, const Range& range, bool reversed) {
  const NameBound& low = range.low_name;
  const NameBound& high = range.high_name;
  const int order = low.beyond != high.beyond ? low.beyond - high.beyond
                    : low.beyond != 0         ? 0
                                              : low.name.compare(high.name);
  if (order > 0 || (order == 0 && (low.excludes || high.excludes))) return {};
  if (!low.admits_from_above(members.back().name) || !high.admits_from_below(members.front().name)) return {};
  return run_between(
      members, reversed, range.skipped,
      [&](const Member& member) { return low.admits_from_above(member.name); },
      [&](const Member& member) { return high.admits_from_below(member.name); });
}

// Positions in the order of the reply: from the last member if `reversed`.
Span select(const SortedSet& set, const Range& range, bool reversed) {
  const std::vector<Member>& members = set.members();
  if (range.by == By::rank) return span_of(range.start, range.stop, members.size());
  if (range.by == By::name) return select_by_name(members, range, reversed);
  return run_between(
      members, reversed, range.skipped,
      [&](const Member& member) { return is_above(range.low_score, member); },
      [&](const Member& member) { return is_below(range.high_score, member); });
}

struct RangeOptions {
  std::optional<By> by;
  std::optional<bool> reversed;
  bool with_scores = false;
  std::int64_t offset = 0;
  std::int64_t limit = -1;  // negative: none
};

// The options after the range. An error, or nil.
Reply parse(const Invocation& in, RangeOptions& options) {
  const bool has_fixed_order = options.reversed.has_value();
  const bool has_fixed_range = options.by.has_value();
  for (std::size_t i = 4; i < in.argc(); ++i) {
    const std::string_view word = in.argv[i];
    if (is_word(word, "withscores")) {
      options.with_scores = true;
    } else if (is_word(word, "limit") && i + 2 < in.argc()) {
      const std::optional<std::int64_t> offset = to_integer(in.argv[i + 1]);
      const std::optional<std::int64_t> limit = to_integer(in.argv[i + 2]);
      if (!offset || !limit) return not_an_integer();
      options.offset = *offset;
      options.limit = *limit;
      i += 2;
    } else if (!has_fixed_order && !options.reversed && is_word(word, "rev")) {
      options.reversed = true;
    } else if (!has_fixed_range && !options.by && is_word(word, "bylex")) {
      options.by = By::name;
    } else if (!has_fixed_range && !options.by && is_word(word, "byscore")) {
      options.by = By::score;
    } else {
      return syntax_error();
    }
  }
  return Reply::nil();
}

Reply list_range(Invocation& in, RangeOptions options) {
  const Reply problem = parse(in, options);
  if (problem.is_error()) return problem;
  const By by = options.by.value_or(By::rank);
  const bool reversed = options.reversed.value_or(false);
  if (options.limit != -1 && by == By::rank)
    return error("syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX");
  if (options.with_scores && by == By::name)
    return error("syntax error, WITHSCORES not supported in combination with BYLEX");
  const bool is_high_first = reversed && by != By::rank;
  Range range;
  const Reply bad_range = parse(by, in.argv[is_high_first ? 3 : 2], in.argv[is_high_first ? 2 : 3], range);
  if (bad_range.is_error()) return bad_range;
  const Found<SortedSet> found = find_as<SortedSet>(in);
  if (found.is_wrong_type) return wrong_type();
  std::vector<Reply> listed;
  if (found.value == nullptr) return Reply::array(std::move(listed));
  const std::vector<Member>& members = found.value->members();
  // A negative offset skips everything.
  range.skipped = options.offset < 0 ? members.size() : static_cast<std::size_t>(options.offset);
  Span span = select(*found.value, range, reversed);
  if (options.limit >= 0) span.count = std::min(span.count, static_cast<std::size_t>(options.limit));
  for (std::size_t i = span.first; i < span.first + span.count; ++i) {
    const Member& member = members[reversed ? members.size() - 1 - i : i];
    listed.push_back(Reply::bulk(member.name));
    if (options.with_scores) listed.push_back(Reply::bulk(score_text(member.score)));
  }
  return Reply::array(std::move(listed));
}

// Counts the members of a range, and removes them on request.
Reply count_range(Invocation& in, By by, bool removes) {
  Range range;
  const Reply problem = parse(by, in.argv[2], in.argv[3], range);
  if (problem.is_error()) return problem;
  const Found<SortedSet> found = find_as<SortedSet>(in);
  if (found.is_wrong_type) return wrong_type();
  if (found.value == nullptr) return Reply::integer(0);
  const Span span = select(*found.value, range, false);
  if (removes && span.count > 0) {
    found.value->erase_range(span.first, span.count);
    note_removal(in.keys, in.key(), found.value->members().empty(), in.changes);
  }
  return size_reply(span.count);
}

}  // namespace

Reply zrange(Invocation& in) { return list_range(in, RangeOptions()); }
Reply zrevrange(Invocation& in) { return list_range(in, RangeOptions{.by = By::rank, .reversed = true}); }
Reply zrangebyscore(Invocation& in) {
  return list_range(in, RangeOptions{.by = By::score, .reversed = false});
}
Reply zrevrangebyscore(Invocation& in) {
  return list_range(in, RangeOptions{.by = By::score, .reversed = true});
}
Reply zrangebylex(Invocation& in) { return list_range(in, RangeOptions{.by = By::name, .reversed = false}); }
Reply zrevrangebylex(Invocation& in) {
  return list_range(in, RangeOptions{.by = By::name, .reversed = true});
}
Reply zcount(Invocation& in) { return count_range(in, By::score, false); }
Reply zlexcount(Invocation& in) { return count_range(in, By::name, false); }
Reply zremrangebyrank(Invocation& in) { return count_range(in, By::rank, true); }
Reply zremrangebyscore(Invocation& in) { return count_range(in, By::score, true); }
Reply zremrangebylex(Invocation& in) { return count_range(in, By::name, true); }

}  // namespace holdfast::redis
