// What is not due yet, by the instant at which it will be. For runs with very much of it: whatever is done
// here takes the same time, however much there is.
//
// Wheels of slots. A slot of the first is one microsecond; it holds what comes in this stretch of time or in
// the next (8 ms each). A slot of every further wheel is a whole stretch of the one before, and holds what
// comes after the next: when time enters the stretch before, that moves to a nearer wheel.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/core/fetch.hpp"
#include "sim/core/invariant.hpp"
#include "sim/core/units.hpp"
#include "sim/trace/event.hpp"

namespace holdfast {

// An item is told where it is, whenever that changes: item.stays_at(place).
template <class Item>
class Agenda {
 public:
  // Where an item is, until it is taken or removed.
  using Place = std::uint32_t;
  static constexpr Place nowhere = 0;

  // REQUIRES: `at` is not before the time.
  void add(Instant at, const Item& item) {
    const std::uint64_t due = ticks(at);
    INVARIANT(at != never && due >= time_, "an agenda is about the future");
    append(item, due);
  }
  void remove(Place place) {
    const std::uint64_t due = chunks_[chunk_of(place)].entries[place % row].due;
    const unsigned wheel = wheel_of(due);
    if (wheel == 0) remove(near_, slot_of(due, 0), place);
    else remove(far_[wheel - 1], slot_of(due, wheel), place);
  }
  // The earliest; `never` when there is nothing.
  Instant next() const {
    if (const std::size_t slot = near_.next_from(slot_of(time_, 0)); slot != none)
      return instant(time_ + ((slot - slot_of(time_, 0)) & near_mask));
    for (unsigned wheel = 1; wheel < wheels; ++wheel)
      if (const std::size_t slot = far_[wheel - 1].next_from(slot_of(time_, wheel)); slot != none)
        return instant(earliest_in(chunk_of(far_[wheel - 1].last(slot))));
    return never;
  }
  // Takes out what is due at `now`, in the order in which it was added: take(item).
  // REQUIRES: nothing is due before.
  template <class Take>
  void come_to(Instant now, const Take& take) {
    enter(ticks(now));
    const std::size_t slot = slot_of(time_, 0);
    if (near_.is_used(slot)) take_all(near_, slot, [&](const Entry& entry) { take(entry.item); });
  }
  // How far somebody has looked who goes through what is due, ahead of time.
  struct Preview {
    std::uint64_t due = 0;
    std::uint32_t chunk = 0;
    std::uint32_t index = 0;
  };
  // What is due next after all that was seen; null when nothing more is within some 8 ms. What was added
  // behind what was seen is passed over, and what was removed meanwhile may still be shown.
  const Item* look_further(Preview& seen) const {
    while (seen.index >= chunks_[seen.chunk].size)
      if (!turn_over(seen)) return nullptr;
    return &chunks_[seen.chunk].entries[seen.index++].item;
  }
  // When it is, or was, due.
  static Instant due(const Preview& seen) { return instant(seen.due); }

 private:
  static constexpr unsigned near_bits = 14;
  static constexpr unsigned far_bits = 10;
  static constexpr unsigned wheels = 7;
  // Of the width of a slot in microseconds, the logarithm: all slots of a wheel together are as wide as two
  // of the next.
  static constexpr unsigned shift_of(unsigned wheel) {
    return wheel == 0 ? 0 : near_bits - 1 + (far_bits - 1) * (wheel - 1);
  }
  static constexpr std::size_t near_mask = (std::size_t{1} << near_bits) - 1;
  static constexpr std::size_t none = ~std::size_t{0};
  static_assert(shift_of(wheels - 1) + far_bits - 1 >= 63, "time ends in the last wheel");

  struct Entry {
    Item item;
    std::uint64_t due;
  };
  // The items of a slot, in the order in which they came, are in chunks that form a ring.
  using ChunkNumber = std::uint32_t;
  static constexpr std::uint32_t chunk_size = 6;
  struct Chunk {
    std::size_t size = 0;
    ChunkNumber next = 0;
    ChunkNumber before = 0;
    std::array<Entry, chunk_size> entries;
  };
  static constexpr std::uint32_t row = 8;  // so many places in a row are one chunk's, if it has so many
  static ChunkNumber chunk_of(Place place) { return place / row; }

  // The slots of one wheel: which are used, and where their last entries are.
  template <unsigned bits>
  class Slots {
   public:
    // What nobody uses is not even written to.
    Slots() {}  // NOLINT(modernize-use-equals-default)
    bool is_used(std::size_t slot) const { return (used_[slot / 64] >> slot % 64 & 1) != 0; }
    Place& last(std::size_t slot) { return last_[slot]; }
    Place last(std::size_t slot) const { return last_[slot]; }
    void use(std::size_t slot) {
      used_[slot / 64] |= std::uint64_t{1} << slot % 64;
      words_used_[slot / 4096] |= std::uint64_t{1} << slot / 64 % 64;
    }
    void clear(std::size_t slot) {
      if ((used_[slot / 64] &= ~(std::uint64_t{1} << slot % 64)) == 0)
        words_used_[slot / 4096] &= ~(std::uint64_t{1} << slot / 64 % 64);
    }
    // The first used one from `slot` on, around the wheel; `none` when there is none.
    std::size_t next_from(std::size_t slot) const {
      if (const std::uint64_t rest = used_[slot / 64] >> slot % 64; rest != 0)
        return slot + zeros_below(rest);
      const std::size_t word = next_word_from((slot / 64 + 1) % used_.size());
      return word == none ? none : word * 64 + zeros_below(used_[word]);
    }

   private:
    static constexpr std::size_t count = std::size_t{1} << bits;
    static std::size_t zeros_below(std::uint64_t word) {
      return static_cast<std::size_t>(std::countr_zero(word));
    }
    std::size_t next_word_from(std::size_t word) const {
      std::size_t group = word / 64;
      if (const std::uint64_t rest = words_used_[group] >> word % 64; rest != 0)
        return word + zeros_below(rest);
      for (std::size_t i = 0; i < words_used_.size(); ++i) {
        group = (group + 1) % words_used_.size();
        if (words_used_[group] != 0) return group * 64 + zeros_below(words_used_[group]);
      }
      return none;
    }
    std::array<std::uint64_t, count / 64> used_{};                   // bit i: slot i
    std::array<std::uint64_t, (count + 4095) / 4096> words_used_{};  // bit i: word i of the above
    std::array<Place, count> last_;                                  // of used slots
  };

  static std::uint64_t ticks(Instant at) { return static_cast<std::uint64_t>(at.time_since_epoch().count()); }
  static Instant instant(std::uint64_t ticks) { return Instant(Duration(static_cast<Duration::rep>(ticks))); }
  // The nearest wheel that reaches so far.
  unsigned wheel_of(std::uint64_t due) const {
    unsigned wheel = 0;
    while (wheel + 1 < wheels && (due >> shift_of(wheel + 1)) - (time_ >> shift_of(wheel + 1)) > 1) ++wheel;
    return wheel;
  }
  static std::size_t slot_of(std::uint64_t due, unsigned wheel) {
    return due >> shift_of(wheel) & ((std::size_t{1} << (wheel == 0 ? near_bits : far_bits)) - 1);
  }
  template <class Visit>
  void visit_entries(ChunkNumber last, const Visit& visit) const {
    ChunkNumber at = last;
    do {
      at = chunks_[at].next;
      for (std::size_t i = 0; i < chunks_[at].size; ++i) visit(chunks_[at].entries[i]);
    } while (at != last);
  }
  std::uint64_t earliest_in(ChunkNumber last) const {
    std::uint64_t due = chunks_[last].entries[0].due;
    visit_entries(last, [&](const Entry& entry) { due = std::min(due, entry.due); });
    return due;
  }
  // To the next chunk, if there is one. What will be the next then is fetched.
  bool turn_over(Preview& seen) const {
    const std::size_t slot = slot_of(seen.due, 0);
    if (seen.due > time_ && near_.is_used(slot) && seen.chunk != chunk_of(near_.last(slot))) {
      seen.chunk = chunks_[seen.chunk].next;
      seen.index = 0;
      fetch_chunk(chunks_[seen.chunk].next);
      return seen.chunk != 0;
    }
    const std::uint64_t from = std::max(seen.due, time_) + 1;
    const std::size_t next = near_.next_from(slot_of(from, 0));
    const std::uint64_t due = from + ((next - slot_of(from, 0)) & near_mask);
    if (next == none || due - time_ > near_mask) return false;
    seen.due = due;
    seen.chunk = first_chunk(next);
    seen.index = 0;
    fetch_chunk(chunks_[seen.chunk].next);
    // The first chunk of a slot is found through its last, which was fetched when the slot before was
    // entered.
    const std::size_t second = near_.next_from((next + 1) & near_mask);
    fetch_chunk(first_chunk(second));
    fetch_chunk(chunk_of(near_.last(near_.next_from((second + 1) & near_mask))));
    return true;
  }
  ChunkNumber first_chunk(std::size_t slot) const { return chunks_[chunk_of(near_.last(slot))].next; }
  void fetch_chunk(ChunkNumber chunk) const { fetch(&chunks_[chunk], sizeof(Chunk)); }
  ChunkNumber new_chunk() {
    if (const ChunkNumber made = free_; made != 0) {
      free_ = chunks_[made].next;
      return made;
    }
    chunks_.emplace_back();
    return static_cast<ChunkNumber>(chunks_.size() - 1);
  }
  // A ring of them.
  void release(ChunkNumber last) { free_ = std::exchange(chunks_[last].next, free_); }
  void append(const Item& item, std::uint64_t due) {
    const unsigned wheel = wheel_of(due);
    if (wheel == 0) append(near_, slot_of(due, 0), item, due);
    else append(far_[wheel - 1], slot_of(due, wheel), item, due);
  }
  // Puts it behind the last of a ring, which it may be itself, alone.
  void link(ChunkNumber made, ChunkNumber last) {
    const ChunkNumber next = made == last ? made : chunks_[last].next;
    chunks_[made].next = next;
    chunks_[made].before = last;
    chunks_[last].next = chunks_[next].before = made;
  }
  template <unsigned bits>
  void append(Slots<bits>& slots, std::size_t slot, const Item& item, std::uint64_t due) {
    const bool is_used = slots.is_used(slot);
    Place place = is_used ? slots.last(slot) + 1 : nowhere;
    if (!is_used || place % row == chunk_size) {
      const ChunkNumber made = new_chunk();
      link(made, is_used ? chunk_of(place) : made);
      slots.use(slot);
      place = made * row;
    }
    slots.last(slot) = place;
    // Written and not read: it may be far away.
    Chunk& last = chunks_[chunk_of(place)];
    last.entries[place % row] = {item, due};
    last.size = place % row + 1;
    item.stays_at(place);
  }
  template <unsigned bits>
  void remove(Slots<bits>& slots, std::size_t slot, Place place) {
    const ChunkNumber number = chunk_of(place);
    Chunk& chunk = chunks_[number];
    --chunk.size;
    for (std::size_t i = place % row; i < chunk.size; ++i) {
      chunk.entries[i] = chunk.entries[i + 1];
      chunk.entries[i].item.stays_at(number * row + static_cast<Place>(i));
    }
    const bool is_last = chunk_of(slots.last(slot)) == number;
    if (chunk.size > 0) {
      if (is_last) --slots.last(slot);
      return;
    }
    if (chunk.next == number) {
      slots.clear(slot);
    } else {
      chunks_[chunk.before].next = chunk.next;
      chunks_[chunk.next].before = chunk.before;
      if (is_last) slots.last(slot) = chunk.before * row + static_cast<Place>(chunks_[chunk.before].size) - 1;
    }
    chunk.next = std::exchange(free_, number);
  }
  // Empties a used slot: take(entry).
  template <unsigned bits, class Take>
  void take_all(Slots<bits>& slots, std::size_t slot, const Take& take) {
    const ChunkNumber last = chunk_of(slots.last(slot));
    slots.clear(slot);
    visit_entries(last, take);
    release(last);
  }
  void enter(std::uint64_t now) {
    const std::uint64_t before = std::exchange(time_, now);
    for (unsigned wheel = 1; wheel < wheels && before >> shift_of(wheel) != now >> shift_of(wheel); ++wheel)
      for (const std::uint64_t ahead : {0, 1}) {
        const std::size_t slot = slot_of(now + (ahead << shift_of(wheel)), wheel);
        if (far_[wheel - 1].is_used(slot))
          take_all(far_[wheel - 1], slot,
                   [this](Entry entry) { append(entry.item, entry.due); });  // a copy: the chunks may move
      }
  }

  std::uint64_t time_ = 0;
  ChunkNumber free_ = 0;          // the first free chunk; it leads on
  std::vector<Chunk> chunks_{1};  // the first is nowhere
  Slots<near_bits> near_;
  std::array<Slots<far_bits>, wheels - 1> far_;
};

}  // namespace holdfast
