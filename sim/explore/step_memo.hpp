// A cache of transitions that read and write one client only, or only let time pass: a search that meets
// such a step again takes its successor from here and does not execute it.
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

// The fields of an Outline that a step of one client changes, besides the digests.
struct Sequel {
  static constexpr std::size_t most_events = 3;
  static constexpr std::size_t most_picks = 4;
  Digest keys;
  // The client's events after the step: first those that were pending before it.
  std::array<Outline::Event, most_events> events{};
  std::array<std::uint8_t, most_picks> picks{};  // the answers that the step got
  std::uint8_t event_count = 0;
  std::uint8_t pick_count = 0;
  std::uint8_t kept = 0;  // bit i: its event number i is still pending
  bool holds = false;
  bool is_finished = false;
  bool owns = false;
  bool operator==(const Sequel&) const = default;
};

// What the last step of a run changed of its mover, whose events with these numbers were pending before it.
// nullopt: more than fits in here. REQUIRES: the step changed no other client.
std::optional<Sequel> sequel_of(const Run& run, ClientId mover, std::span<const std::uint64_t> numbers,
                                std::span<const std::uint8_t> picks);

// All successors of one step: one effect for each combination of answers to its questions.
// The first lies in the first line of a cache.
struct alignas(64) Effects {
  static constexpr std::size_t most = 3;

  Effects() = default;
  // `step` is the digest of everything that the step reads.
  explicit Effects(Digest step) : key(step) {}
  // Whether all of them fit in here and concern one client alone.
  bool are_local() const { return are_local_; }
  // nullopt: it changes other clients, too.
  void add(const std::optional<Effect>& effect) {
    are_local_ &= effect.has_value() && count_ < most;
    if (are_local_) effects_[count_++] = *effect;
    else count_ = 0;
  }
  // None when they are not local.
  std::span<const Effect> all() const { return {effects_.data(), count_}; }
  // Where a StepMemo keeps the Sequels that belong to them, if it does.
  std::uint32_t sequels() const { return sequels_; }
  bool have_sequels() const { return have_sequels_; }
  void set_sequels(std::uint32_t at) {
    sequels_ = at;
    have_sequels_ = true;
  }
  bool operator==(const Effects& other) const {
    return are_local_ == other.are_local_ && std::ranges::equal(all(), other.all());
  }

  Digest key;

 private:
  std::uint8_t count_ = 0;
  bool are_local_ = true;
  bool have_sequels_ = false;
  std::uint32_t sequels_ = 0;
  std::array<Effect, most> effects_{};
};
using Sequels = std::array<Sequel, Effects::most>;

// `to` becomes the state behind the step that begins with event number `taken` of `from`.
void follow(const Outline& from, std::size_t taken, const Effect& effect, const Sequel& sequel, Outline& to);

// Two places for each key, which it shares with others; when both are taken, something new takes the place of
// something old. Grows up to a limit as it fills. `Entry` has a key; no key is all zero.
template <class Entry>
class Places {
 public:
  // nullptr when it is not there.
  const Entry* find(Digest key) const {
    const Entry* const first = &entries_[first_place(key)];
    if (first->key == key) return first;
    const Entry* const second = &entries_[first_place(key) ^ 1];
    return second->key == key ? second : nullptr;
  }
  void prefetch(Digest key) const { __builtin_prefetch(&entries_[first_place(key)]); }
  // Where to put a new one.
  Entry& make_place(Digest key) {
    if (2 * used_ > entries_.size() && entries_.size() < capacity_max) grow();
    const std::size_t first = first_place(key);
    const std::size_t place =
        entries_[first].key != Digest{} && entries_[first ^ 1].key == Digest{} ? first ^ 1 : first;
    used_ += entries_[place].key == Digest{};
    return entries_[place];
  }
  void clear() {
    std::fill(entries_.begin(), entries_.end(), Entry());
    used_ = 0;
  }

 private:
  static constexpr std::size_t capacity_max = std::size_t{1} << 17;
  std::size_t first_place(Digest key) const { return key.low & (entries_.size() - 1); }
  void grow() {
    std::vector<Entry> before(2 * entries_.size());
    before.swap(entries_);
    used_ = 0;
    for (const Entry& each : before)
      if (each.key != Digest{}) make_place(each.key) = each;
  }

  std::vector<Entry> entries_ = std::vector<Entry>(std::size_t{1} << 8);
  std::size_t used_ = 0;
};

// One for each thread.
class StepMemo {
 public:
  // Room for all there will ever be: the system gives memory as it is used, and nothing moves.
  StepMemo() { sequels_.reserve(sequels_max + Effects::most); }
  void prefetch(Digest step) const { places_.prefetch(step); }
  // nullptr when the step is not known.
  const Effects* find(Digest step) const { return places_.find(step); }
  // One for each of its effects; none where they are not known.
  std::span<const Sequel> sequels_of(const Effects& effects) const {
    if (!effects.have_sequels()) return {};
    return {sequels_.data() + effects.sequels(), effects.all().size()};
  }
  void prefetch_sequels(const Effects& effects) const {
    const auto* const first = reinterpret_cast<const char*>(sequels_.data() + effects.sequels());
    __builtin_prefetch(first);
    __builtin_prefetch(first + 64);
  }
  // `sequels`: one for each of its effects, or none where they are not known. False when something else was
  // known of the step.
  bool learn(const Effects& effects, std::span<const Sequel> sequels) {
    if (const Effects* const known = find(effects.key))
      return *known == effects && std::ranges::equal(sequels_of(*known), sequels);
    if (sequels_.size() > sequels_max) {
      places_.clear();
      sequels_.clear();
    }
    Effects& place = places_.make_place(effects.key);
    place = effects;
    if (sequels.empty()) return true;
    place.set_sequels(static_cast<std::uint32_t>(sequels_.size()));
    sequels_.insert(sequels_.end(), sequels.begin(), sequels.end());
    return true;
  }

 private:
  // Then everything is forgotten.
  static constexpr std::size_t sequels_max = std::size_t{1} << 18;
  Places<Effects> places_;
  std::vector<Sequel> sequels_;
};

// How a part changes while only time passes. One for each thread.
class PassageMemo {
 public:
  // `to` becomes the outline of the state in which `length` more microseconds have passed. False when that is
  // not known, and when something else may happen meanwhile.
  bool pass(const Outline& from, std::uint32_t length, Outline& to) const {
    const Entry* const rest = places_.find(key_of_rest(from, length));
    if (rest == nullptr) return false;
    to = from;
    to.rest = rest->part;
    to.all = Digest{};
    for (std::uint32_t client = 0; client < to.parts.size(); ++client) {
      const Entry* const entry = places_.find(key_of_part(from, client, length));
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
  // Only time passed between the two. False when the cache has another result for it.
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
  bool learn(const Entry& entry) {
    if (const Entry* const known = places_.find(entry.key))
      return known->part == entry.part && known->events == entry.events;
    places_.make_place(entry.key) = entry;
    return true;
  }

  Places<Entry> places_;
};

}  // namespace holdfast
