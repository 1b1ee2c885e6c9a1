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
    nodes_[place].item = item;
    nodes_[place].due = due;
    append(place);
    return place;
  }
  void remove(Place place) {
    const std::uint64_t due = nodes_[place].due;
    const unsigned wheel = wheel_of(due);
    if (wheel == 0) unlink(near_, slot_of(due, 0), place);
    else unlink(far_[wheel - 1], slot_of(due, wheel), place);
    release(place);
  }
  // The earliest; `never` when there is nothing.
  Instant next() const {
    if (const std::size_t slot = near_.next_from(slot_of(time_, 0)); slot != none)
      return instant(nodes_[near_.first(slot)].due);
    for (unsigned wheel = 1; wheel < wheels; ++wheel)
      if (const std::size_t slot = far_[wheel - 1].next_from(slot_of(time_, wheel)); slot != none)
        return instant(earliest_in(far_[wheel - 1].first(slot)));
    return never;
  }
  // Takes out what is due at `now`, in the order in which it was added: take(item).
  // REQUIRES: nothing is due before.
  template <class Take>
  void come_to(Instant now, const Take& take) {
    enter(ticks(now));
    const std::size_t slot = slot_of(time_, 0);
    if (near_.is_used(slot))
      take_all(near_, slot, [&](Place place) {
        take(nodes_[place].item);
        release(place);
      });
  }
  // Shows what is due next, if that comes soon: visit(item).
  template <class Visit>
  void visit_next(const Visit& visit) const {
    const std::size_t slot = near_.next_from(slot_of(time_, 0));
    if (slot == none) return;
    const Place first = near_.first(slot);
    Place at = first;
    do {
      visit(nodes_[at].item);
      at = nodes_[at].next;
    } while (at != first);
  }

 private:
  static constexpr unsigned near_bits = 14;
  static constexpr unsigned far_bits = 10;
  static constexpr unsigned wheels = 7;
  // Of the width of a slot in microseconds, the logarithm: all slots of a wheel together are as wide as two
  // of the next.
  static constexpr unsigned shift_of(unsigned wheel) {
    return wheel == 0 ? 0 : near_bits - 1 + (far_bits - 1) * (wheel - 1);
  }
  static constexpr std::size_t none = ~std::size_t{0};
  static_assert(shift_of(wheels - 1) + far_bits - 1 >= 63, "time ends in the last wheel");

  // The items of a slot form a ring, in the order in which they came.
  struct Node {
    Item item;
    std::uint64_t due;
    Place next;
    Place previous;
  };

  // The slots of one wheel: which are used, and their first nodes.
  template <unsigned bits>
  class Slots {
   public:
    // What nobody uses is not even written to.
    Slots() {}  // NOLINT(modernize-use-equals-default)
    bool is_used(std::size_t slot) const { return (used_[slot / 64] >> slot % 64 & 1) != 0; }
    Place& first(std::size_t slot) { return first_[slot]; }
    Place first(std::size_t slot) const { return first_[slot]; }
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
    std::array<Place, count> first_;                                 // of used slots
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
  std::uint64_t earliest_in(Place first) const {
    std::uint64_t due = nodes_[first].due;
    for (Place at = nodes_[first].next; at != first; at = nodes_[at].next)
      due = std::min(due, nodes_[at].due);
    return due;
  }
  Place new_place() {
    if (const Place place = free_; place != nowhere) {
      free_ = nodes_[place].next;
      return place;
    }
    nodes_.emplace_back();
    return static_cast<Place>(nodes_.size() - 1);
  }
  void release(Place place) { nodes_[place].next = std::exchange(free_, place); }
  void append(Place place) {
    const std::uint64_t due = nodes_[place].due;
    const unsigned wheel = wheel_of(due);
    if (wheel == 0) append(near_, slot_of(due, 0), place);
    else append(far_[wheel - 1], slot_of(due, wheel), place);
  }
  template <unsigned bits>
  void append(Slots<bits>& slots, std::size_t slot, Place place) {
    Node& node = nodes_[place];
    if (!slots.is_used(slot)) {
      slots.use(slot);
      slots.first(slot) = node.next = node.previous = place;
      return;
    }
    const Place first = slots.first(slot);
    node.next = first;
    node.previous = std::exchange(nodes_[first].previous, place);
    nodes_[node.previous].next = place;
  }
  template <unsigned bits>
  void unlink(Slots<bits>& slots, std::size_t slot, Place place) {
    const Node& node = nodes_[place];
    if (node.next == place) return slots.clear(slot);
    if (slots.first(slot) == place) slots.first(slot) = node.next;
    nodes_[node.next].previous = node.previous;
    nodes_[node.previous].next = node.next;
  }
  // Empties a used slot: take(place).
  template <unsigned bits, class Take>
  void take_all(Slots<bits>& slots, std::size_t slot, const Take& take) {
    const Place first = slots.first(slot);
    slots.clear(slot);
    Place at = first;
    do {
      const Place next = nodes_[at].next;
      take(at);
      at = next;
    } while (at != first);
  }
  void enter(std::uint64_t now) {
    const std::uint64_t before = std::exchange(time_, now);
    for (unsigned wheel = 1; wheel < wheels && before >> shift_of(wheel) != now >> shift_of(wheel); ++wheel)
      for (const std::uint64_t ahead : {0, 1}) {
        const std::size_t slot = slot_of(now + (ahead << shift_of(wheel)), wheel);
        if (far_[wheel - 1].is_used(slot))
          take_all(far_[wheel - 1], slot, [this](Place place) { append(place); });
      }
  }

  std::uint64_t time_ = 0;
  Place free_ = nowhere;        // the first free place; its link leads on
  std::vector<Node> nodes_{1};  // by place
  Slots<near_bits> near_;
  std::array<Slots<far_bits>, wheels - 1> far_;
};

}  // namespace holdfast
