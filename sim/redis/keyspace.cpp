#include "sim/redis/keyspace.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "sim/core/invariant.hpp"

namespace holdfast::redis {

Keyspace::Entries::iterator Keyspace::place_among_many(std::string_view key) {
  if (index_ == nullptr) {
    index_ = std::make_unique<Index>();
    for (auto each = entries_.begin(); each != entries_.end(); ++each) index_->emplace(each->first, each);
  }
  const auto found = index_->find(key);
  return found == index_->end() ? entries_.end() : found->second;
}

void Keyspace::erase(Entries::iterator place) {
  if (index_ != nullptr) index_->erase(place->first);
  entries_.erase(place);
}

void Keyspace::put(std::string_view key, Entry* there, Value value, std::int64_t expires_ms,
                   Changes& changes) {
  if (there != nullptr) {
    there->value = std::move(value);
    there->expires_ms = expires_ms;
    report(key, Change::Kind::overwritten, changes);
  } else {
    const auto made = entries_.emplace(std::piecewise_construct, std::forward_as_tuple(key),
                                       std::forward_as_tuple(std::move(value), expires_ms));
    if (index_ != nullptr) index_->emplace(made.first->first, made.first);
    report(key, Change::Kind::created, changes);
  }
  note_expiry(expires_ms);
}

void Keyspace::set_expiry(std::string_view key, Entry& entry, std::int64_t expires_ms, Changes& changes) {
  INVARIANT(expires_ms >= no_expiry, "an expiry before the epoch removes the key instead");
  entry.expires_ms = expires_ms;
  note_expiry(expires_ms);
  report(key, Change::Kind::ttl_changed, changes);
}

bool Keyspace::remove(std::string_view key, Changes& changes) {
  const auto found = place_of(key);
  if (found == entries_.end()) return false;
  report(key, Change::Kind::removed, changes);
  erase(found);
  return true;
}

void Keyspace::remove_all(Changes& changes) {
  for (const auto& [key, entry] : entries_) report(key, Change::Kind::removed, changes);
  entries_.clear();
  index_.reset();
  soonest_ms_ = never;
}

void Keyspace::expire(std::int64_t now_ms, Changes& changes) {
  std::vector<Entries::iterator> dead;
  soonest_ms_ = never;
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    const std::int64_t expires_ms = entry->second.expires_ms;
    if (expires_ms != no_expiry && now_ms > expires_ms) dead.push_back(entry);
    else note_expiry(expires_ms);
  }
  std::sort(dead.begin(), dead.end(), [](auto one, auto other) {
    return std::pair(one->second.expires_ms, std::string_view(one->first)) <
           std::pair(other->second.expires_ms, std::string_view(other->first));
  });
  for (const auto entry : dead) {
    report(entry->first, Change::Kind::expired, changes);
    erase(entry);
  }
  INVARIANT(now_ms <= soonest_ms_, "whoever is left is alive");
}

std::optional<std::int64_t> Keyspace::next_expiry() const {
  std::optional<std::int64_t> soonest;
  if (soonest_ms_ == never) return soonest;
  for (const auto& [key, entry] : entries_) {
    if (entry.expires_ms == no_expiry) continue;
    if (!soonest || entry.expires_ms < *soonest) soonest = entry.expires_ms;
  }
  return soonest;
}

}  // namespace holdfast::redis
