// Rarely used commands of a dictionary: lists, values that have ended, the names of all entries.
#include <charconv>

#include "sim/core/invariant.hpp"
#include "sim/stores/shdict/dict.hpp"
#include "sim/stores/shdict/invocation.hpp"

namespace holdfast::shdict {
namespace {

constexpr std::string_view no_list = "value not a list";

// "\x02" and then, of each element, its length, a colon and its text.
std::string to_value(const std::vector<std::string>& elements) {
  std::string value(1, list_mark);
  for (const std::string& each : elements) value += std::to_string(each.size()) + ":" + each;
  return value;
}

std::vector<std::string> to_elements(std::string_view value) {
  std::vector<std::string> elements;
  for (std::size_t at = 1; at < value.size();) {
    std::size_t size = 0;
    const char* const colon = std::from_chars(value.data() + at, value.data() + value.size(), size).ptr;
    at = static_cast<std::size_t>(colon - value.data()) + 1;
    elements.emplace_back(value.substr(at, size));
    at += size;
  }
  return elements;
}

}  // namespace

// A list keeps its end; a new one has none.
Reply Dict::push(const Invocation& in, bool at_front) {
  free_ended(in);
  const Entries::iterator place = touch(find(in.key()));
  const bool is_living = place != entries_.end() && !place->second.is_stale;
  if (is_living && !is_list(place->second.value)) return Reply::error(std::string(no_list));
  std::vector<std::string> elements;
  if (is_living) elements = to_elements(place->second.value);
  elements.insert(at_front ? elements.begin() : elements.end(), std::string(in.argv[2]));
  const MilliTicks ends = is_living ? place->second.expires_ms : no_expiry;
  if (put(in, place, to_value(elements), ends, true) == Stored::no_memory) return Reply::error("no memory");
  return Reply::integer(static_cast<std::int64_t>(elements.size()));
}

// A list that is empty is gone.
Reply Dict::pop(const Invocation& in, bool at_front) {
  free_ended(in);
  const Entries::iterator place = touch(find(in.key()));
  if (place == entries_.end() || place->second.is_stale) return Reply::nil();
  if (!is_list(place->second.value)) return Reply::error(std::string(no_list));
  std::vector<std::string> elements = to_elements(place->second.value);
  INVARIANT(!elements.empty(), "a list that is empty is gone");
  const auto taken = at_front ? elements.begin() : elements.end() - 1;
  std::string text = *taken;
  elements.erase(taken);
  if (elements.empty()) erase(place, Change::Kind::removed, in.changes);
  else put(in, place, to_value(elements), place->second.expires_ms, true);
  return Reply::bulk(std::move(text));
}

Reply Dict::llen(const Invocation& in) {
  free_ended(in);
  const Entries::iterator place = touch(find(in.key()));
  if (place == entries_.end() || place->second.is_stale) return Reply::integer(0);
  if (!is_list(place->second.value)) return Reply::error(std::string(no_list));
  return Reply::integer(static_cast<std::int64_t>(to_elements(place->second.value).size()));
}

// The value, and whether it has ended: 1 or 0. Frees nothing.
Reply Dict::get_stale(const Invocation& in) {
  const Entries::iterator place = touch(find(in.key()));
  if (place == entries_.end()) return Reply::nil();
  if (is_list(place->second.value)) return Reply::error("value is a list");
  return Reply::array({Reply::bulk(place->second.value), Reply::integer(place->second.is_stale ? 1 : 0)});
}

// The least recently used first. What ends in this very millisecond is not among them.
Reply Dict::get_keys(const Invocation& in) {
  std::size_t most = 1024;
  if (in.argv.size() > 1) {
    const std::string_view text = in.argv[1];
    if (std::from_chars(text.data(), text.data() + text.size(), most).ptr != text.data() + text.size())
      return Reply::error("bad number argument");
  }
  std::vector<Reply> keys;
  for (auto each = entries_.rbegin(); each != entries_.rend(); ++each) {
    const Entry& entry = each->second;
    if (entry.is_stale || (entry.expires_ms != no_expiry && entry.expires_ms <= in.now_ms)) continue;
    keys.push_back(Reply::bulk(each->first));
    if (keys.size() == most) break;
  }
  return Reply::array(std::move(keys));
}

}  // namespace holdfast::shdict
