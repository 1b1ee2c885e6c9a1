// Commands on lists: LPUSH RPUSH LPUSHX RPUSHX LPOP RPOP LMOVE RPOPLPUSH LLEN LINDEX LRANGE LPOS LSET LINSERT
// LREM LTRIM.
#include <algorithm>
#include <limits>
#include <optional>

#include "sim/stores/redis/collections.hpp"
#include "sim/stores/redis/families.hpp"
#include "sim/stores/redis/numbers.hpp"

namespace holdfast::redis {
namespace {

using Elements = std::vector<std::string>;

void push(List& list, End end, std::string element) {
  list.elements.insert(end == End::first ? list.elements.begin() : list.elements.end(), std::move(element));
}

Reply push(Invocation& in, End end, bool only_if_there) {
  const Found<List> found = find_as<List>(in);
  if (found.is_wrong_type) return wrong_type();
  if (found.value == nullptr && only_if_there) return Reply::integer(0);
  List& list = found.value == nullptr ? create<List>(in) : *found.value;
  for (std::size_t i = 2; i < in.argc(); ++i) push(list, end, std::string(in.argv[i]));
  if (found.value != nullptr) in.keys.touch(in.key(), in.changes);
  return size_reply(list.elements.size());
}

Reply pop(Invocation& in, End end) {
  if (in.argc() > 3) return wrong_arity(in.row.name);
  const bool has_count = in.argc() == 3;
  const std::optional<std::int64_t> count = has_count ? to_integer(in.argv[2]) : 1;
  if (!count || *count < 0) return value_out_of_range();
  const Found<List> found = find_as<List>(in);
  if (found.is_wrong_type) return wrong_type();
  if (found.value == nullptr) return Reply::nil();
  std::vector<Reply> taken;
  while (static_cast<std::int64_t>(taken.size()) < *count && !found.value->elements.empty())
    taken.push_back(Reply::bulk(take(*found.value, end)));
  if (!taken.empty()) note_removal(in.keys, in.key(), found.value->elements.empty(), in.changes);
  return has_count ? Reply::array(std::move(taken)) : std::move(taken.front());
}

// The element at this position, negative from the end; the end of the list when there is none.
Elements::iterator at(Elements& elements, std::int64_t position) {
  const auto size = static_cast<std::int64_t>(elements.size());
  if (position < 0) position += size;
  return position < 0 || position >= size ? elements.end() : elements.begin() + position;
}

struct Search {
  std::int64_t rank = 1;
  std::optional<std::int64_t> count;
  std::int64_t longest = 0;
};

// The options of LPOS. An error, or nil.
Reply parse(const Invocation& in, Search& search) {
  for (std::size_t i = 3; i < in.argc(); i += 2) {
    const bool has_number = i + 1 < in.argc();
    const std::optional<std::int64_t> number = has_number ? to_integer(in.argv[i + 1]) : std::nullopt;
    if (is_word(in.argv[i], "rank") && has_number) {
      if (!number) return not_an_integer();
      if (*number == 0)
        return error(
            "RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use "
            "negative to start from the end of the list");
      search.rank = *number;
    } else if (is_word(in.argv[i], "count") && has_number) {
      if (!number || *number < 0) return error("COUNT can't be negative");
      search.count = number;
    } else if (is_word(in.argv[i], "maxlen") && has_number) {
      if (!number || *number < 0) return error("MAXLEN can't be negative");
      search.longest = *number;
    } else {
      return syntax_error();
    }
  }
  // Redis cannot turn this number round: every match comes after it.
  if (search.rank == std::numeric_limits<std::int64_t>::min()) {
    search.rank = -1;
    if (search.count) search.count = 0;
  }
  return Reply::nil();
}

Reply move(Invocation& in, End from, End to) {
  const Found<List> source = find_as<List>(in);
  if (source.is_wrong_type) return wrong_type();
  if (source.value == nullptr) return Reply::nil();
  if (find_as<List>(in, in.argv[2]).is_wrong_type) return wrong_type();
  return move_element(in.server, in.key(), from, in.argv[2], to, in.changes);
}

}  // namespace

Reply lpush(Invocation& in) { return push(in, End::first, false); }
Reply rpush(Invocation& in) { return push(in, End::last, false); }
Reply lpushx(Invocation& in) { return push(in, End::first, true); }
Reply rpushx(Invocation& in) { return push(in, End::last, true); }
Reply lpop(Invocation& in) { return pop(in, End::first); }
Reply rpop(Invocation& in) { return pop(in, End::last); }

Reply llen(Invocation& in) {
  const Found<List> found = find_as<List>(in);
  if (found.is_wrong_type) return wrong_type();
  return size_reply(found.value == nullptr ? 0 : found.value->elements.size());
}

Reply lindex(Invocation& in) {
  const Found<List> found = find_as<List>(in);
  if (found.is_wrong_type) return wrong_type();
  if (found.value == nullptr) return Reply::nil();
  const std::optional<std::int64_t> position = to_integer(in.argv[2]);
  if (!position) return not_an_integer();
  const auto element = at(found.value->elements, *position);
  return element == found.value->elements.end() ? Reply::nil() : Reply::bulk(*element);
}

Reply lset(Invocation& in) {
  const Found<List> found = find_as<List>(in);
  if (found.is_wrong_type) return wrong_type();
  if (found.value == nullptr) return error("no such key");
  const std::optional<std::int64_t> position = to_integer(in.argv[2]);
  if (!position) return not_an_integer();
  const auto element = at(found.value->elements, *position);
  if (element == found.value->elements.end()) return error("index out of range");
  *element = in.argv[3];
  in.keys.touch(in.key(), in.changes);
  return Reply::ok();
}

Reply lrange(Invocation& in) {
  const std::optional<std::int64_t> start = to_integer(in.argv[2]);
  const std::optional<std::int64_t> stop = to_integer(in.argv[3]);
  if (!start || !stop) return not_an_integer();
  const Found<List> found = find_as<List>(in);
  if (found.is_wrong_type) return wrong_type();
  if (found.value == nullptr) return Reply::array({});
  const Span span = span_of(*start, *stop, found.value->elements.size());
  const auto first = found.value->elements.begin() + static_cast<std::ptrdiff_t>(span.first);
  return texts(Elements(first, first + static_cast<std::ptrdiff_t>(span.count)));
}

Reply ltrim(Invocation& in) {
  const std::optional<std::int64_t> start = to_integer(in.argv[2]);
  const std::optional<std::int64_t> stop = to_integer(in.argv[3]);
  if (!start || !stop) return not_an_integer();
  const Found<List> found = find_as<List>(in);
  if (found.is_wrong_type) return wrong_type();
  if (found.value == nullptr) return Reply::ok();
  Elements& elements = found.value->elements;
  const Span span = span_of(*start, *stop, elements.size());
  elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(span.first + span.count), elements.end());
  elements.erase(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(span.first));
  note_removal(in.keys, in.key(), elements.empty(), in.changes);
  return Reply::ok();
}

Reply lrem(Invocation& in) {
  const std::optional<std::int64_t> count = to_integer(in.argv[2]);
  if (!count) return not_an_integer();
  const Found<List> found = find_as<List>(in);
  if (found.is_wrong_type) return wrong_type();
  if (found.value == nullptr) return Reply::integer(0);
  Elements& elements = found.value->elements;
  std::uint64_t removed = 0;
  const bool from_last = *count < 0;
  const std::uint64_t most =
      from_last ? -static_cast<std::uint64_t>(*count) : static_cast<std::uint64_t>(*count);
  if (from_last) std::reverse(elements.begin(), elements.end());
  std::erase_if(elements, [&](const std::string& element) {
    const bool is_one = element == in.argv[3] && (most == 0 || removed < most);
    removed += is_one;
    return is_one;
  });
  if (from_last) std::reverse(elements.begin(), elements.end());
  if (removed > 0) note_removal(in.keys, in.key(), elements.empty(), in.changes);
  return size_reply(removed);
}

Reply linsert(Invocation& in) {
  const bool is_after = is_word(in.argv[2], "after");
  if (!is_after && !is_word(in.argv[2], "before")) return syntax_error();
  const Found<List> found = find_as<List>(in);
  if (found.is_wrong_type) return wrong_type();
  if (found.value == nullptr) return Reply::integer(0);
  Elements& elements = found.value->elements;
  const auto pivot = std::find(elements.begin(), elements.end(), in.argv[3]);
  if (pivot == elements.end()) return Reply::integer(-1);
  elements.emplace(pivot + is_after, in.argv[4]);
  in.keys.touch(in.key(), in.changes);
  return size_reply(elements.size());
}

Reply lpos(Invocation& in) {
  Search search;
  const Reply problem = parse(in, search);
  if (problem.is_error()) return problem;
  const Found<List> found = find_as<List>(in);
  if (found.is_wrong_type) return wrong_type();
  const Elements elements = found.value == nullptr ? Elements() : found.value->elements;
  const auto size = static_cast<std::int64_t>(elements.size());
  std::vector<Reply> positions;
  std::int64_t matches = 0;
  for (std::int64_t i = 0; i < size && (search.longest == 0 || i < search.longest); ++i) {
    const std::int64_t position = search.rank < 0 ? size - 1 - i : i;
    if (elements[static_cast<std::size_t>(position)] != in.argv[2]) continue;
    if (++matches < std::abs(search.rank)) continue;
    positions.push_back(Reply::integer(position));
    const std::int64_t wanted = search.count.value_or(1);
    if (wanted != 0 && static_cast<std::int64_t>(positions.size()) == wanted) break;
  }
  if (search.count) return Reply::array(std::move(positions));
  return positions.empty() ? Reply::nil() : positions.front();
}

// --- moving ---

std::string take(List& list, End from) {
  const auto place = from == End::first ? list.elements.begin() : list.elements.end() - 1;
  std::string element = std::move(*place);
  list.elements.erase(place);
  return element;
}

Reply move_element(Server& server, std::string_view source, End from, std::string_view destination, End to,
                   Changes& changes) {
  List& giving = *find_as<List>(server.keys, source).value;
  const Found<List> receiving = find_as<List>(server.keys, destination);
  std::string element = take(giving, from);
  Reply reply = Reply::bulk(element);
  if (receiving.value != nullptr) server.keys.touch(destination, changes);
  List& list = receiving.value == nullptr ? create<List>(server, destination, changes) : *receiving.value;
  push(list, to, std::move(element));
  note_removal(server.keys, source, giving.elements.empty(), changes);
  return reply;
}

std::optional<End> end_named(std::string_view word) {
  if (is_word(word, "left")) return End::first;
  if (is_word(word, "right")) return End::last;
  return std::nullopt;
}

Reply lmove(Invocation& in) {
  const std::optional<End> from = end_named(in.argv[3]);
  const std::optional<End> to = end_named(in.argv[4]);
  return from && to ? move(in, *from, *to) : syntax_error();
}
Reply rpoplpush(Invocation& in) { return move(in, End::last, End::first); }

}  // namespace holdfast::redis
