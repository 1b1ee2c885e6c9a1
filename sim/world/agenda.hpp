// What is not due yet, by the instant at which it will be. For runs with very much of it: whatever is done
// here takes the same time, however much there is.
//
// A row of wheels with 1,024 slots each. A slot of the first wheel is one microsecond, a slot of every
// further one a whole turn of the wheel before. An item lies in the wheel of the highest digit (to the base
// 1,024) in which its instant differs from the time; when time enters its slot, it moves to a wheel before.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/core/invariant.hpp"
#include "sim/core/units.hpp"
#include "sim/trace/event.hpp"

namespace holdfast {

template <class Item>
class Agenda {
 public:
  // Where an item is, until it is taken or removed.
  using Place = std::uint32_t;
  static constexpr Place nowhere = 0;

  // REQUIRES: `at` is not before the time.
  Place add(Instant at, const Item& item) {
    const std::uint64_t due = ticks(at);
    INVARIANT(at != never && due >= time_, "an agenda is about the future");
    const Place place = new_place();
    links_[place].due = due;
    items_[place] = item;
    append(place);
    return place;
  }
  void remove(Place place) {
    unlink(place, slot_of(links_[place].due));
    release(place);
  }
  // The earliest; `never` when there is nothing.
  Instant next() const {
    if (used_ == 0) return never;
    const auto wheel = static_cast<unsigned>(std::countr_zero(used_));
    const Place first = first_[first_used(wheel).index()];
    std::uint64_t due = links_[first].due;
    if (wheel > 0)  // else all in the slot are due at once
      for (Place at = links_[first].next; at != first; at = links_[at].next)
        due = std::min(due, links_[at].due);
    return Instant(Duration(static_cast<Duration::rep>(due)));
  }
  // Takes out what is due at `now`, in the order in which it was added: take(place, item).
  // REQUIRES: nothing is due before.
  template <class Take>
  void come_to(Instant now, const Take& take) {
    enter(ticks(now));
    const Slot slot = slot_of(time_);
    const Place first = first_[slot.index()];
    if (first == nowhere) return;
    clear(slot);
    Place at = first;
    do {
      const Place next = links_[at].next;
      take(at, items_[at]);
      release(at);
      at = next;
    } while (at != first);
  }
  // Something that comes soon; null when that is hard to tell.
  const Item* soon() const { return used_ % 2 == 0 ? nullptr : &items_[first_[first_used(0).index()]]; }

 private:
  static constexpr unsigned bits = 10;
  static constexpr unsigned slots = 1u << bits;
  static constexpr unsigned wheels = (63 + bits - 1) / bits;
  static constexpr unsigned word_bits = 64;

  struct Slot {
    unsigned wheel;
    unsigned place;
    std::size_t index() const { return wheel * slots + place; }
  };
  // The items of a slot form a ring, in the order in which they came.
  struct Link {
    std::uint64_t due;
    Place next;
    Place previous;
  };

  static std::uint64_t ticks(Instant at) { return static_cast<std::uint64_t>(at.time_since_epoch().count()); }
  // REQUIRES: the wheel has an item.
  Slot first_used(unsigned wheel) const {
    const auto word = static_cast<unsigned>(std::countr_zero(words_used_[wheel]));
    return {wheel, word * word_bits + static_cast<unsigned>(std::countr_zero(slots_used_[wheel][word]))};
  }
  Slot slot_of(std::uint64_t due) const {
    const unsigned wheel = static_cast<unsigned>(std::bit_width((due ^ time_) | 1) - 1) / bits;
    return {wheel, static_cast<unsigned>(due >> wheel * bits) % slots};
  }
  Place new_place() {
    if (const Place place = free_; place != nowhere) {
      free_ = links_[place].next;
      return place;
    }
    links_.emplace_back();
    items_.emplace_back();
    return static_cast<Place>(items_.size() - 1);
  }
  void release(Place place) { links_[place].next = std::exchange(free_, place); }
  void append(Place place) {
    const Slot slot = slot_of(links_[place].due);
    Place& first = first_[slot.index()];
    if (first == nowhere) {
      first = links_[place].next = links_[place].previous = place;
      slots_used_[slot.wheel][slot.place / word_bits] |= std::uint64_t{1} << slot.place % word_bits;
      words_used_[slot.wheel] |= 1u << slot.place / word_bits;
      used_ |= 1u << slot.wheel;
      return;
    }
    Link& begin = links_[first];
    links_[place].next = first;
    links_[place].previous = begin.previous;
    links_[begin.previous].next = place;
    begin.previous = place;
  }
  void unlink(Place place, Slot slot) {
    const Link link = links_[place];
    Place& first = first_[slot.index()];
    if (link.next == place) return clear(slot);
    if (first == place) first = link.next;
    links_[link.next].previous = link.previous;
    links_[link.previous].next = link.next;
  }
  void clear(Slot slot) {
    first_[slot.index()] = nowhere;
    std::uint64_t& word = slots_used_[slot.wheel][slot.place / word_bits];
    word &= ~(std::uint64_t{1} << slot.place % word_bits);
    if (word != 0) return;
    words_used_[slot.wheel] &= ~(1u << slot.place / word_bits);
    if (words_used_[slot.wheel] == 0) used_ &= ~(1u << slot.wheel);
  }
  // Only what lies in the very slot that time enters comes nearer.
  void enter(std::uint64_t now) {
    const Slot entered = slot_of(now);
    time_ = now;
    const Place first = entered.wheel == 0 ? nowhere : first_[entered.index()];
    if (first == nowhere) return;
    clear(entered);
    Place at = first;
    do {
      const Place next = links_[at].next;
      append(at);
      at = next;
    } while (at != first);
  }

  std::uint64_t time_ = 0;
  std::uint32_t used_ = 0;                          // bit i: wheel i has an item
  std::array<std::uint32_t, wheels> words_used_{};  // by wheel; bit i: word i of its slots has a bit
  std::array<std::array<std::uint64_t, slots / word_bits>, wheels>
      slots_used_{};                           // bit i: slot i has an item
  std::array<Place, wheels * slots> first_{};  // by slot
  std::vector<Link> links_{1};                 // by place
  std::vector<Item> items_{1};                 // by place
  Place free_ = nowhere;                       // the first free place; its link leads on
};

}  // namespace holdfast
