#include "sim/stores/redis/keyspace.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <tsl/robin_set.h>

#include "sim/core/invariant.hpp"

namespace holdfast::redis {

// A row is looked at only when the hash of its key, of which the index keeps a part, is the right one.
struct Keyspace::Index {
  struct Named {
    Row* row;
  };
  struct Hash : tsl::robin_set<std::string_view>::hasher {
    using is_transparent = void;
    using tsl::robin_set<std::string_view>::hasher::operator();
    std::size_t operator()(Named named) const { return (*this)(std::string_view(named.row->key)); }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(Named one, Named other) const { return one.row == other.row; }
    bool operator()(Named named, std::string_view key) const { return named.row->key == key; }
  };
  tsl::robin_set<Named, Hash, Equal, std::allocator<Named>, true> rows;
};

Keyspace::Keyspace() = default;
Keyspace::~Keyspace() = default;
Keyspace::Keyspace(Keyspace&&) noexcept = default;

Keyspace::Keyspace(const Keyspace& other) : soonest_ms_(other.soonest_ms_) {
  other.visit([this](const std::string& key, const Entry& entry) {
    insert(std::make_unique<Row>(Row{key, entry}));
  });
}

Keyspace& Keyspace::operator=(Keyspace other) noexcept {
  rows_.swap(other.rows_);
  index_.swap(other.index_);
  soonest_ms_ = other.soonest_ms_;
  return *this;
}

Keyspace::Row* Keyspace::row_among_many(std::string_view key) {
  const auto found = index_->rows.find(key);
  return found == index_->rows.end() ? nullptr : found->row;
}

void Keyspace::insert(std::unique_ptr<Row> row) {
  if (index_ == nullptr && rows_.size() == few) {
    index_ = std::make_unique<Index>();
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
      rows_[i]->place = i;
      index_->rows.insert({rows_[i].get()});
    }
  }
  if (index_ != nullptr) {
    row->place = static_cast<std::uint32_t>(rows_.size());
    index_->rows.insert({row.get()});
    rows_.push_back(std::move(row));
    return;
  }
  const auto after =
      std::find_if(rows_.begin(), rows_.end(), [&](const auto& each) { return row->key < each->key; });
  rows_.insert(after, std::move(row));
}

void Keyspace::erase(Row& row) {
  if (index_ == nullptr) {
    std::erase_if(rows_, [&](const auto& each) { return each.get() == &row; });
    return;
  }
  index_->rows.erase(Index::Named{&row});
  std::unique_ptr<Row>& gap = rows_[row.place];
  std::swap(gap, rows_.back());
  gap->place = row.place;
  rows_.pop_back();
}

void Keyspace::sort() const {
  std::sort(rows_.begin(), rows_.end(),
            [](const auto& one, const auto& other) { return one->key < other->key; });
  for (std::uint32_t i = 0; i < rows_.size(); ++i) rows_[i]->place = i;
}

void Keyspace::put(std::string_view key, Entry* there, Value value, MilliTicks expires_ms, Changes& changes) {
  if (there != nullptr) {
    there->value = std::move(value);
    there->expires_ms = expires_ms;
    report(key, Change::Kind::overwritten, changes);
  } else {
    insert(std::make_unique<Row>(Row{std::string(key), {std::move(value), expires_ms}}));
    report(key, Change::Kind::created, changes);
  }
  note_expiry(expires_ms);
}

void Keyspace::set_expiry(std::string_view key, Entry& entry, MilliTicks expires_ms, Changes& changes) {
  INVARIANT(expires_ms >= no_expiry, "an expiry before the epoch removes the key instead");
  entry.expires_ms = expires_ms;
  note_expiry(expires_ms);
  report(key, Change::Kind::ttl_changed, changes);
}

bool Keyspace::remove(std::string_view key, Changes& changes) {
  Row* const found = row_of(key);
  if (found == nullptr) return false;
  report(key, Change::Kind::removed, changes);
  erase(*found);
  return true;
}

void Keyspace::remove_all(Changes& changes) {
  visit([&](const std::string& key, const Entry&) { report(key, Change::Kind::removed, changes); });
  rows_.clear();
  index_.reset();
  soonest_ms_ = never;
}

void Keyspace::expire(MilliTicks now_ms, Changes& changes) {
  std::vector<Row*> dead;
  soonest_ms_ = never;
  for (const auto& row : rows_) {
    const MilliTicks expires_ms = row->entry.expires_ms;
    if (expires_ms != no_expiry && is_over(expires_ms, now_ms)) dead.push_back(row.get());
    else note_expiry(expires_ms);
  }
  std::sort(dead.begin(), dead.end(), [](const Row* one, const Row* other) {
    return std::tie(one->entry.expires_ms, one->key) < std::tie(other->entry.expires_ms, other->key);
  });
  for (Row* const row : dead) {
    report(row->key, Change::Kind::expired, changes);
    erase(*row);
  }
  INVARIANT(is_time_dense() || now_ms <= soonest_ms_, "every key that is left is alive");
}

std::optional<MilliTicks> Keyspace::next_expiry() const {
  std::optional<MilliTicks> soonest;
  if (soonest_ms_ == never) return soonest;
  for (const auto& row : rows_) {
    const MilliTicks expires_ms = row->entry.expires_ms;
    if (expires_ms != no_expiry && (!soonest || expires_ms < *soonest)) soonest = expires_ms;
  }
  return soonest;
}

}  // namespace holdfast::redis
