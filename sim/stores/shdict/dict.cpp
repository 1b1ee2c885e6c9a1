#include "sim/stores/shdict/dict.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <tuple>
#include <utility>

#include "sim/core/invariant.hpp"
#include "sim/core/shared_dict.hpp"
#include "sim/stores/shdict/invocation.hpp"

namespace holdfast::shdict {
namespace {

constexpr std::size_t longest_key = 65'535;
constexpr int eviction_rounds = 30;

template <class Number>
std::optional<Number> to_number(std::string_view text) {
  Number number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// A node of nginx' tree up to its colour, the entry's own header, the key, the value (lua-nginx-module,
// ngx_http_lua_shdict_node_t, on 64 bits).
std::size_t room_for(std::string_view key, std::string_view value) {
  std::size_t size = value.size();
  if (value == "true" || value == "false") size = 1;
  else if (to_number<std::int64_t>(value)) size = 8;
  const std::size_t bytes = 68 + key.size() + size;
  constexpr std::size_t page = 4096;
  return bytes <= page / 2 ? std::bit_ceil(bytes) : (bytes + page - 1) / page * page;
}

std::optional<WallTime> last_instant(MilliTicks expires_ms) {
  if (expires_ms == no_expiry) return std::nullopt;
  return last_instant_of(expires_ms);
}

}  // namespace

std::optional<std::int64_t> to_lifetime_ms(std::string_view text) {
  const std::size_t point = text.find('.');
  const std::optional<std::int32_t> seconds = to_number<std::int32_t>(text.substr(0, point));
  if (!seconds || text.starts_with('-')) return std::nullopt;
  std::int64_t milliseconds = std::int64_t{*seconds} * 1000;
  if (point == std::string_view::npos) return milliseconds;
  std::int64_t place = 100;
  for (const char digit : text.substr(point + 1)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    milliseconds += (digit - '0') * place;
    place /= 10;
  }
  return milliseconds;
}

struct Dict::Row {
  std::string_view name;
  std::size_t words_min;  // the name counts
  std::size_t words_max;
  bool takes_key;
  Reply (Dict::*run)(const Invocation& in);
};

// nullptr when there is none.
const Dict::Row* Dict::find_row(std::string_view name) {
  static constexpr std::array table{
      Row{"ADD", 3, 4, true, &Dict::add},
      Row{"CAPACITY", 1, 1, false, &Dict::capacity},
      Row{"DELETE", 2, 2, true, &Dict::remove},
      Row{"EXPIRE", 3, 3, true, &Dict::set_expiry},
      Row{"FLUSH_ALL", 1, 1, false, &Dict::flush_all},
      Row{"FLUSH_EXPIRED", 1, 2, false, &Dict::flush_expired},
      Row{"FREE_SPACE", 1, 1, false, &Dict::free_space},
      Row{"GET", 2, 2, true, &Dict::get},
      Row{"GET_KEYS", 1, 2, false, &Dict::get_keys},
      Row{"GET_STALE", 2, 2, true, &Dict::get_stale},
      Row{"INCR", 3, 5, true, &Dict::incr},
      Row{"LLEN", 2, 2, true, &Dict::llen},
      Row{"LPOP", 2, 2, true, &Dict::lpop},
      Row{"LPUSH", 3, 3, true, &Dict::lpush},
      Row{"REPLACE", 3, 4, true, &Dict::replace},
      Row{"RPOP", 2, 2, true, &Dict::rpop},
      Row{"RPUSH", 3, 3, true, &Dict::rpush},
      Row{"SAFE_ADD", 3, 4, true, &Dict::safe_add},
      Row{"SAFE_SET", 3, 4, true, &Dict::safe_set},
      Row{"SET", 3, 4, true, &Dict::set},
      Row{"TTL", 2, 2, true, &Dict::ttl},
  };
  const auto row = std::find_if(table.begin(), table.end(), [&](const Row& it) { return it.name == name; });
  return row == table.end() ? nullptr : &*row;
}

Reply Dict::execute(const Command& command, WallTime now, Changes& changes) {
  const WordsView argv = command.argv();
  INVARIANT(!argv.empty(), "a command has a name");
  const Row* const row = find_row(argv[0]);
  if (row == nullptr)
    return Reply::error("attempt to call method '" + std::string(argv[0]) + "' (a nil value)");
  if (argv.size() < row->words_min || argv.size() > row->words_max)
    return Reply::error("wrong number of arguments for " + std::string(argv[0]));
  if (row->takes_key && argv[1].empty()) return Reply::error("empty key");
  if (row->takes_key && argv[1].size() > longest_key) return Reply::error("key too long");
  if (!is_time_dense()) expire_due(now, changes);
  const Reply reply =
      (this->*row->run)(Invocation{argv, to_milliticks(now.time_since_epoch().count()), changes});
  INVARIANT(used_ <= capacity_, "what is stored fits");
  return reply;
}

// --- commands ---

Reply Dict::store(const Invocation& in, Rule rule, bool is_safe) {
  const std::optional<MilliTicks> expires_ms = in.end_at(3);
  if (!expires_ms) return Reply::error("bad \"exptime\" argument");
  free_ended(in);
  Entries::iterator place = touch(find(in.key()));
  const bool is_living = place != entries_.end() && !place->second.is_stale;
  if (rule == Rule::if_absent && is_living) return Reply::error("exists");
  if (rule == Rule::if_present && !is_living) return Reply::error("not found");
  switch (put(in, place, std::string(in.argv[2]), *expires_ms, is_safe)) {
    case Stored::easily: return Reply::ok();
    case Stored::forcibly: return Reply::status("OK forcible");
    case Stored::no_memory: break;
  }
  return Reply::error("no memory");
}

// set(key, nil)
Reply Dict::remove(const Invocation& in) {
  free_ended(in);
  const Entries::iterator place = find(in.key());
  if (place != entries_.end()) erase(place, Change::Kind::removed, in.changes);
  return Reply::ok();
}

Reply Dict::get(const Invocation& in) {
  free_ended(in);
  const Entries::iterator place = touch(find(in.key()));
  if (place == entries_.end() || place->second.is_stale) return Reply::nil();
  if (is_list(place->second.value)) return Reply::error("value is a list");
  return Reply::bulk(place->second.value);
}

Reply Dict::incr(const Invocation& in) {
  const std::optional<std::int64_t> step = to_number<std::int64_t>(in.argv[2]);
  const std::optional<std::int64_t> start = in.argv.size() > 3 ? to_number<std::int64_t>(in.argv[3]) : 0;
  const std::optional<MilliTicks> expires_ms = in.end_at(4);
  if (!step || !start) return Reply::error("bad number argument");
  if (!expires_ms) return Reply::error("bad \"init_ttl\" argument");
  free_ended(in);
  Entries::iterator place = touch(find(in.key()));
  const bool is_living = place != entries_.end() && !place->second.is_stale;
  if (!is_living && in.argv.size() == 3) return Reply::error("not found");
  const std::optional<std::int64_t> count = is_living ? to_number<std::int64_t>(place->second.value) : start;
  if (!count) return Reply::error("not a number");
  std::int64_t sum = 0;
  if (__builtin_add_overflow(*count, *step, &sum)) return Reply::error("bad number argument");
  const MilliTicks ends = is_living ? place->second.expires_ms : *expires_ms;
  if (put(in, place, std::to_string(sum), ends, false) == Stored::no_memory) return Reply::error("no memory");
  in.changes.back().way = Change::Way::counted;
  return Reply::integer(sum);
}

// Looks at nothing but the key: what has ended, and is still there, begins to live again. Does not count as
// use.
Reply Dict::set_expiry(const Invocation& in) {
  const std::optional<MilliTicks> expires_ms = in.end_at(2);
  if (!expires_ms) return Reply::error("bad \"exptime\" argument");
  const Entries::iterator place = find(in.key());
  if (place == entries_.end()) return Reply::error("not found");
  Entry& entry = place->second;
  in.changes.push_back(
      {std::string(in.key()), entry.is_stale ? Change::Kind::created : Change::Kind::ttl_changed});
  entry.is_stale = false;
  entry.expires_ms = *expires_ms;
  note_expiry(*expires_ms);
  return Reply::ok();
}

Reply Dict::ttl(const Invocation& in) {
  const auto place = find_living(in.key());
  if (place == entries_.end()) return Reply::error("not found");
  const MilliTicks expires_ms = place->second.expires_ms;
  if (expires_ms == no_expiry) return Reply::bulk("0");
  return Reply::bulk(SharedDict::seconds(std::chrono::milliseconds(expires_ms - in.now_ms)));
}

// Everything ends; the least recently used is freed, and up to two more.
Reply Dict::flush_all(const Invocation& in) {
  for (auto& [key, entry] : entries_) {
    if (!entry.is_stale) in.changes.push_back({key, Change::Kind::removed});
    entry.is_stale = true;
    entry.expires_ms = no_expiry;
  }
  soonest_ms_ = never;
  for (int i = 0; i < 3; ++i) free_last_if_ended(in);
  return Reply::ok();
}

Reply Dict::flush_expired(const Invocation& in) {
  const std::optional<std::int32_t> most = in.argv.size() > 1 ? to_number<std::int32_t>(in.argv[1]) : 0;
  if (!most || *most < 0) return Reply::error("bad number argument");
  std::int64_t freed = 0;
  for (std::size_t i = entries_.size(); i-- > 0 && (*most == 0 || freed < *most);) {
    const Entry& entry = entries_[i].second;
    if (!entry.is_stale && (entry.expires_ms == no_expiry || entry.expires_ms > in.now_ms)) continue;
    erase(entries_.begin() + static_cast<std::ptrdiff_t>(i), Change::Kind::expired, in.changes);
    ++freed;
  }
  return Reply::integer(freed);
}

Reply Dict::capacity(const Invocation&) { return Reply::integer(static_cast<std::int64_t>(capacity_)); }
Reply Dict::free_space(const Invocation&) {
  return Reply::integer(static_cast<std::int64_t>(capacity_ - used_));
}

// --- entries ---

void Dict::expire(MilliTicks now_ms, Changes& changes) {
  if (!is_time_dense() && now_ms <= soonest_ms_) return;
  std::vector<std::pair<std::string, Entry>*> ended;
  soonest_ms_ = never;
  for (auto& each : entries_) {
    if (each.second.is_stale || each.second.expires_ms == no_expiry) continue;
    if (is_over(each.second.expires_ms, now_ms)) ended.push_back(&each);
    else note_expiry(each.second.expires_ms);
  }
  std::sort(ended.begin(), ended.end(), [](const auto* one, const auto* other) {
    return std::tie(one->second.expires_ms, one->first) < std::tie(other->second.expires_ms, other->first);
  });
  for (auto* const each : ended) {
    each->second.is_stale = true;
    each->second.expires_ms = no_expiry;
    changes.push_back({each->first, Change::Kind::expired});
  }
  INVARIANT(is_time_dense() || now_ms <= soonest_ms_, "every key that is left is alive");
}

void Dict::note_expiry(MilliTicks expires_ms) {
  if (expires_ms != no_expiry && (is_time_dense() || expires_ms < soonest_ms_)) soonest_ms_ = expires_ms;
}

Dict::Entries::iterator Dict::find(std::string_view key) {
  return std::find_if(entries_.begin(), entries_.end(), [&](const auto& each) { return each.first == key; });
}

Dict::Entries::const_iterator Dict::find_living(std::string_view key) const {
  return std::find_if(entries_.begin(), entries_.end(),
                      [&](const auto& each) { return each.first == key && !each.second.is_stale; });
}

Dict::Entries::iterator Dict::touch(Entries::iterator place) {
  if (place == entries_.end()) return place;
  std::rotate(entries_.begin(), place, place + 1);
  return entries_.begin();
}

void Dict::free_ended(const Invocation& in) {
  for (int i = 0; i < 2; ++i)
    if (!free_last_if_ended(in)) return;
}

bool Dict::free_last_if_ended(const Invocation& in) {
  if (entries_.empty()) return false;
  const Entry& last = entries_.back().second;
  if (!last.is_stale && (last.expires_ms == no_expiry || last.expires_ms > in.now_ms)) return false;
  erase(entries_.end() - 1, Change::Kind::expired, in.changes);
  return true;
}

void Dict::erase(Entries::iterator place, Change::Kind kind, Changes& changes) {
  if (!place->second.is_stale) changes.push_back({place->first, kind});
  used_ -= room_for(place->first, place->second.value);
  entries_.erase(place);
}

Dict::Stored Dict::put(const Invocation& in, Entries::iterator place, std::string value,
                       MilliTicks expires_ms, bool is_safe) {
  const bool is_there = place != entries_.end();
  const bool is_living = is_there && !place->second.is_stale;
  const std::size_t room = room_for(in.key(), value);
  Stored stored = Stored::easily;
  if (!is_there || room != room_for(in.key(), place->second.value)) {
    // The old value goes before there is room for the new one: when there is none, both are lost.
    if (is_there) {
      used_ -= room_for(in.key(), place->second.value);
      entries_.erase(place);
    }
    stored = make_room(in, room, is_safe);
    if (stored == Stored::no_memory) {
      if (is_living) in.changes.push_back({std::string(in.key()), Change::Kind::removed});
      return stored;
    }
    place = entries_.insert(entries_.begin(), {std::string(in.key()), Entry{}});
    used_ += room;
  }
  place->second = Entry{std::move(value), expires_ms, false};
  note_expiry(expires_ms);
  in.changes.push_back(
      {std::string(in.key()), is_living ? Change::Kind::overwritten : Change::Kind::created});
  return stored;
}

Dict::Stored Dict::make_room(const Invocation& in, std::size_t room, bool is_safe) {
  Stored stored = Stored::easily;
  for (int round = 0; used_ + room > capacity_; ++round) {
    if (is_safe || round == eviction_rounds || entries_.empty()) return Stored::no_memory;
    erase(entries_.end() - 1, Change::Kind::removed, in.changes);
    free_ended(in);
    stored = Stored::forcibly;
  }
  return stored;
}

std::optional<WallTime> Dict::next_expiry() const {
  MilliTicks soonest = never;
  if (soonest_ms_ == never) return std::nullopt;
  for (const auto& [key, entry] : entries_)
    if (!entry.is_stale && entry.expires_ms != no_expiry) soonest = std::min(soonest, entry.expires_ms);
  return soonest == never ? std::nullopt : last_instant(soonest);
}

bool Dict::is_empty() const {
  return std::all_of(entries_.begin(), entries_.end(), [](const auto& each) { return each.second.is_stale; });
}

void Dict::restart() {
  entries_.clear();
  used_ = 0;
  soonest_ms_ = never;
}

std::optional<std::string> Dict::value_of(std::string_view key) const {
  const auto place = find_living(key);
  return place == entries_.end() ? std::nullopt : std::optional(place->second.value);
}

std::optional<WallTime> Dict::expiry_of(std::string_view key) const {
  const auto place = find_living(key);
  return place == entries_.end() ? std::nullopt : last_instant(place->second.expires_ms);
}

}  // namespace holdfast::shdict
