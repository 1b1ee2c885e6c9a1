// From a text to what belongs to it, where there are many: a table with open addressing. It keeps neither the
// texts nor an order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::redis {

template <class Value>
class TextIndex {
 public:
  // nullptr when there is nothing of this text.
  const Value* find(std::string_view text) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[place_of(text)];
    return slot.is_free() ? nullptr : &slot.value;
  }
  // REQUIRES: nothing has this text yet, which outlives what is kept of it here.
  void insert(std::string_view text, Value value) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    slots_[place_of(text)] = Slot{text, value};
    ++size_;
  }
  // REQUIRES: it is there.
  void erase(std::string_view text) {
    std::size_t gap = place_of(text);
    slots_[gap] = Slot{};
    --size_;
    // Whatever comes next may have been put aside for what is gone.
    for (std::size_t at = next(gap); !slots_[at].is_free(); at = next(at)) {
      const Slot moved = std::exchange(slots_[at], Slot{});
      slots_[place_of(moved.text)] = moved;
    }
  }

 private:
  struct Slot {
    std::string_view text{};
    Value value{};
    bool is_free() const { return text.data() == nullptr; }
  };

  static std::size_t mixed(std::string_view text) {
    std::uint64_t mixed = text.size();
    for (; text.size() > 8; text.remove_prefix(8)) mixed = fold(mixed ^ word_of(text.data(), 8));
    return fold(mixed ^ word_of(text.data(), text.size()));
  }
  // Every bit of the result depends on every bit of the word.
  static std::uint64_t fold(std::uint64_t word) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // of the golden ratio: its digits have no pattern
    const auto product = static_cast<unsigned __int128>(word) * odd;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  static std::uint64_t word_of(const char* begin, std::size_t size) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < size; ++i)
      word |= std::uint64_t{static_cast<unsigned char>(begin[i])} << 8 * i;
    return word;
  }
  std::size_t next(std::size_t place) const { return (place + 1) & (slots_.size() - 1); }
  // Where the text is, or would be.
  std::size_t place_of(std::string_view text) const {
    std::size_t place = mixed(text) & (slots_.size() - 1);
    while (!slots_[place].is_free() && slots_[place].text != text) place = next(place);
    return place;
  }
  void grow() {
    constexpr std::size_t least = 2;
    const std::vector<Slot> before = std::move(slots_);
    slots_.assign(before.empty() ? least : 2 * before.size(), Slot{});
    for (const Slot& each : before)
      if (!each.is_free()) slots_[place_of(each.text)] = each;
  }

  std::vector<Slot> slots_;  // a power of two, at least half of them free
  std::size_t size_ = 0;
};

}  // namespace holdfast::redis
