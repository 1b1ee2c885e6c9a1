#include "sim/redis/redis.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "sim/redis/scripts.hpp"

namespace holdfast::redis {
namespace {

// A key lives through the whole millisecond that its expiry names.
std::optional<WallTime> last_instant(std::int64_t expires_ms) {
  if (expires_ms == no_expiry) return std::nullopt;
  if (expires_ms >= WallTime::max().time_since_epoch().count() / 1000) return WallTime::max();
  return WallTime(std::chrono::milliseconds(expires_ms) + 999us);
}

const std::string& text_of(const Value& value) { return std::get<std::string>(value); }

}  // namespace

Redis::Redis(Scripts& scripts) { server_.scripts = &scripts; }

Reply Redis::execute(const std::vector<std::string>& argv, WallTime now, std::vector<Change>& changes) {
  return execute_for_client(server_, argv, now, changes);
}

void Redis::expire_due(WallTime now, std::vector<Change>& changes) {
  server_.keys.expire_due(to_milliseconds(now.time_since_epoch()), changes);
}

std::optional<WallTime> Redis::next_expiry() const {
  const std::optional<std::int64_t> expires_ms = server_.keys.next_expiry();
  return expires_ms ? last_instant(*expires_ms) : std::nullopt;
}

bool Redis::is_empty() const { return server_.keys.entries().empty(); }

void Redis::restart() {
  server_.keys = Keyspace();
  server_.loaded.clear();
}

void Redis::visit(const Visitor& visitor) const {
  for (const auto& [key, entry] : server_.keys.entries())
    visitor(key, text_of(entry.value), last_instant(entry.expires_ms));
}

std::optional<std::string> Redis::value_of(std::string_view key) const {
  const auto found = server_.keys.entries().find(key);
  if (found == server_.keys.entries().end()) return std::nullopt;
  return text_of(found->second.value);
}

std::optional<WallTime> Redis::expiry_of(std::string_view key) const {
  const auto found = server_.keys.entries().find(key);
  return found == server_.keys.entries().end() ? std::nullopt : last_instant(found->second.expires_ms);
}

std::vector<std::string> Redis::loaded_scripts() const {
  std::vector<std::string> found;
  for (const Script* script : server_.loaded) found.push_back(script->sha);
  std::sort(found.begin(), found.end());
  return found;
}

std::uint64_t Redis::loaded_scripts_digest() const {
  std::uint64_t sum = 0;  // in any order: a set
  for (const Script* script : server_.loaded) {
    std::uint64_t word = 0;
    std::from_chars(script->sha.data(), script->sha.data() + 16, word, 16);
    sum += word;
  }
  return sum;
}

}  // namespace holdfast::redis
