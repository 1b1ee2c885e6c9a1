// Commands on members of sorted sets: ZADD ZINCRBY ZREM ZSCORE ZMSCORE ZCARD ZRANK ZREVRANK ZPOPMIN ZPOPMAX.
#include <cmath>
#include <optional>

#include "sim/stores/redis/collections.hpp"
#include "sim/stores/redis/families.hpp"
#include "sim/stores/redis/numbers.hpp"

namespace holdfast::redis {
namespace {

struct Options {
  bool nx = false;
  bool xx = false;
  bool gt = false;
  bool lt = false;
  bool changed = false;    // CH: count the changed members, too
  bool increment = false;  // INCR
};

// Takes the options from argv[2] on. Returns where the first score stands.
std::size_t parse(const Invocation& in, Options& options) {
  std::size_t i = 2;
  for (; i < in.argc(); ++i) {
    const std::string_view word = in.argv[i];
    if (is_word(word, "nx")) options.nx = true;
    else if (is_word(word, "xx")) options.xx = true;
    else if (is_word(word, "ch")) options.changed = true;
    else if (is_word(word, "incr")) options.increment = true;
    else if (is_word(word, "gt")) options.gt = true;
    else if (is_word(word, "lt")) options.lt = true;
    else break;
  }
  return i;
}

// Nil when these options and so many words after them make sense.
Reply check(const Options& options, std::size_t words) {
  if (words == 0 || words % 2 == 1) return syntax_error();
  if (options.nx && options.xx) return error("XX and NX options at the same time are not compatible");
  if ((options.nx && (options.gt || options.lt)) || (options.gt && options.lt))
    return error("GT, LT, and/or NX options at the same time are not compatible");
  if (options.increment && words > 2) return error("INCR option supports a single increment-element pair");
  return Reply::nil();
}

enum class Outcome { added, changed, same, refused, not_a_number };

// What Redis' zsetAdd does. `score` becomes what the member has, if it was not refused.
Outcome add(SortedSet& set, std::string_view name, const Options& options, double& score) {
  const SortedSet::Member* member = set.find(name);
  if (member == nullptr) {
    if (options.xx) return Outcome::refused;
    set.put(name, score);
    return Outcome::added;
  }
  if (options.nx) return Outcome::refused;
  const double current = member->score;
  if (options.increment) score += current;
  if (std::isnan(score)) return Outcome::not_a_number;
  if ((options.lt && score >= current) || (options.gt && score <= current)) return Outcome::refused;
  if (score == current) return Outcome::same;
  set.put(name, score);
  return Outcome::changed;
}

Reply score_reply(double score) { return Reply::bulk(score_text(score)); }

Reply add(Invocation& in, Options options) {
  const std::size_t first = parse(in, options);
  const Reply problem = check(options, in.argc() - first);
  if (problem.is_error()) return problem;
  std::vector<double> scores;
  for (std::size_t i = first; i < in.argc(); i += 2) {
    const std::optional<double> score = to_score(in.argv[i]);
    if (!score) return error("value is not a valid float");
    scores.push_back(*score);
  }
  const Found<SortedSet> found = find_as<SortedSet>(in);
  if (found.is_wrong_type) return wrong_type();
  if (found.value == nullptr && options.xx) return options.increment ? Reply::nil() : Reply::integer(0);
  SortedSet& set = found.value == nullptr ? create<SortedSet>(in) : *found.value;
  std::int64_t added = 0;
  std::int64_t changed = 0;
  Outcome last = Outcome::refused;
  for (std::size_t i = 0; i < scores.size() && last != Outcome::not_a_number; ++i) {
    last = add(set, in.argv[first + 2 * i + 1], options, scores[i]);
    added += last == Outcome::added;
    changed += last == Outcome::changed;
  }
  if (found.value != nullptr && added + changed > 0) in.keys.touch(in.key(), in.changes);
  if (last == Outcome::not_a_number) return error("resulting score is not a number (NaN)");
  if (options.increment) return last == Outcome::refused ? Reply::nil() : score_reply(scores.front());
  return Reply::integer(options.changed ? added + changed : added);
}

Reply rank(Invocation& in, bool from_last) {
  const Found<SortedSet> found = find_as<SortedSet>(in);
  if (found.is_wrong_type) return wrong_type();
  const SortedSet::Member* member = found.value == nullptr ? nullptr : found.value->find(in.argv[2]);
  if (member == nullptr) return Reply::nil();
  const std::vector<SortedSet::Member>& members = found.value->members();
  const auto before = static_cast<std::size_t>(member - members.data());
  return size_reply(from_last ? members.size() - 1 - before : before);
}

Reply pop_members(Invocation& in, End from) {
  if (in.argc() > 3) return syntax_error();
  const std::optional<std::int64_t> count = in.argc() == 3 ? to_integer(in.argv[2]) : 1;
  if (!count || *count < 0) return value_out_of_range();
  const Found<SortedSet> found = find_as<SortedSet>(in);
  if (found.is_wrong_type) return wrong_type();
  std::vector<Reply> taken;
  if (found.value == nullptr || *count == 0) return Reply::array(std::move(taken));
  for (std::int64_t i = 0; i < *count && !found.value->members().empty(); ++i) {
    SortedSet::Member member = take(*found.value, from);
    taken.push_back(Reply::bulk(std::move(member.name)));
    taken.push_back(score_reply(member.score));
  }
  note_removal(in.keys, in.key(), found.value->members().empty(), in.changes);
  return Reply::array(std::move(taken));
}

Reply score_or_nil(const SortedSet* set, std::string_view name) {
  const SortedSet::Member* member = set == nullptr ? nullptr : set->find(name);
  return member == nullptr ? Reply::nil() : score_reply(member->score);
}

}  // namespace

Reply zadd(Invocation& in) { return add(in, Options()); }
// Takes the options of ZADD, as Redis' does.
Reply zincrby(Invocation& in) { return add(in, Options{.increment = true}); }

Reply zrem(Invocation& in) { return remove_members<SortedSet>(in); }

Reply zscore(Invocation& in) {
  const Found<SortedSet> found = find_as<SortedSet>(in);
  return found.is_wrong_type ? wrong_type() : score_or_nil(found.value, in.argv[2]);
}

Reply zmscore(Invocation& in) {
  const Found<SortedSet> found = find_as<SortedSet>(in);
  if (found.is_wrong_type) return wrong_type();
  std::vector<Reply> scores;
  for (std::size_t i = 2; i < in.argc(); ++i) scores.push_back(score_or_nil(found.value, in.argv[i]));
  return Reply::array(std::move(scores));
}

Reply zcard(Invocation& in) {
  const Found<SortedSet> found = find_as<SortedSet>(in);
  if (found.is_wrong_type) return wrong_type();
  return size_reply(found.value == nullptr ? 0 : found.value->members().size());
}

Reply zrank(Invocation& in) { return rank(in, false); }
Reply zrevrank(Invocation& in) { return rank(in, true); }
Reply zpopmin(Invocation& in) { return pop_members(in, End::first); }
Reply zpopmax(Invocation& in) { return pop_members(in, End::last); }

SortedSet::Member take(SortedSet& set, End from) {
  const std::size_t place = from == End::first ? 0 : set.members().size() - 1;
  SortedSet::Member member = set.members()[place];
  set.erase_range(place, 1);
  return member;
}

}  // namespace holdfast::redis
