// What steps have led to that are about one client alone, or about nobody but time: whoever comes to such a
// step again knows the state behind it without taking it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/explore/outline.hpp"
#include "sim/explore/run.hpp"
#include "sim/trace/digest.hpp"

namespace holdfast {

// What of an Outline a step of one client changes beside the digests.
struct Sequel {
  static constexpr std::size_t most_events = 3;
  static constexpr std::size_t most_picks = 4;
  Digest keys;
  // The client's, afterwards: first those that were to come before.
  std::array<Outline::Event, most_events> events{};
  std::array<std::uint8_t, most_picks> picks{};  // what the step was answered
  std::uint8_t event_count = 0;
  std::uint8_t pick_count = 0;
  std::uint8_t kept = 0;  // bit i: its event number i is still to come
  bool holds = false;
  bool is_finished = false;
  bool operator==(const Sequel&) const = default;
};

// What the last step of a run did to its mover, of whose events those with these numbers were to come before.
// nullopt: more than fits in here. REQUIRES: the step concerned nobody else.
std::optional<Sequel> sequel_of(const Run& run, ClientId mover, std::span<const std::uint64_t> numbers,
                                std::span<const std::uint8_t> picks);
// All that one step leads to: one effect for each combination of answers to what it asks.
// The first lies in the first line of a cache.
struct alignas(64) Effects {
  static constexpr std::size_t most = 3;
  static constexpr std::uint32_t no_sequels = ~std::uint32_t{0};

  Effects() = default;
  // `step` is the digest of everything that it depends on.
  explicit Effects(Digest step) : key(step) {}
  // Whether all of them fit in here and concern one client alone.
  bool are_local() const { return are_local_; }
  // nullopt: it concerns others, too.
  void add(const std::optional<Effect>& effect) {
    are_local_ &= effect.has_value() && count_ < most;
    if (are_local_) effects_[count_++] = *effect;
  }
  std::span<const Effect> all() const { return {effects_.data(), count_}; }
  // Where the Sequels are that belong to them, if they are known.
  std::uint32_t sequels() const { return sequels_; }
  bool have_sequels() const { return sequels_ != no_sequels; }
  void set_sequels(std::uint32_t at) { sequels_ = at; }
  bool operator==(const Effects& other) const {
    if (!are_local_ || !other.are_local_) return are_local_ == other.are_local_;
    return std::ranges::equal(all(), other.all());
  }

  Digest key;

 private:
  std::uint8_t count_ = 0;
  bool are_local_ = true;
  std::uint32_t sequels_ = no_sequels;
  std::array<Effect, most> effects_{};
};
using Sequels = std::array<Sequel, Effects::most>;
// `to` becomes the state behind the step that begins with event number `taken` of `from`.
void follow(const Outline& from, std::size_t taken, const Effect& effect, const Sequel& sequel, Outline& to);

// One place for each key; something new may take the place of something old. Grows up to a limit as it fills.
// `Entry` has a key; no key is all zero.
template <class Entry>
class Places {
 public:
  const Entry& operator[](Digest key) const { return entries_[key.low & (entries_.size() - 1)]; }
  bool has(Digest key) const { return (*this)[key].key == key; }
  void prefetch(Digest key) const { __builtin_prefetch(&(*this)[key]); }
  // Where to put a new one.
  Entry& make_place(Digest key) {
    Entry* place = &entries_[key.low & (entries_.size() - 1)];
    if (place->key != Digest{}) return *place;
    if (4 * ++used_ > entries_.size() && entries_.size() < capacity_max) {
      std::vector<Entry> before(4 * entries_.size());
      before.swap(entries_);
      for (const Entry& each : before) entries_[each.key.low & (entries_.size() - 1)] = each;
      place = &entries_[key.low & (entries_.size() - 1)];
    }
    return *place;
  }

 private:
  static constexpr std::size_t capacity_max = std::size_t{1} << 17;
  std::vector<Entry> entries_ = std::vector<Entry>(std::size_t{1} << 8);
  std::size_t used_ = 0;
};

// One for each thread.
class StepMemo {
 public:
  void prefetch(Digest step) const { places_.prefetch(step); }
  bool is_known(Digest step) const { return places_.has(step); }
  // Empty when it is not known, or not local.
  std::span<const Effect> effects_of(Digest step) const {
    const Effects& entry = places_[step];
    return entry.key == step && entry.are_local() ? entry.all() : std::span<const Effect>();
  }
  // One for each of effects_of(); none where they are not known.
  std::span<const Sequel> sequels_of(Digest step) const {
    if (!has_sequels(step)) return {};
    const Effects& entry = places_[step];
    return {sequels_[entry.sequels()].data(), entry.all().size()};
  }
  bool has_sequels(Digest step) const { return places_.has(step) && places_[step].have_sequels(); }
  // REQUIRES: has_sequels(step).
  void prefetch_sequels(Digest step) const {
    const auto* const first = reinterpret_cast<const char*>(&sequels_[places_[step].sequels()]);
    __builtin_prefetch(first);
    __builtin_prefetch(first + 64);
  }
  // `sequels`: nullptr where they are not known. False when something else was known of the step.
  bool learn(const Effects& effects, const Sequels* sequels) {
    if (is_known(effects.key)) {
      const Effects& known = places_[effects.key];
      if (!(known == effects) || known.have_sequels() != (sequels != nullptr)) return false;
      return sequels == nullptr || sequels_[known.sequels()] == *sequels;
    }
    Effects& place = places_.make_place(effects.key);
    std::uint32_t at = place.sequels();
    place = effects;
    if (sequels == nullptr && at != Effects::no_sequels) free_.push_back(at);
    if (sequels == nullptr) return true;
    if (at == Effects::no_sequels && !free_.empty()) {
      at = free_.back();
      free_.pop_back();
    } else if (at == Effects::no_sequels) {
      at = static_cast<std::uint32_t>(sequels_.size());
      sequels_.emplace_back();
    }
    sequels_[at] = *sequels;
    place.set_sequels(at);
    return true;
  }

 private:
  Places<Effects> places_;
  std::vector<Sequels> sequels_;
  std::vector<std::uint32_t> free_;  // of sequels_
};

// What becomes of a part while nothing but time passes. One for each thread.
class PassageMemo {
 public:
  // `to` becomes the outline of the state in which `length` more microseconds have passed. False when that is
  // not known, and when something else may happen meanwhile.
  bool pass(const Outline& from, std::uint32_t length, Outline& to) const {
    const Entry* const rest = find(key_of_rest(from, length));
    if (rest == nullptr) return false;
    to = from;
    to.rest = rest->part;
    to.all = Digest{};
    for (std::uint32_t client = 0; client < to.parts.size(); ++client) {
      const Entry* const entry = find(key_of_part(from, client, length));
      if (entry == nullptr) return false;
      to.parts[client] = entry->part;
      to.all = sum(to.all, entry->part);
      std::size_t next = 0;
      for (Outline::Event& event : to.events)
        if (event.client == client) event.digest = entry->events[next++];
    }
    for (Outline::Event& event : to.events) {
      event.earliest -= std::min(event.earliest, length);
      event.latest -= std::min(event.latest, length);
    }
    to.note_orders();
    return true;
  }
  // Nothing but time has passed between the two. False when something else was known of it.
  bool learn(const Outline& before, std::uint32_t length, const Outline& after) {
    bool is_sound = learn({key_of_rest(before, length), after.rest});
    for (std::uint32_t client = 0; client < after.parts.size(); ++client) {
      Entry entry{key_of_part(before, client, length), after.parts[client]};
      std::size_t count = 0;
      for (const Outline::Event& event : after.events) {
        if (event.client != client) continue;
        if (count == entry.events.size()) return is_sound;
        entry.events[count++] = event.digest;
      }
      is_sound &= learn(entry);
    }
    return is_sound;
  }

 private:
  struct alignas(64) Entry {
    Digest key;
    Digest part;                                       // afterwards
    std::array<Digest, Sequel::most_events> events{};  // the client's, afterwards
  };
  static Digest key_of_part(const Outline& from, std::uint32_t client, std::uint32_t length) {
    return mix(sum(from.part_in_order(client), {from.mode, 0}), length);
  }
  static Digest key_of_rest(const Outline& from, std::uint32_t length) {
    return mix(sum(from.rest, {from.mode, 1}), length);
  }
  const Entry* find(Digest key) const { return places_.has(key) ? &places_[key] : nullptr; }
  bool learn(const Entry& entry) {
    if (const Entry* const known = find(entry.key))
      return known->part == entry.part && known->events == entry.events;
    places_.make_place(entry.key) = entry;
    return true;
  }

  Places<Entry> places_;
};

}  // namespace holdfast
