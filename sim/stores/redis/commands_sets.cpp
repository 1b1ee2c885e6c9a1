// Commands on sets: SADD SREM SMOVE SISMEMBER SMISMEMBER SCARD SMEMBERS. Members come in rising order; in
// Redis their order depends on how the set is kept.
#include "sim/stores/redis/collections.hpp"
#include "sim/stores/redis/families.hpp"

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

}  // namespace holdfast::redis
