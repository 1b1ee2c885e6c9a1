// Commands on sets: SADD SREM SMOVE SISMEMBER SMISMEMBER SCARD SMEMBERS SRANDMEMBER SPOP. Members come in
// rising order; in Redis their order depends on how the set is kept.
#include <algorithm>
#include <limits>
#include <optional>

#include "sim/stores/redis/collections.hpp"
#include "sim/stores/redis/families.hpp"
#include "sim/stores/redis/numbers.hpp"

namespace holdfast::redis {

Reply sadd(Invocation& in) {
  const Found<Set> found = find_as<Set>(in);
  if (found.is_wrong_type) return wrong_type();
  Set& set = found.value == nullptr ? create<Set>(in) : *found.value;
  std::int64_t added = 0;
  for (std::size_t i = 2; i < in.argc(); ++i) added += set.insert(in.argv[i]);
  if (found.value != nullptr && added > 0) in.keys.touch(in.key(), in.changes);
  return Reply::integer(added);
}

Reply srem(Invocation& in) { return remove_members<Set>(in); }

Reply smove(Invocation& in) {
  const Found<Set> source = find_as<Set>(in);
  if (source.value == nullptr && !source.is_wrong_type) return Reply::integer(0);
  const Found<Set> destination = find_as<Set>(in, in.argv[2]);
  if (source.is_wrong_type || destination.is_wrong_type) return wrong_type();
  const std::string_view member = in.argv[3];
  if (source.value == destination.value) return Reply::integer(source.value->has(member));
  if (!source.value->erase(member)) return Reply::integer(0);
  note_removal(in.keys, in.key(), source.value->members().empty(), in.changes);
  if (destination.value == nullptr) create<Set>(in.server, in.argv[2], in.changes).insert(member);
  else if (destination.value->insert(member)) in.keys.touch(in.argv[2], in.changes);
  return Reply::integer(1);
}

Reply sismember(Invocation& in) {
  const Found<Set> found = find_as<Set>(in);
  if (found.is_wrong_type) return wrong_type();
  return Reply::integer(found.value != nullptr && found.value->has(in.argv[2]));
}

Reply smismember(Invocation& in) {
  const Found<Set> found = find_as<Set>(in);
  if (found.is_wrong_type) return wrong_type();
  std::vector<Reply> answers;
  for (std::size_t i = 2; i < in.argc(); ++i)
    answers.push_back(Reply::integer(found.value != nullptr && found.value->has(in.argv[i])));
  return Reply::array(std::move(answers));
}

Reply scard(Invocation& in) {
  const Found<Set> found = find_as<Set>(in);
  if (found.is_wrong_type) return wrong_type();
  return size_reply(found.value == nullptr ? 0 : found.value->members().size());
}

Reply smembers(Invocation& in) {
  const Found<Set> found = find_as<Set>(in);
  if (found.is_wrong_type) return wrong_type();
  return found.value == nullptr ? Reply::array({}) : texts(found.value->members());
}

namespace {

// Which member it is would be the server's chance.
void note_chance(Invocation& in) { in.server.note({in.row.name, " with a choice between members"}); }

}  // namespace

// Redis documentation, SRANDMEMBER: with a count, so many different members; below zero, so many of any.
Reply srandmember(Invocation& in) {
  if (in.argc() > 3) return syntax_error();
  std::int64_t count = 1;
  if (in.argc() == 3) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const std::optional<std::int64_t> wanted = to_integer(in.argv[2]);
    if (!wanted) return not_an_integer();
    if (*wanted < -most)
      return error("value is out of range, value must between -" + std::to_string(most) + " and " +
                   std::to_string(most));
    count = *wanted;
  }
  const Found<Set> found = find_as<Set>(in);
  if (found.is_wrong_type) return wrong_type();
  if (found.value == nullptr) return in.argc() == 3 ? Reply::array({}) : Reply::nil();
  const std::vector<std::string>& members = found.value->members();
  const auto size = static_cast<std::int64_t>(members.size());
  if (in.argc() == 2 ? size > 1 : count != 0 && size > 1 && count < size) note_chance(in);
  if (in.argc() == 2) return Reply::bulk(members.front());
  if (count < 0) {
    // Redis builds the whole answer, too, and then sends it.
    constexpr std::int64_t most_at_once = 1'000'000;
    if (count < -most_at_once) in.server.note({in.row.name, " of more than a million"});
    return texts(
        std::vector<std::string>(static_cast<std::size_t>(std::min(-count, most_at_once)), members.front()));
  }
  const auto taken = static_cast<std::ptrdiff_t>(std::min(count, size));
  return texts(std::vector<std::string>(members.begin(), members.begin() + taken));
}

Reply spop(Invocation& in) {
  if (in.argc() > 3) return syntax_error();
  std::int64_t count = 1;
  if (in.argc() == 3) {
    const std::optional<std::int64_t> wanted = to_integer(in.argv[2]);
    if (!wanted || *wanted < 0) return value_out_of_range();
    count = *wanted;
  }
  const Found<Set> found = find_as<Set>(in);
  if (found.is_wrong_type) return wrong_type();
  if (found.value == nullptr) return in.argc() == 3 ? Reply::array({}) : Reply::nil();
  if (count == 0) return Reply::array({});
  const std::vector<std::string>& members = found.value->members();
  if (count < static_cast<std::int64_t>(members.size())) note_chance(in);
  const auto taken = std::min<std::int64_t>(count, static_cast<std::int64_t>(members.size()));
  const std::vector<std::string> popped(members.begin(),
                                        members.begin() + static_cast<std::ptrdiff_t>(taken));
  for (const std::string& member : popped) found.value->erase(member);
  note_removal(in.keys, in.key(), found.value->members().empty(), in.changes);
  return in.argc() == 2 ? Reply::bulk(popped.front()) : texts(popped);
}

}  // namespace holdfast::redis
